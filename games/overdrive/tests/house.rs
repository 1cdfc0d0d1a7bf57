//! The house bots: what they know to do, that they keep to the rules, that the better ones win, and that
//! they drive the same way everywhere.

mod common;

use common::{at, damaged, laid, setup, with};
use quintain_core::{Digest, Edition, Effort, Game, House, NoChance, PerSeat, Replies, Seat};
use quintain_core::{SplitMix64, Thinking};
use quintain_overdrive::{Action, CarSetup, Event, Overdrive, Setup, Surface};
use quintain_testkit::digest_of_matches;
use std::time::Duration;

/// What a bot on the first seat does in a position.
fn command(bot: &str, setup: Setup) -> Action {
    let game = common::Race::document(setup).game;
    let mut bot = Overdrive::bot(bot, 1).expect("a house bot");
    bot.act_unhurried(&game.view(Seat::First))
}

/// Drives at most so many rounds and returns the race with all that happened.
fn drive(names: [&str; 2], edition: Edition, seed: i64, rounds: u32) -> (Overdrive, Vec<Event>) {
    let config = common::config(edition);
    let mut game = Overdrive::start(&config, seed).expect("playable");
    let mut bots = quintain_testkit::house_bots::<Overdrive>(names, seed);
    let mut events = Vec::new();
    while game.outcome().is_none() && game.turn() < rounds {
        let replies = Replies::of(game.to_act(), |seat| bots[seat].act_unhurried(&game.view(seat)));
        game.advance(&replies, &mut NoChance, &mut events);
    }
    (game, events)
}

/// Rounds that a bot can be driven for in a second.
fn rounds_at_ease(effort: Effort) -> u32 {
    match effort {
        Effort::AtOnce => 600,
        Effort::Nodes(nodes) => (1_000_000 / nodes).clamp(8, 600) as u32,
        Effort::Clock => 100,
    }
}

#[test]
fn no_bot_of_the_ladder_sends_an_invalid_command() {
    for edition in [Edition::Document, Edition::Original] {
        for bot in Overdrive::BOTS {
            for (seed, names) in [(1, [bot.name, "random"]), (2, ["greedy", bot.name])] {
                let (_, events) = drive(names, edition, seed, rounds_at_ease(bot.effort));
                let invalid = events.iter().find(|event| matches!(event, Event::Invalid { .. }));
                assert_eq!(invalid, None, "{names:?}, {edition:?}");
            }
        }
    }
}

#[test]
fn no_bot_of_the_ladder_is_refused_in_any_position() {
    let config = common::config(Edition::Document);
    for bot in Overdrive::BOTS.iter().filter(|bot| bot.effort != Effort::Nodes(100_000)) {
        let mut luck = SplitMix64::new(9);
        let mut game = Overdrive::start(&config, 9).expect("playable");
        while game.outcome().is_none() {
            let mut events = Vec::new();
            let random = Replies::of(game.to_act(), |seat| {
                quintain_core::Sample::sample(&game, seat, &mut luck)
            });
            if game.turn().is_multiple_of(40) {
                let act = |seat: Seat| {
                    let mut fresh = Overdrive::bot(bot.name, 3).expect("a house bot");
                    fresh.act_unhurried(&game.view(seat))
                };
                let replies = Replies::of(game.to_act(), act);
                game.clone().advance(&replies, &mut NoChance, &mut events);
            }
            assert!(events.iter().all(|event| Overdrive::refused(event).is_none()), "{}", bot.name);
            game.advance(&random, &mut NoChance, &mut ());
        }
    }
}

#[test]
fn the_champion_beats_greedy_from_both_seats() {
    let wins = PerSeat::from_fn(|champion| {
        let mut names = ["greedy"; 2];
        names[champion.index()] = "champion";
        let won = |seed| drive(names, Edition::Document, seed, 600).0.outcome();
        (0..4).filter(|&seed| won(seed).and_then(|end| end.winner()) == Some(champion)).count()
    });
    let PerSeat([first, second]) = wins;
    assert!(first + second >= 7, "the champion won {first} and {second} of 4 races each");
}

#[test]
fn the_champion_repairs_before_it_boosts() {
    let car = damaged(with(at(2, 100, 3), &["BOOST"]), 2);
    assert_eq!(command("champion", setup(car, at(4, 20, 9))), Action::Fix);
    let car = with(at(2, 100, 9), &["BOOST"]);
    assert_eq!(command("champion", setup(car, at(4, 20, 9))), Action::UseBoost);
}

#[test]
fn the_champion_uses_an_emp_on_a_car_that_boosts_ahead() {
    let rival = CarSetup { boosting: true, boost_counter: 5, ..at(3, 160, 15) };
    let car = with(at(2, 100, 9), &["EMP"]);
    assert_eq!(command("champion", setup(car, rival)), Action::UseEmp);
}

#[test]
fn the_champion_does_what_takes_it_over_the_line_first() {
    let rival = CarSetup { boosting: true, boost_counter: 3, ..at(4, 1486, 15) };
    let car = with(at(1, 1487, 9), &["BOOST"]);
    assert_eq!(command("champion", setup(car, rival)), Action::UseBoost);
    // A turn is a block too short, and a lizard jumps over the wall that would stop it.
    let walls = [(1, 1495, Surface::Wall), (2, 1495, Surface::Wall)];
    let car = with(at(1, 1491, 9), &["LIZARD"]);
    let race = laid(setup(car, at(4, 1492, 8)), &walls);
    assert_eq!(command("champion", race), Action::UseLizard);
}

#[test]
fn the_champion_drives_around_a_wall_that_it_sees() {
    let race = laid(setup(at(1, 100, 9), at(4, 20, 3)), &[(1, 105, Surface::Wall)]);
    assert_eq!(command("champion", race), Action::TurnRight);
}

#[test]
fn the_champion_stops_who_would_cross_the_line_with_it() {
    let rival = CarSetup { boosting: true, boost_counter: 4, ..at(3, 1495, 15) };
    let car = with(at(2, 1491, 9), &["EMP"]);
    assert_eq!(command("champion", setup(car.clone(), rival.clone())), Action::UseEmp);
    // Two lanes away nothing stops it, and a boost makes the crossing at least a fast one.
    let far = with(at(1, 1491, 9), &["EMP", "BOOST"]);
    assert_eq!(command("champion", setup(far, rival)), Action::UseBoost);
}

/// A race in which a car far behind has what it takes to stop the other one in every round up to the line.
fn behind_with_emps() -> Setup {
    setup(with(at(2, 1425, 9), &["EMP"; 11]), at(3, 1486, 9))
}

#[test]
fn a_search_that_plays_the_end_out_catches_up_by_stopping_the_other_car() {
    let mut race = common::Race::document(behind_with_emps());
    let mut bot = Overdrive::bot("search-10k", 1).expect("a house bot");
    while race.game.outcome().is_none() {
        let action = bot.act_unhurried(&race.game.view(Seat::First));
        race.round(&action.to_string(), "ACCELERATE");
    }
    let winner = race.game.outcome().and_then(|outcome| outcome.winner());
    assert_eq!(winner, Some(Seat::First));
}

#[test]
fn a_search_by_nodes_looks_at_no_more_positions_than_it_says() {
    let game = common::Race::document(setup(at(1, 1, 5), at(4, 1, 5))).game;
    for (bot, looks) in [("search-1k", 3), ("search-10k", 39)] {
        let mut asked = 0;
        let mut clock = || {
            asked += 1;
            Duration::from_secs(asked)
        };
        let mut thinking = Thinking::new(&mut clock, Duration::from_secs(1));
        Overdrive::bot(bot, 1).expect("a house bot").act(&game.view(Seat::First), &mut thinking);
        assert_eq!(asked, looks, "the clock is asked once in 256 positions");
    }
}

#[test]
fn the_champion_answers_when_its_time_is_over() {
    let game = common::Race::document(setup(at(1, 1, 5), at(4, 1, 5))).game;
    let mut asked = 0;
    let mut clock = || {
        asked += 1;
        Duration::from_millis(asked)
    };
    let mut thinking = Thinking::new(&mut clock, Duration::from_millis(200));
    Overdrive::bot("champion", 1).expect("a house bot").act(&game.view(Seat::First), &mut thinking);
    assert_eq!(asked, 140);
}

/// Both seats' commands in some races, as one number.
fn digest_of(bot: &str, races: i64, rounds: u32) -> u64 {
    let mut digest = Digest::new();
    for seed in 0..races {
        let (_, events) = drive([bot, bot], Edition::Document, seed, rounds);
        for event in &events {
            if let Event::Commanded { action, .. } = event {
                digest.text(&action.to_string());
            }
        }
    }
    digest.finish()
}

#[test]
fn bots_that_count_positions_drive_the_same_way_on_every_machine() {
    let digests = [digest_of("search-10k", 4, 20), digest_of("search-100k", 1, 6)];
    let expected = [0xa2e2_4736_b2a0_9aab, 0x460e_c890_4c21_fda9];
    assert_eq!(digests, expected, "{digests:#x?}");
}

#[test]
fn the_end_of_a_race_is_driven_the_same_way_on_every_machine() {
    let config = common::config(Edition::Document);
    let mut digest = Digest::new();
    for seed in 0..10 {
        let mut start = Overdrive::generate(&config, seed);
        let held = ["EMP", "BOOST", "EMP", "LIZARD", "TWEET", "EMP", "OIL"];
        start.players = PerSeat([with(at(2, 1440, 9), &held), with(at(3, 1455, 8), &held)]);
        let mut race = common::Race::document(start);
        let mut bots = quintain_testkit::house_bots::<Overdrive>(["search-10k"; 2], seed);
        while race.game.outcome().is_none() {
            let views = PerSeat::from_fn(|seat| race.game.view(seat));
            let actions = PerSeat::from_fn(|seat| bots[seat].act_unhurried(&views[seat]));
            let [first, second] = actions.0.map(|action| action.to_string());
            digest.text(&first).text(&second);
            race.round(&first, &second);
        }
    }
    let digest = digest.finish();
    assert_eq!(digest, 0x1c16_0170_4fe8_e032, "{digest:#x}");
}

#[test]
fn bots_that_are_quick_drive_the_same_races_on_every_machine() {
    let config = common::config(Edition::Document);
    let digests =
        ["greedy-61", "search-1k"].map(|bot| digest_of_matches::<Overdrive>(&config, bot, 100));
    let expected = [0xe246_9449_5d4d_84c9, 0x881d_0a99_f948_4fe2];
    assert_eq!(digests, expected, "{digests:#x?}");
}

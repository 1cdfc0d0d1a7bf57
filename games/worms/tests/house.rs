//! The house bots: each is stronger than those below it, breaks no rule, and plays the same through lines
//! and on every machine.

mod common;

use quintain_core::{
    Digest, Edition, Effort, Game, House, HouseBot, HouseClient, Manner, Notation, Opening,
    PerSeat, Protocol, Replies, Seat, Seats,
};
use quintain_testkit::{digest_of_matches, exchange, greedy_wins, house_bots, house_match};
use quintain_worms::{Config, Event, Setup, Terrain, Wire, Worms};

use common::{paint, put, setup};

fn start(edition: Edition, seed: i64) -> Worms {
    let config = Config { edition, ..Config::default() };
    Worms::new(&config, Worms::generate(&config, seed)).expect("a generated setup is valid")
}

/// Plays to the end and returns the last position and how many commands were refused.
fn play(edition: Edition, bots: [&str; 2], seed: i64) -> (Worms, usize) {
    let bots = PerSeat::from_fn(|seat| {
        Worms::bot(bots[seat.index()], seed * 2 + seat.index() as i64).expect("a house bot")
    });
    let (game, events) = house_match(start(edition, seed), bots, &mut *Worms::chance(seed));
    let is_refusal =
        |event: &&Event| matches!(event, Event::Refused { .. } | Event::SelectRefused { .. });
    let refused = events.iter().filter(is_refusal).count();
    (game, refused)
}

#[test]
fn greedy_beats_random_in_95_of_100_matches() {
    let PerSeat([first, second]) = greedy_wins(0..50, |bots, seed| {
        let (game, refused) = play(Edition::Document, bots, seed);
        assert_eq!(refused, 0, "{bots:?}, seed {seed}: house bots break no rule");
        game.outcome().expect("played to the end").winner()
    });
    assert!(first + second >= 95, "greedy won {first} and {second} of 50 matches each");
}

#[test]
fn a_bot_behind_the_wire_plays_like_one_inside() {
    for (edition, seed) in [(Edition::Document, 7), (Edition::Original, 20_000)] {
        let mut game = start(edition, seed);
        let mut chance = Worms::chance(seed);
        let manners = PerSeat([Manner::Lines; 2]);
        let mut wire = Wire::new(&Opening { manners, ..Opening::new(PerSeat::default()) });
        let names = ["greedy", "search-1k"];
        let mut inside = names.map(|name| Worms::bot(name, seed).expect("a house bot"));
        let mut outside =
            names.map(|name| Worms::dialogue(name, "any", seed, None).expect("the same"));
        for _ in 0..150 {
            if game.outcome().is_some() {
                break;
            }
            let replies = Replies::of(Seats::BOTH, |seat| {
                let index = seat.index();
                let action = exchange(&mut wire, &game, seat, &mut *outside[index]).action;
                assert_eq!(action, inside[index].act_unhurried(&game.view(seat)));
                action
            });
            game.advance(&replies, &mut *chance, &mut ());
        }
    }
}

/// Plays some rounds and returns what both said, and how many commands were refused.
fn played(names: [&str; 2], seed: i64, edition: Edition, rounds: u32) -> (Vec<String>, usize) {
    let mut game = start(edition, seed);
    let (mut bots, mut chance) = (house_bots::<Worms>(names, seed), Worms::chance(seed));
    let (mut said, mut events) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        if game.outcome().is_some() {
            break;
        }
        let replies = Replies::of(Seats::BOTH, |seat| {
            let action = bots[seat].act_unhurried(&game.view(seat));
            said.push(Worms::write(&action));
            action
        });
        game.advance(&replies, &mut *chance, &mut events);
    }
    (said, events.iter().filter(|event| Worms::refused(event).is_some()).count())
}

#[test]
fn no_house_bot_breaks_a_rule() {
    for &HouseBot { name, effort, .. } in Worms::BOTS {
        // Mixtures of two bots, and bots that think for long, play the beginning of a match.
        let rounds = match effort {
            Effort::Nodes(nodes) => (400_000 / nodes) as u32,
            Effort::AtOnce if name.starts_with("greedy-") => 60,
            Effort::AtOnce | Effort::Clock => u32::MAX,
        };
        for (edition, seed) in [(Edition::Document, 3), (Edition::Original, 4)] {
            for names in [[name, "greedy"], ["random", name]] {
                let (_, refused) = played(names, seed, edition, rounds);
                assert_eq!(refused, 0, "{names:?}, seed {seed}");
            }
        }
    }
}

#[test]
fn a_search_of_10000_rounds_beats_greedy_from_both_seats() {
    let wins = Seat::BOTH.map(|seat| {
        let mut names = ["greedy"; 2];
        names[seat.index()] = "search-10k";
        let is_won = |seed: &i64| {
            let (game, _) = play(Edition::Document, names, *seed);
            game.outcome().expect("played to the end").winner() == Some(seat)
        };
        (0..4).filter(is_won).count()
    });
    assert!(wins[0] >= 3 && wins[1] >= 3, "won {wins:?} of 4 matches each");
}

/// The same commands on every machine: a fingerprint of all that was said.
#[test]
fn bots_that_count_rounds_say_the_same_on_every_machine() {
    let expected = [
        ("search-10k", 10, 6, 18_007_861_484_594_634_337),
        ("search-100k", 3, 3, 13_950_111_818_782_571_724),
    ];
    let found = expected.map(|(name, games, rounds, _)| {
        let mut digest = Digest::new();
        for seed in 0..games {
            for text in played([name, "greedy"], seed, Edition::Document, rounds).0 {
                digest.text(&text);
            }
        }
        (name, games, rounds, digest.finish())
    });
    assert_eq!(found, expected);
}

#[test]
fn bots_that_are_quick_play_the_same_matches_on_every_machine() {
    let config = Config::default();
    let digests =
        ["greedy-52", "search-1k"].map(|bot| digest_of_matches::<Worms>(&config, bot, 100));
    let expected = [0x3837_d188_0db0_b00c, 0x663b_3efd_b080_e39b];
    assert_eq!(digests, expected, "{digests:#x?}");
}

/// What a bot commands in a position that is made by hand, from the first seat.
fn command_of(bot: &str, setup: Setup) -> String {
    let game = Worms::new(&Config::default(), setup).expect("playable");
    let mut bot = Worms::bot(bot, 1).expect("a house bot");
    Worms::write(&bot.act_unhurried(&game.view(Seat::First)))
}

/// Both have only their first worm left, the second player's is frozen, and nobody can select.
fn duel(rounds_played: u32) -> Setup {
    let mut setup = setup();
    setup.round = rounds_played;
    for player in &mut setup.players.0 {
        player.tokens = 0;
        for worm in &mut player.worms[1..] {
            worm.hp = 0;
        }
    }
    setup.players[Seat::Second].worms[0].frozen = 5;
    setup
}

#[test]
fn the_last_round_is_dug_for_the_points_that_win() {
    for (behind, wanted) in [(6, "dig"), (4, "move or dig")] {
        let mut position = duel(399);
        put(&mut position, Seat::First, 1, 16, 16);
        paint(&mut position, 17, 16, Terrain::Dirt);
        let health = |seat: Seat| i64::from(position.players[seat].worms[0].hp) / 3;
        let score = behind + health(Seat::First) - health(Seat::Second);
        position.players[Seat::Second].command_score = score;
        let command = command_of("search-1k", position);
        let word = command.split(' ').next().expect("a word");
        assert!(wanted.contains(word), "{behind} behind: {command}");
    }
}

#[test]
fn a_worm_leaves_lava_while_it_lives() {
    let mut position = duel(300);
    // Lava is beyond the radius of 6.4; two more rounds of it are the worm's last.
    put(&mut position, Seat::First, 1, 16, 23);
    put(&mut position, Seat::Second, 1, 16, 12);
    for x in 0..33 {
        paint(&mut position, x, 24, Terrain::Dirt);
    }
    paint(&mut position, 16, 23, Terrain::Lava);
    position.players[Seat::First].worms[0].hp = 5;
    let command = command_of("search-1k", position);
    assert!(command.starts_with("move ") && command.ends_with(" 22"), "{command}");
}

#[test]
fn a_frozen_enemy_is_shot_and_a_crowd_is_bombed() {
    let mut position = duel(50);
    put(&mut position, Seat::First, 1, 10, 16);
    put(&mut position, Seat::Second, 1, 13, 16);
    position.players[Seat::Second].worms[0].hp = 8;
    assert_eq!(command_of("search-1k", position), "shoot E");

    let mut position = setup();
    position.players[Seat::First].active = 2;
    put(&mut position, Seat::First, 2, 16, 16);
    for (worm, (x, y)) in [(1, (20, 16)), (2, (20, 17)), (3, (19, 16))] {
        put(&mut position, Seat::Second, worm, x, y);
        position.players[Seat::Second].worms[worm - 1].frozen = 4;
    }
    let command = command_of("search-10k", position);
    assert!(command.starts_with("banana "), "{command}");
}

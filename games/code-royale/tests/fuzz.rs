//! Nothing that a bot sends can panic, whatever it is, and random play keeps its promises.

#[allow(dead_code, reason = "each test file uses its own part of the helpers")]
mod common;

use common::wire;
use proptest::collection::vec;
use proptest::prelude::*;
use quintain_code_royale::{
    CodeRoyale, Config, CreepKind, CreepSetup, Event, League, Remover, Setup, StructureSetup,
    Target, Wire,
};
use quintain_core::{
    Conform, Edition, Fault, Game, Intake, NoChance, Outbox, PerSeat, Protocol, Replies, Reply,
    Sample, Seat, Seats, SplitMix64,
};
use quintain_testkit::{battery, house_answers};

/// Words of the game, words near them, and anything else.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        proptest::sample::select(vec![
            "WAIT",
            "MOVE",
            "BUILD",
            "TRAIN",
            "MINE",
            "TOWER",
            "BARRACKS",
            "BARRACKS-KNIGHT",
            "BARRACKS-ARCHER",
            "BARRACKS-GIANT",
            "BARRACKS-",
            "-",
            "",
            "\t",
            "A\t",
            "BARRACKS-A\t",
            "BARRACKS-A\t-B",
            "A\t-B",
            "+",
            "é",
        ])
        .prop_map(str::to_owned),
        (-2..30_i32).prop_map(|number| number.to_string()),
        any::<i32>().prop_map(|number| number.to_string()),
    ];
    prop_oneof![
        4 => vec(word, 0..6).prop_map(|words| words.join(" ").into_bytes()),
        1 => vec(any::<u8>(), 0..30),
    ]
}

fn game(edition: Edition, league: u8, seed: i64) -> CodeRoyale {
    let config =
        Config { edition, league: League::new(league).expect("a league"), ..Config::default() };
    CodeRoyale::new(&config, CodeRoyale::generate(&config, seed)).expect("playable")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_line_to_a_match_is_survived(
        original in any::<bool>(),
        league in 1..=4_u8,
        lines in vec((any::<bool>(), any::<bool>(), line()), 0..60),
    ) {
        let edition = Edition::ALL[usize::from(original)];
        let mut game = game(edition, league, 12_345);
        let (mut wire, mut out) = (wire(), Outbox::default());
        let mut replies: Replies<_> = PerSeat::default();
        for (second, asked, line) in lines {
            if game.outcome().is_some() {
                break;
            }
            let seat = if second { Seat::Second } else { Seat::First };
            let line = String::from_utf8_lossy(&line);
            match wire.hear(seat, asked && replies[seat].is_none(), &line, &mut out) {
                Intake::Action(action) => {
                    let view = game.view(seat);
                    prop_assert_eq!(heard(&wire.say(&view, &action), seat), Some(action.clone()));
                    replies[seat] = Some(Reply::Act(action));
                }
                Intake::More | Intake::Later => {}
                other => prop_assert!(false, "there is no {:?}", other),
            }
            prop_assert!(out.0.is_empty(), "nothing is said but what is prompted");
            if replies.0.iter().all(Option::is_some) {
                game.advance(&std::mem::take(&mut replies), &mut NoChance, &mut Vec::new());
            }
        }
    }

    #[test]
    fn any_line_to_a_house_bot_is_survived(lines in vec("[-0-9 a]{0,20}", 0..40)) {
        house_answers::<CodeRoyale>(&lines);
    }

    #[test]
    fn any_recording_is_survived(lines in vec(".{0,60}", 0..6)) {
        prop_assert!(CodeRoyale::conform(&lines).is_err());
    }

    #[test]
    fn any_setup_is_playable_or_refused(
        site in 0..24_usize,
        place in (-20_000.0..20_000.0_f64, -20_000.0..20_000.0_f64),
        radius in -5..500_i32,
        structure in structure(),
        creeps in vec(creep(), 0..8),
        hp in -2..200_i32,
        gold in -2..2_000_i32,
    ) {
        let config = Config::default();
        let mut setup: Setup = CodeRoyale::generate(&config, 99);
        setup.sites[site].x = place.0;
        setup.sites[site].radius = radius;
        setup.sites[(site + 1) % 24].structure = structure;
        setup.players.0[site % 2].creeps = creeps;
        setup.players.0[site % 2].queen.1 = place.1;
        setup.players.0[1].hp = hp;
        setup.players.0[0].gold = gold;
        if let Ok(mut game) = CodeRoyale::new(&config, setup) {
            let mut luck = SplitMix64::new(1);
            for _ in 0..3 {
                if game.outcome().is_none() {
                    let replies =
                        Replies::of(game.to_act(), |seat| game.sample(seat, &mut luck));
                    game.advance(&replies, &mut NoChance, &mut ());
                }
            }
        }
    }
}

/// What another protocol hears of an answer.
fn heard(lines: &[String], seat: Seat) -> Option<quintain_code_royale::Action> {
    let (mut wire, mut out): (Wire, _) = (wire(), Outbox::default());
    let intakes = lines.iter().map(|line| wire.hear(seat, true, line, &mut out));
    match intakes.last()? {
        Intake::Action(action) => Some(action),
        _ => None,
    }
}

fn structure() -> impl Strategy<Value = Option<StructureSetup>> {
    let kind = proptest::sample::select(CreepKind::ALL.to_vec());
    prop_oneof![
        Just(None),
        (0..3_u8, 0..6_u8).prop_map(|(owner, rate)| Some(StructureSetup::Mine { owner, rate })),
        (0..3_u8, -5..900_i32, -5..900_i32)
            .prop_map(|(owner, hp, range)| Some(StructureSetup::Tower { owner, hp, range })),
        (0..3_u8, kind, proptest::option::of(0..12_u8)).prop_map(|(owner, creep, training)| {
            Some(StructureSetup::Barracks { owner, creep, training })
        }),
    ]
}

fn creep() -> impl Strategy<Value = CreepSetup> {
    let kind = proptest::sample::select(CreepKind::ALL.to_vec());
    (kind, -100.0..2100.0_f64, -100.0..1100.0_f64, -1..50_i16)
        .prop_map(|(kind, x, y, hp)| CreepSetup { kind, x, y, hp })
}

#[test]
fn the_battery_of_random_play() {
    for edition in Edition::ALL {
        for &league in League::ALL {
            let config = Config {
                edition,
                league: League::new(league).expect("a league"),
                ..Config::default()
            };
            battery::<CodeRoyale>(&config, 1000..1003);
        }
    }
}

#[test]
fn what_must_hold_in_every_position() {
    for (edition, seed) in [(Edition::Document, 5), (Edition::Original, 6), (Edition::Document, 7)]
    {
        let mut game = game(edition, 4, seed << 40);
        let mut luck = SplitMix64::new(seed as u64);
        while game.outcome().is_none() {
            let replies = Replies::of(game.to_act(), |seat| game.sample(seat, &mut luck));
            game.advance(&replies, &mut NoChance, &mut ());
            for (seat, player) in game.players().iter() {
                assert!(player.gold >= 0 && player.hp >= 0);
                for creep in game.creeps()[seat].as_slice() {
                    assert!(creep.hp > 0 && creep.hp <= creep.kind.stats().hp);
                    assert_eq!(creep.place.x, creep.place.x.floor());
                }
            }
            assert!(game.plots().iter().all(|plot| plot.gold >= 0));
        }
    }
}

/// Random play that never gets anywhere would prove nothing.
#[test]
fn random_play_reaches_what_can_happen() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..6 {
        let mut game = game(Edition::ALL[seed as usize % 2], 4, seed << 40);
        let mut luck = SplitMix64::new(seed as u64);
        while game.outcome().is_none() {
            let replies = Replies::of(game.to_act(), |seat| game.sample(seat, &mut luck));
            let mut events = Vec::new();
            game.advance(&replies, &mut NoChance, &mut events);
            seen.extend(events.iter().map(|event| match event {
                Event::Removed { by, .. } => match by {
                    Remover::Queen(_) => "torn down by a queen",
                    Remover::Creep(_) => "torn down by a creep",
                    Remover::Exhaustion => "exhausted",
                    Remover::Decay => "decayed",
                },
                Event::Shot { target: Target::Queen, .. } => "queen shot",
                Event::Shot { .. } => "creep shot",
                Event::Warned { .. } => "warned",
                Event::Killed { .. } => "killed",
                Event::Walks { .. } => "walks",
                Event::Approaches { .. } => "approaches",
                Event::Trains { .. } => "trains",
                Event::Built { .. } => "built",
                Event::Contested { .. } => "contested",
                Event::Struck { .. } => "struck",
                Event::Spawned { .. } => "spawned",
                Event::Died { .. } => "died",
                Event::Fell { .. } => "fell",
                Event::Hit { .. } => "hit by an archer",
                Event::Beaten { .. } => "tower beaten",
                Event::QueenDied { .. } => "queen died",
                Event::Ended => "ended",
            }));
        }
    }
    let expected = [
        "approaches",
        "built",
        "creep shot",
        "died",
        "ended",
        "fell",
        "hit by an archer",
        "queen shot",
        "spawned",
        "struck",
        "torn down by a creep",
        "torn down by a queen",
        "trains",
        "walks",
        "decayed",
    ];
    for name in expected {
        assert!(seen.contains(name), "{name} is not in {seen:?}");
    }
    assert!(!seen.contains("killed"), "legal actions do not lose");
}

/// What a seat is told does not change with what it may not know.
#[test]
fn a_view_shows_only_what_its_seat_may_know() {
    for edition in Edition::ALL {
        let config = common::config(edition);
        let mut setup = common::setup();
        setup.sites[4].structure = common::mine(1, 2);
        let told = |setup: &Setup| {
            let game = CodeRoyale::new(&config, setup.clone()).expect("playable");
            game.view(Seat::First)
        };
        let before = told(&setup);
        setup.players.0[1].gold = 999;
        setup.sites[4].gold = 77;
        setup.sites[4].rate_max = 5;
        setup.sites[4].structure = common::mine(1, 3);
        setup.sites[5].gold = 7;
        assert_eq!(told(&setup), before);
        setup.sites[0].gold = 7;
        assert_ne!(told(&setup), before, "what is near is shown");
    }
}

#[test]
fn every_fault_is_a_loss_and_none_a_panic() {
    let faults = [
        Fault::Late,
        Fault::Flooded,
        Fault::Gone(quintain_core::Exit::Closed),
        Fault::NotStarted(quintain_core::Absence::Silent),
    ];
    for fault in faults {
        let mut game = game(Edition::Document, 4, 3);
        let replies = PerSeat([
            Some(Reply::Fault(fault)),
            Some(Reply::Act(quintain_code_royale::Action::wait())),
        ]);
        game.advance(&replies, &mut NoChance, &mut ());
        assert_eq!(game.outcome().expect("over").winner(), Some(Seat::Second));
    }
}

/// One map in some ten thousands starts with sites that were pushed to a fraction.
#[test]
fn a_map_with_sites_on_fractions_is_playable() {
    let mut game = game(Edition::Original, 4, 376_761_134_935_198_209);
    let is_whole = |game: &CodeRoyale| {
        game.field().sites().iter().all(|site| site.place.x == site.place.x.floor())
    };
    assert!(!is_whole(&game));
    let replies = Replies::of(Seats::BOTH, |_| quintain_code_royale::Action::wait());
    game.advance(&replies, &mut NoChance, &mut ());
    assert!(is_whole(&game));
}

//! Nothing that a bot sends can panic, and whatever is played keeps the numbers in their ranges.

mod common;

use common::*;
use proptest::collection::vec;
use proptest::prelude::*;
use quintain_core::{
    Conform, Edition, Fault, Game, Intake, NoChance, Opening, Outbox, PerSeat, Protocol, Reply,
    Seat,
};
use quintain_fencing::{Action, Config, FencerSetup, Fencing, Setup, Switches, Wire};
use quintain_testkit::{battery, house_answers};

/// Commands, words near them, and anything else.
fn line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => proptest::sample::select(Action::ALL.to_vec()).prop_map(|a| a.code().into()),
        1 => proptest::sample::select(vec!["WALK ", " WALK", "walk", "", "SUPPRESS", "WALK\tX"])
            .prop_map(|word| word.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..60),
    ]
}

fn switches() -> impl Strategy<Value = Switches> {
    proptest::sample::select(Edition::ALL.to_vec()).prop_map(Switches::of)
}

fn wire() -> Wire {
    Wire::new(&Opening::new(PerSeat::default()))
}

/// What must hold between turns.
fn assert_sound(game: &Fencing) {
    let is_over = game.outcome().is_some();
    assert_eq!(game.to_act().is_empty(), is_over || game.is_respawn_due());
    assert!(game.turn() <= 200);
    for (_, fencer) in game.fencers().iter() {
        assert!((0..=500).contains(&fencer.position));
        assert!(fencer.energy <= fencer.energy_max());
        assert!(fencer.energy >= 0 || is_over);
        assert!(fencer.drugs <= 7 && fencer.points <= 200);
    }
    if let Some(outcome) = game.outcome() {
        assert!(outcome.scores.0.iter().all(|score| (-1..=1).contains(score)));
    }
}

proptest! {
    #[test]
    fn any_lines_are_survived(
        league in 1..4_u8,
        switches in switches(),
        turns in vec((line(), line()), 0..220),
    ) {
        let mut wire = wire();
        let mut game = new(league, switches, Setup::default());
        for (first, second) in turns {
            let lines = [first, second].map(|line| String::from_utf8_lossy(&line).into_owned());
            if game.outcome().is_some() {
                break;
            }
            let asked = game.to_act();
            let replies = PerSeat::from_fn(|seat| {
                let mut out = Outbox::default();
                let is_asked = asked.contains(seat);
                match wire.hear(seat, is_asked, &lines[seat.index()], &mut out) {
                    Intake::Action(action) => Some(Reply::Act(action)),
                    Intake::Malformed(error) => Some(Reply::Fault(Fault::Malformed(error))),
                    Intake::Later => None,
                    other => panic!("fencing has no {other:?}"),
                }
            });
            game.advance(&replies, &mut NoChance, &mut ());
            assert_sound(&game);
        }
    }

    #[test]
    fn any_actions_keep_the_numbers_in_range(
        switches in switches(),
        turns in vec((0..15_usize, 0..15_usize), 200),
    ) {
        let mut game = new(3, switches, Setup::default());
        for (first, second) in turns {
            if game.outcome().is_some() {
                break;
            }
            let asked = game.to_act();
            let drawn = PerSeat([Action::ALL[first], Action::ALL[second]]);
            let replies = PerSeat::from_fn(|seat| {
                let is_weak = fencer(&game, seat).energy < 5;
                let action = if is_weak { Action::Break } else { drawn[seat] };
                asked.contains(seat).then_some(Reply::Act(action))
            });
            game.advance(&replies, &mut NoChance, &mut ());
            assert_sound(&game);
        }
    }

    #[test]
    fn any_line_to_a_house_bot_is_survived(
        lines in vec(prop_oneof![".{0,40}", "(-?[0-9]{1,5} ){11}-?[0-9]{1,5}"], 0..30),
    ) {
        let answers = house_answers::<Fencing>(&lines);
        prop_assert!(answers.iter().all(|code| Action::from_code(code).is_some()));
    }

    #[test]
    fn any_recording_is_survived(lines in vec(".{0,60}", 0..6)) {
        prop_assert!(Fencing::conform(&lines).is_err());
    }

    #[test]
    fn any_setup_is_playable_or_refused(
        numbers in vec(-3..520_i16, 24),
        switches in switches(),
        turn in 0..260_u32,
        respawn in any::<bool>(),
        scale in 1..60_i16,
    ) {
        let fencer = |n: &[i16]| FencerSetup {
            position: n[0],
            energy: n[1] / scale,
            score: n[2] / scale,
            drug_count: (n[3] / 60) as u8,
            energy_max: 20 + n[4] / 100 * 5,
            break_skill: n[5] / 300 * 10,
            walk_skill: n[6] / 300 * 5,
            parry_distance_skill: n[7] / 300 * -5,
            ..FencerSetup::at(0)
        };
        let setup = Setup {
            fencers: PerSeat([fencer(&numbers[..12]), fencer(&numbers[12..])]),
            turn,
            respawn,
        };
        if let Ok(game) = Fencing::new(&config(3, switches), setup) {
            prop_assert!(game.outcome().is_none());
            assert_sound(&game);
        }
    }
}

#[test]
fn random_play_keeps_every_promise_in_both_editions_and_all_leagues() {
    for edition in Edition::ALL {
        for league in [1, 2, 3] {
            battery::<Fencing>(&config(league, Switches::of(edition)), 0..40);
        }
    }
}

#[test]
fn both_views_show_the_same_from_both_ends() {
    let game = duel(FencerSetup { energy: 3, ..at(120) }, FencerSetup { score: 2, ..at(310) });
    let [first, second] = Seat::BOTH.map(|seat| game.view(seat));
    assert_eq!(first.own, second.opponent.mirrored());
    assert_eq!(first.opponent, second.own.mirrored());
}

#[test]
fn configs_that_cannot_be_played_are_refused() {
    let mut no_gap = Config::default();
    no_gap.switches.score_gap = 0;
    let mut no_time = Config::default();
    no_time.time_limits.later_ms = 0;
    for config in [config(0, Switches::DOCUMENT), config(4, Switches::DOCUMENT), no_gap, no_time] {
        assert!(Fencing::new(&config, Setup::default()).is_err(), "{config:?}");
    }
}

//! Draws are recorded, and a match is rebuilt from its seed and its record alone.

use quintain_core::{Chance as _, Game, PerSeat, Protocol, Seat, SeededChance};
use quintain_referee::{Ask, Input, Recorder, Table};

use crate::bench::{Played, inside, line, ms, opening, remote, scripted, steady};
use crate::toy::{Config, Event, Setup, Toy, Wire};

fn dice() -> Setup {
    Setup { turns_max: 10, has_die: true, has_pauses: true }
}

fn play(seed: i64, ask: Ask) -> Played {
    let first = scripted([
        vec![(ms(1), line("later 3"))],
        vec![(ms(700), line("4")), (ms(1500), line("5"))],
        vec![(ms(2000), line("6"))],
        vec![(ms(1), line("bad"))],
    ]);
    let mut one = remote::<true>(first, steady("2"));
    one.setup = dice();
    one.ask = ask;
    one.seed = seed;
    one.play()
}

/// Two bots inside the process, who have answered the next question when a step is told.
fn play_inside(seed: i64, ask: Ask) -> Played {
    let mut one = remote::<true>(scripted([]), scripted([]));
    one.players = PerSeat([inside(&[3, 1, 4]).0, inside(&[2, 7]).0]);
    (one.setup, one.ask, one.seed) = (dice(), ask, seed);
    one.play()
}

fn throws(played: &Played) -> Vec<u32> {
    let thrown = |event: &Event| match event {
        Event::Thrown(number) => Some(*number),
        _ => None,
    };
    played.all_events().iter().filter_map(thrown).collect()
}

#[test]
fn every_draw_is_in_the_record() {
    let played = play(5, Ask::InTurn);
    let recorded: Vec<u32> = played.steps.iter().flat_map(|step| step.draws.clone()).collect();
    assert_eq!(recorded.len(), 10);
    assert_eq!(recorded, throws(&played));
    assert!(played.steps[0].draws.is_empty(), "a pause throws no die");
}

#[test]
fn the_seed_decides_the_draws() {
    assert_eq!(throws(&play(5, Ask::InTurn)), throws(&play(5, Ask::InTurn)));
    assert_ne!(throws(&play(5, Ask::InTurn)), throws(&play(6, Ask::InTurn)));
}

/// Plays the record again on a table without world or clock, with the draws of the seed. What is said
/// before the first step and in each is compared on the way.
fn rebuilt(played: &Played, seed: i64, ask: Ask) -> (Vec<Vec<Event>>, u64) {
    let game = <Toy<true> as Game>::new(&Config, dice()).expect("a setup");
    let mut table = Table::new(game, <Wire as Protocol<Toy<true>>>::new(&opening()), ask);
    table.start();
    let mut chance = SeededChance::new(seed);
    let mut events = Vec::new();
    assert_eq!(table.said(), played.said[0]);
    table.send_messages(|_| {});
    for (step, said) in played.steps.iter().zip(&played.said[1..]) {
        assert_eq!(table.game.turn(), step.turn);
        for input in &step.inputs {
            match input {
                Input::Line { seat, asked, line, .. } => {
                    assert_eq!(table.is_asked(*seat), *asked);
                    table.hear(*seat, line);
                }
                Input::Fault { seat, fault, .. } => table.fault(*seat, *fault),
            }
        }
        chance.begin_turn(step.turn);
        let mut recorder = Recorder::new(&mut chance);
        table.step(&mut recorder);
        assert_eq!(recorder.draws, step.draws);
        events.push(table.events().to_vec());
        assert_eq!(table.said(), said);
        table.send_messages(|_| {});
    }
    assert!(table.game.outcome().is_some());
    assert!(Seat::BOTH.into_iter().all(|seat| !table.is_asked(seat)));
    (events, table.messages_fingerprint())
}

#[test]
fn a_match_is_rebuilt_from_its_record() {
    for ask in [Ask::InTurn, Ask::Together] {
        for played in [play(9, ask), play_inside(9, ask)] {
            let (events, messages) = rebuilt(&played, 9, ask);
            assert_eq!(events, played.events, "{ask:?}");
            assert_eq!(messages, played.messages, "{ask:?}");
        }
    }
}

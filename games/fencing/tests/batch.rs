//! Matches side by side are, number by number, the matches that they would be one by one.

mod common;

use common::*;
use quintain_core::{Chance, Game, NoChance, PerSeat, Reply, Seat, SplitMix64};
use quintain_fencing::{Action, Batch, FencerSetup, Fencing, LANES, Setup, Switches};

/// Plays a batch and the same matches one by one, until all are over.
fn check(start: Fencing, matches: usize, seed: u64) -> Vec<Fencing> {
    let mut batch = Batch::new(start, matches);
    let mut games = vec![start; batch.len()];
    let mut chance = SplitMix64::new(seed);
    while !batch.is_over() {
        let actions: Vec<PerSeat<Action>> = games
            .iter()
            .map(|game| PerSeat::from_fn(|seat| choose(game, seat, &mut chance)))
            .collect();
        batch.step(|first, _| {
            PerSeat::from_fn(|seat| std::array::from_fn(|lane| actions[first + lane][seat]))
        });
        for (number, game) in games.iter_mut().enumerate() {
            if game.outcome().is_none() {
                let asked = !game.to_act().is_empty();
                let reply = |_, action| asked.then_some(Reply::Act(action));
                game.advance(&actions[number].map(reply), &mut NoChance, &mut ());
            }
            assert_eq!(batch.get(number).as_ref(), Some(&*game), "seed {seed}, match {number}");
        }
    }
    assert_eq!(batch.turns(), games.iter().map(|game| u64::from(game.turn())).sum::<u64>());
    assert_eq!(batch.get(batch.len()), None);
    games
}

/// Now and then more than the fencer can pay, and drugs without end.
fn choose(game: &Fencing, seat: Seat, chance: &mut SplitMix64) -> Action {
    let actions = Action::of_league(game.league());
    let drawn = actions[chance.below(actions.len() as u32) as usize];
    let is_reckless = chance.below(64) == 0;
    if is_reckless || fencer(game, seat).energy >= 7 { drawn } else { Action::Break }
}

#[test]
fn every_league_of_both_editions_is_bit_equal() {
    for switches in [Switches::DOCUMENT, Switches::ORIGINAL] {
        for league in [1, 2, 3] {
            let games =
                check(new(league, switches, Setup::default()), 2 * LANES, u64::from(league));
            assert!(games.iter().any(|game| points(game) != [0, 0]));
        }
    }
}

#[test]
fn decisive_ends_doping_and_steps_outside_are_bit_equal() {
    let ahead = FencerSetup { score: 18, drug_count: 6, lunge_distance_skill: 30, ..at(30) };
    let behind = FencerSetup { score: 17, drug_count: 6, walk_skill: 30, ..at(60) };
    let tired = |position| FencerSetup { score: 18, energy: 7, ..at(position) };
    let mut reasons = Vec::new();
    for switches in [Switches::DOCUMENT, Switches::ORIGINAL] {
        for (league, fencers) in [(3, setup(ahead, behind)), (2, setup(tired(30), tired(60)))] {
            for seed in 0..4 {
                let turn = 140 + 15 * seed as u32;
                let start = new(league, switches, Setup { turn, ..fencers });
                reasons.extend(check(start, LANES, seed).iter().map(reason));
            }
        }
    }
    for expected in ["decisive victory", "doping", "forfeit, out of energy", "turn limit"] {
        assert!(reasons.contains(&expected), "{expected}");
    }
}

#[test]
fn a_batch_can_start_with_a_respawn_and_is_rounded_up_to_whole_blocks() {
    let start = new(2, Switches::DOCUMENT, Setup { respawn: true, ..setup(at(300), at(200)) });
    assert_eq!(Batch::new(start, 1).len(), LANES);
    assert!(Batch::new(start, 0).is_empty());
    check(start, 1, 9);
}

#[test]
#[should_panic(expected = "an action above league 1")]
fn actions_above_the_league_are_refused() {
    let mut batch = Batch::new(start(1), 1);
    batch.step(|_, _| PerSeat([[Action::Break; LANES], [Action::DoubleWalk; LANES]]));
}

//! Rules against a plain second version of them: whole trees of actions, and random matches.

mod common;
mod oracle;

use common::*;
use oracle::{Oracle, assert_agree};
use quintain_core::{Game, NoChance, PerSeat, Sample, Seat, SplitMix64, perft};
use quintain_fencing::{Action, FencerSetup, Fencing, Setup, Switches};

/// Walks every pair of actions to this depth and counts the leaves, as `quintain perft` does.
fn walk(game: Fencing, oracle: &Oracle, depth: u32) -> u64 {
    assert_agree(&game, oracle);
    if depth == 0 {
        return 1;
    }
    if oracle.is_over {
        return 0;
    }
    if oracle.respawn {
        let (mut game, mut oracle) = (game, oracle.clone());
        game.advance(&PerSeat([None, None]), &mut NoChance, &mut ());
        oracle.step(["", ""]);
        return walk(game, &oracle, depth - 1);
    }
    let actions = Action::of_league(game.league());
    let mut leaves = 0;
    for first in actions {
        for second in actions {
            let (mut game, mut oracle) = (game, oracle.clone());
            let words = [first.code(), second.code()];
            game.advance(&replies(words[0], words[1]), &mut NoChance, &mut ());
            oracle.step(words);
            leaves += walk(game, &oracle, depth - 1);
        }
    }
    leaves
}

fn check(league: u8, switches: Switches, setup: Setup, depth: u32) -> u64 {
    let game = new(league, switches, setup);
    let leaves = walk(game, &Oracle::of(&game, switches), depth);
    assert_eq!(perft(&game, depth), leaves);
    leaves
}

#[test]
fn every_line_of_play_from_the_start_agrees() {
    for switches in [Switches::DOCUMENT, Switches::ORIGINAL] {
        assert_eq!(check(1, switches, Setup::default(), 2), 625);
        assert_eq!(check(2, switches, Setup::default(), 2), 2401);
        assert_eq!(check(3, switches, Setup::default(), 2), 50625);
    }
    // After WALK and WALK, two pairs of the second turn touch: a respawn is a single line.
    let leaves = check(1, Switches::DOCUMENT, Setup::default(), 3);
    assert_eq!(leaves, 623 * 25 + 2);
}

#[test]
fn every_line_of_play_from_a_clinch_agrees() {
    let clinch = setup(
        FencerSetup { energy: 9, score: 18, ..at(15) },
        FencerSetup { energy: 6, score: 19, ..at(45) },
    );
    for switches in [Switches::DOCUMENT, Switches::ORIGINAL] {
        // Collisions, touches, steps outside and forfeits all cut lines short.
        let leaves = check(2, switches, clinch, 3);
        assert!(leaves < 49_u64.pow(3) && leaves > 1000, "{leaves}");
    }
}

#[test]
fn every_line_of_play_of_two_nearly_doped_fencers_agrees() {
    let doped = |position| FencerSetup {
        energy: 14,
        drug_count: 6,
        lunge_distance_skill: 10,
        retreat_skill: 20,
        ..at(position)
    };
    for switches in [Switches::DOCUMENT, Switches::ORIGINAL] {
        let leaves = check(3, switches, setup(doped(230), doped(270)), 2);
        assert!(leaves < 225_u64.pow(2), "{leaves}");
    }
}

#[test]
fn random_matches_agree_to_their_end() {
    let (mut decisive, mut limits) = (0, 0);
    for seed in 0..150 {
        let switches = [Switches::DOCUMENT, Switches::ORIGINAL][seed % 2];
        let league = [1, 2, 3][seed % 3];
        let mut chance = SplitMix64::new(seed as u64);
        // Half of the matches begin near their decision.
        let score = [0, 17][seed / 2 % 2];
        let ready = |position| FencerSetup { score, ..at(position) };
        let mut game = new(league, switches, setup(ready(200), ready(300)));
        let mut oracle = Oracle::of(&game, switches);
        while game.outcome().is_none() {
            let words = Seat::BOTH.map(|seat| choose(&game, seat, &mut chance).code());
            let replies = match game.to_act().is_empty() {
                true => PerSeat([None, None]),
                false => replies(words[0], words[1]),
            };
            game.advance(&replies, &mut NoChance, &mut ());
            oracle.step(words);
            assert_agree(&game, &oracle);
        }
        decisive += u32::from(reason(&game) == "decisive victory");
        limits += u32::from(game.turn() == 200);
    }
    assert!(decisive > 0 && limits > 0, "{decisive} decisive, {limits} at the limit");
}

/// Mostly actions that can be paid, with a liking for lunges, so that matches last and are decided.
fn choose(game: &Fencing, seat: Seat, chance: &mut SplitMix64) -> Action {
    let energy = fencer(game, seat).energy;
    let drawn = game.sample(seat, chance);
    let is_bold = seat == Seat::First && energy >= 8;
    match drawn {
        Action::Parry | Action::Retreat | Action::DoubleRetreat if is_bold => Action::Lunge,
        _ if energy < 7 => Action::Break,
        other => other,
    }
}

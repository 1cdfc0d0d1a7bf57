//! The fast rules against the oracle: the same counts, and the same game at every throw.

use quintain_core::{Game, NoChance, Replies, Sample, SplitMix64, perft};
use quintain_hockey::{Config, Ending, Hockey, Setup};

mod oracle;
use oracle::{End, Oracle};

/// Sequences of 0, 1, 2 and so on throws. The first game can end with the fifth throw, in a corner.
const COUNTS: [u64; 8] = [1, 8, 56, 392, 2720, 18_656, 123_086, 789_120];

#[test]
fn counts_are_what_they_were() {
    let start = Hockey::new(&Config::default(), Setup::default()).expect("playable");
    for (depth, count) in COUNTS.into_iter().enumerate() {
        assert_eq!(perft(&start, depth as u32), count, "depth {depth}");
    }
}

#[test]
fn counts_agree_with_the_oracle() {
    for depth in 0..=6 {
        assert_eq!(Oracle::new().perft(depth), COUNTS[depth as usize], "depth {depth}");
    }
}

fn compare(game: &Hockey, oracle: &Oracle) {
    let board = game.board();
    assert_eq!((board.puck().x(), board.puck().y()), oracle.puck);
    assert_eq!(board.exits(board.puck()).iter().collect::<Vec<_>>(), oracle.legal());
    assert_eq!(game.to_act().is_empty(), oracle.end.is_some());
    let expected = oracle.end.map(|end| match end {
        End::Goal { winner } => Ending::Goal { winner },
        End::Checkmate { loser } => Ending::Checkmate { winner: loser.other() },
    });
    assert_eq!(game.ending(), expected);
    if oracle.end.is_none() {
        assert_eq!(board.active(), oracle.active);
    }
}

#[test]
fn random_games_agree_with_the_oracle_at_every_throw() {
    let mut chance = SplitMix64::new(7);
    let mut goals = 0;
    let mut checkmates = [0; 2];
    for _ in 0..300 {
        let mut game = Hockey::new(&Config::default(), Setup::default()).expect("playable");
        let mut oracle = Oracle::new();
        while let Some(seat) = game.to_act().iter().next() {
            let direction = game.sample(seat, &mut chance);
            let replies = Replies::only(seat, direction);
            game.advance(&replies, &mut NoChance, &mut ());
            oracle.throw(direction);
            compare(&game, &oracle);
        }
        match game.ending().expect("the loop ends with the game") {
            Ending::Goal { .. } => goals += 1,
            Ending::Checkmate { winner } => checkmates[winner.index()] += 1,
            other => panic!("random games end by themselves, got {other:?}"),
        }
    }
    let reached = goals > 0 && checkmates.iter().all(|&count| count > 0);
    assert!(reached, "every ending should be met: {goals} goals, {checkmates:?} checkmates");
}

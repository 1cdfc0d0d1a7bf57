//! Counts move sequences, to compare rules with each other and to measure their speed.

use crate::{Board, Landing};

/// How many sequences of exactly `depth` throws there are from the usual start. A throw that ends
/// the game can only be the last one of a sequence.
pub fn perft(depth: u32) -> u64 {
    count(&Board::START, depth)
}

fn count(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let exits = board.exits(board.puck());
    if depth == 1 {
        return u64::from(exits.count());
    }
    exits
        .iter()
        .map(|direction| {
            let mut next = *board;
            match next.throw(direction) {
                Landing::Passed | Landing::Bounced => count(&next, depth - 1),
                Landing::Goal(_) | Landing::DeadEnd => 0,
            }
        })
        .sum()
}

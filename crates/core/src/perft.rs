//! Counts sequences of actions, to compare rules with each other and with a bot's own copy.

use crate::{Enumerate, NoChance, PerSeat, Replies, Reply, Seat};

/// How many sequences of exactly `depth` legal plies there are from here; where both seats act, a
/// ply is a pair of actions. A ply that ends the game can only be the last one of a sequence.
///
/// # Panics
/// If the rules draw a random number: such a ply has no single successor.
pub fn perft<G: Enumerate>(game: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.outcome().is_some() {
        return 0;
    }
    let choices = PerSeat::from_fn(|seat| choices(game, seat));
    if depth == 1 {
        return choices.0.iter().map(|choices| choices.len() as u64).product();
    }
    let mut leaves = 0;
    for first in &choices[Seat::First] {
        for second in &choices[Seat::Second] {
            let mut next = game.clone();
            let replies: Replies<G::Action> = PerSeat([first.clone(), second.clone()]);
            next.advance(&replies, &mut NoChance, &mut ());
            leaves += perft(&next, depth - 1);
        }
    }
    leaves
}

/// The replies that a seat can give: none but silence if it is not asked.
fn choices<G: Enumerate>(game: &G, seat: Seat) -> Vec<Option<Reply<G::Action>>> {
    if !game.to_act().contains(seat) {
        return vec![None];
    }
    game.legal(seat).into_iter().map(|action| Some(Reply::Act(action))).collect()
}

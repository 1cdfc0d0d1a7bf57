//! Games played with nothing around them, for measuring.

use quintain_core::{PerSeat, Replies, Reply, Sample, Seat, SplitMix64};

/// Plays whole matches of random actions, set-up included, and returns the turns played.
pub(crate) fn random_play<G: Sample>(matches: u64, seed: i64) -> u64 {
    let config = G::Config::default();
    let mut chance = SplitMix64::new(seed as u64);
    let mut turns = 0;
    for number in 0..matches {
        let setup = G::generate(&config, seed.wrapping_add(number as i64));
        let mut game = G::new(&config, setup).expect("a generated setup is valid");
        while game.outcome().is_none() {
            let replies = match game.to_act().single() {
                Some(seat) => only(seat, game.sample(seat, &mut chance)),
                None => both(&game, &mut chance),
            };
            game.advance(&replies, &mut chance, &mut ());
        }
        turns += u64::from(game.turn());
    }
    turns
}

/// Written as a choice between two values and not as a store at a computed place, so that rules
/// which look at the active seat's reply see through it.
#[inline]
fn only<A>(seat: Seat, action: A) -> Replies<A> {
    let reply = Some(Reply::Act(action));
    match seat {
        Seat::First => PerSeat([reply, None]),
        Seat::Second => PerSeat([None, reply]),
    }
}

#[inline]
fn both<G: Sample>(game: &G, chance: &mut SplitMix64) -> Replies<G::Action> {
    PerSeat::from_fn(|seat| {
        let asked = game.to_act().contains(seat);
        asked.then(|| Reply::Act(game.sample(seat, chance)))
    })
}

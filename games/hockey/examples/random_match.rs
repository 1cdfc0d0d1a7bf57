//! A match of random throws, from the empty rink to its end.
//!
//! ```sh
//! cargo run -p quintain-hockey --example random_match
//! ```

use quintain_core::scene::{Eye, Spectate};
use quintain_core::{Game, NoChance, Replies, Sample, SplitMix64};
use quintain_hockey::{Config, Hockey};

fn main() {
    let game = play(7);
    let outcome = game.outcome().expect("a match is played to its end");
    print!("{}", game.written(Eye::All).plain());
    println!("after {} throws {}: {:?}", game.turn(), outcome.reason, outcome.winner());
}

/// The last position of a match.
pub(crate) fn play(seed: u64) -> Hockey {
    let mut game = Hockey::start(&Config::default(), 0).expect("the usual rink is playable");
    let mut luck = SplitMix64::new(seed);
    while game.outcome().is_none() {
        let replies = Replies::of(game.to_act(), |seat| game.sample(seat, &mut luck));
        game.advance(&replies, &mut NoChance, &mut ());
    }
    game
}

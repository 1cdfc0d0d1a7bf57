//! A bot that searches on the game's own positions, against one that throws anywhere.
//!
//! ```sh
//! cargo run -p quintain-hockey --example search_bot
//! ```

use quintain_core::{Enumerate, Game, NoChance, Replies, Sample, Seat, SplitMix64};
use quintain_hockey::{Config, Direction, Hockey};

const DEPTH: u32 = 4;
const WIN: i32 = 100;

fn main() {
    let won = (0..20).filter(|&seed| play(Seat::First, seed) == Some(Seat::First)).count();
    println!("{won} of 20 matches won by looking {DEPTH} throws ahead");
}

/// Who wins, if one seat searches and the other throws anywhere.
pub(crate) fn play(searcher: Seat, seed: u64) -> Option<Seat> {
    let mut game = Hockey::start(&Config::default(), 0).expect("the usual rink is playable");
    let mut luck = SplitMix64::new(seed);
    while let Some(seat) = game.to_act().single() {
        let is_search = seat == searcher;
        let throw = if is_search { best(&game, seat) } else { game.sample(seat, &mut luck) };
        game = after(&game, seat, throw);
    }
    game.outcome()?.winner()
}

fn best(game: &Hockey, seat: Seat) -> Direction {
    let worth = |throw: &Direction| worth(&after(game, seat, *throw), seat, DEPTH - 1);
    game.legal(seat).into_iter().max_by_key(worth).expect("who is to throw has a free line")
}

/// A position is a plain value: trying something out is copying it.
fn after(game: &Hockey, seat: Seat, throw: Direction) -> Hockey {
    let mut next = *game;
    next.advance(&Replies::only(seat, throw), &mut NoChance, &mut ());
    next
}

/// What a position is worth to a seat: a win, the sooner the better, or being near the net.
fn worth(game: &Hockey, seat: Seat, depth: u32) -> i32 {
    if let Some(outcome) = game.outcome() {
        let sooner = depth as i32;
        return if outcome.winner() == Some(seat) { WIN + sooner } else { -WIN - sooner };
    }
    let south = i32::from(game.board().puck().y());
    let Some(active) = game.to_act().single().filter(|_| depth > 0) else {
        return if seat == Seat::First { -south } else { south };
    };
    let throws = game.legal(active).into_iter();
    let worths = throws.map(|throw| worth(&after(game, active, throw), seat, depth - 1));
    let best = if active == seat { worths.max() } else { worths.min() };
    best.expect("who is to throw has a free line")
}

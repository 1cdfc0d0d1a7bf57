//! Games that other machines play.
//!
//! An [`Order`] says how all games of a run are played, without anything of the machine that places it: house bots by
//! their names, others by the digests of the archives that they travel in. Whoever wants games hands them out in small
//! jobs and counts what comes back, as `slots.rs` does on one machine (`hand_out.rs`); a worker makes an arena of the
//! order and plays as everybody does (`play.rs`); whoever is in between believes nothing and plays every replay again
//! (`check.rs`), and hands out games whose end it knows among the others (`canary.rs`). What they say to each other is in `wire.rs`.
//!
//! *Not here:* how it is said (`quintain-remote`, `quintain-server`), and who has which job (`quintain-store`).

mod canary;
mod check;
mod hand_out;
mod order;
mod play;
pub mod wire;

pub use canary::{Canary, KnownGame};
pub use check::check_game;
pub(crate) use hand_out::play_elsewhere;
pub use hand_out::{
    Collected, Elsewhere, ElsewhereError, ElsewhereNews, JobFailure, Ordered, RemoteGame,
};
pub(crate) use order::scaled_time;
pub use order::{JobGame, Order, OrderError, OrderedBot, OrderedMind};
pub use play::{Played, arena_of, play_game};

//! Take Away: two players in turn take one to three stones from a heap. Who takes the last one wins.
//!
//! Where to start reading: [`TakeAway`] (a turn, stage by stage), then `protocol.rs` (every line that is
//! exchanged with a bot). The README has the rules in prose.
//!
//! ```
//! use quintain_core::{AnswerTime, Enumerate, Game, NoChance, Replies};
//! use quintain_take_away::TakeAway;
//!
//! let mut game = TakeAway::start(&AnswerTime::default(), 1)?;
//! while let Some(seat) = game.to_act().single() {
//!     let action = game.legal(seat)[0];
//!     let mut tried = game.clone();
//!     tried.advance(&Replies::only(seat, action), &mut NoChance, &mut ());
//!     game = tried;
//! }
//! assert!(game.outcome().is_some_and(|outcome| outcome.winner().is_some()));
//! # Ok::<(), quintain_core::SetupError>(())
//! ```

mod house;
mod protocol;
mod rules;
mod scene;

pub use rules::{Event, STONES, Setup, TAKEN_MAX, TakeAway};

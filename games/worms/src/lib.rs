//! Worms, the game of the Entelect Challenge 2019: two players with three worms each on a small planet
//! walk, dig, shoot, throw banana bombs and snowballs, until one of them has no worm left or lava has
//! come and the score decides.
//!
//! Where to start reading: [`Worms`] (a round, stage by stage), then [`Switches`] (where the document
//! and the original engine differ), [`GameConfig`] (every number), [`Wire`] (the conversation with a
//! bot). The README has the rules in prose and each doubt about them.
//!
//! Both act at once, actions are too many to list (`sample` names any), and luck decides collisions. A position
//! is a plain value: clone it, try something, and go on from where it was.
//!
//! ```
//! use quintain_core::{Game, Replies, Sample, Seat};
//! use quintain_worms::{Action, Config, Direction, Order, Worms};
//!
//! let (seed, config) = (7, Config::default());
//! let mut game = Worms::start(&config, seed)?;
//! let mut luck = Worms::chance(seed);
//! let mut tried = game.clone();
//! let shot = Action::of(Order::Shoot(Direction::NE));
//! tried.advance(&Replies::both(shot, Action::of(Order::Nothing)), &mut *luck, &mut ());
//! assert_eq!(tried.players()[Seat::First].command_score, 2, "a miss");
//!
//! while game.outcome().is_none() {
//!     let replies = Replies::of(game.to_act(), |seat| game.sample(seat, &mut *luck));
//!     game.advance(&replies, &mut *luck, &mut ());
//! }
//! assert!(game.outcome().is_some_and(|outcome| !outcome.reason.is_empty()));
//! # Ok::<(), quintain_core::SetupError>(())
//! ```
//!
//! What is deliberately absent: processes, files, clocks and threads. The referee keeps the time.

mod action;
mod bench;
mod cell;
mod command;
mod config;
mod conform;
mod deeds;
mod describe;
mod edition;
mod event;
mod field;
mod house;
mod json;
mod log;
mod map;
mod noise;
mod protocol;
mod render;
mod rows;
mod rules;
mod scene;
mod setup;
mod sheet;
mod sight;
mod suggest;
mod text;
mod view;

pub use action::{Action, Direction, Order};
pub use bench::WORKLOADS;
pub use cell::{Cell, Ground, MAP_SIZE_MAX, Terrain};
pub use config::{
    Bananas, Config, GameConfig, PACKS_MAX, Scores, SelectTokens, Snowballs, WORMS_MAX, Weapon,
    WormClass,
};
pub use edition::{BadSelect, DoNothingCounter, Frozen, LavaEnd, PacksTaken, Switches};
pub use event::{Cause, Ending, Event, Missile, Refusal, ShotResult, ThrowResult};
pub use protocol::Wire;
pub use rules::{Deed, Echo, Pack, Packs, Player, Selection, Worm, Worms};
pub use setup::{PackSetup, PlayerSetup, Setup, WormSetup};
pub use view::{Arsenal, Side, View, WormView};

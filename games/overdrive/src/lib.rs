//! Overdrive of the Entelect Challenge 2020: two cars race along four lanes of 1500 blocks. Both are
//! driven at the same time; mud, walls and oil slow and damage them, and what they collect can be used
//! against the other.
//!
//! Where to start reading: [`Action`] (what can be commanded), then [`Overdrive`] (a round, stage by
//! stage) and the files in `rules/`, then [`Wire`] (state files and answers). The README has the rules
//! in prose, and the nine switches in which the editions differ.
//!
//! Both act at once, and actions are too many to list: `sample` names any. A position is a plain value: clone
//! it, try something, and go on from where it was.
//!
//! ```
//! use quintain_core::{Game, NoChance, Replies, Sample, Seat, SplitMix64};
//! use quintain_overdrive::{Action, Config, Overdrive};
//!
//! let mut game = Overdrive::start(&Config::default(), 3)?;
//! let mut tried = game.clone();
//! tried.advance(&Replies::both(Action::Accelerate, Action::Nothing), &mut NoChance, &mut ());
//! let [first, second] = Seat::BOTH.map(|seat| tried.cars()[seat].speed);
//! assert!(first > second);
//!
//! let mut luck = SplitMix64::new(5);
//! while game.outcome().is_none() {
//!     let replies = Replies::of(game.to_act(), |seat| game.sample(seat, &mut luck));
//!     game.advance(&replies, &mut NoChance, &mut ());
//! }
//! assert!(game.outcome().is_some_and(|outcome| outcome.winner().is_some()));
//! # Ok::<(), quintain_core::SetupError>(())
//! ```
//!
//! What is deliberately absent: files, clocks, processes and threads. The protocol says which files
//! there are; links write them.

mod action;
mod bench;
mod car;
mod client;
mod config_file;
mod conform;
mod course;
mod describe;
mod edition;
mod event;
mod figures;
mod house;
mod log;
mod map;
mod noise;
mod powerups;
mod protocol;
mod render;
mod rules;
mod scene;
mod setup;
mod suggest;
mod text;
mod track;
mod view;

pub use action::{Action, Invalid, Tweet, Unreadable};
pub use bench::WORKLOADS;
pub use car::{Car, State, States};
pub use client::{tunable, weighted};
pub use edition::{
    InvalidCommand, Landing, LizardUse, OwnOil, PathStart, PickupState, SideAfterTruck, Switches,
    Trucks,
};
pub use event::{Ending, Event, Obstacle};
pub use figures::{Figures, Misfit};
pub use powerups::{Powerup, Powerups};
pub use protocol::Wire;
pub use rules::Overdrive;
pub use scene::Trail;
pub use setup::{CarSetup, Config, Setup};
pub use track::{Place, Surface, Track};
pub use view::{Cell, Numbers, OwnCar, Rival, View, Window};

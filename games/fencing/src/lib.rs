//! Fencing Esport of CodinGame: two fencers on a piste of 500 steps choose one action each, at the
//! same time. A lunge within reach is a point, a step off the piste one for the other; energy must
//! not run out, and from league 3 on drugs change what an action is worth.
//!
//! Where to start reading: [`TABLE`] (what each action costs and does), then [`Fencing`] (the match)
//! and `rules/bout.rs` (a turn, stage by stage), then [`Wire`] (the lines). The README has the rules
//! in prose, and the four switches in which the editions differ.
//!
//! Both act at once. A position is a plain value: clone it, try something, and go on from where it was.
//!
//! ```
//! use quintain_core::{Enumerate, Game, NoChance, Replies, Seat};
//! use quintain_fencing::{Action, Config, Fencing};
//!
//! let mut game = Fencing::start(&Config { league: 1, ..Config::default() }, 0)?;
//! assert!(game.legal(Seat::First).contains(&Action::Walk));
//! let mut tried = game.clone();
//! tried.advance(&Replies::both(Action::Walk, Action::Retreat), &mut NoChance, &mut ());
//! assert!(tried.fencers()[Seat::First].position > game.fencers()[Seat::First].position);
//!
//! while game.outcome().is_none() {
//!     let replies = Replies::of(game.to_act(), |_| Action::Break);
//!     game.advance(&replies, &mut NoChance, &mut ());
//! }
//! let outcome = game.outcome().expect("200 turns at most");
//! assert_eq!(outcome.winner(), None, "who never attacks does not score");
//! # Ok::<(), quintain_core::SetupError>(())
//! ```
//!
//! What is deliberately absent: clocks, processes and threads. The referee keeps the time.

mod action;
mod actions;
mod batch;
mod bench;
mod client;
mod conform;
mod deeds;
pub mod duel;
mod edition;
mod event;
mod fencer;
mod house;
mod notation;
mod protocol;
mod rules;
mod scene;
mod setup;
mod summary;
mod text;
mod view;

pub use action::{Action, Refusal};
pub use actions::{Row, TABLE};
pub use batch::{Batch, Block, LANES};
pub use bench::{STUB, WORKLOADS};
pub use client::Client;
pub use edition::{Collision, ParryDrug, ScorelessDoping, Switches};
pub use event::{Ending, Event, Offence};
pub use fencer::{Abilities, Ability, DRUGS_MAX, ENERGY_START, Fencer, PISTE_END};
pub use protocol::Wire;
pub use rules::{Fencing, TURNS_MAX};
pub use setup::{Config, FencerSetup, SPAWN, Setup};
pub use view::View;

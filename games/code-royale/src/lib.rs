//! Code Royale, the CodinGame contest of 2018: two queens on a field of building sites put up mines,
//! towers and barracks, and train armies that go for the other queen by themselves. A queen without
//! health has lost; after 200 turns the healthier queen has won.
//!
//! Where to start reading: [`rules`](CodeRoyale) (a turn, stage by stage), then [`Switches`] (where
//! the document and the original engine differ), then [`Wire`] (every line that is exchanged with a
//! bot). The README has the rules in prose and each doubt about them.
//!
//! Both act at once, and actions are too many to list: `sample` names any. A position is a plain value: clone
//! it, try something, and go on from where it was.
//!
//! ```
//! use quintain_code_royale::{Action, CodeRoyale, Config};
//! use quintain_core::{Game, NoChance, Replies, Sample, SplitMix64};
//!
//! let mut game = CodeRoyale::start(&Config::default(), 11)?;
//! let mut tried = game.clone();
//! tried.advance(&Replies::both(Action::wait(), Action::wait()), &mut NoChance, &mut ());
//! assert_eq!((tried.turn(), game.turn()), (1, 0));
//!
//! let mut luck = SplitMix64::new(5);
//! while game.outcome().is_none() {
//!     let replies = Replies::of(game.to_act(), |seat| game.sample(seat, &mut luck));
//!     game.advance(&replies, &mut NoChance, &mut ());
//! }
//! let outcome = game.outcome().expect("200 turns at most");
//! assert!(outcome.scores.0.iter().all(|&health| health >= 0), "nobody was disqualified");
//! # Ok::<(), quintain_core::SetupError>(())
//! ```
//!
//! What is deliberately absent: processes, clocks and threads. The referee keeps the time.

mod action;
mod bench;
mod client;
mod conform;
mod creeps;
mod describe;
mod edition;
mod event;
mod field;
mod geometry;
mod house;
mod map;
mod notation;
mod protocol;
mod rules;
mod scene;
mod setup;
mod suggest;
mod text;
mod view;

pub use action::{Action, Blueprint, Command, Kill, QueenOrder, TrainOrder, Warning};
pub use bench::WORKLOADS;
pub use client::Client;
pub use creeps::{Creep, CreepKind, Creeps, Stats};
pub use edition::{Edition, Switches, TurnEnd};
pub use event::{Event, Out, Remover, Target};
pub use field::{Field, Plot, SITES_MAX, Site, Structure, Works};
pub use geometry::Point;
pub use protocol::Wire;
pub use rules::{CodeRoyale, Player, TURNS_MAX};
pub use scene::Trail;
pub use setup::{Config, CreepSetup, League, PlayerSetup, Setup, SiteSetup, StructureSetup};
pub use view::{SiteView, StructureView, UnitView, View};

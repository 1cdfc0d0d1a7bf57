//! Paper Hockey, the board game of the CS Games 2017: two players in turn throw one puck along the
//! lines of an 11 x 11 grid. A line can be used once. Who comes to a wall or to a node that was
//! visited before throws again. Who gets the puck into the net that it attacks wins; who throws it
//! to where no line is left loses.
//!
//! Where to start reading: [`rules`](Hockey) (a throw, stage by stage), then [`Board`] (the lines),
//! then [`Wire`] (every sentence that is exchanged with a bot) and [`HockeyLobby`] (what is said
//! before a match). The README has the rules in prose and each doubt about them.
//!
//! The goal of the document's example. A position is a plain value: clone it, try something, and go on from
//! where it was.
//!
//! ```
//! use quintain_core::{Enumerate, Game, NoChance, Replies, Seat};
//! use quintain_hockey::Direction::{North, NorthEast, NorthWest};
//! use quintain_hockey::{Config, Hockey};
//!
//! let mut game = Hockey::start(&Config::default(), 0)?;
//! for throw in [North, NorthEast, North, NorthWest, NorthWest, NorthEast] {
//!     let seat = game.to_act().single().expect("one player throws at a time");
//!     assert!(game.legal(seat).contains(&throw));
//!     let mut tried = game.clone();
//!     tried.advance(&Replies::only(seat, throw), &mut NoChance, &mut ());
//!     assert_eq!(tried.turn(), game.turn() + 1);
//!     game = tried;
//! }
//! let outcome = game.outcome().expect("the puck is in the net");
//! assert_eq!(outcome.winner(), Some(Seat::First));
//! assert_eq!(outcome.reason, "a goal was made");
//! # Ok::<(), quintain_core::SetupError>(())
//! ```
//!
//! `examples/` has a match of random throws and a bot that searches.
//!
//! What is deliberately absent: sockets, clocks and threads. The referee keeps the time.

mod action;
mod board;
mod client;
mod conform;
mod deeds;
mod edition;
mod event;
mod house;
mod lobby;
mod names;
mod notation;
mod protocol;
mod rules;
mod scene;
mod setup;
mod text;
mod view;

pub use action::{Direction, Illegal};
pub use board::{Board, Exits, Node};
pub use client::Client;
pub use edition::Edition;
pub use event::{Ending, Event};
pub use lobby::HockeyLobby;
pub use protocol::Wire;
pub use rules::{Hockey, Landing};
pub use scene::Trail;
pub use setup::{Config, Setup};
pub use view::View;

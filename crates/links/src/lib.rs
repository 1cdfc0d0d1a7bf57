//! The wires between a match and its bots: processes, TCP connections, the terminal.
//!
//! A match owns a [`RealWorld`], which implements the referee's `World` with one poll loop on the
//! match's own thread. [`host()`] lets clients come to the matches by themselves.
//!
//! What is deliberately absent: the rules and texts of any game, threads per bot, an async
//! runtime, and anything that would make a bot's behaviour an error. A bot that dies, floods,
//! stalls or lies is heard as such through the world; every bound it can reach is in [`limits`].
//!
//! Where to start reading: `world.rs` (the loop), `link.rs` (one bot; below it a file for
//! each kind of way to it), `child.rs` (processes),
//! `family.rs` (what belongs to one and ends with it), `crew.rs` (who of them works, and how much),
//! `quarters.rs` (a bot's own folder), `host.rs` (the TCP host), `connection_owner.rs` (who is at the
//! other end of a connection), `seclusion.rs` (bots without a way out), `sandbox.rs` (what a bot may see) and
//! `keeper.rs` (what holds one that is not trusted), `build.rs` (how a bot is built before it plays).

mod base;
mod build;
mod child;
mod connection_owner;
mod copy;
mod crew;
mod environment;
mod family;
mod halt;
mod handover;
mod harvest;
mod host;
mod interrupt;
mod keeper;
mod last_words;
mod launch;
mod launcher;
pub mod limits;
mod lines;
mod link;
mod location;
mod manifest;
mod pending;
mod process_counts;
mod quarters;
mod removal;
mod ring;
mod sandbox;
mod seclusion;
mod sockets;
mod speak;
mod start;
mod state_folder;
mod users;
mod within;
mod world;

pub use build::{BUILD_SCRIPT, BuildError, BuildLimits, build};
pub use child::{Child, Remains, SpawnError, Starter};
pub use environment::{INHERITED, INHERITED_PREFIXES, inherited};
pub use halt::Halt;
pub use handover::{hand_over, take_over};
pub use host::{HostReport, HostSettings, PlayTable, TableMatch, host};
pub use interrupt::{
    INTERRUPTED, end_interrupted, stop_on_interrupt, tell_interrupts, tidy_up_on_interrupt,
};
pub use keeper::Trial;
pub use launch::{LaunchError, anchor_words, read_launch, read_launch_in};
pub use lines::{Cut, LineCutter};
pub use link::{ConnectingBot, Connection, Link, Listener};
pub use manifest::{Language, MANIFEST_FILE, Manifest, ManifestError};
pub use process_counts::Activity;
pub use quarters::Quarters;
pub use sandbox::Sandbox;
pub use seclusion::Seclusion;
pub use sockets::{accept, listen};
pub use speak::{StateFileReader, speak, speak_over_stdio, speak_over_tcp};
pub use within::{open_within, read_within};
pub use world::RealWorld;

//! The other ends of a server of games: [`Organiser`] has the games of a run played by it, and a [`Worker`] plays
//! for it.
//!
//! Both speak HTTP with a token and hold nothing else of the server: whoever breaks into a worker finds no password of
//! a database. Bots travel as archives ([`pack`]) that are called by the digest of their bytes, so that a worker fetches
//! each once and plays exactly what was sent.
//!
//! Reading order: `client.rs` (one request), `trust.rs` (whether it is the right server), `organiser.rs`, `worker.rs`, `archive.rs`, `bot_cache.rs`.
//!
//! *Not here:* how games are played and checked (`quintain-arena`), and everything that is shown.

mod archive;
mod bot_cache;
mod client;
mod organiser;
mod trust;
mod worker;

pub use archive::{ArchiveError, Limits, Packed, pack, unpack};
pub use bot_cache::usual_cache;
pub use client::{Client, ClientError};
pub use organiser::Organiser;
pub use worker::{WorkError, WorkNews, Worker, WorkerPlan};

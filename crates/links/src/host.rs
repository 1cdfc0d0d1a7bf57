//! The TCP host of a game whose clients introduce themselves: a lobby in front, a table per match.
//!
//! One thread polls the listening sockets and every client without a match and drives the lobby.
//! Each match has a thread of its own, as everywhere in this project. The two meet in what they share.

mod front;
mod guest;
mod shared;

use std::io;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use quintain_core::{Framing, Lobby, Opening, TableId};
use quintain_referee::Stop;
use rustix::event::EventfdFlags;

use crate::RealWorld;
use crate::limits::CONNECTIONS_MAX;
use front::Front;

/// What an organiser chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostSettings {
    /// After so many matches were begun nobody is seated any more; `None`: for ever.
    pub games_max: Option<u64>,
    /// Connections at a time, seated or not. Whoever comes when there are so many takes the place of
    /// the client that has been silent longest, or is turned away if all have given a name.
    pub connections_max: usize,
}

impl Default for HostSettings {
    fn default() -> Self {
        HostSettings { games_max: None, connections_max: CONNECTIONS_MAX }
    }
}

/// A match that a table must play.
pub struct TableMatch {
    pub table: TableId,
    /// Matches of this host, counted from 1.
    pub number: u64,
    pub opening: Opening,
    /// To be called with the number of the next message when the match is decided, before the
    /// world is finished: the names are free again when this returns, so that a client which sees
    /// its connection closed can come back under the same name. If it is dropped without a call,
    /// the match counts as aborted.
    pub on_over: Box<dyn FnOnce(u64) + Send>,
    pub world: RealWorld,
}

/// Plays the match of a table, on the table's own thread. A panic is caught and aborts that match
/// alone.
pub type PlayTable = Arc<dyn Fn(TableMatch) + Send + Sync>;

/// What a host did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostReport {
    pub games_finished: u64,
    /// Matches that ended in a panic, or whose end was never told.
    pub games_aborted: u64,
}

/// A counter that can be polled: readable once it is rung.
fn event() -> io::Result<OwnedFd> {
    Ok(rustix::event::eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?)
}

fn ring(event: &OwnedFd) {
    // It can only fail when the counter is full, and then it has been rung.
    let _ = rustix::io::write(event, &1_u64.to_ne_bytes());
}

/// Hosts matches until `games_max` of them were played or `stop` is asked for. Everybody is turned away then
/// who has no match yet, and it returns when those that run are over or broken off.
///
/// # Errors
/// Only if waiting itself fails. Clients cannot cause one.
pub fn host(
    listeners: Vec<TcpListener>,
    lobby: Box<dyn Lobby>,
    framing: Framing,
    settings: HostSettings,
    stop: &Stop,
    table: PlayTable,
) -> io::Result<HostReport> {
    for listener in &listeners {
        listener.set_nonblocking(true)?;
    }
    Front::new(listeners, lobby, framing, settings, stop.clone(), table)?.run()
}

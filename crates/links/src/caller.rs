//! Bots that are started by us and come to their seat by themselves, as the clients of a contest do.
//!
//! A caller is started when there is something to say to it, so the lobby's order is the order in which
//! the bots of a match are started: the second one after the first was welcomed. Whoever comes through
//! the door before a bot was called is sent away, and so is afterwards whoever was not started by it, so
//! that no bot can take the seat of another one.

use std::fmt;
use std::io;
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use rustix::event::epoll;

use crate::connection_owner::{Directory, Owner};
use crate::limits::ACCEPTS_PER_WAKE;
use crate::stream::prepare;
use crate::{Child, Launch, SpawnError, listen};

/// The sockets at which callers come in, kept open from match to match.
pub struct Door {
    listeners: Vec<TcpListener>,
    /// Readable when somebody stands before any of them.
    bell: OwnedFd,
    /// Knows who connects.
    directory: Directory,
}

/// How a caller talks once it was started.
#[derive(Clone, Debug)]
pub enum Way {
    /// It connects to this door.
    Connects(Arc<Door>, Admission),
    /// On its standard input and output.
    Stdio,
}

/// Who is let in for a bot that was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// Whoever was started by the bot's own process.
    Family,
    /// Whoever comes first. For bots in containers, whose processes cannot be seen.
    Anyone,
}

/// A bot to be started when it is spoken to.
#[derive(Clone, Debug)]
pub struct Caller {
    pub launch: Launch,
    pub way: Way,
}

/// Where a caller that connects has got to.
#[derive(Debug)]
pub(crate) enum Line {
    Open(Arc<Door>, Admission),
    Taken(TcpStream),
}

/// Somebody was sent away, and who that was, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SentAway(&'static str);

impl fmt::Display for SentAway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sent away a connection: {}", self.0)
    }
}

impl Door {
    /// Opens the sockets for an address, as [`listen`] does.
    ///
    /// # Errors
    /// As [`listen`].
    pub fn open(address: &str) -> io::Result<Door> {
        Self::of(listen(address)?, Directory::open()?)
    }

    /// A door of these sockets, with a directory of the same network.
    pub(crate) fn of(listeners: Vec<TcpListener>, directory: Directory) -> io::Result<Door> {
        let bell = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        for listener in &listeners {
            listener.set_nonblocking(true)?;
            let data = epoll::EventData::new_u64(0);
            epoll::add(&bell, listener, data, epoll::EventFlags::IN)?;
        }
        Ok(Door { listeners, bell, directory })
    }

    /// The addresses of the sockets, also where the system chose the port.
    ///
    /// # Errors
    /// If the system does not know its own sockets.
    pub fn addresses(&self) -> io::Result<Vec<std::net::SocketAddr>> {
        self.listeners.iter().map(TcpListener::local_addr).collect()
    }

    /// The next client, if one is there.
    fn accept(&self) -> Option<TcpStream> {
        let stream = self.listeners.iter().find_map(|listener| listener.accept().ok())?.0;
        // Who is gone already is nobody.
        prepare(&stream).ok()?;
        Some(stream)
    }

    /// Sends everybody away who came before anybody was called.
    fn clear(&self) {
        for _ in 0..ACCEPTS_PER_WAKE {
            if self.listeners.iter().all(|listener| listener.accept().is_err()) {
                return;
            }
        }
    }
}

impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Door").field("listeners", &self.listeners).finish_non_exhaustive()
    }
}

impl Caller {
    /// Starts the bot.
    pub(crate) fn call(self) -> Result<(Child, Option<Line>), SpawnError> {
        match self.way {
            Way::Stdio => Ok((Child::spawn(&self.launch)?, None)),
            Way::Connects(door, admission) => {
                door.clear();
                Ok((Child::spawn_caller(&self.launch)?, Some(Line::Open(door, admission))))
            }
        }
    }
}

impl Line {
    /// Lets the caller in if it is there. Its process leads the group `leader`.
    pub(crate) fn accept(&mut self, leader: u32) -> Option<SentAway> {
        let Line::Open(door, admission) = self else { return None };
        let stream = door.accept()?;
        let holder = match admission {
            Admission::Anyone => Owner::Family,
            Admission::Family => door.directory.holder(&stream, leader),
        };
        match holder {
            Owner::Family => {
                *self = Line::Taken(stream);
                None
            }
            Owner::Stranger => {
                Some(SentAway("it belongs to a process that this bot did not start"))
            }
            Owner::Unknown => Some(SentAway(
                "nobody on this machine holds it any more, or it comes from a container or from elsewhere",
            )),
        }
    }
}

impl AsFd for Line {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Line::Open(door, _) => door.bell.as_fd(),
            Line::Taken(stream) => stream.as_fd(),
        }
    }
}

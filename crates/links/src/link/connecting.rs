//! Bots that are started by us and come to their seat by themselves, as the clients of a contest do.
//!
//! Such a bot is started when there is something to say to it, so the lobby's order is the order in which
//! the bots of a match are started: the second one after the first was welcomed. Whoever connects before a
//! bot was started is sent away, and so is afterwards whoever was not started by it, so that no bot can
//! take the seat of another one.

use std::fmt;
use std::io;
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use quintain_record::{Admission, Launch};
use rustix::event::epoll;

use super::stream::prepare;
use super::{Hearing, Link, Wires};
use crate::connection_owner::{Directory, Owner};
use crate::limits::ACCEPTS_PER_WAKE;
use crate::{Sandbox, Seclusion, SpawnError, Starter, listen};

/// The sockets at which bots come in, kept open from match to match.
pub struct Listener {
    sockets: Vec<TcpListener>,
    /// Readable when somebody has connected to any of them.
    is_called: OwnedFd,
    /// Knows who connects.
    directory: Directory,
}

/// A bot to be started when it is spoken to.
#[derive(Clone, Debug)]
pub struct ConnectingBot {
    pub launch: Launch,
    /// Where it connects, and who is let in for it; `None`: it speaks on its standard input and output.
    pub connects: Option<(Arc<Listener>, Admission)>,
    /// The network that it is started in; `None`: that of this process.
    pub seclusion: Option<Arc<Seclusion>>,
    /// What holds it; `None`: it is trusted.
    pub sandbox: Option<Arc<Sandbox>>,
}

/// Where a bot that connects has got to.
#[derive(Debug)]
pub(super) enum Arrival {
    Awaited(Arc<Listener>, Admission),
    Came(TcpStream),
}

/// Somebody was sent away, and who that was, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SentAway(&'static str);

impl fmt::Display for SentAway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sent away a connection: {}", self.0)
    }
}

impl Listener {
    /// Opens the sockets for an address, as [`listen`] does.
    ///
    /// # Errors
    /// As [`listen`].
    pub fn open(address: &str) -> io::Result<Listener> {
        Self::of(listen(address)?, Directory::open()?)
    }

    /// A listener of these sockets, with a directory of the same network.
    pub(crate) fn of(sockets: Vec<TcpListener>, directory: Directory) -> io::Result<Listener> {
        let is_called = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        for socket in &sockets {
            socket.set_nonblocking(true)?;
            let data = epoll::EventData::new_u64(0);
            epoll::add(&is_called, socket, data, epoll::EventFlags::IN)?;
        }
        Ok(Listener { sockets, is_called, directory })
    }

    /// The addresses of the sockets, also where the system chose the port.
    ///
    /// # Errors
    /// If the system does not know its own sockets.
    pub fn addresses(&self) -> io::Result<Vec<std::net::SocketAddr>> {
        self.sockets.iter().map(TcpListener::local_addr).collect()
    }

    /// The port of the sockets, which is the same for all of them.
    fn port(&self) -> u16 {
        let address = self.addresses().ok().and_then(|addresses| addresses.into_iter().next());
        address.map_or(0, |address| address.port())
    }

    /// The next client, if one is there.
    fn accept(&self) -> Option<TcpStream> {
        let stream = self.sockets.iter().find_map(|socket| socket.accept().ok())?.0;
        // Who is gone already is nobody.
        prepare(&stream).ok()?;
        Some(stream)
    }

    /// Sends everybody away who came before anybody was started.
    fn clear(&self) {
        for _ in 0..ACCEPTS_PER_WAKE {
            if self.sockets.iter().all(|socket| socket.accept().is_err()) {
                return;
            }
        }
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listener").field("sockets", &self.sockets).finish_non_exhaustive()
    }
}

impl ConnectingBot {
    /// Starts the bot.
    fn start(self) -> Result<Wires, SpawnError> {
        let (seclusion, sandbox) = (self.seclusion.as_ref(), self.sandbox.as_deref());
        let starter = Starter { sandbox, seclusion };
        let Some((listener, admission)) = self.connects else {
            return Ok(Wires::Process(starter.spawn(&self.launch)?));
        };
        listener.clear();
        let child = starter.spawn_connecting(&self.launch, listener.port())?;
        Ok(Wires::Called(child, Arrival::Awaited(listener, admission)))
    }
}

impl Arrival {
    /// Lets the bot in if it is there. Its process leads the group `leader`.
    fn accept(&mut self, leader: u32) -> Option<SentAway> {
        let Arrival::Awaited(listener, admission) = self else { return None };
        let stream = listener.accept()?;
        let owner = match admission {
            Admission::Any => Owner::Family,
            Admission::Own => listener.directory.owner(&stream, leader),
        };
        match owner {
            Owner::Family => {
                *self = Arrival::Came(stream);
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

impl AsFd for Arrival {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Arrival::Awaited(listener, _) => listener.is_called.as_fd(),
            Arrival::Came(stream) => stream.as_fd(),
        }
    }
}

impl Link {
    /// To a bot that is started when there is something to say to it.
    pub fn connecting(bot: ConnectingBot) -> Link {
        Link::over(Wires::Idle(bot))
    }

    /// Starts a bot that is still to be started.
    pub(super) fn call(&mut self) {
        if !matches!(self.wires, Wires::Idle(_)) {
            return;
        }
        let Wires::Idle(bot) = std::mem::replace(&mut self.wires, Wires::Inside) else {
            return;
        };
        match bot.start() {
            Ok(wires) => self.wires = wires,
            Err(error) => {
                self.stderr.push(format!("quintain: {error}\n").as_bytes());
                self.is_absent = true;
                self.hearing = Hearing::Over;
            }
        }
    }

    /// Whether the bot was started and has not come yet.
    pub(super) fn is_awaited(&self) -> bool {
        matches!(&self.wires, Wires::Called(_, Arrival::Awaited(..)))
    }

    /// The same while its match waits for it. What is said to it waits too.
    pub(super) fn is_expected(&self) -> bool {
        self.is_awaited() && self.hearing == Hearing::Open
    }

    /// Lets the bot in if it is there.
    pub(super) fn let_in(&mut self) {
        let Wires::Called(child, arrival) = &mut self.wires else { return };
        if let Some(sent_away) = arrival.accept(child.id()) {
            self.stderr.push(format!("quintain: {sent_away}\n").as_bytes());
        }
    }
}

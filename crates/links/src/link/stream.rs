//! A client at the other end of a TCP connection.

use std::io;
use std::net::TcpStream;

use quintain_core::Framing;

use super::{Arrival, Link, Wires};
use crate::LineCutter;
use crate::pending::Pending;

/// A client with what was read from it and what it has not taken yet.
#[derive(Debug)]
pub struct Connection {
    pub stream: TcpStream,
    /// Lines in here are heard before what the stream gives.
    pub heard: LineCutter,
    pub(crate) pending: Pending,
}

impl Connection {
    /// A fresh connection, made non-blocking and set to send small messages at once.
    ///
    /// # Errors
    /// If the system refuses one of the two; the connection is useless then.
    pub fn new(stream: TcpStream, framing: Framing) -> io::Result<Connection> {
        prepare(&stream)?;
        Ok(Connection { stream, heard: LineCutter::new(framing), pending: Pending::default() })
    }

    /// Takes what was read. The rest of a line may wait for that to be known.
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        self.heard.push(bytes);
        if !self.heard.is_ready() {
            acknowledge(&self.stream);
        }
    }
}

/// Makes a connection non-blocking and sets it to send small messages at once.
pub(crate) fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nonblocking(true)?;
    stream.set_nodelay(true)
}

/// Has what was read acknowledged at once. A client that writes a line in two pieces, as many do
/// without knowing it, sends the second one when the first has been acknowledged, and the system
/// keeps that back for 40 ms in the hope of something to send it along with. It returns to this habit
/// with every exchange, so it must be told each time.
pub(crate) fn acknowledge(stream: &TcpStream) {
    // It fails if the other side is gone, and then there is nobody to tell.
    let _ = rustix::net::sockopt::set_tcp_quickack(stream, true);
}

impl Link {
    /// To a client that has connected.
    pub fn stream(connection: Connection) -> Link {
        let Connection { stream, heard, pending } = connection;
        Link { cutter: heard, pending, ..Link::over(Wires::Stream(stream)) }
    }

    /// Before the other side is waited for: it may wait too, with the rest of its line.
    pub(crate) fn acknowledge(&mut self) {
        if std::mem::take(&mut self.is_unacknowledged)
            && let Wires::Stream(stream) | Wires::Called(_, Arrival::Came(stream)) = &self.wires
        {
            acknowledge(stream);
        }
    }
}

//! A client that has no match: it waits for one, or it was told to leave.

use std::io::ErrorKind;
use std::net::Shutdown;
use std::time::Instant;

use crate::Connection;
use crate::limits::{CLIENT_PENDING_BYTES_MAX, CLIENT_READ_BYTES, LAST_BYTES_MAX, STREAM_LINGER};
use crate::pending::Written;

pub(super) struct Guest {
    pub(super) connection: Connection,
    pub(super) stay: Stay,
    /// It does not read, or it is gone; the lobby has not been told yet.
    pub(super) is_lost: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stay {
    /// The lobby knows it.
    InLobby,
    /// The lobby does not: its last messages are on their way, and what it sends is thrown away.
    Leaving { until: Instant, bytes_left: usize },
}

/// What one read from a guest gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Came {
    Nothing,
    /// There may be lines to pop.
    Bytes,
    End,
}

impl Guest {
    pub(super) fn new(connection: Connection) -> Guest {
        Guest { connection, stay: Stay::InLobby, is_lost: false }
    }

    pub(super) fn is_in_lobby(&self) -> bool {
        self.stay == Stay::InLobby
    }

    pub(super) fn say(&mut self, line: &str, line_end: &str) {
        let pending = &mut self.connection.pending;
        pending.push(line, line_end);
        self.is_lost |= pending.len() > CLIENT_PENDING_BYTES_MAX;
    }

    pub(super) fn has_pending(&self) -> bool {
        !self.connection.pending.is_empty()
    }

    /// Writes what it can take. Who was told to leave learns that nothing more comes.
    pub(super) fn write(&mut self) {
        let connection = &mut self.connection;
        if !connection.pending.is_empty()
            && connection.pending.write(&connection.stream, usize::MAX) == Written::Broken
        {
            self.is_lost = true;
        }
        if !self.is_in_lobby() && !self.has_pending() {
            // It fails if the other side is gone, and then there is nobody to tell.
            let _ = self.connection.stream.shutdown(Shutdown::Write);
        }
    }

    pub(super) fn leave(&mut self) {
        self.stay =
            Stay::Leaving { until: Instant::now() + STREAM_LINGER, bytes_left: LAST_BYTES_MAX };
        self.write();
    }

    /// Reads once.
    pub(super) fn read(&mut self) -> Came {
        let mut buffer = [0; CLIENT_READ_BYTES];
        let count = match rustix::io::read(&self.connection.stream, &mut buffer) {
            Ok(0) => return Came::End,
            Ok(count) => count,
            Err(rustix::io::Errno::INTR) => return Came::Nothing,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Came::Nothing,
            Err(_) => return Came::End,
        };
        match &mut self.stay {
            Stay::InLobby => self.connection.take(&buffer[..count]),
            Stay::Leaving { bytes_left, .. } if *bytes_left > count => *bytes_left -= count,
            Stay::Leaving { .. } => return Came::End,
        }
        Came::Bytes
    }
}

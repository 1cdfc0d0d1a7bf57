//! Output on its way to a bot.

use std::io::ErrorKind;
use std::os::fd::AsFd;

/// Bytes that could not be written yet. Written without blocking, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    bytes: Vec<u8>,
    /// Where the unwritten part begins.
    start: usize,
    /// The other side took less than it was offered; ask the system before trying again.
    pub(crate) blocked: bool,
}

/// How a write went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    All,
    Some,
    /// The other side is gone. What was pending is lost.
    Broken,
}

impl Pending {
    pub(crate) fn push(&mut self, line: &str, line_end: &str) {
        self.bytes.extend_from_slice(line.as_bytes());
        self.bytes.extend_from_slice(line_end.as_bytes());
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len() - self.start
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn clear(&mut self) {
        *self = Pending::default();
    }

    /// Writes at most `bytes_max` bytes at once. A full pipe is no error.
    pub(crate) fn write(&mut self, to: impl AsFd, bytes_max: usize) -> Written {
        let end = self.bytes.len().min(self.start.saturating_add(bytes_max));
        let written = loop {
            match rustix::io::write(&to, &self.bytes[self.start..end]) {
                Ok(written) => break written,
                Err(rustix::io::Errno::INTR) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break 0,
                Err(_) => {
                    self.clear();
                    return Written::Broken;
                }
            }
        };
        self.start += written;
        if self.is_empty() {
            self.bytes.clear();
            self.start = 0;
            self.blocked = false;
            return Written::All;
        }
        if self.start > self.bytes.len() / 2 {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        self.blocked = true;
        Written::Some
    }
}

//! The way to a person: the terminal of this process, whoever holds the other end of its own input and
//! output, or a screen in this process.

use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;

use super::{Link, Wires};

impl Link {
    /// To a person, on this process's own input and output.
    ///
    /// # Errors
    /// The system has no descriptors left.
    pub fn terminal() -> io::Result<Link> {
        let input = io::stdin().as_fd().try_clone_to_owned()?;
        let output = io::stdout().as_fd().try_clone_to_owned()?;
        Ok(Link::over(Wires::Terminal(input, output)))
    }

    /// To a person who sits at the other end of a stream.
    ///
    /// # Errors
    /// The system has no descriptors left.
    pub fn screen(stream: UnixStream) -> io::Result<Link> {
        let output = stream.try_clone()?;
        Ok(Link::over(Wires::Terminal(stream.into(), output.into())))
    }

    /// Whether a read may block if the wire was not said to be ready. The terminal's descriptor is
    /// shared with whoever started this process and is left as it is.
    pub(crate) fn may_block(&self) -> bool {
        matches!(self.wires, Wires::Terminal(..))
    }
}

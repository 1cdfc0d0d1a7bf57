//! The way to a person: the terminal of this process, or whoever holds the other end of its own input
//! and output.

use std::io;

use super::{Link, Wires};

impl Link {
    /// To a person, on this process's own input and output.
    pub fn terminal() -> Link {
        Link::over(Wires::Terminal(io::stdin(), io::stdout()))
    }

    /// Whether a read may block if the wire was not said to be ready. The terminal's descriptor is
    /// shared with whoever started this process and is left as it is.
    pub(crate) fn may_block(&self) -> bool {
        matches!(self.wires, Wires::Terminal(..))
    }
}

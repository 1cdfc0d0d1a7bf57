//! What one seat may know: everything.

use quintain_core::Seat;

use crate::Board;

/// The whole board, and which seat looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    pub board: Board,
    pub seat: Seat,
}

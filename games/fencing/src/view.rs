//! What one seat may know: everything, seen from its own end of the piste.

use crate::Fencer;

/// Positions are mirrored for the second seat, so that everyone comes from the low end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    pub own: Fencer,
    pub opponent: Fencer,
    /// Not on the wire: whoever enters a league knows which.
    pub league: u8,
}

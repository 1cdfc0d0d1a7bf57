//! What a position looks like without a search: counted in turns, not in throws.

use quintain_core::Seat;

use super::rink::{Nets, Nodes, Rink};

/// Winning at once; a win in some turns is worth one less for each.
pub(super) const WON: i32 = 1_000_000;
pub(super) const LOST: i32 = -WON;

/// Being a turn nearer to the net than the opponent.
const TURN: i32 = 100;
/// Nets that are further away, or out of reach, count as so far.
const TURNS_MAX: i32 = 12;
/// It is one's turn.
const TEMPO: i32 = 50;
/// Per node on which the turn can end without giving a goal away.
const SAFE_END: i32 = 12;
const SAFE_ENDS_MAX: i32 = 8;
/// There is none.
const NO_SAFE_END: i32 = -250;

/// An opinion of positions. Two differ a little by their salt, so that no two matches need be the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taste {
    pub(super) salt: u64,
}

impl Taste {
    /// What the position is worth to the seat to throw; `None` if it scores in this turn.
    pub(super) fn worth(&self, rink: &Rink, nets: &Nets, seat: Seat) -> Option<i32> {
        let puck = rink.puck();
        let own = rink.before(nets.of_seat(seat));
        if own & puck != 0 {
            return None;
        }
        let others = rink.before(nets.of_seat(seat.other()));
        let nearer = turns_from(rink, others) - turns_from(rink, own);
        let safe = (rink.ends() & !others).count_ones() as i32;
        let freedom = if safe == 0 { NO_SAFE_END } else { SAFE_END * safe.min(SAFE_ENDS_MAX) };
        Some(nearer * TURN + TEMPO + freedom + self.whim(rink, seat))
    }

    /// A few hundredths of a turn.
    fn whim(&self, rink: &Rink, seat: Seat) -> i32 {
        let mixed = (rink.key(seat) ^ self.salt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 61) as i32
    }
}

/// How many turns of one's own it takes to come from the puck's node to one of these, if nobody else threw.
fn turns_from(rink: &Rink, mut nodes: Nodes) -> i32 {
    let puck = rink.puck();
    let mut turns = 0;
    while nodes & puck == 0 {
        let before = rink.one_turn_before(nodes);
        if before == nodes {
            return TURNS_MAX;
        }
        nodes = before;
        turns += 1;
    }
    turns.min(TURNS_MAX)
}

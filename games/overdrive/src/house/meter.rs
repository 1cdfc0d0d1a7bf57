//! How much an answer may still cost.

use quintain_core::Thinking;

/// The clock is asked once in so many nodes.
const NODES_PER_LOOK: u64 = 256;
/// Where no time passes in so many nodes there is no clock, and this is enough.
const NODES_WITHOUT_CLOCK: u64 = 10_240;

/// Counts the rounds that are played out for an answer, and says when there were enough.
pub(crate) struct Meter<'a, 'b> {
    /// `None` goes by the clock.
    nodes_max: Option<u64>,
    nodes: u64,
    is_over: bool,
    thinking: &'a mut Thinking<'b>,
}

impl<'a, 'b> Meter<'a, 'b> {
    pub(crate) fn new(nodes_max: Option<u64>, thinking: &'a mut Thinking<'b>) -> Meter<'a, 'b> {
        Meter { nodes_max, nodes: 0, is_over: false, thinking }
    }

    /// Whether one more round may be played out, which is counted then.
    pub(crate) fn allows_another(&mut self) -> bool {
        if self.is_over() {
            return false;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_LOOK) {
            self.look_at_clock();
        }
        true
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over || self.nodes_max.is_some_and(|nodes| self.nodes >= nodes)
    }

    /// Asks for the time, which matters only to whoever goes by it.
    fn look_at_clock(&mut self) {
        let used = self.thinking.used();
        let has_no_clock = used == 0.0 && self.nodes >= NODES_WITHOUT_CLOCK;
        self.is_over = self.nodes_max.is_none() && (has_no_clock || self.thinking.is_over());
    }
}

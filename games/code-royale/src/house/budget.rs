//! What a search may spend on an answer: so many simulated turns, and perhaps a part of the clock.

use quintain_core::Thinking;

/// So many nodes are simulated between two looks at the clock.
const NODES_PER_LOOK: u64 = 8;

/// A node is one simulated turn.
pub(super) struct Budget<'a, 'b> {
    nodes: u64,
    nodes_max: u64,
    /// The part of the time limit that may be used, if it goes by the clock.
    share: Option<f64>,
    /// The part of it that was used at the last look.
    used: f64,
    thinking: &'a mut Thinking<'b>,
}

impl<'a, 'b> Budget<'a, 'b> {
    pub(super) fn new(
        nodes_max: u64,
        share: Option<f64>,
        thinking: &'a mut Thinking<'b>,
    ) -> Budget<'a, 'b> {
        Budget { nodes: 0, nodes_max, share, used: 0.0, thinking }
    }

    /// Counts one node.
    pub(super) fn spend(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_LOOK) {
            // Whoever asked hears others meanwhile, so that the clock is looked at in any case.
            let used = self.thinking.used();
            self.used = self.share.map_or(0.0, |share| used / share);
        }
    }

    /// The part that is spent: 1 when nothing is left.
    pub(super) fn spent(&self) -> f64 {
        (self.nodes as f64 / self.nodes_max as f64).max(self.used)
    }

    /// Whether it is the clock that ends the search, at a place that nobody can foresee.
    pub(super) fn goes_by_the_clock(&self) -> bool {
        self.share.is_some()
    }

    pub(super) fn nodes_max(&self) -> u64 {
        self.nodes_max
    }
}

//! Chance that is written down.

use quintain_core::Chance;

/// Passes draws on and keeps them for the record.
pub struct Recorder<'a> {
    source: &'a mut dyn Chance,
    pub draws: Vec<u32>,
}

impl<'a> Recorder<'a> {
    pub fn new(source: &'a mut dyn Chance) -> Self {
        Recorder { source, draws: Vec::new() }
    }
}

impl Chance for Recorder<'_> {
    fn below(&mut self, n: u32) -> u32 {
        let draw = self.source.below(n);
        self.draws.push(draw);
        draw
    }
}

//! Chance that is written down, and chance that is read back.

use std::collections::VecDeque;

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

/// Gives recorded draws again. What the record does not hold, or holds out of range, is 0, and
/// `is_exact` then says no: a replayed match diverges, it does not fail.
pub struct RecordedChance {
    draws: VecDeque<u32>,
    missed: bool,
}

impl RecordedChance {
    pub fn new(draws: &[u32]) -> Self {
        RecordedChance { draws: draws.iter().copied().collect(), missed: false }
    }

    /// Whether every draw so far was in the record and none is left over.
    pub fn is_exact(&self) -> bool {
        !self.missed && self.draws.is_empty()
    }
}

impl Chance for RecordedChance {
    fn below(&mut self, n: u32) -> u32 {
        match self.draws.pop_front() {
            Some(draw) if draw < n => draw,
            _ => {
                self.missed = true;
                0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::SplitMix64;

    use super::*;

    #[test]
    fn recorded_draws_come_back_and_a_wrong_record_is_noticed() {
        let mut source = SplitMix64::new(3);
        let mut recorder = Recorder::new(&mut source);
        let drawn = [recorder.below(6), recorder.below(100)];
        let mut again = RecordedChance::new(&recorder.draws);
        assert_eq!([again.below(6), again.below(100)], drawn);
        assert!(again.is_exact());
        again.below(2);
        assert!(!again.is_exact());
        assert!(!RecordedChance::new(&[1]).is_exact());
    }
}

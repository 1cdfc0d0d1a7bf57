//! A replay in memory, for whoever looks at its steps in any order.

use std::path::Path;

use crate::ReplayError;
use crate::format::{EndLine, Header, StepLine};
use crate::reader::{Reader, Recording, Tail};

/// A replay in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    pub header: Header,
    pub steps: Vec<StepLine>,
    /// As [`Tail::end`].
    pub end: Option<EndLine>,
    /// As [`Tail::cut`].
    pub cut: Option<String>,
    /// As [`Tail::damage`].
    pub damage: Option<String>,
}

/// Reads a whole file.
///
/// # Errors
/// It cannot be opened, is no replay, or holds a line that is none of a replay's. A file that
/// merely ends early is no error: see [`Replay::cut`] and [`Replay::damage`].
pub fn read(path: &Path) -> Result<Replay, ReplayError> {
    Replay::of(&mut Reader::open(path)?)
}

impl Replay {
    /// All that is left of a recording.
    ///
    /// # Errors
    /// As [`Recording::next_step`].
    pub fn of(recording: &mut dyn Recording) -> Result<Replay, ReplayError> {
        let mut steps = Vec::new();
        while let Some(step) = recording.next_step()? {
            steps.push(step);
        }
        let Tail { end, cut, damage, .. } = recording.tail().clone();
        Ok(Replay { header: recording.header().clone(), steps, end, cut, damage })
    }

    /// The replay as a recording.
    pub fn playback(&self) -> Playback<'_> {
        let (end, cut, damage) = (self.end.clone(), self.cut.clone(), self.damage.clone());
        Playback { replay: self, next: 0, tail: Tail { end, cut, damage, ..Tail::default() } }
    }
}

/// Goes through a replay in memory.
pub struct Playback<'a> {
    replay: &'a Replay,
    next: usize,
    tail: Tail,
}

impl Recording for Playback<'_> {
    fn header(&self) -> &Header {
        &self.replay.header
    }

    fn next_step(&mut self) -> Result<Option<StepLine>, ReplayError> {
        let step = self.replay.steps.get(self.next).cloned();
        self.next += 1;
        Ok(step)
    }

    fn tail(&self) -> &Tail {
        &self.tail
    }

    fn rewind(&mut self) -> Result<(), ReplayError> {
        self.next = 0;
        Ok(())
    }
}

//! A replay in memory, for whoever looks at its steps in any order.

use std::path::Path;

use quintain_core::Digest;

use crate::ReplayError;
use crate::format::{EndLine, Header, Line, RecordedStep, StepLine};
use crate::reader::{Reader, Recording, Tail};

/// A replay in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    pub header: Header,
    pub steps: Vec<RecordedStep>,
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

    /// The lines of its file, uncompressed, with the digest in their end that belongs to them. A
    /// signature would belong to others and is left out.
    ///
    /// # Panics
    /// Never: lines are plain data.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let push = |bytes: &mut Vec<u8>, line: &Line| {
            serde_json::to_writer(&mut *bytes, line)
                .expect("a line is plain data, and memory has room");
            bytes.push(b'\n');
        };
        let header = Header { signer: None, ..self.header.clone() };
        push(&mut bytes, &Line::Header(Box::new(header)));
        for step in &self.steps {
            push(&mut bytes, &Line::Step(StepLine::new(&step.record, step.digest)));
        }
        if let Some(end) = &self.end {
            let mut digest = Digest::new();
            digest.bytes(&bytes);
            let lines = Some(digest.finish_whole());
            push(&mut bytes, &Line::End(EndLine { lines, ..end.clone() }));
        }
        bytes
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

    fn next_step(&mut self) -> Result<Option<RecordedStep>, ReplayError> {
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

//! Writes a replay while the match is being played.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use quintain_core::{Digest, Game, Outcome, PerSeat};
use quintain_referee::{Departure, Follower, Message, Step, StepRecord};

use crate::ReplayError;
use crate::format::{EndLine, Header, Line, StepLine};
use crate::limits::{HEADER_BYTES_MAX, LINE_BYTES_MAX, STEPS_MAX, TOTAL_BYTES_MAX};
use crate::signature::PrivateKey;

/// What a step has cost at most when the power goes: it has left the process by then.
const FLUSH_INTERVAL: Duration = Duration::from_secs(1);
/// A compressed file that is cut off can be read up to its last flush, so this much at most is lost
/// of a match that was over within the second. What comes after a flush is compressed by itself, which takes
/// longer and saves less the smaller the pieces are.
const FLUSH_BYTES: usize = 16 * 1024;
/// A match is small; speed counts more than the last percent of size.
const COMPRESSION_LEVEL: i32 = 1;
/// Replays are a few kilobytes: a small window saves clearing megabytes per match.
const WINDOW_LOG: u32 = 17;

/// An open replay file. Errors while writing steps are kept and reported by [`Writer::finish`]:
/// a full disk does not end a match. Nothing is written after the first, so that the file is one that
/// was cut off.
pub struct Writer {
    path: PathBuf,
    out: Out,
    flushed_at: Instant,
    /// Bytes written since the last flush.
    dirty_bytes: usize,
    buffer: Vec<u8>,
    /// Lines written.
    lines: usize,
    /// What they take.
    bytes: u64,
    digest: Digest,
    signer: Option<Arc<PrivateKey>>,
    error: Option<io::Error>,
}

enum Out {
    Plain(BufWriter<File>),
    Zstd(Box<zstd::Encoder<'static, BufWriter<File>>>),
}

impl Writer {
    /// Creates the file and the folders above it; an existing file is replaced. It is compressed
    /// if its name ends in `.zst`, and signed if there is a key for it.
    ///
    /// # Errors
    /// The file cannot be created or written. There is none then.
    pub fn create(
        path: &Path,
        mut header: Header,
        signer: Option<Arc<PrivateKey>>,
    ) -> Result<Self, ReplayError> {
        header.signer = signer.as_ref().map(|key| key.public().to_string());
        let opened = Self::open(path);
        let out = opened.map_err(|reason| ReplayError::Write { path: path.to_owned(), reason })?;
        let mut writer = Writer {
            path: path.to_owned(),
            out,
            flushed_at: Instant::now(),
            dirty_bytes: 0,
            buffer: Vec::with_capacity(512),
            lines: 0,
            bytes: 0,
            digest: Digest::new(),
            signer,
            error: None,
        };
        writer.line(&Line::Header(Box::new(header)));
        writer.flush();
        if let Err(error) = writer.take_error() {
            writer.discard();
            return Err(error);
        }
        Ok(writer)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the last lines and closes the file. Returns the digest of its lines, which `sha256sum`
    /// gives for it when unpacked.
    ///
    /// # Errors
    /// The first error that occurred since the file was created.
    pub fn finish(
        mut self,
        outcome: &Outcome,
        turns: u32,
        messages: u64,
        left: &PerSeat<Departure>,
    ) -> Result<String, ReplayError> {
        let lines = Some(self.digest.clone().finish_whole());
        let end = EndLine { lines, ..EndLine::new(outcome, turns, messages, left) };
        self.line(&Line::End(end));
        if let Some(key) = &self.signer {
            let signature = key.sign(&self.digest.clone().finish_whole());
            self.line(&Line::Signature(signature));
        }
        self.take_error()?;
        let closed = match self.out {
            Out::Plain(mut file) => file.flush(),
            Out::Zstd(encoder) => encoder.finish().and_then(|mut file| file.flush()),
        };
        match closed {
            Ok(()) => Ok(self.digest.finish_whole()),
            Err(reason) => Err(ReplayError::Write { path: self.path, reason }),
        }
    }

    /// Writes a step that led to a position with this fingerprint.
    pub fn played(&mut self, record: &StepRecord, fingerprint: u64) {
        self.line(&Line::Step(StepLine::new(record, fingerprint)));
        self.flush_if_due();
    }

    /// Leaves the file without its last lines, as one that was cut off.
    pub fn break_off(mut self) {
        self.flush();
    }

    /// Removes a file in which nothing is that could be read.
    fn discard(self) {
        let path = self.path.clone();
        drop(self);
        if path.is_file() {
            // One that stays is told as damaged.
            let _ = std::fs::remove_file(path);
        }
    }

    fn open(path: &Path) -> io::Result<Out> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let file = BufWriter::new(File::create(path)?);
        if path.extension().is_some_and(|extension| extension == "zst") {
            let mut encoder = zstd::Encoder::new(file, COMPRESSION_LEVEL)?;
            encoder.window_log(WINDOW_LOG)?;
            encoder.include_checksum(true)?;
            Ok(Out::Zstd(Box::new(encoder)))
        } else {
            Ok(Out::Plain(file))
        }
    }

    fn line(&mut self, line: &Line) {
        if self.error.is_some() {
            return;
        }
        self.buffer.clear();
        let written = serde_json::to_writer(&mut self.buffer, line).map_err(io::Error::from);
        self.buffer.push(b'\n');
        let written =
            written.and_then(|()| self.check_limits()).and_then(|()| match &mut self.out {
                Out::Plain(file) => file.write_all(&self.buffer),
                Out::Zstd(encoder) => encoder.write_all(&self.buffer),
            });
        self.keep_error(written);
        self.digest.bytes(&self.buffer);
        self.lines += 1;
        self.bytes += self.buffer.len() as u64;
        self.dirty_bytes += self.buffer.len();
    }

    /// What could not be read again is not written.
    fn check_limits(&self) -> io::Result<()> {
        let bytes = self.buffer.len();
        let bytes_max = if self.lines == 0 { HEADER_BYTES_MAX } else { LINE_BYTES_MAX };
        // The header and the end are lines too.
        let refused = if bytes > bytes_max {
            format!("expected a line of at most {bytes_max} bytes, found {bytes}")
        } else if self.bytes + bytes as u64 > TOTAL_BYTES_MAX {
            format!("expected at most {TOTAL_BYTES_MAX} bytes in all, found more")
        } else if self.lines > STEPS_MAX + 1 {
            format!("expected at most {STEPS_MAX} steps, found more")
        } else {
            return Ok(());
        };
        Err(io::Error::other(refused))
    }

    fn flush_if_due(&mut self) {
        let is_due = self.dirty_bytes >= FLUSH_BYTES
            || (self.dirty_bytes > 0 && self.flushed_at.elapsed() >= FLUSH_INTERVAL / 2);
        if is_due {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let flushed = match &mut self.out {
            Out::Plain(file) => file.flush(),
            Out::Zstd(encoder) => encoder.flush(),
        };
        self.keep_error(flushed);
        self.flushed_at = Instant::now();
        self.dirty_bytes = 0;
    }

    fn keep_error(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.error.get_or_insert(error);
        }
    }

    fn take_error(&mut self) -> Result<(), ReplayError> {
        match self.error.take() {
            Some(reason) => Err(ReplayError::Write { path: self.path.clone(), reason }),
            None => Ok(()),
        }
    }
}

impl<G: Game> Follower<G> for Writer {
    /// All that is known then is in the header.
    fn begin(&mut self, _game: &G, _said: &[Message]) {}

    fn step(&mut self, step: &Step<'_, G>) {
        self.played(step.record, step.game.fingerprint());
    }

    fn idle(&mut self) {
        self.flush_if_due();
    }
}

/// Now, for [`Header::started_ms`].
pub fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

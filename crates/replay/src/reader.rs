//! Reads a replay line by line, whole or cut off, and never keeps more than a line of it.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use crate::ReplayError;
use crate::format::{EndLine, FORMAT_VERSION, Header, Line, RecordedStep, SignatureLine};
use crate::limits::{STEPS_MAX, WINDOW_LOG_MAX};
use crate::lines::{Last, Lines};

/// The first bytes of a zstd stream.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Little, since what was decoded together with a damaged place is lost.
const DECODED_AT_ONCE: usize = 512;
/// How much of a strange line an error shows.
const SHOWN_CHARS: usize = 60;

/// A recorded match that is gone through step by step: a file, or a [`Replay`](crate::Replay).
pub trait Recording {
    fn header(&self) -> &Header;

    /// The next step; `None` when there is none.
    ///
    /// # Errors
    /// The file holds a line that is none of a replay's, or more than a replay may hold.
    fn next_step(&mut self) -> Result<Option<RecordedStep>, ReplayError>;

    /// How the record ends, once there is no further step. Until then nothing is known of it.
    fn tail(&self) -> &Tail;

    /// Goes back before the first step.
    ///
    /// # Errors
    /// The file cannot be read again.
    fn rewind(&mut self) -> Result<(), ReplayError>;
}

/// What stands behind the last step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tail {
    /// `None` if the file ends before the match does.
    pub end: Option<EndLine>,
    /// Why the file ends early, if it does.
    pub cut: Option<String>,
    /// What is wrong with the bytes of the file, if they are not those that were written. What
    /// stands before that place is here, as of a file that was cut off.
    pub damage: Option<String>,
    /// The digest of all lines before the end; `None` if there is no end, or no file.
    pub lines: Option<String>,
    pub signature: Option<SignatureLine>,
    /// The digest of all lines before the signature.
    pub signed: Option<String>,
    /// The digest of the whole file when unpacked.
    pub content: Option<String>,
}

/// A replay in a file, or in anything else that can be read.
pub struct Reader<'a> {
    header: Header,
    lines: Lines<'a>,
    steps: usize,
    tail: Tail,
    is_over: bool,
    path: Option<PathBuf>,
}

impl Reader<'static> {
    /// Opens a file, compressed or plain, and reads its header.
    ///
    /// # Errors
    /// It cannot be opened, or is no replay.
    pub fn open(path: &Path) -> Result<Self, ReplayError> {
        let failed = |reason| ReplayError::Open { path: path.to_owned(), reason };
        let file = File::open(path).map_err(failed)?;
        if file.metadata().map_err(failed)?.is_dir() {
            return Err(failed(io::Error::other("expected a file, found a folder")));
        }
        let reader = Reader::new(BufReader::new(file)).map_err(|error| match error {
            ReplayError::Read(reason) => failed(reason),
            error => error,
        })?;
        Ok(Reader { path: Some(path.to_owned()), ..reader })
    }
}

impl<'a> Reader<'a> {
    /// Reads from anything, compressed or plain, up to the header.
    ///
    /// # Errors
    /// It cannot be read, or is no replay.
    pub fn new(mut source: impl BufRead + 'a) -> Result<Self, ReplayError> {
        let is_compressed = source.fill_buf()?.starts_with(&ZSTD_MAGIC);
        let source: Box<dyn BufRead + 'a> = if is_compressed {
            let mut decoder = zstd::Decoder::with_buffer(source)?;
            decoder.window_log_max(WINDOW_LOG_MAX)?;
            Box::new(BufReader::with_capacity(DECODED_AT_ONCE, decoder))
        } else {
            Box::new(source)
        };
        let mut lines = Lines::new(source);
        let header = read_header(&mut lines)?;
        let (tail, path) = (Tail::default(), None);
        Ok(Reader { header, lines, steps: 0, tail, is_over: false, path })
    }

    /// Goes to the end without looking at the steps, for lists of many replays. What stands between is
    /// neither read nor verified; `None` if the file ends before the match does.
    ///
    /// # Errors
    /// The file holds more than a replay may hold.
    pub fn skip_to_end(mut self) -> Result<Option<EndLine>, ReplayError> {
        const END: &[u8] = br#"{"kind":"end""#;
        while self.lines.last.is_none() {
            let line = self.lines.next()?;
            if line.starts_with(END)
                && let Ok(Line::End(end)) = serde_json::from_slice(&line)
            {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    fn parse(&mut self, line: &[u8]) -> Result<Option<RecordedStep>, ReplayError> {
        match serde_json::from_slice(line) {
            Ok(Line::Step(_)) if self.steps == STEPS_MAX => Err(ReplayError::TooManySteps),
            Ok(Line::Step(step)) => {
                self.steps += 1;
                step.recorded().map(Some).map_err(|reason| self.broken(line, &reason))
            }
            Ok(Line::End(end)) => {
                self.tail.end = Some(end);
                self.tail.lines = Some(self.lines.digest_before());
                Ok(None)
            }
            Ok(Line::Header(_) | Line::Signature(_)) => {
                Err(self.broken(line, "it is out of place"))
            }
            // An unfinished last line was being written when the file was cut off.
            Err(_) if self.lines.last.is_some() => Ok(None),
            Err(error) => Err(self.broken(line, &error.to_string())),
        }
    }

    /// Nothing may stand behind the end.
    fn finish(&mut self) -> Result<(), ReplayError> {
        self.is_over = true;
        let mut is_cut = false;
        if self.tail.end.is_some() && self.lines.last.is_none() {
            let mut rest = self.lines.next()?;
            if let Ok(Line::Signature(signature)) = serde_json::from_slice(&rest) {
                self.tail.signature = Some(signature);
                self.tail.signed = Some(self.lines.digest_before());
                rest = if self.lines.last.is_none() { self.lines.next()? } else { Vec::new() };
            }
            // A signature that was being written when the file was cut off.
            is_cut = self.header.signer.is_some()
                && self.tail.signature.is_none()
                && self.lines.last.is_some()
                && !rest.is_empty();
            if !rest.is_empty() && !is_cut {
                return Err(ReplayError::AfterEnd { line: self.lines.count, found: shown(&rest) });
            }
        }
        self.tail.content = Some(self.lines.digest());
        match &self.lines.last {
            Some(Last::Damaged(error)) => self.tail.damage = Some(error.to_string()),
            Some(Last::Ended) | None if self.tail.end.is_some() && !is_cut => {}
            Some(Last::Ended | Last::CutOff) | None => {
                self.tail.cut = Some("the file was cut off".to_owned());
            }
        }
        if let Some(damage) = &self.tail.damage {
            self.tail.cut.get_or_insert_with(|| format!("the file is damaged: {damage}"));
        }
        Ok(())
    }

    fn broken(&self, line: &[u8], reason: &str) -> ReplayError {
        let (line, found, reason) = (self.lines.count, shown(line), reason.to_owned());
        ReplayError::BrokenLine { line, found, reason }
    }
}

impl Recording for Reader<'_> {
    fn header(&self) -> &Header {
        &self.header
    }

    fn next_step(&mut self) -> Result<Option<RecordedStep>, ReplayError> {
        if self.is_over {
            return Ok(None);
        }
        if self.lines.last.is_none() {
            let line = self.lines.next()?;
            if let Some(step) = self.parse(&line)? {
                return Ok(Some(step));
            }
        }
        self.finish()?;
        Ok(None)
    }

    fn tail(&self) -> &Tail {
        &self.tail
    }

    fn rewind(&mut self) -> Result<(), ReplayError> {
        let path = self.path.as_deref().ok_or(ReplayError::ReadOnce)?;
        *self = Reader::open(path)?;
        Ok(())
    }
}

fn read_header(lines: &mut Lines<'_>) -> Result<Header, ReplayError> {
    let line = lines.next()?;
    let parsed = parse_header(&line);
    match (parsed, &mut lines.last) {
        (Err(ReplayError::NoHeader { .. }), Some(Last::Damaged(error))) => {
            Err(ReplayError::Damaged(std::mem::replace(error, io::ErrorKind::InvalidData.into())))
        }
        (parsed, _) => parsed,
    }
}

fn parse_header(line: &[u8]) -> Result<Header, ReplayError> {
    #[derive(serde::Deserialize)]
    struct Version {
        format: u32,
    }
    if let Ok(Version { format }) = serde_json::from_slice(line)
        && format > FORMAT_VERSION
    {
        return Err(ReplayError::Format { known: FORMAT_VERSION, found: format });
    }
    match serde_json::from_slice(line) {
        Ok(Line::Header(header)) => Ok(*header),
        Ok(_) => Err(ReplayError::NoHeader { found: shown(line) }),
        Err(error) => Err(ReplayError::NoHeader { found: format!("{}: {error}", shown(line)) }),
    }
}

fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = quintain_core::printable(text.trim_end()).into_owned();
    if line.is_empty() {
        "nothing".to_owned()
    } else if text.is_empty() {
        "an empty line".to_owned()
    } else if text.chars().count() > SHOWN_CHARS {
        format!("`{}...`", text.chars().take(SHOWN_CHARS).collect::<String>())
    } else {
        format!("`{text}`")
    }
}

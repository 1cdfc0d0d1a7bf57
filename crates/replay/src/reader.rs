//! Reads a replay, whole or cut off.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use crate::ReplayError;
use crate::format::{EndLine, FORMAT_VERSION, Header, Line, StepLine};

/// The first bytes of a zstd stream.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Little, since what was decoded together with a damaged place is lost.
const DECODED_AT_ONCE: usize = 512;
/// Longer lines are not ours.
const LINE_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// How much of a strange line an error shows.
const SHOWN_CHARS: usize = 60;

/// A replay in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    pub header: Header,
    pub steps: Vec<StepLine>,
    /// `None` if the file ends before the match does.
    pub end: Option<EndLine>,
    /// Why the file ends early, if it does.
    pub cut: Option<String>,
    /// What is wrong with the bytes of the file, if they are not those that were written. What
    /// stands before that place is here, as of a file that was cut off.
    pub damage: Option<String>,
}

/// Reads a file, compressed or plain.
///
/// # Errors
/// It cannot be opened, is no replay, or holds a line that is none of a replay's. A file that
/// merely ends early is no error: see [`Replay::cut`] and [`Replay::damage`].
pub fn read(path: &Path) -> Result<Replay, ReplayError> {
    let failed = |reason| ReplayError::Open { path: path.to_owned(), reason };
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(failed(io::Error::other("expected a file, found a folder")));
    }
    parse(BufReader::new(file)).map_err(|error| match error {
        Parsing::Replay(error) => error,
        Parsing::Io(reason) => failed(reason),
    })
}

/// Either kind of failure of [`parse`].
#[derive(Debug)]
pub enum Parsing {
    Replay(ReplayError),
    Io(io::Error),
}

/// Reads from anything, compressed or plain.
///
/// # Errors
/// As [`read`].
pub fn parse(mut source: impl BufRead) -> Result<Replay, Parsing> {
    let is_compressed = source.fill_buf().map_err(Parsing::Io)?.starts_with(&ZSTD_MAGIC);
    if is_compressed {
        let decoder = zstd::Decoder::with_buffer(source).map_err(Parsing::Io)?;
        parse_lines(BufReader::with_capacity(DECODED_AT_ONCE, decoder))
    } else {
        parse_lines(source)
    }
}

fn parse_lines(mut source: impl BufRead) -> Result<Replay, Parsing> {
    let (first, mut last) = next_line(&mut source);
    let header = match (parse_header(&first), last.take()) {
        (Err(ReplayError::NoHeader { .. }), Some(Last::Damaged(error))) => {
            return Err(Parsing::Replay(ReplayError::Damaged(error)));
        }
        (Err(error), _) => return Err(Parsing::Replay(error)),
        (Ok(header), ended) => {
            last = ended;
            header
        }
    };
    let mut replay = Replay { header, steps: Vec::new(), end: None, cut: None, damage: None };
    let mut number = 1;
    while last.is_none() {
        let (line, ended) = next_line(&mut source);
        last = ended;
        number += 1;
        match serde_json::from_slice(&line) {
            Ok(Line::Step(step)) if replay.end.is_none() => replay.steps.push(step),
            Ok(Line::End(end)) if replay.end.is_none() => replay.end = Some(end),
            Ok(_) => return Err(Parsing::Replay(broken(number, &line, "it is out of place"))),
            // An unfinished last line was being written when the file was cut off.
            Err(_) if last.is_some() => {}
            Err(error) => {
                return Err(Parsing::Replay(broken(number, &line, &error.to_string())));
            }
        }
    }
    if let Some(Last::Damaged(error)) = &last {
        replay.damage = Some(error.to_string());
    }
    if replay.end.is_none() {
        replay.cut = last.map(|last| last.to_string());
    }
    Ok(replay)
}

/// Why there is no further line.
#[derive(Debug, thiserror::Error)]
enum Last {
    #[error("the file was cut off")]
    CutOff,
    #[error("the file is damaged: {0}")]
    Damaged(io::Error),
}

/// The next line, and why it is the last if it is.
fn next_line(source: &mut impl BufRead) -> (Vec<u8>, Option<Last>) {
    let mut line = Vec::new();
    let mut limited = source.by_ref().take(LINE_BYTES_MAX);
    let last = match limited.read_until(b'\n', &mut line) {
        Ok(_) if line.last() == Some(&b'\n') => None,
        Ok(_) => Some(Last::CutOff),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Some(Last::CutOff),
        Err(error) => Some(Last::Damaged(error)),
    };
    (line, last)
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

fn broken(line: usize, text: &[u8], reason: &str) -> ReplayError {
    ReplayError::BrokenLine { line, found: shown(text), reason: reason.to_owned() }
}

fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = quintain_core::printable(text.trim_end()).into_owned();
    if text.is_empty() {
        "nothing".to_owned()
    } else if text.chars().count() > SHOWN_CHARS {
        format!("`{}...`", text.chars().take(SHOWN_CHARS).collect::<String>())
    } else {
        format!("`{text}`")
    }
}

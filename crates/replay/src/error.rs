//! Why a replay cannot be read or written.

use std::io;
use std::path::PathBuf;

use crate::limits::{STEPS_MAX, TOTAL_BYTES_MAX};

#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("cannot open {path}: {reason}")]
    Open { path: PathBuf, reason: io::Error },
    #[error("cannot write {path}: {reason}")]
    Write { path: PathBuf, reason: io::Error },
    #[error("cannot read the replay: {0}")]
    Read(#[from] io::Error),
    #[error("expected a file that can be read twice, found a stream")]
    ReadOnce,
    #[error("not a replay: expected a line of JSON with \"kind\":\"header\" first, found {found}")]
    NoHeader { found: String },
    #[error("the file is damaged: {0}")]
    Damaged(io::Error),
    #[error("line {line}: expected a line of a replay, found {found}: {reason}")]
    BrokenLine { line: usize, found: String, reason: String },
    #[error("line {line}: expected nothing after the end, found {found}")]
    AfterEnd { line: usize, found: String },
    #[error("line {line}: expected at most {bytes_max} bytes, found more")]
    LongLine { line: usize, bytes_max: usize },
    #[error("expected at most {STEPS_MAX} steps, found more")]
    TooManySteps,
    #[error("expected a replay of at most {TOTAL_BYTES_MAX} bytes when unpacked, found more")]
    TooLarge,
    #[error("expected replay format {known} or older, found {found}; a newer quintain can read it")]
    Format { known: u32, found: u32 },
}

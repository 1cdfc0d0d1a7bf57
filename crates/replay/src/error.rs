//! Why a replay cannot be read or written.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("cannot open {path}: {reason}")]
    Open { path: PathBuf, reason: io::Error },
    #[error("cannot write {path}: {reason}")]
    Write { path: PathBuf, reason: io::Error },
    #[error("not a replay: expected a line of JSON with \"kind\":\"header\" first, found {found}")]
    NoHeader { found: String },
    #[error("the file is damaged: {0}")]
    Damaged(io::Error),
    #[error("line {line}: expected a line of a replay, found {found}: {reason}")]
    BrokenLine { line: usize, found: String, reason: String },
    #[error("expected replay format {known} or older, found {found}; a newer quintain can read it")]
    Format { known: u32, found: u32 },
}

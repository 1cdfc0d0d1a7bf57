//! Why a store cannot do what it was asked for.

use std::path::PathBuf;

use quintain_record::MatchId;

/// Everything that can go wrong. Places are shown without passwords.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    #[error(
        "expected a store as PATH, sqlite:PATH or postgres://USER@HOST/DATABASE, got `{given}`{why}"
    )]
    Address { given: String, why: String },
    #[error("expected a file for the store, found the folder {}", .path.display())]
    Folder { path: PathBuf },
    #[error("cannot make the store {}: its folder does not exist", .path.display())]
    NoFolder { path: PathBuf },
    #[error("there is no store at {place}")]
    NotThere { place: String },
    #[error("expected a store, found a file that is no SQLite database: {place}")]
    NoDatabase { place: String },
    #[error("expected a store of quintain or nothing, found a database of something else: {place}")]
    Foreign { place: String },
    #[error(
        "expected schema {known} or older, found {found} in {place}; a newer quintain can read it"
    )]
    Newer { place: String, found: i64, known: i64 },
    #[error("schema {version} of {place} is not the one that quintain made; restore a backup")]
    Altered { place: String, version: i64 },
    #[error("the store {place} is damaged: {reason}; restore a backup")]
    Damaged { place: String, reason: String },
    #[error("cannot open {place}: {reason}")]
    Open { place: String, reason: String },
    #[error(
        "expected schema {known}, found {found} in {place}; whoever may write there can bring it up \
         to date by opening it"
    )]
    Older { place: String, found: i64, known: i64 },
    #[error("cannot open {place}: {reason}; the file and its folder must be writable")]
    NotWritable { place: String, reason: String },
    #[error("cannot reach the server of {place}: {reason}")]
    Unreachable { place: String, reason: String },
    #[error("the server refused the login to {place}: {reason}; check user, password and database")]
    Login { place: String, reason: String },
    #[error("run `{run}` in {place} is being played{by}; wait for it or stop it")]
    Busy { run: String, place: String, by: String },
    #[error(
        "run `{run}` was begun differently: {}; go on as it was begun or take another name",
        .differences.join("; ")
    )]
    Changed { run: String, differences: Vec<String> },
    #[error("a different result is stored already for {}", id.in_words())]
    Conflict { id: MatchId },
    #[error("cannot store this {what}: expected {expected}, got {got}")]
    Invalid { what: &'static str, expected: String, got: String },
    #[error("the writer of run `{run}` ended: {reason}")]
    Ended { run: String, reason: String },
    /// There is no room on the disk.
    #[error("cannot {doing} in {place}: {reason}")]
    Full { doing: &'static str, place: String, reason: String },
    #[error("cannot {doing} in {place}: {reason}")]
    Failed { doing: &'static str, place: String, reason: String },
}

//! Replays: what was said in a match, in a file that anyone can play again.
//!
//! A replay holds inputs (setup, lines, faults, draws) and measurements (times, error output,
//! exits), and nothing that the rules can compute but fingerprints of it. [`write`](Writer) it
//! during a match, [open](Reader) it again, [`rerun()`] it through the same table as the live match;
//! [`film()`] makes pictures of it, [`open_match_log`] writes the log of an original runner.
//!
//! The format is JSON Lines, inside zstd if the file's name ends in `.zst`: one header, one line
//! per step, one line for the end, one for a signature if there is one. See `format.rs`.

mod closing;
mod drawing;
mod error;
mod fairness;
mod film;
mod format;
mod limits;
mod lines;
mod match_log;
mod match_log_files;
mod provenance;
mod reader;
mod rerun;
mod signature;
mod whole;
mod writer;

pub use closing::{Closing, after_turns};
pub use drawing::DRAWN_SHAPES_MAX;
pub use error::ReplayError;
pub use film::{Filmer, film};
pub use format::{
    EndLine, FORMAT_VERSION, Header, Origin, PlayerLine, RecordedStep, SignatureLine,
};
pub use limits::{
    FILM_BYTES_MAX, HEADER_BYTES_MAX, LINE_BYTES_MAX, STEPS_MAX, TOTAL_BYTES_MAX, WINDOW_LOG_MAX,
};
pub use match_log::{MatchLog, MatchLogEnd, check_match_log_folder, open_match_log};
pub use provenance::SetupOrigin;
pub use reader::{Reader, Recording, Tail};
pub use rerun::{
    Divergence, Mismatch, Reached, RerunError, check_turn, open_table, replay_input, rerun,
    take_step,
};
pub use signature::{KeyError, PrivateKey, PublicKey, SignatureError, signer_of};
pub use whole::{Playback, Replay, read};
pub use writer::{Writer, unix_ms};

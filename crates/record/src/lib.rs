//! What is known of matches, as plain data: who plays them, and what came of them.
//!
//! The registry makes a [`MatchRecord`], the arena completes it, the store keeps it, the statistics count
//! it, reports show it and other machines send it: all of them use these types and no others, so that
//! nobody translates. Written with serde, times are whole microseconds under names that end in `_us`.
//!
//! *Not here:* how a match is played (`quintain-referee`), what its result means for a rating
//! (`quintain-tournament`), rows and columns (`quintain-store`).
//!
//! Reading order: `ids.rs` (which match, which bot), `occupant.rs` and `launch.rs` (who sits on a seat),
//! `match_record.rs` (what came of it).

mod ids;
mod launch;
mod match_record;
mod micros;
mod occupant;
mod tag;

pub use ids::{BotId, MatchId, MatchIdError};
pub use launch::Launch;
pub use match_record::{
    AnswerTimes, Disturbance, Ending, MatchHead, MatchRecord, MatchRow, ResultRow, Scored,
    SeatError, VoidReason, error_kinds,
};
pub use occupant::{
    Admission, CLIENT_START_LIMIT, Contestant, Mind, Occupant, Program, ProgramLink, State,
};
pub use tag::{DROPPED_TAG, RESERVED_PREFIX, Tag, TagList};

//! What a match is played with.

use std::path::PathBuf;
use std::time::Duration;

use quintain_core::{Opening, Options, OptionsError, PerSeat, SetupError};
use quintain_referee::{Ask, MatchRules};
use quintain_replay::ReplayError;

/// One match, as the organiser wants it.
#[derive(Clone, Debug)]
pub struct MatchSpec {
    pub options: Options,
    pub seed: i64,
    pub seats: PerSeat<SeatSpec>,
    pub rules: MatchRules,
    pub ask: Ask,
    /// How long a bot may take to become ready; `None` waits for ever.
    pub start_limit: PerSeat<Option<Duration>>,
    /// Set if the dialogue before the match has been held already, by a host.
    pub opening: Option<Opening>,
    pub replay: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatSpec {
    /// What the organiser calls this player.
    pub label: String,
    pub kind: SeatKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatKind {
    /// A house bot of that name, inside the process.
    House(String),
    /// A bot behind the world.
    Remote,
}

/// Why a match could not be started.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    #[error(transparent)]
    Options(#[from] OptionsError),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("{game} has no house bot `{name}`: expected one of {known}")]
    House { game: &'static str, name: String, known: String },
}

//! What a match is played with.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use quintain_core::{FieldError, Manner, Opening, PerSeat, Seat, SetupError};
use quintain_referee::{Ask, MatchRules};
use quintain_replay::{PlayerLine, PrivateKey, ReplayError, RerunError};

use crate::{FeedError, ReadyConfig};

/// One match, as the organiser wants it.
#[derive(Clone, Debug)]
pub struct MatchSpec {
    pub config: ReadyConfig,
    pub seed: i64,
    pub seats: PerSeat<SeatSpec>,
    pub rules: MatchRules,
    pub ask: Ask,
    /// How long a bot may take to become ready; `None` waits for ever.
    pub start_limit: PerSeat<Option<Duration>>,
    /// Set if the dialogue before the match has been held already, by a host.
    pub opening: Option<Opening>,
    pub replay: Option<PathBuf>,
    /// Signs the replay.
    pub signer: Option<Arc<PrivateKey>>,
    /// The folder to write as the original runner wrote its match logs, for games that have one.
    pub match_log: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatSpec {
    /// What the organiser calls this player.
    pub label: String,
    pub kind: SeatKind,
    /// How a bot behind the world is told the state, in games that have a choice.
    pub manner: Manner,
    /// The files of a program with their digests, as far as they are known, for the replay.
    pub files: BTreeMap<String, String>,
}

impl SeatSpec {
    /// A house bot by its own name.
    pub fn house(name: impl Into<String>) -> Self {
        let name = name.into();
        let (label, files) = (name.clone(), BTreeMap::new());
        SeatSpec { label, kind: SeatKind::House(name), manner: Manner::Inside, files }
    }

    /// A bot behind the world, told the state as is usual.
    pub fn remote(label: impl Into<String>) -> Self {
        let (label, files) = (label.into(), BTreeMap::new());
        SeatSpec { label, kind: SeatKind::Remote, manner: Manner::default(), files }
    }
}

impl MatchSpec {
    /// What sits on a seat, as a replay keeps it.
    pub(crate) fn player(&self, seat: Seat) -> PlayerLine {
        let SeatSpec { kind, files, .. } = &self.seats[seat];
        let house = match kind {
            SeatKind::House(name) => Some(name.clone()),
            SeatKind::Remote => None,
        };
        PlayerLine { house, files: files.clone() }
    }

    /// How a seat is told the state. What sits inside the process needs no telling.
    pub fn manner(&self, seat: Seat) -> Manner {
        match self.seats[seat].kind {
            SeatKind::House(_) => Manner::Inside,
            SeatKind::Remote => self.seats[seat].manner,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatKind {
    /// A house bot of that name, inside the process.
    House(String),
    /// A bot behind the world.
    Remote,
}

/// Why a match could not be started, or came to no end.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    #[error(transparent)]
    Field(#[from] FieldError),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Branch(#[from] FeedError),
    #[error(transparent)]
    Rerun(#[from] RerunError),
    #[error("{game} has no house bot `{name}`: expected one of {known}")]
    House { game: &'static str, name: String, known: String },
    #[error(transparent)]
    MatchLog(#[from] io::Error),
    /// Its world was stopped. Its replay can be read as far as it goes.
    #[error("the match was broken off after {turns} turns")]
    Stopped { turns: u32 },
}

/// Why there is no match log.
#[derive(Debug, thiserror::Error)]
pub enum MatchLogError {
    #[error(transparent)]
    Write(#[from] io::Error),
    #[error(transparent)]
    Rerun(#[from] RerunError),
}

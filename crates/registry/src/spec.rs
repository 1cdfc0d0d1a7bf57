//! What a match is played with.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use quintain_core::{FieldError, Opening, PerSeat, Seat, Seats, SetupError};
use quintain_record::Occupant;
use quintain_referee::{Ask, MatchRules};
use quintain_replay::{PlayerLine, PrivateKey, ReplayError, RerunError};

use crate::{FeedError, ReadyConfig};

/// One match, as the organiser wants it.
#[derive(Clone, Debug)]
pub struct MatchSpec {
    pub config: ReadyConfig,
    pub seed: i64,
    pub seats: PerSeat<Occupant>,
    /// What each of them consists of: files with their digests, as far as they are known, for the replay.
    pub files: PerSeat<BTreeMap<String, String>>,
    pub rules: MatchRules,
    pub ask: Ask,
    /// How long a bot may take to become ready; `None` waits for ever.
    pub start_limit: PerSeat<Option<Duration>>,
    /// Set if the dialogue before the match has been held already, by a host.
    pub opening: Option<Opening>,
    pub replay: Option<PathBuf>,
    /// What holds the programs, for the replay and the record; `None`: they are trusted.
    pub sandbox: Option<String>,
    /// Signs the replay.
    pub signer: Option<Arc<PrivateKey>>,
    /// The folder to write as the original runner wrote its match logs, for games that have one.
    pub match_log: Option<PathBuf>,
}

impl MatchSpec {
    /// What the organiser calls the players.
    pub(crate) fn labels(&self) -> PerSeat<String> {
        self.seats.as_ref().map(|_, seat| seat.name().to_owned())
    }

    /// The seats that are spoken to over a link.
    pub(crate) fn outside(&self) -> Seats {
        let outside = self.seats.iter().filter(|(_, occupant)| occupant.is_outside());
        outside.fold(Seats::NONE, |seats, (seat, _)| seats.with(seat))
    }

    /// What sits on a seat, as a replay keeps it.
    pub(crate) fn player(&self, seat: Seat) -> PlayerLine {
        let house = self.seats[seat].house_bot().map(str::to_owned);
        PlayerLine { house, files: self.files[seat].clone() }
    }
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

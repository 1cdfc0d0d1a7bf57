//! The plan of a single match.

use std::path::{Path, PathBuf};
use std::time::Duration;

use quintain_core::PerSeat;
use quintain_record::{CLIENT_START_LIMIT, Occupant};
use quintain_registry::{AnyGame, ReadyConfig};
use quintain_replay::check_match_log_folder;
use serde::Serialize;

use super::{MatchSettings, PlanError};
use crate::occupant::parse_pair;
use crate::results::as_milliseconds;

/// Everything that a match depends on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchPlan {
    /// The seed is that of the match.
    pub settings: MatchSettings,
    pub seats: PerSeat<Occupant>,
    /// Whether a second match is played, with the same seed and the seats swapped.
    pub both_sides: bool,
    /// Whether a person has the time limit of everybody.
    pub times_persons: bool,
    /// How long a client may take to connect, and then to become ready.
    #[serde(rename = "client_limit_ms", serialize_with = "as_milliseconds")]
    pub client_limit: Duration,
    /// Where it goes on; `None` begins anew.
    pub branch: Option<BranchPlan>,
}

/// A turn of a recorded match. Its config and its setup are the recorded ones, and its seed should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BranchPlan {
    pub replay: PathBuf,
    /// The first turn that is played anew, counted from 1.
    pub turn: u32,
}

impl MatchPlan {
    /// Reads both bots, first seat first; without any, the best house bot plays itself.
    ///
    /// # Errors
    /// Says what was expected in place of a bot.
    pub fn new(settings: MatchSettings, bots: &[String]) -> Result<MatchPlan, PlanError> {
        let game = settings.game()?;
        let seats = parse_pair(bots, game, settings.state.unwrap_or_default())?;
        Ok(MatchPlan {
            settings,
            seats,
            both_sides: false,
            times_persons: false,
            client_limit: CLIENT_START_LIMIT,
            branch: None,
        })
    }

    /// How long a client is really waited for; `None`: for ever.
    pub(crate) fn scaled_client_limit(&self) -> Option<Duration> {
        self.settings.scaled(self.client_limit)
    }

    /// The game and its config. A log as the original runner writes it may be wished in a folder.
    ///
    /// # Errors
    /// The game cannot have these rules, this seed or such a log.
    pub fn check(
        &self,
        match_log: Option<&Path>,
    ) -> Result<(&'static dyn AnyGame, ReadyConfig), PlanError> {
        let game = self.settings.game()?;
        let config = self.settings.config(game)?;
        game.check_seed(self.settings.seed)?;
        if let Some(folder) = match_log {
            if game.facts().abilities.match_log.is_none() {
                let found = game.facts().id;
                let wrong = format!("expected a game with a match log, found {found}");
                return Err(PlanError::wrong("match-log", wrong));
            }
            check_match_log_folder(folder).map_err(|error| PlanError::wrong("match-log", error))?;
        }
        Ok((game, config))
    }
}

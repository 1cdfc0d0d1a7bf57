//! The plan of a host: which game, and how many matches of it.

use quintain_core::Lobby;
use quintain_registry::{AnyGame, ReadyConfig};
use serde::Serialize;

use super::{MatchSettings, PlanError};

/// What a host offers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HostPlan {
    pub settings: MatchSettings,
    /// After so many matches were begun nobody is seated any more; `None`: for ever.
    pub games_max: Option<u64>,
    /// Tables at a time.
    pub tables_max: Option<usize>,
}

/// What follows from a plan that can be hosted.
pub type Hostable = (&'static dyn AnyGame, Box<dyn Lobby>, ReadyConfig);

impl HostPlan {
    /// A host for ever.
    pub fn of(game: &str) -> HostPlan {
        HostPlan { settings: MatchSettings::of(game), games_max: None, tables_max: None }
    }

    /// # Errors
    /// The game is none whose bots connect, or cannot have these rules.
    pub fn check(&self) -> Result<Hostable, PlanError> {
        let game = self.settings.game()?;
        let lobby = game.lobby(self.tables_max).ok_or_else(|| {
            let found = &self.settings.game;
            let wrong = format!("expected a game whose bots connect by TCP, found {found}");
            PlanError::wrong("game", wrong)
        })?;
        Ok((game, lobby, self.settings.config(game)?))
    }
}

//! The plan of a host: which game, and how many matches of it.

use quintain_core::Lobby;
use quintain_registry::{AnyGame, ReadyConfig};

use super::{GameRules, PlanError, game_named};

/// What a host offers.
#[derive(Clone, Debug, PartialEq)]
pub struct HostPlan {
    pub game: String,
    pub rules: GameRules,
    /// After so many matches were begun nobody is seated any more; `None`: for ever.
    pub games_max: Option<u64>,
    /// Tables at a time.
    pub tables_max: Option<usize>,
}

/// What follows from a plan that can be hosted.
pub type Hostable = (&'static dyn AnyGame, Box<dyn Lobby>, ReadyConfig);

impl HostPlan {
    /// # Errors
    /// The game is none whose bots connect, or cannot have these rules.
    pub fn check(&self) -> Result<Hostable, PlanError> {
        let game = game_named(&self.game)?;
        let lobby = game.lobby(self.tables_max).ok_or_else(|| {
            let wrong = format!("expected a game whose bots connect by TCP, found {}", self.game);
            PlanError::wrong("game", wrong)
        })?;
        Ok((game, lobby, self.rules.config(game, None)?))
    }
}

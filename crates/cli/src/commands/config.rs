//! The organiser's choice about a game, as flags say it.

use std::time::Duration;

use quintain_arena::plan::GameRules;
use quintain_registry::{AnyGame, ReadyConfig};

use crate::args::RulesArgs;
use crate::failure::Failure;
use crate::words::plan_failure;

impl RulesArgs {
    /// As they are meant.
    pub(crate) fn rules(&self) -> GameRules {
        GameRules {
            edition: self.edition,
            league: self.league,
            game_config: self.game_config.clone(),
            limit: self.limit,
            set: self.set.clone(),
            time_scale: self.time_scale,
            clock: !self.no_clock,
        }
    }
}

/// The config that was asked for. `start_limit` is how long a bot may take to become ready.
pub(super) fn config_of(
    game: &dyn AnyGame,
    rules: &RulesArgs,
    start_limit: Option<Duration>,
) -> Result<ReadyConfig, Failure> {
    rules.rules().config(game, start_limit).map_err(plan_failure)
}

//! What is played in a run: all that results depend on, as values that are made once and checked once.

mod comparison;
mod evaluation;
mod host;
mod identity;
mod ladder;
mod match_plan;
mod plan_file;
mod sandbox_wish;
mod seeds;
mod settings;
mod teams;
mod teams_file;
mod toml;
mod tournament;
mod tune;
mod wish;

use quintain_core::{Field, FieldError, printable};

use crate::occupant::OccupantError;

pub use comparison::ComparisonPlan;
pub use evaluation::{EvaluationLimits, EvaluationPlan};
pub use host::{HostPlan, Hostable};
pub(crate) use identity::begin;
pub use ladder::{CalibrationPlan, LadderPart, LadderPlan};
pub use match_plan::{BranchPlan, MatchPlan};
pub use plan_file::{FileWishes, PlanFile, TOURNAMENT_EXAMPLE, WrittenPlan};
pub use sandbox_wish::{BuildWish, LevelTooLow, SandboxWish};
pub use seeds::derived_seeds;
pub(crate) use seeds::{of_run, settings_of};
pub use settings::{GameRules, MatchSettings, check_time_scale};
pub use teams::{Team, TeamLink, TeamsError, find_teams, team_folders};
pub use toml::PlanFileError;
pub(crate) use tournament::stored_schedule;
pub use tournament::{FormKind, TournamentDraft, TournamentPlan};
pub(crate) use tune::written;
pub use tune::{Parameter, Parameters, PassParameters, TunePlan};
pub use wish::RunWish;

/// What is wrong with a plan. Whoever took the wish names the field in his own words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error("{field}: {wrong}")]
    Wrong { field: Field, wrong: String },
    #[error("expected different names, found `{name}` twice")]
    SameName { name: String },
}

impl PlanError {
    pub fn wrong(field: impl Into<Field>, wrong: impl std::fmt::Display) -> PlanError {
        PlanError::Wrong { field: field.into(), wrong: wrong.to_string() }
    }
}

impl From<FieldError> for PlanError {
    fn from(error: FieldError) -> PlanError {
        let wrong = error.wrong();
        PlanError::Wrong { field: error.field, wrong }
    }
}

impl From<OccupantError> for PlanError {
    fn from(error: OccupantError) -> PlanError {
        PlanError::wrong("bot", error)
    }
}

/// Refuses a name that would tear tables and terminals apart.
///
/// # Errors
/// Says what was expected.
pub fn check_name(name: &str) -> Result<(), String> {
    if name.trim().is_empty() || printable(name) != name {
        return Err(format!("expected a name, without control characters, found {name:?}"));
    }
    Ok(())
}

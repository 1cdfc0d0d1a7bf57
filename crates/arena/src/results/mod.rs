//! What came of runs, as data: bots by name, paths resolved, and no sentence but those of bots. Whoever
//! shows them has the words (`quintain-report`); serialised they are what programs read.

mod bot;
mod comparison;
mod disturbed;
mod evaluation;
mod games;
mod ladder;
mod match_list;
mod one_match;
mod rounds;
mod stored;
mod tournament;
mod tune;
mod watched;

use std::time::Duration;

use quintain_tournament::DisturbedGames;
use serde::{Serialize, Serializer};

pub use bot::{BotOpponent, BotReport, BotRun, BotTag, RunSums, bot_report};
pub use comparison::{
    ComparisonFacts, ComparisonReport, ErrorsOfBoth, FailedMatch, LostMatch, comparison_report,
    disturbed_games, failures_in,
};
pub(crate) use comparison::{as_text, as_text_always};
pub use disturbed::{
    DisturbedAnswer, DisturbedBot, VoidMatch, disturbed_answers, disturbed_bots, played_again,
};
pub use evaluation::{
    EvaluatedTeam, EvaluationReport, FirstFailure, PairingEnd, PairingOutcome, PairingReport,
    PlayedEvaluation, TEAMS_FILE, TeamFailure, TeamFailures, TeamNetwork, TeamReport,
};
pub use games::{ListedBot, ListedGame, ListedSetting, bots_of, settings_of};
pub use ladder::{CalibrationReport, LadderReport, LostOnRung, RungOutcome, RungReport, ScaleHead};
pub(crate) use ladder::{lost_games, rating_on};
pub use match_list::{
    BotSums, ChoiceError, ListedError, ListedMatch, ListedTag, MatchChoice, MatchPage, MatchSums,
    PageSize, TagSums, latest_matches, matches_of, sums_of,
};
pub use one_match::{
    PlayedAnswers, PlayedDisturbance, PlayedFault, PlayedMatch, PlayedTag, Remarks, played_match,
};
pub use quintain_registry::MatchReport;
pub use rounds::{Meeting, RoundReport};
pub use stored::{book_of, bot_name, path_in_store, replay_path};
pub use tournament::{
    CopiesReport, StandingsRow, SwissPoints, TournamentReport, tournament_report,
};

pub use tune::{TuneIteration, TuneNow, TuneReport, TunedParameter};
pub use watched::{EvidencePoint, WatchedComparison};

/// That the machine disturbed too many games for anything to be concluded from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Doubt {
    pub games: DisturbedGames,
    /// Whether a verdict was wanted all the same.
    pub is_forced: bool,
}

impl Doubt {
    /// `None` if the games can be believed.
    pub fn of(games: DisturbedGames, is_forced: bool) -> Option<Doubt> {
        games.are_too_many().then_some(Doubt { games, is_forced })
    }
}

/// Whether nothing is concluded.
pub fn is_refused(doubt: Option<&Doubt>) -> bool {
    doubt.is_some_and(|doubt| !doubt.is_forced)
}

/// As it is shown: whole microseconds.
pub fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

pub(crate) fn as_milliseconds<S: Serializer>(
    time: &Duration,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    milliseconds(*time).serialize(serializer)
}

pub(crate) fn as_milliseconds_if_known<S: Serializer>(
    time: &Option<Duration>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    time.map(milliseconds).serialize(serializer)
}

//! What came of an evaluation: marks, and what they rest on.

use std::collections::BTreeMap;
use std::path::PathBuf;

use quintain_core::FaultCause;
use quintain_record::BotId;
use quintain_tournament::{
    Book, ErrorCounts, Evaluated, PairingState, PlayedPairing, Tally, evaluate, granted,
};
use serde::{Deserialize, Serialize, Serializer};

use super::{DisturbedAnswer, DisturbedBot, VoidMatch, disturbed_bots};

/// How the organiser's file about the teams is called, beside their folders.
pub const TEAMS_FILE: &str = "teams.toml";

/// Everything that was played, as whoever played it knows it.
#[derive(Clone, Debug)]
pub struct PlayedEvaluation {
    pub game: String,
    pub teams: Vec<EvaluatedTeam>,
    pub book: Book,
    pub pairings: Vec<PairingOutcome>,
    pub pairings_planned: usize,
    /// Games per pairing at most.
    pub games_max: u32,
    /// Who was welcomed when it was started without a game; `None` for those who were not.
    pub tried: Vec<Option<bool>>,
    /// What this is of the whole mark, in percent.
    pub weight: Option<f64>,
    /// `None` if nothing was played.
    pub network: Option<TeamNetwork>,
    /// How many pairings were played at a time, each in a network of its own; `None` if nothing was played.
    pub side_by_side: Option<usize>,
    /// Where replays were put.
    pub replays: Option<PathBuf>,
}

/// What marks depend on beside games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct EvaluatedTeam {
    pub name: String,
    /// Whether the share for the script can be earned.
    pub runs_script: bool,
    /// In words; `None` if there is nothing to start.
    pub started_by: Option<String>,
    /// How many programs were found where there is no script.
    pub programs: usize,
    /// Bash takes those of Windows for a part of its words.
    pub has_windows_line_ends: bool,
}

/// What the teams can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TeamNetwork {
    /// Nothing but the loopback.
    None,
    /// What the machine can.
    Host,
}

/// Why no further game of a pairing was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum PairingEnd {
    #[serde(rename = "games")]
    Games,
    #[serde(rename = "time")]
    Time,
    #[serde(rename = "given up")]
    GivenUp,
    #[serde(rename = "interrupted")]
    Interrupted,
}

/// What is known of a pairing beside what is in the book.
#[derive(Clone, Debug)]
pub struct PairingOutcome {
    pub teams: [BotId; 2],
    /// Whether each team was welcomed at least once; `None` if it was never called.
    pub welcomed: [Option<bool>; 2],
    /// Who was ready when the pairing was given up.
    pub ready: Option<BotId>,
    /// How the games ended, and how many of them did so.
    pub reasons: BTreeMap<String, u64>,
    /// What each team did wrong first.
    pub failures: [Option<FirstFailure>; 2],
    pub void: Vec<VoidMatch>,
    pub disturbed: Vec<DisturbedAnswer>,
    pub seconds: f64,
    pub ended: PairingEnd,
}

/// The first failure of a team in a pairing.
#[derive(Clone, Debug)]
pub struct FirstFailure {
    /// In words, with the last line that the team wrote to its error output.
    pub text: String,
    pub cause: Option<FaultCause>,
    pub replay: Option<PathBuf>,
}

/// Everything that is shown of an evaluation.
#[derive(Clone, Debug, Serialize)]
pub struct EvaluationReport {
    pub game: String,
    /// Whether every pairing was played to its end.
    #[serde(rename = "complete")]
    pub is_complete: bool,
    /// What this is of the whole mark, in percent.
    pub weight: Option<f64>,
    pub network: Option<TeamNetwork>,
    /// How many pairings were played at a time.
    pub side_by_side: Option<usize>,
    pub replays: Option<String>,
    #[serde(skip)]
    pub has_replays: bool,
    /// The best first.
    pub teams: Vec<TeamReport>,
    pub pairings: Vec<PairingReport>,
    #[serde(skip)]
    pub pairings_planned: usize,
    /// What each team did wrong first in its pairings, by the names of the teams.
    #[serde(skip)]
    pub failures: Vec<TeamFailures>,
    pub void: Vec<VoidMatch>,
    pub disturbed: Vec<DisturbedAnswer>,
    pub disturbed_bots: Vec<DisturbedBot>,
}

/// A team with its mark.
#[derive(Clone, Debug, Serialize)]
pub struct TeamReport {
    pub position: u32,
    pub team: String,
    pub points: u64,
    /// Points for games that were not played since the other team failed again and again.
    pub granted: u64,
    pub games: u64,
    pub wins: u64,
    pub losses: u64,
    pub ranking_percent: f64,
    pub script_percent: f64,
    pub total_percent: f64,
    /// Its part of the whole mark.
    pub weighted_percent: Option<f64>,
    pub has_script: bool,
    pub welcomed: Option<bool>,
    /// `None` if there is nothing to start.
    pub started_by: Option<String>,
    #[serde(serialize_with = "those_made")]
    pub errors: ErrorCounts,
}

/// Two teams that met.
#[derive(Clone, Debug, Serialize)]
pub struct PairingReport {
    pub teams: [String; 2],
    pub games: u64,
    pub wins: [u64; 2],
    pub granted: [u64; 2],
    /// Which of the two was ready when the pairing was given up.
    #[serde(skip)]
    pub ready: Option<usize>,
    pub void: u64,
    /// How the games ended, and how many of them did so.
    pub reasons: BTreeMap<String, u64>,
    #[serde(serialize_with = "those_made_by_both")]
    pub errors: [ErrorCounts; 2],
    pub failures: [Option<String>; 2],
    pub failure_replays: [Option<String>; 2],
    pub seconds: f64,
    pub ended: PairingEnd,
}

/// What a team did wrong, in the order of its pairings.
#[derive(Clone, Debug)]
pub struct TeamFailures {
    pub team: String,
    /// How many programs there are where there is nothing to start.
    pub programs: Option<usize>,
    /// Whether its script never brought it to its welcome.
    pub was_never_welcomed: bool,
    pub has_windows_line_ends: bool,
    pub failures: Vec<TeamFailure>,
}

/// One way to fail.
#[derive(Clone, Debug)]
pub struct TeamFailure {
    pub text: String,
    /// Whether it was waited for in vain: it may need more time.
    pub is_silence: bool,
    /// Against whom it failed so.
    pub opponents: Vec<String>,
    pub replay: Option<String>,
}

impl PlayedEvaluation {
    /// Whether a team was welcomed at least once; `None` if it was never started.
    pub fn welcomed(&self, team: BotId) -> Option<bool> {
        let side = |pairing: &PairingOutcome| pairing.welcomed[pairing.side(team)?];
        self.pairings.iter().filter_map(side).max().or(self.tried[team.index()])
    }

    pub fn report(&self) -> EvaluationReport {
        let granted = self.granted();
        let pairings = self.pairings.iter().zip(&granted);
        let disturbed: Vec<DisturbedAnswer> =
            self.pairings.iter().flat_map(|pairing| pairing.disturbed.clone()).collect();
        let is_interrupted = |pairing: &PairingOutcome| pairing.ended == PairingEnd::Interrupted;
        EvaluationReport {
            game: self.game.clone(),
            is_complete: self.pairings.len() == self.pairings_planned
                && !self.pairings.iter().any(is_interrupted),
            weight: self.weight,
            network: self.network,
            side_by_side: self.side_by_side,
            replays: self.replays.as_ref().map(|folder| folder.display().to_string()),
            has_replays: self.replays.as_ref().is_some_and(|folder| folder.exists()),
            teams: self.marks(&granted).iter().map(|line| self.team_report(line)).collect(),
            pairings: pairings.map(|(pairing, granted)| self.pairing(pairing, *granted)).collect(),
            pairings_planned: self.pairings_planned,
            failures: self.ids().map(|team| self.failures_of(team)).collect(),
            void: self.pairings.iter().flat_map(|pairing| pairing.void.clone()).collect(),
            disturbed_bots: disturbed_bots(&disturbed),
            disturbed,
        }
    }

    fn ids(&self) -> impl Iterator<Item = BotId> {
        (0..).map(BotId).take(self.teams.len())
    }

    fn name(&self, team: BotId) -> String {
        self.teams[team.index()].name.clone()
    }

    /// The games of each pairing that count although they were not played, and for whom.
    fn granted(&self) -> Vec<Option<(BotId, u64)>> {
        let played = |pairing: &PairingOutcome| PlayedPairing {
            teams: pairing.teams,
            games: self.tallies(pairing)[0].games(),
            state: pairing.state(),
        };
        let pairings: Vec<PlayedPairing> = self.pairings.iter().map(played).collect();
        granted(&pairings, u64::from(self.games_max))
    }

    fn marks(&self, granted: &[Option<(BotId, u64)>]) -> Vec<Evaluated> {
        let earned =
            |team: BotId| self.teams[team.index()].runs_script && self.welcomed(team) == Some(true);
        let scripts: Vec<bool> = self.ids().map(earned).collect();
        let mut points = vec![0; self.teams.len()];
        for (team, games) in granted.iter().flatten() {
            points[team.index()] += games;
        }
        evaluate(&self.book, &points, &scripts)
    }

    fn team_report(&self, line: &Evaluated) -> TeamReport {
        let team = &self.teams[line.team.index()];
        TeamReport {
            position: line.position,
            team: team.name.clone(),
            points: line.points,
            granted: line.granted,
            games: line.tally.games(),
            wins: line.tally.wins,
            losses: line.tally.losses,
            ranking_percent: line.ranking_percent,
            script_percent: line.script_percent,
            total_percent: line.total_percent,
            weighted_percent: self.weight.map(|weight| weight * line.total_percent / 100.0),
            has_script: team.runs_script,
            welcomed: self.welcomed(line.team),
            started_by: team.started_by.clone(),
            errors: line.tally.errors,
        }
    }

    fn tallies(&self, pairing: &PairingOutcome) -> [Tally; 2] {
        let [one, other] = pairing.teams;
        [self.book.against(one, other), self.book.against(other, one)]
    }

    fn pairing(&self, pairing: &PairingOutcome, granted: Option<(BotId, u64)>) -> PairingReport {
        let tallies = self.tallies(pairing);
        let reasons = pairing.reasons.iter().filter(|(_, games)| **games > 0);
        let failures = pairing.failures.each_ref().map(Option::as_ref);
        let granted_to = |team| granted.filter(|(ready, _)| *ready == team);
        PairingReport {
            teams: pairing.teams.map(|team| self.name(team)),
            games: tallies[0].games(),
            wins: tallies.map(|tally| tally.wins),
            granted: pairing.teams.map(|team| granted_to(team).map_or(0, |(_, games)| games)),
            ready: granted.and_then(|(ready, _)| pairing.side(ready)),
            void: pairing.void.len() as u64,
            reasons: reasons.map(|(reason, games)| (reason.clone(), *games)).collect(),
            errors: tallies.map(|tally| tally.errors),
            failures: failures.map(|failure| Some(failure?.text.clone())),
            failure_replays: failures.map(|failure| failure?.replay_path()),
            seconds: pairing.seconds,
            ended: pairing.ended,
        }
    }

    /// What a team did wrong, and against whom it did the same.
    fn failures_of(&self, id: BotId) -> TeamFailures {
        let mut failures: Vec<TeamFailure> = Vec::new();
        for pairing in &self.pairings {
            let Some(side) = pairing.side(id) else { continue };
            let Some(failure) = &pairing.failures[side] else { continue };
            let opponent = self.name(pairing.teams[1 - side]);
            match failures.iter_mut().find(|known| known.text == failure.text) {
                Some(known) => known.opponents.push(opponent),
                None => failures.push(TeamFailure {
                    text: failure.text.clone(),
                    is_silence: failure.cause == Some(FaultCause::Silent),
                    opponents: vec![opponent],
                    replay: failure.replay_path(),
                }),
            }
        }
        let team = &self.teams[id.index()];
        TeamFailures {
            team: team.name.clone(),
            programs: team.started_by.is_none().then_some(team.programs),
            was_never_welcomed: team.runs_script && self.welcomed(id) == Some(false),
            has_windows_line_ends: team.has_windows_line_ends,
            failures,
        }
    }
}

impl PairingOutcome {
    /// How far it came, as marks depend on it.
    fn state(&self) -> PairingState {
        match (self.ended, self.ready) {
            (PairingEnd::Games | PairingEnd::Time, _) => PairingState::PlayedOut,
            (PairingEnd::GivenUp, Some(ready)) => PairingState::GivenUp { ready },
            (PairingEnd::GivenUp, None) | (PairingEnd::Interrupted, _) => PairingState::Open,
        }
    }

    fn side(&self, team: BotId) -> Option<usize> {
        self.teams.iter().position(|one| *one == team)
    }
}

impl PairingEnd {
    pub const fn name(self) -> &'static str {
        match self {
            PairingEnd::Games => "games",
            PairingEnd::Time => "time",
            PairingEnd::GivenUp => "given up",
            PairingEnd::Interrupted => "interrupted",
        }
    }
}

impl FirstFailure {
    fn replay_path(&self) -> Option<String> {
        self.replay.as_ref().map(|path| path.display().to_string())
    }
}

fn those_made<S: Serializer>(errors: &ErrorCounts, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(made(errors))
}

fn those_made_by_both<S: Serializer>(
    errors: &[ErrorCounts; 2],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let made = |errors| made(errors).collect::<BTreeMap<_, _>>();
    errors.each_ref().map(made).serialize(serializer)
}

fn made(errors: &ErrorCounts) -> impl Iterator<Item = (&'static str, u64)> {
    errors.iter().filter(|(_, games)| *games > 0).map(|(kind, games)| (kind.code(), games))
}

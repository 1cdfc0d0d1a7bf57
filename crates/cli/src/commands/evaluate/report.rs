//! What an evaluation came to, for people and for programs.

use std::fmt::Write as _;
use std::path::PathBuf;

use comfy_table::Table;
use quintain_arena::results::{DisturbedAnswer, VoidMatch, disturbed_bots};
use quintain_core::{Absence, Fault, printable};
use quintain_record::BotId;
use quintain_report::disturbed::{self, bots_in_words, void_in_words};
use quintain_report::spreadsheet::sheet;
use quintain_report::table::{align_right, ruled};
use quintain_report::words::errors_in_words;
use quintain_tournament::{Book, Evaluated, PlayedPairing, Tally, evaluate, granted};
use serde_json::{Map, Value, json};

use super::network::Network;
use super::pairing::{Ended, FirstFailure, PairingReport};
use super::teams::{SCRIPT, Starter, Team};
use crate::bots::WINDOWS_LINE_ENDS;
use crate::output::{counted, grouped, shell_word};

const TEAM_HEADER: [&str; 7] =
    ["position", "team", "points", "games", "ranking", "run.sh", "total"];
const TEAM_HEADER_END: [&str; 2] = ["started by", "errors"];
pub(super) const PAIRING_HEADER: [&str; 6] =
    ["pairing", "games", "won", "how", "errors", "ended by"];

/// What helps a team whose program is not built yet when its time to start is up: it is stopped, and
/// would begin to build it again in the next game.
const MORE_TIME: &str = "a team that builds its program when it is started may need more time for it: \
    build it beforehand, or give more with --start-limit";

/// Everything that was played.
pub(super) struct Evaluation {
    pub(super) game: &'static str,
    pub(super) teams: Vec<Team>,
    pub(super) book: Book,
    pub(super) pairings: Vec<PairingReport>,
    pub(super) pairings_planned: usize,
    /// Games per pairing at most.
    pub(super) games_max: u32,
    /// Who was welcomed when it was started without a game; `None` for those who were not.
    pub(super) tried: Vec<Option<bool>>,
    /// What this is of the whole mark, in percent.
    pub(super) weight: Option<f64>,
    /// `None` if nothing was played.
    pub(super) network: Option<Network>,
    /// Where replays were put.
    pub(super) replays: Option<PathBuf>,
}

impl Evaluation {
    fn lines(&self) -> Vec<Evaluated> {
        let teams = || (0..).map(BotId).zip(&self.teams);
        let earned =
            |(id, team): (BotId, &Team)| team.runs_script() && self.welcomed(id) == Some(true);
        let scripts: Vec<bool> = teams().map(earned).collect();
        let mut points = vec![0; self.teams.len()];
        for (team, games) in self.granted().into_iter().flatten() {
            points[team.index()] += games;
        }
        evaluate(&self.book, &points, &scripts)
    }

    /// Whether a team was welcomed at least once; `None` if it was never started.
    pub(super) fn welcomed(&self, team: BotId) -> Option<bool> {
        let side = |pairing: &PairingReport| {
            pairing
                .teams
                .iter()
                .position(|one| *one == team)
                .and_then(|side| pairing.welcomed[side])
        };
        self.pairings.iter().filter_map(side).max().or(self.tried[team.index()])
    }

    /// The games of each pairing that count although they were not played, and for whom.
    fn granted(&self) -> Vec<Option<(BotId, u64)>> {
        let played = |pairing: &PairingReport| PlayedPairing {
            teams: pairing.teams,
            games: self.tallies(pairing)[0].games(),
            course: pairing.course(),
        };
        let pairings: Vec<PlayedPairing> = self.pairings.iter().map(played).collect();
        granted(&pairings, u64::from(self.games_max))
    }

    fn name(&self, team: BotId) -> &str {
        &self.teams[team.index()].name
    }

    /// Whether every pairing was played to its end.
    pub(super) fn is_complete(&self) -> bool {
        let is_interrupted = |pairing: &PairingReport| pairing.ended == Ended::Interrupted;
        self.pairings.len() == self.pairings_planned && !self.pairings.iter().any(is_interrupted)
    }

    pub(super) fn as_table(&self) -> String {
        let mut text = format!("{}\n", self.team_table().trim_fmt());
        if !self.pairings.is_empty() {
            let _ = writeln!(text, "\n{}", self.pairing_table().trim_fmt());
        }
        let void = self.void().map(void_in_words);
        for line in self.notes().into_iter().chain(self.failures()).chain(void) {
            let _ = writeln!(text, "{}", printable(&line));
        }
        let disturbed = disturbed::table(self.disturbed());
        if disturbed.row_count() > 0 {
            let _ = writeln!(text, "\n{}:\n{}", disturbed::TITLE, disturbed.trim_fmt());
            for line in bots_in_words(&disturbed_bots(self.disturbed())) {
                let _ = writeln!(text, "{line}");
            }
        }
        if let Some(unfinished) = self.unfinished() {
            let _ = writeln!(text, "{unfinished}");
        }
        text
    }

    /// What has to be known about the marks beside failures.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (pairing, granted) in self.pairings.iter().zip(self.granted()) {
            let Some((ready, games)) = granted else { continue };
            let other = pairing.teams.into_iter().find(|team| *team != ready).unwrap_or(ready);
            let (ready, other) = (self.name(ready), self.name(other));
            lines.push(format!(
                "{other} failed against {ready} again and again: {} that were not played count for \
                 {ready}, as many as its other pairings have on average",
                counted(games, "game")
            ));
        }
        lines.extend(self.network.as_ref().and_then(Network::warning));
        let replays = self.replays.as_deref().filter(|folder| folder.exists());
        lines.extend(replays.map(|folder| format!("replays are in {}", folder.display())));
        lines
    }

    /// The games that count for nothing.
    pub(super) fn void(&self) -> impl Iterator<Item = &VoidMatch> {
        self.pairings.iter().flat_map(|pairing| &pairing.void)
    }

    /// The answers that were late because the machine was busy.
    pub(super) fn disturbed(&self) -> impl Iterator<Item = &DisturbedAnswer> {
        self.pairings.iter().flat_map(|pairing| &pairing.disturbed)
    }

    /// A sentence for each way in which a team failed first in a pairing. That a team could not be
    /// started, or not by its script, is said once.
    pub(super) fn failures(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (index, team) in (0..).map(BotId).zip(&self.teams) {
            if let Some(lack) = team.lack() {
                lines.push(format!("{}: {lack}", team.name));
                continue;
            }
            if team.runs_script() && self.welcomed(index) == Some(false) {
                lines.push(format!(
                    "{}: its {SCRIPT} never brought it to its welcome, so nothing is earned by it",
                    team.name
                ));
            }
            for (failure, opponents) in self.failures_of(index) {
                let again = failure.replay.as_deref().map_or(String::new(), |path| {
                    format!("; show it again: quintain replay {}", shell_word(path))
                });
                let opponents = opponents.join(", ");
                lines.push(format!("{} against {opponents}: {}{again}", team.name, failure.text));
            }
            if team.has_windows_line_ends && !self.failures_of(index).is_empty() {
                lines.push(format!("{}: {WINDOWS_LINE_ENDS}", team.name));
            }
        }
        let silent = Fault::NotStarted(Absence::Silent).to_string();
        let failures = self.pairings.iter().flat_map(|pairing| pairing.failures.iter().flatten());
        if failures.into_iter().any(|failure| failure.text.starts_with(&silent)) {
            lines.push(MORE_TIME.to_owned());
        }
        lines
    }

    /// What a team did wrong, and against whom it did the same.
    fn failures_of(&self, team: BotId) -> Vec<(&FirstFailure, Vec<&str>)> {
        let mut found: Vec<(&FirstFailure, Vec<&str>)> = Vec::new();
        for pairing in &self.pairings {
            let Some(side) = pairing.teams.iter().position(|one| *one == team) else { continue };
            let Some(failure) = &pairing.failures[side] else { continue };
            let opponent = self.name(pairing.teams[1 - side]);
            match found.iter_mut().find(|(known, _)| known.text == failure.text) {
                Some((_, opponents)) => opponents.push(opponent),
                None => found.push((failure, vec![opponent])),
            }
        }
        found
    }

    /// What the marks lack.
    pub(super) fn unfinished(&self) -> Option<String> {
        let (begun, planned) = (self.pairings.len(), self.pairings_planned);
        (!self.is_complete()).then(|| {
            format!(
                "not finished: {begun} of {planned} pairings were begun, the marks are not final"
            )
        })
    }

    fn team_table(&self) -> Table {
        let mut table = ruled();
        table.set_header(self.team_header());
        for line in self.team_rows() {
            table.add_row(line.iter().map(|cell| printable(cell).into_owned()));
        }
        let numbers = self.team_header().len() - TEAM_HEADER_END.len();
        align_right(&mut table, &(0..numbers).filter(|column| *column != 1).collect::<Vec<_>>());
        table
    }

    /// The header of the table of teams, the page's too.
    pub(super) fn team_header(&self) -> Vec<String> {
        let weight = self.weight.map(|weight| format!("of {weight}%"));
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        [words(&TEAM_HEADER), weight.into_iter().collect(), words(&TEAM_HEADER_END)].concat()
    }

    /// The cells of the table of teams, the page's too.
    pub(super) fn team_rows(&self) -> Vec<Vec<String>> {
        let row = |line: &Evaluated| {
            let mut cells = vec![
                line.position.to_string(),
                self.name(line.team).to_owned(),
                grouped(line.points),
                grouped(line.tally.games()),
                percent(line.ranking_percent),
                percent(line.script_percent),
                percent(line.total_percent),
            ];
            cells.extend(self.weighted(line).map(|part| format!("{part:.2}%")));
            cells.push(self.teams[line.team.index()].started_by());
            cells.push(errors_in_words(&line.tally.errors));
            cells
        };
        self.lines().iter().map(row).collect()
    }

    /// A team's part of the whole mark, in percent.
    fn weighted(&self, line: &Evaluated) -> Option<f64> {
        self.weight.map(|weight| weight * line.total_percent / 100.0)
    }

    fn pairing_table(&self) -> Table {
        let mut table = ruled();
        table.set_header(PAIRING_HEADER);
        for line in self.pairing_rows() {
            table.add_row(line.map(|cell| printable(&cell).into_owned()));
        }
        align_right(&mut table, &[1]);
        table
    }

    /// The cells of the table of pairings, the page's too.
    pub(super) fn pairing_rows(&self) -> Vec<[String; 6]> {
        let mut rows = Vec::new();
        for (pairing, granted) in self.pairings.iter().zip(self.granted()) {
            let [one, other] = pairing.teams;
            let [first, second] = self.tallies(pairing);
            let reasons = pairing.reasons.iter().filter(|(_, games)| **games > 0);
            let how: Vec<String> =
                reasons.map(|(reason, games)| format!("{reason} {}", grouped(*games))).collect();
            let errors: Vec<String> = [(one, first), (other, second)]
                .into_iter()
                .filter(|(_, tally)| tally.errors.total() > 0)
                .map(|(team, tally)| {
                    format!("{}: {}", self.name(team), errors_in_words(&tally.errors))
                })
                .collect();
            let mut ended = ended_text(pairing.ended).to_owned();
            if let Some((ready, games)) = granted {
                let _ = write!(ended, ", {} for {}", grouped(games), self.name(ready));
            }
            if !pairing.void.is_empty() {
                let _ = write!(ended, ", {} void", pairing.void.len());
            }
            rows.push([
                format!("{} - {}", self.name(one), self.name(other)),
                grouped(first.games()),
                format!("{} - {}", grouped(first.wins), grouped(second.wins)),
                how.join(", "),
                errors.join("; "),
                ended,
            ]);
        }
        rows
    }

    fn tallies(&self, pairing: &PairingReport) -> [Tally; 2] {
        let [one, other] = pairing.teams;
        [self.book.against(one, other), self.book.against(other, one)]
    }

    pub(super) fn as_csv(&self) -> String {
        let header = [
            "position",
            "team",
            "points",
            "games",
            "ranking_percent",
            "script_percent",
            "total_percent",
            "weighted_percent",
            "granted",
            "started_by",
        ];
        let row = |line: &Evaluated| {
            let weighted = self.weighted(line).map(|part| format!("{part:.4}"));
            [
                line.position.to_string(),
                self.name(line.team).to_owned(),
                line.points.to_string(),
                line.tally.games().to_string(),
                format!("{:.4}", line.ranking_percent),
                format!("{:.1}", line.script_percent),
                format!("{:.4}", line.total_percent),
                weighted.unwrap_or_default(),
                line.granted.to_string(),
                self.teams[line.team.index()].started_by(),
            ]
        };
        sheet(&header, self.lines().iter().map(row))
    }

    pub(super) fn as_json(&self) -> Value {
        let team = |line: &Evaluated| {
            let team = &self.teams[line.team.index()];
            json!({
                "position": line.position,
                "team": self.name(line.team),
                "points": line.points,
                "granted": line.granted,
                "games": line.tally.games(),
                "wins": line.tally.wins,
                "losses": line.tally.losses,
                "ranking_percent": line.ranking_percent,
                "script_percent": line.script_percent,
                "total_percent": line.total_percent,
                "weighted_percent": self.weighted(line),
                "has_script": team.runs_script(),
                "welcomed": self.welcomed(line.team),
                "started_by": match &team.starter {
                    Starter::Nothing { .. } => Value::Null,
                    _ => team.started_by().into(),
                },
                "errors": errors_json(&line.tally),
            })
        };
        json!({
            "game": self.game,
            "complete": self.is_complete(),
            "weight": self.weight,
            "network": self.network.as_ref().map(|network| match &network.open_because {
                None => "none",
                Some(_) => "host",
            }),
            "notes": self.notes(),
            "replays": self.replays,
            "teams": self.lines().iter().map(team).collect::<Value>(),
            "pairings": self.pairings.iter().zip(self.granted())
                .map(|(pairing, granted)| self.pairing_json(pairing, granted))
                .collect::<Value>(),
            "void": self.void().collect::<Vec<_>>(),
            "disturbed": self.disturbed().collect::<Vec<_>>(),
            "disturbed_bots": disturbed_bots(self.disturbed()),
        })
    }

    fn pairing_json(&self, pairing: &PairingReport, granted: Option<(BotId, u64)>) -> Value {
        let tallies = self.tallies(pairing);
        let reasons = pairing.reasons.iter().filter(|(_, games)| **games > 0);
        let reasons: Map<String, Value> =
            reasons.map(|(reason, games)| (reason.clone(), json!(games))).collect();
        let failures = pairing.failures.each_ref().map(Option::as_ref);
        json!({
            "teams": pairing.teams.map(|team| self.name(team)),
            "games": tallies[0].games(),
            "wins": tallies.map(|tally| tally.wins),
            "granted": pairing.teams.map(|team| {
                granted.filter(|(ready, _)| *ready == team).map_or(0, |(_, games)| games)
            }),
            "void": pairing.void.len(),
            "reasons": reasons,
            "errors": tallies.map(|tally| errors_json(&tally)),
            "failures": failures.map(|failure| failure.map(|failure| &failure.text)),
            "failure_replays": failures.map(|failure| failure?.replay.as_ref()),
            "seconds": pairing.seconds,
            "ended": ended_text(pairing.ended),
        })
    }
}

fn percent(value: f64) -> String {
    format!("{value:.1}%")
}

fn ended_text(ended: Ended) -> &'static str {
    match ended {
        Ended::Games => "games",
        Ended::Time => "time",
        Ended::GivenUp => "given up",
        Ended::Interrupted => "interrupted",
    }
}

fn errors_json(tally: &Tally) -> Value {
    let errors = tally.errors.iter().filter(|(_, games)| *games > 0);
    errors.map(|(kind, games)| (kind.code().to_owned(), json!(games))).collect::<Map<_, _>>().into()
}

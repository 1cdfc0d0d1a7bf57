//! What an evaluation came to, for people and for programs.

use std::fmt::Write as _;

use comfy_table::Table;
use quintain_core::{Absence, Fault, printable};
use quintain_tournament::{Book, BotId, Evaluated, Tally, evaluate};
use serde_json::{Map, Value, json};

use super::pairing::{Ended, FirstFailure, PairingReport};
use super::teams::Team;
use crate::bots::WINDOWS_LINE_ENDS;
use crate::commands::disturbed::{DISTURBED_TITLE, DisturbedAnswer, VoidGame, disturbed_table};
use crate::commands::many::errors_in_words;
use crate::commands::table::{align_right, ruled};
use crate::output::{csv_cell, grouped, shell_word};

pub(super) const TEAM_HEADER: [&str; 8] =
    ["position", "team", "points", "games", "ranking", "run.sh", "total", "errors"];
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
}

impl Evaluation {
    fn lines(&self) -> Vec<Evaluated> {
        let scripts: Vec<bool> = self.teams.iter().map(Team::has_script).collect();
        evaluate(&self.book, &scripts)
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
        let void = self.void().map(ToString::to_string);
        for line in self.failures().into_iter().chain(void) {
            let _ = writeln!(text, "{}", printable(&line));
        }
        let disturbed = disturbed_table(self.disturbed());
        if disturbed.row_count() > 0 {
            let _ = writeln!(text, "\n{DISTURBED_TITLE}:\n{}", disturbed.trim_fmt());
        }
        if let Some(unfinished) = self.unfinished() {
            let _ = writeln!(text, "{unfinished}");
        }
        text
    }

    /// The games that count for nothing.
    pub(super) fn void(&self) -> impl Iterator<Item = &VoidGame> {
        self.pairings.iter().flat_map(|pairing| &pairing.void)
    }

    /// The answers that were late because the machine was busy.
    pub(super) fn disturbed(&self) -> impl Iterator<Item = &DisturbedAnswer> {
        self.pairings.iter().flat_map(|pairing| &pairing.disturbed)
    }

    /// A sentence for each way in which a team failed first in a pairing. That a team without a script
    /// could not be started is said once.
    pub(super) fn failures(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (index, team) in (0..).map(BotId).zip(&self.teams) {
            if !team.has_script() {
                lines.push(format!("{}: there is no run.sh in its folder", team.name));
                continue;
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
        table.set_header(TEAM_HEADER);
        for line in self.team_rows() {
            table.add_row(line.map(|cell| printable(&cell).into_owned()));
        }
        align_right(&mut table, &[0, 2, 3, 4, 5, 6]);
        table
    }

    /// The cells of the table of teams, the page's too.
    pub(super) fn team_rows(&self) -> Vec<[String; 8]> {
        let row = |line: &Evaluated| {
            [
                line.position.to_string(),
                self.name(line.team).to_owned(),
                grouped(line.points),
                grouped(line.tally.games()),
                percent(line.ranking_percent),
                percent(line.script_percent),
                percent(line.total_percent),
                errors_in_words(&line.tally.errors),
            ]
        };
        self.lines().iter().map(row).collect()
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
        for pairing in &self.pairings {
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
        let mut text =
            "position,team,points,games,ranking_percent,script_percent,total_percent\n".to_owned();
        for line in self.lines() {
            let _ = writeln!(
                text,
                "{},{},{},{},{:.4},{:.1},{:.4}",
                line.position,
                csv_cell(self.name(line.team)),
                line.points,
                line.tally.games(),
                line.ranking_percent,
                line.script_percent,
                line.total_percent
            );
        }
        text
    }

    pub(super) fn as_json(&self) -> Value {
        let team = |line: &Evaluated| {
            json!({
                "position": line.position,
                "team": self.name(line.team),
                "points": line.points,
                "games": line.tally.games(),
                "wins": line.tally.wins,
                "losses": line.tally.losses,
                "ranking_percent": line.ranking_percent,
                "script_percent": line.script_percent,
                "total_percent": line.total_percent,
                "has_script": self.teams[line.team.index()].has_script(),
                "errors": errors_json(&line.tally),
            })
        };
        json!({
            "game": self.game,
            "complete": self.is_complete(),
            "teams": self.lines().iter().map(team).collect::<Value>(),
            "pairings": self.pairings.iter().map(|pairing| self.pairing_json(pairing)).collect::<Value>(),
            "void": self.void().map(VoidGame::as_json).collect::<Value>(),
            "disturbed": self.disturbed().map(DisturbedAnswer::as_json).collect::<Value>(),
        })
    }

    fn pairing_json(&self, pairing: &PairingReport) -> Value {
        let tallies = self.tallies(pairing);
        let reasons = pairing.reasons.iter().filter(|(_, games)| **games > 0);
        let reasons: Map<String, Value> =
            reasons.map(|(reason, games)| (reason.clone(), json!(games))).collect();
        let failures = pairing.failures.each_ref().map(Option::as_ref);
        json!({
            "teams": pairing.teams.map(|team| self.name(team)),
            "games": tallies[0].games(),
            "wins": tallies.map(|tally| tally.wins),
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

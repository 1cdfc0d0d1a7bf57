//! What an evaluation came to, for people and for programs.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use quintain_core::printable;
use quintain_tournament::{Book, BotId, Evaluated, Tally, evaluate};
use serde_json::{Map, Value, json};

use super::pairing::{Ended, PairingReport};
use super::teams::Team;
use crate::output::grouped;

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
    fn is_complete(&self) -> bool {
        let is_interrupted = |pairing: &PairingReport| pairing.ended == Ended::Interrupted;
        self.pairings.len() == self.pairings_planned && !self.pairings.iter().any(is_interrupted)
    }

    pub(super) fn as_table(&self) -> String {
        let mut text = format!("{}\n", self.team_table());
        if !self.pairings.is_empty() {
            let _ = writeln!(text, "\n{}", self.pairing_table());
        }
        for pairing in &self.pairings {
            for (side, failure) in pairing.failures.iter().enumerate() {
                let [team, other] = [side, 1 - side].map(|side| self.name(pairing.teams[side]));
                if let Some(failure) = failure {
                    let line = format!("{team} against {other}: {failure}");
                    let _ = writeln!(text, "{}", printable(&line));
                }
            }
        }
        for team in self.teams.iter().filter(|team| !team.has_script()) {
            let _ = writeln!(text, "{}: there is no run.sh in its folder", printable(&team.name));
        }
        if !self.is_complete() {
            let _ = writeln!(
                text,
                "interrupted: {} of {} pairings were begun, the marks are not final",
                self.pairings.len(),
                self.pairings_planned
            );
        }
        text
    }

    fn team_table(&self) -> Table {
        let mut table = new_table(&[
            "position", "team", "points", "games", "ranking", "run.sh", "total", "errors",
        ]);
        for line in self.lines() {
            table.add_row([
                line.position.to_string(),
                printable(self.name(line.team)).into_owned(),
                grouped(line.points),
                grouped(line.tally.games()),
                percent(line.ranking_percent),
                percent(line.script_percent),
                percent(line.total_percent),
                errors_text(&line.tally),
            ]);
        }
        align_right(&mut table, &[0, 2, 3, 4, 5, 6]);
        table
    }

    fn pairing_table(&self) -> Table {
        let mut table = new_table(&["pairing", "games", "won", "how", "errors", "ended by"]);
        for pairing in &self.pairings {
            let [one, other] = pairing.teams;
            let [first, second] = self.tallies(pairing);
            let reasons = pairing.reasons.iter().filter(|(_, games)| **games > 0);
            let how: Vec<String> =
                reasons.map(|(reason, games)| format!("{reason} {}", grouped(*games))).collect();
            let errors: Vec<String> = [(one, first), (other, second)]
                .into_iter()
                .filter(|(_, tally)| tally.errors.total() > 0)
                .map(|(team, tally)| format!("{}: {}", self.name(team), errors_text(&tally)))
                .collect();
            let void = self.void(pairing);
            let mut ended = ended_text(pairing.ended).to_owned();
            if void > 0 {
                let _ = write!(ended, ", {} void", grouped(void));
            }
            table.add_row([
                printable(&format!("{} - {}", self.name(one), self.name(other))).into_owned(),
                grouped(first.games()),
                format!("{} - {}", grouped(first.wins), grouped(second.wins)),
                how.join(", "),
                printable(&errors.join("; ")).into_owned(),
                ended,
            ]);
        }
        align_right(&mut table, &[1]);
        table
    }

    fn tallies(&self, pairing: &PairingReport) -> [Tally; 2] {
        let [one, other] = pairing.teams;
        [self.book.against(one, other), self.book.against(other, one)]
    }

    fn void(&self, pairing: &PairingReport) -> u64 {
        let mut encounters = self.book.encounters();
        let found = encounters.find(|(one, other, _)| [*one, *other] == pairing.teams);
        found.map_or(0, |(_, _, encounter)| encounter.void)
    }

    pub(super) fn as_csv(&self) -> String {
        let mut text =
            "position,team,points,games,ranking_percent,script_percent,total_percent\n".to_owned();
        for line in self.lines() {
            let _ = writeln!(
                text,
                "{},{},{},{},{:.4},{:.1},{:.4}",
                line.position,
                csv_field(self.name(line.team)),
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
        })
    }

    fn pairing_json(&self, pairing: &PairingReport) -> Value {
        let tallies = self.tallies(pairing);
        let reasons = pairing.reasons.iter().filter(|(_, games)| **games > 0);
        let reasons: Map<String, Value> =
            reasons.map(|(reason, games)| ((*reason).to_owned(), json!(games))).collect();
        json!({
            "teams": pairing.teams.map(|team| self.name(team)),
            "games": tallies[0].games(),
            "wins": tallies.map(|tally| tally.wins),
            "void": self.void(pairing),
            "reasons": reasons,
            "errors": tallies.map(|tally| errors_json(&tally)),
            "failures": pairing.failures,
            "seconds": pairing.seconds,
            "ended": ended_text(pairing.ended),
        })
    }
}

fn new_table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header);
    table
}

fn align_right(table: &mut Table, columns: &[usize]) {
    for column in columns {
        if let Some(column) = table.column_mut(*column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
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

fn errors_text(tally: &Tally) -> String {
    let errors = tally.errors.iter().filter(|(_, games)| *games > 0);
    let words: Vec<String> =
        errors.map(|(kind, games)| format!("{} {}", kind.code(), grouped(games))).collect();
    words.join(", ")
}

fn errors_json(tally: &Tally) -> Value {
    let errors = tally.errors.iter().filter(|(_, games)| *games > 0);
    errors.map(|(kind, games)| (kind.code().to_owned(), json!(games))).collect::<Map<_, _>>().into()
}

/// A name in quotes if it holds what divides fields.
fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

//! The marks of an evaluation.

use std::fmt::Write as _;
use std::path::Path;

use comfy_table::Table;
use quintain_arena::results::{
    EvaluationReport, PairingReport, TEAMS_FILE, TeamFailure, TeamFailures, TeamNetwork, TeamReport,
};
use quintain_core::printable;
use quintain_tournament::grouped;
use serde_json::{Value, json};

use crate::disturbed::{self, void_summary};
use crate::spreadsheet::sheet;
use crate::table::{align_right, ruled_rows};
use crate::words::{WINDOWS_LINE_ENDS, counted, errors_in_words, shell_word};

const TEAM_HEADER: [&str; 7] =
    ["position", "team", "points", "games", "ranking", "run.sh", "total"];
const TEAM_HEADER_END: [&str; 2] = ["started by", "errors"];
/// What stands above the fields of a pairing.
pub const PAIRING_HEADER: [&str; 6] = ["pairing", "games", "won", "how", "errors", "ended by"];

/// What whoever shows the marks tells organisers to do.
#[derive(Clone, Copy, Debug, Default)]
pub struct EvaluationAdvice<'a> {
    /// How to give teams more time for their start.
    pub more_time: &'a str,
    /// What to do about a network that the teams can reach.
    pub network: Option<&'a str>,
}

pub fn tables(report: &EvaluationReport, advice: &EvaluationAdvice<'_>) -> String {
    let mut text = format!("{}\n", team_table(report).trim_fmt());
    if !report.pairings.is_empty() {
        let _ = writeln!(text, "\n{}", pairing_table(report).trim_fmt());
    }
    let lines = [notes(report, advice), failures(report, advice), void_summary(&report.void)];
    for line in lines.concat() {
        let _ = writeln!(text, "{}", printable(&line));
    }
    text += &disturbed::tables(&report.disturbed, &report.disturbed_bots);
    if let Some(unfinished) = unfinished(report) {
        let _ = writeln!(text, "{unfinished}");
    }
    text
}

pub fn csv(report: &EvaluationReport) -> String {
    let marks = ["position", "team", "points", "games", "ranking_percent", "script_percent"];
    let rest = ["total_percent", "weighted_percent", "granted", "started_by"];
    let row = |team: &TeamReport| {
        let weighted = team.weighted_percent.map(|part| format!("{part:.4}"));
        [
            team.position.to_string(),
            team.team.clone(),
            team.points.to_string(),
            team.games.to_string(),
            format!("{:.4}", team.ranking_percent),
            format!("{:.1}", team.script_percent),
            format!("{:.4}", team.total_percent),
            weighted.unwrap_or_default(),
            team.granted.to_string(),
            started_by(team),
        ]
    };
    sheet(&[&marks[..], &rest].concat(), report.teams.iter().map(row))
}

pub fn json(report: &EvaluationReport, advice: &EvaluationAdvice<'_>) -> Value {
    let mut object = json!(report);
    object["notes"] = json!(notes(report, advice));
    object
}

/// What has to be known about the marks beside failures.
pub fn notes(report: &EvaluationReport, advice: &EvaluationAdvice<'_>) -> Vec<String> {
    let granted = |pairing: &PairingReport| {
        let ready = pairing.ready?;
        let games = counted(pairing.granted[ready], "game");
        let (ready, other) = (&pairing.teams[ready], &pairing.teams[1 - ready]);
        Some(format!(
            "{other} failed against {ready} again and again: {games} that were not played count for \
             {ready}, as many as its other pairings have on average"
        ))
    };
    let mut lines: Vec<String> = report.pairings.iter().filter_map(granted).collect();
    lines.extend(advice.network.map(str::to_owned));
    lines.extend(side_by_side(report));
    let replays = report.replays.as_ref().filter(|_| report.has_replays);
    lines.extend(replays.map(|folder| format!("replays are in {folder}")));
    lines
}

/// How many pairings were played at a time, where there were several.
fn side_by_side(report: &EvaluationReport) -> Option<String> {
    match report.side_by_side.filter(|_| report.pairings_planned > 1)? {
        1 if report.network == Some(TeamNetwork::Host) => Some(
            "the pairings were played in turns: on the machine's network there can be only one at a time"
                .to_owned(),
        ),
        1 => None,
        count => {
            Some(format!("{count} pairings were played at a time, each in a network of its own"))
        }
    }
}

/// A sentence for each way in which a team failed first in a pairing. That a team could not be started, or not
/// by its script, is said once.
pub fn failures(report: &EvaluationReport, advice: &EvaluationAdvice<'_>) -> Vec<String> {
    let mut lines: Vec<String> = report.failures.iter().flat_map(failures_of).collect();
    let mut all = report.failures.iter().flat_map(|team| &team.failures);
    if all.any(|failure| failure.is_silence) {
        lines.push(format!(
            "a team that builds its program when it is started may need more time for it: build it \
             beforehand, or {}",
            advice.more_time
        ));
    }
    lines
}

fn failures_of(team: &TeamFailures) -> Vec<String> {
    let TeamFailures { team, programs, was_never_welcomed, has_windows_line_ends, failures } = team;
    if let Some(programs) = programs {
        return vec![format!("{team}: {}", lack(*programs))];
    }
    let mut lines = Vec::new();
    if *was_never_welcomed {
        lines.push(format!(
            "{team}: its run.sh never brought it to its welcome, so nothing is earned by it"
        ));
    }
    lines.extend(failures.iter().map(|failure| failure_in_words(team, failure)));
    if *has_windows_line_ends && !failures.is_empty() {
        lines.push(format!("{team}: {WINDOWS_LINE_ENDS}"));
    }
    lines
}

fn failure_in_words(team: &str, failure: &TeamFailure) -> String {
    let again = failure.replay.as_deref().map_or(String::new(), |path| {
        format!("; show it again: quintain replay {}", shell_word(Path::new(path)))
    });
    format!("{team} against {}: {}{again}", failure.opponents.join(", "), failure.text)
}

/// Why a team cannot be started that has so many programs.
fn lack(programs: usize) -> String {
    match programs {
        0 => "there is no run.sh in its folder, and no executable file".to_owned(),
        count => format!(
            "there is no run.sh in its folder, but {count} executable files: say which one in \
             {TEAMS_FILE}"
        ),
    }
}

/// What the marks lack.
pub fn unfinished(report: &EvaluationReport) -> Option<String> {
    let (begun, planned) = (report.pairings.len(), report.pairings_planned);
    (!report.is_complete).then(|| {
        format!("not finished: {begun} of {planned} pairings were begun, the marks are not final")
    })
}

fn team_table(report: &EvaluationReport) -> Table {
    let header = team_header(report);
    let numbers = header.len() - TEAM_HEADER_END.len();
    let mut table = ruled_rows(header, report.teams.iter().map(team_row));
    align_right(&mut table, &(0..numbers).filter(|column| *column != 1).collect::<Vec<_>>());
    table
}

/// What stands above the fields of a team.
pub fn team_header(report: &EvaluationReport) -> Vec<String> {
    let weight = report.weight.map(|weight| format!("of {weight}%"));
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    [words(&TEAM_HEADER), weight.into_iter().collect(), words(&TEAM_HEADER_END)].concat()
}

/// The fields of a team, below [`team_header`].
pub fn team_row(team: &TeamReport) -> Vec<String> {
    let percent = |value: f64| format!("{value:.1}%");
    let mut cells = vec![
        team.position.to_string(),
        team.team.clone(),
        grouped(team.points),
        grouped(team.games),
        percent(team.ranking_percent),
        percent(team.script_percent),
        percent(team.total_percent),
    ];
    cells.extend(team.weighted_percent.map(|part| format!("{part:.2}%")));
    cells.push(started_by(team));
    cells.push(errors_in_words(&team.errors));
    cells
}

fn started_by(team: &TeamReport) -> String {
    team.started_by.clone().unwrap_or_else(|| "nothing".to_owned())
}

fn pairing_table(report: &EvaluationReport) -> Table {
    let mut table = ruled_rows(PAIRING_HEADER, report.pairings.iter().map(pairing_row));
    align_right(&mut table, &[1]);
    table
}

/// The fields of a pairing, below [`PAIRING_HEADER`].
pub fn pairing_row(pairing: &PairingReport) -> [String; 6] {
    let how: Vec<String> = pairing
        .reasons
        .iter()
        .map(|(reason, games)| format!("{reason} {}", grouped(*games)))
        .collect();
    let errors: Vec<String> = pairing
        .teams
        .iter()
        .zip(&pairing.errors)
        .filter(|(_, errors)| errors.total() > 0)
        .map(|(team, errors)| format!("{team}: {}", errors_in_words(errors)))
        .collect();
    let mut ended = pairing.ended.name().to_owned();
    if let Some(ready) = pairing.ready {
        let _ = write!(ended, ", {} for {}", grouped(pairing.granted[ready]), pairing.teams[ready]);
    }
    if pairing.void > 0 {
        let _ = write!(ended, ", {} void", pairing.void);
    }
    [
        pairing.teams.join(" - "),
        grouped(pairing.games),
        pairing.wins.map(grouped).join(" - "),
        how.join(", "),
        errors.join("; "),
        ended,
    ]
}

//! An evaluation: the marks of the teams, and what they rest on.

use askama::Template;
use quintain_arena::results::{EvaluationReport, PairingReport, TeamReport};
use quintain_report::chart;
use quintain_report::evaluation::{
    self as words, EvaluationAdvice, PAIRING_HEADER, pairing_row, team_header, team_row,
};
use quintain_store::RunInfo;

use super::archive::Archive;
use super::head::{BotLink, RunHead, RunState, shown};
use super::links::Matches;
use super::progress::{Pace, Progress};
use super::troubles::Troubles;
use crate::error::Refusal;

#[derive(Template)]
#[template(path = "evaluation.html")]
pub(crate) struct EvaluationPage {
    pub(super) head: RunHead,
    pub(super) progress: Option<Progress>,
    pub(super) view: EvaluationView,
}

/// What is shown of an evaluation, be it served or kept.
pub(crate) struct EvaluationView {
    pub(crate) unfinished: Option<String>,
    /// What stands above the fields of a team, behind its position and its name.
    pub(crate) columns: Vec<String>,
    pub(crate) teams: Vec<TeamRow>,
    pub(crate) pairing_columns: [&'static str; 6],
    pub(crate) pairings: Vec<PairingRow>,
    pub(crate) notes: Vec<String>,
    pub(crate) failures: Vec<String>,
    pub(crate) troubles: Troubles,
}

pub(crate) struct TeamRow {
    pub(crate) position: u32,
    pub(crate) team: BotLink,
    pub(crate) bar: String,
    pub(crate) cells: Vec<String>,
}

pub(crate) struct PairingRow {
    pub(crate) cells: Vec<String>,
    pub(crate) matches: String,
}

/// How many fields of a team stand before those that [`EvaluationView::columns`] name.
const OWN_FIELDS: usize = 2;

impl EvaluationPage {
    pub(crate) fn new(archive: &Archive, run: &RunInfo) -> Result<EvaluationPage, Refusal> {
        let report = archive.evaluation(run)?;
        let advice = evaluation_advice();
        let head = RunHead::new(archive, run, report.is_complete)?;
        let pace = Pace {
            done: ended(&report),
            planned: report.pairings_planned as u64,
            time: archive.store.played(run.id)?,
            is_exact: true,
            what: "pairings",
        };
        let progress = head.state.is_playing().then(|| Progress::new(&pace, true));
        let view = EvaluationView::new(&report, &advice, &run.plan.name);
        Ok(EvaluationPage { head, progress, view })
    }
}

/// What a reader of a page can do.
pub(crate) fn evaluation_advice() -> EvaluationAdvice<'static> {
    EvaluationAdvice { more_time: "give it more time", network: None }
}

/// Pairings that are over. The one that was begun last is not.
fn ended(report: &EvaluationReport) -> u64 {
    let begun = report.pairings.len() as u64;
    if report.is_complete { begun } else { begun.saturating_sub(1) }
}

impl EvaluationView {
    pub(crate) fn new(
        report: &EvaluationReport,
        advice: &EvaluationAdvice<'_>,
        run: &str,
    ) -> EvaluationView {
        let matches = Matches::of_run(run);
        let lines = |lines: Vec<String>| lines.iter().map(|line| shown(line)).collect();
        EvaluationView {
            unfinished: words::unfinished(report),
            columns: team_header(report).split_off(OWN_FIELDS),
            teams: report.teams.iter().map(TeamRow::new).collect(),
            pairing_columns: PAIRING_HEADER,
            pairings: report.pairings.iter().map(|one| PairingRow::new(one, &matches)).collect(),
            notes: lines(words::notes(report, advice)),
            failures: lines(words::failures(report, advice)),
            troubles: Troubles::new(&report.void, &report.disturbed, &report.disturbed_bots),
        }
    }
}

impl TeamRow {
    fn new(team: &TeamReport) -> TeamRow {
        let told = format!("{}: {:.1}% of the mark", team.team, team.total_percent);
        let cells = team_row(team).split_off(OWN_FIELDS);
        TeamRow {
            position: team.position,
            team: BotLink::new(&team.team),
            bar: chart::progress(&told, team.total_percent / 100.0),
            cells: cells.iter().map(|cell| shown(cell)).collect(),
        }
    }
}

impl PairingRow {
    fn new(pairing: &PairingReport, matches: &Matches) -> PairingRow {
        let [one, other] = &pairing.teams;
        PairingRow {
            cells: pairing_row(pairing).iter().map(|cell| shown(cell)).collect(),
            matches: matches.bot(one).opponent(other).address(),
        }
    }
}

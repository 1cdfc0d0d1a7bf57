//! A tournament: how it stands, who beats whom, and the games behind every number.

use std::time::Duration;

use askama::Template;
use quintain_arena::results::{Meeting, RoundReport, StandingsRow, TournamentReport};
use quintain_core::ErrorKind;
use quintain_report::chart;
use quintain_report::tournament as words;

use quintain_store::RunInfo;
use quintain_tournament::Rating;

use super::archive::Archive;
use super::head::{BotLink, Figure, RunHead, RunState, shown};
use super::links::Matches;
use super::progress::{Pace, Progress};
use super::troubles::Troubles;
use crate::error::Refusal;

/// Steps of the heat map, from a loss of everything to a win of everything.
const HEAT_STEPS: f64 = 10.0;

/// Bots whose cross table has room beside the standings.
const BESIDE_MAX: usize = 10;

#[derive(Template)]
#[template(path = "tournament.html")]
pub(crate) struct TournamentPage {
    pub(super) head: RunHead,
    pub(super) view: TournamentView,
}

/// What is shown of a tournament, be it served or kept.
pub(crate) struct TournamentView {
    pub(crate) subtitle: String,
    pub(crate) doubt: Option<String>,
    pub(crate) progress: Option<Progress>,
    /// What the column of intervals is called.
    pub(crate) interval: &'static str,
    pub(crate) standings: Vec<Standing>,
    pub(crate) cross: Vec<CrossRow>,
    pub(crate) rounds: Vec<Round>,
    pub(crate) is_knockout: bool,
    pub(crate) is_swiss: bool,
    pub(crate) remarks: Vec<String>,
    pub(crate) errors: Vec<Errors>,
    pub(crate) troubles: Troubles,
}

pub(crate) struct Standing {
    pub(crate) place: String,
    pub(crate) bot: BotLink,
    pub(crate) rating: String,
    pub(crate) interval: String,
    pub(crate) bar: Option<String>,
    pub(crate) points: Figure,
    pub(crate) share: String,
    pub(crate) results: [Figure; 3],
    pub(crate) errors: Figure,
    /// Swiss points, and those of the opponents.
    pub(crate) swiss: Option<[String; 2]>,
}

pub(crate) struct CrossRow {
    pub(crate) bot: String,
    pub(crate) cells: Vec<Option<CrossCell>>,
}

pub(crate) struct CrossCell {
    pub(crate) points: Figure,
    /// How strong its colour is, from 0 to 10.
    pub(crate) heat: u8,
    pub(crate) told: String,
}

pub(crate) struct Round {
    pub(crate) title: String,
    pub(crate) meetings: Vec<Met>,
    pub(crate) byes: Vec<String>,
}

pub(crate) struct Met {
    pub(crate) sides: [Side; 2],
    pub(crate) outcome: String,
    pub(crate) matches: String,
}

pub(crate) struct Side {
    pub(crate) bot: String,
    pub(crate) points: String,
    pub(crate) goes_on: bool,
}

pub(crate) struct Errors {
    pub(crate) bot: BotLink,

    pub(crate) kinds: Vec<(&'static str, Figure)>,
}

impl TournamentPage {
    pub(crate) fn new(archive: &Archive, run: &RunInfo) -> Result<TournamentPage, Refusal> {
        let report = archive.tournament(run)?;
        let head = RunHead::new(archive, run, report.is_over)?;
        let is_playing = head.state == RunState::Playing;
        let view = TournamentView::new(&report, is_playing);
        Ok(TournamentPage { head, view })
    }
}

impl TournamentView {
    pub(crate) fn new(report: &TournamentReport, is_playing: bool) -> TournamentView {
        let matches = Matches::of_run(&report.name);
        let ratings: Vec<Rating> =
            report.standings.iter().filter_map(StandingsRow::rating).collect();
        let axis = chart::rating_axis(&ratings);
        let standing = |row: &StandingsRow| Standing {
            bar: row.rating().map(|rating| chart::rating_bar(&axis, &rating)),
            ..standing(row, &matches)
        };
        TournamentView {
            subtitle: shown(&words::subtitle(report)),
            doubt: words::doubt(report, &super::advice()),
            progress: progress(report, is_playing),
            interval: words::interval_name(report),
            standings: report.standings.iter().map(standing).collect(),
            cross: cross(report, &matches),
            rounds: report.rounds.iter().map(|round| round_of(report, round, &matches)).collect(),
            is_knockout: report.form == "knockout",
            is_swiss: report.standings.iter().any(|row| row.swiss.is_some()),
            remarks: remarks(report),
            errors: errors(report, &matches),
            troubles: Troubles::new(&report.void, &report.disturbed, &report.disturbed_bots),
        }
    }

    /// Whether there are too many bots for two tables side by side.
    pub(crate) fn is_large(&self) -> bool {
        self.standings.len() > BESIDE_MAX
    }
}

/// What is said about copies, and about games that both lost.
fn remarks(report: &TournamentReport) -> Vec<String> {
    let lines = [words::copies(report), words::both_lost(report)].concat();
    lines.iter().map(|line| shown(line)).collect()
}

fn progress(report: &TournamentReport, is_playing: bool) -> Option<Progress> {
    let planned = report.planned.filter(|planned| *planned > 0)?;
    let done = report.games + report.void.len() as u64;
    let time = Duration::try_from_secs_f64(report.seconds).unwrap_or_default();
    let pace = Pace { done, planned, time, is_exact: true, what: "games" };
    Some(Progress::new(&pace, is_playing))
}

fn standing(row: &StandingsRow, matches: &Matches) -> Standing {
    use quintain_core::Verdict;
    let own = matches.bot(&row.bot);
    let share = row.points / row.games.max(1) as f64;
    let results =
        [(row.wins, Verdict::Win), (row.draws, Verdict::Draw), (row.losses, Verdict::Loss)];
    Standing {
        place: row.place.map_or_else(String::new, |place| place.to_string()),
        bot: BotLink::new(&row.bot),
        rating: row.rating.map_or_else(String::new, |rating| format!("{rating:.0}")),
        interval: row.rating().map_or_else(String::new, |rating| rating.interval_in_words()),
        bar: None,
        points: Figure { number: chart::shortest(row.points), address: Some(own.address()) },
        share: format!("{:.1}%", 100.0 * share),
        results: results.map(|(count, verdict)| Figure::new(count, &own.verdict(verdict))),
        errors: Figure::new(row.errors, &own.with("error", "any")),
        swiss: row.swiss.map(|swiss| [swiss.swiss_points, swiss.buchholz].map(chart::shortest)),
    }
}

/// Points of each row against each column.
fn cross(report: &TournamentReport, matches: &Matches) -> Vec<CrossRow> {
    let names: Vec<&str> = report.standings.iter().map(|row| row.bot.as_str()).collect();
    let cell = |own: &str, other: &str, score: &Option<[u64; 3]>| {
        let [wins, draws, losses] = (*score)?;
        let games = wins + draws + losses;
        if games == 0 {
            return None;
        }
        let points = wins as f64 + 0.5 * draws as f64;
        let list = matches.bot(own).opponent(other);
        Some(CrossCell {
            points: Figure { number: chart::shortest(points), address: Some(list.address()) },
            heat: (HEAT_STEPS * points / games as f64).round() as u8,
            told: shown(&format!(
                "{own} against {other}: {wins} won, {draws} drawn, {losses} lost"
            )),
        })
    };
    let row = |(own, scores): (&&str, &Vec<Option<[u64; 3]>>)| CrossRow {
        bot: shown(own),
        cells: names.iter().zip(scores).map(|(other, score)| cell(own, other, score)).collect(),
    };
    names.iter().zip(&report.cross_table).map(row).collect()
}

fn round_of(report: &TournamentReport, round: &RoundReport, matches: &Matches) -> Round {
    let is_last = round.pairings.iter().any(|meeting| meeting.is_final);
    let title = match (is_last, report.form) {
        (true, _) => "Final".to_owned(),
        _ => format!("Round {}", round.round),
    };
    let list = matches.with("round", (round.round - 1).to_string());
    Round {
        title,
        meetings: round.pairings.iter().map(|meeting| met(meeting, &list)).collect(),
        byes: round.byes.iter().map(|bot| shown(bot)).collect(),
    }
}

fn met(meeting: &Meeting, matches: &Matches) -> Met {
    let side = |index: usize| Side {
        bot: shown(&meeting.bots[index]),
        points: chart::shortest(meeting.points[index]),
        goes_on: meeting.goes_on.as_ref() == Some(&meeting.bots[index]),
    };
    let [one, other] = &meeting.bots;
    Met {
        sides: [side(0), side(1)],
        outcome: shown(&words::outcome(meeting)),
        matches: matches.bot(one).opponent(other).address(),
    }
}

fn errors(report: &TournamentReport, matches: &Matches) -> Vec<Errors> {
    let failed = report.standings.iter().filter(|row| row.errors > 0);
    let row = |row: &StandingsRow| {
        let list = matches.bot(&row.bot);
        let made = row.error_kinds.iter().filter(|(_, count)| *count > 0);
        let figure =
            |(kind, count): (ErrorKind, u64)| (kind.code(), Figure::new(count, &list.error(kind)));
        Errors { bot: BotLink::new(&row.bot), kinds: made.map(figure).collect() }
    };
    failed.map(row).collect()
}

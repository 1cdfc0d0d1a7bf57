//! The standings of a tournament.

mod tables;

use quintain_arena::results::{
    CopiesReport, Meeting, RoundReport, StandingsRow, TournamentReport, is_refused,
};
use quintain_core::ErrorKind;
use quintain_tournament::{RatingKind, copies_in_words, grouped};
use serde_json::{Value, json};

pub use tables::tables;

use crate::Advice;
use crate::spreadsheet::sheet;
use crate::words::{REFUSED, counted, doubt_in_words, errors_in_words};

const ROUNDS_TITLE: &str = "Rounds";
const ROUNDS_COLUMNS: [&str; 5] = ["round", "bot", "points", "opponent", ""];
const SWISS_TITLE: &str = "Points of pairings, byes included, and those of the opponents";
const SWISS_COLUMNS: [&str; 4] = ["", "bot", "Swiss points", "Buchholz"];

/// How wide the columns of a cross table may be together if they are to have names.
const NAMED_COLUMNS_MAX: usize = 60;
/// A usual score, and what stands between two columns.
const SCORE_WIDTH: usize = 7;
const GAP: usize = 3;

pub fn csv(report: &TournamentReport) -> String {
    let columns = ["place", "bot", "games", "wins", "draws", "losses", "both_lost", "points"];
    let header = [&columns[..], &["rating", "low", "high", "errors"]].concat();
    let header = [&header[..], &ErrorKind::ALL.map(ErrorKind::code)].concat();
    let row = |row: &StandingsRow| {
        let counts = [row.games, row.wins, row.draws, row.losses, row.both_lost];
        let rating =
            [row.rating, row.low, row.high].map(|value| if_any(value, |it| format!("{it:.1}")));
        let mut cells = vec![if_any(row.place, |place| place.to_string()), row.bot.clone()];
        cells.extend(counts.map(|count| count.to_string()));
        cells.push(row.points.to_string());
        cells.extend(rating);
        cells.push(row.errors.to_string());
        cells.extend(row.error_kinds.iter().map(|(_, count)| count.to_string()));
        cells
    };
    sheet(&header, report.standings.iter().map(row))
}

pub fn json(report: &TournamentReport, advice: &Advice<'_>) -> Value {
    let mut object = json!(report);
    object["doubt"] = json!(doubt(report, advice));
    object["verdict"] =
        json!(if is_refused(report.doubt.as_ref()) { REFUSED } else { "standings" });
    object
}

/// What is said about games that the machine disturbed, if they are too many.
pub fn doubt(report: &TournamentReport, advice: &Advice<'_>) -> Option<String> {
    report.doubt.as_ref().map(|doubt| doubt_in_words(doubt, advice))
}

/// What each bot did wrong, if it did.
fn errors(report: &TournamentReport) -> Vec<String> {
    let failed = report.standings.iter().filter(|row| row.errors > 0);
    failed.map(|row| format!("{}: {}", row.bot, errors_in_words(&row.error_kinds))).collect()
}

/// What is said about games that are copies of others: of all, and of each pairing as long as these are
/// few.
pub fn copies(report: &TournamentReport) -> Vec<String> {
    const LISTED_MAX: usize = 10;
    let Some(all) = copies_in_words(report.games, report.different_games) else {
        return Vec::new();
    };
    let of_pairing = |line: &CopiesReport| {
        let [one, other] = &line.bots;
        let copies = copies_in_words(line.games, line.different)?;
        Some(format!("{one} and {other}: {copies}"))
    };
    let mut lines = vec![format!("{all}, and copies make no rating surer")];
    if report.standings.len() > 2 && report.copies.len() <= LISTED_MAX {
        lines.extend(report.copies.iter().filter_map(of_pairing));
    }
    lines
}

/// Who lost games together with their opponents.
pub fn both_lost(report: &TournamentReport) -> Vec<String> {
    let lost = report.standings.iter().filter(|row| row.both_lost > 0);
    let told = lost.map(|row| {
        let games = counted(row.both_lost, "game");
        format!("{}: {games} lost by both sides, among the lost ones", row.bot)
    });
    told.collect()
}

/// What was played, behind the name.
pub fn subtitle(report: &TournamentReport) -> String {
    let games = match report.planned {
        Some(planned) if planned != report.games + report.void.len() as u64 => {
            format!("{} of {} games", grouped(report.games), grouped(planned))
        }
        _ => counted(report.games, "game"),
    };
    let void = match report.void.len() {
        0 => String::new(),
        void => format!(", {void} void"),
    };
    let (game, form, rating) = (&report.game, report.form, report.rating.name());
    let interval = match report.rating {
        RatingKind::BradleyTerry => "95% intervals",
        RatingKind::Glicko => "1.96 of its deviations either way",
    };
    format!("{game}, {form}, {games}{void}; ratings by {rating} with {interval}")
}

/// What stands above the fields of a row.
fn columns(report: &TournamentReport) -> [&'static str; 10] {
    let interval = interval_name(report);
    ["", "bot", "games", "won", "drawn", "lost", "points", "rating", interval, "errors"]
}

/// What intervals of ratings are called: what Glicko-2 calls a deviation is no promise.
pub fn interval_name(report: &TournamentReport) -> &'static str {
    match report.rating {
        RatingKind::BradleyTerry => "95%",
        RatingKind::Glicko => "\u{b1}1.96 RD",
    }
}

/// The fields of a row, below [`columns`].
fn cells(row: &StandingsRow) -> [String; 10] {
    let share = row.points / row.games.max(1) as f64;
    [
        if_any(row.place, |place| place.to_string()),
        row.bot.clone(),
        grouped(row.games),
        grouped(row.wins),
        grouped(row.draws),
        grouped(row.losses),
        format!("{:.1}%", 100.0 * share),
        if_any(row.rating, |rating| format!("{rating:.0}")),
        if_any(row.rating(), |rating| rating.interval_in_words()),
        grouped(row.errors),
    ]
}

/// Won-drawn-lost of each against each: the header, with what stands in its corner, and the rows.
fn cross_table(report: &TournamentReport, corner: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let (names, columns) = cross_labels(report);
    let row = |(name, fields): (String, &Vec<_>)| {
        [name].into_iter().chain(fields.iter().map(score)).collect()
    };
    let rows = names.into_iter().zip(&report.cross_table).map(row).collect();
    ([corner.to_owned()].into_iter().chain(columns).collect(), rows)
}

/// What stands before the rows and above the columns of the cross table: the names of the bots, above the
/// columns only if they fit, else the numbers of the rows.
fn cross_labels(report: &TournamentReport) -> (Vec<String>, Vec<String>) {
    let widths = report.standings.iter().map(|row| row.bot.chars().count().max(SCORE_WIDTH) + GAP);
    let are_numbered = widths.sum::<usize>() > NAMED_COLUMNS_MAX;
    let label = |(index, row): (usize, &StandingsRow)| match are_numbered {
        true => (format!("{} {}", index + 1, row.bot), (index + 1).to_string()),
        false => (row.bot.clone(), row.bot.clone()),
    };
    report.standings.iter().enumerate().map(label).unzip()
}

/// Won-drawn-lost; nothing for two that have not met.
fn score(field: &Option<[u64; 3]>) -> String {
    match field {
        Some([wins, draws, losses]) if wins + draws + losses > 0 => {
            format!("{wins}-{draws}-{losses}")
        }
        _ => String::new(),
    }
}

/// What the places of a Swiss tournament rest on, below [`SWISS_COLUMNS`]; nothing for others.
fn swiss_rows(report: &TournamentReport) -> Vec<[String; 4]> {
    let row = |row: &StandingsRow| {
        let swiss = row.swiss.as_ref()?;
        let points = [swiss.swiss_points, swiss.buchholz].map(|points| points.to_string());
        let [points, buchholz] = points;
        Some([row.place?.to_string(), row.bot.clone(), points, buchholz])
    };
    report.standings.iter().filter_map(row).collect()
}

/// The rows of a round, below [`ROUNDS_COLUMNS`].
fn round_rows(round: &RoundReport) -> Vec<[String; 5]> {
    let number = round.round.to_string();
    let meetings = round.pairings.iter().map(|meeting| {
        let ([one, other], [won, lost]) = (meeting.bots.clone(), meeting.points);
        [number.clone(), one, format!("{won} : {lost}"), other, outcome(meeting)]
    });
    let byes = round.byes.iter().map(|bot| {
        let nothing = String::new();
        [number.clone(), bot.clone(), nothing.clone(), nothing, "bye".to_owned()]
    });
    meetings.chain(byes).collect()
}

/// Who goes on, and why; nothing before that is known.
pub fn outcome(meeting: &Meeting) -> String {
    let Some(survivor) = &meeting.goes_on else { return String::new() };
    let what = match (meeting.is_final, meeting.is_for_third_place) {
        (true, _) => "wins",
        (_, true) => "is third",
        _ => "goes on",
    };
    let [one, other] = meeting.points;
    let why = if one == other { ", level but seeded better" } else { "" };
    format!("{survivor} {what}{why}")
}

fn if_any<T>(value: Option<T>, text: impl Fn(T) -> String) -> String {
    value.map_or_else(String::new, text)
}

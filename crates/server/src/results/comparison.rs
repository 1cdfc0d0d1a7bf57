//! A comparison: whether the new version is better, what that rests on, and the games behind every number.

use askama::Template;
use quintain_arena::results::{ComparisonReport, EvidencePoint, WatchedComparison};
use quintain_core::{ErrorKind, Seat, Verdict};
use quintain_report::chart::{self, EvidenceChart, Room};
use quintain_report::comparison as words;
use quintain_report::words::doubt_in_words;
use quintain_store::{PairTally, RunInfo};
use quintain_tournament::{Decision, ELO_MAX, Evidence, NEW, OLD, copies_in_words, grouped};

use super::archive::Archive;
use super::head::{BotLink, Figure, RunHead, RunState, shown};
use super::links::{Matches, PAIR_POINTS};
use super::progress::{Pace, Progress};
use crate::error::Refusal;
use crate::limits::EVIDENCE_ROWS;

#[derive(Template)]
#[template(path = "comparison.html")]
pub(crate) struct ComparisonPage {
    pub(super) head: RunHead,
    pub(super) progress: Option<Progress>,
    old: BotLink,
    pub(super) new: BotLink,
    /// Who is better, in a few words, and the whole sentence.
    pub(super) finding: String,
    pub(super) sentence: String,
    remarks: Vec<String>,
    pub(super) test: Option<Test>,
    pub(super) tiles: Vec<(&'static str, Figure)>,
    pub(super) elo: Elo,
    pairs: Pairs,
    seats: Vec<SeatRow>,
    errors: Vec<ErrorRow>,
}

/// How far the test has come.
pub(super) struct Test {
    settings: String,
    pub(super) state: &'static str,
    pub(super) is_decided: bool,
    pub(super) charts: [String; 2],
    answers: Vec<String>,
    needed: Vec<String>,
    rows: Vec<(String, Vec<String>)>,
}

pub(super) struct Elo {
    value: String,
    interval: String,
    pub(super) chart: String,
}

struct Pairs {
    count: String,
    chart: String,
    /// By the points of the new version, each with its games.
    counts: Vec<(&'static str, Figure)>,
}

/// Results of the new version on a seat.
struct SeatRow {
    seat: &'static str,
    figures: [Figure; 3],
}

struct ErrorRow {
    kind: String,
    figures: [Figure; 2],
}

impl ComparisonPage {
    pub(crate) fn new(archive: &Archive, run: &RunInfo) -> Result<ComparisonPage, Refusal> {
        let store = &archive.store;
        let (report, curve, surplus) =
            archive.with_comparison(run, |watched: &WatchedComparison| {
                Ok((watched.report(store, run)?, watched.curve(), watched.surplus()))
            })?;
        let tallies = store.tally(run.id)?;
        let wish = quintain_arena::plan::RunWish::of(run);
        let is_over = report.is_decided
            || report.is_exhausted
            || wish.games.is_some_and(|games| run.games >= u64::from(games));
        let matches = Matches::of_run(&run.plan.name);
        let head = RunHead::new(archive, run, is_over)?;
        let progress = wish.games.map(|games| Pace {
            done: run.games,
            planned: games.into(),
            time: report.time,
            is_exact: report.sprt.is_none(),
            what: "games",
        });
        let is_playing = head.state.is_playing();
        Ok(ComparisonPage {
            progress: progress.filter(|_| !is_over).map(|pace| Progress::new(&pace, is_playing)),
            head,
            old: BotLink::new(&report.old),
            new: BotLink::new(&report.new),
            finding: finding(&report),
            sentence: shown(&sentence(&report)),
            remarks: remarks(&report),
            test: test(&report, &curve),
            tiles: tiles(&report, surplus, &matches),
            elo: elo(&report),
            pairs: pairs(&report, &matches.bot(&report.new)),
            seats: seats(&tallies, &matches.bot(&report.new)),
            errors: errors(&report, &matches),
        })
    }
}

fn finding(report: &ComparisonReport) -> String {
    use quintain_tournament::Finding;
    if quintain_arena::results::is_refused(report.doubt.as_ref()) {
        return "No verdict".to_owned();
    }
    match report.finding {
        Finding::NewIsStronger => format!("{} is stronger", shown(&report.new)),
        Finding::OldIsStronger => format!("{} is stronger", shown(&report.old)),
        Finding::NoDifferenceShown => "No difference shown".to_owned(),
        Finding::BothLost => "Both lost every game".to_owned(),
    }
}

/// What the finding rests on.
fn sentence(report: &ComparisonReport) -> String {
    if let Some(doubt) = report.doubt.as_ref().filter(|doubt| !doubt.is_forced) {
        return doubt_in_words(doubt, &super::advice());
    }
    let whole = report.finding.sentence(report.estimate(), &report.old, &report.new, report.time);
    // The finding stands above it.
    let rest = whole.split_at_checked(finding(report).len()).map(|(_, rest)| rest);
    rest.and_then(|rest| rest.strip_prefix(": ")).map_or_else(|| whole.clone(), str::to_owned)
}

/// What has to be known beside the finding.
fn remarks(report: &ComparisonReport) -> Vec<String> {
    let copies = copies_in_words(report.games, report.different_games)
        .map(|copies| format!("{copies}, and copies make nothing surer"));
    let exhausted = report.is_exhausted.then(words::exhausted);
    copies.into_iter().chain(exhausted).collect()
}

fn test(report: &ComparisonReport, curve: &[EvidencePoint]) -> Option<Test> {
    let sprt = report.sprt.as_ref()?;
    let answer = |evidence: &Evidence| match (evidence.answer, sprt.is_mirrored()) {
        (Decision::Above, true) => format!("{} is stronger", report.new),
        (Decision::Mirrored, _) => format!("{} is stronger", report.old),
        (Decision::Below, true) => "no difference".to_owned(),
        (Decision::Below | Decision::Undecided, _) => format!("below {} Elo", sprt.elo1()),
        (Decision::Above, false) => format!("above {} Elo", sprt.elo0()),
    };
    let answers: Vec<String> = report.evidence.iter().map(answer).collect();
    let needed: Vec<f64> = report.evidence.iter().map(|evidence| evidence.needed).collect();
    let state = if report.is_decided { "decided" } else { "undecided" };
    let told: Vec<String> = answers.iter().zip(&report.evidence).map(amount).collect();
    let sentence = format!("Evidence over {} games; {}", grouped(report.games), told.join(", "));
    let chart =
        EvidenceChart { points: curve, needed: &needed, answers: &answers, sentence: &sentence };
    let step = curve.len().div_ceil(EVIDENCE_ROWS).max(1);
    let last = curve.len().saturating_sub(1);
    let is_shown = |index: usize| index.is_multiple_of(step) || index == last;
    let rows = curve.iter().enumerate().filter(|(index, _)| is_shown(*index)).map(|(_, point)| {
        let values = point.evidence.iter().map(|value| format!("{value:.2}")).collect();
        (grouped(point.games), values)
    });
    Some(Test {
        settings: format!(
            "Is the difference above {} Elo, rather than below {}? Risks {} and {}.",
            sprt.elo0(),
            sprt.elo1(),
            sprt.alpha(),
            sprt.beta()
        ),
        state,
        is_decided: report.is_decided,
        charts: [Room::Wide, Room::Narrow].map(|room| chart.svg(room)),
        needed: needed.iter().map(|needed| format!("{needed:.2}")).collect(),
        rows: rows.collect(),
        answers: answers.iter().map(|answer| shown(answer)).collect(),
    })
}

fn amount((answer, evidence): (&String, &Evidence)) -> String {
    format!("{answer}: {:.2} of {:.2}", evidence.value, evidence.needed)
}

fn tiles(
    report: &ComparisonReport,
    surplus: u64,
    matches: &Matches,
) -> Vec<(&'static str, Figure)> {
    let new = matches.bot(&report.new);
    let mut tiles = vec![
        ("games", Figure::new(report.games, matches)),
        ("won", Figure::new(report.wins, &new.verdict(Verdict::Win))),
        ("drawn", Figure::new(report.draws, &new.verdict(Verdict::Draw))),
        ("lost", Figure::new(report.losses, &new.verdict(Verdict::Loss))),
        ("different", Figure::plain(grouped(report.different_games))),
        (
            "played again",
            Figure::new(report.played_again, &matches.with("disturbed", "yes").with("void", "no")),
        ),
        ("void", Figure::new(report.void, &matches.with("void", "yes"))),
    ];
    if surplus > 0 {
        tiles.push(("after the end", Figure::plain(grouped(surplus))));
    }
    tiles
}

fn elo(report: &ComparisonReport) -> Elo {
    let estimate = report.estimate();
    let end = |end: f64, open: &str| match end.abs() < ELO_MAX {
        true => format!("{end:+.1}"),
        false => open.to_owned(),
    };
    Elo {
        value: format!("{:+.1}", estimate.elo),
        interval: format!(
            "between {} and {} (95%)",
            end(estimate.low, "any less"),
            end(estimate.high, "any more")
        ),
        chart: chart::strength(&estimate),
    }
}

fn pairs(report: &ComparisonReport, matches: &Matches) -> Pairs {
    const POINTS: [&str; 5] = ["0", "½", "1", "1½", "2"];
    let counts = report.results.pairs.0;
    let figures = counts.into_iter().zip(PAIR_POINTS);
    let figures = figures.map(|(count, points)| Figure::new(count, &matches.with("pair", points)));
    Pairs {
        count: grouped(report.results.pairs.pairs()),
        chart: chart::pairs(&report.new, counts),
        counts: POINTS.into_iter().zip(figures).collect(),
    }
}

/// From the side of the new version, whose place is the higher one.
fn seats(tallies: &[PairTally], matches: &Matches) -> Vec<SeatRow> {
    debug_assert!(OLD < NEW, "tallies are from the side of the old version");
    let row = |seat: Seat| {
        // Where the old version had the second seat, the new one had the first.
        let side = usize::from(seat == Seat::First);
        let sum = |count: fn(&quintain_store::Results) -> u64| {
            tallies.iter().map(|tally| count(&tally.by_seat[side])).sum()
        };
        let list = matches.seat(seat);
        let figures = [
            (sum(|results| results.losses), Verdict::Win),
            (sum(|results| results.draws), Verdict::Draw),
            (sum(|results| results.wins + results.lost_by_both), Verdict::Loss),
        ];
        let figures = figures.map(|(count, verdict)| Figure::new(count, &list.verdict(verdict)));
        SeatRow { seat: seat.name(), figures }
    };
    Seat::BOTH.map(row).into()
}

/// A row for each kind of error that was made.
fn errors(report: &ComparisonReport, matches: &Matches) -> Vec<ErrorRow> {
    let both = [(&report.old, report.errors.old), (&report.new, report.errors.new)];
    let count = |errors: &quintain_tournament::ErrorCounts, wanted: ErrorKind| {
        errors.iter().find(|(kind, _)| *kind == wanted).map_or(0, |(_, count)| count)
    };
    let row = |kind: ErrorKind| ErrorRow {
        kind: kind.code().to_owned(),
        figures: both
            .each_ref()
            .map(|(bot, errors)| Figure::new(count(errors, kind), &matches.bot(bot).error(kind))),
    };
    let is_made = |kind: &ErrorKind| both.iter().any(|(_, errors)| count(errors, *kind) > 0);
    ErrorKind::ALL.into_iter().filter(is_made).map(row).collect()
}

//! Whether the new version is better.

use quintain_arena::results::{ComparisonReport, is_refused};
use quintain_core::printable;
use quintain_tournament::{Evidence, PAIRS_WITHOUT_NEWS, copies_in_words};
use serde_json::{Value, json};

use crate::Advice;
use crate::disturbed::bots_in_words;
use crate::words::{Line, REFUSED, counted, doubt_in_words, errors_in_words, headed};

/// Games of a comparison that a reader may want to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Troubled<'a> {
    /// Those in which this bot made errors.
    By(&'a str),
    Void,
    Disturbed,
}

pub fn json(report: &ComparisonReport) -> Value {
    let is_refused = is_refused(report.doubt.as_ref());
    let mut object = json!(report);
    object["verdict"] = json!(if is_refused { REFUSED } else { report.finding.code() });
    object
}

/// The finding, which is the heading, and what it rests on. `list` says how such games are listed, behind
/// what is said of them.
pub fn lines(
    report: &ComparisonReport,
    advice: &Advice<'_>,
    list: impl Fn(Troubled<'_>) -> String,
) -> Vec<Line> {
    let doubt = report.doubt.as_ref().map(|doubt| doubt_in_words(doubt, advice));
    let ComparisonReport { old, new, wins, draws, losses, both_lost, .. } = report;
    let sentence = || report.finding.sentence(report.estimate(), old, new, report.time);
    let (sentence, warning) = match doubt {
        Some(doubt) if is_refused(report.doubt.as_ref()) => (doubt, None),
        doubt => (sentence(), doubt),
    };
    let both = match both_lost {
        0 => String::new(),
        _ => format!(", {both_lost} of them lost by both"),
    };
    let mut lines = vec![sentence];
    lines.extend(warning);
    lines.push(format!("{new}: {wins} won, {draws} drawn, {losses} lost{both}"));
    lines.extend(copies(report));
    lines.extend(test(report));
    lines.extend(troubles(report, list));
    headed(lines.into_iter().map(|line| printable(&line).into_owned()))
}

/// What is said about games that are copies of others.
fn copies(report: &ComparisonReport) -> Vec<String> {
    let mut lines: Vec<String> = copies_in_words(report.games, report.different_games)
        .map(|copies| format!("{copies}, and copies make nothing surer"))
        .into_iter()
        .collect();
    if report.is_exhausted {
        lines.push(exhausted());
    }
    lines
}

/// What is said of bots that only repeat themselves.
pub fn exhausted() -> String {
    let games = 2 * PAIRS_WITHOUT_NEWS;
    format!(
        "stopped, since the last {games} games brought nothing new: the bots repeat themselves; let \
         one choose at random between moves that it likes alike, or compare them by their games \
         against others (quintain tournament)"
    )
}

/// How far the test has come towards each of its answers, if there is one.
fn test(report: &ComparisonReport) -> Option<String> {
    let test = report.sprt.as_ref()?;
    let state = if report.is_decided { "decided" } else { "undecided" };
    let words = |evidence: &Evidence| evidence.in_words(test, &report.old, &report.new);
    let evidence: Vec<String> = report.evidence.iter().map(words).collect();
    Some(format!("test {test}: {state}; evidence: {}", evidence.join(", ")))
}

/// What went wrong, and how to see those games.
fn troubles(report: &ComparisonReport, list: impl Fn(Troubled<'_>) -> String) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, errors) in [(&report.old, report.errors.old), (&report.new, report.errors.new)] {
        let errors = errors_in_words(&errors);
        if !errors.is_empty() {
            lines.push(format!("{name}: {errors}{}", list(Troubled::By(name))));
        }
    }
    if report.void > 0 {
        let list = list(Troubled::Void);
        lines.push(format!("void games, which count for nothing: {}{list}", report.void));
    }
    if report.played_again > 0 {
        let (games, list) = (counted(report.played_again, "game"), list(Troubled::Disturbed));
        lines.push(format!("played again because this machine was busy: {games}{list}"));
    }
    lines.extend(bots_in_words(&report.disturbed_bots));
    lines
}

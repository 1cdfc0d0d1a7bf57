//! How far a run is, in parts of a line: the most important first.

use std::time::Duration;

use quintain_arena::run::{Now, PairingNow, Standing};
use quintain_core::printable;
use quintain_tournament::{Comparison, Evidence, NEW, OLD, Strength, grouped, spoken};

use crate::words::counted;

/// Of a comparison, of which at most so many games are played, of a tournament, in which so many games had
/// errors, or of a pairing of an evaluation. There is nothing to say of a single match.
pub fn run(now: &Now<'_>, games_max: Option<u32>, failed: u64) -> Vec<String> {
    match now.standing {
        Standing::Comparison(comparison) => comparison_parts(comparison, now, games_max),
        Standing::Tournament(_) => tournament_parts(now, failed),
        Standing::Pairing(ref pairing) => pairing_parts(pairing, now),
        Standing::Match => Vec::new(),
    }
}

fn comparison_parts(comparison: &Comparison, now: &Now<'_>, games_max: Option<u32>) -> Vec<String> {
    let estimate = comparison.estimate();
    let games = grouped(comparison.results().games());
    let rate = now.rate();
    let mut parts = vec![
        format!("{games} games"),
        format!("{:.1}%", 100.0 * estimate.score),
        Strength(estimate).to_string(),
    ];
    parts.extend(evidence_in_words(comparison, now));
    parts.push(format!("{rate:.1} games/s"));
    if let Some(left) = time_left(comparison, games_max, rate) {
        parts.push(format!("{} left", spoken(left)));
    }
    parts
}

/// A guess, where there is ground for one: by the games that are missing, or by how far the test has come.
fn time_left(comparison: &Comparison, games_max: Option<u32>, rate: f64) -> Option<Duration> {
    const ENOUGH_TO_GUESS: f64 = 0.05;
    let judged = comparison.results().games() as f64;
    let by_games = games_max.map(|games| f64::from(games) - judged);
    let answers = comparison.evidence().into_iter();
    let done = answers.map(|evidence| evidence.value / evidence.needed).fold(0.0, f64::max);
    let by_test = (done > ENOUGH_TO_GUESS).then(|| judged * (1.0 - done) / done);
    let games = match (by_games, by_test) {
        (Some(one), Some(other)) => one.min(other),
        (one, other) => one.or(other)?,
    };
    Duration::try_from_secs_f64(games / rate).ok()
}

/// How far the test has come towards each of its answers, if there is one.
fn evidence_in_words(comparison: &Comparison, now: &Now<'_>) -> Vec<String> {
    let Some(test) = comparison.sprt() else { return Vec::new() };
    let [old, new] = [OLD, NEW].map(|bot| now.name(bot));
    let words = |evidence: &Evidence| evidence.in_words(test, old, new);
    comparison.evidence().iter().map(words).collect()
}

fn tournament_parts(now: &Now<'_>, failed: u64) -> Vec<String> {
    let (rate, running) = (now.rate(), now.running);
    let finished = grouped(now.finished);
    let mut parts = vec![match now.planned {
        Some(planned) => format!("{finished} of {} games", grouped(planned)),
        None => format!("{finished} games"),
    }];
    let left = now.planned.map(|planned| planned.saturating_sub(now.finished) as f64 / rate);
    if let Some(left) = left.and_then(|left| Duration::try_from_secs_f64(left).ok()) {
        parts.push(format!("{} left", spoken(left)));
    }
    parts.push(format!("{rate:.1} games/s"));
    parts.push(format!("{running} running"));
    parts.push(format!("{} with errors", grouped(failed)));
    parts
}

fn pairing_parts(pairing: &PairingNow, now: &Now<'_>) -> Vec<String> {
    let [one, other] = pairing.teams.map(|team| now.name(team));
    let ([own, others], PairingNow { number, planned, left, later, .. }) =
        (pairing.wins.map(grouped), *pairing);
    let heading = format!("pairing {number} of {planned}: {one} {own} - {others} {other}");
    vec![
        printable(&heading).into_owned(),
        counted(now.finished, "game"),
        format!("{:.0}/s", now.rate()),
        format!("at most {} left", spoken(left)),
        format!("{} with all pairings", spoken(left + later)),
    ]
}

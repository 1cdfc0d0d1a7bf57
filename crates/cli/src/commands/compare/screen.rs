//! How a comparison stands, while it is played.

use std::time::Duration;

use quintain_arena::run::{Now, Progress, Standing};
use quintain_arena::{PlayedGame, Wish};
use quintain_tournament::{Comparison, Evidence, NEW, OLD, Strength, grouped, spoken};

use crate::commands::many::troubles;
use crate::commands::unprotected::UnprotectedBots;
use crate::status_line::{StatusLine, say};

use super::CompareArgs;

pub(super) struct Screen {
    unprotected: UnprotectedBots,
    games_max: Option<u32>,
    is_quiet: bool,
    live: StatusLine,
}

impl Screen {
    pub(super) fn new(args: &CompareArgs) -> Screen {
        Screen {
            unprotected: UnprotectedBots::default(),
            games_max: args.games,
            is_quiet: args.many.quiet,
            live: StatusLine::new(),
        }
    }

    /// The most important parts first.
    fn line(&self, comparison: &Comparison, now: &Now<'_>) -> Vec<String> {
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
        if let Some(left) = self.time_left(comparison, rate) {
            parts.push(format!("{} left", spoken(left)));
        }
        parts
    }

    /// A guess, where there is ground for one: by the games that are missing, or by how far the test
    /// has come.
    fn time_left(&self, comparison: &Comparison, rate: f64) -> Option<Duration> {
        const ENOUGH_TO_GUESS: f64 = 0.05;
        let judged = comparison.results().games() as f64;
        let by_games = self.games_max.map(|games| f64::from(games) - judged);
        let answers = comparison.evidence().into_iter();
        let done = answers.map(|evidence| evidence.value / evidence.needed).fold(0.0, f64::max);
        let by_test = (done > ENOUGH_TO_GUESS).then(|| judged * (1.0 - done) / done);
        let games = match (by_games, by_test) {
            (Some(one), Some(other)) => one.min(other),
            (one, other) => one.or(other)?,
        };
        Duration::try_from_secs_f64(games / rate).ok()
    }
}

/// How far the test has come towards each of its answers, if there is one.
fn evidence_in_words(comparison: &Comparison, now: &Now<'_>) -> Vec<String> {
    let Some(test) = comparison.sprt() else { return Vec::new() };
    let [old, new] = [OLD, NEW].map(|bot| now.name(bot));
    let words = |evidence: &Evidence| evidence.in_words(test, old, new);
    comparison.evidence().iter().map(words).collect()
}

impl Progress for Screen {
    fn played(&mut self, game: &PlayedGame, now: &Now<'_>) -> Wish {
        self.unprotected.tell(game.record.head.bots, &game.unprotected, |bot| now.name(bot));
        for trouble in troubles(now, game) {
            say(trouble);
        }
        Wish::GoOn
    }

    fn tick(&mut self, now: &Now<'_>) {
        let Standing::Comparison(comparison) = now.standing else { return };
        if !self.is_quiet && self.live.is_due() {
            let line = self.line(comparison, now);
            self.live.show(&line);
        }
    }

    fn over(&mut self) {
        self.live.clear();
    }
}

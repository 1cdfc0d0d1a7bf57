//! The games of a comparison as they come in, and how it stands.

use std::path::Path;
use std::time::{Duration, Instant};

use quintain_arena::results::{
    DisturbedAnswer, FailedMatch, disturbed_answers, disturbed_games, failures_in, replay_path,
};
use quintain_arena::{Arena, PlayedGame, Watcher, Wish};
use quintain_record::{MatchId, MatchRecord};
use quintain_store::{Errors, Filter, Run, Store};
use quintain_tournament::{
    Comparison, Evidence, MatchResult, NEW, OLD, Question, Schedule, Sprt, Strength, grouped,
    spoken,
};

use crate::commands::many::troubles;
use crate::commands::unprotected::UnprotectedBots;
use crate::failure::Failure;
use crate::status_line::{StatusLine, say};

use super::CompareArgs;

pub(super) struct Judge<'a> {
    pub(super) arena: &'a Arena,
    pub(super) comparison: Comparison,
    /// What went wrong in games.
    pub(super) failed: Vec<FailedMatch>,
    /// What this machine was too busy for.
    pub(super) disturbed: Vec<DisturbedAnswer>,
    unprotected: UnprotectedBots,
    games_max: Option<u32>,
    began: Instant,
    /// In this session.
    played: u64,
    is_quiet: bool,
    pub(super) is_forced: bool,
    live: StatusLine,
}

/// From this many games on a test does not wait for its end if too many of them were disturbed: where all
/// are void there would be none.
const GAMES_TO_DESPAIR: u64 = 50;

impl<'a> Judge<'a> {
    pub(super) fn new(args: &CompareArgs, arena: &'a Arena) -> Judge<'a> {
        let question = match (args.sprt, args.games) {
            (Some(test), _) => Question::Test(test),
            (None, Some(games)) => Question::Games(games),
            (None, None) => Question::Test(Sprt::default()),
        };
        Judge {
            arena,
            comparison: Comparison::new(question),
            failed: Vec::new(),
            disturbed: Vec::new(),
            unprotected: UnprotectedBots::default(),
            games_max: args.games,
            began: Instant::now(),
            played: 0,
            is_quiet: args.many.quiet,
            is_forced: args.many.force,
            live: StatusLine::new(),
        }
    }

    /// Takes what was played before. Games beyond --games are of a longer comparison.
    pub(super) fn recall(
        &mut self,
        store: &Store,
        run: &Run,
        schedule: &mut Schedule,
    ) -> Result<(), Failure> {
        self.arena.forgiveness.recall(store, run.id())?;
        for listed in store.games(run.id(), &Filter::default()) {
            let result = MatchResult::from(&listed?);
            if schedule.record(&result).is_ok() {
                self.comparison.add(&result);
            }
        }
        let failed = Filter { errors: Some(Errors::Any), ..Filter::default() };
        let disturbed = Filter { disturbed: Some(true), ..Filter::default() };
        for (filter, is_failed) in [(failed, true), (disturbed, false)] {
            for numbered in store.whole_games(run.id(), &filter) {
                let (_, game) = numbered?;
                if !self.is_wanted(game.head.id) {
                    continue;
                }
                let replay = game.head.replay.as_deref().map(|path| replay_path(store, path));
                if is_failed {
                    self.add_failures(&game, replay.as_deref());
                } else {
                    self.add_disturbances(&game);
                }
            }
        }
        Ok(())
    }

    fn is_wanted(&self, id: MatchId) -> bool {
        let number = 2 * u64::from(id.round) + u64::from(id.swapped);
        self.games_max.is_none_or(|games| number < u64::from(games))
    }

    fn add_failures(&mut self, game: &MatchRecord, replay: Option<&Path>) {
        let name = |bot| self.arena.name(bot).to_owned();
        self.failed.extend(failures_in(game, name, replay));
    }

    fn add_disturbances(&mut self, game: &MatchRecord) {
        let name = |bot| self.arena.name(bot).to_owned();
        let folder = self.arena.store_folder.as_deref().unwrap_or(Path::new(""));
        let answers = disturbed_answers(game, name, |stored| folder.join(stored));
        self.disturbed.extend(answers);
    }

    /// Whether a test will not come to an end that is worth waiting for.
    pub(super) fn is_hopeless(&self) -> bool {
        let disturbed = disturbed_games(&self.comparison, &self.disturbed);
        let is_refused = !self.is_forced && disturbed.are_too_many();
        self.comparison.sprt().is_some() && disturbed.games >= GAMES_TO_DESPAIR && is_refused
    }

    /// Of this session.
    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    pub(super) fn clear(&mut self) {
        self.live.clear();
    }

    /// The most important parts first.
    fn line(&self) -> Vec<String> {
        let estimate = self.comparison.estimate();
        let games = grouped(self.comparison.results().games());
        let rate = self.played as f64 / self.began.elapsed().as_secs_f64();
        let mut parts = vec![
            format!("{games} games"),
            format!("{:.1}%", 100.0 * estimate.score),
            Strength(estimate).to_string(),
        ];
        parts.extend(self.evidence_in_words());
        parts.push(format!("{rate:.1} games/s"));
        if let Some(left) = self.time_left(rate) {
            parts.push(format!("{} left", spoken(left)));
        }
        parts
    }

    /// How far the test has come towards each of its answers, if there is one.
    fn evidence_in_words(&self) -> Vec<String> {
        let Some(test) = self.comparison.sprt() else { return Vec::new() };
        let [old, new] = [OLD, NEW].map(|bot| self.arena.name(bot));
        let words = |evidence: &Evidence| evidence.in_words(test, old, new);
        self.comparison.evidence().iter().map(words).collect()
    }

    /// A guess, where there is ground for one: by the games that are missing, or by how far the test
    /// has come.
    fn time_left(&self, rate: f64) -> Option<Duration> {
        const ENOUGH_TO_GUESS: f64 = 0.05;
        let judged = self.comparison.results().games() as f64;
        let by_games = self.games_max.map(|games| f64::from(games) - judged);
        let answers = self.comparison.evidence().into_iter();
        let done = answers.map(|evidence| evidence.value / evidence.needed).fold(0.0, f64::max);
        let by_test = (done > ENOUGH_TO_GUESS).then(|| judged * (1.0 - done) / done);
        let games = match (by_games, by_test) {
            (Some(one), Some(other)) => one.min(other),
            (one, other) => one.or(other)?,
        };
        Duration::try_from_secs_f64(games / rate).ok()
    }
}

impl Watcher for Judge<'_> {
    fn game(&mut self, game: &PlayedGame) -> Wish {
        self.played += 1;
        self.comparison.add(&MatchResult::from(&game.record));
        let name = |bot| self.arena.name(bot);
        self.unprotected.tell(game.record.head.bots, &game.unprotected, name);
        for trouble in troubles(self.arena, game) {
            say(trouble);
        }
        self.add_failures(&game.record, game.replay.as_deref());
        self.add_disturbances(&game.record);
        let is_over = self.comparison.has_ended() || self.is_hopeless();
        if is_over { Wish::Enough } else { Wish::GoOn }
    }

    fn tick(&mut self, _running: u64) {
        if !self.is_quiet && self.live.is_due() {
            self.live.show(&self.line());
        }
    }
}

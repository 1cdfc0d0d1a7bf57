//! The games of a comparison as they come in, and how it stands.

use std::path::Path;
use std::time::{Duration, Instant};

use quintain_arena::{Arena, PlayedGame, Watcher, Wish, game_id, replay_path, result_of};
use quintain_store::{Errors, FaultCount, Filter, Game, Run, Store};
use quintain_tournament::{BotId, Comparison, GameId, Schedule, Sprt, Strength, grouped, spoken};
use serde_json::{Value, json};

use crate::commands::disturbed::{DisturbedAnswer, disturbed_answers};
use crate::commands::many::troubles;
use crate::failure::Failure;
use crate::live::{Live, say};

use super::CompareArgs;

pub(super) struct Judge<'a> {
    pub(super) arena: &'a Arena,
    pub(super) comparison: Comparison,
    /// What went wrong in games, for programs.
    pub(super) failed: Vec<Value>,
    /// What this machine was too busy for.
    pub(super) disturbed: Vec<DisturbedAnswer>,
    games_max: Option<u32>,
    began: Instant,
    /// In this session.
    played: u64,
    is_quiet: bool,
    live: Live,
}

impl<'a> Judge<'a> {
    pub(super) fn new(args: &CompareArgs, arena: &'a Arena) -> Judge<'a> {
        let sprt = match (args.sprt, args.games) {
            (None, None) => Some(Sprt::default()),
            (sprt, _) => sprt,
        };
        Judge {
            arena,
            comparison: Comparison::new(sprt),
            failed: Vec::new(),
            disturbed: Vec::new(),
            games_max: args.games,
            began: Instant::now(),
            played: 0,
            is_quiet: args.many.quiet,
            live: Live::new(),
        }
    }

    /// Takes what was played before. Games beyond --games are of a longer comparison.
    pub(super) fn recall(
        &mut self,
        store: &Store,
        run: &Run,
        schedule: &mut Schedule,
    ) -> Result<(), Failure> {
        for listed in store.games(run.id(), &Filter::default()) {
            let result = result_of(&listed?);
            if schedule.record(&result).is_ok() {
                self.comparison.add(&result);
            }
        }
        let failed = Filter { errors: Some(Errors::Any), ..Filter::default() };
        let disturbed = Filter { disturbed: Some(true), ..Filter::default() };
        for (filter, is_failed) in [(failed, true), (disturbed, false)] {
            for numbered in store.whole_games(run.id(), &filter) {
                let game = numbered?.game;
                if !self.is_wanted(game_id(game.summary.identity)) {
                    continue;
                }
                let replay = game.summary.replay.as_deref().map(|path| replay_path(store, path));
                if is_failed {
                    self.add_failures(&game, replay.as_deref());
                } else {
                    self.add_disturbances(&game);
                }
            }
        }
        Ok(())
    }

    fn is_wanted(&self, id: GameId) -> bool {
        let number = 2 * u64::from(id.round) + u64::from(id.swapped);
        self.games_max.is_none_or(|games| number < u64::from(games))
    }

    fn add_failures(&mut self, game: &Game, replay: Option<&Path>) {
        let summary = &game.summary;
        let failure = |fault: &FaultCount| {
            json!({
                "bot": self.arena.name(BotId(summary.bots[fault.seat])),
                "error": fault.kind.code(),
                "times": fault.times,
                "text": fault.text,
                "game": game_id(summary.identity).to_string(),
                "seed": summary.seed,
                "replay": replay,
            })
        };
        let failures: Vec<Value> = game.faults.iter().map(failure).collect();
        self.failed.extend(failures);
    }

    fn add_disturbances(&mut self, game: &Game) {
        let name = |bot| self.arena.name(BotId(bot)).to_owned();
        let folder = self.arena.store_folder.as_deref().unwrap_or(Path::new(""));
        let answers = disturbed_answers(game, name, |stored| folder.join(stored));
        self.disturbed.extend(answers);
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
            format!("superior {:.1}%", 100.0 * estimate.superiority),
        ];
        if let (Some(sprt), Some(llr)) = (self.comparison.sprt(), self.comparison.llr()) {
            parts.push(format!("LLR {llr:.2} ({:.2} to {:.2})", sprt.lower(), sprt.upper()));
        }
        parts.push(format!("{rate:.1} games/s"));
        if let Some(left) = self.time_left(rate) {
            parts.push(format!("{} left", spoken(left)));
        }
        parts
    }

    /// A guess, where there is ground for one: by the games that are missing, or by how far the test
    /// has come.
    fn time_left(&self, rate: f64) -> Option<Duration> {
        const ENOUGH_TO_GUESS: f64 = 0.05;
        let judged = self.comparison.results().games() as f64;
        let by_games = self.games_max.map(|games| f64::from(games) - judged);
        let by_test = self.comparison.sprt().zip(self.comparison.llr()).and_then(|(sprt, llr)| {
            let bound = if llr > 0.0 { sprt.upper() } else { sprt.lower() };
            let done = llr / bound;
            (done > ENOUGH_TO_GUESS).then(|| judged * (1.0 - done) / done)
        });
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
        self.comparison.add(&game.result);
        for trouble in troubles(self.arena, game) {
            say(trouble);
        }
        self.add_failures(&game.kept, game.replay.as_deref());
        self.add_disturbances(&game.kept);
        if self.comparison.is_decided() { Wish::Enough } else { Wish::GoOn }
    }

    fn tick(&mut self, _running: u64) {
        if !self.is_quiet && self.live.is_due() {
            self.live.show(&self.line());
        }
    }
}

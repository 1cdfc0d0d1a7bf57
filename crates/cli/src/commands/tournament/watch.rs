//! How far a tournament is, while it is played.

use std::time::{Duration, Instant};

use quintain_arena::{Arena, PlayedGame, Watcher, Wish};
use quintain_tournament::{Schedule, grouped, spoken};

use crate::commands::many::troubles;
use crate::commands::unprotected::UnprotectedBots;
use crate::status_line::{StatusLine, say};

pub(super) struct Progress<'a> {
    arena: &'a Arena,
    /// `None` for a knock-out.
    planned: Option<u64>,
    finished: u64,
    failed: u64,
    began: Instant,
    played: u64,
    is_quiet: bool,
    unprotected: UnprotectedBots,
    live: StatusLine,
}

impl<'a> Progress<'a> {
    pub(super) fn new(arena: &'a Arena, schedule: &Schedule, is_quiet: bool) -> Progress<'a> {
        Progress {
            arena,
            planned: schedule.planned(),
            finished: schedule.finished(),
            failed: 0,
            began: Instant::now(),
            played: 0,
            is_quiet,
            unprotected: UnprotectedBots::default(),
            live: StatusLine::new(),
        }
    }

    pub(super) fn close(mut self) {
        self.live.clear();
    }

    /// The most important parts first.
    fn line(&self, running: u64) -> Vec<String> {
        let rate = self.played as f64 / self.began.elapsed().as_secs_f64();
        let finished = grouped(self.finished);
        let mut parts = vec![match self.planned {
            Some(planned) => format!("{finished} of {} games", grouped(planned)),
            None => format!("{finished} games"),
        }];
        let left = self.planned.map(|planned| planned.saturating_sub(self.finished) as f64 / rate);
        if let Some(left) = left.and_then(|left| Duration::try_from_secs_f64(left).ok()) {
            parts.push(format!("{} left", spoken(left)));
        }
        parts.push(format!("{rate:.1} games/s"));
        parts.push(format!("{running} running"));
        parts.push(format!("{} with errors", grouped(self.failed)));
        parts
    }
}

impl Watcher for Progress<'_> {
    fn game(&mut self, game: &PlayedGame) -> Wish {
        self.finished += 1;
        self.played += 1;
        let has_failed = !game.record.errors.is_empty();
        self.failed += u64::from(has_failed);
        let name = |bot| self.arena.name(bot);
        self.unprotected.tell(game.record.head.bots, &game.unprotected, name);
        // Failures are counted in the standings and can be asked for there; a void game is news.
        if game.record.head.ending.is_void() {
            for trouble in troubles(self.arena, game) {
                say(trouble);
            }
        }
        Wish::GoOn
    }

    fn tick(&mut self, running: u64) {
        if !self.is_quiet && self.live.is_due() {
            let line = self.line(running);
            self.live.show(&line);
        }
    }
}

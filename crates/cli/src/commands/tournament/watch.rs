//! How far a tournament is, while it is played.

use std::time::Duration;

use quintain_arena::run::{Now, Progress};
use quintain_arena::{PlayedGame, Wish};
use quintain_tournament::{grouped, spoken};

use crate::commands::many::troubles;
use crate::commands::unprotected::UnprotectedBots;
use crate::status_line::{StatusLine, say};

pub(super) struct Screen {
    failed: u64,
    is_quiet: bool,
    unprotected: UnprotectedBots,
    live: StatusLine,
}

impl Screen {
    pub(super) fn new(is_quiet: bool) -> Screen {
        let unprotected = UnprotectedBots::default();
        Screen { failed: 0, is_quiet, unprotected, live: StatusLine::new() }
    }

    /// The most important parts first.
    fn line(&self, now: &Now<'_>) -> Vec<String> {
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
        parts.push(format!("{} with errors", grouped(self.failed)));
        parts
    }
}

impl Progress for Screen {
    fn played(&mut self, game: &PlayedGame, now: &Now<'_>) -> Wish {
        self.failed += u64::from(!game.record.errors.is_empty());
        self.unprotected.tell(game.record.head.bots, &game.unprotected, |bot| now.name(bot));
        // Failures are counted in the standings and can be asked for there; a void game is news.
        if game.record.head.ending.is_void() {
            for trouble in troubles(now, game) {
                say(trouble);
            }
        }
        Wish::GoOn
    }

    fn tick(&mut self, now: &Now<'_>) {
        if !self.is_quiet && self.live.is_due() {
            let line = self.line(now);
            self.live.show(&line);
        }
    }

    fn over(&mut self) {
        self.live.clear();
    }
}

//! How far a comparison or a tournament is, on the terminal.

use quintain_arena::run::{Now, Progress, Standing};
use quintain_arena::{PlayedGame, Wish};
use quintain_report::played::troubles;
use quintain_report::progress;

use super::unprotected::UnprotectedBots;
use crate::status_line::{StatusLine, say};

pub(super) struct RunScreen {
    games_max: Option<u32>,
    is_quiet: bool,
    failed: u64,
    unprotected: UnprotectedBots,
    live: StatusLine,
}

impl RunScreen {
    pub(super) fn new(games_max: Option<u32>, is_quiet: bool) -> RunScreen {
        let (unprotected, live) = (UnprotectedBots::default(), StatusLine::new());
        RunScreen { games_max, is_quiet, failed: 0, unprotected, live }
    }
}

impl Progress for RunScreen {
    fn played(&mut self, game: &PlayedGame, now: &Now<'_>) -> Wish {
        let head = &game.record.head;
        self.failed += u64::from(!game.record.errors.is_empty());
        self.unprotected.tell(head.bots, &game.unprotected, |bot| now.name(bot));
        // Failures in a tournament are counted in the standings and can be asked for there; a void game is
        // news.
        if head.ending.is_void() || matches!(now.standing, Standing::Comparison(_)) {
            troubles(now, game).iter().for_each(say);
        }
        Wish::GoOn
    }

    fn tick(&mut self, now: &Now<'_>) {
        if !self.is_quiet && self.live.is_due() {
            self.live.show(&progress::run(now, self.games_max, self.failed));
        }
    }

    fn over(&mut self) {
        self.live.clear();
    }
}

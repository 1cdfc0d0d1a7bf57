//! How far an evaluation is, on the terminal.

use std::time::Instant;

use quintain_arena::PlayedGame;
use quintain_arena::plan::EvaluationPlan;
use quintain_arena::run::{EvaluationProgress, PairingNow};
use quintain_report::progress::pairing;

use crate::commands::unprotected::UnprotectedBots;
use crate::status_line::StatusLine;

pub(super) struct Progress<'a> {
    plan: &'a EvaluationPlan,
    shows: bool,
    begun: Instant,
    /// Games that the pairing had when it was begun.
    begun_with: u64,
    unprotected: UnprotectedBots,
    live: StatusLine,
}

impl<'a> Progress<'a> {
    pub(super) fn new(plan: &'a EvaluationPlan, shows: bool) -> Self {
        let (begun, live) = (Instant::now(), StatusLine::new());
        let unprotected = UnprotectedBots::default();
        Progress { plan, shows, begun, begun_with: 0, unprotected, live }
    }

    fn show(&mut self, now: &PairingNow<'_>) {
        let played = (now.games - self.begun_with) as f64;
        let rate = played / self.begun.elapsed().as_secs_f64().max(1e-3);
        self.live.show(&pairing(now, rate, self.plan.limits.time_max));
    }
}

impl EvaluationProgress for Progress<'_> {
    fn pairing_begun(&mut self, now: &PairingNow<'_>) {
        (self.begun, self.begun_with) = (Instant::now(), now.games);
        (self.unprotected, self.live) = (UnprotectedBots::default(), StatusLine::new());
    }

    fn played(&mut self, game: &PlayedGame, now: &PairingNow<'_>) {
        let teams = &self.plan.teams;
        self.unprotected.tell(game.record.head.bots, &game.unprotected, |team| {
            teams[team.index()].name.as_str()
        });
        if self.shows && self.live.is_due() {
            self.show(now);
        }
    }

    fn pairing_over(&mut self) {
        self.live.clear();
    }
}

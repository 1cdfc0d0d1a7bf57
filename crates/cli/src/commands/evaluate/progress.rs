//! How far an evaluation is, on the terminal.

use std::time::{Duration, Instant};

use quintain_arena::PlayedGame;
use quintain_arena::plan::EvaluationPlan;
use quintain_arena::run::{EvaluationProgress, PairingNow};
use quintain_core::printable;
use quintain_tournament::spoken;

use crate::commands::unprotected::UnprotectedBots;
use crate::output::{counted, grouped};
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
        let ([one, other], wins) = (now.teams.map(|team| &team.name), now.wins.map(grouped));
        let (number, planned) = (now.number, now.planned);
        let heading =
            format!("pairing {number} of {planned}: {one} {} - {} {other}", wins[0], wins[1]);
        let later = u32::try_from(planned).unwrap_or(u32::MAX).saturating_sub(number);
        let later: Duration = self.plan.limits.time_max * later;
        self.live.show(&[
            printable(&heading).into_owned(),
            counted(now.games, "game"),
            format!("{rate:.0}/s"),
            format!("at most {} left", spoken(now.left)),
            format!("{} with all pairings", spoken(now.left + later)),
        ]);
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

//! How far a run of many games is, on the terminal.

use quintain_arena::results::{ComparisonReport, RungReport, TuneNow};
use quintain_arena::run::{Now, OpenNetwork, Progress, Standing};
use quintain_arena::{PlayedGame, SeatNews, Wish};
use quintain_report::disturbed::UnprotectedBots;
use quintain_report::troubles::Troubles;
use quintain_report::{ladder, progress, tuning};

use crate::output::{remark, say};
use crate::words::open_network;
use quintain_terminal::StatusLine;

pub(super) struct RunScreen {
    games_max: Option<u32>,
    is_quiet: bool,
    failed: u64,
    /// The number of the last pairing that was begun, in an evaluation.
    pairing: u32,
    troubles: Troubles,
    unprotected: UnprotectedBots,
    live: StatusLine,
    /// What an organiser has to know if teams have the machine's network.
    pub(super) network: Option<String>,
}

impl RunScreen {
    pub(super) fn new(games_max: Option<u32>, is_quiet: bool) -> RunScreen {
        RunScreen {
            games_max,
            is_quiet,
            failed: 0,
            pairing: 0,
            troubles: Troubles::default(),
            unprotected: UnprotectedBots::default(),
            live: StatusLine::new(),
            network: None,
        }
    }
}

impl Progress for RunScreen {
    fn seating(&mut self, news: &SeatNews<'_>) {
        let SeatNews::OpenNetwork(why) = news else { return };
        let warning = open_network(why);
        if !self.is_quiet && !matches!(why, OpenNetwork::Wished) {
            remark(&warning);
        }
        self.network = Some(warning);
    }

    fn played(&mut self, game: &PlayedGame, now: &Now<'_>) -> Wish {
        let head = &game.record.head;
        if let Standing::Pairing(pairing) = now.standing
            && self.pairing < pairing.number
        {
            self.pairing = pairing.number;
            (self.unprotected, self.live) = (UnprotectedBots::default(), StatusLine::new());
        }
        self.failed += u64::from(!game.record.errors.is_empty());
        self.unprotected.news(game, |bot| now.name(bot)).iter().for_each(say);
        // Failures in a tournament are counted in the standings and can be asked for there; a void game is
        // news. An evaluation tells everything in the end.
        let is_news = match now.standing {
            Standing::Comparison(_) => true,
            Standing::Tournament(_) => head.ending.is_void(),
            Standing::Pairing(_) | Standing::Match => false,
        };
        if is_news {
            self.troubles.news(now, game).iter().for_each(say);
        }
        Wish::GoOn
    }

    fn tick(&mut self, now: &Now<'_>) {
        if !self.is_quiet && self.live.is_due() {
            self.live.show(&progress::run(now, self.games_max, self.failed));
        }
    }

    fn rung(&mut self, rung: &RungReport) {
        if !self.is_quiet {
            say(ladder::rung_line(rung));
        }
    }

    fn met(&mut self, meeting: &ComparisonReport) {
        if !self.is_quiet {
            say(ladder::meeting_line(meeting));
        }
    }

    fn tuned(&mut self, now: &TuneNow<'_>) {
        if !self.is_quiet && self.live.is_due() {
            self.live.show(&tuning::progress(now));
        }
    }

    fn over(&mut self) {
        self.live.clear();
        std::mem::take(&mut self.troubles).summary().iter().for_each(say);
    }
}

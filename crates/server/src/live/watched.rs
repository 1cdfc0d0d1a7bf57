//! A run that can be watched in browsers.

use std::collections::HashMap;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;

use quintain_arena::results::{ComparisonReport, RungReport, TuneNow};
use quintain_arena::run::{BrokenOff, Now, Progress, RunHead};
use quintain_arena::{PlayedGame, SeatNews, Wish};
use quintain_core::scene::Eye;
use quintain_core::{Seat, printable};
use quintain_record::MatchId;
use quintain_registry::{Both, Spectator};
use quintain_tournament::PlannedMatch;

use super::{Hub, LiveMatch};
use crate::served_replays::ServedReplays;
use crate::url::of_replay;

/// What of a run is shown.
pub struct WatchedRun {
    pub hub: Hub,
    /// The game's name for people.
    pub title: &'static str,
    /// Where its replays will be.
    pub replays: ServedReplays,
    /// Whether every match is filmed, however many there are.
    pub films_all: bool,
}

/// Tells a hub of everything beside whoever is told already.
///
/// Each method of [`Progress`] stands here: one that is missing would be lost for who is told already.
pub struct Watched<'a> {
    run: WatchedRun,
    told: &'a mut dyn Progress,
    names: Vec<String>,
    filmed: HashMap<MatchId, Arc<LiveMatch>>,
}

impl<'a> Watched<'a> {
    pub fn new(run: WatchedRun, told: &'a mut dyn Progress) -> Watched<'a> {
        Watched { run, told, names: Vec::new(), filmed: HashMap::new() }
    }

    /// A match is over, and can be seen again if its replay was kept.
    fn finish(&mut self, id: MatchId, replay: Option<&Path>) {
        if let Some(live) = self.filmed.remove(&id) {
            let replays = &self.run.replays;
            let stored = || replays.id_in_store(live.about.run?, id);
            let id = replay.and_then(|path| stored().or_else(|| replays.id_of(path)));
            self.run.hub.finish(live, id.map(|id| of_replay("/match/", &id)));
        }
    }
}

impl Progress for Watched<'_> {
    fn begun(&mut self, run: &RunHead<'_>) {
        self.names = run.names.iter().map(|name| printable(name).into_owned()).collect();
        if let Some(id) = run.run {
            self.run.hub.begin_run(id);
        }
        self.told.begun(run);
    }

    fn seating(&mut self, news: &SeatNews<'_>) {
        self.told.seating(news);
    }

    fn person(&mut self, next: &PlannedMatch, seat: Seat) -> Option<UnixStream> {
        self.told.person(next, seat)
    }

    fn spectator(&mut self, next: &PlannedMatch) -> Box<dyn Spectator> {
        let own = self.told.spectator(next);
        if !self.run.films_all && !self.run.hub.has_room() {
            return own;
        }
        let name = |bot: quintain_record::BotId| self.names.get(bot.index()).cloned();
        let names = next.bots.map(|_, bot| name(bot).unwrap_or_default());
        let eye = own.eyes().first().copied().unwrap_or(Eye::All);
        let (live, camera) = self.run.hub.film(self.run.title, names, next.seed, eye);
        self.filmed.insert(next.id, live);
        Box::new(Both(own, camera))
    }

    fn played(&mut self, game: &PlayedGame, now: &Now<'_>) -> Wish {
        self.finish(game.record.head.id, game.replay.as_deref());
        self.told.played(game, now)
    }

    fn rung(&mut self, rung: &RungReport) {
        self.told.rung(rung);
    }

    fn met(&mut self, meeting: &ComparisonReport) {
        self.told.met(meeting);
    }

    fn tuned(&mut self, now: &TuneNow<'_>) {
        self.told.tuned(now);
    }

    fn broken_off(&mut self, what: &BrokenOff<'_>) {
        self.finish(what.planned.id, what.replay);
        self.told.broken_off(what);
    }

    fn tick(&mut self, now: &Now<'_>) {
        self.told.tick(now);
    }

    fn over(&mut self) {
        for (_, live) in self.filmed.drain() {
            self.run.hub.finish(live, None);
        }
        self.told.over();
    }
}

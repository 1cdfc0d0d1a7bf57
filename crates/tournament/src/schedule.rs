//! Which games to play: a tournament as a machine that hands out games and takes results.
//!
//! What is to be played follows from the settings and the results so far, and from nothing else. So a
//! tournament that was stopped goes on exactly where it was: make the same schedule, record what is
//! stored, and take the next game.

mod gauntlet;
mod knockout;
mod matching;
mod round;
mod round_robin;
mod settings;
mod swiss;

use std::collections::BTreeMap;

use quintain_core::{PerSeat, Seat};
use quintain_record::{BotId, MatchId};

use crate::match_result::MatchResult;

pub use round::{Pairing, Round};
pub use settings::{Form, Seeds, Settings, SettingsError, TieBreak};

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedMatch {
    pub id: MatchId,
    pub bots: PerSeat<BotId>,
    pub seed: i64,
}

/// A result that does not belong to this tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    #[error("game {0} is recorded twice")]
    Twice(MatchId),
    #[error("game {0} is not part of this tournament, or of a round that is still to be drawn")]
    Unplanned(MatchId),
    #[error("game {0} was played by other bots than planned")]
    OtherBots(MatchId),
}

/// A bot's place by the rules of the tournament's form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// From 1; equals share the better one.
    pub place: u32,
    pub bot: BotId,
    /// Round robin and gauntlet: points of games. Swiss: points of pairings, byes included.
    /// Knock-out: pairings won, byes included.
    pub points: f64,
    /// What parts equal points. Round robin and gauntlet: the share of possible points. Swiss: the
    /// sum of the opponents' points (Buchholz). Knock-out: nothing.
    pub tie_break: f64,
}

/// A tournament under way.
#[derive(Clone, Debug)]
pub struct Schedule {
    settings: Settings,
    /// Rounds that were drawn, without those that are over and of no more use.
    rounds: BTreeMap<u32, Round>,
    drawn: u32,
    finished: u64,
    running: u64,
    /// Half points and games of each bot.
    scores: Vec<(u64, u64)>,
}

impl Schedule {
    pub fn new(settings: Settings) -> Result<Schedule, SettingsError> {
        settings.check()?;
        let scores = vec![(0, 0); settings.bots as usize];
        let rounds = BTreeMap::new();
        let mut schedule = Schedule { settings, rounds, drawn: 0, finished: 0, running: 0, scores };
        schedule.draw_rounds();
        Ok(schedule)
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The next game to play, in the order of identities. `None` if there is none now: the tournament
    /// is over, or what comes next depends on games that are running.
    pub fn take(&mut self) -> Option<PlannedMatch> {
        loop {
            let mut rounds = self.rounds.iter_mut();
            let found = rounds.find_map(|(&number, round)| Some((number, round.take()?)));
            if let Some((round, (pairing, slot, bots))) = found {
                self.running += 1;
                let seed_index = slot / 2;
                let id = MatchId { round, pairing, seed_index, swapped: slot % 2 == 1 };
                let seed = self.settings.seed(round, pairing, seed_index);
                return Some(PlannedMatch { id, bots: seats(bots, id.swapped), seed });
            }
            if !self.draw_ahead() {
                return None;
            }
        }
    }

    /// Gives back a game that was taken and will not be finished now.
    pub fn put_back(&mut self, id: MatchId) {
        let Some(round) = self.rounds.get_mut(&id.round) else { return };
        if round.put_back(id.pairing, slot_of(id)) {
            self.running -= 1;
        }
    }

    /// Takes the result of a game, whether it was handed out by this schedule or is known from before.
    /// Where rounds depend on results (Swiss, knock-out) the games of a round come before those of the
    /// next; else any order will do.
    pub fn record(&mut self, result: &MatchResult) -> Result<(), RecordError> {
        let id = result.id;
        while self.drawn <= id.round && self.draw_ahead() {}
        if id.round < self.drawn && !self.rounds.contains_key(&id.round) {
            return Err(RecordError::Twice(id));
        }
        let unplanned = RecordError::Unplanned(id);
        let round = self.rounds.get_mut(&id.round).ok_or(unplanned)?;
        let bots = round.pairing(id.pairing).ok_or(unplanned)?.bots();
        if result.bots != seats(bots, id.swapped) {
            return Err(RecordError::OtherBots(id));
        }
        let first_named = if id.swapped { Seat::Second } else { Seat::First };
        let score = result.finish.score(first_named);
        let was_running =
            round.finish(id.pairing, slot_of(id), score).map_err(|wrong| match wrong {
                round::Wrong::NoSuchGame => unplanned,
                round::Wrong::Twice => RecordError::Twice(id),
            })?;
        self.running -= u64::from(was_running);
        self.finished += 1;
        if let Some(score) = score {
            for (bot, score) in bots.into_iter().zip([score, score.other()]) {
                let (half_points, games) = &mut self.scores[bot.index()];
                *half_points += u64::from(score.half_points());
                *games += 1;
            }
        }
        if let Form::Knockout { tie_break, .. } = self.settings.form {
            let pairs = self.settings.games / 2;
            knockout::plan_more(round, id.pairing, pairs, tie_break);
        }
        self.draw_rounds();
        Ok(())
    }

    /// Whether everything is played.
    pub fn is_over(&self) -> bool {
        self.rounds.values().all(Round::is_over) && !self.may_draw()
    }

    /// Games with a result.
    pub fn finished(&self) -> u64 {
        self.finished
    }

    /// Games that were taken and neither finished nor given back.
    pub fn running(&self) -> u64 {
        self.running
    }

    /// How many games there are in all; `None` for a knock-out, in which it depends on results.
    pub fn planned(&self) -> Option<u64> {
        let (bots, games) = (u64::from(self.settings.bots), u64::from(self.settings.games));
        match self.settings.form {
            Form::RoundRobin => Some(bots * (bots - 1) / 2 * games),
            Form::Gauntlet { challengers } => {
                Some(u64::from(challengers) * (bots - u64::from(challengers)) * games)
            }
            Form::Swiss { rounds } => Some(u64::from(rounds) * (bots / 2) * games),
            Form::Knockout { .. } => None,
        }
    }

    /// Rounds that were drawn, with their pairings and byes. A round robin and a gauntlet forget
    /// rounds that are over.
    pub fn rounds(&self) -> impl Iterator<Item = (u32, &Round)> {
        self.rounds.iter().map(|(&number, round)| (number, round))
    }

    /// Who goes on after a pairing of a knock-out: if it is level even after extra games, the better of
    /// the list. `None` while it is played, and in other forms.
    pub fn survivor(&self, pairing: &Pairing) -> Option<BotId> {
        match self.settings.form {
            Form::Knockout { .. } => knockout::winner(pairing),
            _ => None,
        }
    }

    /// The places by the rules of the form, best first, as far as they are known.
    pub fn ranking(&self) -> Vec<Place> {
        match self.settings.form {
            Form::RoundRobin | Form::Gauntlet { .. } => round_robin::ranking(&self.scores),
            Form::Swiss { .. } => swiss::ranking(self.settings.bots, &self.rounds),
            Form::Knockout { .. } => knockout::ranking(self.settings.bots, &self.rounds),
        }
    }

    /// Draws what follows from the results; forgets what is of no more use.
    fn draw_rounds(&mut self) {
        if self.settings.form.depends_on_results() {
            if self.rounds.values().all(Round::is_over) && self.may_draw() {
                self.draw();
            }
        } else {
            while self.rounds.first_key_value().is_some_and(|(_, round)| round.is_over()) {
                self.rounds.pop_first();
            }
        }
    }

    /// Draws one more round where rounds do not depend on results.
    fn draw_ahead(&mut self) -> bool {
        let may = !self.settings.form.depends_on_results() && self.may_draw();
        if may {
            self.draw();
        }
        may
    }

    fn may_draw(&self) -> bool {
        match self.settings.form {
            Form::RoundRobin | Form::Gauntlet { .. } => {
                self.drawn < self.settings.games.div_ceil(2)
            }
            Form::Swiss { rounds } => self.drawn < rounds,
            Form::Knockout { .. } => match self.rounds.last_key_value() {
                None => true,
                Some((_, last)) => knockout::winners(last).len() > 1,
            },
        }
    }

    fn draw(&mut self) {
        let Settings { bots, games, .. } = self.settings;
        // A round of a round robin is one seed for each pairing: wherever it is stopped, all bots
        // have played about as many games. The last game of an odd number has no partner.
        let seed_games = || (games - 2 * self.drawn).min(2);
        let round = match self.settings.form {
            Form::RoundRobin => Round::new(round_robin::pairings(bots), seed_games()),
            Form::Gauntlet { challengers } => {
                Round::new(gauntlet::pairings(challengers, bots), seed_games())
            }
            Form::Swiss { .. } => swiss::draw(bots, &self.rounds, games),
            Form::Knockout { tie_break, third_place } => {
                let mut round = knockout::draw(bots, &self.rounds, third_place);
                for pairing in 0..round.pairings().len() as u32 {
                    knockout::plan_more(&mut round, pairing, games / 2, tie_break);
                }
                round
            }
        };
        self.rounds.insert(self.drawn, round);
        self.drawn += 1;
    }
}

/// Who has which seat if the pairing names the bots in this order.
fn seats<T>([one, other]: [T; 2], swapped: bool) -> PerSeat<T> {
    PerSeat(if swapped { [other, one] } else { [one, other] })
}

/// The games of a pairing in their order: both games of the first seed, both of the second, ...
fn slot_of(id: MatchId) -> u32 {
    id.seed_index.saturating_mul(2).saturating_add(u32::from(id.swapped))
}

/// Places in the order of these keys, the greatest first; equals share the better one.
fn placed<K: PartialOrd>(mut bots: Vec<(K, Place)>) -> Vec<Place> {
    let order = |one: &K, other: &K| other.partial_cmp(one).expect("points are numbers");
    bots.sort_by(|one, other| order(&one.0, &other.0).then(one.1.bot.cmp(&other.1.bot)));
    for index in 0..bots.len() {
        let equal = index > 0 && bots[index - 1].0 == bots[index].0;
        bots[index].1.place = if equal { bots[index - 1].1.place } else { index as u32 + 1 };
    }
    bots.into_iter().map(|(_, place)| place).collect()
}

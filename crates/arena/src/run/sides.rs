//! Pairings side by side: a slot for each network plays one game after the other, and the calling thread hands them
//! out and counts.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, Scope};

use quintain_registry::Spectator;
use quintain_tournament::Book;

use super::pairing::{Course, NextGame, Pairing, PairingRun};
use super::team_host::TeamHost;
use super::{Progress, StoredRun};
use crate::arena::ArenaError;
use crate::one_match::PlayedGame;
use crate::results::{PairingEnd, PairingOutcome};
use crate::slots::Wish;

/// What counts the games of all slots.
pub(super) struct Sides<'a> {
    pub(super) run: &'a PairingRun<'a>,
    /// Games are added to it; `None` if nobody keeps them.
    pub(super) kept: Option<&'a StoredRun>,
    pub(super) book: &'a mut Book,
    pub(super) progress: &'a mut dyn Progress,
}

/// A game that a slot plays, and who watches it.
type Watched = (NextGame, Box<dyn Spectator>);

/// What a slot says when it is ready for the next game: what came of the last one, or the panic that it ended in.
type Report = (usize, thread::Result<Result<Option<PlayedGame>, ArenaError>>);

/// A slot and the pairing that it plays.
struct Slot {
    games: Sender<Watched>,
    course: Option<Course>,
}

fn open_slot<'scope>(
    scope: &'scope Scope<'scope, '_>,
    run: &'scope PairingRun<'_>,
    host: &'scope TeamHost,
    number: usize,
    done: Sender<Report>,
) -> Slot {
    let (games, orders) = mpsc::channel::<Watched>();
    // The system kills teams when the thread that started them ends, so a slot lives as long as all.
    scope.spawn(move || {
        for (next, mut spectator) in orders {
            let play = AssertUnwindSafe(|| run.play(host, &next, &mut *spectator));
            if done.send((number, catch_unwind(play))).is_err() {
                return;
            }
        }
    });
    Slot { games, course: None }
}

impl Sides<'_> {
    /// Plays all pairings, or until it is enough or somebody stops it. What is told of those that were begun, in
    /// their order, and whether whoever is told of games has seen enough.
    ///
    /// # Errors
    /// A game cannot be set up or not be kept.
    pub(super) fn play(
        mut self,
        hosts: &[TeamHost],
        mut waiting: VecDeque<Pairing>,
    ) -> Result<(Vec<PairingOutcome>, bool), ArenaError> {
        let run = self.run;
        thread::scope(|scope| {
            let (done, results) = mpsc::channel();
            let slot = |(number, host)| open_slot(scope, run, host, number, done.clone());
            let mut slots: Vec<Slot> = hosts.iter().enumerate().map(slot).collect();
            let mut told = BTreeMap::new();
            let mut is_enough = false;
            for slot in &mut slots {
                self.hand_out(slot, &mut waiting, is_enough, &mut told)?;
            }
            while slots.iter().any(|slot| slot.course.is_some()) {
                let (number, game) = next_report(&results);
                let slot = &mut slots[number];
                is_enough |= self.take(slot, game?, &mut told)? == Wish::Enough;
                self.hand_out(slot, &mut waiting, is_enough, &mut told)?;
            }
            Ok((told.into_values().collect(), is_enough))
        })
    }

    /// Adds a game to the pairing of its slot. One that was cut off ends the pairing.
    fn take(
        &mut self,
        slot: &mut Slot,
        game: Option<PlayedGame>,
        told: &mut BTreeMap<u32, PairingOutcome>,
    ) -> Result<Wish, ArenaError> {
        let mut course = slot.course.take().expect("only a slot with a pairing plays");
        let Some(game) = game else {
            self.finish(course, self.run.cut_off(), told)?;
            return Ok(Wish::GoOn);
        };
        let wish = self.run.add(&mut course, &game, self.kept, self.book, self.progress)?;
        slot.course = Some(course);
        Ok(wish)
    }

    /// Gives a slot its next game, of its pairing or of the next one that waits. A slot for which there is none has
    /// no pairing any more.
    fn hand_out(
        &mut self,
        slot: &mut Slot,
        waiting: &mut VecDeque<Pairing>,
        is_enough: bool,
        told: &mut BTreeMap<u32, PairingOutcome>,
    ) -> Result<(), ArenaError> {
        loop {
            let course = match slot.course.take() {
                Some(course) => course,
                None => match waiting.pop_front() {
                    Some(pairing)
                        if pairing.was_begun() || !(is_enough || self.run.is_stopped()) =>
                    {
                        self.run.begin(pairing, self.kept, self.book)?
                    }
                    _ => return Ok(()),
                },
            };
            match self.run.next(&course) {
                Ok(_) if is_enough => self.finish(course, PairingEnd::Interrupted, told)?,
                Err(ended) => self.finish(course, ended, told)?,
                Ok(next) => {
                    let spectator = self.progress.spectator(&next.planned);
                    slot.course = Some(course);
                    slot.games
                        .send((next, spectator))
                        .expect("a slot waits for games until it is given none");
                    return Ok(());
                }
            }
        }
    }

    fn finish(
        &mut self,
        course: Course,
        ended: PairingEnd,
        told: &mut BTreeMap<u32, PairingOutcome>,
    ) -> Result<(), ArenaError> {
        let number = course.number();
        told.insert(number, self.run.finish(course, ended, self.kept, self.book)?);
        Ok(())
    }
}

/// What a slot says next. A bug of ours in one game is one of the whole run.
fn next_report(results: &Receiver<Report>) -> (usize, Result<Option<PlayedGame>, ArenaError>) {
    let (number, game) = results.recv().expect("slots live until they are given no more games");
    (number, game.unwrap_or_else(|panic| resume_unwind(panic)))
}

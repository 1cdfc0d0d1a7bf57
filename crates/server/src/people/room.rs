//! One game of persons, from the wish to the end.

use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use quintain_arena::plan::{BranchPlan, MatchPlan};
use quintain_arena::{REPLAY_EXTENSION, file_name_part};
use quintain_core::scene::{Eye, Frame};
use quintain_core::{PerSeat, Seat, Verdict};
use quintain_referee::Stop;
use quintain_registry::{FilmHead, MatchReport, Question};
use tokio::sync::watch;

use super::news::{Known, News, Newsreel};
use super::offers::Offer;
use super::side::Side;
use super::wish::name;
use super::{Opponent, Wish, token};
use crate::error::Refusal;
use crate::limits::{IDLE_TIME_MAX, LISTENERS_MAX, TAKE_BACKS_MAX};

/// A game of persons.
pub(crate) struct Room {
    pub(crate) wish: Wish,
    /// Tells its replays from those of other games.
    id: String,
    folder: PathBuf,
    tokens: PerSeat<Option<String>>,
    state: Mutex<State>,
    /// Counts what happened.
    changed: watch::Sender<u64>,
    listeners: PerSeat<AtomicUsize>,
}

struct State {
    names: PerSeat<String>,
    sides: PerSeat<Side>,
    phase: Phase,
    /// Breaks off the match that is played.
    stop: Stop,
    /// The replay of the latest match.
    replay: Option<PathBuf>,
    /// How many matches were begun: another one for each time that somebody took back.
    matches: u32,
    /// The turn that is to be played anew.
    back_to: Option<u32>,
    /// Whether a thread plays what is to be played.
    is_running: bool,
    touched: Instant,
    /// The game that follows this one.
    next: Option<Arc<Room>>,
}

/// How far a game is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The other person has not come yet.
    Inviting,
    Playing,
    Over {
        /// One sentence: who won, and why.
        closing: String,
        verdicts: PerSeat<Verdict>,
        /// The id of the replay.
        replay: Option<String>,
    },
    /// It came to no end.
    BrokenOff {
        why: String,
    },
}

/// The match that is played next in a room.
pub(super) struct NextMatch {
    pub(super) plan: MatchPlan,
    pub(super) replay: PathBuf,
    pub(super) stop: Stop,
}

impl Room {
    /// A game of whoever wishes it. The other person is known by name, or invited.
    pub(super) fn new(wish: Wish, guest: Option<&str>, folder: PathBuf) -> Result<Room, Refusal> {
        let token_of = |seat| wish.is_person(seat).then(token).transpose();
        let tokens = PerSeat([token_of(Seat::First)?, token_of(Seat::Second)?]);
        let phase = match (&wish.opponent, guest) {
            (Opponent::House(_), _) | (Opponent::Person, Some(_)) => Phase::Playing,
            (Opponent::Person, None) => Phase::Inviting,
        };
        let state = State {
            names: wish.names(guest.unwrap_or("guest")),
            sides: PerSeat::default(),
            phase,
            stop: Stop::default(),
            replay: None,
            matches: 0,
            back_to: None,
            is_running: false,
            touched: Instant::now(),
            next: None,
        };
        let id = token()?.chars().take(6).collect();
        let listeners = PerSeat::default();
        let changed = watch::Sender::new(1);
        Ok(Room { wish, id, folder, tokens, state: Mutex::new(state), changed, listeners })
    }

    /// The token of a person's seat.
    pub(super) fn token_of(&self, seat: Seat) -> Option<&str> {
        self.tokens[seat].as_deref()
    }

    pub(super) fn seat_of(&self, token: &str) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.token_of(*seat) == Some(token))
    }

    pub(crate) fn names(&self) -> PerSeat<String> {
        self.lock().names.clone()
    }

    /// Whether the person of this seat has been invited and has not come yet.
    pub(crate) fn is_invited(&self, seat: Seat) -> bool {
        self.lock().phase == Phase::Inviting && seat != self.wish.seat
    }

    /// Whether nothing is played or waited for.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.lock().phase, Phase::Over { .. } | Phase::BrokenOff { .. })
    }

    /// Whether nobody has done anything for so long that nobody will.
    pub(super) fn is_forgotten(&self) -> bool {
        self.is_over() && self.lock().touched.elapsed() > IDLE_TIME_MAX
    }

    /// The person who was invited comes, under a name.
    pub(super) fn join(&self, seat: Seat, text: &str) -> Result<(), Refusal> {
        let guest = name(self.wish.game, text)?;
        self.change(|state| {
            if state.phase != Phase::Inviting || seat == self.wish.seat {
                return Err(Refusal::BadRequest("This game has begun already.".to_owned()));
            }
            state.names = self.wish.names(&guest);
            state.phase = Phase::Playing;
            Ok(())
        })
    }

    /// Whether a thread is needed to play what is to be played; whoever is told so is that thread.
    pub(super) fn claim(&self) -> bool {
        let mut state = self.lock();
        !std::mem::replace(&mut state.is_running, true)
    }

    /// What is to be played now. If nothing is, the thread that asks is not needed any more.
    pub(super) fn next_match(&self) -> Option<NextMatch> {
        let mut state = self.lock();
        let back_to = state.back_to.take();
        state.is_running =
            state.phase == Phase::Playing && (state.matches == 0 || back_to.is_some());
        if !state.is_running {
            return None;
        }
        let mut plan = self.wish.plan(&state.names);
        let before = state.replay.take();
        plan.branch = before.zip(back_to).map(|(replay, turn)| BranchPlan { replay, turn });
        state.matches += 1;
        state.stop = Stop::default();
        let replay = self.replay_path(&state.names, state.matches);
        state.replay = Some(replay.clone());
        Some(NextMatch { plan, replay, stop: state.stop.clone() })
    }

    fn replay_path(&self, names: &PerSeat<String>, matches: u32) -> PathBuf {
        let [first, second] = names.as_ref().0.map(|name| file_name_part(name));
        let (game, id) = (self.wish.game.facts().id, &self.id);
        let again = if matches > 1 { format!("-{matches}") } else { String::new() };
        self.folder.join(format!("{game}-{first}-vs-{second}-{id}{again}.{REPLAY_EXTENSION}"))
    }

    /// The match is over, or could not be played.
    pub(super) fn end(&self, report: Result<Option<MatchReport>, String>) {
        self.change(|state| {
            state.sides.0.iter_mut().for_each(Side::fall_silent);
            match report {
                // It goes on from an earlier turn, or somebody has said why it does not.
                Ok(_) if state.back_to.is_some() || state.phase != Phase::Playing => {}
                Ok(Some(report)) => {
                    let replay = report.replay.as_deref().and_then(Path::file_name);
                    state.phase = Phase::Over {
                        closing: report.closing,
                        verdicts: report.outcome.verdicts,
                        replay: replay.map(|name| name.to_string_lossy().into_owned()),
                    };
                }
                Ok(None) => {
                    let why = "The game was broken off.".to_owned();
                    state.phase = Phase::BrokenOff { why };
                }
                Err(why) => state.phase = Phase::BrokenOff { why },
            }
        });
    }

    pub(super) fn connect(&self, seat: Seat, wire: UnixStream) {
        self.change(|state| state.sides[seat].connect(wire));
    }

    pub(super) fn begin_film(&self, head: &FilmHead) {
        self.change(|state| {
            for seat in self.persons() {
                state.sides[seat].begin(head, Eye::Seat(seat));
            }
        });
    }

    pub(super) fn show(&self, seat: Seat, frame: &Frame) {
        self.change(|state| state.sides[seat].see(frame));
    }

    pub(super) fn ask(&self, question: Box<dyn Question>) {
        self.change(|state| state.sides[question.seat()].ask(question, self.wish.clock));
    }

    pub(super) fn persons(&self) -> impl Iterator<Item = Seat> + '_ {
        Seat::BOTH.into_iter().filter(|seat| self.wish.is_person(*seat))
    }

    /// What the person of a seat may go on with.
    pub(super) fn offers(&self, seat: Seat, chosen: &str) -> Vec<Offer> {
        self.lock().sides[seat].offers(chosen).unwrap_or_default()
    }

    /// The person of a seat answers. What is wrong with it otherwise.
    pub(super) fn answer(&self, seat: Seat, text: &str) -> Result<(), String> {
        self.touch(|state| state.sides[seat].answer(text))
    }

    /// The person of a seat leaves the match.
    pub(super) fn resign(&self, seat: Seat) -> Result<(), String> {
        self.touch(|state| match state.phase {
            Phase::Playing => {
                state.sides[seat].hang_up();
                Ok(())
            }
            Phase::Inviting => {
                let why = "Nobody came before it was called off.".to_owned();
                state.phase = Phase::BrokenOff { why };
                Ok(())
            }
            _ => Err("The game is over.".to_owned()),
        })
    }

    /// The person of a seat takes back the latest answer.
    pub(super) fn take_back(&self, seat: Seat) -> Result<(), String> {
        self.touch(|state| {
            let turn = self.turn_to_take_back(state, seat).ok_or("Nothing can be taken back.")?;
            state.back_to = Some(turn);
            state.phase = Phase::Playing;
            state.sides[seat].go_back_to(turn);
            state.stop.break_off();
            Ok(())
        })
    }

    /// The turn that would be played anew. Against a person, and while a house bot thinks, there is none.
    fn turn_to_take_back(&self, state: &State, seat: Seat) -> Option<u32> {
        let side = &state.sides[seat];
        let is_over = matches!(state.phase, Phase::Over { .. });
        let may = matches!(self.wish.opponent, Opponent::House(_))
            && state.matches < TAKE_BACKS_MAX
            && (is_over || state.phase == Phase::Playing && side.is_asked());
        side.turn_before().filter(|_| may && state.back_to.is_none())
    }

    /// The game after this one; `make` makes it if nobody has wished for it before.
    pub(super) fn rematch(
        &self,
        make: impl FnOnce() -> Result<Arc<Room>, Refusal>,
    ) -> Result<Arc<Room>, Refusal> {
        if let Some(next) = &self.lock().next {
            return Ok(Arc::clone(next));
        }
        if !self.is_over() {
            return Err(Refusal::BadRequest("This game is not over.".to_owned()));
        }
        let next = make()?;
        self.change(|state| Ok(Arc::clone(state.next.get_or_insert(next))))
    }

    /// Whoever lets the clock run out leaves; a game that nobody goes on with is broken off. False if there is
    /// nothing more to look after.
    pub(super) fn look_after(&self) -> bool {
        let is_due = |side: &Side| side.time_left().is_some_and(|left| left.is_zero());
        let (due, is_idle) = {
            let state = self.lock();
            let due: Vec<Seat> =
                self.persons().filter(|seat| is_due(&state.sides[*seat])).collect();
            (due, state.touched.elapsed() > IDLE_TIME_MAX)
        };
        for seat in due {
            self.change(|state| state.sides[seat].hang_up());
        }
        if is_idle && !self.is_over() {
            self.change(|state| {
                let why = "Nobody did anything for half an hour.".to_owned();
                state.phase = Phase::BrokenOff { why };
                state.stop.break_off();
            });
        }
        !self.is_over()
    }

    /// What is new to a page of a seat; `None` if nothing is.
    pub(super) fn news(&self, seat: Seat, known: &Known) -> Option<Newsreel> {
        let number = *self.changed.borrow();
        if number == known.number {
            return None;
        }
        let mut guard = self.lock();
        let can_take_back = self.turn_to_take_back(&guard, seat).is_some();
        let state = &mut *guard;
        let next = state.next.as_ref().and_then(|next| next.token_for(self, seat));
        let side = &mut state.sides[seat];
        let asked = side.offers("");
        let left_ms = side.time_left().map(|left| left.as_millis() as u64);
        let has_left = side.has_left;
        let news = News {
            number,
            phase: &state.phase,
            seat,
            question: side.questions,
            asked,
            left_ms,
            has_left,
            can_take_back,
            next,
        };
        Some(Newsreel::new(&news, &side.footage(known)))
    }

    /// The token of whoever sat on a seat of the game before.
    pub(super) fn token_for(&self, before: &Room, seat: Seat) -> Option<String> {
        // Whoever wished sits on the other seat now, and so does the other one.
        let seat = if self.wish.seat == before.wish.seat { seat } else { seat.other() };
        self.token_of(seat).map(str::to_owned)
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// A place for a page that waits; `None` if there are too many.
    pub(super) fn listen(self: &Arc<Self>, seat: Seat) -> Option<Listener> {
        let count = self.listeners[seat].fetch_add(1, Ordering::Relaxed);
        let listener = Listener { room: Arc::clone(self), seat };
        (count < LISTENERS_MAX).then_some(listener)
    }

    /// A person has done something.
    fn touch<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        self.change(|state| {
            state.touched = Instant::now();
            act(state)
        })
    }

    fn change<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        let result = act(&mut self.lock());
        self.changed.send_modify(|number| *number += 1);
        result
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A page that waits for news.
pub(super) struct Listener {
    room: Arc<Room>,
    seat: Seat,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.room.listeners[self.seat].fetch_sub(1, Ordering::Relaxed);
    }
}

//! Lateness: by the stamp of the line, never by when the referee looks.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use quintain_core::{Bot, Fault, Item, PerSeat, Seat, Thinking};
use quintain_referee::{
    Ask, Follower, Heard, Incoming, Input, Message, Player, SimWorld, Step, Wait, World,
};

use crate::bench::{Notebook, line, ms, nobody, play_in, play_with, remote, scripted, steady};
use crate::toy::{Event, Toy};

const FIRST: Seat = Seat::First;
const SECOND: Seat = Seat::Second;

#[test]
fn a_late_line_costs_its_turn_and_is_heard_in_the_next() {
    let late = scripted([vec![], vec![(ms(1500), line("4"))], vec![], vec![(ms(1), line("5"))]]);
    let played = remote::<true>(late, steady("2")).play();
    assert_eq!(played.events[0][0], Event::Answered(FIRST, Err(Fault::Late)));
    assert_eq!(played.events[1][0], Event::Answered(FIRST, Ok(4)));
    assert_eq!(played.events[2][0], Event::Answered(FIRST, Ok(5)));
    let late = Input::Fault { seat: FIRST, fault: Fault::Late, after: Some(ms(1000)) };
    assert_eq!(played.steps[0].inputs[0], late);
    assert_eq!(played.steps[0].answers[FIRST], None);
}

#[test]
fn a_line_on_the_stroke_is_in_time() {
    let last_moment = || scripted([vec![], vec![(ms(1000), line("4"))]]);
    let mut one = remote::<true>(last_moment(), last_moment());
    one.ask = Ask::Together;
    one.setup.turns_max = 1;
    assert_eq!(one.play().outcome.scores, PerSeat([4, 4]));
}

#[test]
fn together_both_can_be_late_and_each_alone() {
    let silent = || scripted([]);
    let mut both = remote::<true>(silent(), silent());
    both.ask = Ask::Together;
    let played = both.play();
    assert_eq!(played.ended_at, ms(3000), "one limit per turn, not two");
    for events in &played.events {
        let late = |seat| Event::Answered(seat, Err(Fault::Late));
        assert_eq!(*events, [late(FIRST), late(SECOND)]);
    }
    let mut one = remote::<true>(steady("3"), silent());
    one.ask = Ask::Together;
    assert_eq!(one.play().outcome.scores, PerSeat([9, 0]));
}

#[test]
fn the_time_scale_stretches_the_limit() {
    for (scale, expected) in [(1.0, ms(1000)), (3.0, ms(3000)), (0.5, ms(500))] {
        let mut one = remote::<true>(scripted([]), scripted([]));
        one.ask = Ask::Together;
        one.setup.turns_max = 1;
        one.rules.time_scale = scale;
        assert_eq!(one.play().ended_at, expected, "scale {scale}");
    }
}

#[test]
fn without_a_clock_a_seat_may_think_for_an_hour() {
    let thinker = scripted([vec![], vec![(Duration::from_secs(3600), line("4"))]]);
    let mut one = remote::<true>(thinker, steady("2"));
    one.setup.turns_max = 1;
    one.rules.clock[FIRST] = false;
    let played = one.play();
    assert_eq!(played.outcome.scores, PerSeat([4, 2]));
    assert!(played.idles >= 3600, "the follower may flush all the while");
}

/// A world in which the referee is slow: it looks only after everything has come.
struct Sluggish {
    now: Duration,
    script: VecDeque<Incoming>,
    rest: SimWorld,
}

impl World for Sluggish {
    fn now(&self) -> Duration {
        self.now
    }

    fn send(&mut self, _seat: Seat, _item: &Item) {}

    fn next(&mut self, until: Option<Duration>) -> Wait {
        // Whatever comes is looked at ten seconds after it came.
        match (self.script.pop_front(), until) {
            (Some(incoming), _) => {
                self.now = self.now.max(incoming.at + ms(10_000));
                Wait::Came(incoming)
            }
            (None, Some(until)) => {
                self.now = self.now.max(until);
                Wait::TimeUp
            }
            (None, None) => Wait::Silent,
        }
    }

    delegate!(rest: prepare flush is_stopped absence hang_up cpu counts referee_waited);
    delegate!(rest: wants_to_run has_said unprotected stderr meddling finish);
}

/// A clock that others than the world can turn on.
#[derive(Clone, Default)]
struct Clock(Arc<Mutex<Duration>>);

impl Clock {
    fn get(&self) -> Duration {
        *self.0.lock().expect("no test panics with this lock")
    }

    fn turn_on_to(&self, moment: Duration) {
        let mut now = self.0.lock().expect("no test panics with this lock");
        *now = moment.max(*now);
    }

    fn turn_on_by(&self, time: Duration) {
        self.turn_on_to(self.get() + time);
    }
}

/// A world whose clock whoever records the match can turn on, and a bot inside.
struct Recorded {
    now: Clock,
    script: VecDeque<Incoming>,
    rest: SimWorld,
}

impl World for Recorded {
    fn now(&self) -> Duration {
        self.now.get()
    }

    fn send(&mut self, _seat: Seat, _item: &Item) {}

    fn next(&mut self, until: Option<Duration>) -> Wait {
        let is_due = |incoming: &mut Incoming| until.is_none_or(|until| incoming.at <= until);
        if let Some(incoming) = self.script.pop_front_if(is_due) {
            self.now.turn_on_to(incoming.at);
            return Wait::Came(incoming);
        }
        let Some(until) = until else { return Wait::Silent };
        self.now.turn_on_to(until);
        Wait::TimeUp
    }

    delegate!(rest: prepare flush is_stopped absence hang_up cpu counts referee_waited);
    delegate!(rest: wants_to_run has_said unprotected stderr meddling finish);
}

/// A disk that takes 700 ms for a step.
struct SlowDisk {
    now: Clock,
    events: Vec<Event>,
}

impl Follower<Toy<true>> for SlowDisk {
    fn begin(&mut self, _game: &Toy<true>, _said: &[Message]) {}

    fn step(&mut self, step: &Step<'_, Toy<true>>) {
        self.now.turn_on_by(ms(700));
        self.events.extend_from_slice(step.events);
    }

    fn idle(&mut self) {}
}

/// Both answer the first question at once and the second one, asked at 0 ms as well, at `at`.
fn play_beside_a_slow_disk(at: Duration) -> Vec<Event> {
    let now = Clock::default();
    let said = |seat, at, word| Incoming { seat, at, heard: line(word) };
    let script = [ms(0), at]
        .into_iter()
        .flat_map(|at| [said(FIRST, at, "4"), said(SECOND, at, "5")])
        .collect();
    let mut disk = SlowDisk { now: now.clone(), events: Vec::new() };
    play_in(&mut Recorded { now, script, rest: nobody() }, 2, Ask::Together, &mut disk);
    disk.events
}

#[test]
fn the_time_that_a_record_takes_is_not_the_bots() {
    let answers = |at| play_beside_a_slow_disk(at)[2..].to_vec();
    let in_time = [Event::Answered(FIRST, Ok(4)), Event::Answered(SECOND, Ok(5))];
    assert_eq!(answers(ms(1_700)), in_time);
    let late = |seat| Event::Answered(seat, Err(Fault::Late));
    assert_eq!(answers(ms(1_701)), [late(FIRST), late(SECOND)]);
}

/// A bot inside that thinks for 700 ms.
struct Ponderer {
    now: Clock,
}

impl Bot<Toy<true>> for Ponderer {
    fn act(&mut self, _view: &u32, _: &mut Thinking<'_>) -> u32 {
        self.now.turn_on_by(ms(700));
        5
    }
}

#[test]
fn the_time_that_a_bot_inside_takes_is_not_its_rivals() {
    let answer = |at| {
        let now = Clock::default();
        let script = VecDeque::from([Incoming { seat: FIRST, at, heard: line("4") }]);
        let mut events = Events(Vec::new());
        let inside = Ponderer { now: now.clone() };
        let players = PerSeat([Player::Outside, Player::Inside(Box::new(inside))]);
        let mut world = Recorded { now, script, rest: nobody() };
        play_with(players, &mut world, 1, Ask::Together, &mut events);
        events.0.remove(0)
    };
    assert_eq!(answer(ms(1_700)), Event::Answered(FIRST, Ok(4)));
    assert_eq!(answer(ms(1_701)), Event::Answered(FIRST, Err(Fault::Late)));
}

struct Events(Vec<Event>);

impl Follower<Toy<true>> for Events {
    fn begin(&mut self, _game: &Toy<true>, _said: &[Message]) {}

    fn step(&mut self, step: &Step<'_, Toy<true>>) {
        self.0.extend_from_slice(step.events);
    }

    fn idle(&mut self) {}
}

fn play_sluggishly(script: &[(Seat, Duration, Heard)]) -> Vec<Event> {
    let script = script.iter().map(|(seat, at, heard)| Incoming {
        seat: *seat,
        at: *at,
        heard: heard.clone(),
    });
    let mut world = Sluggish { now: ms(0), script: script.collect(), rest: nobody() };
    let mut events = Events(Vec::new());
    play_in(&mut world, 1, Ask::Together, &mut events);
    events.0
}

#[test]
fn a_slow_referee_punishes_nobody() {
    let events = play_sluggishly(&[(FIRST, ms(900), line("4")), (SECOND, ms(999), line("5"))]);
    let expected = [Event::Answered(FIRST, Ok(4)), Event::Answered(SECOND, Ok(5))];
    assert_eq!(events, expected);
}

#[test]
fn a_slow_referee_forgives_nobody() {
    let events = play_sluggishly(&[(FIRST, ms(900), line("4")), (SECOND, ms(1001), line("5"))]);
    let expected = [Event::Answered(FIRST, Ok(4)), Event::Answered(SECOND, Err(Fault::Late))];
    assert_eq!(events, expected);
}

/// A world in which the second seat writes without end, a line a millisecond, and in which the other
/// wire is looked at after every so many lines only, unless somebody asks.
struct Swamped {
    now: Duration,
    lines_since_look: u32,
    /// When the first seat answers, and when that was read.
    answers_at: Duration,
    read_at: Option<Duration>,
    rest: SimWorld,
}

impl Swamped {
    fn look(&mut self) {
        self.lines_since_look = 0;
        if self.now >= self.answers_at {
            self.read_at.get_or_insert(self.now);
        }
    }
}

impl World for Swamped {
    fn now(&self) -> Duration {
        self.now
    }

    fn send(&mut self, _seat: Seat, _item: &Item) {}

    fn next(&mut self, until: Option<Duration>) -> Wait {
        if self.lines_since_look == 32 {
            self.look();
        }
        if let Some(at) = self.read_at.filter(|at| until.is_none_or(|until| *at <= until)) {
            (self.read_at, self.answers_at) = (None, Duration::MAX);
            return Wait::Came(Incoming { seat: FIRST, at, heard: line("4") });
        }
        if until.is_some_and(|until| self.now > until) {
            return Wait::TimeUp;
        }
        let at = self.now;
        self.lines_since_look += 1;
        // The referee will not be done with it before that.
        self.now += ms(1);
        Wait::Came(Incoming { seat: SECOND, at, heard: line("2") })
    }

    fn has_said(&mut self, seat: Seat) -> bool {
        self.look();
        seat == SECOND || self.read_at.is_some()
    }

    delegate!(rest: prepare flush is_stopped absence hang_up cpu counts referee_waited);
    delegate!(rest: wants_to_run unprotected stderr meddling finish);
}

/// Whether the first seat is late that answers at a moment, where it has a second.
fn is_late_beside_a_flood(answers_at: Duration) -> bool {
    let (now, rest) = (ms(0), nobody());
    let mut world = Swamped { now, lines_since_look: 0, answers_at, read_at: None, rest };
    let mut notebook = Notebook::default();
    play_in(&mut world, 1, Ask::InTurn, &mut notebook);
    let is_late =
        |input: &Input| matches!(input, Input::Fault { seat: FIRST, fault: Fault::Late, .. });
    notebook.steps[0].inputs.iter().any(is_late)
}

#[test]
fn whoever_writes_without_being_asked_makes_nobody_else_late() {
    for answers_at in [ms(1), ms(500), ms(993), ms(999), Duration::from_micros(999_500)] {
        assert!(!is_late_beside_a_flood(answers_at), "{answers_at:?}");
    }
    for answers_at in [ms(1002), ms(1100), Duration::MAX] {
        assert!(is_late_beside_a_flood(answers_at), "{answers_at:?}: a flood is no excuse either");
    }
}

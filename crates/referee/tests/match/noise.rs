//! Late answers: the bot's fault, or the machine's.

use std::time::Duration;

use quintain_core::{Fault, Item, PerSeat, Seat};
use quintain_referee::{Ask, Capped, Entry, Incoming, SimWorld, StepRecord, Usage, World};

use crate::bench::{Notebook, line, ms, play_in, scripted, steady};

const FIRST: Seat = Seat::First;

/// A world that counts what the bot on the first seat uses.
struct Busy {
    world: SimWorld,
    /// By the time since the match began, which is when the first question is asked.
    usage: fn(Duration) -> Usage,
    wants_to_run: bool,
    is_alone: bool,
}

impl World for Busy {
    fn now(&self) -> Duration {
        self.world.now()
    }

    fn send(&mut self, seat: Seat, item: &Item) {
        self.world.send(seat, item);
    }

    fn next(&mut self, until: Option<Duration>) -> Option<Incoming> {
        self.world.next(until)
    }

    fn hang_up(&mut self, seat: Seat) {
        self.world.hang_up(seat);
    }

    fn usage(&mut self, seat: Seat) -> Option<Usage> {
        (seat == FIRST).then(|| (self.usage)(self.world.now()))
    }

    fn wants_to_run(&mut self, seat: Seat) -> bool {
        seat == FIRST && self.wants_to_run
    }

    fn is_alone(&mut self, seat: Seat) -> bool {
        seat == FIRST && self.is_alone
    }

    fn stderr(&mut self, _seat: Seat) -> Capped {
        Capped::default()
    }
}

/// A tenth of the time it runs, the rest it waits for a processor.
fn starved(now: Duration) -> Usage {
    Usage { cpu: now / 10, first_thread_cpu: now / 10, waited: now / 10 * 9 }
}

fn computing(now: Duration) -> Usage {
    Usage { cpu: now, first_thread_cpu: now, waited: Duration::ZERO }
}

/// Plays one turn, whose limit is a second, and returns its record and when it was over.
fn one_turn(
    answer_after: Option<Duration>,
    usage: fn(Duration) -> Usage,
    wants_to_run: bool,
    is_alone: bool,
) -> (StepRecord, Duration) {
    let answers = answer_after.map(|delay| vec![(delay, line("4"))]);
    let first = scripted([vec![], answers.unwrap_or_default()]);
    let world = SimWorld::new(PerSeat([first, steady("2")]));
    let mut world = Busy { world, usage, wants_to_run, is_alone };
    let mut notebook = Notebook::default();
    play_in(&mut world, 1, Ask::InTurn, &mut notebook);
    (notebook.steps.remove(0), world.now())
}

fn is_late(record: &StepRecord) -> bool {
    record.entries[0] == Entry::Fault { seat: FIRST, fault: Fault::Late }
}

#[test]
fn a_bot_that_had_to_wait_for_a_processor_is_late_and_disturbed() {
    let (record, _) = one_turn(Some(ms(1200)), starved, true, true);
    assert!(is_late(&record));
    let late = record.disturbed[FIRST].expect("it was not let run");
    assert_eq!((late.wall, late.limit, late.overrun()), (ms(1200), ms(1000), ms(200)));
    assert_eq!(late.waited(), starved(ms(1200)).waited);
    assert_eq!(record.disturbed[FIRST.other()], None);
    let timing = record.answers[FIRST].expect("the late answer was measured");
    assert_eq!(timing.wall, ms(1200));
    assert_eq!(timing.usage, Some(starved(ms(1200))));
}

#[test]
fn a_bot_with_company_is_just_late() {
    let (record, _) = one_turn(Some(ms(1200)), starved, true, false);
    assert!(is_late(&record));
    assert_eq!(record.disturbed, PerSeat([None, None]));
}

#[test]
fn who_sleeps_or_computes_is_late_on_the_stroke() {
    for (usage, wants_to_run) in [(starved as fn(Duration) -> Usage, false), (computing, true)] {
        let (record, over) = one_turn(Some(ms(1200)), usage, wants_to_run, true);
        assert!(is_late(&record));
        assert_eq!(record.disturbed, PerSeat([None, None]));
        assert_eq!(over, ms(1001), "the other seat answers a millisecond after it was asked");
        assert_eq!(record.answers[FIRST], None);
    }
}

#[test]
fn patience_has_an_end() {
    let shut_out = |now| Usage { waited: now, ..Usage::default() };
    let (record, over) = one_turn(None, shut_out, true, true);
    assert!(is_late(&record));
    assert_eq!(record.disturbed, PerSeat([None, None]));
    assert!(over >= ms(31_000) && over < ms(31_010), "{over:?}");
}

#[test]
fn who_is_in_time_is_measured_too() {
    let (record, _) = one_turn(Some(ms(900)), starved, true, true);
    assert!(!is_late(&record));
    assert_eq!(record.disturbed, PerSeat([None, None]));
    assert_eq!(record.answers[FIRST].and_then(|timing| timing.usage), Some(starved(ms(900))));
}

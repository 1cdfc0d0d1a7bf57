//! Late answers: the bot's fault, or the machine's.

use std::time::Duration;

use quintain_core::{Fault, PerSeat, Seat};
use quintain_referee::{
    Ask, Capped, Counts, Input, SimWorld, StepRecord, ThreadCounts, Unprotected, Wait, World,
};

use crate::bench::{Notebook, line, ms, play_in, scripted};

const FIRST: Seat = Seat::First;

/// What a bot has used and waited by then, since the match began, which is when the first question
/// is asked.
#[derive(Clone, Copy)]
struct Usage {
    cpu: Duration,
    waited: Duration,
}

/// A world that counts what the bot on the first seat uses.
#[derive(Clone, Copy)]
struct Machine {
    usage: fn(Duration) -> Usage,
    wants_to_run: bool,
    is_followed: bool,
    /// How long the referee waits for a processor whenever it is woken.
    referee_waits: Duration,
    /// How much later than it wants to the referee is woken, which nothing counts.
    referee_oversleeps: Duration,
    /// How long the referee waits for a processor while it reads what is counted.
    look_takes: Duration,
    /// How much of its processor was taken from the machine by then.
    stolen: fn(Duration) -> Duration,
}

/// A tenth of the time it runs, the rest it waits for a processor.
const STARVED: Machine = Machine {
    usage: |now| Usage { cpu: now / 10, waited: now / 10 * 9 },
    wants_to_run: true,
    is_followed: true,
    referee_waits: Duration::ZERO,
    referee_oversleeps: Duration::ZERO,
    look_takes: Duration::ZERO,
    stolen: |_| Duration::ZERO,
};

struct Busy {
    world: SimWorld,
    machine: Machine,
    referee_waited: Duration,
}

impl World for Busy {
    delegate!(world: now send prepare flush is_stopped absence hang_up has_said meddling finish);

    fn next(&mut self, until: Option<Duration>) -> Wait {
        let Machine { referee_waits, referee_oversleeps, .. } = self.machine;
        self.referee_waited += referee_waits;
        self.world.next(until.map(|until| until + referee_waits + referee_oversleeps))
    }

    fn cpu(&mut self, seat: Seat) -> Option<Duration> {
        (seat == FIRST).then(|| (self.machine.usage)(self.world.now()).cpu)
    }

    /// The first thread sleeps, as that of a Java machine does.
    fn counts(&mut self, seat: Seat) -> Option<Counts> {
        self.world.pass(self.machine.look_takes);
        self.referee_waited += self.machine.look_takes;
        let now = self.world.now();
        let Usage { cpu, waited } = (self.machine.usage)(now);
        let sleeper = ThreadCounts { id: 1, ..ThreadCounts::default() };
        (seat == FIRST).then(|| Counts {
            threads: vec![sleeper, ThreadCounts { id: 2, cpu, waited }],
            stolen: vec![Duration::ZERO, (self.machine.stolen)(now)],
        })
    }

    fn referee_waited(&mut self) -> Duration {
        self.referee_waited
    }

    fn wants_to_run(&mut self, seat: Seat) -> bool {
        seat == FIRST && self.machine.wants_to_run
    }

    fn unprotected(&mut self, _seat: Seat) -> Option<Unprotected> {
        (!self.machine.is_followed).then_some(Unprotected::NotCounted)
    }

    fn stderr(&mut self, _seat: Seat) -> Capped {
        Capped::default()
    }
}

/// Plays one turn, whose limit is a second, and returns its record and when it was over.
fn one_turn(answers: &[(Duration, &str)], machine: Machine) -> (StepRecord, Duration) {
    turn_against(answers, machine, "2", ms(1), Ask::InTurn)
}

fn turn_against(
    answers: &[(Duration, &str)],
    machine: Machine,
    others: &str,
    others_delay: Duration,
    ask: Ask,
) -> (StepRecord, Duration) {
    let answers = answers.iter().map(|(delay, text)| (*delay, line(text))).collect();
    let first = scripted([vec![], answers]);
    let second = scripted([vec![], vec![(others_delay, line(others))]]);
    let world = SimWorld::new(PerSeat([first, second]));
    let mut world = Busy { world, machine, referee_waited: Duration::ZERO };
    let mut notebook = Notebook::default();
    play_in(&mut world, 1, ask, &mut notebook);
    (notebook.steps.remove(0), world.now())
}

fn is_late(record: &StepRecord) -> bool {
    let is_late =
        |input: &Input| matches!(input, Input::Fault { seat: FIRST, fault: Fault::Late, .. });
    record.inputs.iter().any(is_late)
}

#[test]
fn a_bot_that_had_to_wait_for_a_processor_is_late_and_disturbed() {
    let (record, _) = one_turn(&[(ms(1200), "4")], STARVED);
    assert!(is_late(&record));
    assert_eq!(record.disturbed, PerSeat([true, false]));
    let late = record.late[FIRST].expect("it was not let run");
    assert_eq!((late.wall, late.limit, late.overrun()), (ms(1200), ms(1000), ms(200)));
    assert_eq!((late.cpu, late.waited()), (ms(120), ms(1199) / 10 * 9));
    assert_eq!(record.late[FIRST.other()], None);
    let timing = record.answers[FIRST].expect("the late answer was measured");
    assert_eq!((timing.wall, timing.cpu), (ms(1200), Some(ms(120))));
    assert_eq!(timing.waited, Some(ms(1199) / 10 * 9), "from the first look on");
}

#[test]
fn a_bot_that_cannot_be_followed_is_late_on_the_stroke() {
    let (record, over) = one_turn(&[(ms(1200), "4")], Machine { is_followed: false, ..STARVED });
    assert!(is_late(&record));
    assert_eq!(record.late, PerSeat([None, None]));
    assert_eq!(over, ms(1001), "the other seat answers a millisecond after it was asked");
}

#[test]
fn who_sleeps_or_computes_is_late_on_the_stroke() {
    let asleep: fn(Duration) -> Usage = |_| Usage { cpu: ms(1), waited: Duration::ZERO };
    let computing: fn(Duration) -> Usage = |now| Usage { cpu: now * 2, waited: Duration::ZERO };
    for (usage, wants_to_run) in [(asleep, false), (computing, true)] {
        let machine = Machine { usage, wants_to_run, ..STARVED };
        let (record, over) = one_turn(&[(ms(1200), "4")], machine);
        assert!(is_late(&record));
        assert_eq!(record.late, PerSeat([None, None]));
        assert_eq!(over, ms(1001), "the other seat answers a millisecond after it was asked");
        assert_eq!(record.answers[FIRST], None);
    }
}

/// It waits for something else for a moment, just when it is looked at.
#[test]
fn who_was_kept_waiting_is_waited_for_though_it_does_not_want_to_run_right_now() {
    let (record, _) = one_turn(&[(ms(1200), "4")], Machine { wants_to_run: false, ..STARVED });
    assert!(record.late[FIRST].is_some(), "{record:?}");
    // Until it has slept for longer than it had to wait.
    let usage: fn(Duration) -> Usage = |now| Usage { cpu: ms(1), waited: now.min(ms(100)) };
    let machine = Machine { usage, wants_to_run: false, ..STARVED };
    let (record, over) = one_turn(&[(ms(1500), "4")], machine);
    assert_eq!((is_late(&record), record.late[FIRST]), (true, None));
    assert!(over > ms(1095) && over < ms(1115), "{over:?}");
}

/// What the other seat says while a late bot is waited for does not end the patience with it.
#[test]
fn a_bot_that_is_waited_for_is_not_given_up_when_the_other_one_answers() {
    // The referee comes to it when the time that it wanted to wait is over already.
    let machine = Machine { referee_waits: ms(20), ..STARVED };
    for others_delay in [ms(1001), ms(1015), ms(1100)] {
        let answers = &[(ms(1200), "4")];
        let (record, _) = turn_against(answers, machine, "2", others_delay, Ask::Together);
        assert!(record.late[FIRST].is_some(), "{others_delay:?}: {record:?}");
    }
}

#[test]
fn who_writes_without_end_is_not_excused() {
    let mut answers: Vec<(Duration, &str)> = (0..30).map(|at| (ms(at * 10), "x")).collect();
    answers.push((ms(1200), "4"));
    let (record, _) = one_turn(&answers, STARVED);
    assert_eq!((is_late(&record), record.late[FIRST]), (true, None));
    // A few lines too many are no flood.
    let (record, _) = one_turn(&answers[25..], STARVED);
    assert!(record.late[FIRST].is_some(), "{record:?}");
}

/// Each line of the other seat wakes the referee, who has to wait for a processor each time; only what it
/// waited last is time in which an answer lay there unread.
#[test]
fn the_referees_waiting_counts_only_since_its_last_look() {
    let usage: fn(Duration) -> Usage = |_| Usage { cpu: ms(1), waited: Duration::ZERO };
    let machine = Machine { usage, wants_to_run: true, referee_waits: ms(4), ..STARVED };
    let (record, _) = one_turn(&[(ms(1100), "4")], machine);
    assert_eq!((is_late(&record), record.late[FIRST]), (true, None));
    let (record, _) = one_turn(&[(ms(1002), "4")], machine);
    assert!(record.late[FIRST].is_some(), "{record:?}");
}

/// The system adds a wait to its counts when it is over, as a whole. The first look falls into this one, since
/// the referee comes late to it.
#[test]
fn a_long_wait_of_one_thread_is_no_crowd_of_threads() {
    let usage: fn(Duration) -> Usage =
        |now| Usage { cpu: ms(1), waited: if now < ms(1100) { ms(0) } else { ms(1100) } };
    let machine = Machine { usage, referee_oversleeps: ms(700), ..STARVED };
    let (record, _) = one_turn(&[(ms(1100), "4")], machine);
    let late = record.late[FIRST].expect("it was not let run");
    assert_eq!(late.bot_waited, ms(1100));
}

/// The machine stands still: what the bot had to wait, and its answer, is there before the referee wakes.
#[test]
fn who_was_not_looked_at_in_time_is_excused() {
    let usage: fn(Duration) -> Usage = |_| Usage { cpu: ms(1), waited: Duration::ZERO };
    let machine = Machine { usage, wants_to_run: false, ..STARVED };
    let sleepy = Machine { referee_oversleeps: ms(1500), ..machine };
    let (record, _) = one_turn(&[(ms(1200), "4")], sleepy);
    assert!(record.late[FIRST].is_some(), "{record:?}");
    // From the first look on the referee was on time, and the answer was not.
    let (record, _) = one_turn(&[(ms(1200), "4")], machine);
    assert_eq!((is_late(&record), record.late[FIRST]), (true, None));
}

/// It waited and ran meanwhile, so that all looks see the same.
#[test]
fn who_was_kept_waiting_while_the_first_look_took_long_is_excused() {
    let usage: fn(Duration) -> Usage =
        |now| Usage { cpu: ms(1), waited: if now < ms(600) { ms(0) } else { ms(550) } };
    let machine = Machine { usage, look_takes: ms(600), ..STARVED };
    let (record, _) = one_turn(&[(ms(1190), "4")], machine);
    assert_eq!(record.late[FIRST].map(|late| late.bot_waited), Some(ms(600)), "{record:?}");
}

/// Who has a processor that is taken from the machine neither runs nor waits for one.
#[test]
fn who_ran_on_a_processor_that_was_taken_away_is_excused() {
    let usage: fn(Duration) -> Usage = |_| Usage { cpu: ms(1), waited: Duration::ZERO };
    let stolen: fn(Duration) -> Duration = |now| ms(5000) + now.min(ms(200));
    let machine = Machine { usage, stolen, ..STARVED };
    let (record, _) = one_turn(&[(ms(1190), "4")], machine);
    let late = record.late[FIRST].expect("it could not run");
    assert_eq!(late.bot_waited, ms(199), "from the first look on");
    let (record, _) = one_turn(&[(ms(1210), "4")], machine);
    assert_eq!((is_late(&record), record.late[FIRST]), (true, None));
}

#[test]
fn patience_has_an_end() {
    let usage: fn(Duration) -> Usage = |now| Usage { cpu: Duration::ZERO, waited: now };
    let (record, over) = one_turn(&[], Machine { usage, ..STARVED });
    assert!(is_late(&record));
    assert_eq!(record.late, PerSeat([None, None]));
    assert!(over >= ms(31_000) && over < ms(31_010), "{over:?}");
}

#[test]
fn who_is_in_time_is_measured_too() {
    let (record, _) = one_turn(&[(ms(900), "4")], STARVED);
    assert!(!is_late(&record));
    assert_eq!(record.late, PerSeat([None, None]));
    let timing = record.answers[FIRST].expect("it answered");
    assert_eq!((timing.cpu, timing.waited), (Some(ms(90)), Some(ms(899) / 10 * 9)));
    // An answer that comes at once is not worth a look.
    let (record, _) = one_turn(&[(Duration::from_micros(900), "4")], STARVED);
    let timing = record.answers[FIRST].expect("it answered");
    assert_eq!((timing.wall, timing.cpu, timing.waited), (Duration::from_micros(900), None, None));
}

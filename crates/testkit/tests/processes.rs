//! Real processes that misbehave, against the real match loop: what each costs, when the verdict
//! comes, and that nothing is left behind.
//!
//! A binary of its own, since it looks at the whole process: its memory, and what it left running.

use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use quintain_core::{ConfigChoice, PerSeat, Seat};
use quintain_links::{Child, Link, RealWorld};
use quintain_record::{Contestant, Launch};
use quintain_referee::{Ask, MatchRules};
use quintain_registry::{
    AnyGame, Decided, GAMES, MatchReport, MatchSpec, NoSpectator, Spectator, find,
};
use quintain_testkit::{Mark, program};

const LIMIT: Duration = Duration::from_millis(400);
/// A verdict is this much after the control thread at the most, in the best of three tries.
const DELAY_MAX: Duration = Duration::from_millis(50);
const TRIES: usize = 3;
const MEMORY_MAX_KIB: u64 = 100 * 1024;

/// What the first seat does, and what follows. The second seat plays, or never answers.
struct Case {
    flag: &'static str,
    opponent: &'static str,
    winner: Seat,
    reason: &'static str,
    /// The faults found, in order.
    faults: &'static [(Seat, &'static str)],
}

/// Ways out of the group, and what the referee finds.
const ESCAPES: &[(&str, &str)] = &[
    ("join-parent", "late"),
    ("scatter", "late"),
    ("leave-daemon", "gone"),
    ("end-first-thread", "gone"),
];

const fn loses(flag: &'static str, fault: &'static [(Seat, &'static str)]) -> Case {
    Case { flag, opponent: "play", winner: Seat::Second, reason: "timeout", faults: fault }
}

const CASES: &[Case] = &[
    loses("exit-at-once=3", &[(Seat::First, "was gone: its process ended with exit code 3")]),
    loses("never-read", &[(Seat::First, "did not answer in time")]),
    loses("never-answer", &[(Seat::First, "did not answer in time")]),
    loses("late=600", &[(Seat::First, "did not answer in time")]),
    loses("flood-stdout", &[(Seat::First, "sent a line longer than the protocol allows")]),
    loses("flood-lines", &[(Seat::First, "did not answer in time")]),
    loses("close-stdout", &[(Seat::First, "was gone: its connection was closed")]),
    loses("fork-holder", &[(Seat::First, "was gone: its process ended with exit code 0")]),
    loses("ignore-sigterm", &[(Seat::First, "did not answer in time")]),
    loses("join-parent", &[(Seat::First, "did not answer in time")]),
    loses("scatter", &[(Seat::First, "did not answer in time")]),
    loses("leave-daemon", &[(Seat::First, "was gone: its process ended with exit code 0")]),
    loses("end-first-thread", &[(Seat::First, "was gone: its connection was closed")]),
    loses("not-utf8", &[(Seat::First, "did not answer in time")]),
    loses("echo=jump", &[(Seat::First, "did not answer in time")]),
    // The first seat is silent while the second floods: that delays nobody's verdict.
    Case {
        flag: "never-answer",
        opponent: "flood-stderr",
        winner: Seat::Second,
        reason: "timeout",
        faults: &[(Seat::First, "did not answer in time")],
    },
    Case {
        flag: "early-exit-at-once=3",
        opponent: "play",
        winner: Seat::Second,
        reason: "never became ready",
        faults: &[(Seat::First, "left before the match: its process ended with exit code 3")],
    },
    Case {
        flag: "early-never-answer",
        opponent: "play",
        winner: Seat::Second,
        reason: "never became ready",
        faults: &[(Seat::First, "gave no name in time")],
    },
    Case {
        flag: "early-flood-stdout",
        opponent: "play",
        winner: Seat::Second,
        reason: "never became ready",
        faults: &[(Seat::First, "gave a name that cannot be used")],
    },
];

#[test]
fn bots_that_misbehave_get_their_verdict_in_time() {
    let mark = Mark::new("verdicts");
    for case in CASES {
        let mut best = Duration::MAX;
        for _ in 0..TRIES {
            let (report, delay) = play(case, &mark, LIMIT);
            mark.assert_nothing_is_left(case.flag);
            check(case, &report);
            best = best.min(delay);
            if best <= DELAY_MAX {
                break;
            }
        }
        assert!(best <= DELAY_MAX, "{}: the verdict came {best:?} after its time", case.flag);
        println!("{:24} {best:?} after the control thread", case.flag);
    }
    let peak = memory_peak_kib();
    assert!(peak < MEMORY_MAX_KIB, "{peak} KiB of memory at the peak");
}

#[test]
fn a_bot_that_leaves_its_group_is_ended_with_all_that_it_started_in_every_game() {
    let mark = Mark::new("escapes");
    for game in GAMES.iter().filter(|game| !game.facts().abilities.state_files) {
        for (flag, code) in ESCAPES {
            let links = PerSeat([link(flag, "one", &mark), Link::inside()]);
            let mut world = RealWorld::new(game.framing(), links);
            let mut spec = spec(*game, LIMIT, Duration::from_secs(20));
            spec.seats = PerSeat([program("one"), Contestant::house("random").into()]);
            let report =
                game.play(&spec, &mut world, &mut NoSpectator).expect("the match is played");
            let id = game.facts().id;
            mark.assert_nothing_is_left(&format!("{id} {flag}"));
            let faults: Vec<_> = report.faults.iter().map(|(_, fault)| fault.code()).collect();
            assert_eq!(faults, [*code], "{id} {flag}");
            assert_eq!(report.outcome.winner(), Some(Seat::Second), "{id} {flag}");
        }
    }
}

#[test]
fn a_bot_that_floods_its_error_output_plays_on() {
    let case = Case {
        flag: "flood-stderr",
        opponent: "never-answer",
        winner: Seat::First,
        reason: "timeout",
        faults: &[(Seat::Second, "did not answer in time")],
    };
    let (report, _) = play(&case, &Mark::new("flood"), LIMIT * 10);
    check(&case, &report);
    assert_eq!(report.turns, 1, "the flooder has thrown");
}

fn check(case: &Case, report: &MatchReport) {
    let flag = case.flag;
    assert_eq!(report.outcome.winner(), Some(case.winner), "{flag}: {}", report.closing);
    assert_eq!(report.outcome.reason, case.reason, "{flag}");
    let faults: Vec<(Seat, String)> =
        report.faults.iter().map(|(seat, fault)| (*seat, fault.to_string())).collect();
    let expected: Vec<(Seat, String)> =
        case.faults.iter().map(|(seat, fault)| (*seat, (*fault).to_owned())).collect();
    assert_eq!(faults, expected, "{flag}");
}

/// Plays one match; how long after the control thread its verdict came. Verdicts that need not
/// wait for a deadline come before it.
fn play(case: &Case, mark: &Mark, limit: Duration) -> (MatchReport, Duration) {
    let game = find("hockey").expect("hockey is registered");
    let links = PerSeat([link(case.flag, "one", mark), link(case.opponent, "two", mark)]);
    let mut world = RealWorld::new(game.framing(), links);
    let mut watch = Watch { control: None, delay: Duration::ZERO };
    let is_early = case.flag.starts_with("early-");
    let spec = spec(game, limit, if is_early { limit } else { Duration::from_secs(20) });
    if is_early {
        watch.start_control();
    }
    let report = game.play(&spec, &mut world, &mut watch).expect("the match is played");
    (report, watch.delay)
}

fn link(flag: &str, name: &str, mark: &Mark) -> Link {
    let launch = Launch {
        program: env!("CARGO_BIN_EXE_misbehave").to_owned(),
        args: vec![flag.to_owned()],
        env: vec![("QUINTAIN_NAME".to_owned(), name.to_owned()), mark.variable()],
        ..Launch::default()
    };
    Link::process(Child::spawn(&launch).expect("the bot starts"))
}

fn spec(game: &dyn AnyGame, limit: Duration, start_limit: Duration) -> MatchSpec {
    MatchSpec {
        config: game
            .configure(&ConfigChoice::default().with_time("limit", limit))
            .expect("a possible limit"),
        seed: 1,
        seats: PerSeat::from_fn(|seat| program(format!("seat {}", seat.index()))),
        files: PerSeat::default(),
        rules: MatchRules::default(),
        ask: Ask::InTurn,
        start_limit: PerSeat([Some(start_limit); 2]),
        opening: None,
        replay: None,
        match_log: None,
        sandbox: None,
        signer: None,
    }
}

/// A thread sleeps to the same deadline as the referee, and suffers from the same busy machine.
struct Watch {
    control: Option<JoinHandle<Instant>>,
    delay: Duration,
}

impl Watch {
    fn start_control(&mut self) {
        let deadline = Instant::now() + LIMIT;
        self.control = Some(std::thread::spawn(move || {
            std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
            Instant::now()
        }));
    }
}

impl Spectator for Watch {
    fn start(&mut self) {
        if self.control.is_none() {
            self.start_control();
        }
    }

    fn decided(&mut self, _end: &Decided) {
        let verdict = Instant::now();
        let control = self.control.take().expect("the control thread was started");
        let woken = control.join().expect("the control thread only sleeps");
        self.delay = verdict.saturating_duration_since(woken);
    }
}

fn memory_peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("a /proc");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("a peak of memory");
    let number = line.split_whitespace().nth(1).expect("a number of kibibytes");
    number.parse().expect("a number")
}

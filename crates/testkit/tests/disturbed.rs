//! Whose fault it is that an answer is late, with real processes on a busy machine: nobody loses who
//! was only kept waiting, and nobody is excused who was slow.
//!
//! A binary of its own, since it keeps the machine busy on purpose. The long run, which prints how many games
//! were disturbed: `QUINTAIN_NOISE_GAMES=20000 QUINTAIN_NOISE_LOAD=20 cargo test --release -p
//! quintain-testkit --test disturbed nobody -- --nocapture`.

use std::process::{Child as Process, Command, Stdio};
use std::time::Duration;

use quintain_core::{ConfigChoice, Fault, PerSeat, Seat};
use quintain_links::{Child, Link, RealWorld};
use quintain_record::Launch;
use quintain_referee::{Ask, MatchRules};
use quintain_registry::{MatchReport, MatchSpec, NoSpectator, find};

const LIMIT: Duration = Duration::from_millis(300);
/// As in the contests with the shortest limit.
const SHORT_LIMIT: Duration = Duration::from_millis(50);
const START_LIMIT: Duration = Duration::from_secs(60);
/// On one core with the bot, which then has a fifth of it.
const HOGS: usize = 4;
const GAMES: usize = 300;
/// How often an arena plays a game before it is void.
const ATTEMPTS: usize = 4;

/// Programs that do nothing but run. They end with this value.
struct Hogs(Vec<Process>);

impl Hogs {
    fn new(count: usize, core: Option<&str>) -> Hogs {
        let start = |_| {
            let (program, before) = match core {
                Some(core) => ("taskset", vec!["-c", core, "bash"]),
                None => ("bash", Vec::new()),
            };
            let mut command = Command::new(program);
            command.args(before).args(["-c", "while :; do :; done"]).stdin(Stdio::null());
            command.spawn().expect("a hog")
        };
        Hogs((0..count).map(start).collect())
    }
}

impl Drop for Hogs {
    fn drop(&mut self) {
        for hog in &mut self.0 {
            // One that has ended by itself needs no ending.
            let _ = hog.kill();
            let _ = hog.wait();
        }
    }
}

/// The first core that this process may use.
fn one_core() -> String {
    let status = std::fs::read_to_string("/proc/self/status").expect("a /proc");
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let list = list.expect("a list of cores").trim();
    list.split(['-', ',']).next().expect("a core").to_owned()
}

fn link(program: &str, args: &[&str], name: &str) -> Link {
    let launch = Launch {
        program: program.to_owned(),
        args: args.iter().map(|&arg| arg.to_owned()).collect(),
        env: vec![("QUINTAIN_NAME".to_owned(), name.to_owned())],
        ..Launch::default()
    };
    Link::process(Child::spawn(&launch).expect("the bot starts"))
}

fn play(links: PerSeat<Link>, limit: Duration) -> MatchReport {
    let game = find("hockey").expect("hockey is registered");
    let mut world = RealWorld::new(game.framing(), links);
    let spec = MatchSpec {
        config: game
            .configure(&ConfigChoice::default().with_time("limit", limit))
            .expect("a possible limit"),
        seed: 1,
        seats: PerSeat::from_fn(|seat| quintain_testkit::program(format!("seat {}", seat.index()))),
        files: PerSeat::default(),
        rules: MatchRules::default(),
        ask: Ask::InTurn,
        start_limit: PerSeat([Some(START_LIMIT); 2]),
        opening: None,
        replay: None,
        match_log: None,
        sandbox: None,
        signer: None,
    };
    game.play(&spec, &mut world, &mut NoSpectator).expect("the match is played")
}

const BOT: &str = env!("CARGO_BIN_EXE_misbehave");

/// How a bot on one core is started that is late, and whether it is excused.
struct Case {
    what: &'static str,
    /// `BOT` stands for the bot.
    command: &'static [&'static str],
    has_hogs: bool,
    is_excused: bool,
}

const CASES: &[Case] = &[
    Case {
        what: "needs a third of its time, and has to wait for the core",
        command: &["BOT", "busy=100"],
        has_hogs: true,
        is_excused: true,
    },
    // It is given up long before it wakes, and no machine keeps anybody waiting for so long.
    Case { what: "sleeps", command: &["BOT", "late=9000"], has_hogs: false, is_excused: false },
    Case {
        what: "sleeps beside hogs",
        command: &["BOT", "late=9000"],
        has_hogs: true,
        is_excused: false,
    },
    Case {
        what: "computes for too long",
        command: &["BOT", "busy=900"],
        has_hogs: false,
        is_excused: false,
    },
    Case {
        what: "computes for too long beside hogs",
        command: &["BOT", "busy=900"],
        has_hogs: true,
        is_excused: false,
    },
    Case {
        what: "needs a third of its time on another thread than its first",
        command: &["BOT", "second-thread", "busy=100"],
        has_hogs: true,
        is_excused: true,
    },
    Case {
        what: "needs a third of its time behind a script that does not exec",
        command: &["bash", "-c", "\"$0\" busy=100; true", "BOT"],
        has_hogs: true,
        is_excused: true,
    },
    Case {
        what: "sleeps on another thread beside hogs",
        command: &["BOT", "second-thread", "late=9000"],
        has_hogs: true,
        is_excused: false,
    },
    Case {
        what: "has a second process that works",
        command: &["bash", "-c", "while :; do :; done & \"$0\" busy=100", "BOT"],
        has_hogs: true,
        is_excused: false,
    },
    Case {
        what: "sleeps while threads of its own keep the core busy",
        command: &["BOT", "late=310", "helpers=4"],
        has_hogs: false,
        is_excused: false,
    },
    Case {
        what: "sleeps and writes without being asked",
        command: &["BOT", "late=310", "chatter"],
        has_hogs: true,
        is_excused: false,
    },
];

#[test]
fn only_who_was_kept_waiting_is_excused() {
    let core = one_core();
    for case in CASES {
        let hogs = Hogs::new(if case.has_hogs { HOGS } else { 0 }, Some(&core));
        let words = case.command.iter().map(|&word| if word == "BOT" { BOT } else { word });
        let args: Vec<&str> = ["-c", core.as_str()].into_iter().chain(words).collect();
        let links = PerSeat([link("taskset", &args, "one"), link(BOT, &[], "two")]);
        let report = play(links, LIMIT);
        drop(hogs);
        let what = case.what;
        let first_fault = report.faults.first().map(|(seat, fault)| (*seat, fault.code()));
        assert_eq!(first_fault, Some((Seat::First, Fault::Late.code())), "{what}: {report:?}");
        let excused: Vec<Seat> = report.disturbed.iter().map(|late| late.seat).collect();
        let expected: &[Seat] = if case.is_excused { &[Seat::First] } else { &[] };
        assert_eq!(excused, expected, "{what}: {report:?}");
    }
}

/// What became of the games of one kind of bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    games: usize,
    /// Attempts that the machine disturbed.
    disturbed: usize,
    /// Games of which every attempt was disturbed.
    void: usize,
    /// Lost on time, though the bots answered at once.
    lost: usize,
}

/// How many games are played beside how much, by the variables that make the long run.
struct Plan {
    games: usize,
    at_a_time: usize,
    hogs: usize,
}

impl Plan {
    fn new() -> Plan {
        let number = |name: &str| {
            std::env::var(name).ok().map(|text| text.parse().expect("a number in a variable"))
        };
        let games = number("QUINTAIN_NOISE_GAMES").unwrap_or(GAMES);
        let cores = std::thread::available_parallelism().expect("a number of cores").get();
        match number("QUINTAIN_NOISE_LOAD") {
            // Half of the load are the games themselves: each keeps one of its processes busy.
            Some(load) => Plan { games, at_a_time: load / 2, hogs: load - load / 2 },
            None => Plan { games, at_a_time: cores, hogs: 1 },
        }
    }
}

/// Every second game is played by bots that answer on a second thread, as a Java machine does. Both
/// throw to the north until one of them scores, six throws later.
fn play_share(plan: &Plan, number: usize) -> [Tally; 2] {
    let mut tallies = [Tally::default(); 2];
    for game in (number..plan.games).step_by(plan.at_a_time) {
        let kind = game / plan.at_a_time % 2;
        let flags: &[&str] = [&[][..], &["second-thread"]][kind];
        let tally = &mut tallies[kind];
        tally.games += 1;
        tally.void += 1;
        for _ in 0..ATTEMPTS {
            let links = PerSeat([link(BOT, flags, "one"), link(BOT, flags, "two")]);
            let report = play(links, SHORT_LIMIT);
            if report.disturbed.is_empty() {
                tally.void -= 1;
                if report.outcome.reason != "a goal was made" {
                    tally.lost += 1;
                    println!("game {game}: {report:?}");
                }
                break;
            }
            tally.disturbed += 1;
        }
    }
    tallies
}

#[test]
fn nobody_who_answers_at_once_loses_on_time_on_a_busy_machine() {
    let plan = Plan::new();
    let hogs = Hogs::new(plan.hogs, None);
    let shares: Vec<[Tally; 2]> = std::thread::scope(|scope| {
        let play = |number| {
            scope.spawn({
                let plan = &plan;
                move || play_share(plan, number)
            })
        };
        let threads: Vec<_> = (0..plan.at_a_time).map(play).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("a game is no reason to panic"))
            .collect()
    });
    drop(hogs);
    let Plan { at_a_time, hogs, .. } = plan;
    println!("{at_a_time} games at a time beside {hogs} that do nothing but run:");
    for (kind, name) in ["one thread", "main on a second thread"].into_iter().enumerate() {
        let sum = |part: fn(&Tally) -> usize| shares.iter().map(|share| part(&share[kind])).sum();
        let [games, disturbed, void, lost]: [usize; 4] = [
            sum(|tally| tally.games),
            sum(|tally| tally.disturbed),
            sum(|tally| tally.void),
            sum(|tally| tally.lost),
        ];
        let void_rate = 100.0 * void as f64 / games as f64;
        println!(
            "{name}: {games} games, {disturbed} times played again, {void} void ({void_rate:.2}%), \
             {lost} lost on time"
        );
        assert_eq!(lost, 0, "{name}: games were lost on time");
        assert!(void < games, "{name}: no game was played to its end");
    }
}

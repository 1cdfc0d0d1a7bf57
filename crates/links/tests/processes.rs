//! Bots as processes: what is heard of them, and that nothing is left of them.

use std::path::Path;
use std::time::{Duration, Instant};

use quintain_core::{Exit, Framing, Item, LineEnds, PerSeat, Seat};
use quintain_links::{Child, Halt, LaunchError, Link, RealWorld, limits, read_launch};
use quintain_record::Launch;
use quintain_referee::{Heard, Stop, Unprotected, Wait, World};

const FRAMING: Framing =
    Framing { line_ends_in: LineEnds::LfOrCrLf, line_end_out: "\n", line_bytes_max: 1024 };

/// Far more than anything here takes, so that a busy machine does not fail a test.
const LONG: Duration = Duration::from_secs(30);

fn script(text: &str) -> Link {
    let launch = Launch {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), text.into()],
        ..Launch::default()
    };
    Link::process(Child::spawn(&launch).expect("the shell starts"))
}

/// A world in which the first seat runs a script and the second is not listened to.
fn world_of(text: &str) -> RealWorld {
    RealWorld::new(FRAMING, PerSeat([script(text), Link::inside()]))
}

fn send(world: &mut RealWorld, seat: Seat, line: &str) {
    world.send(seat, &Item::Line(line.into()));
}

fn hear(world: &mut RealWorld) -> Heard {
    let until = world.now() + LONG;
    let incoming = world.next(Some(until)).incoming().expect("something is heard in time");
    assert!(incoming.at <= world.now());
    incoming.heard
}

fn line(text: &str) -> Heard {
    Heard::Line(text.as_bytes().to_vec())
}

#[test]
fn lines_go_there_and_back() {
    let mut world = world_of("exec cat");
    for number in 0..100 {
        let text = format!("round {number}");
        send(&mut world, Seat::First, &text);
        assert_eq!(hear(&mut world), line(&text));
    }
    assert_eq!(world.finish()[Seat::First].exit, None);
}

#[test]
fn several_lines_of_one_turn_arrive_in_order() {
    let mut world = world_of("exec cat");
    send(&mut world, Seat::First, "one");
    send(&mut world, Seat::First, "two");
    assert_eq!([hear(&mut world), hear(&mut world)], [line("one"), line("two")]);
}

#[test]
fn the_exit_code_is_heard_after_the_last_line() {
    let mut world = world_of("echo a; echo b; printf unfinished; exit 7");
    assert_eq!([hear(&mut world), hear(&mut world)], [line("a"), line("b")]);
    assert_eq!(hear(&mut world), Heard::Closed(Exit::Code(7)));
    assert_eq!(world.next(None), Wait::Silent, "nothing can be heard any more");
    assert_eq!(world.finish()[Seat::First].exit, Some(Exit::Code(7)));
}

#[test]
fn a_signal_is_told_apart_from_an_exit_code() {
    let mut world = world_of("kill -SEGV $$");
    assert_eq!(hear(&mut world), Heard::Closed(Exit::Signal(11)));
}

#[test]
fn a_bot_that_closes_its_output_and_lives_on_is_closed() {
    let mut world = world_of("echo a; exec >&-; exec sleep 60");
    assert_eq!(hear(&mut world), line("a"));
    assert_eq!(hear(&mut world), Heard::Closed(Exit::Closed));
    assert_eq!(world.finish()[Seat::First].exit, Some(Exit::Closed));
}

#[test]
fn a_process_that_holds_the_pipe_does_not_hide_the_end_of_the_bot() {
    let mut world = world_of("sleep 60 & echo a; exit 3");
    assert_eq!(hear(&mut world), line("a"));
    assert_eq!(hear(&mut world), Heard::Closed(Exit::Code(3)));
}

#[test]
fn a_descendant_that_writes_for_ever_is_not_taken_for_the_bot() {
    let mut world = world_of("while :; do echo x; done & exit 3");
    let mut lines = 0;
    while hear(&mut world) == line("x") {
        lines += 1;
    }
    assert!(lines < limits::LAST_BYTES_MAX, "the bot ended long ago");
    assert_eq!(world.next(None), Wait::Silent);
}

#[test]
fn a_line_without_end_is_overlong_and_the_flood_is_cut() {
    let mut world = world_of("exec cat /dev/zero");
    assert_eq!(hear(&mut world), Heard::Overlong);
    assert_eq!(hear(&mut world), Heard::Closed(Exit::Signal(13)));
    assert_eq!(world.next(None), Wait::Silent);
}

#[test]
fn a_flood_of_lines_starves_neither_the_other_seat_nor_the_deadline() {
    let flood = script("exec yes");
    let echo = script("exec cat");
    let mut world = RealWorld::new(FRAMING, PerSeat([flood, echo]));
    for _ in 0..5 {
        send(&mut world, Seat::Second, "x");
        let until = world.now() + LONG;
        let answer = std::iter::from_fn(|| world.next(Some(until)).incoming())
            .find(|incoming| incoming.seat == Seat::Second)
            .expect("the second seat is heard");
        assert_eq!(answer.heard, line("x"));
    }
    let until = world.now() + Duration::from_millis(50);
    let mut last = Duration::ZERO;
    let mut lines = 0;
    while let Wait::Came(incoming) = world.next(Some(until)) {
        assert!(incoming.at >= last && incoming.at <= until);
        last = incoming.at;
        lines += 1;
    }
    assert!(lines > limits::LINES_PER_LOOK && world.now() >= until);
}

#[test]
fn error_output_is_read_all_the_time_and_its_end_is_kept() {
    let flood = "head -c 100000000 /dev/zero | tr '\\0' e >&2; echo end >&2; exec cat";
    let mut world = world_of(flood);
    send(&mut world, Seat::First, "x");
    assert_eq!(hear(&mut world), line("x"));
    let mut seen = 0;
    let mut text = String::new();
    while seen < 100_000_004 {
        let stderr = world.stderr(Seat::First);
        assert!(stderr.text.len() <= limits::STDERR_BYTES_KEPT);
        seen += stderr.dropped + stderr.text.len() as u64;
        text = stderr.text;
        world.next(Some(world.now() + Duration::from_millis(1)));
    }
    assert_eq!(seen, 100_000_004);
    assert!(text.ends_with("end\n"));
}

#[test]
fn error_output_of_the_last_moment_is_in_the_departure() {
    let mut world = world_of("read x; echo 'it broke' >&2; exit 1");
    send(&mut world, Seat::First, "go");
    assert_eq!(hear(&mut world), Heard::Closed(Exit::Code(1)));
    let departure = &world.finish()[Seat::First];
    assert_eq!(departure.stderr.text, "it broke\n");
    assert_eq!(departure.exit, Some(Exit::Code(1)));
}

#[test]
fn a_bot_that_never_reads_blocks_nobody_and_is_closed_at_the_limit() {
    let silent = script("exec sleep 60");
    let echo = script("exec cat");
    let mut world = RealWorld::new(FRAMING, PerSeat([silent, echo]));
    let long_line = "x".repeat(1024 * 1024);
    for number in 0..10 {
        send(&mut world, Seat::First, &long_line);
        send(&mut world, Seat::Second, &number.to_string());
        assert_eq!(hear(&mut world), line(&number.to_string()));
    }
    for _ in 0..10 {
        send(&mut world, Seat::First, &long_line);
    }
    assert_eq!(hear(&mut world), Heard::Closed(Exit::Closed));
    send(&mut world, Seat::Second, "still there");
    assert_eq!(hear(&mut world), line("still there"));
    let begun = Instant::now();
    world.finish();
    assert!(begun.elapsed() < LONG);
}

#[test]
fn the_deadline_of_a_silent_bot_is_kept() {
    let mut world = world_of("exec sleep 60");
    for _ in 0..5 {
        let until = world.now() + Duration::from_millis(10);
        assert_eq!(world.next(Some(until)), Wait::TimeUp);
        let late = world.now().checked_sub(until).expect("not before the deadline");
        assert!(late < Duration::from_secs(5), "{late:?} late");
    }
}

#[test]
fn a_line_that_was_read_in_time_is_given_in_time() {
    let mut world = world_of("printf 'a\\nb\\n'; exec sleep 60");
    assert_eq!(hear(&mut world), line("a"));
    let until = world.now();
    std::thread::sleep(Duration::from_millis(2));
    let second = world.next(Some(until)).incoming().expect("it was read together with the first");
    assert_eq!(second.heard, line("b"));
    assert!(second.at <= until);
    assert_eq!(world.next(Some(until)), Wait::TimeUp);
}

#[test]
fn a_match_that_is_broken_off_waits_no_longer() {
    let stop = Stop::default();
    let halt = Halt { stop: Some(stop.clone()), at: None };
    let mut world = world_of("exec cat").with_halt(halt);
    send(&mut world, Seat::First, "x");
    assert_eq!(hear(&mut world), line("x"));
    stop.no_more_matches();
    assert_eq!(world.next(Some(world.now())), Wait::TimeUp);
    let waiting = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        stop.break_off();
    });
    assert_eq!(world.next(None), Wait::Stopped);
    waiting.join().expect("it has asked to stop");
    send(&mut world, Seat::First, "y");
    assert_eq!(world.next(None), Wait::Stopped, "it stays so");
    assert!(world.is_stopped());
    assert_eq!(world.finish()[Seat::First].exit, None);
}

#[test]
fn a_match_ends_with_its_time_also_if_a_bot_never_falls_silent() {
    for text in ["exec sleep 60", "exec yes"] {
        let at = Instant::now() + Duration::from_millis(30);
        let mut world = world_of(text).with_halt(Halt { stop: None, at: Some(at) });
        while world.next(None) != Wait::Stopped {
            assert!(Instant::now() < at + LONG);
        }
        assert!(Instant::now() >= at);
    }
}

#[test]
fn nobody_is_heard_after_a_hang_up() {
    let mut world = world_of("trap '' PIPE; while :; do echo x; done");
    assert_eq!(hear(&mut world), line("x"));
    world.hang_up(Seat::First);
    assert_eq!(world.next(None), Wait::Silent);
    assert_eq!(world.next(Some(world.now() + Duration::from_millis(5))), Wait::TimeUp);
    assert_eq!(world.finish()[Seat::First].exit, None);
}

#[test]
fn processor_time_grows_and_is_that_of_the_bot() {
    let mut world = world_of("while :; do :; done");
    let before = world.cpu(Seat::First).expect("the clock of a child can be read");
    while world.cpu(Seat::First).expect("it still runs") < before + Duration::from_millis(20) {
        world.next(Some(world.now() + Duration::from_millis(1)));
    }
    assert_eq!(world.cpu(Seat::Second), None);
}

#[test]
fn waiting_for_a_processor_is_counted() {
    // Three that want the same processor: each must wait most of the time.
    let busy = "taskset -c 0 sh -c 'while :; do :; done'";
    let _hogs = [world_of(&format!("exec {busy}")), world_of(&format!("exec {busy}"))];
    let mut world = world_of(&format!("exec {busy}"));
    let counted = |world: &mut RealWorld| world.counts(Seat::First).expect("it is counted");
    let limit = world.now() + Duration::from_secs(30);
    while counted(&mut world).threads[0].waited < Duration::from_millis(50) {
        assert!(world.now() < limit, "it never had to wait");
        world.next(Some(world.now() + Duration::from_millis(1)));
    }
    assert!(world.wants_to_run(Seat::First));
    let counts = counted(&mut world);
    assert!(
        counts.threads[0].cpu > Duration::ZERO && counts.threads[0].waited < world.now(),
        "{counts:?}"
    );
}

/// The first thread of a Java machine sleeps while another one plays.
#[test]
fn every_thread_of_a_bot_is_counted() {
    let script = "import threading\ndef spin():\n  while True: pass\n\
                  threading.Thread(target=spin).start()\nprint('ready', flush=True)";
    let mut world = world_of(&format!("exec python3 -c \"{script}\""));
    assert_eq!(hear(&mut world), line("ready"));
    let spinner =
        |world: &mut RealWorld| world.counts(Seat::First).expect("it is counted").threads[1];
    let before = spinner(&mut world).cpu;
    while spinner(&mut world).cpu < before + Duration::from_millis(20) {
        assert!(world.wants_to_run(Seat::First), "the second thread never sleeps");
    }
}

#[test]
fn a_launcher_is_followed_to_the_process_that_works() {
    let busy = "echo ready; while :; do :; done";
    let mut world = world_of(&format!("sh -c 'sh -c \"{busy}\"; true'; true"));
    assert_eq!(hear(&mut world), line("ready"));
    let counts = world.counts(Seat::First).expect("it is counted");
    assert_eq!(counts.threads.len(), 3, "two launchers and the one that works: {counts:?}");
    let before = world.cpu(Seat::First).expect("its clock can be read");
    while world.cpu(Seat::First).expect("it still runs") < before + Duration::from_millis(20) {}
    assert!(world.wants_to_run(Seat::First));
    assert_eq!(world.unprotected(Seat::First), None);
    assert_eq!(world.finish()[Seat::First].unprotected, None);
}

#[test]
fn a_bot_of_several_processes_is_named_as_one_that_cannot_be_protected() {
    // Both are there before the line is written.
    for script in
        ["sleep 60 & sleep 60 & echo ready; wait", "setsid sleep 60 & sleep 60 & echo ready; wait"]
    {
        let mut world = world_of(script);
        assert_eq!(hear(&mut world), line("ready"));
        world.counts(Seat::First).expect("it is counted");
        let unprotected = world.unprotected(Seat::First);
        let Some(Unprotected::SeveralProcesses(names)) = unprotected else {
            panic!("{script}: taken for a single process: {unprotected:?}");
        };
        assert!(names.len() >= 2, "{names:?}");
        let departure = &world.finish()[Seat::First];
        assert!(departure.unprotected.is_some(), "{script}: {departure:?}");
    }
}

/// The first look at a bot goes along lists of children, in which an orphan does not stand.
#[test]
fn a_helper_that_lost_its_parent_is_found_before_anybody_is_excused() {
    let mut world = world_of("(sleep 60 &); echo ready; read line");
    assert_eq!(hear(&mut world), line("ready"));
    world.counts(Seat::First).expect("it is counted");
    let unprotected = world.unprotected(Seat::First);
    let Some(Unprotected::SeveralProcesses(names)) = unprotected else {
        panic!("taken for a single process: {unprotected:?}");
    };
    // The bot and the helper, which may still be on its way from `sh` to `sleep`. Who stood between them has ended.
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(world.finish()[Seat::First].unprotected.is_some());
}

#[test]
fn nothing_is_known_about_a_bot_inside() {
    let mut world = world_of("exec cat");
    assert_eq!(world.counts(Seat::Second), None);
    assert_eq!(world.unprotected(Seat::Second), None);
    assert!(!world.wants_to_run(Seat::Second));
}

/// Whether a process exists in any state, a zombie included.
fn exists(process: &str) -> bool {
    Path::new("/proc").join(process.trim()).exists()
}

fn started_by(world: &mut RealWorld) -> String {
    match hear(world) {
        Heard::Line(line) => String::from_utf8(line).expect("a process number"),
        other => panic!("expected a process number, got {other:?}"),
    }
}

/// A dead process that belongs to nobody here may keep its entry for a moment.
fn assert_gone(process: &str) {
    assert!(!exists(process) || is_zombie(process), "process {process} is still there");
}

/// Where nobody collects orphans, a dead one keeps its entry; it does not run any more.
fn is_zombie(process: &str) -> bool {
    std::fs::read_to_string(Path::new("/proc").join(process).join("stat"))
        .is_ok_and(|stat| stat.contains(") Z "))
}

#[test]
fn nothing_is_left_running_after_a_finish_or_a_drop() {
    for finish in [true, false] {
        let mut world = world_of("trap '' TERM HUP; sleep 60 & echo $!; echo $$; wait; sleep 60");
        let grandchild = started_by(&mut world);
        let child = started_by(&mut world);
        assert!(exists(&grandchild) && exists(&child));
        if finish {
            world.finish();
        }
        drop(world);
        assert!(!exists(&child), "the bot was waited for");
        assert_gone(&grandchild);
    }
}

#[test]
fn what_a_dead_bot_started_is_ended_too() {
    let mut world = world_of("sleep 60 & echo $!; exit 0");
    let grandchild = started_by(&mut world);
    assert_eq!(hear(&mut world), Heard::Closed(Exit::Code(0)));
    assert!(exists(&grandchild));
    drop(world);
    assert_gone(&grandchild);
}

#[test]
fn what_left_the_group_of_a_bot_is_ended_and_awaited_before_its_departure_is_told() {
    // One holds the bot's output and one its error output.
    let first = "setsid sh -c 'echo $$; exec sleep 60 2>/dev/null' &";
    let second = "setsid sh -c 'echo $$; exec sleep 60 >/dev/null' &";
    for (last_words, exit) in [("wait", None), ("exit 4", Some(Exit::Code(4)))] {
        let mut world = world_of(&format!("{first} {second} read line; {last_words}"));
        let escaped = [started_by(&mut world), started_by(&mut world)];
        send(&mut world, Seat::First, "go");
        if let Some(exit) = exit {
            assert_eq!(hear(&mut world), Heard::Closed(exit));
        }
        assert!(escaped.iter().all(|process| exists(process)));
        assert_eq!(world.finish()[Seat::First].exit, exit);
        escaped.iter().for_each(|process| assert_gone(process));
    }
}

#[test]
fn a_bot_ends_with_the_thread_that_started_it() {
    let (mut world, process) = std::thread::spawn(|| {
        let mut world = world_of("echo $$; exec sleep 60");
        let process = started_by(&mut world);
        (world, process)
    })
    .join()
    .expect("the thread ends well");
    assert!(exists(&process));
    assert_eq!(hear(&mut world), Heard::Closed(Exit::Signal(9)));
}

#[test]
fn a_program_that_cannot_be_started_is_named() {
    let launch = read_launch("no-such-program-anywhere").expect("a name is not looked up");
    let error = Child::spawn(&launch).expect_err("there is no such program");
    let expected =
        "cannot start `no-such-program-anywhere`: there is no such program on the search path";
    assert_eq!(error.to_string(), expected);
    assert_eq!(read_launch("./nowhere"), Err(LaunchError::Missing("./nowhere".into())));
}

//! A single match, a check or a question that is stopped with a real signal: it ends at once, the terminal is
//! as it was, and what is printed goes on.

use crate::support::{Finished, Folder, Running, binary, wait_until};
use crate::terminal::{OnTerminal, Reads, USUAL};

/// What a shell reports for a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Throws in one direction after the other. In its third turn it waits until there is no file `hold`, and says
/// so with a file of its own.
const BOT: &str = "\
n=0
throw() {
    n=$((n + 1))
    while [ $n -gt 2 ] && [ -e hold ]; do touch held; sleep 0.02; done
    set -- north east south west 'north east' 'south east' 'south west' 'north west'
    shift $((n % 8))
    echo \"$1\"
}
while read -r line; do
    case \"$line\" in
        *'your name'*) echo bot ;;
        *'is active player'* | 'invalid move'*) throw ;;
    esac
done
";

/// A call that has come to the third turn of a bot in hockey.
fn held(words: &[&str]) -> (Folder, Running) {
    let folder = Folder::new();
    folder.write("bot.sh", BOT);
    folder.write("hold", "");
    // The bot says so in a file, which it could not in a sandbox.
    let running = folder.start(&[words, &["--sandbox", "off"]].concat());
    wait_until("the bot is held", || folder.path("held").exists());
    (folder, running)
}

/// What stands behind `before` in a line of what was said.
fn said<'a>(finished: &'a Finished, before: &str) -> &'a str {
    let line = finished.stderr.lines().find_map(|line| line.strip_prefix(before));
    line.unwrap_or_else(|| panic!("expected `{before}`, found {:?}", finished.stderr))
}

/// Runs a command that was printed, word for word.
fn paste(folder: &Folder, command: &str) -> Finished {
    let command = command.strip_prefix("quintain ").expect("a command of ours");
    let output = std::process::Command::new("sh")
        .args(["-c", &format!("{} {command}", binary())])
        .current_dir(folder.path("."))
        .output()
        .expect("a shell");
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("text"));
    Finished { code: output.status.code().unwrap_or(-1), stdout, stderr }
}

#[test]
fn a_match_that_is_stopped_says_where_its_replay_is_and_goes_on_by_the_command_it_prints() {
    for signal in ["INT", "TERM"] {
        let call = ["play", "hockey", "house:greedy", "sh bot.sh", "--seed", "3"];
        let options = ["--limit", "300s", "--start-limit", "20s", "--replay", "a.jsonl"];
        let (folder, running) = held(&[&call[..], &options].concat());
        running.signal(signal);
        let stopped = running.finish();
        assert_eq!((stopped.code, stopped.stdout.as_str()), (INTERRUPTED, ""), "{stopped:?}");
        let turns: u32 = said(&stopped, "stopped after turn ").parse().expect("a turn");
        assert_eq!(said(&stopped, "replay so far: "), "a.jsonl");
        let command = said(&stopped, "to go on: ");
        let expected = format!(
            "quintain play hockey house:greedy 'sh bot.sh' --from a.jsonl --turn {} --start-limit 20s \
             --replay a-2.jsonl --sandbox off",
            turns + 1
        );
        assert_eq!(command, expected);
        std::fs::remove_file(folder.path("hold")).expect("it was made");
        let gone_on = paste(&folder, command);
        assert_eq!(gone_on.code, 0, "{gone_on:?}");
        assert!(gone_on.stdout.contains("replay: a-2.jsonl\n"), "{gone_on:?}");
        assert!(folder.ok("verify a-2.jsonl").contains("verified: "));
    }
}

#[test]
fn what_is_kept_of_a_match_that_is_stopped_is_not_more_than_there_is() {
    let call = ["play", "hockey", "sh bot.sh", "house:greedy", "--limit", "300s", "--no-replay"];
    let (_folder, running) = held(&call);
    running.signal("TERM");
    let stopped = running.finish();
    assert_eq!((stopped.code, stopped.stdout.as_str()), (INTERRUPTED, ""), "{stopped:?}");
    let expected = "nothing of it is kept with --no-replay";
    assert!(said(&stopped, "stopped after turn ").ends_with(expected), "{stopped:?}");
    let command =
        "quintain play hockey 'sh bot.sh' house:greedy --limit 300s --no-replay --sandbox off";
    assert_eq!(said(&stopped, "to begin again: "), command);
}

#[test]
fn a_match_that_is_stopped_while_it_waits_for_a_client_begins_again() {
    let folder = Folder::new();
    let call = ["play", "hockey", "tcp", "house:greedy", "--listen", "127.0.0.1:0"];
    let mut running = folder.start(&call);
    running.wait_for_line("waiting for tcp on 127.0.0.1:");
    running.signal("TERM");
    let stopped = running.finish();
    assert_eq!(stopped.code, INTERRUPTED, "{stopped:?}");
    assert!(stopped.stderr.contains("stopped before the first turn\n"), "{stopped:?}");
    assert_eq!(said(&stopped, "to begin again: "), format!("quintain {}", call.join(" ")));
    assert!(!folder.path("replays").exists(), "there is nothing to keep");
}

#[test]
fn a_check_and_a_question_end_at_both_signals() {
    let folder = Folder::new();
    folder.ok("play hockey house:greedy house:random --seed 3 --replay a.jsonl");
    let replay = folder.path("a.jsonl").display().to_string();
    let check = ["check", "sh bot.sh", "hockey", "--limit", "300s"];
    let feed = ["feed", &replay, "sh bot.sh", "--seat", "1", "--all"];
    for words in [&check[..], &feed[..]] {
        for signal in ["INT", "TERM"] {
            let (_folder, running) = held(words);
            running.signal(signal);
            let stopped = running.finish();
            let found = (stopped.code, stopped.stdout.as_str());
            assert_eq!(found, (INTERRUPTED, ""), "{words:?} {signal}: {stopped:?}");
        }
    }
}

#[test]
fn a_signal_to_end_lets_a_host_finish() {
    let folder = Folder::new();
    let mut running = folder.start(&["host", "hockey", "--listen", "127.0.0.1:0"]);
    running.wait_for_line("Ctrl-C lets the running games end");
    running.signal("TERM");
    let finished = running.finish();
    assert_eq!(finished.code, 0, "{finished:?}");
    assert!(finished.stderr.ends_with("0 games finished\n"), "{finished:?}");
}

/// What a terminal is told when the screen that was there before comes back.
const LEAVES_SCREEN: &str = "\u{1b}[?1049l";

#[test]
fn a_signal_to_end_gives_the_terminal_back() {
    let folder = Folder::new();
    folder.ok("play hockey house:greedy house:random --seed 3 --replay a.jsonl");
    let replay = ("replay a.jsonl", "Paper Hockey");
    let human = ("play hockey human house:random --seed 3 --no-replay", "human");
    for (words, shown) in [replay, human] {
        let mut terminal = OnTerminal::start(&folder, words, USUAL, Reads::Terminal);
        terminal.until_shown(&[shown]);
        assert!(!terminal.text().contains(LEAVES_SCREEN), "{words}");
        terminal.signal("TERM");
        terminal.end_with(INTERRUPTED);
        assert!(terminal.text().contains(LEAVES_SCREEN), "{words}: {:?}", terminal.text());
    }
}

#[test]
fn a_person_who_leaves_is_told_how_to_go_on() {
    const CTRL_C: &str = "\u{3}";
    for (game, seats, next) in
        [("fencing", "human house:random", "turn 1"), ("worms", "house:random human", "round 1")]
    {
        let folder = Folder::new();
        let call = format!("play {game} {seats} --seed 3 --replay a.jsonl");
        let mut terminal = OnTerminal::start(&folder, &call, USUAL, Reads::Terminal);
        terminal.until_settled(|screen| screen.contains("Your answer:"));
        terminal.press("1");
        terminal.until_settled(|screen| screen.contains(next));
        terminal.press(CTRL_C);
        terminal.until_settled(|screen| screen.contains("Leave the match"));
        terminal.press("y");
        terminal.until(|screen| screen.contains("to go on: quintain "));
        terminal.end();
        let printed = terminal.text().replace('\r', "");
        let (_, command) = printed.split_once("to go on: ").expect("it was seen");
        let command = command.lines().next().expect("a line");
        let expected =
            format!("quintain play {game} {seats} --from a.jsonl --turn 2 --replay a-2.jsonl");
        assert_eq!(command, expected);
        let gone_on = paste(&folder, &command.replace("human", "house:greedy"));
        assert_eq!(gone_on.code, 0, "{gone_on:?}");
        assert!(folder.ok("verify a-2.jsonl").contains("verified: "), "{game}");
    }
}

#[test]
fn a_program_that_fails_is_told_with_the_command_that_finds_out_why() {
    let folder = Folder::new();
    let words = ["play", "hockey", "house:greedy", "bot=sh -c 'exit 3'", "--no-replay"];
    let finished = folder.run_words(&words, "");
    assert_eq!(finished.code, 0, "{finished:?}");
    let before = "find out why: ";
    let command = finished.stdout.lines().find_map(|line| line.strip_prefix(before));
    let checked = paste(&folder, command.expect("it is said"));
    assert_eq!(checked.code, 1, "{checked:?}");
    assert!(checked.stdout.contains("its process ended with exit code 3"), "{checked:?}");
    let quiet = folder.run_words(&[&words[..], &["--quiet"]].concat(), "");
    assert!(!quiet.stdout.contains(before), "{quiet:?}");
}

#[test]
fn a_client_is_waited_for_a_minute_and_no_longer() {
    let folder = Folder::new();
    folder.ok("play hockey house:greedy house:random --seed 3 --replay a.jsonl");
    let cases = [
        // A hundredth of a minute.
        ("play hockey tcp house:random --time-scale 0.01", "0.6"),
        ("play hockey house:random guest=tcp --start-limit 300ms", "0.3"),
        ("check tcp hockey --start-limit 300ms", "0.3"),
        ("feed a.jsonl tcp --seat 1 --turn 1 --start-limit 300ms", "0.3"),
    ];
    for (words, seconds) in cases {
        let finished = folder.run(&format!("{words} --listen 127.0.0.1:0"));
        assert_eq!(finished.code, 1, "{words}: {finished:?}");
        let told = format!("{}{}", finished.stdout, finished.stderr);
        let expected =
            format!(" within {seconds} s; connect the client there while it is waited for");
        assert!(told.contains("nobody connected to 127.0.0.1:"), "{words}: {told}");
        assert!(told.contains(&expected) && told.contains("--start-limit 5m"), "{words}: {told}");
    }
    assert!(!folder.path("replays").exists(), "nothing was played");
}

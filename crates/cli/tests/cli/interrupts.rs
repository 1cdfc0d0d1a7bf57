//! Ctrl-C with real signals: once finishes the running games, twice abandons them, and what is printed
//! then goes on. A signal to end (SIGTERM) is like the first Ctrl-C everywhere.

use std::collections::BTreeSet;
use std::path::Path;

use quintain_record::MatchId;
use quintain_store::{Filter, Store};

use crate::support::{Finished, Folder, Running, binary, games_in, wait_until};

const GAMES: u64 = 240;
/// How many games run at a time.
const SLOTS: usize = 2;

/// A bot that leaves at once when it is started for the first few times. Later it hangs until there is a file
/// `go-on`, and says so in a file of its own. In a sandbox it could not.
const BOT: &str = "\
touch started.$$
while [ ! -e go-on ] && [ \"$(ls | grep -c ^started)\" -gt 8 ]; do touch held.$$; sleep 0.02; done
";

const COMPARE: &str = "compare fencing old=house:greedy new=./bot.sh --games 240 --limit 300s \
                       -j 2 --force --store t.db --no-replays --sandbox off";
const TOURNAMENT: &str = "tournament --game fencing --bot old=house:greedy --bot new=./bot.sh \
                          --games-per-pair 240 --limit 300s -j 2 --force --store t.db \
                          --no-replays --sandbox off";

#[test]
fn one_interrupt_lets_a_comparison_finish_its_games() {
    interrupt_once(COMPARE, "INT");
}

#[test]
fn one_interrupt_lets_a_tournament_finish_its_games() {
    interrupt_once(TOURNAMENT, "INT");
}

#[test]
fn a_signal_to_end_lets_a_comparison_finish_its_games() {
    interrupt_once(COMPARE, "TERM");
}

#[test]
fn a_signal_to_end_lets_a_tournament_finish_its_games() {
    interrupt_once(TOURNAMENT, "TERM");
}

#[test]
fn two_interrupts_abandon_the_games_of_a_comparison() {
    interrupt_twice(COMPARE);
}

#[test]
fn two_interrupts_abandon_the_games_of_a_tournament() {
    interrupt_twice(TOURNAMENT);
}

fn interrupt_once(call: &str, signal: &str) {
    let (folder, running, held) = held_in_the_middle(call);
    let mut running = running;
    running.signal(signal);
    running.wait_for_line("finishing the games that run; Ctrl-C again abandons them");
    folder.write("go-on", "");
    let finished = running.finish();
    assert_eq!(finished.code, 1, "{}", finished.stderr);
    let after = games(&folder);
    assert!(held < after && after < GAMES, "{held} games before the signal, {after} after it");
    go_on(&folder, call, &finished);
}

fn interrupt_twice(call: &str) {
    let (folder, running, held) = held_in_the_middle(call);
    let mut running = running;
    running.interrupt();
    running.wait_for_line("finishing the games that run");
    running.interrupt();
    let finished = running.finish();
    assert_eq!((finished.code, finished.stdout.as_str()), (130, ""), "{}", finished.stderr);
    assert_eq!(games(&folder), held, "what was abandoned is not kept");
    folder.write("go-on", "");
    go_on(&folder, call, &finished);
}

/// A run with some games played and the next ones under way, and how many are played.
fn held_in_the_middle(call: &str) -> (Folder, Running, u64) {
    let folder = Folder::new();
    let script = folder.write("bot.sh", format!("#!/bin/bash\n{BOT}"));
    make_executable(&script);
    let running = folder.start(&call.split_whitespace().collect::<Vec<_>>());
    // A game is kept before the next one of its slot begins: with a bot of each slot held, the count stands
    // still.
    let is_held = |name: &String| name.starts_with("held.");
    wait_until("all games are held", || {
        folder.list(".").iter().filter(|name| is_held(name)).count() == SLOTS
    });
    let held = games(&folder);
    assert!(held > 3 && held < GAMES, "{held} games were played before it was held");
    (folder, running, held)
}

/// Runs the command that was printed, word for word.
fn go_on(folder: &Folder, call: &str, interrupted: &Finished) {
    let (_, command) =
        interrupted.stderr.split_once("to go on: quintain ").expect("how to go on is said");
    let command = command.lines().next().expect("a line");
    assert_eq!(command, call.split_whitespace().collect::<Vec<_>>().join(" "));
    let output = std::process::Command::new("sh")
        .args(["-c", &format!("{} {command}", binary())])
        .current_dir(folder.path("."))
        .output()
        .expect("a shell");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(stdout.contains("240 games"), "{stdout}");
    let store = store(folder);
    let run = store.runs().expect("runs").remove(0);
    let listed = store.games(run.id, &Filter::default());
    let played: Vec<MatchId> = listed.map(|game| game.expect("a game").head.id).collect();
    assert_eq!(played.len() as u64, GAMES);
    assert_eq!(played.iter().collect::<BTreeSet<_>>().len() as u64, GAMES, "each game once");
}

fn store(folder: &Folder) -> Store {
    Store::open_existing(folder.path("t.db").to_str().expect("a path")).expect("a store")
}

fn games(folder: &Folder) -> u64 {
    games_in(folder.path("t.db").to_str().expect("a path"))
}

fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(path, mode).expect("it is ours");
}

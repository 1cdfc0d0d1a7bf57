//! A tournament that is killed again and again, each time in the middle of its games, ends as if it
//! had never been killed.

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use quintain_core::{PerSeat, SplitMix64};
use quintain_record::{BotId, MatchId};
use quintain_store::{Filter, Store};
use quintain_testkit::Postgres;
use quintain_tournament::{Form, Schedule, Seeds, Settings};
use serde_json::Value;

use crate::support::{Folder, binary, json};

/// Five bots, ten pairings of 200 games.
const GAMES: u64 = 2_000;
const BOTS: u32 = 5;
const GAMES_PER_PAIR: u32 = 200;
const KILLS: u64 = 50;
/// The last kill comes so long before the end that no process can be through before it is hit.
const GAMES_LEFT: u64 = 100;
const SIGKILL: i32 = 9;

/// Longer than any stretch between two kills takes.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn fifty_kills_leave_every_game_once_in_a_file() {
    let folder = Folder::new();
    let store = folder.path("t.db").display().to_string();
    kill_often(&folder, &store, 5);
}

#[test]
fn fifty_kills_leave_every_game_once_on_a_server() {
    let Some(server) = Postgres::shared() else { return };
    kill_often(&Folder::new(), &server.database("kill_a_tournament"), 6);
}

fn kill_often(folder: &Folder, place: &str, seed: u64) {
    let store = Store::open(place).expect("a store");
    let mut chance = SplitMix64::new(seed);
    let mut at_start = 0;
    for threshold in thresholds(&mut chance) {
        let mut child = tournament(folder, place).stdout(Stdio::null()).spawn().expect("a child");
        let before = games(&store);
        // Every fifth kill hits a process that is just starting.
        if !chance.next_u64().is_multiple_of(5) {
            wait_for_games(&store, threshold, &mut child);
        } else {
            at_start += 1;
        }
        thread::sleep(Duration::from_micros(chance.next_u64() % 20_000));
        assert_eq!(child.try_wait().expect("it is ours"), None, "it ended before it was killed");
        child.kill().expect("it is ours");
        let status = child.wait().expect("it is ours");
        assert_eq!(status.signal(), Some(SIGKILL), "{status}");
        let after = games(&store);
        assert!(before <= after && after < GAMES, "{before} games before, {after} after a kill");
    }
    assert!(at_start > 0 && at_start < KILLS, "{at_start} kills hit a process that was starting");
    let mut report = finish(folder, place);
    check_games(folder, &store);
    let undisturbed_folder = Folder::new();
    let mut undisturbed = finish(&undisturbed_folder, "once.db");
    for report in [&mut report, &mut undisturbed] {
        assert!(report["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
        report["seconds"].take();
    }
    assert_eq!(report, undisturbed, "the standings of a tournament that nobody killed");
}

/// How many games there are to be when the next kill comes: over the whole tournament, in order.
fn thresholds(chance: &mut SplitMix64) -> Vec<u64> {
    let mut thresholds = BTreeSet::new();
    while thresholds.len() < KILLS as usize {
        thresholds.insert(chance.next_u64() % (GAMES - GAMES_LEFT));
    }
    thresholds.into_iter().collect()
}

fn games(store: &Store) -> u64 {
    store.runs().expect("runs").first().map_or(0, |run| run.games)
}

fn wait_for_games(store: &Store, threshold: u64, child: &mut Child) {
    let start = Instant::now();
    while games(store) < threshold {
        assert_eq!(child.try_wait().expect("it is ours"), None, "it ended by itself");
        assert!(start.elapsed() < PATIENCE, "no {threshold} games within {PATIENCE:?}");
        thread::sleep(Duration::from_millis(2));
    }
}

fn finish(folder: &Folder, place: &str) -> Value {
    let output = tournament(folder, place).output().expect("the binary");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report = json(&String::from_utf8(output.stdout).expect("text"));
    assert_eq!((report["games"].as_u64(), report["planned"].as_u64()), (Some(GAMES), Some(GAMES)));
    report
}

/// Every game of the schedule is there once, with a replay that holds what is stored.
fn check_games(folder: &Folder, store: &Store) {
    let run = store.runs().expect("runs").remove(0);
    let listed = store.games(run.id, &Filter::default());
    let listed: Vec<_> = listed.map(|game| game.expect("a game").head).collect();
    let mut played: Vec<_> = listed.iter().map(|head| (head.id, head.bots, head.seed)).collect();
    played.sort_by_key(|(id, ..)| *id);
    assert_eq!(played, scheduled(), "every game is there, and once");
    let replays: Vec<String> = listed
        .iter()
        .map(|summary| {
            let replay = summary.replay.as_deref().expect("every replay is kept");
            let folder = store.folder().unwrap_or_default();
            folder.join(replay).display().to_string()
        })
        .collect();
    assert_eq!(replays.iter().collect::<BTreeSet<_>>().len(), replays.len());
    let words: Vec<&str> =
        ["verify"].into_iter().chain(replays.iter().map(String::as_str)).collect();
    let verified = folder.run_words(&words, "");
    assert_eq!(verified.code, 0, "{}", verified.stderr);
    for (line, summary) in verified.stdout.lines().zip(&listed) {
        let expected = format!("verified: {} turns, {}", summary.turns, summary.ending.reason());
        assert!(line.ends_with(&expected), "{line}: {expected}");
    }
    let folder = Path::new(&replays[0]).parent().expect("a folder");
    let files = std::fs::read_dir(folder).expect("the folder of the replays").count();
    assert_eq!(files, replays.len(), "what a killed process left half-written is replaced");
}

/// All games of the tournament, as the schedule has them.
fn scheduled() -> Vec<(MatchId, PerSeat<BotId>, i64)> {
    let seeds = Seeds::Derived { from: 1, bits: 31 };
    let settings = Settings { bots: BOTS, form: Form::RoundRobin, games: GAMES_PER_PAIR, seeds };
    let mut schedule = Schedule::new(settings).expect("five bots can meet");
    let games = std::iter::from_fn(|| schedule.take());
    let mut games: Vec<_> = games.map(|game| (game.id, game.bots, game.seed)).collect();
    games.sort_by_key(|(id, ..)| *id);
    games
}

fn tournament(folder: &Folder, store: &str) -> Command {
    let mut command = Command::new(binary());
    let games = GAMES_PER_PAIR.to_string();
    command.args(["tournament", "--game", "hockey", "--games-per-pair", &games]);
    for (name, bot) in [("a", "random"), ("b", "greedy"), ("c", "random"), ("d", "greedy")] {
        command.args(["--bot", &format!("{name}=house:{bot}")]);
    }
    command.args(["--bot", "e=house:random", "--store", store, "--output", "json"]);
    command.stdin(Stdio::null()).stderr(Stdio::null()).current_dir(folder.path("."));
    command
}

//! A process that records games is killed again and again, at any moment; nothing that it was told
//! is recorded may be missing, and nothing may be there twice.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::suite::{Engine, Place, begin, game, identity, on_both_engines, plan};
use quintain_record::MatchId;
use quintain_store::{Filter, Store};

const KILLS: u32 = 50;
const THREADS: u32 = 3;
const GAMES: u32 = 100_000;

/// In the killed process: where its store is.
const CHILD_STORE: &str = "QUINTAIN_TEST_CHILD_STORE";

on_both_engines! {
    fifty_kills_lose_nothing_and_repeat_nothing,
}

fn fifty_kills_lose_nothing_and_repeat_nothing(engine: Engine) {
    let Some(place) = engine("fifty_kills") else { return };
    let mut told: BTreeSet<MatchId> = BTreeSet::new();
    let (mut before_first, mut killed_at_work) = (0, 0);
    for kill in 0..KILLS {
        // Short spans hit the opening of the store, long ones the recording.
        let span = Duration::from_millis(u64::from(kill * 7919 % 60));
        let told_now = run_and_kill(&place.url, span, kill % 5 != 0);
        killed_at_work += u32::from(!told_now.is_empty());
        before_first += u32::from(told_now.is_empty());
        assert!(told.is_disjoint(&told_now), "a game was played again");
        told.extend(told_now);
        check(&place.url, &told);
    }
    assert!(killed_at_work > KILLS / 2, "{killed_at_work} kills hit a process at work");
    assert!(before_first > 0, "no kill hit a process that was opening its store");
}

/// Every game of which a child was told that it is recorded is there, each once.
fn check(url: &str, told: &BTreeSet<MatchId>) {
    let store = Store::open(url).unwrap();
    let Some(info) = store.find_run("a").unwrap() else {
        assert!(told.is_empty(), "the run is gone");
        return;
    };
    // The right to the run died with its holder.
    let run = store.begin(&plan("a")).unwrap();
    let games: Vec<_> = store.games(info.id, &Filter::default()).map(Result::unwrap).collect();
    let stored: BTreeSet<MatchId> = games.iter().map(|game| game.head.id).collect();
    assert_eq!(stored.len(), games.len(), "a game is there twice");
    let missing: Vec<_> = told.difference(&stored).collect();
    assert!(missing.is_empty(), "lost: {missing:?}");
    let finished = run.finished().unwrap();
    assert_eq!(finished.count(), stored.len() as u64);
    assert!(stored.iter().all(|identity| finished.contains(*identity)));
    for listed in &games {
        let whole = store.game(info.id, listed.number).unwrap().unwrap();
        assert_eq!(whole, game(listed.head.id), "a game is not whole");
    }
}

/// What a child said it was told before it was killed.
fn run_and_kill(url: &str, span: Duration, wait_for_first: bool) -> BTreeSet<MatchId> {
    let mut child = start_child(url);
    let output = BufReader::new(child.stdout.take().unwrap());
    let (first, wait) = std::sync::mpsc::channel();
    let reader = thread::spawn(move || {
        let mut told = BTreeSet::new();
        for line in output.lines() {
            // The last line can be cut off; a game that is not told of is not asked for.
            if let Some(identity) = line.ok().as_deref().and_then(parse) {
                told.insert(identity);
                let _ = first.send(());
            }
        }
        told
    });
    if wait_for_first {
        wait.recv().expect("the child records games until it is killed");
    }
    thread::sleep(span);
    child.kill().unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), None, "the child ended by itself: {status}");
    reader.join().unwrap()
}

fn start_child(url: &str) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args([
        "--exact",
        "kill::child_that_records_until_it_is_killed",
        "--ignored",
        "--nocapture",
    ]);
    child.env(CHILD_STORE, url).stdin(Stdio::null()).stdout(Stdio::piped());
    child.spawn().unwrap()
}

fn parse(line: &str) -> Option<MatchId> {
    let mut words = line.strip_prefix("recorded ")?.strip_suffix(" .")?.split(' ');
    let mut number = || words.next()?.parse().ok();
    let (round, pairing, seed_index) = (number()?, number()?, number()?);
    Some(identity(round, pairing, seed_index, number()? == 1))
}

#[test]
#[ignore = "the process that the test above kills"]
fn child_that_records_until_it_is_killed() {
    let url = std::env::var(CHILD_STORE).expect("started by the test above");
    let (_, run) = begin(&Place { url, folder: None }, "a");
    let finished = run.finished().unwrap();
    thread::scope(|scope| {
        for pairing in 0..THREADS {
            let (run, finished) = (&run, &finished);
            scope.spawn(move || {
                for index in 0..GAMES {
                    let identity = identity(0, pairing, index / 2, index % 2 == 1);
                    if finished.contains(identity) {
                        continue;
                    }
                    run.record(&game(identity)).unwrap();
                    let MatchId { round, pairing, seed_index, swapped } = identity;
                    let swapped = u8::from(swapped);
                    let line = format!("recorded {round} {pairing} {seed_index} {swapped} .\n");
                    std::io::stdout().write_all(line.as_bytes()).unwrap();
                }
            });
        }
    });
}

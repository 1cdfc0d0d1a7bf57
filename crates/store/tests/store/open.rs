//! Opening stores and beginning runs, and what is said if that cannot be.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::suite::{
    Engine, begin, execute, fault, game, identity, on_both_engines, plan, postgres, raw_sqlite,
    sqlite,
};
use quintain_core::{ErrorKind, FaultCause, Seat};
use quintain_record::{BotId, MatchRecord, SeatError};
use quintain_store::{BotEntry, Filter, Store, StoreError};
use quintain_testkit::Postgres;

on_both_engines! {
    a_run_is_found_again_as_it_was_begun,
    a_changed_plan_is_refused_with_what_changed,
    a_run_is_played_by_one_at_a_time,
    many_open_a_new_store_at_the_same_time,
    a_store_of_a_newer_quintain_is_refused,
    an_older_store_is_brought_up_to_date,
    what_must_be_there_is_not_made,
}

fn a_run_is_found_again_as_it_was_begun(engine: Engine) {
    let Some(place) = engine("found_again") else { return };
    let (store, run) = begin(&place, "älter than 'this'; --");
    drop(run);
    let info = store.find_run("älter than 'this'; --").unwrap().unwrap();
    assert_eq!(info.plan, plan("älter than 'this'; --"));
    assert!(info.created_ms > 1_600_000_000_000);
    assert_eq!(info.place_of("cyd"), Some(BotId(2)));
    assert_eq!(info.place_of("dan"), None);
    assert_eq!(store.find_run("b"), Ok(None));
    drop(store.begin(&plan("b")).unwrap());
    let names: Vec<String> = store.runs().unwrap().into_iter().map(|run| run.plan.name).collect();
    assert_eq!(names, ["älter than 'this'; --", "b"]);
}

fn a_changed_plan_is_refused_with_what_changed(engine: Engine) {
    let Some(place) = engine("changed") else { return };
    let (store, run) = begin(&place, "a");
    drop(run);
    let mut changed = plan("a");
    changed.settings = r#"{"league":3}"#.to_owned();
    changed.bots[1] = BotEntry::new("bob", "./bob2");
    let message = store.begin(&changed).unwrap_err().to_string();
    assert_eq!(
        message,
        "run `a` was begun differently: bot bob was `./bob`, now `./bob2`; league was `2`, now \
         `3`; go on as it was begun or take another name"
    );
    // Written in another way, but the same.
    changed = plan("a");
    changed.settings = r#"{ "league": 2 }"#.to_owned();
    assert!(!store.begin(&changed).unwrap().is_new());
}

fn a_run_is_played_by_one_at_a_time(engine: Engine) {
    let Some(place) = engine("one_at_a_time") else { return };
    let (store, run) = begin(&place, "a");
    let second = Store::open(&place.url).unwrap();
    let message = second.begin(&plan("a")).unwrap_err().to_string();
    let expected = format!("run `a` in {} is being played by ", store.place());
    assert!(message.starts_with(&expected), "{message}");
    assert!(message.contains(&format!("process {}", std::process::id())), "{message}");
    // Other runs and reading are free.
    drop(second.begin(&plan("b")).unwrap());
    assert_eq!(second.runs().unwrap().len(), 2);
    drop(run);
    assert!(second.begin(&plan("a")).is_ok());
}

fn many_open_a_new_store_at_the_same_time(engine: Engine) {
    let Some(place) = engine("at_the_same_time") else { return };
    std::thread::scope(|scope| {
        for number in 0..6 {
            let url = &place.url;
            scope.spawn(move || {
                let store = Store::open(url).unwrap();
                drop(store.begin(&plan(&format!("run {number}"))).unwrap());
            });
        }
    });
    let store = Store::open_existing(&place.url).unwrap();
    let mut names: Vec<String> =
        store.runs().unwrap().into_iter().map(|run| run.plan.name).collect();
    names.sort();
    assert_eq!(names, ["run 0", "run 1", "run 2", "run 3", "run 4", "run 5"]);
}

/// A folder where the engine's log should be keeps it from writing, also for whoever may write
/// everywhere.
#[test]
fn a_file_that_cannot_be_written_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let place = path.to_str().unwrap();
    let store = Store::open(place).unwrap();
    let run = store.begin(&plan("a")).unwrap();
    run.record(&game(identity(0, 0, 0, false))).unwrap();
    drop((run, store));
    fs::create_dir(folder.path().join("a.db-wal")).unwrap();
    let refused = Store::open(place).unwrap_err();
    assert!(matches!(refused, StoreError::NotWritable { .. }), "{refused}");
    assert!(refused.to_string().ends_with("the file and its folder must be writable"), "{refused}");
    let store = Store::open_existing(place).unwrap();
    let info = store.find_run("a").unwrap().unwrap();
    assert_eq!((info.games, store.games(info.id, &Filter::default()).count()), (1, 1));
    assert_eq!(store.place(), place);
    assert!(store.begin(&plan("a")).is_err(), "nothing can be added");
    assert!(store.begin(&plan("b")).is_err(), "nothing can be begun");
}

/// A store of the first schema, as it was before kinds of error had one list of names.
fn an_older_store_is_brought_up_to_date(engine: Engine) {
    let Some(place) = engine("older") else { return };
    let (store, run) = begin(&place, "a");
    let late = fault(Seat::First, ErrorKind::Timeout, 3);
    let silent = SeatError {
        cause: Some(FaultCause::Silent),
        text: "gave no name in time, its last line on stderr: x".to_owned(),
        ..fault(Seat::Second, ErrorKind::NotStarted, 1)
    };
    let mut expected = MatchRecord { errors: vec![late, silent], ..game(identity(0, 0, 0, false)) };
    run.record(&expected).unwrap();
    expected.head.content = None;
    expected.head.replay_digest = None;
    expected.head.sandbox = None;
    drop((store, run));
    for sql in [
        "UPDATE faults SET kind = 'late' WHERE kind = 'timeout'",
        "UPDATE games SET first_fault = 'late'",
        "DROP TABLE sessions",
        "DROP INDEX games_failed",
        "DROP INDEX games_by_reason",
        "DROP INDEX games_by_seed",
        "CREATE INDEX games_by_seed ON games (run, seed)",
        "DROP TABLE sums",
        "DROP TABLE fault_sums",
        "ALTER TABLE runs DROP COLUMN summed",
        "CREATE INDEX games_by_result\n    ON games (run, round, first_bot, second_bot, result, twin_result)",
        "CREATE INDEX faults_by_bot ON faults (run, void, bot, kind, times)",
        "DROP INDEX tags_by_name",
        "CREATE INDEX tags_by_name ON tags (run, name, value)",
        "DROP INDEX games_by_content",
        "ALTER TABLE games DROP COLUMN content",
        "ALTER TABLE games DROP COLUMN replay_digest",
        "ALTER TABLE faults DROP COLUMN cause",
        "ALTER TABLE games DROP COLUMN sandbox",
        "ALTER TABLE runs DROP COLUMN wish",
        "DROP INDEX games_void",
        "DROP INDEX tags_by_player",
        "DELETE FROM quintain_schema WHERE version >= 2",
    ] {
        execute(&place, "older", sql);
    }
    let store = Store::open_existing(&place.url).unwrap();
    let run = store.find_run("a").unwrap().unwrap().id;
    assert_eq!(store.game(run, 1), Ok(Some(expected)));
    let listed = store.games(run, &Filter::default()).next().unwrap().unwrap();
    assert_eq!(listed.errors[Seat::First].to_string(), "timeout");
    assert_eq!(store.played(run), Ok(Duration::ZERO));
}

/// A store as version 8 of the tables was written: its sums are made when it is opened, and say what its games say.
#[test]
fn a_kept_store_of_an_older_quintain_counts_as_it_did() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("games.db");
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/store/version-8.db");
    fs::copy(kept, &place).unwrap();
    let store = Store::open_existing(place.to_str().unwrap()).unwrap();
    let runs = store.runs().unwrap();
    assert_eq!(runs.iter().map(|run| run.games).collect::<Vec<_>>(), [12, 6]);
    for run in runs {
        let seats = |tally: Vec<quintain_store::PairTally>| -> Vec<_> {
            tally.into_iter().map(|pair| (pair.bots, pair.by_seat, pair.voids)).collect()
        };
        let counted = store.tally_of(run.id, &Filter::default()).unwrap();
        let kept = store.tally(run.id).unwrap();
        let games: u64 = kept.iter().map(|pair| pair.games() + pair.voids).sum();
        assert_eq!(games, run.games);
        assert_eq!(seats(kept), seats(counted));
    }
    assert_eq!(store.examine().unwrap().findings, []);
}

fn a_store_of_a_newer_quintain_is_refused(engine: Engine) {
    let Some(place) = engine("newer") else { return };
    let shown = Store::open(&place.url).unwrap().place();
    let newer = "INSERT INTO quintain_schema \
        (version, description, success, checksum, execution_time) VALUES (99, 'x', true, 'x', 0)";
    execute(&place, "newer", newer);
    let expected = StoreError::Newer { place: shown, found: 99, known: 9 };
    assert_eq!(Store::open(&place.url).unwrap_err(), expected);
    assert_eq!(Store::open_existing(&place.url).unwrap_err(), expected);
}

fn what_must_be_there_is_not_made(engine: Engine) {
    let Some(place) = engine("must_be_there") else { return };
    let error = Store::open_existing(&place.url).unwrap_err();
    assert!(matches!(error, StoreError::NotThere { .. }), "{error}");
    if let Some(folder) = &place.folder {
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
    Store::open(&place.url).unwrap();
    Store::open_existing(&place.url).unwrap();
}

#[test]
fn places_that_are_no_store_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let check = |path: &Path, expected: &str| {
        let message = Store::open(path.to_str().unwrap()).unwrap_err().to_string();
        assert_eq!(message.replace(root.to_str().unwrap(), "DIR"), expected);
    };
    check(&root, "expected a file for the store, found the folder DIR");
    check(&root.join("a/b.db"), "cannot make the store DIR/a/b.db: its folder does not exist");
    let text = root.join("notes.txt");
    fs::write(&text, "not a database, whatever its length is. ".repeat(100)).unwrap();
    check(&text, "expected a store, found a file that is no SQLite database: DIR/notes.txt");
    assert!(fs::read_to_string(&text).unwrap().starts_with("not a database"), "left as it was");
    let foreign = root.join("foreign.db");
    raw_sqlite(&foreign, "CREATE TABLE recipes (name TEXT)");
    check(
        &foreign,
        "expected a store of quintain or nothing, found a database of something else: \
         DIR/foreign.db",
    );
    let altered = root.join("altered.db");
    drop(Store::open(altered.to_str().unwrap()).unwrap());
    raw_sqlite(&altered, "UPDATE quintain_schema SET checksum = x'00'");
    check(
        &altered,
        "schema 1 of DIR/altered.db is not the one that quintain made; restore a backup",
    );
}

#[test]
fn a_store_keeps_nothing_open_beside_its_file() {
    let place = sqlite("").unwrap();
    let (store, run) = begin(&place, "a");
    assert_eq!(store.folder().unwrap(), place.folder.as_ref().unwrap().path());
    drop(run);
    drop(store);
    let left: Vec<_> = fs::read_dir(place.folder.as_ref().unwrap().path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(left, ["games.db"], "neither a log nor a lock");
}

#[test]
fn odd_file_names_are_just_names() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["what? 100%#1 & ü.db", "a:b@c", "50%20x"] {
        let path = folder.path().join(name);
        drop(Store::open(path.to_str().unwrap()).unwrap());
        assert!(path.is_file(), "{name}");
    }
    // The same file by another way.
    let odd = folder.path().join("x/../plain.db");
    fs::create_dir(folder.path().join("x")).unwrap();
    let store = Store::open(odd.to_str().unwrap()).unwrap();
    assert!(store.place().ends_with("/plain.db") && !store.place().contains(".."));
}

#[test]
fn servers_that_cannot_be_used_are_named() {
    let check = |url: &str, expected: &str| {
        let message = Store::open(url).unwrap_err().to_string();
        assert!(message.starts_with(expected), "{message}");
    };
    // Nobody listens on port 1.
    let nobody = "cannot reach the server of postgres://me@127.0.0.1:1/x: ";
    check("postgres://me:secret@127.0.0.1:1/x", nobody);
    check("postgres://me:secret@nowhere.invalid/x", "cannot reach the server of postgres://me@no");
    check("postgres://me@host:port/x", "expected a store as PATH, sqlite:PATH or postgres://USER");
    let Some(server) = Postgres::shared() else { return };
    drop(postgres("servers"));
    check(&server.url("quintain", "wrong", "servers"), "the server refused the login to postgres:");
    check(&server.url("nobody", "x", "servers"), "the server refused the login to postgres://nob");
    let missing = server.url("quintain", "not%3Aa%40secret", "missing");
    check(&missing, "the server refused the login to postgres://quintain@127.0.0.1");
    let message = Store::open(&missing).unwrap_err().to_string();
    assert!(message.contains("database \"missing\" does not exist"), "{message}");
    assert!(!message.contains("secret"), "{message}");
}

#[test]
fn a_server_database_with_tables_of_others_is_left_alone() {
    let Some(place) = postgres("foreign") else { return };
    let server = Postgres::shared().expect("it has just made a database");
    server.query("foreign", "CREATE TABLE games (name TEXT)");
    let error = Store::open(&place.url).unwrap_err();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    let tables = "SELECT string_agg(tablename, ' ' ORDER BY tablename) FROM pg_tables \
        WHERE schemaname = 'public' AND tablename <> 'quintain_schema'";
    assert_eq!(server.query("foreign", tables), "games");
}

/// To look again and again whether there is a store by now is what tests and pages do.
#[test]
fn whoever_looks_for_a_store_does_not_hinder_who_makes_it() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..20 {
        let place = folder.path().join(format!("{number}.db")).display().to_string();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let begun = Instant::now();
                while Store::open_existing(&place).is_err() {
                    assert!(begun.elapsed() < Duration::from_secs(60), "it is not found");
                }
            });
            let store = Store::open(&place).unwrap();
            drop(store.begin(&plan("a")).unwrap());
        });
        assert_eq!(Store::open_existing(&place).unwrap().runs().unwrap().len(), 1);
    }
}

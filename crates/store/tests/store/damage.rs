//! A damaged SQLite file is an error with advice: it never panics, hangs or is changed.

use std::fs;
use std::panic;
use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use quintain_core::{Chance, ErrorKind, Seat, SplitMix64};
use quintain_store::{Filter, Store, StoreError};

use crate::suite::{disturbance, fault, game, identity, plan, raw_sqlite, tag, void};

/// Damaged files that are read to the end.
const FLIPS: usize = 1_000;

/// A damaged file is read within this, whatever else the machine does.
const PATIENCE: Duration = Duration::from_secs(60);

/// A store with something in every table, closed, as the bytes of its file.
fn whole_store(folder: &Path) -> Vec<u8> {
    let path = folder.join("whole.db");
    let store = Store::open(path.to_str().unwrap()).unwrap();
    let run = store.begin(&plan("a")).unwrap();
    for number in 0..24 {
        let identity = identity(0, number % 3, number / 3, number % 2 == 1);
        let mut game = if number == 5 { void(identity) } else { game(identity) };
        game.errors = vec![fault(Seat::First, ErrorKind::Timeout, 2)];
        game.tags = vec![tag("depth", Some(Seat::First), "7"), tag("map", None, "small")];
        game.disturbances.push(disturbance(1, Seat::Second));
        run.record(&game).unwrap();
    }
    drop((run, store));
    // Without it the file also holds what was there before, where damage does no harm.
    raw_sqlite(&path, "VACUUM");
    fs::read(path).unwrap()
}

/// Everything that a command reads of a store.
fn read_all(path: &Path) -> Result<usize, StoreError> {
    let store = Store::open_existing(path.to_str().unwrap())?;
    let mut games = 0;
    for run in store.runs()? {
        store.tally(run.id)?;
        store.faults(run.id)?;
        store.finished(run.id)?;
        store.played(run.id)?;
        store.tag_spreads(run.id, &Filter::default())?;
        for game in store.whole_games(run.id, &Filter::default()) {
            game?;
            games += 1;
        }
    }
    Ok(games)
}

/// Reads a file on a thread of its own; a panic or a hang is named with what was damaged.
fn read_guarded(path: &Path, damage: &str) -> Result<usize, StoreError> {
    let (report, result) = mpsc::channel();
    let path = path.to_owned();
    thread::spawn(move || report.send(read_all(&path)));
    match result.recv_timeout(PATIENCE) {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => panic!("{damage}: hangs"),
        Err(RecvTimeoutError::Disconnected) => panic!("{damage}: panics"),
    }
}

/// Counts the panics of the threads that the database library starts: they only show as an error.
fn count_panics() -> &'static AtomicUsize {
    static PANICS: AtomicUsize = AtomicUsize::new(0);
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().name().is_some_and(|name| name.starts_with("sqlx")) {
                PANICS.fetch_add(1, Ordering::Relaxed);
            }
            before(info);
        }));
    });
    &PANICS
}

/// Reads a store with one bit flipped, for each place; how many were refused.
fn refused_flips(
    whole: &[u8],
    places: impl Iterator<Item = usize>,
    bits: &mut SplitMix64,
) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("damaged.db");
    let panics = count_panics();
    let before = panics.load(Ordering::Relaxed);
    let mut refused = 0;
    for place in places {
        let bit = bits.below(8);
        let mut damaged = whole.to_vec();
        damaged[place] ^= 1 << bit;
        fs::write(&path, &damaged).unwrap();
        let name = format!("bit {bit} of byte {place}");
        refused += usize::from(read_guarded(&path, &name).is_err());
        assert_eq!(panics.load(Ordering::Relaxed), before, "{name}: panics");
    }
    refused
}

#[test]
fn a_flipped_bit_anywhere_neither_panics_nor_hangs() {
    let folder = tempfile::tempdir().unwrap();
    let whole = whole_store(folder.path());
    let mut draws = SplitMix64::new(10);
    let places: Vec<usize> = (0..FLIPS).map(|_| draws.below(whole.len() as u32) as usize).collect();
    let refused = refused_flips(&whole, places.into_iter(), &mut draws);
    println!("{FLIPS} flipped bits: {refused} refused");
    assert!(refused > 0, "no damage was found");
}

/// The declared type of a column made the database library panic. Pages also hold remnants of earlier
/// descriptions, in which damage does no harm.
#[test]
fn a_flipped_bit_in_the_declared_type_of_a_column_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    let whole = whole_store(folder.path());
    let described = described_tables(&folder.path().join("whole.db"));
    let types = |bytes: &[u8]| -> Vec<usize> {
        let types = [b"BIGINT".as_slice(), b"TEXT"];
        types.iter().flat_map(|name| places_of(bytes, name)).collect()
    };
    let in_use = types(described.as_bytes()).len();
    assert!(in_use > 70, "{in_use}");
    let refused = refused_flips(&whole, types(&whole).into_iter(), &mut SplitMix64::new(11));
    assert_eq!(refused, in_use);
}

/// The list of versions made it run migrations again and wait for ever.
#[test]
fn a_flipped_bit_in_the_list_of_versions_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    let whole = whole_store(folder.path());
    let versions = places_of(&whole, b"runs, bots and games");
    let around: Vec<usize> = versions.into_iter().flat_map(|at| at - 12..at + 100).collect();
    let refused = refused_flips(&whole, around.into_iter(), &mut SplitMix64::new(12));
    assert!(refused > 50, "of the {refused} found, the checksum alone has 48 bytes");
}

/// The statements that made the tables of a file.
fn described_tables(path: &Path) -> String {
    use sqlx::{Connection, Row, SqliteConnection};
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let url = format!("sqlite://{}", path.display());
        let mut connection = SqliteConnection::connect(&url).await.unwrap();
        let query = "SELECT group_concat(sql) FROM sqlite_master";
        sqlx::query(query).fetch_one(&mut connection).await.unwrap().get(0)
    })
}

/// Where a word stands.
fn places_of(bytes: &[u8], word: &[u8]) -> Vec<usize> {
    (0..bytes.len() - word.len()).filter(|&place| bytes[place..].starts_with(word)).collect()
}

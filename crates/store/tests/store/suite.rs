//! What the tests share: stores on either engine, and games.

use std::path::Path as FilePath;
use std::time::Duration;

use quintain_core::{ErrorKind, PerSeat, Seat, Verdict};
use quintain_record::{
    AnswerTimes, BotId, Disturbance, Ending, MatchHead, MatchId, MatchRecord, Scored, SeatError,
    Tag, VoidReason,
};
use quintain_store::{BotEntry, Run, RunPlan, Store};
use quintain_testkit::Postgres;
use tempfile::TempDir;

/// Where a test keeps its store.
pub(crate) struct Place {
    pub(crate) url: String,
    /// The file's folder; `None` on a server.
    pub(crate) folder: Option<TempDir>,
}

/// One of the two engines.
pub(crate) type Engine = fn(&str) -> Option<Place>;

pub(crate) fn sqlite(_: &str) -> Option<Place> {
    let folder = tempfile::tempdir().unwrap();
    let url = folder.path().join("games.db").display().to_string();
    Some(Place { url, folder: Some(folder) })
}

/// `name` is unique in its test file.
pub(crate) fn postgres(name: &str) -> Option<Place> {
    let url = Postgres::shared()?.database(name);
    Some(Place { url, folder: None })
}

/// Makes a test of each function, once for each engine.
macro_rules! on_both_engines {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[test] fn $name() { super::$name(crate::suite::sqlite); })+
        }
        mod postgres {
            $(#[test] fn $name() { super::$name(crate::suite::postgres); })+
        }
    };
}
pub(crate) use on_both_engines;

pub(crate) fn plan(name: &str) -> RunPlan {
    RunPlan {
        name: name.to_owned(),
        kind: "round-robin".to_owned(),
        game: "fencing".to_owned(),
        settings: r#"{"league":2}"#.to_owned(),
        bots: ["ada", "bob", "cyd"].map(|bot| BotEntry::new(bot, format!("./{bot}"))).into(),
    }
}

pub(crate) fn begin(place: &Place, name: &str) -> (Store, Run) {
    let store = Store::open(&place.url).unwrap();
    let run = store.begin(&plan(name)).unwrap();
    (store, run)
}

pub(crate) fn identity(round: u32, pairing: u32, seed_index: u32, swapped: bool) -> MatchId {
    MatchId { round, pairing, seed_index, swapped }
}

/// A game of the pairing 0 (bots 0 and 1), 1 (0 and 2) or 2 (1 and 2) that the first seat won.
pub(crate) fn game(id: MatchId) -> MatchRecord {
    scored(id, Verdict::Win, Verdict::Loss)
}

pub(crate) fn scored(id: MatchId, first: Verdict, second: Verdict) -> MatchRecord {
    let (low, high) = [(0, 1), (0, 2), (1, 2)][id.pairing as usize];
    let bots = PerSeat(if id.swapped { [high, low] } else { [low, high] });
    let (worst, mean) = (Duration::from_micros(900), Duration::from_micros(300));
    let head = MatchHead {
        id,
        seed: -1 - i64::from(id.seed_index),
        bots: bots.map(|_, bot| BotId(bot)),
        ending: Ending::Scored(Scored {
            verdicts: PerSeat([first, second]),
            scores: PerSeat([5, -3]),
            reason: "touches".to_owned(),
        }),
        turns: 120,
        content: Some(u64::MAX - u64::from(id.seed_index)),
        replay: Some(format!("replays/{}.jsonl.zst", id.seed_index)),
        replay_digest: Some(format!("{:064x}", id.seed_index)),
        sandbox: (id.seed_index % 2 == 1).then(|| "basic: session limits".to_owned()),
        duration: Duration::from_micros(15_000),
        answers: PerSeat([AnswerTimes::with_mean(60, worst, mean); 2]),
        finished_ms: 1_700_000_000_000,
    };
    MatchRecord { head, errors: Vec::new(), disturbances: Vec::new(), tags: Vec::new() }
}

pub(crate) fn void(id: MatchId) -> MatchRecord {
    let mut game = game(id);
    game.head.ending = Ending::Void(VoidReason::Disturbed);
    game.disturbances = (1..=3).map(|attempt| disturbance(attempt, Seat::Second)).collect();
    game
}

pub(crate) fn disturbance(attempt: u32, seat: Seat) -> Disturbance {
    Disturbance {
        attempt,
        seat,
        turn: 17,
        limit: Duration::from_millis(50),
        wall: Duration::from_millis(61),
        cpu: Some(Duration::from_millis(3)),
        waited: Some(Duration::from_millis(12)),
        replay: None,
    }
}

pub(crate) fn fault(seat: Seat, kind: ErrorKind, times: u32) -> SeatError {
    SeatError { seat, kind, times, cause: None, text: format!("a {}", kind.code()) }
}

pub(crate) fn tag(name: &str, seat: Option<Seat>, value: &str) -> Tag {
    Tag { name: name.to_owned(), seat, turn: None, value: value.to_owned() }
}

/// Runs a statement behind the store's back.
pub(crate) fn execute(place: &Place, database: &str, sql: &str) {
    match &place.folder {
        None => drop(Postgres::shared().unwrap().query(database, sql)),
        Some(_) => raw_sqlite(FilePath::new(&place.url), sql),
    }
}

pub(crate) fn raw_sqlite(path: &FilePath, sql: &str) {
    use sqlx::{AssertSqlSafe, Connection, SqliteConnection};
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let url = format!("sqlite://{}?mode=rwc", path.display());
        let mut connection = SqliteConnection::connect(&url).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    });
}

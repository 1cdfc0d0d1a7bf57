//! How long the questions to a large store take.

use std::time::{Duration, Instant};

use quintain_arena::book_of;
use quintain_core::{ErrorKind, PerSeat, Seat, SplitMix64, Verdict};
use quintain_record::{
    AnswerTimes, BotId, Ending, MatchHead, MatchId, MatchRecord, Scored, SeatError, Tag,
};
use quintain_store::{BotEntry, Errors, Filter, Run, RunPlan, Store, TagFilter, TagTest};
use quintain_tournament::{Book, MatchResult, RatingSettings, standings};

use crate::pages::Served;
use crate::{Call, Means, Row};

const BOTS: u32 = 8;
const GAMES: u64 = 1_000_000;
const BATCH: usize = 1_000;
/// Games that are recorded one by one, each on the disk before the next.
const SINGLE_GAMES: u32 = 200;
const STANDINGS_SECONDS_MAX: f64 = 2.0;
const RESUME_SECONDS_MAX: f64 = 1.0;
/// Pages of the store, with filters that let many games through, few and none.
const PAGES: [&str; 18] = [
    "/runs",
    "/run/1",
    "/run/1/projector",
    "/bot?name=bot3",
    "/matches",
    "/matches?before=1-500000",
    "/matches?bot=bot3",
    "/matches?bot=bot3&opponent=bot5&verdict=draw",
    "/matches?bot=bot3&verdict=disqualified",
    "/matches?error=timeout",
    "/matches?bot=bot3&error=crash",
    "/matches?tag=depth%3E%3D12",
    "/matches?tag=none",
    "/matches?bot=bot3&tag=depth",
    "/matches?reason=absent",
    "/matches?seed=7919",
    "/matches?void=yes",
    "/matches?disturbed=yes",
];

/// A store that is filled when the first row wants it.
pub(crate) struct LargeStore {
    store: Store,
    run: Run,
    record_ms: f64,
    /// Removed at the end.
    _folder: Option<tempfile::TempDir>,
}

impl LargeStore {
    /// Fills the store that is named, or one in a temporary file. What is there already is taken as it is.
    pub(crate) fn fill(means: &Means<'_>) -> anyhow::Result<LargeStore> {
        let (place, folder) = match means.store {
            Some(place) => (place.to_owned(), None),
            None => {
                let folder = tempfile::tempdir()?;
                (folder.path().join("games.db").display().to_string(), Some(folder))
            }
        };
        let started = Instant::now();
        let store = Store::open(&place)?;
        let run = store.begin(&RunPlan {
            name: "bench".to_owned(),
            kind: "round-robin".to_owned(),
            game: "fencing".to_owned(),
            settings: "{}".to_owned(),
            bots: (0..BOTS).map(|bot| BotEntry::new(format!("bot{bot}"), "house:random")).collect(),
        })?;
        let known =
            store.runs()?.iter().find(|info| info.id == run.id()).map_or(0, |info| info.games);
        let mut games = games().skip(usize::try_from(known)?);
        for _ in 0..GAMES.saturating_sub(known) / BATCH as u64 {
            let batch: Vec<MatchRecord> = games.by_ref().take(BATCH).collect();
            run.record_all(&batch)?;
        }
        (means.tell)(format_args!(
            "a store of {GAMES} games was filled in {:.0?}",
            started.elapsed()
        ));
        let single = Instant::now();
        for game in games.take(SINGLE_GAMES as usize) {
            run.record(&game)?;
        }
        let record_ms = single.elapsed().as_secs_f64() * 1e3 / f64::from(SINGLE_GAMES);
        Ok(LargeStore { store, run, record_ms, _folder: folder })
    }

    /// Milliseconds until one game is safe on the disk.
    pub(crate) fn record(&self) -> Row {
        Row::plain("store-record", self.record_ms, "ms/game")
    }

    /// Seconds from the store to the standings with their intervals.
    pub(crate) fn standings(&self) -> anyhow::Result<Row> {
        let started = Instant::now();
        let book = book_of(&self.store, self.run.id(), BOTS)?;
        let standings = standings(&book, &RatingSettings::default());
        let seconds = started.elapsed().as_secs_f64();
        anyhow::ensure!(standings.games >= GAMES, "the standings lack games");
        Ok(Row::plain("store-standings", seconds, "s").at_most(STANDINGS_SECONDS_MAX))
    }

    /// Seconds until whoever goes on with the run knows all of its results.
    pub(crate) fn resume(&self) -> anyhow::Result<Row> {
        let started = Instant::now();
        let mut book = Book::new(BOTS);
        for row in self.store.results(self.run.id(), 0) {
            book.add(&MatchResult::from(&row?));
        }
        anyhow::ensure!(book.games() >= GAMES, "the results lack games");
        let seconds = started.elapsed().as_secs_f64();
        Ok(Row::plain("store-resume", seconds, "s").at_most(RESUME_SECONDS_MAX))
    }

    /// Milliseconds until the slowest page of the store is there, when nobody has asked for it before.
    pub(crate) fn pages(&self, means: &Means<'_>) -> anyhow::Result<Row> {
        let place = self.store.place();
        let call = Call::Serve { replays: None, store: Some(&place), blobs: None };
        let served = Served::start_with(means, &call)?;
        let mut slowest = 0.0_f64;
        for path in PAGES {
            let started = Instant::now();
            served.get(path)?;
            let milliseconds = started.elapsed().as_secs_f64() * 1e3;
            (means.tell)(format_args!("{milliseconds:7.1} ms {path}"));
            slowest = slowest.max(milliseconds);
        }
        Ok(Row::plain("store-page", slowest, "ms").at_most(300.0))
    }

    /// Seconds until the thousand games in which a bot failed in a certain way are listed whole.
    pub(crate) fn search(&self) -> anyhow::Result<Row> {
        let started = Instant::now();
        let tag = TagFilter { name: "depth".to_owned(), test: TagTest::AtLeast(9.5), turn: None };
        let errors = Some(Errors::Kind(ErrorKind::Timeout));
        let filter = Filter { bot: Some(BotId(3)), errors, tags: vec![tag], ..Filter::default() };
        for game in self.store.whole_games(self.run.id(), &filter) {
            game?;
        }
        Ok(Row::plain("store-search", started.elapsed().as_secs_f64(), "s"))
    }
}

/// A round robin without end: every seed twice, with the seats swapped.
fn games() -> impl Iterator<Item = MatchRecord> {
    let pairs: Vec<[u32; 2]> =
        (0..BOTS).flat_map(|high| (0..high).map(move |low| [low, high])).collect();
    let mut dice = SplitMix64::new(1);
    (0_u32..).flat_map(move |seed_index| {
        let both = |(pairing, &[low, high]): (u32, &[u32; 2])| {
            let of = |swapped| MatchId { round: 0, pairing, seed_index, swapped };
            [(of(false), [low, high]), (of(true), [high, low])]
        };
        let seats: Vec<_> = (0..).zip(&pairs).flat_map(both).collect();
        let dice = &mut dice;
        seats
            .into_iter()
            .map(|(identity, bots)| game(identity, bots, dice.next_u64()))
            .collect::<Vec<_>>()
    })
}

fn game(id: MatchId, bots: [u32; 2], dice: u64) -> MatchRecord {
    let verdicts = match dice % 5 {
        0 => [Verdict::Draw, Verdict::Draw],
        1 | 2 => [Verdict::Win, Verdict::Loss],
        _ => [Verdict::Loss, Verdict::Win],
    };
    let (worst, mean) = (Duration::from_micros(900), Duration::from_micros(300));
    let answers = AnswerTimes::with_mean(60, worst, mean);
    let (seat, is_late, is_tagged) =
        (Seat::First, dice.is_multiple_of(97), dice.is_multiple_of(11));
    let late = || SeatError {
        seat,
        kind: ErrorKind::Timeout,
        times: 1,
        cause: None,
        text: "did not answer in time".to_owned(),
    };
    let depth = || Tag {
        name: "depth".to_owned(),
        seat: Some(seat),
        turn: None,
        value: (dice % 13).to_string(),
    };
    MatchRecord {
        head: MatchHead {
            id,
            seed: i64::from(id.seed_index) * 7919,
            bots: PerSeat(bots.map(BotId)),
            ending: Ending::Scored(Scored {
                verdicts: PerSeat(verdicts),
                scores: PerSeat([5, 3]),
                reason: "touches".to_owned(),
            }),
            turns: 120,
            content: Some(dice),
            replay: Some(format!("games.replays/{id}.replay.jsonl.zst")),
            replay_digest: None,
            sandbox: None,
            duration: Duration::from_millis(15),
            answers: PerSeat([answers; 2]),
            finished_ms: 1_700_000_000_000,
        },
        errors: is_late.then(late).into_iter().collect(),
        disturbances: Vec::new(),
        tags: is_tagged.then(depth).into_iter().collect(),
    }
}

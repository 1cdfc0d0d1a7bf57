//! Measures what Quintain costs: figures, each beside what it is measured against in the same run.
//!
//! A [`Bench`] lists its [`Measurement`]s by name, and each gives a [`Row`] when it is asked for one. Nothing is
//! printed here: what a figure alone does not say is told to whoever asked ([`Means::tell`]). The program itself,
//! which is started as a bot and measured as a whole, is a [`Program`] with [`Call`]s as data.
//!
//! *Not here:* arguments, tables, and what each game is measured by (`quintain_core::measure`).
//!
//! Reading order: `row.rs`, `program.rs`, `script.rs` (bots that answer at once) and `echo.rs` (what plays them),
//! `bare.rs` (exchanges with nothing around them), then a file for each group of figures.

mod arena;
mod bare;
mod commands;
mod echo;
mod evaluation;
mod film;
mod house;
mod live;
mod matches;
mod pages;
mod program;
mod recorded;
mod row;
mod rules;
mod sandbox;
mod script;
mod store;
mod work;

use std::cell::OnceCell;
use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use quintain_core::measure::NamedWorkload;
use quintain_registry::{AnyGame, Facts, GAMES, WorkloadError, prepare};
use quintain_sandbox::Level;

pub use echo::Echo;
pub use program::{Call, Program};
pub use row::{Beside, More, Row};

use store::LargeStore;
use work::Crowd;

/// What measurements need.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    pub program: Program<'a>,
    /// Where recorded matches are, if not where a checkout has them.
    pub vectors: Option<&'a Path>,
    /// The address, password included, of the store that large runs are kept in; `None`: a temporary file.
    pub store: Option<&'a str>,
    /// Takes what a figure alone does not say.
    pub tell: fn(fmt::Arguments<'_>),
}

/// What is measured once and has several figures is kept until the last of them is wanted.
pub struct Bench<'a> {
    means: Means<'a>,
    large_store: OnceCell<Result<LargeStore, String>>,
    crowd: OnceCell<Result<Crowd, String>>,
}

/// A figure that is measured when it is asked for.
pub struct Measurement<'a> {
    pub name: String,
    measure: Measure<'a>,
}

type Measure<'a> = Box<dyn Fn() -> anyhow::Result<Row> + 'a>;

impl<'a> Measurement<'a> {
    fn new(name: String, measure: impl Fn() -> anyhow::Result<Row> + 'a) -> Measurement<'a> {
        Measurement { name, measure: Box::new(measure) }
    }

    /// # Errors
    /// What was to be measured does not work here; [`lacks_recordings`] tells one reason from all others.
    pub fn measure(&self) -> anyhow::Result<Row> {
        (self.measure)()
    }
}

impl<'a> Bench<'a> {
    pub fn new(means: Means<'a>) -> Bench<'a> {
        Bench { means, large_store: OnceCell::new(), crowd: OnceCell::new() }
    }

    /// All that can be measured. Some figures take minutes, since a store has to be filled first: they are in the
    /// list if somebody asked for certain figures or named a store.
    pub fn measurements(&self, is_asked_for: bool) -> Vec<Measurement<'_>> {
        let Bench { means, .. } = self;
        let mut list: Vec<_> = GAMES.iter().flat_map(|&game| self.measurements_of(game)).collect();
        list.extend(page_measurements(means));
        list.extend(sandbox_measurements(means));
        if means.store.is_some() || is_asked_for {
            list.extend(self.store_measurements());
            list.extend(self.work_measurements());
        }
        list.extend(GAMES.iter().flat_map(|&game| house::measurements(game, is_asked_for)));
        list
    }

    fn measurements_of<'m>(&'m self, game: &'static dyn AnyGame) -> Vec<Measurement<'m>> {
        let Facts { id, abilities, .. } = game.facts();
        let means = &self.means;
        let mut list = Vec::new();
        for workload in game.workloads() {
            let name = format!("{id}-{}", workload.name);
            let row = name.clone();
            list.push(Measurement::new(name, move || {
                let prepared = prepare(game, &workload, rules::SEED, means.vectors)?;
                Ok(rules::turns_per_second(&row, &prepared))
            }));
        }
        let mut add = |what: &str, measure: Measure<'m>| {
            list.push(Measurement { name: format!("{id}-{what}"), measure });
        };
        add("process", Box::new(move || matches::over_pipes(means, game)));
        add("gif", Box::new(move || film::frames_per_second(game)));
        if !abilities.state_files {
            add("tournament", Box::new(move || arena::random_bots(means, game)));
        }
        if let Some(stub) = abilities.stub {
            add("tournament-stubs", Box::new(move || arena::stubs(means, game, stub)));
            add(
                "tournament-games",
                Box::new(move || commands::tournament_games(means, game, stub)),
            );
            add("compare-games", Box::new(move || commands::compare_games(means, game, stub)));
        }
        if abilities.lobby {
            add("tcp", Box::new(move || matches::over_tcp(means, game)));
            add("tcp-games", Box::new(move || matches::tcp_games(means, game)));
            add("evaluate", Box::new(move || evaluation::games_per_second(means, game)));
        }
        list
    }

    /// The store is filled when it is first wanted.
    fn store_measurements(&self) -> [Measurement<'_>; 5] {
        let fill = || LargeStore::fill(&self.means).map_err(|error| format!("{error:#}"));
        let filled = move || {
            let store = self.large_store.get_or_init(fill);
            store.as_ref().map_err(|error| anyhow::anyhow!("{error}"))
        };
        [
            Measurement::new("store-record".to_owned(), move || Ok(filled()?.record())),
            Measurement::new("store-standings".to_owned(), move || filled()?.standings()),
            Measurement::new("store-search".to_owned(), move || filled()?.search()),
            Measurement::new("store-resume".to_owned(), move || filled()?.resume()),
            Measurement::new("store-page".to_owned(), move || filled()?.pages(&self.means)),
        ]
    }

    /// A crowd of workers plays when the first of its figures is wanted.
    fn work_measurements(&self) -> [Measurement<'_>; 6] {
        let play = || Crowd::play(&self.means).map_err(|error| format!("{error:#}"));
        let played = move || {
            let crowd = self.crowd.get_or_init(play);
            crowd.as_ref().map_err(|error| anyhow::anyhow!("{error}"))
        };
        [
            Measurement::new("work-jobs".to_owned(), move || Ok(played()?.jobs())),
            Measurement::new("work-game".to_owned(), move || Ok(played()?.game())),
            Measurement::new("work-processor".to_owned(), move || Ok(played()?.processor())),
            Measurement::new("work-memory".to_owned(), move || Ok(played()?.memory())),
            Measurement::new("work-size".to_owned(), move || Ok(played()?.size())),
            Measurement::new("work-growth".to_owned(), move || work::growth(&self.means)),
        ]
    }
}

fn page_measurements<'a>(means: &'a Means<'a>) -> impl Iterator<Item = Measurement<'a>> {
    type MeasurePages = fn(&Means<'_>) -> anyhow::Result<Row>;
    let list: [(&str, MeasurePages); 9] = [
        ("pages-first", pages::first_page),
        ("pages-first-size", pages::first_page_size),
        ("pages-idle", pages::idle_memory),
        ("pages-film", pages::long_film),
        ("pages-film-size", pages::long_film_size),
        ("pages-mailed-size", |_| pages::long_mail_size()),
        ("pages-random", pages::random_requests),
        ("live-viewers", live::viewers),
        ("live-memory", live::memory),
    ];
    list.into_iter()
        .map(move |(name, measure)| Measurement::new(name.to_owned(), move || measure(means)))
}

/// What a start and a move cost beside bare ones: so many milliseconds and microseconds more at most.
fn sandbox_measurements<'a>(means: &'a Means<'a>) -> impl Iterator<Item = Measurement<'a>> {
    let limits = [(Level::Off, 1.0, 2.0), (Level::Basic, 3.0, 2.0), (Level::Strict, 40.0, 5.0)];
    limits.into_iter().flat_map(move |(level, start, exchange)| {
        let name = |what: &str| format!("sandbox-{}-{what}", level.name());
        [
            Measurement::new(name("start"), move || sandbox::start(means, level, start)),
            Measurement::new(name("move"), move || sandbox::exchange(means, level, exchange)),
        ]
    })
}

/// The workloads of all games, by name.
pub fn workloads() -> Vec<(String, &'static dyn AnyGame, NamedWorkload)> {
    let of_game = |&game: &&'static dyn AnyGame| {
        let named = move |workload: NamedWorkload| {
            (format!("{}-{}", game.facts().id, workload.name), game, workload)
        };
        game.workloads().into_iter().map(named)
    };
    GAMES.iter().flat_map(of_game).collect()
}

/// Plays so many matches of a workload and nothing else, so that an instruction counter sees only them, and
/// gives how many turns they had.
///
/// # Errors
/// It is made of recordings that are not there or not good.
pub fn play_workload(
    game: &'static dyn AnyGame,
    workload: &NamedWorkload,
    matches: u64,
    vectors: Option<&Path>,
) -> Result<u64, WorkloadError> {
    Ok(prepare(game, workload, rules::SEED, vectors)?.play(matches))
}

/// Whoever has only the program, and no recordings, can measure everything else.
pub fn lacks_recordings(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(WorkloadError::NoRecordings { .. }))
}

/// Nanoseconds per step of a loop that is the same on every machine: what all figures of a run
/// can be divided by.
pub fn calibrate() -> f64 {
    const STEPS: u64 = 20_000_000;
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let mut generator = quintain_core::SplitMix64::new(1);
        let started = Instant::now();
        let mut sum = 0_u64;
        for _ in 0..STEPS {
            sum ^= generator.next_u64();
        }
        std::hint::black_box(sum);
        best = best.min(started.elapsed());
    }
    best.as_secs_f64() * 1e9 / STEPS as f64
}

/// The smaller of both halves over several tries, each taken for itself: a busy machine only ever
/// makes things slower.
fn smallest_of(
    tries: u32,
    mut attempt: impl FnMut() -> anyhow::Result<[f64; 2]>,
) -> anyhow::Result<[f64; 2]> {
    let mut best = attempt()?;
    for _ in 1..tries {
        let next = attempt()?;
        best = [best[0].min(next[0]), best[1].min(next[1])];
    }
    Ok(best)
}

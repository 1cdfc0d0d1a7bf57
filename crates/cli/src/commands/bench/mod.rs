//! `quintain bench`: figures, each beside what it is measured against in the same run.

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
mod rules;
mod sandbox;
mod script;
mod store;
mod work;

use std::cell::LazyCell;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use comfy_table::Table;
use quintain_core::measure::{NamedWorkload, Prepared, Stub};
use quintain_registry::{AnyGame, Facts, GAMES, WorkloadError, prepare};
use quintain_report::table::{align_right, lined_rows};
use quintain_sandbox::Level;
use serde::Serialize;
use serde_json::json;

use crate::args::{BenchArgs, EchoArgs};
use crate::failure::Failure;
use crate::output::grouped;

use store::LargeStore;
use work::Crowd;

/// One figure.
#[derive(Serialize)]
struct Row {
    name: String,
    value: f64,
    unit: &'static str,
    /// What the value should not exceed on any machine.
    #[serde(rename = "value_max", skip_serializing_if = "Option::is_none")]
    most: Option<f64>,
    /// What it is compared with, measured in the same run.
    #[serde(flatten)]
    beside: Option<Beside>,
    /// How much more than that, pair by pair.
    #[serde(flatten)]
    more: Option<More>,
}

impl Row {
    fn plain(name: impl Into<String>, value: f64, unit: &'static str) -> Row {
        Row { name: name.into(), value, unit, most: None, beside: None, more: None }
    }

    fn at_most(self, most: f64) -> Row {
        Row { most: Some(most), ..self }
    }

    fn beside(self, beside: Beside) -> Row {
        Row { beside: Some(beside), ..self }
    }

    fn more(self, more: More) -> Row {
        Row { more: Some(more), ..self }
    }
}

#[derive(Serialize)]
struct Beside {
    #[serde(rename = "beside")]
    what: &'static str,
    #[serde(rename = "beside_value")]
    value: f64,
    /// How many times the figure is worse than what it stands beside.
    ratio: f64,
    ratio_max: f64,
}

/// How much more a figure is than what was measured right beside it, again and again.
#[derive(Serialize)]
struct More {
    /// Half of the pairs differ by less.
    #[serde(rename = "more")]
    middle: f64,
    /// Between these two is the middle half of the pairs.
    #[serde(rename = "more_low")]
    low: f64,
    #[serde(rename = "more_high")]
    high: f64,
    #[serde(rename = "more_max")]
    most: f64,
}

impl More {
    /// Of the differences of pairs, and how large one may be.
    fn of(mut differences: Vec<f64>, most: f64) -> More {
        differences.sort_by(f64::total_cmp);
        let at = |part: usize| differences[(differences.len() - 1) * part / 4];
        More { middle: at(2), low: at(1), high: at(3), most }
    }
}

/// Made only if it is asked for.
type Measure<'a> = Box<dyn Fn() -> anyhow::Result<Row> + 'a>;
type Measurement<'a> = (String, Measure<'a>);

pub(super) fn run(args: &BenchArgs) -> Result<(), Failure> {
    let vectors = args.vectors.as_deref();
    if let (Some(workload), Some(count)) = (&args.workload, args.count) {
        return run_workload(workload, count, vectors);
    }
    let only = args.only.as_deref().unwrap_or_default();
    let fill = || LargeStore::fill(args.store.as_deref()).map_err(|error| format!("{error:#}"));
    let store = LazyCell::new(fill);
    let play = || Crowd::play(args.store.as_deref()).map_err(|error| format!("{error:#}"));
    let crowd = LazyCell::new(play);
    let mut wanted = measurements(vectors);
    // To fill the store takes minutes, so nobody does it who does not ask for it.
    if args.store.is_some() || !only.is_empty() {
        wanted.extend(store_measurements(&store));
        wanted.extend(work_measurements(&crowd, args.store.as_deref()));
    }
    let games = GAMES.iter().copied();
    wanted.extend(games.flat_map(|game| house::measurements(game, !only.is_empty())));
    let known = names(&wanted);
    wanted.retain(|(name, _)| name.contains(only));
    if wanted.is_empty() {
        return Err(Failure::usage(format!("--only: expected a part of {known}, found `{only}`")));
    }
    let calibration = calibrate();
    let (mut rows, mut missing) = (Vec::new(), Vec::new());
    for (name, measure) in &wanted {
        match measure() {
            Ok(row) => rows.push(row),
            Err(error) if is_for_want_of_recordings(&error) => missing.push((name, error)),
            Err(error) => return Err(error.into()),
        }
    }
    for (name, error) in missing {
        if rows.is_empty() {
            return Err(error.into());
        }
        writeln!(std::io::stderr(), "{name}: not measured: {error:#}")?;
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", json!({ "calibration_ns": calibration, "rows": rows }))?;
    } else {
        writeln!(out, "calibration: {calibration:.3} ns per step of a fixed integer loop")?;
        writeln!(out, "{}", as_table(&rows))?;
    }
    Ok(())
}

/// The other end of a bare exchange of lines.
pub(super) fn run_echo(args: &EchoArgs) -> Result<(), Failure> {
    Ok(echo::run(args)?)
}

fn measurements(vectors: Option<&Path>) -> Vec<Measurement<'_>> {
    let of_games = GAMES.iter().flat_map(|&game| measurements_of(game, vectors));
    of_games.chain(page_measurements()).chain(sandbox_measurements()).collect()
}

fn page_measurements<'a>() -> impl Iterator<Item = Measurement<'a>> {
    type MeasurePages = fn() -> anyhow::Result<Row>;
    let list: [(&str, MeasurePages); 7] = [
        ("first", pages::first_page),
        ("first-size", pages::first_page_size),
        ("idle", pages::idle_memory),
        ("film", pages::long_film),
        ("film-size", pages::long_film_size),
        ("mailed-size", pages::long_mail_size),
        ("random", pages::random_requests),
    ];
    let live: [(&str, MeasurePages); 2] = [("viewers", live::viewers), ("memory", live::memory)];
    let named = |group: &'static str| {
        move |(name, measure): (&str, MeasurePages)| {
            (format!("{group}-{name}"), Box::new(measure) as Measure<'_>)
        }
    };
    list.into_iter().map(named("pages")).chain(live.into_iter().map(named("live")))
}

fn measurements_of<'a>(
    game: &'static dyn AnyGame,
    vectors: Option<&'a Path>,
) -> Vec<Measurement<'a>> {
    let Facts { id, abilities, .. } = game.facts();
    let mut list: Vec<Measurement<'_>> = Vec::new();
    let mut add = |what: &str, measure: Measure<'a>| list.push((format!("{id}-{what}"), measure));
    for workload in game.workloads() {
        let name = format!("{id}-{}", workload.name);
        let measure = move || {
            let prepared = prepare_workload(game, &workload, vectors)?;
            Ok(rules::turns_per_second(&name, &prepared))
        };
        add(workload.name, Box::new(measure));
    }
    add("process", Box::new(move || matches::over_pipes(game)));
    add("gif", Box::new(move || film::frames_per_second(game)));
    if !abilities.state_files {
        add("tournament", Box::new(move || arena::random_bots(game)));
    }
    if let Some(stub) = abilities.stub {
        add("tournament-stubs", Box::new(move || arena::stubs(game, stub)));
        add("tournament-games", Box::new(move || commands::tournament_games(game, stub)));
        add("compare-games", Box::new(move || commands::compare_games(game, stub)));
    }
    if abilities.lobby {
        add("tcp", Box::new(move || matches::over_tcp(game)));
        add("tcp-games", Box::new(move || matches::tcp_games(game)));
        add("evaluate", Box::new(move || evaluation::games_per_second(game)));
    }
    list
}

/// What a start and a move cost beside bare ones: so many milliseconds and microseconds more at most.
fn sandbox_measurements<'a>() -> impl Iterator<Item = Measurement<'a>> {
    let limits = [(Level::Off, 1.0, 2.0), (Level::Basic, 3.0, 2.0), (Level::Strict, 40.0, 5.0)];
    limits.into_iter().flat_map(|(level, start, exchange)| {
        let name = |what: &str| format!("sandbox-{}-{what}", level.name());
        let measurements: [Measurement<'a>; 2] = [
            (name("start"), Box::new(move || sandbox::start(level, start))),
            (name("move"), Box::new(move || sandbox::exchange(level, exchange))),
        ];
        measurements
    })
}

/// A large store, or why it could not be filled.
type Filled = Result<LargeStore, String>;

/// It is filled when it is first wanted.
fn store_measurements<F: FnOnce() -> Filled>(store: &LazyCell<Filled, F>) -> Vec<Measurement<'_>> {
    let filled = || store.as_ref().map_err(|error| anyhow::anyhow!("{error}"));
    vec![
        ("store-record".to_owned(), Box::new(move || Ok(filled()?.record()))),
        ("store-standings".to_owned(), Box::new(move || filled()?.standings())),
        ("store-search".to_owned(), Box::new(move || filled()?.search())),
        ("store-resume".to_owned(), Box::new(move || filled()?.resume())),
        ("store-page".to_owned(), Box::new(move || filled()?.pages())),
    ]
}

/// A crowd of workers plays when the first of its figures is wanted.
fn work_measurements<'a, F: FnOnce() -> Result<Crowd, String>>(
    crowd: &'a LazyCell<Result<Crowd, String>, F>,
    place: Option<&'a str>,
) -> Vec<Measurement<'a>> {
    let played = || crowd.as_ref().map_err(|error| anyhow::anyhow!("{error}"));
    vec![
        ("work-jobs".to_owned(), Box::new(move || Ok(played()?.jobs()))),
        ("work-game".to_owned(), Box::new(move || Ok(played()?.game()))),
        ("work-processor".to_owned(), Box::new(move || Ok(played()?.processor()))),
        ("work-memory".to_owned(), Box::new(move || Ok(played()?.memory()))),
        ("work-size".to_owned(), Box::new(move || Ok(played()?.size()))),
        ("work-growth".to_owned(), Box::new(move || work::growth(place))),
    ]
}

fn names<T>(list: &[(String, T)]) -> String {
    list.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Runs so many matches of a workload and nothing else, so that an instruction counter sees only
/// them.
fn run_workload(name: &str, matches: u64, vectors: Option<&Path>) -> Result<(), Failure> {
    let known: Vec<(String, _)> = GAMES
        .iter()
        .flat_map(|&game| game.workloads().into_iter().map(move |workload| (game, workload)))
        .map(|(game, workload)| {
            (format!("{}-{}", game.facts().id, workload.name), (game, workload))
        })
        .collect();
    let Some((_, (game, workload))) = known.iter().find(|(known, _)| known == name) else {
        let known = names(&known);
        return Err(Failure::usage(format!("--workload: expected one of {known}, found `{name}`")));
    };
    let turns = prepare_workload(*game, workload, vectors)?.play(matches);
    writeln!(std::io::stdout(), "{}", json!({ "workload": name, "turns": turns }))?;
    Ok(())
}

fn prepare_workload(
    game: &dyn AnyGame,
    workload: &NamedWorkload,
    vectors: Option<&Path>,
) -> anyhow::Result<Prepared> {
    prepare(game, workload, rules::SEED, vectors).map_err(|error| match error {
        WorkloadError::NoRecordings { .. } => anyhow::Error::new(error).context(
            "name a folder of recordings with --vectors, or start at the root of a checkout",
        ),
        _ => error.into(),
    })
}

/// Whoever has only the program can measure everything else.
fn is_for_want_of_recordings(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(WorkloadError::NoRecordings { .. }))
}

/// Nanoseconds per step of a loop that is the same on every machine: what all figures of a run
/// can be divided by.
fn calibrate() -> f64 {
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

fn as_table(rows: &[Row]) -> Table {
    let cells = |row: &Row| {
        let [what, value, ratio, most] = match (&row.beside, row.most) {
            (Some(beside), _) => [
                beside.what.to_owned(),
                number(beside.value),
                row.more.as_ref().map_or(format!("{:.2}", beside.ratio), as_difference),
                match &row.more {
                    Some(more) => format!("+{:.1}", more.most),
                    None => format!("{:.1}", beside.ratio_max),
                },
            ],
            (None, Some(most)) => {
                let [what, value, ratio] = [const { String::new() }; 3];
                [what, value, ratio, format!("{most:.1} {}", row.unit)]
            }
            (None, None) => [const { String::new() }; 4],
        };
        [row.name.clone(), number(row.value), row.unit.to_owned(), what, value, ratio, most]
    };
    let header = ["name", "value", "unit", "beside", "its value", "ratio", "at most"];
    let mut table = lined_rows(header, rows.iter().map(cells));
    align_right(&mut table, &[1, 4, 5, 6]);
    table
}

/// The middle of the differences, and where half of them are.
fn as_difference(more: &More) -> String {
    format!("{:+.2} ({:+.2} to {:+.2})", more.middle, more.low, more.high)
}

fn number(value: f64) -> String {
    if value >= 100.0 { grouped(value.round() as u64) } else { format!("{value:.2}") }
}

/// The program that runs now, to be started as a bot.
fn this_program() -> anyhow::Result<String> {
    let path = std::env::current_exe()?;
    Ok(path.to_string_lossy().into_owned())
}

/// What follows the name of this program in the command line of a stub.
fn stub_words(stub: Stub) -> String {
    let Stub { line, lines_heard } = stub;
    format!("echo --say '{line}' --every {lines_heard}")
}

/// Runs a command and returns what it reports in JSON.
fn report_of(command: &mut Command) -> anyhow::Result<serde_json::Value> {
    let output = command.stdin(Stdio::null()).output()?;
    serde_json::from_slice(&output.stdout)
        .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())
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

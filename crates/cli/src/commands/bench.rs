//! `quintain bench`

use std::ffi::OsString;
use std::io::Write as _;

use comfy_table::Table;
use quintain_bench::{
    Bench, Call, Echo, Means, More, Program, Row, calibrate, lacks_recordings, play_workload,
    workloads,
};
use quintain_core::measure::Stub;
use quintain_report::table::{align_right, lined_rows};
use serde_json::json;

use crate::args::{BenchArgs, EchoArgs};
use crate::failure::Failure;
use crate::output::{grouped, remark};
use crate::secret;

/// Any free port of this machine.
const LOCAL: [&str; 2] = ["--listen", "127.0.0.1:0"];

pub(super) fn run(args: &BenchArgs) -> Result<(), Failure> {
    if let (Some(workload), Some(count)) = (&args.workload, args.count) {
        return run_workload(args, workload, count);
    }
    let only = args.only.as_deref().unwrap_or_default();
    let path = std::env::current_exe()?;
    let store = args.store.as_deref().map(|place| secret::address(place, None)).transpose()?;
    let bench = Bench::new(Means {
        program: Program { path: &path, words: words_of },
        vectors: args.vectors.as_deref(),
        store: store.as_deref(),
        tell: |text| remark(text),
    });
    let mut wanted = bench.measurements(!only.is_empty());
    let known = names(wanted.iter().map(|measurement| measurement.name.as_str()));
    wanted.retain(|measurement| measurement.name.contains(only));
    if wanted.is_empty() {
        return Err(Failure::usage(format!("--only: expected a part of {known}, found `{only}`")));
    }
    let calibration = calibrate();
    let (mut rows, mut missing) = (Vec::new(), Vec::new());
    for measurement in &wanted {
        match measurement.measure() {
            Ok(row) => rows.push(row),
            Err(error) if lacks_recordings(&error) => {
                missing.push((&measurement.name, without_recordings(error)));
            }
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
    let echo = match (&args.connect, &args.script, &args.say, args.every) {
        (Some(address), ..) => Echo::Connected(address),
        (_, Some(script), ..) => Echo::Script(script),
        (.., Some(line), Some(every)) => Echo::Say { line, every },
        _ => Echo::Lines,
    };
    Ok(echo.run()?)
}

/// Runs so many matches of a workload and nothing else.
fn run_workload(args: &BenchArgs, name: &str, matches: u64) -> Result<(), Failure> {
    let known = workloads();
    let Some((_, game, workload)) = known.iter().find(|(known, ..)| known == name) else {
        let known = names(known.iter().map(|(name, ..)| name.as_str()));
        return Err(Failure::usage(format!("--workload: expected one of {known}, found `{name}`")));
    };
    let played = play_workload(*game, workload, matches, args.vectors.as_deref());
    let turns = played.map_err(anyhow::Error::from).map_err(|error| {
        if lacks_recordings(&error) { without_recordings(error) } else { error }
    })?;
    writeln!(std::io::stdout(), "{}", json!({ "workload": name, "turns": turns }))?;
    Ok(())
}

fn without_recordings(error: anyhow::Error) -> anyhow::Error {
    error.context("name a folder of recordings with --vectors, or start at the root of a checkout")
}

fn names<'a>(list: impl Iterator<Item = &'a str>) -> String {
    list.collect::<Vec<_>>().join(", ")
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

/// How what is measured is written on a command line.
fn words_of(call: &Call<'_>) -> Vec<OsString> {
    fn words<const N: usize>(list: [&str; N]) -> Vec<OsString> {
        list.map(OsString::from).into()
    }
    match *call {
        Call::Echo => words(["echo"]),
        Call::EchoTo { address } => words(["echo", "--connect", address]),
        Call::Recite { script } => [words(["echo", "--script"]), vec![script.into()]].concat(),
        Call::Say(Stub { line, lines_heard }) => {
            words(["echo", "--say", line, "--every", &lines_heard.to_string()])
        }
        Call::Bot { game, bot, seed } => words(["bot", game, bot, "--seed", &seed.to_string()]),
        Call::Client { game, bot, name, address, games } => {
            let games = games.to_string();
            words(["bot", game, bot, "--name", name, "--connect", address, "--games", &games])
        }
        Call::Serve { replays, store, blobs } => {
            let mut all = [words(["serve"]), words(LOCAL)].concat();
            let mut option = |name: &str, value: OsString| all.extend([name.into(), value]);
            replays.into_iter().for_each(|folder| option("--replays", folder.into()));
            store.into_iter().for_each(|place| option("--store", place.into()));
            blobs.into_iter().for_each(|folder| option("--blobs", folder.into()));
            all.extend(blobs.map(|_| "--workers".into()));
            all
        }
        Call::Play { game, bots: [first, second] } => {
            let played = words(["play", game, first, second, "--seed", "1", "--json"]);
            let shown = words(["--no-replay", "--sandbox", "off", "--serve", LOCAL[1]]);
            [played, shown].concat()
        }
        Call::Tournament { game, bots: [first, second], games, store } => {
            let who = words(["tournament", "--game", game, "--bot", first, "--bot", second]);
            let games = words(["--games-per-pair", &games.to_string()]);
            let told = words(["--output", "json", "--quiet", "--store"]);
            [who, games, told, vec![store.into()]].concat()
        }
        Call::Compare { game, bots: [old, new], games, replays } => {
            let played = words(["compare", game, old, new, "--games", &games.to_string()]);
            [played, words(["--json", "--quiet", "--replays"]), vec![replays.into()]].concat()
        }
        Call::Evaluate { game, teams, games } => {
            let played = words(["evaluate", game, teams, "--games", &games.to_string()]);
            [played, words(LOCAL), words(["--output", "json", "--quiet"])].concat()
        }
    }
}

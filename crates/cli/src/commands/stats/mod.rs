//! `quintain stats`: the games behind a number.

mod check;

use std::io::Write;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use quintain_arena::results::{matches_of, replay_path, sums_of};
use quintain_core::{CodeError, Verdict};
use quintain_report::match_list;
use quintain_store::{Errors, Filter, RunInfo, Store, TagFilter, TagTest};

use crate::failure::Failure;
use crate::output::{HEADING, counted};
use crate::secret;

#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// The store: a file, or postgres://...
    #[arg(long, value_name = "STORE", required_unless_present = "check")]
    store: Option<String>,
    /// Read the password of the database from the first line of this file [default: PGPASSWORD, or
    /// the file of PGPASSFILE]
    #[arg(long, value_name = "FILE")]
    store_password_file: Option<PathBuf>,
    /// Examine the store instead: is it whole, does it hold what was written to it? A finding is told and
    /// ends with exit code 1
    #[arg(long, value_name = "STORE", num_args = 0..=1)]
    #[arg(conflicts_with_all = ["run", "bot", "opponent", "seed", "reason", "verdict", "error", "tag"])]
    #[arg(conflicts_with_all = ["void", "disturbed", "output", "list_replays"])]
    check: Option<Option<String>>,
    /// With --check: also play every replay of the store again and compare it with its game
    #[arg(long, requires = "check")]
    replays: bool,
    /// Only games of this run
    #[arg(long, value_name = "NAME")]
    run: Option<String>,
    /// Only games of this bot; results and tags are its own then
    #[arg(long, value_name = "NAME")]
    bot: Option<String>,
    /// Only games against this bot
    #[arg(long, value_name = "NAME")]
    opponent: Option<String>,
    /// Only games with this seed
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<i64>,
    /// Only games that ended so, in the game's own words
    #[arg(long)]
    reason: Option<String>,
    /// Only games with this verdict for --bot, or for either bot without it; who was disqualified has
    /// lost too
    #[arg(long, value_parser = verdict_parser())]
    verdict: Option<Verdict>,
    /// Only games in which --bot, or either bot, made an error: any, or of a kind (crash, timeout,
    /// illegal, flood, not-started, meddling)
    #[arg(long, value_name = "KIND", num_args = 0..=1, default_missing_value = "any")]
    #[arg(value_parser = errors)]
    error: Option<Errors>,
    /// Only games with a tag, as bots give them on stderr: depth, depth=7, depth>=7 or depth<=7
    #[arg(long, value_name = "TAG", value_parser = tag)]
    tag: Vec<TagFilter>,
    /// Only void games, which were disturbed too often
    #[arg(long)]
    void: bool,
    /// Only games of which an attempt was thrown away because the machine was busy
    #[arg(long)]
    disturbed: bool,
    /// How the games are shown
    #[arg(long, value_enum, default_value = "table")]
    output: OutputArg,
    /// Print one JSON object, as --output json does
    #[arg(long, conflicts_with_all = ["output", "list_replays"])]
    json: bool,
    /// How many games a table shows at most
    #[arg(long, value_name = "N", default_value = "100")]
    rows: usize,
    /// Print the paths of the replays and nothing else
    #[arg(long)]
    list_replays: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OutputArg {
    Table,
    Csv,
    Json,
}

fn verdict_parser() -> impl TypedValueParser<Value = Verdict> {
    PossibleValuesParser::new(Verdict::ALL.map(Verdict::code)).try_map(|code| code.parse())
}

fn errors(text: &str) -> Result<Errors, String> {
    match text {
        "any" => Ok(Errors::Any),
        kind => kind.parse().map(Errors::Kind).map_err(|error: CodeError| error.to_string()),
    }
}

/// `name`, `name=value`, `name>=number` or `name<=number`.
fn tag(text: &str) -> Result<TagFilter, String> {
    const EXPECTED: &str = "expected a tag such as depth, depth=7, depth>=7 or depth<=7";
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| EXPECTED.to_owned());
    let (name, test) = if let Some((name, least)) = text.split_once(">=") {
        (name, TagTest::AtLeast(number(least)?))
    } else if let Some((name, most)) = text.split_once("<=") {
        (name, TagTest::AtMost(number(most)?))
    } else if let Some((name, value)) = text.split_once('=') {
        (name, TagTest::Is(value.to_owned()))
    } else {
        (text, TagTest::Present)
    };
    match name.trim() {
        "" => Err(EXPECTED.to_owned()),
        name => Ok(TagFilter { name: name.to_owned(), test, turn: None }),
    }
}

/// A run with the filter for its games.
type Chosen = (RunInfo, Filter);

pub(super) fn run(args: &StatsArgs) -> Result<(), Failure> {
    let place = secret::address(place(args)?, args.store_password_file.as_deref())?;
    Store::be_wary();
    let store = Store::open_existing(&place)?;
    let mut out = std::io::BufWriter::new(anstream::stdout().lock());
    if args.check.is_some() {
        return check::check(&store, args.replays, args.json, &mut out);
    }
    let chosen = chosen_runs(args, &store)?;
    if args.list_replays {
        print_replays(&store, &chosen, &mut out)?;
    } else {
        let matches = matches_of(&store, &chosen).map(|one| one.map_err(Failure::from));
        match args.output {
            OutputArg::Table if !args.json => print_tables(args, &store, &chosen, &mut out)?,
            OutputArg::Csv if !args.json => match_list::write_csv(matches, &mut out)?,
            _ => match_list::write_json(matches, || Ok(sums_of(&store, &chosen)?), &mut out)?,
        }
    }
    Ok(out.flush()?)
}

/// `--check STORE` is short for `--store STORE --check`.
fn place(args: &StatsArgs) -> Result<&str, Failure> {
    let checked = args.check.as_ref().and_then(Option::as_ref);
    match (&args.store, checked) {
        (Some(store), None) | (None, Some(store)) => Ok(store),
        (Some(store), Some(other)) if store == other => Ok(store),
        (Some(store), Some(other)) => Err(Failure::usage(format!(
            "expected one store, found `{store}` for --store and `{other}` for --check"
        ))),
        (None, None) => Err(Failure::usage("--check: expected a store, found nothing")),
    }
}

fn chosen_runs(args: &StatsArgs, store: &Store) -> Result<Vec<Chosen>, Failure> {
    let mut runs = store.runs()?;
    if let Some(name) = &args.run {
        let known: Vec<String> = runs.iter().map(|run| run.plan.name.clone()).collect();
        runs.retain(|run| run.plan.name == *name);
        if runs.is_empty() {
            let known = known.join(", ");
            return Err(Failure::usage(format!("--run: expected one of {known}, found `{name}`")));
        }
    }
    check_bots(args, &runs)?;
    let with_filter = |run: RunInfo| Some((filter_of(args, &run)?, run));
    Ok(runs.into_iter().filter_map(with_filter).map(|(filter, run)| (run, filter)).collect())
}

fn print_replays(store: &Store, chosen: &[Chosen], out: &mut impl Write) -> Result<(), Failure> {
    for (run, filter) in chosen {
        for listed in store.games(run.id, filter) {
            if let Some(replay) = &listed?.head.replay {
                writeln!(out, "{}", replay_path(store, replay).display())?;
            }
        }
    }
    Ok(())
}

fn print_tables(
    args: &StatsArgs,
    store: &Store,
    chosen: &[Chosen],
    out: &mut impl Write,
) -> Result<(), Failure> {
    let shown: Vec<_> = matches_of(store, chosen).take(args.rows).collect::<Result<_, _>>()?;
    let here = std::env::current_dir().unwrap_or_default();
    write!(out, "{}", match_list::tables(&shown, &here))?;
    let sums = sums_of(store, chosen)?;
    let hidden = sums.games.saturating_sub(shown.len() as u64);
    if hidden > 0 {
        let hidden = counted(hidden, "game");
        writeln!(out, "{hidden} more: --rows N shows N, --output csv or json all")?;
    }
    if !shown.is_empty() {
        writeln!(out)?;
    }
    let mut lines = match_list::sums_in_words(&sums).into_iter();
    let heading = lines.next().unwrap_or_default();
    writeln!(out, "{HEADING}{heading}{HEADING:#}")?;
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn check_bots(args: &StatsArgs, runs: &[RunInfo]) -> Result<(), Failure> {
    for (option, name) in [("bot", &args.bot), ("opponent", &args.opponent)] {
        let Some(name) = name else { continue };
        if runs.iter().any(|run| run.place_of(name).is_some()) {
            continue;
        }
        let bots = runs.iter().flat_map(|run| &run.plan.bots).map(|bot| bot.name.as_str());
        let known: std::collections::BTreeSet<&str> = bots.collect();
        let known = known.into_iter().collect::<Vec<_>>().join(", ");
        return Err(Failure::usage(format!("--{option}: expected one of {known}, found `{name}`")));
    }
    Ok(())
}

/// `None` if nobody who is asked for plays in the run.
fn filter_of(args: &StatsArgs, run: &RunInfo) -> Option<Filter> {
    let place = |name: &Option<String>| match name {
        Some(name) => run.place_of(name).map(Some),
        None => Some(None),
    };
    Some(Filter {
        bot: place(&args.bot)?,
        opponent: place(&args.opponent)?,
        seed: args.seed,
        reason: args.reason.clone(),
        verdict: args.verdict,
        errors: args.error.clone(),
        tags: args.tag.clone(),
        void: args.void.then_some(true),
        disturbed: args.disturbed.then_some(true),
        ..Filter::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_with_their_test() {
        let test = |text| tag(text).map(|tag| (tag.name, tag.test));
        assert_eq!(test("depth"), Ok(("depth".to_owned(), TagTest::Present)));
        assert_eq!(test("depth=7"), Ok(("depth".to_owned(), TagTest::Is("7".to_owned()))));
        assert_eq!(test("depth>=7"), Ok(("depth".to_owned(), TagTest::AtLeast(7.0))));
        assert_eq!(test("depth <= 7.5"), Ok(("depth".to_owned(), TagTest::AtMost(7.5))));
        for wrong in ["", "=7", "depth>=deep", ">=7"] {
            assert!(tag(wrong).is_err(), "{wrong}");
        }
    }
}

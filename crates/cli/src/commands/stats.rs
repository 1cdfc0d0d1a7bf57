//! `quintain stats`: the games behind a number.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use quintain_arena::audit::audit_store;
use quintain_arena::results::{ChoiceError, MatchChoice, matches_of, replay_path, sums_of};
use quintain_core::Verdict;
use quintain_report::audit::{examination_json, examination_lines, finding};
use quintain_report::match_list;
use quintain_store::{Errors, Filter, RunInfo, Store, StoreError, TagFilter};

use crate::args::{OutputArg, examples, named};
use crate::failure::Failure;
use crate::output::{counted, print_lines, wrapped_output};
use crate::secret;

/// A page of games would say no more than their table.
const FORMS: [OutputArg; 3] = [OutputArg::Table, OutputArg::Csv, OutputArg::Json];

#[derive(Debug, Args)]
#[command(after_help = examples::STATS)]
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
    #[arg(long, value_parser = named(Verdict::ALL, Verdict::code))]
    verdict: Option<Verdict>,
    /// Only games in which --bot, or either bot, made an error: any, or of a kind (crash, timeout,
    /// illegal, flood, not-started, meddling, memory, processes, disk, cpu, output)
    #[arg(long, value_name = "KIND", num_args = 0..=1, default_missing_value = "any")]
    error: Option<Errors>,
    /// Only games with a tag, as bots give them on stderr: depth, depth=7, depth>=7 or depth<=7
    #[arg(long, value_name = "TAG")]
    tag: Vec<TagFilter>,
    /// Only void games, which were disturbed too often
    #[arg(long)]
    void: bool,
    /// Only games of which an attempt was thrown away because the machine was busy
    #[arg(long)]
    disturbed: bool,
    /// How the games are shown
    #[arg(long, value_parser = named(FORMS, OutputArg::name), default_value = "table")]
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

pub(super) fn run(args: &StatsArgs) -> Result<(), Failure> {
    let place = secret::address(place(args)?, args.store_password_file.as_deref())?;
    Store::be_wary();
    let store = Store::open_existing(&place)?;
    let mut out = std::io::BufWriter::new(wrapped_output());
    if args.check.is_some() {
        return check(args, &store, &mut out);
    }
    let chosen = choice_of(args).runs(&store).map_err(|error| match error {
        ChoiceError::Unknown { field, .. } => {
            Failure::Field { field: field.into(), wrong: error.to_string() }
        }
        ChoiceError::Store(error) => error.into(),
    })?;
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

/// Examines the store, and its replays if wanted; a finding is a failure.
fn check(args: &StatsArgs, store: &Store, out: &mut impl Write) -> Result<(), Failure> {
    let mut examination = store.examine()?;
    if args.replays {
        audit_store(store, None, &mut |game| {
            examination.findings.extend(finding(&game));
            Ok::<(), StoreError>(())
        })?;
    }
    if args.json {
        writeln!(out, "{}", examination_json(&store.place(), &examination))?;
    } else {
        for line in examination_lines(&store.place(), &examination) {
            writeln!(out, "{line}")?;
        }
    }
    out.flush()?;
    if examination.findings.is_empty() { Ok(()) } else { Err(Failure::Told) }
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

fn choice_of(args: &StatsArgs) -> MatchChoice {
    MatchChoice {
        run: args.run.clone(),
        bot: args.bot.clone(),
        opponent: args.opponent.clone(),
        filter: Filter {
            seed: args.seed,
            reason: args.reason.clone(),
            verdict: args.verdict,
            errors: args.error.clone(),
            tags: args.tag.clone(),
            void: args.void.then_some(true),
            disturbed: args.disturbed.then_some(true),
            ..Filter::default()
        },
    }
}

fn print_replays(
    store: &Store,
    chosen: &[(RunInfo, Filter)],
    out: &mut impl Write,
) -> Result<(), Failure> {
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
    chosen: &[(RunInfo, Filter)],
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
    Ok(print_lines(match_list::sums_in_words(&sums), out)?)
}

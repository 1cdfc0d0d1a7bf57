//! `quintain feed`

use std::io::{self, Write};

use comfy_table::{ContentArrangement, Table, presets};
use quintain_arena::{FeedFailure, FeedPlan, FeedReport, feed, open_replay, parse};
use quintain_core::Manner;
use quintain_registry::{AnyGame, Exchange, FeedError};
use quintain_replay::{Header, Reader, Recording as _};
use quintain_report::exchange::{self, answer, row, stderr, told};
use serde_json::{Value, json};

use crate::args::{FeedArgs, StateArg};
use crate::failure::Failure;
use crate::output::{HEADING, milliseconds, remark};
use crate::seating::{Absent, as_program, nobody, take_seats};
use crate::wrapped_output::wrapped_output;

/// Where the lines are that are left out.
pub(super) const ELSEWHERE: &str = "which --json shows";

pub(super) fn run(args: &FeedArgs) -> Result<(), Failure> {
    let (mut replay, game) = open_replay(&args.replay)?;
    let state = state_of(args, replay.header()).state(None);
    let bot = parse(&args.bot, game, state).map_err(nobody)?;
    let mut bot = as_program(bot, game, state)?;
    bot.give(&args.pass_env.variables()?);
    super::check_has_files(game, "state", args.state.is_some())?;
    let plan = FeedPlan { game, bot: &bot, seat: args.seat, turn: args.turn, all: args.all };
    let mut shown = Shown::new(args, game, bot.name());
    let report = ask(args, &plan, &mut replay, &mut shown)?;
    match shown {
        Shown::Written { head, begun } => end_json(&head, begun, &report)?,
        Shown::Rows(rows) => print_table(&rows, &report, &mut wrapped_output())?,
        Shown::One(Some(exchange)) => {
            print_one(args, replay.header(), bot.name(), &exchange, &mut wrapped_output())?;
        }
        Shown::One(None) => print_gone(bot.name(), &report, &mut wrapped_output())?,
    }
    if report.has_failed { Err(Failure::Told) } else { Ok(()) }
}

/// What the exchanges become.
enum Shown {
    /// The one of the turn that was asked for.
    One(Option<Box<Exchange>>),
    Rows(Vec<[String; 5]>),
    /// Programs are given each of them at once, in the object that this begins with.
    Written {
        head: Value,
        begun: Begun,
    },
}

/// Whether writing has begun, and how it went so far.
type Begun = Option<io::Result<()>>;

impl Shown {
    fn new(args: &FeedArgs, game: &dyn AnyGame, label: &str) -> Shown {
        let head = || {
            json!({
                "game": game.facts().id,
                "replay": args.replay,
                "seat": args.seat.index(),
                "bot": label,
            })
        };
        match (args.json, args.all) {
            (true, _) => Shown::Written { head: head(), begun: None },
            (false, true) => Shown::Rows(Vec::new()),
            (false, false) => Shown::One(None),
        }
    }

    fn take(&mut self, exchange: Exchange) {
        match self {
            Shown::One(one) => *one = Some(Box::new(exchange)),
            Shown::Rows(rows) => rows.push(row(&exchange, ELSEWHERE)),
            Shown::Written { head, begun } => {
                let start = if begun.is_none() { json_start(head) } else { ",".to_owned() };
                let text = format!("{start}{}", exchange::json(&exchange));
                if !matches!(begun, Some(Err(_))) {
                    *begun = Some(io::stdout().lock().write_all(text.as_bytes()));
                }
            }
        }
    }
}

fn end_json(head: &Value, begun: Begun, report: &FeedReport) -> io::Result<()> {
    let start = if begun.is_none() { json_start(head) } else { String::new() };
    begun.unwrap_or(Ok(()))?;
    let FeedReport { asked, same, .. } = report;
    writeln!(io::stdout().lock(), "{start}],\"asked\":{asked},\"same\":{same}}}")
}

/// The object up to its first turn.
fn json_start(head: &Value) -> String {
    let head = head.to_string();
    let open = head.strip_suffix('}').expect("it is an object");
    format!("{open},\"turns\":[")
}

/// How the bot is told the state: as it was recorded, unless somebody wants it otherwise.
fn state_of(args: &FeedArgs, header: &Header) -> StateArg {
    args.state.unwrap_or(match header.manners[args.seat] {
        Manner::Lines => StateArg::Stdin,
        _ => StateArg::Files,
    })
}

fn ask(
    args: &FeedArgs,
    plan: &FeedPlan<'_>,
    replay: &mut Reader<'_>,
    shown: &mut Shown,
) -> Result<FeedReport, Failure> {
    let bots = plan.occupants(replay.header());
    let mut world = take_seats(plan.game, &bots, &args.listen, Absent::Fails)?;
    let mut waiting = |turn: u32| {
        remark(format_args!(
            "waiting for the answer in turn {turn}; the clock is off, Ctrl-C stops"
        ));
    };
    let fed = feed(plan, replay, &mut world, &mut waiting, &mut |exchange| shown.take(exchange));
    fed.map_err(|FeedFailure { error, last_words }| match error {
        FeedError::NoTurn(error) => Failure::field(error),
        error @ FeedError::NotAsked { .. } => {
            Failure::Field { field: "turn".into(), wrong: error.to_string() }
        }
        FeedError::Rerun(error) => super::not_the_same(&args.replay, &error),
        error => {
            // Nobody there to hear it is no reason to say less of the error.
            let _ = print_all(&stderr(&last_words), &mut io::stderr());
            error.into()
        }
    })
}

fn print_one(
    args: &FeedArgs,
    header: &Header,
    label: &str,
    exchange: &Exchange,
    out: &mut impl Write,
) -> io::Result<()> {
    let recorded = &header.shown_names()[args.seat];
    let (turn, seat) = (exchange.turn, args.seat.name());
    writeln!(out, "{HEADING}turn {turn}, {seat} seat: it is told{HEADING:#}")?;
    print_all(&told(&exchange.told, ELSEWHERE), out)?;
    let width = recorded.chars().count().max(label.chars().count());
    let given = exchange.given.clone().unwrap_or_default();
    for (name, said) in [(recorded.as_str(), &exchange.recorded), (label, &given)] {
        let time = said.wall.map(|wall| format!("  ({} ms)", milliseconds(wall)));
        writeln!(out, "{name:width$}  {}{}", answer(said, ELSEWHERE), time.unwrap_or_default())?;
    }
    let word = if exchange.is_same { "the same" } else { "different" };
    writeln!(out, "{HEADING}{word}{HEADING:#}")?;
    print_all(&stderr(&given.stderr), out)
}

/// A bot that did not live to see the turn.
fn print_gone(label: &str, report: &FeedReport, out: &mut impl Write) -> io::Result<()> {
    let why = report.left.exit.map_or(String::new(), |exit| format!(": {exit}"));
    writeln!(out, "{HEADING}{label} left before it was asked{why}{HEADING:#}")?;
    print_all(&stderr(&report.last_words), out)
}

fn print_all(lines: &[String], out: &mut impl Write) -> io::Result<()> {
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))
}

fn print_table(rows: &[[String; 5]], report: &FeedReport, out: &mut impl Write) -> io::Result<()> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["turn", "recorded", "now", "", "ms"]);
    table.add_rows(rows);
    writeln!(out, "{}", table.trim_fmt())?;
    let first = match report.differs {
        Some(turn) => format!("; the first that differs: turn {turn}"),
        None => String::new(),
    };
    let FeedReport { asked, same, .. } = report;
    writeln!(out, "{HEADING}{same} of {asked} answers are the same{first}{HEADING:#}")
}

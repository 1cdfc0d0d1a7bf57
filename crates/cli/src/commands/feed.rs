//! `quintain feed`

use std::io::{self, Write};
use std::time::Duration;

use comfy_table::{ContentArrangement, Table, presets};
use quintain_core::{Fault, Item, Manner, PerSeat, Seat, printable};
use quintain_links::Housing;
use quintain_referee::{Departure, World as _};
use quintain_registry::{AnyGame, Exchange, FeedError, FeedSpec, Said, seat_name};
use quintain_replay::{Header, Reader, Recording as _};
use serde_json::{Value, json};

use crate::args::{FeedArgs, StateArg};
use crate::bots::{BotKind, BotSpec, Seating, Unstartable, as_program, take_seats};
use crate::failure::Failure;
use crate::output::{HEADING, milliseconds, remark};
use crate::paper::paper;

/// A debugger needs its time too.
const START_LIMIT: Duration = Duration::from_secs(60);
/// How much of a line is shown; `--json` has all of it.
const SHOWN_CHARS: usize = 160;
/// How many of the lines of a turn are shown.
const SHOWN_LINES: usize = 40;

pub(super) fn run(args: &FeedArgs) -> Result<(), Failure> {
    let (mut replay, game) = super::open_replay(&args.replay)?;
    let mut bot = as_program(BotSpec::parse(&args.bot, game)?, game)?;
    bot.give(&args.pass_env.variables()?);
    super::check_has_files(game, "state", args.state.is_some())?;
    let label = bot.label.clone();
    let (exchanges, left) = feed(args, game, &mut replay, bot)?;
    let last_words = last_words(&exchanges, &left);
    let shown = match args.turn {
        Some(turn) if !args.all => {
            exchanges.into_iter().filter(|exchange| exchange.turn == turn).collect()
        }
        _ => exchanges,
    };
    let mut out = paper();
    if args.json {
        writeln!(out, "{}", as_json(args, game, &label, &shown))?;
    } else if args.all {
        print_table(&shown, &mut out)?;
    } else {
        match shown.first() {
            Some(exchange) => print_one(args, replay.header(), &label, exchange, &mut out)?,
            None => print_gone(&label, &left, &last_words, &mut out)?,
        }
    }
    let has_failed = shown.last().is_none_or(|last| {
        last.given.as_ref().is_none_or(|given| given.fault.is_some_and(|fault| fault.is_lasting()))
    });
    if has_failed { Err(Failure::Told) } else { Ok(()) }
}

fn feed(
    args: &FeedArgs,
    game: &dyn AnyGame,
    replay: &mut Reader<'_>,
    bot: BotSpec,
) -> Result<(Vec<Exchange>, Departure), Failure> {
    let header = replay.header();
    let state = args.state.unwrap_or(match header.manners[args.seat] {
        Manner::Lines => StateArg::Stdin,
        _ => StateArg::Files,
    });
    let manner = if bot.kind == BotKind::Tcp { Manner::Lines } else { state.manner() };
    // A bot that takes the name it is offered is told exactly what the recorded one was told.
    let bot = BotSpec { label: header.names[args.seat].clone(), ..bot };
    let inside = BotSpec {
        label: header.names[args.seat.other()].clone(),
        kind: BotKind::House(game.facts().house_bots[0].to_owned()),
    };
    let bots =
        PerSeat::from_fn(|seat| if seat == args.seat { bot.clone() } else { inside.clone() });
    let seating = Seating {
        game,
        address: &args.listen,
        state,
        housing: Housing::default(),
        unstartable: Unstartable::Fails,
    };
    let mut world = take_seats(&bots, &seating)?;
    let spec =
        FeedSpec { seat: args.seat, turn: args.turn, manner, start_limit: Some(START_LIMIT) };
    let mut waiting = |turn: u32| {
        remark(format_args!(
            "waiting for the answer in turn {turn}; the clock is off, Ctrl-C stops"
        ));
    };
    let fed = game.feed(replay, &spec, &mut world, &mut waiting);
    let [first, second] = world.finish().0;
    let left = if args.seat == Seat::First { first } else { second };
    match fed {
        Ok(mut exchanges) => {
            // What it wrote just before its answer may have been read just after it.
            if let Some(given) = exchanges.last_mut().and_then(|last| last.given.as_mut()) {
                given.stderr += &left.stderr.text;
            }
            Ok((exchanges, left))
        }
        Err(FeedError::NoTurn(error)) => Err(Failure::field(error)),
        Err(error @ FeedError::NotAsked { .. }) => {
            Err(Failure::Field { field: "turn".into(), wrong: error.to_string() })
        }
        Err(FeedError::Rerun(error)) => Err(super::not_the_same(&args.replay, &error)),
        Err(error) => {
            print_stderr(&left.stderr.text, &mut io::stderr())?;
            Err(error.into())
        }
    }
}

/// What a bot wrote to its error output in the end. Whether that was read with its last answer or
/// after it is chance.
fn last_words(exchanges: &[Exchange], left: &Departure) -> String {
    let given = exchanges.last().and_then(|last| last.given.as_ref());
    given.map_or_else(|| left.stderr.text.clone(), |given| given.stderr.clone())
}

fn print_one(
    args: &FeedArgs,
    header: &Header,
    label: &str,
    exchange: &Exchange,
    out: &mut impl Write,
) -> io::Result<()> {
    let recorded = &header.shown_names()[args.seat];
    let (turn, seat) = (exchange.turn, seat_name(args.seat));
    writeln!(out, "{HEADING}turn {turn}, {seat} seat: it is told{HEADING:#}")?;
    print_told(&exchange.told, out)?;
    let width = recorded.chars().count().max(label.chars().count());
    let given = exchange.given.clone().unwrap_or_default();
    for (name, said) in [(recorded.as_str(), &exchange.recorded), (label, &given)] {
        let time = said.wall.map(|wall| format!("  ({} ms)", milliseconds(wall)));
        writeln!(out, "{name:width$}  {}{}", answer(said), time.unwrap_or_default())?;
    }
    let word = if exchange.is_same { "the same" } else { "different" };
    writeln!(out, "{HEADING}{word}{HEADING:#}")?;
    print_stderr(&given.stderr, out)
}

/// A bot that did not live to see the turn.
fn print_gone(
    label: &str,
    left: &Departure,
    last_words: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    let why = left.exit.map_or(String::new(), |exit| format!(": {exit}"));
    writeln!(out, "{HEADING}{label} left before it was asked{why}{HEADING:#}")?;
    print_stderr(last_words, out)
}

pub(super) fn print_told(told: &[Item], out: &mut impl Write) -> io::Result<()> {
    let in_words = |item: &Item| match item {
        Item::Line(line) => shortened(line),
        Item::File { path, bytes } => format!("file {path} ({} bytes)", bytes.len()),
    };
    for line in summed_up(told.iter().map(in_words)) {
        writeln!(out, "  > {line}")?;
    }
    Ok(())
}

/// The lines, with those that come again and again as one, and without the middle of very many.
fn summed_up(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut runs: Vec<(String, usize)> = Vec::new();
    for line in lines {
        match runs.last_mut() {
            Some((last, times)) if *last == line => *times += 1,
            _ => runs.push((line, 1)),
        }
    }
    let left_out = runs.len().saturating_sub(SHOWN_LINES);
    if left_out > 0 {
        let dots = format!("... {left_out} more lines, which --json shows ...");
        runs.splice(SHOWN_LINES / 2..SHOWN_LINES / 2 + left_out, [(dots, 1)]);
    }
    let in_words = |(line, times): (String, usize)| match times {
        1 => line,
        _ => format!("{line} ({times} times)"),
    };
    runs.into_iter().map(in_words).collect()
}

pub(super) fn print_stderr(text: &str, out: &mut impl Write) -> io::Result<()> {
    for line in text.lines() {
        writeln!(out, "  stderr: {}", shortened(line))?;
    }
    Ok(())
}

/// What was said, in one line.
pub(super) fn answer(said: &Said) -> String {
    let lines = summed_up(said.lines.iter().map(|line| shortened(line))).join(" | ");
    match &said.fault {
        None => lines,
        Some(fault) if lines.is_empty() => format!("nothing: it {fault}"),
        Some(fault @ Fault::Malformed(_)) => format!("{lines} ({fault})"),
        Some(fault) => format!("{lines} (it {fault})"),
    }
}

pub(super) fn shortened(line: &str) -> String {
    let line = printable(line);
    if line.chars().count() <= SHOWN_CHARS {
        return line.into_owned();
    }
    let head: String = line.chars().take(SHOWN_CHARS).collect();
    format!("{head}... ({} bytes)", line.len())
}

fn print_table(shown: &[Exchange], out: &mut impl Write) -> io::Result<()> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["turn", "recorded", "now", "", "ms"]);
    for exchange in shown {
        let given = exchange.given.clone().unwrap_or_default();
        let time = given.wall.map(|wall| milliseconds(wall).to_string());
        table.add_row([
            exchange.turn.to_string(),
            answer(&exchange.recorded),
            answer(&given),
            if exchange.is_same { "same" } else { "different" }.to_owned(),
            time.unwrap_or_default(),
        ]);
    }
    writeln!(out, "{}", table.trim_fmt())?;
    let same = shown.iter().filter(|exchange| exchange.is_same).count();
    let first = match shown.iter().find(|exchange| !exchange.is_same) {
        Some(exchange) => format!("; the first that differs: turn {}", exchange.turn),
        None => String::new(),
    };
    writeln!(out, "{HEADING}{same} of {} answers are the same{first}{HEADING:#}", shown.len())
}

fn as_json(args: &FeedArgs, game: &dyn AnyGame, label: &str, shown: &[Exchange]) -> Value {
    json!({
        "game": game.facts().id,
        "replay": args.replay,
        "seat": args.seat.index(),
        "bot": label,
        "asked": shown.len(),
        "same": shown.iter().filter(|exchange| exchange.is_same).count(),
        "turns": shown.iter().map(exchange_json).collect::<Value>(),
    })
}

pub(super) fn exchange_json(exchange: &Exchange) -> Value {
    let told = exchange.told.iter().map(|item| match item {
        Item::Line(line) => json!({ "line": line }),
        Item::File { path, bytes } => json!({ "file": path, "bytes": bytes.len() }),
    });
    json!({
        "turn": exchange.turn,
        "told": told.collect::<Value>(),
        "limit_ms": milliseconds(exchange.limit),
        "recorded": said_json(&exchange.recorded),
        "given": exchange.given.as_ref().map(said_json),
        "same": exchange.is_same,
    })
}

pub(super) fn said_json(said: &Said) -> Value {
    json!({
        "lines": said.lines,
        "ignored": said.ignored,
        "early": said.early,
        "fault": said.fault.map(|fault| fault.code()),
        "fault_text": said.fault.map(|fault| fault.to_string()),
        "wall_ms": said.wall.map(milliseconds),
        "stderr": said.stderr,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_lines_are_summed_up() {
        let lines = |texts: &[&str]| summed_up(texts.iter().map(|text| (*text).to_owned()));
        assert_eq!(lines(&["a", "b", "b", "b", "a"]), ["a", "b (3 times)", "a"]);
        let many: Vec<String> = (0..100).map(|number| number.to_string()).collect();
        let shown = summed_up(many.into_iter());
        assert_eq!(shown.len(), SHOWN_LINES + 1);
        assert_eq!(
            (shown[19].as_str(), shown[21].as_str(), shown[40].as_str()),
            ("19", "80", "99")
        );
        assert_eq!(shown[20], "... 60 more lines, which --json shows ...");
    }

    #[test]
    fn long_lines_are_shortened_and_control_characters_replaced() {
        assert_eq!(shortened("a\u{1b}b"), "a\u{fffd}b");
        let long = "x".repeat(SHOWN_CHARS + 1);
        assert!(shortened(&long).ends_with("... (161 bytes)"), "{}", shortened(&long));
    }
}

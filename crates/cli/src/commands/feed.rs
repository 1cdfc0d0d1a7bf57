//! `quintain feed`

use std::io::{self, Write};
use std::time::Duration;

use comfy_table::{ContentArrangement, Table, presets};
use quintain_arena::{open_replay, parse};
use quintain_core::{Fault, Item, Manner, PerSeat, Seat, printable};
use quintain_record::{Contestant, Occupant};
use quintain_referee::{Departure, World as _};
use quintain_registry::{AnyGame, Exchange, FeedError, FeedSpec, Said};
use quintain_replay::{Header, Reader, Recording as _};
use serde_json::{Value, json};

use crate::args::{FeedArgs, StateArg};
use crate::failure::Failure;
use crate::output::{HEADING, milliseconds, remark};
use crate::seating::{Absent, as_program, nobody, take_seats};
use crate::wrapped_output::wrapped_output;

/// A debugger needs its time too.
const START_LIMIT: Duration = Duration::from_secs(60);
/// How much of a line is shown; `--json` has all of it.
const SHOWN_CHARS: usize = 160;
/// How many of the lines of a turn are shown.
const SHOWN_LINES: usize = 40;

pub(super) fn run(args: &FeedArgs) -> Result<(), Failure> {
    let (mut replay, game) = open_replay(&args.replay)?;
    let state = state_of(args, replay.header()).state(None);
    let bot = parse(&args.bot, game, state).map_err(nobody)?;
    let mut bot = as_program(bot, game, state)?;
    bot.give(&args.pass_env.variables()?);
    super::check_has_files(game, "state", args.state.is_some())?;
    let label = bot.name().to_owned();
    let mut tray = Tray::new(args, game, &label);
    let left = feed(args, game, &mut replay, bot, &mut tray)?;
    let last_words = tray.clear(&left)?;
    let Tray { shown, counted, .. } = tray;
    match shown {
        Shown::Written(_) => {}
        Shown::Rows(rows) => print_table(&rows, &counted, &mut wrapped_output())?,
        Shown::One(Some(exchange)) => {
            print_one(args, replay.header(), &label, &exchange, &mut wrapped_output())?;
        }
        Shown::One(None) => print_gone(&label, &left, &last_words, &mut wrapped_output())?,
    }
    if counted.has_failed { Err(Failure::Told) } else { Ok(()) }
}

/// Takes the exchanges as they come. The latest is held back, since what its bot wrote just before its
/// answer may be read just after it. Of the others nothing is kept but what is still to be shown, for a
/// replay of a stranger can hold far more than that.
struct Tray<'a> {
    args: &'a FeedArgs,
    latest: Option<Exchange>,
    shown: Shown,
    counted: Counted,
    written: io::Result<()>,
}

/// What the exchanges become.
enum Shown {
    /// The one of the turn that was asked for.
    One(Option<Box<Exchange>>),
    Rows(Vec<[String; 5]>),
    /// Programs are given each of them at once, in the object that this begins with.
    Written(Value),
}

struct Counted {
    asked: usize,
    same: usize,
    /// The first turn in which the answers differ.
    differs: Option<u32>,
    /// Whether the last of them got no answer, for good.
    has_failed: bool,
}

impl<'a> Tray<'a> {
    fn new(args: &'a FeedArgs, game: &dyn AnyGame, label: &str) -> Self {
        let shown = match (args.json, args.all) {
            (true, _) => Shown::Written(json!({
                "game": game.facts().id,
                "replay": args.replay,
                "seat": args.seat.index(),
                "bot": label,
            })),
            (false, true) => Shown::Rows(Vec::new()),
            (false, false) => Shown::One(None),
        };
        let counted = Counted { asked: 0, same: 0, differs: None, has_failed: true };
        Tray { args, latest: None, shown, counted, written: Ok(()) }
    }

    fn take(&mut self, exchange: Exchange) {
        if let Some(before) = self.latest.replace(exchange) {
            self.show(before);
        }
    }

    /// Shows what was held back, and returns what the bot wrote to its error output in the end.
    fn clear(&mut self, left: &Departure) -> io::Result<String> {
        let mut last_words = left.stderr.text.clone();
        if let Some(mut last) = self.latest.take() {
            if let Some(given) = &mut last.given {
                given.stderr += &left.stderr.text;
                last_words.clone_from(&given.stderr);
            }
            self.show(last);
        }
        if let Shown::Written(head) = &self.shown {
            let counted = &self.counted;
            let start = if counted.asked == 0 { json_start(head) } else { String::new() };
            let mut out = io::stdout().lock();
            std::mem::replace(&mut self.written, Ok(()))?;
            writeln!(out, "{start}],\"asked\":{},\"same\":{}}}", counted.asked, counted.same)?;
        }
        Ok(last_words)
    }

    fn show(&mut self, exchange: Exchange) {
        if !self.args.all && self.args.turn.is_some_and(|turn| turn != exchange.turn) {
            return;
        }
        let is_first = self.counted.asked == 0;
        self.counted.add(&exchange);
        match &mut self.shown {
            Shown::One(one) => *one = Some(Box::new(exchange)),
            Shown::Rows(rows) => rows.push(row(&exchange)),
            Shown::Written(head) => {
                let start = if is_first { json_start(head) } else { ",".to_owned() };
                let text = format!("{start}{}", exchange_json(&exchange));
                if self.written.is_ok() {
                    self.written = io::stdout().lock().write_all(text.as_bytes());
                }
            }
        }
    }
}

impl Counted {
    fn add(&mut self, exchange: &Exchange) {
        self.asked += 1;
        self.same += usize::from(exchange.is_same);
        self.differs = self.differs.or((!exchange.is_same).then_some(exchange.turn));
        let given = exchange.given.as_ref();
        self.has_failed =
            given.is_none_or(|given| given.fault.is_some_and(|fault| fault.is_lasting()));
    }
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

fn feed(
    args: &FeedArgs,
    game: &dyn AnyGame,
    replay: &mut Reader<'_>,
    bot: Occupant,
    tray: &mut Tray<'_>,
) -> Result<Departure, Failure> {
    let header = replay.header();
    let manner = bot.manner();
    let inside = Occupant::from(Contestant::house(game.facts().house_bots[0]));
    // A bot that takes the name it is offered is told exactly what the recorded one was told.
    let bots = PerSeat::from_fn(|seat| {
        let occupant = if seat == args.seat { &bot } else { &inside };
        occupant.clone().named(header.names[seat].as_str())
    });
    let mut world = take_seats(game, &bots, &args.listen, Absent::Fails)?;
    let spec =
        FeedSpec { seat: args.seat, turn: args.turn, manner, start_limit: Some(START_LIMIT) };
    let mut waiting = |turn: u32| {
        remark(format_args!(
            "waiting for the answer in turn {turn}; the clock is off, Ctrl-C stops"
        ));
    };
    let fed =
        game.feed(replay, &spec, &mut world, &mut waiting, &mut |exchange| tray.take(exchange));
    let [first, second] = world.finish().0;
    let left = if args.seat == Seat::First { first } else { second };
    match fed {
        Ok(()) => Ok(left),
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

/// The line of an exchange in the table.
fn row(exchange: &Exchange) -> [String; 5] {
    let given = exchange.given.clone().unwrap_or_default();
    let time = given.wall.map(|wall| milliseconds(wall).to_string());
    [
        exchange.turn.to_string(),
        answer(&exchange.recorded),
        answer(&given),
        if exchange.is_same { "same" } else { "different" }.to_owned(),
        time.unwrap_or_default(),
    ]
}

fn print_table(rows: &[[String; 5]], counted: &Counted, out: &mut impl Write) -> io::Result<()> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["turn", "recorded", "now", "", "ms"]);
    table.add_rows(rows);
    writeln!(out, "{}", table.trim_fmt())?;
    let first = match counted.differs {
        Some(turn) => format!("; the first that differs: turn {turn}"),
        None => String::new(),
    };
    let Counted { asked, same, .. } = counted;
    writeln!(out, "{HEADING}{same} of {asked} answers are the same{first}{HEADING:#}")
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

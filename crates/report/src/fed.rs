//! What a bot answers in a recorded match, beside what was answered then.

use std::io::{self, Write};

use quintain_arena::FeedReport;
use quintain_arena::check::{Answered, Exchange};
use quintain_arena::results::milliseconds;
use quintain_core::Seat;
use serde_json::Value;

use crate::exchange::{self, answer, stderr, told};
use crate::table::plain_rows;
use crate::words::{Line, headed};

/// One exchange in full, with the names of the recorded bot and of the one that was asked now. `elsewhere`
/// says where the lines are that are left out.
pub fn lines(exchange: &Exchange, seat: Seat, names: [&str; 2], elsewhere: &str) -> Vec<Line> {
    let (turn, seat) = (exchange.turn, seat.name());
    let mut lines = vec![Line::heading(format!("turn {turn}, {seat} seat: it is told"))];
    lines.extend(told(&exchange.told, elsewhere).into_iter().map(Line::text));
    let width = names.map(|name| name.chars().count()).into_iter().max().unwrap_or_default();
    let given = exchange.given.clone().unwrap_or_default();
    let said = |(name, said): (&str, &Answered)| {
        let time = said.wall.map(|wall| format!("  ({} ms)", milliseconds(wall)));
        let time = time.unwrap_or_default();
        Line::text(format!("{name:width$}  {}{time}", answer(said, elsewhere)))
    };
    lines.extend(names.into_iter().zip([&exchange.recorded, &given]).map(said));
    lines.push(Line::heading(if exchange.is_same { "the same" } else { "different" }));
    lines.extend(stderr(&given.stderr).into_iter().map(Line::text));
    lines
}

/// A bot that did not live to see the turn.
pub fn gone(bot: &str, report: &FeedReport) -> Vec<Line> {
    let why = report.left.exit.map_or(String::new(), |exit| format!(": {exit}"));
    let heading = format!("{bot} left before it was asked{why}");
    headed([vec![heading], stderr(&report.last_words)].concat())
}

/// All exchanges, each as [`row`] has it, and how many answers are the same.
pub fn table(rows: Vec<[String; 5]>, report: &FeedReport) -> Vec<Line> {
    let table = plain_rows(["turn", "recorded", "now", "", "ms"], rows);
    let first = match report.differs {
        Some(turn) => format!("; the first that differs: turn {turn}"),
        None => String::new(),
    };
    let FeedReport { asked, same, .. } = report;
    let sum = format!("{same} of {asked} answers are the same{first}");
    vec![Line::text(table.trim_fmt()), Line::heading(sum)]
}

/// The fields of an exchange: the turn, what was recorded, what is said now, whether that is the same, and after
/// how many milliseconds.
pub fn row(exchange: &Exchange, elsewhere: &str) -> [String; 5] {
    let given = exchange.given.clone().unwrap_or_default();
    let time = given.wall.map(|wall| milliseconds(wall).to_string());
    [
        exchange.turn.to_string(),
        answer(&exchange.recorded, elsewhere),
        answer(&given, elsewhere),
        if exchange.is_same { "same" } else { "different" }.to_owned(),
        time.unwrap_or_default(),
    ]
}

/// Writes one object, exchange by exchange: a replay of a stranger can hold more than fits into memory.
/// Nothing is written before the first.
pub struct JsonWriter<W: Write> {
    /// What stands before the next exchange.
    before: String,
    out: W,
}

impl<W: Write> JsonWriter<W> {
    /// `head` is the object without its turns.
    pub fn new(head: &Value, out: W) -> JsonWriter<W> {
        let head = head.to_string();
        let open = head.strip_suffix('}').unwrap_or(&head);
        JsonWriter { before: format!("{open},\"turns\":["), out }
    }

    pub fn write(&mut self, exchange: &Exchange) -> io::Result<()> {
        let before = std::mem::replace(&mut self.before, ",".to_owned());
        write!(self.out, "{before}{}", exchange::json(exchange))
    }

    pub fn end(mut self, report: &FeedReport) -> io::Result<()> {
        let FeedReport { asked, same, .. } = report;
        let start = if self.before == "," { "" } else { &self.before };
        writeln!(self.out, "{start}],\"asked\":{asked},\"same\":{same}}}")
    }
}

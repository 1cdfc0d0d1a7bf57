//! What was seen of a bot, as text and as JSON.

use std::io::{self, Write};
use std::time::Duration;

use quintain_arena::check::{CheckReport, Complaint, Played, command_line};
use quintain_core::{Exit, Fault, printable};
use quintain_record::Launch;
use quintain_referee::IntroductionLine;
use quintain_registry::{Exchange, Facts};
use quintain_report::check::{self as words, count};
use quintain_report::words::shortened;
use serde_json::{Value, json};

use crate::commands::feed::{answer, exchange_json, print_stderr, print_told};
use crate::output::{HEADING, milliseconds};

const ON_SLOWNESS: &str = "try --time-scale 10 to see whether it answers at all";

/// A check that is over.
pub(super) struct Telling<'a> {
    pub(super) facts: Facts,
    /// The bot as it was typed.
    pub(super) word: &'a str,
    pub(super) launch: Option<&'a Launch>,
    /// How long it took to start it; `None` if it could not be.
    pub(super) started_in: Option<Duration>,
    pub(super) report: &'a CheckReport,
}

impl Telling<'_> {
    pub(super) fn print(&self, turns: u32, out: &mut impl Write) -> io::Result<()> {
        self.print_start(out)?;
        if let Some(played) = &self.report.played {
            self.print_introduction(played, out)?;
            let complaint = self.report.complaint.as_ref();
            let fault_turn = complaint.and_then(|complaint| complaint.turn);
            let was_ready = complaint.is_none_or(Complaint::is_in_match);
            for exchange in played.exchanges.iter().filter(|_| was_ready) {
                if exchange.turn <= turns || fault_turn == Some(exchange.turn) {
                    print_exchange(played, exchange, out)?;
                }
            }
            writeln!(out, "{}", played.report.closing)?;
            if let Some(exit) = exit_words(played) {
                writeln!(out, "{exit}")?;
            }
        }
        if let Some(ending) = self.ending() {
            writeln!(out, "{ending}")?;
        }
        for warning in &self.report.warnings {
            writeln!(out, "warning: {}", words::warning(warning))?;
        }
        writeln!(out, "{HEADING}{}{HEADING:#}", self.summary())?;
        let Some(complaint) = &self.report.complaint else {
            return Ok(());
        };
        if let Some(played) = &self.report.played {
            print_stderr(&last_lines(&played.report.last_stderr[played.seat]), out)?;
        }
        writeln!(out, "usual causes:")?;
        for cause in self.causes(complaint) {
            writeln!(out, "  - {}", printable(&cause))?;
        }
        Ok(())
    }

    fn print_start(&self, out: &mut impl Write) -> io::Result<()> {
        let title = self.facts.title;
        writeln!(out, "{HEADING}checking {} for {title}{HEADING:#}", printable(self.word))?;
        let (Some(launch), Some(time)) = (self.launch, self.started_in) else {
            return Ok(());
        };
        let command = command_line(launch);
        let folder = match &launch.folder {
            Some(folder) => format!(" in {}", folder.display()),
            None => String::new(),
        };
        let time = milliseconds(time);
        writeln!(out, "started: {}{folder}, in {time} ms", printable(&command))
    }

    fn print_introduction(&self, played: &Played, out: &mut impl Write) -> io::Result<()> {
        for line in &played.introduction {
            match line {
                IntroductionLine::Sent { line, .. } => writeln!(out, "  > {}", shortened(line))?,
                IntroductionLine::Heard { line, at, .. } => {
                    writeln!(out, "  < {}  (after {} ms)", shortened(line), milliseconds(*at))?;
                }
            }
        }
        if self.facts.abilities.lobby && played.introduction.len() > 1 {
            let name = &played.report.wire_names[played.seat];
            writeln!(out, "introduced itself: it is called {}", printable(name))?;
        }
        Ok(())
    }

    fn summary(&self) -> String {
        match (&self.report.complaint, &self.report.played) {
            (Some(complaint), _) => {
                let turn = complaint.turn.map(|turn| format!(" in turn {turn}"));
                let wrong = words::wrong(complaint);
                format!("failed{}: {}", turn.unwrap_or_default(), printable(&wrong))
            }
            (None, Some(played)) => {
                let asked = count(played.exchanges.len(), "turn");
                format!("no fault in {asked}; {}", slowest(played))
            }
            (None, None) => "nothing was played".to_owned(),
        }
    }

    fn causes(&self, complaint: &Complaint) -> Vec<String> {
        let (answers, launch) = (self.facts.answers, self.launch);
        let telling = words::Telling { answers, launch, on_slowness: ON_SLOWNESS };
        complaint.causes.iter().map(|cause| words::cause(cause, &telling)).collect()
    }

    fn ending(&self) -> Option<String> {
        let end = self.report.at_end_of_input.as_ref()?;
        let word = if end.has_ended { "ends by itself" } else { "has to be ended" };
        Some(format!("when its input ends it {word}"))
    }

    pub(super) fn print_json(&self, out: &mut impl Write) -> io::Result<()> {
        let CheckReport { played, complaint, warnings, .. } = self.report;
        let (played, complaint) = (played.as_ref(), complaint.as_ref());
        let introduction = played.into_iter().flat_map(|played| &played.introduction);
        let introduction = introduction.map(|line| match line {
            IntroductionLine::Sent { line, .. } => json!({ "sent": line }),
            IntroductionLine::Heard { line, at, .. } => {
                json!({ "heard": line, "at_ms": milliseconds(*at) })
            }
        });
        let turns = |played: &Played| -> Value {
            played.exchanges.iter().map(|exchange| turn_json(played, exchange)).collect()
        };
        let object = json!({
            "game": self.facts.id,
            "bot": self.word,
            "ok": complaint.is_none(),
            "summary": self.summary(),
            "command": self.launch.map(command_line),
            "folder": self.launch.and_then(|launch| launch.folder.clone()),
            "started_ms": self.started_in.map(milliseconds),
            "introduction": introduction.collect::<Value>(),
            "turns": played.map(turns),
            "fault": complaint.map(|complaint| json!({
                "turn": complaint.turn,
                "text": words::wrong(complaint),
                "causes": self.causes(complaint),
            })),
            "warnings": warnings.iter().map(words::warning).collect::<Value>(),
            "exit": played.and_then(exit_words),
            "end_of_input": self.ending(),
        });
        writeln!(out, "{object}")
    }
}

fn turn_json(played: &Played, exchange: &Exchange) -> Value {
    let mut object = exchange_json(exchange);
    object["limit_ms"] = json!(played.limit(exchange).map(milliseconds));
    object["answer"] = object["recorded"].take();
    object["notes"] = json!(exchange.notes);
    object["illegal"] = json!(exchange.refusal);
    if let Some(fields) = object.as_object_mut() {
        for name in ["recorded", "given", "same"] {
            fields.remove(name);
        }
    }
    object
}

fn print_exchange(played: &Played, exchange: &Exchange, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "turn {}: it was sent", exchange.turn)?;
    print_told(&exchange.told, out)?;
    let said = &exchange.recorded;
    let time = match (said.wall, played.limit(exchange)) {
        (Some(wall), Some(limit)) => {
            format!(", in {} ms of {}", milliseconds(wall), milliseconds(limit))
        }
        (Some(wall), None) => format!(", in {} ms", milliseconds(wall)),
        (None, Some(limit)) if said.fault == Some(Fault::Late) => {
            format!("; the limit is {} ms", milliseconds(limit))
        }
        (None, _) => String::new(),
    };
    let judgement = match (&said.fault, &exchange.refusal) {
        (Some(_), _) => "",
        (None, Some(_)) => ": refused by the rules",
        (None, None) => ": understood",
    };
    writeln!(out, "  < {}{time}{judgement}", answer(said))?;
    for note in &exchange.notes {
        writeln!(out, "    {note}")?;
    }
    print_stderr(&said.stderr, out)
}

/// How the bot left before it was ended.
fn exit_words(played: &Played) -> Option<String> {
    Some(match played.exit? {
        Exit::Code(code) => format!("it had ended with exit code {code}"),
        Exit::Signal(signal) => format!("it was ended by signal {signal}"),
        Exit::Closed => "it closed its connection".to_owned(),
    })
}

/// The answer that came nearest to its limit.
fn slowest(played: &Played) -> String {
    let Some(exchange) = played.slowest() else {
        return "it was never asked".to_owned();
    };
    let wall = milliseconds(exchange.recorded.wall.unwrap_or_default());
    match played.limit(exchange) {
        Some(limit) => {
            format!("slowest answer {wall} ms of {} (turn {})", milliseconds(limit), exchange.turn)
        }
        None => format!("slowest answer {wall} ms (turn {}); no clock", exchange.turn),
    }
}

fn last_lines(text: &str) -> String {
    const LINES_SHOWN: usize = 10;
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES_SHOWN)..].join("\n")
}

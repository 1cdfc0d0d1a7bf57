//! What was seen of a bot, in words.

use std::io::{self, Write};
use std::time::Duration;

use quintain_core::{Absence, Fault, Item, Seat, printable};
use quintain_links::Launch;
use quintain_referee::IntroductionLine;
use quintain_registry::{Exchange, Facts, MatchReport, find};
use quintain_replay::ExitLine;
use serde_json::{Value, json};

use super::causes::{self, command_of, count};
use super::probe::{Finale, at_the_end};
use crate::commands::feed::{answer, exchange_json, print_stderr, print_told, shortened};
use crate::output::{HEADING, milliseconds};
use crate::status_line::StatusLine;

pub(super) struct Story {
    facts: Facts,
    word: String,
    /// Why it could not be started.
    pub(super) unstarted: Option<String>,
    pub(super) launch: Option<Launch>,
    pub(super) started_in: Duration,
    /// What was said before the match.
    pub(super) introduction: Vec<IntroductionLine>,
    pub(super) played: Option<Played>,
    /// The first fault.
    pub(super) complaint: Option<Complaint>,
    /// What is not wrong enough to lose by it.
    warnings: Vec<String>,
    /// What it does at the end of its input.
    ending: Option<String>,
}

pub(super) struct Played {
    pub(super) report: MatchReport,
    pub(super) exchanges: Vec<Exchange>,
    pub(super) exit: Option<ExitLine>,
    pub(super) seat: Seat,
    /// `None` without a clock.
    pub(super) time_scale: Option<f64>,
}

pub(super) struct Complaint {
    /// Counted from 1; `None` before the match.
    turn: Option<u32>,
    /// False if the bot never was ready for the match: then it was not told anything of it.
    is_in_match: bool,
    what: String,
    causes: Vec<String>,
}

impl Played {
    fn has_answers(&self) -> bool {
        self.exchanges.iter().any(|exchange| !exchange.recorded.lines.is_empty())
    }

    fn has_stderr(&self) -> bool {
        !self.report.last_stderr[self.seat].is_empty()
    }

    fn limit(&self, exchange: &Exchange) -> Option<Duration> {
        self.time_scale.map(|scale| exchange.limit.mul_f64(scale))
    }
}

impl Story {
    pub(super) fn new(facts: Facts, word: &str) -> Story {
        Story {
            facts,
            word: word.to_owned(),
            unstarted: None,
            launch: None,
            started_in: Duration::ZERO,
            introduction: Vec::new(),
            played: None,
            complaint: None,
            warnings: Vec::new(),
            ending: None,
        }
    }

    /// Finds the first fault and everything that is worth a warning.
    pub(super) fn judge(&mut self) {
        if let Some(message) = &self.unstarted {
            let (what, causes) = (message.clone(), causes::unstarted(&self.facts));
            self.complaint = Some(Complaint { turn: None, is_in_match: false, what, causes });
        }
        if let Some(played) = &self.played {
            self.complaint = self.fault_of(played).or_else(|| offence_of(played, &self.facts));
            let told = self.complaint.as_ref().and_then(|complaint| complaint.turn);
            self.warnings = warnings_of(played, told);
            if self.complaint.is_none() {
                self.ending = self.finale(played.exchanges.first()).map(|finale| {
                    let word = if finale.has_ended { "ends by itself" } else { "has to be ended" };
                    format!("when its input ends it {word}")
                });
            }
        }
    }

    fn fault_of(&self, played: &Played) -> Option<Complaint> {
        let is_own = |(seat, _): &&(Seat, Fault)| *seat == played.seat;
        let before = played.report.faults.iter().filter(is_own).map(|(_, fault)| fault);
        if let Some(fault) = before.clone().find(|fault| matches!(fault, Fault::NotStarted(_))) {
            return Some(self.complaint_about(fault, None));
        }
        let faulty = |exchange: &&Exchange| exchange.recorded.fault.is_some();
        if let Some(exchange) = played.exchanges.iter().find(faulty)
            && let Some(fault) = &exchange.recorded.fault
        {
            return Some(self.complaint_about(fault, Some(exchange)));
        }
        before.clone().next().map(|fault| self.complaint_about(fault, played.exchanges.last()))
    }

    fn complaint_about(&self, fault: &Fault, exchange: Option<&Exchange>) -> Complaint {
        let last = causes::Last {
            has_answered: self.played.as_ref().is_some_and(Played::has_answers),
            has_said_why: self.played.as_ref().is_some_and(Played::has_stderr),
        };
        let launch = self.launch.as_ref();
        let mut causes = match fault {
            Fault::Gone(exit) | Fault::NotStarted(Absence::Left(exit)) => {
                causes::gone(*exit, launch, last)
            }
            _ => causes::of(fault, exchange, &self.facts, launch),
        };
        let is_silent = exchange.is_none_or(|exchange| exchange.recorded.lines.is_empty());
        let is_waited_for = matches!(fault, Fault::Late | Fault::NotStarted(Absence::Silent));
        if is_silent
            && is_waited_for
            && let Some(finale) = self.finale(exchange)
            && let Some(said) = finale.said.lines().find(|line| !line.trim().is_empty())
        {
            let said = shortened(said);
            let help = causes::flush(self.launch.as_ref());
            causes = vec![format!("it said `{said}` only when its input ended: {help}")];
        }
        let what = match fault {
            Fault::Malformed(_) => fault.to_string(),
            _ => format!("it {fault}"),
        };
        let is_in_match = !matches!(fault, Fault::NotStarted(_));
        Complaint { turn: exchange.map(|exchange| exchange.turn), is_in_match, what, causes }
    }

    /// What the bot does when its input ends after a question. Bots with state files are not asked:
    /// without the files they would fail in another way.
    fn finale(&self, exchange: Option<&Exchange>) -> Option<Finale> {
        let launch = self.launch.as_ref().filter(|_| !self.facts.abilities.state_files)?;
        let line_end = find(self.facts.id)?.framing().line_end_out;
        let sent = self.introduction.iter().filter_map(|tapped| match tapped {
            IntroductionLine::Sent { line, .. } => Some(line.clone()),
            IntroductionLine::Heard { .. } => None,
        });
        let told = exchange.into_iter().flat_map(|exchange| &exchange.told);
        let told = told.filter_map(|item| match item {
            Item::Line(line) => Some(line.clone()),
            Item::File { .. } => None,
        });
        let lines: Vec<String> = sent.chain(told).collect();
        let mut live = StatusLine::new();
        if live.is_due() {
            live.show(&[
                "looking what it does when its input ends, which takes some seconds".to_owned()
            ]);
        }
        let finale = at_the_end(launch, &lines, line_end);
        live.clear();
        finale
    }

    pub(super) fn print(&self, turns: u32, out: &mut impl Write) -> io::Result<()> {
        self.print_start(out)?;
        if let Some(played) = &self.played {
            self.print_introduction(played, out)?;
            let fault_turn = self.complaint.as_ref().and_then(|complaint| complaint.turn);
            let was_ready = self.complaint.as_ref().is_none_or(|complaint| complaint.is_in_match);
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
        if let Some(ending) = &self.ending {
            writeln!(out, "{ending}")?;
        }
        for warning in &self.warnings {
            writeln!(out, "warning: {warning}")?;
        }
        writeln!(out, "{HEADING}{}{HEADING:#}", self.summary())?;
        let Some(complaint) = &self.complaint else {
            return Ok(());
        };
        if let Some(played) = &self.played {
            print_stderr(&last_lines(&played.report.last_stderr[played.seat]), out)?;
        }
        writeln!(out, "usual causes:")?;
        for cause in &complaint.causes {
            writeln!(out, "  - {}", printable(cause))?;
        }
        Ok(())
    }

    fn print_start(&self, out: &mut impl Write) -> io::Result<()> {
        let title = self.facts.title;
        writeln!(out, "{HEADING}checking {} for {title}{HEADING:#}", printable(&self.word))?;
        let (Some(launch), None) = (&self.launch, &self.unstarted) else {
            return Ok(());
        };
        let command = command_of(launch);
        let folder = match &launch.folder {
            Some(folder) => format!(" in {}", folder.display()),
            None => String::new(),
        };
        let time = milliseconds(self.started_in);
        writeln!(out, "started: {}{folder}, in {time} ms", printable(&command))
    }

    fn print_introduction(&self, played: &Played, out: &mut impl Write) -> io::Result<()> {
        for tapped in &self.introduction {
            match tapped {
                IntroductionLine::Sent { line, .. } => writeln!(out, "  > {}", shortened(line))?,
                IntroductionLine::Heard { line, at, .. } => {
                    writeln!(out, "  < {}  (after {} ms)", shortened(line), milliseconds(*at))?;
                }
            }
        }
        if self.facts.abilities.lobby && self.introduction.len() > 1 {
            let name = &played.report.wire_names[played.seat];
            writeln!(out, "introduced itself: it is called {}", printable(name))?;
        }
        Ok(())
    }

    fn summary(&self) -> String {
        match (&self.complaint, &self.played) {
            (Some(complaint), _) => match complaint.turn {
                Some(turn) => format!("failed in turn {turn}: {}", printable(&complaint.what)),
                None => format!("failed: {}", printable(&complaint.what)),
            },
            (None, Some(played)) => {
                let asked = count(played.exchanges.len(), "turn");
                format!("no fault in {asked}; {}", slowest(played))
            }
            (None, None) => "nothing was played".to_owned(),
        }
    }

    pub(super) fn print_json(&self, out: &mut impl Write) -> io::Result<()> {
        let introduction = self.introduction.iter().map(|tapped| match tapped {
            IntroductionLine::Sent { line, .. } => json!({ "sent": line }),
            IntroductionLine::Heard { line, at, .. } => {
                json!({ "heard": line, "at_ms": milliseconds(*at) })
            }
        });
        let played = self.played.as_ref();
        let complaint = self.complaint.as_ref();
        let launch = self.launch.as_ref();
        let object = json!({
            "game": self.facts.id,
            "bot": self.word,
            "ok": complaint.is_none(),
            "summary": self.summary(),
            "command": launch.map(command_of),
            "folder": launch.and_then(|launch| launch.folder.clone()),
            "started_ms": self.unstarted.is_none().then(|| milliseconds(self.started_in)),
            "introduction": introduction.collect::<Value>(),
            "turns": played.map(|played| played.exchanges.iter().map(|e| turn_json(played, e)).collect::<Value>()),
            "fault": complaint.map(|complaint| json!({
                "turn": complaint.turn, "text": complaint.what, "causes": complaint.causes,
            })),
            "warnings": self.warnings,
            "exit": played.and_then(exit_words),
            "end_of_input": self.ending,
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

/// A match that was lost by breaking the rules.
fn offence_of(played: &Played, facts: &Facts) -> Option<Complaint> {
    let outcome = &played.report.outcome;
    let last = played.exchanges.last();
    let illegal = last.and_then(|exchange| exchange.refusal.as_deref());
    // A match that ends badly for both says nothing about the bot.
    let is_out =
        outcome.is_disqualified(played.seat) && !outcome.is_disqualified(played.seat.other());
    is_out.then(|| Complaint {
        turn: last.map(|exchange| exchange.turn),
        is_in_match: true,
        what: illegal.map_or_else(|| outcome.reason.to_owned(), str::to_owned),
        causes: vec![
            format!("it is not written as the game expects: an answer is {}", facts.answers),
            "it is not allowed in this position: see the rules of the game".to_owned(),
        ],
    })
}

/// An answer that was there before the question took no time at all.
fn is_early(exchange: &Exchange) -> bool {
    !exchange.recorded.early.is_empty() || exchange.recorded.wall == Some(Duration::ZERO)
}

/// `told` is the turn of the complaint, which needs no warning.
fn warnings_of(played: &Played, told: Option<u32>) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut early = played.exchanges.iter().filter(|exchange| is_early(exchange));
    if let Some(exchange) = early.next() {
        let said = &exchange.recorded;
        let line = said.early.first().or(said.lines.first()).map(|line| shortened(line));
        warnings.push(format!(
            "it answered before it was asked in {}, the first time in turn {}: `{}`; perhaps it \
             prints a line too many",
            count(early.count() + 1, "turn"),
            exchange.turn,
            line.unwrap_or_default()
        ));
    }
    let ignored = played.exchanges.iter().find(|exchange| !exchange.recorded.ignored.is_empty());
    if let Some(exchange) = ignored {
        let total: usize = played.exchanges.iter().map(|e| e.recorded.ignored.len()).sum();
        warnings.push(format!(
            "{} meant nothing, the first in turn {}: `{}`",
            count(total, "line"),
            exchange.turn,
            shortened(&exchange.recorded.ignored[0])
        ));
    }
    // What the rules made of no answer at all is no news beside that.
    let answered = played.exchanges.iter().filter(|exchange| exchange.recorded.fault.is_none());
    let answered = answered.filter(|exchange| told != Some(exchange.turn));
    let illegal: Vec<_> = answered.filter_map(|e| Some((e.turn, e.refusal.as_deref()?))).collect();
    if let Some((turn, note)) = illegal.first() {
        let total = count(illegal.len(), "answer");
        warnings
            .push(format!("{total} not allowed by the rules, the first in turn {turn}: {note}"));
    }
    warnings
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
        ExitLine::Code(code) => format!("it had ended with exit code {code}"),
        ExitLine::Signal(signal) => format!("it was ended by signal {signal}"),
        ExitLine::Closed => "it closed its connection".to_owned(),
    })
}

/// The answer that came nearest to its limit.
fn slowest(played: &Played) -> String {
    let share = |exchange: &&Exchange| {
        let wall = exchange.recorded.wall.unwrap_or_default().as_secs_f64();
        wall / exchange.limit.as_secs_f64()
    };
    let slowest = played.exchanges.iter().max_by(|a, b| share(a).total_cmp(&share(b)));
    let Some(exchange) = slowest else {
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

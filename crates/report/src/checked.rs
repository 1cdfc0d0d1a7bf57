//! What was seen of a bot, as text and as JSON.

use quintain_arena::check::{
    CheckReport, Complaint, Exchange, Facts, IntroductionLine, Played, command_line,
};
use quintain_arena::results::milliseconds;
use quintain_core::{Exit, Fault, printable};
use quintain_record::Launch;
use serde_json::{Value, json};

use crate::check::{Telling, cause, count, warning, wrong};
use crate::exchange::{self, answer, stderr, told};
use crate::words::{Line, last_lines, shortened};

/// A check that is over.
#[derive(Clone, Debug)]
pub struct Checked<'a> {
    pub facts: Facts,
    /// The bot as it was typed.
    pub word: &'a str,
    pub launch: Option<&'a Launch>,
    pub report: &'a CheckReport,
}

/// What whoever shows a check tells the bot's author.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckAdvice<'a> {
    /// What to try if it takes longer than the limit.
    pub on_slowness: &'a str,
    /// Where the lines are that are left out.
    pub elsewhere: &'a str,
}

impl Checked<'_> {
    /// What happened, of the turns so many and the one with the fault, and what is usually behind it.
    pub fn lines(&self, turns: u32, advice: &CheckAdvice<'_>) -> Vec<Line> {
        let mut lines = self.start();
        if let Some(played) = &self.report.played {
            lines.extend(self.introduction(played));
            let complaint = self.report.complaint.as_ref();
            let fault_turn = complaint.and_then(|complaint| complaint.turn);
            let was_ready = complaint.is_none_or(Complaint::is_in_match);
            for exchange in played.exchanges.iter().filter(|_| was_ready) {
                if exchange.turn <= turns || fault_turn == Some(exchange.turn) {
                    lines.extend(exchange_lines(played, exchange, advice.elsewhere));
                }
            }
            lines.push(Line::text(&played.report.closing));
            lines.extend(exit_words(played).map(Line::text));
        }
        lines.extend(self.ending().map(Line::text));
        let told = |one| Line::text(format!("warning: {}", warning(one)));
        lines.extend(self.report.warnings.iter().map(told));
        lines.push(Line::heading(self.summary()));
        if let Some(complaint) = &self.report.complaint {
            if let Some(played) = &self.report.played {
                let last = last_lines(&played.report.last_stderr[played.seat]);
                lines.extend(stderr(&last.join("\n")).into_iter().map(Line::text));
            }
            lines.push(Line::text("usual causes:"));
            let cause = |cause: String| Line::text(format!("  - {}", printable(&cause)));
            lines.extend(self.causes(complaint, advice).into_iter().map(cause));
        }
        lines
    }

    fn start(&self) -> Vec<Line> {
        let title = self.facts.title;
        let heading = Line::heading(format!("checking {} for {title}", printable(self.word)));
        let (Some(launch), Some(time)) = (self.launch, self.report.started_in) else {
            return vec![heading];
        };
        let command = command_line(launch);
        let folder = match &launch.folder {
            Some(folder) => format!(" in {}", folder.display()),
            None => String::new(),
        };
        let (command, time) = (printable(&command), milliseconds(time));
        vec![heading, Line::text(format!("started: {command}{folder}, in {time} ms"))]
    }

    fn introduction(&self, played: &Played) -> Vec<Line> {
        let in_words = |line: &IntroductionLine| match line {
            IntroductionLine::Sent { line, .. } => format!("  > {}", shortened(line)),
            IntroductionLine::Heard { line, at, .. } => {
                format!("  < {}  (after {} ms)", shortened(line), milliseconds(*at))
            }
        };
        let mut lines: Vec<String> = played.introduction.iter().map(in_words).collect();
        if self.facts.abilities.lobby && played.introduction.len() > 1 {
            let name = &played.report.wire_names[played.seat];
            lines.push(format!("introduced itself: it is called {}", printable(name)));
        }
        lines.into_iter().map(Line::text).collect()
    }

    fn summary(&self) -> String {
        match (&self.report.complaint, &self.report.played) {
            (Some(complaint), _) => {
                let turn = complaint.turn.map(|turn| format!(" in turn {turn}"));
                let wrong = wrong(complaint);
                format!("failed{}: {}", turn.unwrap_or_default(), printable(&wrong))
            }
            (None, Some(played)) => {
                let asked = count(played.exchanges.len(), "turn");
                format!("no fault in {asked}; {}", slowest(played))
            }
            (None, None) => "nothing was played".to_owned(),
        }
    }

    fn causes(&self, complaint: &Complaint, advice: &CheckAdvice<'_>) -> Vec<String> {
        let telling = Telling {
            answers: self.facts.answers,
            launch: self.launch,
            on_slowness: advice.on_slowness,
        };
        complaint.causes.iter().map(|one| cause(one, &telling)).collect()
    }

    fn ending(&self) -> Option<String> {
        let end = self.report.at_end_of_input.as_ref()?;
        let word = if end.has_ended { "ends by itself" } else { "has to be ended" };
        Some(format!("when its input ends it {word}"))
    }

    pub fn json(&self, advice: &CheckAdvice<'_>) -> Value {
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
        json!({
            "game": self.facts.id,
            "bot": self.word,
            "ok": complaint.is_none(),
            "summary": self.summary(),
            "command": self.launch.map(command_line),
            "folder": self.launch.and_then(|launch| launch.folder.clone()),
            "started_ms": self.report.started_in.map(milliseconds),
            "introduction": introduction.collect::<Value>(),
            "turns": played.map(turns),
            "fault": complaint.map(|complaint| json!({
                "turn": complaint.turn,
                "text": wrong(complaint),
                "causes": self.causes(complaint, advice),
            })),
            "warnings": warnings.iter().map(warning).collect::<Value>(),
            "exit": played.and_then(exit_words),
            "end_of_input": self.ending(),
        })
    }
}

fn turn_json(played: &Played, exchange: &Exchange) -> Value {
    let mut object = exchange::json(exchange);
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

fn exchange_lines(played: &Played, exchange: &Exchange, elsewhere: &str) -> Vec<Line> {
    let mut lines = vec![format!("turn {}: it was sent", exchange.turn)];
    lines.extend(told(&exchange.told, elsewhere));
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
    lines.push(format!("  < {}{time}{judgement}", answer(said, elsewhere)));
    lines.extend(exchange.notes.iter().map(|note| format!("    {note}")));
    lines.extend(stderr(&said.stderr));
    lines.into_iter().map(Line::text).collect()
}

/// How the bot left before it was ended.
fn exit_words(played: &Played) -> Option<String> {
    Some(match played.exit? {
        Exit::Code(code) => format!("it had ended with exit code {code}"),
        Exit::Signal(signal) => format!("it was ended by signal {signal}"),
        Exit::Closed => "it closed its connection".to_owned(),
        Exit::Limit(limit) => format!("it wanted {limit}"),
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

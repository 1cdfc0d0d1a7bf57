//! What each bot was sent and answered in a step of a recorded match, as lines to be shown.
//!
//! It is made when somebody looks at it, for a few steps around the one that is shown: all that is said in a
//! long match, with states of a hundred kilobytes a turn, would not fit into memory.

use std::ops::Range;

use quintain_core::{Item, PerSeat, printable};
use quintain_registry::{AnyGame, Exchange};
use quintain_replay::{Recording, RerunError};

/// How many steps are excerpt before and behind the one that is looked at. To leave them costs to play the match
/// again up to there.
const STEPS_BEFORE: usize = 8;
const STEPS_AFTER: usize = 24;
/// How much is excerpt of what was said to and by a seat in a step.
const BYTES_MAX: usize = 64 * 1024;

/// A replay that is asked what was said in it.
pub struct Conversation<'a> {
    game: &'static dyn AnyGame,
    recording: &'a mut dyn Recording,
    /// The first of the steps that are excerpt.
    first: usize,
    steps: Vec<PerSeat<Vec<Said>>>,
}

/// A line of what was said, or about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Heading(String),
    Line(String),
    /// Not said by anybody.
    Remark(String),
}

impl<'a> Conversation<'a> {
    pub fn new(game: &'static dyn AnyGame, recording: &'a mut dyn Recording) -> Conversation<'a> {
        Conversation { game, recording, first: 0, steps: Vec::new() }
    }

    /// What was said in a step, counted from 0.
    pub(crate) fn in_step(&mut self, step: usize) -> PerSeat<Vec<Said>> {
        if !(self.first..self.first + self.steps.len()).contains(&step) {
            let steps = step.saturating_sub(STEPS_BEFORE)..step + STEPS_AFTER;
            if let Err(error) = self.read(steps) {
                self.steps.clear();
                let remark = Said::Remark(format!("The replay cannot be read again: {error}"));
                return PerSeat::from_fn(|_| vec![remark.clone()]);
            }
        }
        let excerpt = step.checked_sub(self.first).and_then(|index| self.steps.get(index));
        excerpt.cloned().unwrap_or_default()
    }

    fn read(&mut self, steps: Range<usize>) -> Result<(), RerunError> {
        self.recording.rewind()?;
        self.first = steps.start;
        let excerpt = &mut self.steps;
        excerpt.clear();
        self.game.exchanges(self.recording, steps, &mut |asked| {
            excerpt.push(asked.map(|_, exchange| lines(exchange.as_ref())));
        })
    }
}

/// The answer first: what was sent may be long.
fn lines(exchange: Option<&Exchange>) -> Vec<Said> {
    let Some(Exchange { told, recorded, .. }) = exchange else {
        return vec![Said::Remark("was not asked".to_owned())];
    };
    let mut excerpt = Excerpt { lines: Vec::new(), room: BYTES_MAX, left_out: 0 };
    let time = recorded.wall.map(|wall| format!(" after {:.1} ms", 1e3 * wall.as_secs_f64()));
    excerpt.heading(&format!("answered{}", time.unwrap_or_default()));
    excerpt.texts(recorded.lines.iter().map(String::as_str));
    if let Some(fault) = &recorded.fault {
        excerpt.lines.push(Said::Remark(format!("it {fault}")));
    }
    if !recorded.ignored.is_empty() {
        let count = recorded.ignored.len();
        excerpt.lines.push(Said::Remark(format!("{count} of these lines without a meaning")));
    }
    for (heading, lines) in [
        ("before it was asked", recorded.early.iter().map(String::as_str).collect()),
        ("on its error output", recorded.stderr.lines().collect::<Vec<&str>>()),
    ] {
        if !lines.is_empty() {
            excerpt.heading(heading);
            excerpt.texts(lines.into_iter());
        }
    }
    excerpt.heading("was sent");
    if told.is_empty() {
        excerpt.lines.push(Said::Remark("nothing: it plays inside this program".to_owned()));
    }
    for item in told {
        match item {
            Item::Line(line) => excerpt.texts([line.as_str()].into_iter()),
            Item::File { path, bytes } => {
                excerpt.heading(&format!("file {path}, {} bytes", bytes.len()));
                excerpt.texts(String::from_utf8_lossy(bytes).lines());
            }
        }
    }
    excerpt.finish()
}

/// Lines as long as there is room for them.
struct Excerpt {
    lines: Vec<Said>,
    room: usize,
    left_out: usize,
}

impl Excerpt {
    fn heading(&mut self, text: &str) {
        self.lines.push(Said::Heading(printable(text).into_owned()));
    }

    fn texts<'t>(&mut self, lines: impl Iterator<Item = &'t str>) {
        for line in lines {
            if self.room == 0 {
                self.left_out += line.len();
                continue;
            }
            let end = line.floor_char_boundary(self.room);
            self.lines.push(Said::Line(printable(&line[..end]).into_owned()));
            self.left_out += line.len() - end;
            self.room = if end < line.len() { 0 } else { self.room - end };
        }
    }

    fn finish(mut self) -> Vec<Said> {
        if self.left_out > 0 {
            let rest = format!("… {} more bytes are not shown here", self.left_out);
            self.lines.push(Said::Remark(rest));
        }
        self.lines
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use quintain_core::Fault;
    use quintain_registry::Answered;

    use super::*;

    fn exchange(told: Vec<Item>, recorded: Answered) -> Exchange {
        Exchange {
            turn: 1,
            told,
            limit: Duration::ZERO,
            recorded,
            given: None,
            is_same: false,
            notes: Vec::new(),
            refusal: None,
        }
    }

    fn shown(exchange: &Exchange) -> Vec<String> {
        let text = |said| match said {
            Said::Heading(text) => format!("# {text}"),
            Said::Line(text) => text,
            Said::Remark(text) => format!("({text})"),
        };
        lines(Some(exchange)).into_iter().map(text).collect()
    }

    #[test]
    fn what_was_answered_stands_before_what_was_sent() {
        let recorded = Answered {
            lines: vec!["no\u{1b}rth".to_owned()],
            wall: Some(Duration::from_micros(1_250)),
            stderr: "depth 3\ndone\n".to_owned(),
            ..Answered::default()
        };
        let file = Item::File { path: "state.json".to_owned(), bytes: b"{\n}\n".to_vec() };
        assert_eq!(
            shown(&exchange(vec![Item::Line("your turn".to_owned()), file], recorded)),
            [
                "# answered after 1.2 ms",
                "no\u{fffd}rth",
                "# on its error output",
                "depth 3",
                "done",
                "# was sent",
                "your turn",
                "# file state.json, 4 bytes",
                "{",
                "}",
            ]
        );
    }

    #[test]
    fn a_seat_that_did_not_answer_or_was_not_asked_says_so() {
        let recorded = Answered { fault: Some(Fault::Late), ..Answered::default() };
        let late = shown(&exchange(Vec::new(), recorded));
        assert_eq!(late[0], "# answered");
        assert_eq!(late[1], format!("(it {})", Fault::Late));
        assert_eq!(lines(None), [Said::Remark("was not asked".to_owned())]);
    }

    #[test]
    fn what_is_kept_of_a_step_has_a_bound_and_says_what_is_missing() {
        let long = Item::Line("x".repeat(BYTES_MAX + 5));
        let said = shown(&exchange(vec![long, Item::Line("more".to_owned())], Answered::default()));
        let excerpt: usize = said.iter().map(String::len).sum();
        assert!(excerpt < BYTES_MAX + 200, "{excerpt}");
        assert_eq!(said.last().expect("a line"), "(… 9 more bytes are not shown here)");
    }
}

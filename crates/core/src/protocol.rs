//! The text around a game: what bots are told, and what their lines mean.

use serde::{Deserialize, Serialize};

use crate::{Elapsed, Game, Lobby, Outcome, ParseError, PerSeat, Seat};

/// Something sent to a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A line, without its line end.
    Line(String),
    /// A file, with its path inside the bot's folder.
    File { path: String, bytes: Vec<u8> },
}

/// What a protocol wants sent, in order across both seats.
#[derive(Clone, Debug, Default)]
pub struct Outbox(pub Vec<(Seat, Item)>, SpareLines);

/// Lines whose memory is used again: a question can be dozens of them, turn after turn.
#[derive(Clone, Debug, Default)]
struct SpareLines(Vec<String>);

/// Lines that are kept to be used again, and how much each of them may hold.
const SPARE_LINES_MAX: usize = 256;
const SPARE_LINE_BYTES_MAX: usize = 256;

impl Outbox {
    pub fn line(&mut self, seat: Seat, line: impl Into<String>) {
        self.0.push((seat, Item::Line(line.into())));
    }

    /// As [`Outbox::line`], of a text that stays where it is.
    pub fn copy_of_line(&mut self, seat: Seat, line: &str) {
        let mut copy = self.1.0.pop().unwrap_or_default();
        copy.push_str(line);
        self.line(seat, copy);
    }

    /// Forgets the first of what was to be sent. Copies of lines take the place of those that go.
    pub fn forget(&mut self, count: usize) {
        for (_, item) in self.0.drain(..count) {
            if let Item::Line(mut line) = item
                && line.capacity() <= SPARE_LINE_BYTES_MAX
                && self.1.0.len() < SPARE_LINES_MAX
            {
                line.clear();
                self.1.0.push(line);
            }
        }
    }

    pub fn file(&mut self, seat: Seat, path: impl Into<String>, bytes: Vec<u8>) {
        self.0.push((seat, Item::File { path: path.into(), bytes }));
    }
}

/// What is to be sent, alone.
impl PartialEq for Outbox {
    fn eq(&self, other: &Outbox) -> bool {
        self.0 == other.0
    }
}

impl Eq for Outbox {}

/// What a line meant.
#[derive(Clone, Debug, PartialEq)]
pub enum Intake<A> {
    /// Part of an answer; more lines belong to it.
    More,
    /// No answer, and no effect on the match.
    Ignored,
    /// Came before its time: heard again when the seat is asked.
    Later,
    Action(A),
    Malformed(ParseError),
}

impl<A> From<Result<A, ParseError>> for Intake<A> {
    fn from(read: Result<A, ParseError>) -> Intake<A> {
        match read {
            Ok(action) => Intake::Action(action),
            Err(error) => Intake::Malformed(error),
        }
    }
}

/// What ends a line that comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnds {
    /// LF, or CR LF.
    LfOrCrLf,
    /// CR, LF or CR LF.
    Any,
}

/// How lines are cut out of a stream of bytes and put into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Framing {
    pub line_ends_in: LineEnds,
    pub line_end_out: &'static str,
    /// A longer line ends the conversation.
    pub line_bytes_max: usize,
}

/// How a seat is told the state, in games that have a choice ([`Protocol::HAS_FILES`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Manner {
    /// Files in the bot's folder, then a line that names them.
    #[default]
    Files,
    /// Everything in lines.
    Lines,
    /// A person at the terminal: a picture in text, then a question.
    Console,
    /// A bot inside the process, which looks at the state itself: nothing is said.
    Inside,
}

/// What is settled before a match begins and not part of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The names used on the wire.
    pub names: PerSeat<String>,
    /// The number of the first numbered message; games without numbers start at 1.
    pub first_message_id: u64,
    /// Of no meaning for protocols without a choice.
    #[serde(default)]
    pub manners: PerSeat<Manner>,
}

impl Opening {
    /// The usual opening of a match between these.
    pub fn new(names: PerSeat<String>) -> Self {
        Opening { names, first_message_id: 1, manners: PerSeat::default() }
    }
}

/// A line machine without input or output, one per match. It sees views and events, never the
/// state, so hidden information cannot leak by mistake.
pub trait Protocol<G: Game>: Send + Sized + 'static {
    const FRAMING: Framing;
    /// What a person at the terminal can type, in a few words; empty if that cannot be said so.
    const ANSWERS: &'static str = "";
    /// Whether bots are told the state in files by default, so that there is a choice of
    /// [`Manner`].
    const HAS_FILES: bool = false;
    /// Whether a question takes so long to make that the next bot's is made while another one thinks.
    const LONG_QUESTIONS: bool = Self::HAS_FILES;
    /// Whether a missing answer costs a turn and not the match, so that a bot which left is asked
    /// to the end. This is so in the contests whose runners write files.
    const PLAYS_ON: bool = Self::HAS_FILES;

    fn new(opening: &Opening) -> Self;

    /// The dialogue before the match, if bots introduce themselves. `tables_max` limits how many
    /// matches run at the same time.
    fn lobby(_tables_max: Option<usize>) -> Option<Box<dyn Lobby>> {
        None
    }

    /// Said once, before the first prompt: usually nothing.
    fn start(&mut self, _views: &PerSeat<G::View>, _out: &mut Outbox) {}

    /// Said to a seat when it is asked for its next action.
    fn prompt(&mut self, seat: Seat, view: &G::View, out: &mut Outbox);

    /// Hears one line. `asked` is whether the seat's answer is awaited.
    fn hear(&mut self, seat: Seat, asked: bool, line: &str, out: &mut Outbox) -> Intake<G::Action>;

    /// Said after a step: usually nothing. Events are written for spectators, so a game with hidden
    /// information must say nothing here.
    fn tell(&mut self, _events: &[G::Event], _outcome: Option<&Outcome>, _out: &mut Outbox) {}

    /// The inverse of `hear`: the lines by which a bot would give this action.
    fn say(&self, view: &G::View, action: &G::Action) -> Vec<String>;

    /// The number that the next numbered message would have.
    fn next_message_id(&self) -> u64 {
        1
    }
}

/// A game with the text around it. A trait of its own, so that rules can be searched and tested without
/// any.
pub trait Spoken: Game {
    type Protocol: Protocol<Self>;
}

/// A house bot on the other side of the wire: it follows what the host says and answers.
pub trait Dialogue: Send {
    /// Takes one line from the host, which came so long ago; lines to send back are pushed.
    fn hear(&mut self, line: &str, elapsed: &mut Elapsed<'_>, out: &mut Vec<String>);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_a_line_holds_nothing_of_those_whose_memory_it_takes() {
        let mut out = Outbox::default();
        let long = "x".repeat(SPARE_LINE_BYTES_MAX + 1);
        out.file(Seat::First, "path", vec![1]);
        for line in ["first of all", "second", &long, "last"] {
            out.line(Seat::Second, line);
        }
        out.forget(4);
        assert_eq!(out.1.0, ["", ""], "a long line is not kept");
        for line in ["third", "a fourth one, of some length", ""] {
            out.copy_of_line(Seat::First, line);
        }
        let mut expected = Outbox::default();
        expected.line(Seat::Second, "last");
        for line in ["third", "a fourth one, of some length", ""] {
            expected.line(Seat::First, line);
        }
        assert_eq!(out, expected);
    }

    #[test]
    fn no_more_lines_are_kept_than_a_question_has() {
        let mut out = Outbox::default();
        for _ in 0..2 * SPARE_LINES_MAX {
            out.line(Seat::First, "line");
        }
        out.forget(2 * SPARE_LINES_MAX);
        assert_eq!((out.0.len(), out.1.0.len()), (0, SPARE_LINES_MAX));
    }
}

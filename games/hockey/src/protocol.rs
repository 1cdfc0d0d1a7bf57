//! Every sentence that crosses the wire, and the dialogue during a match.
//!
//! The sentences are those that the contest's bots rely on: they count words from the end, take the
//! second-last letter of the welcome, or look for `is active player` anywhere in a line. None of
//! them may change by a blank.

use std::fmt::{self, Write as _};

use quintain_core::{
    Framing, Intake, Item, LineEnds, Lobby, Opening, Outbox, Outcome, PerSeat, Protocol, Seat,
    Spoken,
};

use crate::{Direction, Ending, Event, Hockey, HockeyLobby, Node, View};

/// The protocol of one match. It numbers its messages across both seats and needs to know nothing
/// of the position.
#[derive(Clone, Debug)]
pub struct Wire {
    names: PerSeat<String>,
    next_message_id: u64,
}

impl Spoken for Hockey {
    type Protocol = Wire;
}

impl Protocol<Hockey> for Wire {
    /// The original takes only CR LF for the end of a line; telnet and real bots differ, so LF
    /// alone is taken as well.
    const FRAMING: Framing =
        Framing { line_ends_in: LineEnds::LfOrCrLf, line_end_out: "\r\n", line_bytes_max: 16384 };

    const ANSWERS: &'static str =
        "north, north east, east, south east, south, south west, west or north west";

    fn new(opening: &Opening) -> Self {
        Wire { names: opening.names.clone(), next_message_id: opening.first_message_id }
    }

    fn lobby(tables_max: Option<usize>) -> Option<Box<dyn Lobby>> {
        Some(Box::new(HockeyLobby::with_tables(tables_max)))
    }

    fn start(&mut self, views: &PerSeat<View>, out: &mut Outbox) {
        for seat in Seat::BOTH {
            self.send(seat, &Sentence::GameIsOn, out);
        }
        for (seat, view) in views.iter() {
            self.send(seat, &Sentence::BallIsAt(view.board.puck()), out);
        }
        for seat in Seat::BOTH {
            self.send(seat, &Sentence::YourGoalIs(seat), out);
        }
    }

    fn prompt(&mut self, seat: Seat, _view: &View, out: &mut Outbox) {
        let name = self.names[seat].clone();
        self.send(seat, &Sentence::IsActive(&name), out);
    }

    /// A direction of the seat that is asked is its throw. Everything else is answered at once and
    /// costs nothing.
    fn hear(&mut self, seat: Seat, asked: bool, line: &str, out: &mut Outbox) -> Intake<Direction> {
        match read_direction(line) {
            Some(direction) if asked => Intake::Action(direction),
            Some(direction) => {
                self.send(seat, &Sentence::Ignoring(direction), out);
                Intake::Ignored
            }
            None => {
                out.line(seat, INVALID_ACTION);
                Intake::Ignored
            }
        }
    }

    /// A throw that ends the game is not announced as a throw.
    fn tell(&mut self, events: &[Event], _outcome: Option<&Outcome>, out: &mut Outbox) {
        for event in events {
            match *event {
                Event::Threw { seat, direction, next: Some(next), .. } => {
                    let name = self.names[seat].clone();
                    for to in [next, next.other()] {
                        self.send(to, &Sentence::DidGo(&name, direction), out);
                    }
                }
                Event::Threw { next: None, .. } => {}
                Event::Refused { seat, .. } => self.send(seat, &Sentence::InvalidMove, out),
                Event::Ended { ending, last } => self.tell_ending(ending, last, out),
            }
        }
    }

    fn say(&self, _view: &View, action: &Direction) -> Vec<String> {
        vec![action.word().to_owned()]
    }

    fn next_message_id(&self) -> u64 {
        self.next_message_id
    }
}

impl Wire {
    /// The one who did not throw last hears of it first; after a time-out that is the loser too.
    fn tell_ending(&mut self, ending: Ending, last: Seat, out: &mut Outbox) {
        let Some(winner) = ending.winner() else {
            return;
        };
        let first = match ending {
            Ending::Goal { .. } | Ending::Checkmate { .. } => last.other(),
            Ending::Timeout { .. } | Ending::NeverReady { .. } | Ending::NobodyReady => last,
        };
        let name = self.names[winner].clone();
        for to in [first, first.other()] {
            self.send(to, &Sentence::Won(&name, ending), out);
        }
    }

    fn send(&mut self, seat: Seat, sentence: &Sentence<'_>, out: &mut Outbox) {
        out.0.push((seat, Item::Line(sentence.numbered(self.next_message_id))));
        self.next_message_id += 1;
    }
}

/// The question to every client that connects.
pub(crate) const WHATS_YOUR_NAME: &str = "What's your name?";
pub(crate) const NAME_TAKEN: &str = "Name taken, please choose another.";
/// The answer to a word that is no direction. It has no number.
pub(crate) const INVALID_ACTION: &str = "Invalid action";

/// What clients look for anywhere in a line, in small letters.
const TELLING_PARTS: [&str; 12] = [
    "what's your name",
    "name taken",
    "name not allowed",
    "welcome, ",
    "game is on",
    "ball is at",
    "your goal is",
    "is active player",
    "invalid move",
    "invalid action",
    "ignoring action",
    "you're player",
];
/// The same, but words behind a name, which may be a part of others: candid golfers keep theirs.
const TELLING_WORDS: [&str; 2] = [" did go ", " won "];

/// Whether a name could make a client, or a person, take a line for another message than it is.
pub(crate) fn reads_like_a_message(name: &str) -> bool {
    let name = format!("{} ", name.to_lowercase());
    TELLING_PARTS.iter().chain(&TELLING_WORDS).any(|part| name.contains(part))
}

/// The number is the seat that the client has or will have.
pub(crate) fn welcome(name: &str, seat: Seat) -> String {
    format!("Welcome, {name} you're player {}!", seat.index())
}

/// The inverse of [`welcome`] for a client that knows its name.
pub(crate) fn read_welcome(line: &str, name: &str) -> Option<Seat> {
    Seat::BOTH.into_iter().find(|&seat| line == welcome(name, seat))
}

/// The original lowers the whole line and compares; it trims nothing.
pub(crate) fn read_direction(line: &str) -> Option<Direction> {
    Direction::from_word(&line.to_lowercase())
}

/// What a game says, each with a number at its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sentence<'a> {
    GameIsOn,
    BallIsAt(Node),
    /// The net in which the seat scores.
    YourGoalIs(Seat),
    IsActive(&'a str),
    DidGo(&'a str, Direction),
    InvalidMove,
    Ignoring(Direction),
    Won(&'a str, Ending),
}

/// Room for most sentences with names of usual length, so that a line is made in one piece.
const LINE_BYTES: usize = 64;

impl Sentence<'_> {
    pub(crate) fn numbered(&self, id: u64) -> String {
        let mut line = String::with_capacity(LINE_BYTES);
        write!(line, "{self} - {id}").expect("a string takes every text");
        line
    }
}

impl fmt::Display for Sentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sentence::GameIsOn => f.write_str(GAME_IS_ON),
            Sentence::BallIsAt(node) => write!(f, "{BALL_IS_AT}({}, {})", node.x(), node.y()),
            Sentence::YourGoalIs(Seat::First) => f.write_str("your goal is north"),
            Sentence::YourGoalIs(Seat::Second) => f.write_str("your goal is south"),
            Sentence::IsActive(name) => write!(f, "{name}{IS_ACTIVE}"),
            Sentence::DidGo(name, direction) => write!(f, "{name}{DID_GO}{direction}"),
            Sentence::InvalidMove => f.write_str(INVALID_MOVE),
            Sentence::Ignoring(direction) => write!(f, "ignoring action {direction}"),
            Sentence::Won(name, ending) => write!(f, "{name} won {}", ending_text(*ending)),
        }
    }
}

/// The end of the winning message. Endings that the document's game does not have, made by clock or
/// host, stand behind a colon, as the original's time-out does.
pub(crate) fn ending_text(ending: Ending) -> String {
    match ending {
        Ending::Goal { .. } | Ending::Checkmate { .. } => ending.reason().to_owned(),
        Ending::Timeout { .. } | Ending::NeverReady { .. } | Ending::NobodyReady => {
            format!(": {}", ending.reason())
        }
    }
}

const GAME_IS_ON: &str = "Game is on";
const BALL_IS_AT: &str = "ball is at ";
const INVALID_MOVE: &str = "invalid move";
const IS_ACTIVE: &str = " is active player";
const DID_GO: &str = " did go ";

/// What a numbered line asks of a player, read by the far side of the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    GameIsOn,
    BallIsAt(Node),
    /// Somebody threw.
    DidGo(Direction),
    /// The player of this name is to throw.
    YourTurn,
    InvalidMove,
}

/// Reads from the end of the line, since names can hold any text, sentences of this protocol
/// included. Lines that ask nothing are `None`.
pub(crate) fn read_notice(line: &str, name: &str) -> Option<Notice> {
    let (sentence, id) = line.rsplit_once(" - ")?;
    id.parse::<u64>().ok()?;
    match sentence {
        GAME_IS_ON => return Some(Notice::GameIsOn),
        INVALID_MOVE => return Some(Notice::InvalidMove),
        _ => {}
    }
    if sentence.strip_suffix(IS_ACTIVE) == Some(name) {
        return Some(Notice::YourTurn);
    }
    if sentence.starts_with(BALL_IS_AT) {
        let ball = Node::all().find(|&node| sentence == Sentence::BallIsAt(node).to_string());
        return ball.map(Notice::BallIsAt);
    }
    let (_thrower, word) = sentence.rsplit_once(DID_GO)?;
    Direction::from_word(word).map(Notice::DidGo)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

    fn wire() -> Wire {
        let names = PerSeat(["Bob".to_owned(), "Malory".to_owned()]);
        Wire::new(&Opening::new(names))
    }

    #[test]
    fn what_a_bot_says_is_heard_again() {
        let mut wire = wire();
        for seat in Seat::BOTH {
            let view = View { board: Board::START, seat };
            for direction in Direction::ALL {
                let lines = wire.say(&view, &direction);
                assert_eq!(lines.len(), 1);
                let mut out = Outbox::default();
                let intake = wire.hear(seat, true, &lines[0], &mut out);
                assert_eq!(intake, Intake::Action(direction));
                assert!(out.0.is_empty());
            }
        }
    }

    #[test]
    fn only_exact_words_are_directions_in_any_case() {
        assert_eq!(read_direction("NORTH East"), Some(Direction::NorthEast));
        let no_directions = [
            "",
            " north",
            "north ",
            "north\r",
            "north\t",
            "northeast",
            "north  east",
            "north-east",
            "nord",
            "o",
            "ball",
            "north\u{fffd}",
            "ＮＯＲＴＨ",
        ];
        for line in no_directions {
            assert_eq!(read_direction(line), None, "{line:?}");
        }
    }

    #[test]
    fn every_message_would_be_known_as_one_in_a_name() {
        let ending = Ending::Timeout { winner: Seat::First };
        let sentences = [
            Sentence::GameIsOn,
            Sentence::BallIsAt(Board::START.puck()),
            Sentence::YourGoalIs(Seat::Second),
            Sentence::IsActive("Bob"),
            Sentence::DidGo("Bob", Direction::North),
            Sentence::InvalidMove,
            Sentence::Ignoring(Direction::West),
            Sentence::Won("Bob", ending),
        ];
        let numbered = sentences.map(|sentence| sentence.numbered(5));
        let unnumbered = [WHATS_YOUR_NAME, NAME_TAKEN, INVALID_ACTION, "Welcome, Bob"];
        for message in numbered.iter().map(String::as_str).chain(unnumbered) {
            assert!(reads_like_a_message(message), "{message}");
            assert!(reads_like_a_message(&format!("a {} b", message.to_uppercase())), "{message}");
        }
        for name in
            ["", "Bob", "north", "candid golfer", "wonder", "won a goal", "{} d'équipe", "a b  c"]
        {
            assert!(!reads_like_a_message(name), "{name}");
        }
    }

    #[test]
    fn notices_are_read_whatever_the_names_are() {
        let check = |sentence: Sentence<'_>, expected| {
            assert_eq!(read_notice(&sentence.numbered(8), "Bob"), expected, "{sentence:?}");
        };
        check(Sentence::GameIsOn, Some(Notice::GameIsOn));
        check(Sentence::InvalidMove, Some(Notice::InvalidMove));
        check(Sentence::IsActive("Bob"), Some(Notice::YourTurn));
        check(Sentence::IsActive("Malory"), None);
        check(Sentence::BallIsAt(Node::CENTRE), Some(Notice::BallIsAt(Node::CENTRE)));
        check(Sentence::YourGoalIs(Seat::First), None);
        check(Sentence::Ignoring(Direction::North), None);
        check(Sentence::Won("Bob", Ending::Timeout { winner: Seat::First }), None);
        let names = ["Bob", "", "x did go west", "Bob is active player - 5", "Game is on - 1"];
        for direction in Direction::ALL {
            for name in names {
                check(Sentence::DidGo(name, direction), Some(Notice::DidGo(direction)));
            }
        }
        for line in ["", " - ", "Game is on", "Game is on - ", "Game is on - x", " did go  - 1"] {
            assert_eq!(read_notice(line, "Bob"), None, "{line:?}");
        }
    }

    #[test]
    fn the_welcome_tells_the_seat() {
        for seat in Seat::BOTH {
            assert_eq!(read_welcome(&welcome("a b", seat), "a b"), Some(seat));
        }
        assert_eq!(read_welcome("Welcome, a b you're player 2!", "a b"), None);
    }
}

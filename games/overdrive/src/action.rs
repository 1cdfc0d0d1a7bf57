//! What a player can command, and what can be wrong with a command.

use std::fmt;

use quintain_core::{java_int, java_upper_is};

use crate::{Place, Powerup};

/// A player's command for a round, in the document's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Nothing,
    Accelerate,
    Decelerate,
    TurnLeft,
    TurnRight,
    UseBoost,
    UseOil,
    UseLizard,
    UseTweet(Tweet),
    UseEmp,
    Fix,
    /// A text that is no command.
    Unreadable(Unreadable),
}

/// Where a tweet wants a truck. Any number can be written; the rules say which is on the track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tweet {
    pub lane: i32,
    pub block: i32,
}

/// Why a text is no command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// There is no text.
    Empty,
    /// The first word is no command.
    Word,
    /// A tweet without two numbers.
    Place,
}

impl Action {
    /// The commands without arguments, with the document's words.
    const WORDS: [(&'static str, Action); 10] = [
        ("NOTHING", Action::Nothing),
        ("ACCELERATE", Action::Accelerate),
        ("DECELERATE", Action::Decelerate),
        ("TURN_LEFT", Action::TurnLeft),
        ("TURN_RIGHT", Action::TurnRight),
        ("USE_BOOST", Action::UseBoost),
        ("USE_OIL", Action::UseOil),
        ("USE_LIZARD", Action::UseLizard),
        ("USE_EMP", Action::UseEmp),
        ("FIX", Action::Fix),
    ];
    const TWEET: &'static str = "USE_TWEET";
    /// The document's prose calls NOTHING so.
    const DO_NOTHING: &'static str = "DO_NOTHING";

    /// Reads what follows the prefix of an answer, as the original's runner and parser do together:
    /// the first piece between semicolons that is not blank, in any case; words are parted by single
    /// blanks, and only a tweet looks beyond the first.
    pub fn read(text: &str) -> Action {
        // Java's trim takes everything up to the blank for white space, and nothing beyond.
        let mut pieces = text.split(';').map(|piece| piece.trim_matches(|c| c <= ' '));
        let Some(command) = pieces.find(|piece| !piece.is_empty()) else {
            return Action::Unreadable(Unreadable::Empty);
        };
        let mut words = command.split(' ');
        let word = words.next().unwrap_or_default();
        let same = |known: &str| java_upper_is(word, known);
        if same(Action::TWEET) {
            return read_tweet(words)
                .map_or(Action::Unreadable(Unreadable::Place), Action::UseTweet);
        }
        let known = Action::WORDS.iter().find(|(word, _)| same(word));
        match known {
            Some(&(_, action)) => action,
            None if same(Action::DO_NOTHING) => Action::Nothing,
            None => Action::Unreadable(Unreadable::Word),
        }
    }

    /// The powerup that the command uses.
    pub const fn powerup(self) -> Option<Powerup> {
        match self {
            Action::UseBoost => Some(Powerup::Boost),
            Action::UseOil => Some(Powerup::Oil),
            Action::UseLizard => Some(Powerup::Lizard),
            Action::UseTweet(_) => Some(Powerup::Tweet),
            Action::UseEmp => Some(Powerup::Emp),
            _ => None,
        }
    }

    pub const fn tweet(place: Place) -> Action {
        Action::UseTweet(Tweet { lane: place.lane as i32, block: place.block as i32 })
    }
}

fn read_tweet<'a>(mut arguments: impl Iterator<Item = &'a str>) -> Option<Tweet> {
    let lane = java_int(arguments.next()?)?;
    let block = java_int(arguments.next()?)?;
    Some(Tweet { lane, block })
}

/// The text of the command; [`Action::read`] reads it back.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::UseTweet(tweet) => {
                write!(f, "{} {} {}", Action::TWEET, tweet.lane, tweet.block)
            }
            Action::Unreadable(Unreadable::Empty) => Ok(()),
            Action::Unreadable(Unreadable::Word) => f.write_str("UNKNOWN"),
            Action::Unreadable(Unreadable::Place) => f.write_str(Action::TWEET),
            action => {
                let known = Action::WORDS.iter().find(|(_, known)| known == action);
                f.write_str(known.map_or("", |(word, _)| word))
            }
        }
    }
}

/// Why a command is invalid. It acts as NOTHING, except for the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invalid {
    /// No answer in time, or nobody there to give one.
    Missing,
    Unreadable(Unreadable),
    /// A tweet to a place that is not on the track.
    OffTrack,
    /// A powerup that the car does not have.
    NotHeld(Powerup),
    /// A turn out of the track: the lane is kept and the way is a block shorter.
    TurnOffTrack,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Invalid::Missing => f.write_str("no command"),
            Invalid::Unreadable(Unreadable::Empty) => f.write_str("an empty command"),
            Invalid::Unreadable(Unreadable::Word) => f.write_str("an unknown command"),
            Invalid::Unreadable(Unreadable::Place) => f.write_str("a tweet without a place"),
            Invalid::OffTrack => f.write_str("a tweet to a place that is not on the track"),
            Invalid::NotHeld(powerup) => write!(f, "has no {}", powerup.name()),
            Invalid::TurnOffTrack => f.write_str("a turn out of the track"),
        }
    }
}

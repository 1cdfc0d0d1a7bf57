//! What a plain game needs no code of its own for: a config of one number, turns in which every error
//! loses, and the lines of a match in which a question is some lines and an answer is one.

use std::marker::PhantomData;
use std::num::NonZeroU32;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::scene::{CAPTION_LETTERS_MAX, Mark, Scene, Viewing, deeds_line, ending, order_of};
use crate::{
    Fault, Framing, Intake, Notation, Opening, Outbox, Outcome, PerSeat, Protocol, Replies, Reply,
    Seat, Setting, Sink, Spectate, Unit, codingame,
};

/// The config of a game in which nothing but the time for an answer can be chosen: a second, unless
/// something else is wished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnswerTime {
    pub time_limit_ms: NonZeroU32,
}

impl Default for AnswerTime {
    fn default() -> Self {
        AnswerTime { time_limit_ms: NonZeroU32::new(1000).expect("it is not 0") }
    }
}

impl AnswerTime {
    pub const SETTINGS: &'static [Setting] = &[Setting {
        name: "limit",
        path: "time_limit_ms",
        raises: None,
        unit: Unit::Time { least_ms: 1 },
        help: "time for an answer",
    }];

    pub fn limit(self) -> Duration {
        Duration::from_millis(u64::from(self.time_limit_ms.get()))
    }
}

/// What happens in a game in which a turn is one action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainEvent<A> {
    Played {
        seat: Seat,
        action: A,
    },
    /// An answer without meaning or against the rules.
    Refused {
        seat: Seat,
    },
    Ended,
}

impl<A> PlainEvent<A> {
    /// For [`Game::refused`](crate::Game::refused).
    pub fn refused(&self) -> Option<Seat> {
        match self {
            PlainEvent::Refused { seat } => Some(*seat),
            PlainEvent::Played { .. } | PlainEvent::Ended => None,
        }
    }

    /// For [`Spectate::describe`]: `what` says what an action does, such as
    /// "takes 2".
    pub fn describe(&self, names: &PerSeat<String>, what: impl FnOnce(&A) -> String) -> String {
        match self {
            PlainEvent::Played { seat, action } => format!("{} {}", names[*seat], what(action)),
            PlainEvent::Refused { seat } => format!("{} may not do that", names[*seat]),
            PlainEvent::Ended => String::new(),
        }
    }

    /// For [`Spectate::mark`].
    pub fn mark(&self) -> Option<Mark> {
        matches!(self, PlainEvent::Ended).then_some(Mark::common("end"))
    }
}

/// What an action leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequence {
    /// Nothing: it is against the rules, and the position is as it was.
    Illegal,
    GoesOn,
    Ends(Outcome),
}

/// A turn of the seat that was asked, in a game in which whoever answers against the rules or not at all
/// has lost. `play` plays its action. Returns the end of the match, if this is it.
///
/// # Panics
/// If the seat was not asked.
pub fn plain_turn<A: Clone>(
    replies: &Replies<A>,
    seat: Seat,
    events: &mut impl Sink<PlainEvent<A>>,
    play: impl FnOnce(&A) -> Consequence,
) -> Option<Outcome> {
    let consequence = match replies[seat].as_ref().expect("the player whose turn it is was asked") {
        Reply::Act(action) => {
            let consequence = play(action);
            if consequence != Consequence::Illegal {
                events.emit(PlainEvent::Played { seat, action: action.clone() });
            }
            consequence
        }
        Reply::Fault(Fault::Malformed(_)) => Consequence::Illegal,
        Reply::Fault(_) => Consequence::Ends(Outcome::disqualified(seat, "no answer")),
    };
    let outcome = match consequence {
        Consequence::GoesOn => return None,
        Consequence::Ends(outcome) => outcome,
        Consequence::Illegal => {
            events.emit(PlainEvent::Refused { seat });
            Outcome::disqualified(seat, "illegal answer")
        }
    };
    events.emit(PlainEvent::Ended);
    Some(outcome)
}

/// The words of a picture: what was done, and how the match ended or who is `to_do` something.
pub fn plain_words<G: Spectate + Notation>(
    game: &G,
    watch: &Viewing<'_, G>,
    to_do: &str,
    scene: &mut Scene,
) {
    let names = watch.names;
    scene.deeds = PerSeat::from_fn(|seat| order_of(watch.replies[seat].as_ref(), G::write));
    scene.caption = match (game.outcome(), game.to_act().single()) {
        (Some(outcome), _) => ending(game, &outcome, names, "nobody wins"),
        (None, to_act) => {
            let next = to_act.map(|seat| format!("{} {to_do}", names[seat]));
            let done = deeds_line(&scene.deeds, names, CAPTION_LETTERS_MAX);
            let told = [done, next.unwrap_or_default()];
            told.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
        }
    };
}

/// A game whose bots are told some lines when they are asked and answer with one.
pub trait Plain: Notation {
    /// What a person at the terminal can type, in a few words.
    const ANSWERS: &'static str;

    /// What a seat is told when it is asked.
    fn question(view: &Self::View) -> Vec<String>;
}

/// The protocol of a [`Plain`] game, with the line ends and limits of [`codingame`].
#[derive(Clone, Copy, Debug)]
pub struct PlainWire<G> {
    game: PhantomData<fn() -> G>,
}

impl<G: Plain> Protocol<G> for PlainWire<G> {
    const FRAMING: Framing = codingame::FRAMING;
    const ANSWERS: &'static str = G::ANSWERS;

    fn new(_opening: &Opening) -> Self {
        PlainWire { game: PhantomData }
    }

    fn prompt(&mut self, seat: Seat, view: &G::View, out: &mut Outbox) {
        for line in G::question(view) {
            out.line(seat, line);
        }
    }

    fn hear(&mut self, _: Seat, asked: bool, line: &str, _: &mut Outbox) -> Intake<G::Action> {
        if asked { G::read(line).into() } else { Intake::Later }
    }

    fn say(&self, _: &G::View, action: &G::Action) -> Vec<String> {
        vec![G::write(action)]
    }
}

//! The wire of a game in rounds: its state in the manner of each seat, and a prefixed command back.

use std::fmt::Debug;

use serde_json::Value;

use super::{FRAMING, Prefix, Rendering, RoundDialogue, into_text, prefixed};
use crate::{Dialogue, Elapsed, Framing, Intake, Notation, Opening, Outbox, Protocol, Seat};

/// A game in rounds, whose bots are told the state in files or in lines.
pub trait Rounds: Notation {
    /// What a person at the terminal can type, in a few words.
    const ANSWERS: &'static str;

    /// Parts of states that are written once in a match and copied from then on.
    type Texts: Clone + Debug + Default + Send;

    /// Who is asked by a view, and for what.
    fn asked(view: &Self::View) -> Asked;

    /// What a seat is shown.
    fn sheet<'a>(view: &'a Self::View, texts: &'a mut Self::Texts) -> impl Rendering + 'a;

    /// What a seat is shown at this position, in the form that `write` asks for.
    fn shown(&self, seat: Seat, write: impl FnOnce(&mut dyn Rendering, &mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut Self::sheet(&self.view(seat), &mut Self::Texts::default()), &mut out);
        into_text(out)
    }
}

/// A question: whose command is wanted, for which round, and where its prefix may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    pub seat: Seat,
    pub round: u32,
    pub prefix: Prefix,
}

/// The object of `state.json`, for whoever wants data.
pub fn state_value<G: Rounds>(view: &G::View) -> Value {
    let mut json = Vec::new();
    G::sheet(view, &mut G::Texts::default()).json(&mut json);
    serde_json::from_slice(&json).expect("state.json is JSON")
}

/// The protocol of one match. Nothing is said before the first round or after one.
#[derive(Clone, Debug)]
pub struct RoundWire<G: Rounds> {
    talk: RoundDialogue,
    texts: G::Texts,
}

impl<G: Rounds> Protocol<G> for RoundWire<G> {
    const FRAMING: Framing = FRAMING;
    const ANSWERS: &'static str = G::ANSWERS;
    const HAS_FILES: bool = true;

    fn new(opening: &Opening) -> Self {
        RoundWire { talk: RoundDialogue::new(opening), texts: G::Texts::default() }
    }

    fn prompt(&mut self, _: Seat, view: &G::View, out: &mut Outbox) {
        self.talk.tell(G::asked(view), &mut G::sheet(view, &mut self.texts), out);
    }

    /// A line without the prefix of its round is no answer, whatever it says.
    fn hear(&mut self, seat: Seat, asked: bool, line: &str, _: &mut Outbox) -> Intake<G::Action> {
        match self.talk.command(seat, asked, line) {
            Some(command) => G::read(command).into(),
            None => Intake::Ignored,
        }
    }

    fn say(&self, view: &G::View, action: &G::Action) -> Vec<String> {
        vec![self.talk.say(G::asked(view).seat, &G::write(action))]
    }
}

/// A bot on the far side of the wire: it is told the number of a round, then its state in one line.
pub struct RoundClient<F> {
    /// The command for a round and its state, or nothing if that is no state.
    answer: F,
    /// The round whose state comes next.
    round: Option<u32>,
}

impl<F: FnMut(u32, &str, &mut Elapsed<'_>) -> Option<String>> RoundClient<F> {
    pub fn new(answer: F) -> Self {
        RoundClient { answer, round: None }
    }
}

impl<F> Dialogue for RoundClient<F>
where
    F: FnMut(u32, &str, &mut Elapsed<'_>) -> Option<String> + Send,
{
    fn hear(&mut self, line: &str, elapsed: &mut Elapsed<'_>, out: &mut Vec<String>) {
        let Some(round) = self.round.take() else {
            self.round = line.parse().ok();
            return;
        };
        if let Some(command) = (self.answer)(round, line, elapsed) {
            out.push(prefixed(round, &command));
        }
    }
}

//! The conversation with a bot: the round's state in its manner, and its prefixed command.

use std::cell::RefCell;

use quintain_core::entelect::{self, RoundDialogue};
use quintain_core::{
    Framing, Intake, Notation, Opening, Outbox, ParseError, Protocol, Seat, Spoken,
};
use serde::Serialize;

use crate::action::Action;
use crate::command;
use crate::rows::RowTexts;
use crate::rules::Worms;
use crate::sheet::Sheet;
use crate::view::View;

/// The protocol of one match.
#[derive(Clone, Debug)]
pub struct Wire {
    talk: RoundDialogue,
    /// Both seats see the same map, so they share its texts.
    rows: RefCell<RowTexts>,
}

impl Spoken for Worms {
    type Protocol = Wire;
}

/// The commands of the wire without their prefix, and `state.json`.
impl Notation for Worms {
    fn write(_view: &View, action: &Action) -> String {
        command::write(action)
    }

    /// Every text has a meaning; what is wrong with it is a matter of the rules.
    fn read(_view: &View, text: &str) -> Result<Action, ParseError> {
        Ok(command::read(text))
    }

    fn data(view: &View) -> impl Serialize {
        entelect::state_value(&Sheet { view, rows: RefCell::default() })
    }
}

impl Protocol<Worms> for Wire {
    const FRAMING: Framing = entelect::FRAMING;
    const ANSWERS: &'static str =
        "move x y, dig x y, shoot N, banana x y, snowball x y, nothing, select n;command";
    const HAS_FILES: bool = true;

    fn new(opening: &Opening) -> Self {
        Wire { talk: RoundDialogue::new(opening), rows: RefCell::default() }
    }

    fn prompt(&mut self, seat: Seat, view: &View, out: &mut Outbox) {
        let sheet = Sheet { view, rows: &self.rows };
        self.talk.tell(seat, view.round, view.prefix(), &sheet, out);
    }

    /// Every text after the prefix is an answer; what is wrong with it is a matter of the rules.
    fn hear(&mut self, seat: Seat, asked: bool, line: &str, _out: &mut Outbox) -> Intake<Action> {
        match self.talk.command(seat, asked, line) {
            Some(text) => Intake::Action(command::read(text)),
            None => Intake::Ignored,
        }
    }

    fn say(&self, view: &View, action: &Action) -> Vec<String> {
        vec![self.talk.say(view.seat, &command::write(action))]
    }
}

//! The wire: state files and round numbers out, `C;<round>;<command>` in.

use quintain_core::entelect::{self, RoundDialogue};
use quintain_core::{
    Framing, Intake, Notation, Opening, Outbox, ParseError, Protocol, Seat, Spoken,
};
use serde::Serialize;

use crate::render::{ANSWERS, BlockTexts, Sheet};
use crate::view::Numbers;
use crate::{Action, Overdrive, Surface, View};

/// The protocol of one match. Nothing is said before the first round or after one.
#[derive(Clone, Debug)]
pub struct Wire {
    talk: RoundDialogue,
    texts: BlockTexts,
}

impl Spoken for Overdrive {
    type Protocol = Wire;
}

/// The commands of the wire without their prefix, and `state.json`.
impl Notation for Overdrive {
    fn write(_view: &View, action: &Action) -> String {
        action.to_string()
    }

    /// Every text is an answer, perhaps one that is no command.
    fn read(_view: &View, text: &str) -> Result<Action, ParseError> {
        Ok(Action::read(text))
    }

    fn data(view: &View) -> impl Serialize {
        entelect::state_value(&Sheet { view, texts: BlockTexts::new(view.numbers) })
    }
}

impl Protocol<Overdrive> for Wire {
    const FRAMING: Framing = entelect::FRAMING;
    const ANSWERS: &'static str = ANSWERS;
    const HAS_FILES: bool = true;

    fn new(opening: &Opening) -> Self {
        Wire { talk: RoundDialogue::new(opening), texts: BlockTexts::new(Numbers::USUAL) }
    }

    fn prompt(&mut self, seat: Seat, view: &View, out: &mut Outbox) {
        self.texts.suit(view.numbers);
        let sheet = Sheet { view, texts: &self.texts };
        self.talk.tell(seat, view.round, view.prefix, &sheet, out);
    }

    /// Any text after the prefix is an answer, perhaps one that is no command.
    fn hear(&mut self, seat: Seat, asked: bool, line: &str, _out: &mut Outbox) -> Intake<Action> {
        match self.talk.command(seat, asked, line) {
            Some(command) => Intake::Action(Action::read(command)),
            None => Intake::Ignored,
        }
    }

    fn say(&self, view: &View, action: &Action) -> Vec<String> {
        vec![self.talk.say(view.seat, &action.to_string())]
    }
}

impl Numbers {
    /// The original's.
    pub const USUAL: Numbers = Numbers { surfaces: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], no_car: 0 };

    /// The surface of that number.
    pub fn surface(&self, number: u64) -> Option<Surface> {
        let known = self.surfaces.iter().position(|&known| u64::from(known) == number)?;
        Surface::ALL.get(known).copied()
    }
}

//! The wire: state files and round numbers out, `C;<round>;<command>` in.

use quintain_core::entelect::{Asked, Rendering, RoundWire, Rounds, state_value};
use quintain_core::{Game as _, Notation, ParseError, Seat, Spoken, Suggestion};
use serde::Serialize;

use crate::render::{ANSWERS, BlockTexts, Sheet};
use crate::suggest::suggest;
use crate::view::Numbers;
use crate::{Action, Overdrive, Surface, View};

/// The protocol of one match.
pub type Wire = RoundWire<Overdrive>;

impl Spoken for Overdrive {
    type Protocol = Wire;
}

/// The commands of the wire without their prefix, and `state.json`.
impl Notation for Overdrive {
    fn write(action: &Action) -> String {
        action.to_string()
    }

    /// Every text is an answer, perhaps one that is no command.
    fn read(text: &str) -> Result<Action, ParseError> {
        Ok(Action::read(text))
    }

    fn data(view: &View) -> impl Serialize {
        state_value::<Overdrive>(view)
    }

    fn suggest(&self, seat: Seat, typed: &str) -> Vec<Suggestion> {
        suggest(&self.view(seat), typed)
    }
}

impl Rounds for Overdrive {
    const ANSWERS: &'static str = ANSWERS;

    type Texts = BlockTexts;

    fn asked(view: &View) -> Asked {
        Asked { seat: view.seat, round: view.round, prefix: view.prefix }
    }

    fn sheet<'a>(view: &'a View, texts: &'a mut BlockTexts) -> impl Rendering + 'a {
        texts.suit(view.numbers);
        Sheet { view, texts }
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

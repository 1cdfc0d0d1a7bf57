//! The conversation with a bot: the round's state in its manner, and its prefixed command.

use quintain_core::entelect::{Asked, Rendering, RoundWire, Rounds, state_value};
use quintain_core::{Game as _, Notation, ParseError, Seat, Spoken, Suggestion};
use serde::Serialize;

use crate::action::Action;
use crate::command;
use crate::rows::RowTexts;
use crate::rules::Worms;
use crate::sheet::Sheet;
use crate::suggest::suggest;
use crate::view::View;

/// The protocol of one match.
pub type Wire = RoundWire<Worms>;

impl Spoken for Worms {
    type Protocol = Wire;
}

/// The commands of the wire without their prefix, and `state.json`.
impl Notation for Worms {
    fn write(action: &Action) -> String {
        command::write(action)
    }

    /// Every text has a meaning; what is wrong with it is a matter of the rules.
    fn read(text: &str) -> Result<Action, ParseError> {
        Ok(command::read(text))
    }

    fn data(view: &View) -> impl Serialize {
        state_value::<Worms>(view)
    }

    fn suggest(&self, seat: Seat, typed: &str) -> Vec<Suggestion> {
        suggest(&self.view(seat), typed)
    }
}

impl Rounds for Worms {
    const ANSWERS: &'static str =
        "move x y, dig x y, shoot N, banana x y, snowball x y, nothing, select n;command";

    /// Both seats see the same map, so they share its texts.
    type Texts = RowTexts;

    fn asked(view: &View) -> Asked {
        Asked { seat: view.seat, round: view.round, prefix: view.prefix() }
    }

    fn sheet<'a>(view: &'a View, rows: &'a mut RowTexts) -> impl Rendering + 'a {
        Sheet { view, rows }
    }
}

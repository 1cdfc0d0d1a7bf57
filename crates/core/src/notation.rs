//! Actions and views as text and data, for pages, other languages and whoever has no wire.

use serde::Serialize;

use crate::scene::Form;
use crate::{Game, ParseError, Seat};

/// A game whose actions have a text of their own and whose views can be shown as data. Protocols are
/// framing around these texts.
pub trait Notation: Game {
    /// The text of an action, as a person would type it; several lines are parted by LF.
    fn write(action: &Self::Action) -> String;

    /// The inverse of [`Notation::write`].
    ///
    /// # Errors
    /// The text is no action: what was expected in its place.
    fn read(text: &str) -> Result<Self::Action, ParseError>;

    /// What a seat may know, by the names of the game's document.
    fn data(view: &Self::View) -> impl Serialize;

    /// What a person may go on with who has typed this: texts of actions, and beginnings of such that end
    /// with a blank or the end of a line. Those that do not begin with what was typed are left out by
    /// the caller. Nothing in them that the seat may not know. None from a game whose actions are listed
    /// as they are.
    fn suggest(&self, _seat: Seat, _typed: &str) -> Vec<Suggestion> {
        Vec::new()
    }
}

/// Something that a person may type, or mean by pointing at the picture or by a key.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suggestion {
    pub text: String,
    /// What it would do or cost, in a few words; perhaps empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// What it is aimed at: a place of the world in which scenes are drawn. Several may be aimed at one place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aim: Option<Form>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrow: Option<Arrow>,
}

/// A key that means a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Arrow {
    Up,
    Down,
    Left,
    Right,
}

impl Suggestion {
    pub fn new(text: impl Into<String>, note: impl Into<String>) -> Suggestion {
        Suggestion { text: text.into(), note: note.into(), aim: None, arrow: None }
    }

    pub fn aimed_at(mut self, aim: Form) -> Suggestion {
        self.aim = Some(aim);
        self
    }

    pub fn on_arrow(mut self, arrow: Arrow) -> Suggestion {
        self.arrow = Some(arrow);
        self
    }

    /// Whether more belongs to it.
    pub fn is_beginning(&self) -> bool {
        self.text.ends_with([' ', ';', '\n'])
    }
}

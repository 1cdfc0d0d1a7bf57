//! Actions and views as text and data, for pages, other languages and whoever has no wire.

use serde::Serialize;

use crate::{Game, ParseError};

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
}

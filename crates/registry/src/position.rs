//! A position of any game without its types: for pages, other languages and analysis.
//!
//! A step costs about a microsecond more than one of the game itself, for texts and events; whoever plays
//! millions of matches does so on the game's own type.

mod played;
mod said;
mod seated;
mod start;

use quintain_core::scene::{Eye, Mark, Scene, Stage, TextScene};
use quintain_core::{Chance, Fault, FieldError, Outcome, ParseError, PerSeat, Seat, Seats};
use quintain_replay::RerunError;
use serde_json::Value;

use crate::{AnyGame, Question};

pub(crate) use self::played::Positioned;
pub use self::seated::{Answers, Seated};
pub(crate) use self::start::{chosen, loaded, usual, walk};

/// A position of some game. [`AnyGame::position`] makes one, [`AnyGame::load`] finds one in a replay.
///
/// ```
/// use quintain_core::{ConfigChoice, PerSeat, SplitMix64};
/// use quintain_registry::{AnyPosition, Choice, find};
///
/// // A page's handler: a text from a browser is played, and what follows is shown.
/// fn throw(position: &mut dyn AnyPosition, text: &str) -> Result<serde_json::Value, String> {
///     let seat = position.to_act().single().ok_or("nobody is asked")?;
///     let mut choices = PerSeat([None, None]);
///     choices[seat] = Some(Choice::Text(text));
///     position.advance(choices, None).map_err(|error| error.to_string())?;
///     Ok(position.view(seat))
/// }
///
/// let hockey = find("hockey").expect("it is in the list");
/// let config = hockey.configure(&ConfigChoice::default()).expect("its usual config");
/// let mut position = hockey.position(&config, 1).expect("its usual start");
/// assert_eq!(throw(&mut *position, "north east").expect("a throw")["ball"][0], 6);
/// assert!(throw(&mut *position, "upwards").is_err());
/// assert_eq!(position.turn(), 1);
///
/// // A class for another language: it holds a position, copies it, saves it and goes on later.
/// struct Episode(Box<dyn AnyPosition>);
///
/// impl Episode {
///     fn play_at_random(&mut self, seed: u64) {
///         let mut luck = SplitMix64::new(seed);
///         while self.0.outcome().is_none() {
///             let texts = PerSeat::from_fn(|seat| self.0.sample(seat, &mut luck));
///             let choices = texts.as_ref().map(|_, text| text.as_deref().map(Choice::Text));
///             self.0.advance(choices, None).expect("samples are legal");
///         }
///     }
/// }
///
/// let mut episode = Episode(position.boxed_clone());
/// episode.play_at_random(5);
/// let saved = episode.0.save().expect("nobody brought luck of their own");
/// let loaded = hockey.load_bytes(&saved, Some(1)).expect("a replay");
/// assert_eq!(loaded.fingerprint(), position.fingerprint());
/// ```
pub trait AnyPosition: Send {
    fn game(&self) -> &'static dyn AnyGame;

    /// Turns completed.
    fn turn(&self) -> u32;

    /// The seats that must choose. Empty without an outcome: the position advances without choices.
    fn to_act(&self) -> Seats;

    fn outcome(&self) -> Option<Outcome>;

    /// All that a seat may know, by the names of the game's document.
    fn view(&self, seat: Seat) -> Value;

    /// What stays the same in all pictures of the match.
    fn stage(&self) -> Stage;

    fn scene(&self, eye: Eye) -> Scene;

    /// The position as plain text.
    fn text(&self, eye: Eye) -> TextScene;

    /// The texts of all that a seat can legally do, in a fixed order; none if it is not to act. `None` if
    /// the game's actions are too many to be listed.
    fn actions(&self, seat: Seat) -> Option<Vec<String>>;

    /// The text of a legal action, each of them possible; `None` if the seat is not to act.
    fn sample(&self, seat: Seat, chance: &mut dyn Chance) -> Option<String>;

    /// What a person on a seat is asked; `None` if the seat is not to act.
    fn question(&self, seat: Seat) -> Option<Box<dyn Question>>;

    /// A house bot on each seat, to play on from here with all that it could have seen of the match; `None` for
    /// an unknown one.
    fn seated(&self, bot: &str, seed: i64) -> Option<Box<dyn Seated>>;

    /// What each seat did in the latest step, as the game's notation writes it; nothing where it was not
    /// asked or failed.
    fn played(&self) -> PerSeat<Option<String>>;

    /// What each seat has of what the game counts; `None` where a match is only won or lost.
    fn standing(&self) -> Option<PerSeat<i64>>;

    /// What the first seat may expect, from -1 (it loses) to 1 (it wins): by the outcome, or by what the game's
    /// house thinks of the position if it looks at so many that may follow.
    fn opinion(&self, nodes: u64) -> f64;

    /// Plays one step. Without `chance` the luck is that of the match's seed.
    ///
    /// # Errors
    /// The step cannot be played; the position is as it was.
    fn advance(
        &mut self,
        choices: PerSeat<Option<Choice<'_>>>,
        chance: Option<&mut dyn Chance>,
    ) -> Result<Happened, AdvanceError>;

    /// The digest of the position alone.
    fn fingerprint(&self) -> u64;

    /// The match so far as a replay, which anyone can verify and `load_bytes` of its game reads.
    ///
    /// # Errors
    /// A replay cannot hold it.
    fn save(&self) -> Result<Vec<u8>, SaveError>;

    fn boxed_clone(&self) -> Box<dyn AnyPosition>;
}

/// What a seat does in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice<'a> {
    /// An action, as the game's notation writes it.
    Text(&'a str),
    /// The action at this place of [`AnyPosition::actions`].
    Index(usize),
    /// It does not answer. A malformed answer is a text.
    Fault(Fault),
}

/// Why a step cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdvanceError {
    #[error("expected a match that goes on, found one that is over")]
    Over,
    #[error("expected a choice of the {} seat, found none", .0.name())]
    Missing(Seat),
    #[error("expected no choice of the {} seat, which is not to act", .0.name())]
    NotAsked(Seat),
    #[error("expected nothing but faults of the {} seat, which has left", .0.name())]
    HasLeft(Seat),
    #[error("expected a listed action of the {} seat, found number {}", .0.name(), .1)]
    NoSuchAction(Seat, usize),
    #[error("the {} seat: {}", .0.name(), .1)]
    Unreadable(Seat, ParseError),
    /// It is a text, or comes only before the first step.
    #[error("expected a fault of a match that runs, found that the {} seat {}", .0.name(), .1)]
    NoFaultOfAStep(Seat, Fault),
}

/// What came of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Happened {
    /// In sentences, with the names of the match.
    pub notes: Vec<String>,
    /// Whose answer the rules refused.
    pub refused: PerSeat<bool>,
    /// What deserves a tick on a seek bar.
    pub marks: Vec<Mark>,
}

/// Why a position cannot be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SaveError {
    #[error("expected draws that follow from the seed, found luck that somebody brought")]
    OwnLuck,
    #[error("expected answers that can be said, found one that cannot")]
    Unsayable,
}

/// Why there is no position at that place of a replay.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error(transparent)]
    Rerun(#[from] RerunError),
    #[error(transparent)]
    NoTurn(FieldError),
}

//! What a game is to the rest of the project.

use std::fmt::Debug;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{
    Chance, Digest, FieldError, Luck, Outcome, PerSeat, Replies, Seat, Seats, SeededChance,
    Setting, SetupError,
};

/// The rules of one game. A value of the type is a position, cheap to clone.
///
/// Between calls these hold: `to_act` is empty once `outcome` is `Some`; `advance` receives a
/// reply for exactly the seats of `to_act`; the same inputs give the same digest on every machine.
pub trait Game: Clone + Debug + Send + Sized + 'static {
    /// The game's name on the command line and in files.
    const ID: &'static str;
    /// The game's name for people.
    const TITLE: &'static str;
    /// Contest and authors, in one line.
    const ORIGIN: &'static str;
    /// What a turn is called in the game's document, for sentences such as "after 34 throws".
    const TURN_NAME: &'static str;
    /// The rule sets that there are; a game without an original has the document's alone.
    const EDITIONS: &'static [Edition] = &[Edition::Document];
    /// The fields of the config that have a name and a sentence. All others have their path.
    const SETTINGS: &'static [Setting];
    /// Grows with every change of behaviour; stored in replays.
    const RULES_VERSION: u32;
    /// How many bits the seeds have that give different matches, where a match depends on its seed
    /// at all. Drawn seeds keep to these (see [`drawn_seed`](crate::drawn_seed)); others may be asked
    /// for, and are played as they are.
    const SEED_BITS: u32 = crate::SEED_BITS_USUAL;
    /// When a seat that left is given up.
    const GONE: Gone = Gone::AtOnce;
    /// What loses a match beside a plain loss and is no fault of the referee's, for whoever explains a
    /// bot's author why it was lost.
    const FORFEITS: &'static [Forfeit] = &[];

    /// The organiser's choice: edition, league, limits.
    type Config: Clone
        + Debug
        + Default
        + PartialEq
        + Serialize
        + DeserializeOwned
        + Send
        + Sync
        + 'static;
    /// A whole position, from which `new` starts.
    type Setup: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// A seat's whole answer for a turn, well-formed but perhaps illegal.
    type Action: Clone + Debug + PartialEq + Send + Sync;
    /// All that one seat may know, and nothing else.
    type View: Clone + Debug + Send;
    /// Something that happened, for spectators and protocols.
    type Event: Clone + Debug + PartialEq + Send;

    /// The config of one of [`Game::EDITIONS`] if nothing else is wished. That of the document is the
    /// default.
    fn config(_edition: Edition) -> Self::Config {
        Self::Config::default()
    }

    /// Whether a match can be played with a config that was put together of parts: what the types of
    /// its fields do not refuse.
    ///
    /// # Errors
    /// Names the first field that cannot be, by its path.
    fn check(_config: &Self::Config) -> Result<(), FieldError> {
        Ok(())
    }

    /// Whether a match can have this seed.
    ///
    /// # Errors
    /// Says which seeds there are.
    fn check_seed(_seed: i64) -> Result<(), FieldError> {
        Ok(())
    }

    /// The usual start of a match with this seed, which [`Game::check_seed`] has accepted.
    fn generate(config: &Self::Config, seed: i64) -> Self::Setup;

    /// The only door to a playable position.
    ///
    /// # Errors
    /// Says what is impossible about the setup.
    fn new(config: &Self::Config, setup: Self::Setup) -> Result<Self, SetupError>;

    /// The usual position of a match with this seed: [`Game::generate`] and [`Game::new`] in one.
    ///
    /// # Errors
    /// Says what is impossible about config or seed.
    fn start(config: &Self::Config, seed: i64) -> Result<Self, SetupError> {
        Self::check_seed(seed)?;
        Self::check(config)?;
        Self::new(config, Self::generate(config, seed))
    }

    /// Decisions completed. The referee prompts and restarts the clock when it changes.
    fn turn(&self) -> u32;

    /// The seats that must answer. Empty without an outcome: the referee advances at once.
    fn to_act(&self) -> Seats;

    fn time_limit(&self, seat: Seat) -> Duration;

    fn view(&self, seat: Seat) -> Self::View;

    fn views(&self) -> PerSeat<Self::View> {
        PerSeat::from_fn(|seat| self.view(seat))
    }

    /// Plays one step. Every input has a meaning in the rules, so it cannot fail.
    fn advance(
        &mut self,
        replies: &Replies<Self::Action>,
        chance: &mut dyn Chance,
        events: &mut impl Sink<Self::Event>,
    );

    /// The seat whose answer an event refuses: without meaning or forbidden by the rules, whatever
    /// that costs. Where there was no answer, since the bot was late or gone, nothing is refused.
    fn refused(event: &Self::Event) -> Option<Seat>;

    /// Alone ends a match.
    fn outcome(&self) -> Option<Outcome>;

    /// Writes every field of the state, in a fixed order.
    fn digest(&self, to: &mut Digest);

    /// Where the draws of a match come from.
    fn chance(seed: i64) -> Box<dyn Luck> {
        Box::new(SeededChance::new(seed))
    }

    /// The digest of this position alone.
    fn fingerprint(&self) -> u64 {
        let mut digest = Digest::new();
        self.digest(&mut digest);
        digest.finish()
    }
}

/// A way of losing a match by what the rules do not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// The [`Outcome::reason`] of a match that is lost so.
    pub reason: &'static str,
    /// What the bot did, and what helps, in a sentence without a full stop.
    pub help: &'static str,
}

/// When a seat whose bot left is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// As soon as it is asked.
    AtOnce,
    /// When its time has run out, as for anyone who is silent. Without a clock: at once.
    AtDeadline,
}

/// Which of a game's two rule sets is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Edition {
    /// The game's document, where it states a rule.
    #[default]
    Document,
    /// The published engine, bug for bug.
    Original,
}

impl Edition {
    pub const ALL: [Edition; 2] = [Edition::Document, Edition::Original];

    pub fn name(self) -> &'static str {
        match self {
            Edition::Document => "document",
            Edition::Original => "original",
        }
    }
}

/// Receives events. `()` drops them at no cost, a vector keeps them.
pub trait Sink<E> {
    fn emit(&mut self, event: E);
}

impl<E> Sink<E> for () {
    #[inline]
    fn emit(&mut self, _event: E) {}
}

impl<E> Sink<E> for Vec<E> {
    fn emit(&mut self, event: E) {
        self.push(event);
    }
}

/// A game that can name a random action. Every registered game can.
pub trait Sample: Game {
    /// A legal action, each of them possible. The seat must be one of `to_act`.
    fn sample(&self, seat: Seat, chance: &mut (impl Chance + ?Sized)) -> Self::Action;
}

/// A game whose legal actions are few enough to list.
pub trait Enumerate: Game {
    /// Pushes every legal action of a seat of `to_act`, in a fixed order.
    fn actions(&self, seat: Seat, out: &mut Vec<Self::Action>);

    /// The same as a list of its own.
    fn legal(&self, seat: Seat) -> Vec<Self::Action> {
        let mut actions = Vec::new();
        self.actions(seat, &mut actions);
        actions
    }

    /// Any of them, each as likely as the others.
    fn any_legal(&self, seat: Seat, chance: &mut (impl Chance + ?Sized)) -> Self::Action {
        let mut actions = self.legal(seat);
        let drawn = chance.below(actions.len() as u32);
        actions.swap_remove(drawn as usize)
    }
}

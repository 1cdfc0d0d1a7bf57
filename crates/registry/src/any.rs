//! What every game can do, without its types.

use std::ops::Range;
use std::path::Path;

use quintain_core::measure::{NamedWorkload, Stub};
use quintain_core::scene::{Eye, Film};
use quintain_core::{
    ConfigChoice, Dialogue, Difference, Edition, Effort, FieldError, Forfeit, Framing, HouseBot,
    Lobby, PerSeat, Seat, Setting,
};
use quintain_referee::World;
use quintain_replay::{Reached, Reader, Recording, Replay, RerunError};
use serde_json::Value;

use crate::{
    AnyPosition, Branch, Exchange, FeedError, FeedSpec, LoadError, MatchError, MatchLogError,
    MatchReport, MatchSpec, ReadyConfig, Retold, Spectator,
};

/// What is said of a game in lists.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    pub id: &'static str,
    pub title: &'static str,
    pub origin: &'static str,
    /// Grows with every change of the rules: replays of other versions are refused.
    pub rules_version: u32,
    pub turn_name: &'static str,
    pub editions: &'static [Edition],
    /// The fields of its config that have a name.
    pub settings: &'static [Setting],
    /// How many bits drawn seeds have.
    pub seed_bits: u32,
    /// Weakest first.
    pub house_bots: &'static [HouseBot],
    /// What loses a match beside faults, with a word on it.
    pub forfeits: &'static [Forfeit],
    /// What a person at the terminal can type.
    pub answers: &'static str,
    pub abilities: Abilities,
}

impl Facts {
    /// The best house bot that answers at once, for whoever has named none.
    pub fn quick_house_bot(&self) -> &'static str {
        let mut quick = self.house_bots.iter().filter(|bot| bot.effort == Effort::AtOnce);
        quick.next_back().expect("every game has a bot that does anything").name
    }

    pub fn has_house_bot(&self, name: &str) -> bool {
        self.house_bots.iter().any(|bot| bot.name == name)
    }
}

/// What a game may have and need not.
#[derive(Clone, Copy, Debug)]
pub struct Abilities {
    /// Bots introduce themselves, so that a host can seat strangers.
    pub lobby: bool,
    /// Bots are told the state in files, so that there is a choice of manner.
    pub state_files: bool,
    /// Its actions are few enough to be listed.
    pub perft: Option<Perft>,
    /// The log of its original runner can be written.
    pub match_log: Option<WriteMatchLog>,
    /// Recorded matches of its original engine can be replayed.
    pub conform: Option<ReplayRecording>,
    /// Its house bots also play from the far side of the wire.
    pub client: Option<MakeClient>,
    /// The bot with which the referee's own share of a match is measured, where a line can be one.
    pub stub: Option<Stub>,
    /// How strong its house bots are, as the text of a file. Whoever measured it knows how to read it.
    pub scale: Option<&'static str>,
    /// Its README: rules, lines, editions, sample bots, in Markdown.
    pub manual: Option<&'static str>,
}

impl Abilities {
    pub(crate) const NONE: Abilities = Abilities {
        lobby: false,
        state_files: false,
        perft: None,
        match_log: None,
        conform: None,
        client: None,
        stub: None,
        scale: None,
        manual: None,
    };
}

/// Counts the sequences of so many legal plies from the start of a match with this seed.
///
/// # Errors
/// No match can be started so.
pub type Perft = fn(&ReadyConfig, i64, u32) -> Result<u64, MatchError>;

/// Plays a replay again and writes the match log of the original runner to a new folder. Returns what
/// the runner's referee remarks.
///
/// # Errors
/// The folder cannot be written, or as [`AnyGame::verify`].
pub type WriteMatchLog = fn(&mut dyn Recording, &Path) -> Result<Vec<String>, MatchLogError>;

/// Replays the lines of a recorded match of the original engine.
///
/// # Errors
/// The first difference.
pub type ReplayRecording = fn(&[String]) -> Result<(), Difference>;

/// A house bot as it plays from the far side of the wire, by its name, what it calls itself, its seed
/// and its league; `None` for an unknown name.
pub type MakeClient = fn(&str, &str, i64, Option<u8>) -> Option<Box<dyn Dialogue>>;

/// A game that matches can be played of, behind one virtual call per match: all that an arena asks of
/// it.
pub trait Playable: Sync {
    fn facts(&self) -> Facts;

    fn framing(&self) -> Framing;

    /// The config that a choice means, for any number of matches.
    ///
    /// # Errors
    /// Names the wish that this game cannot grant.
    fn configure(&self, choice: &ConfigChoice) -> Result<ReadyConfig, FieldError>;

    /// Plays one match on `world` and finishes it.
    ///
    /// # Errors
    /// The match could not be started and nothing has been played, or its world was stopped.
    fn play(
        &self,
        spec: &MatchSpec,
        world: &mut dyn World,
        spectator: &mut dyn Spectator,
    ) -> Result<MatchReport, MatchError>;
}

/// Everything else that a game of the list can do.
pub trait AnyGame: Playable {
    /// The config of a match that was played, as replays keep it.
    ///
    /// # Errors
    /// It is none of this game's, or one that cannot be played.
    fn restore_config(&self, edition: Edition, config: &Value) -> Result<ReadyConfig, FieldError>;

    /// Whether a match can have this seed.
    ///
    /// # Errors
    /// Says which seeds there are.
    fn check_seed(&self, seed: i64) -> Result<(), FieldError>;

    /// The dialogue before a match, for hosts; `None` if bots do not introduce themselves.
    /// `tables_max` limits how many matches run at the same time.
    fn lobby(&self, tables_max: Option<usize>) -> Option<Box<dyn Lobby>>;

    /// Plays one match on `world` that goes on where `branch` says, and finishes it. The position,
    /// its config and how seats are asked come from there, not from `spec`.
    ///
    /// # Errors
    /// As [`Playable::play`], or the match cannot go on there.
    fn play_on(
        &self,
        spec: &MatchSpec,
        branch: &mut Branch<'_>,
        world: &mut dyn World,
        spectator: &mut dyn Spectator,
    ) -> Result<MatchReport, MatchError>;

    /// Tells the bot on a seat of `world` what that seat was told in a replay, and hears what it
    /// answers. Nothing of it has any effect on the match. `waiting` is called with the turn when
    /// the bot takes long, `take` with every question once it is answered.
    ///
    /// # Errors
    /// There is no such turn, the bot is not there, or as [`AnyGame::verify`].
    fn feed(
        &self,
        recording: &mut dyn Recording,
        spec: &FeedSpec,
        world: &mut dyn World,
        waiting: &mut dyn FnMut(u32),
        take: &mut dyn FnMut(Exchange),
    ) -> Result<(), FeedError>;

    /// Every question to a seat of a replay, and what it answered.
    ///
    /// # Errors
    /// As [`AnyGame::verify`].
    fn transcript(
        &self,
        recording: &mut dyn Recording,
        seat: Seat,
    ) -> Result<Vec<Exchange>, RerunError>;

    /// Gives every question to both seats in some steps of a replay, counted from 0, and what they answered;
    /// `None` for a seat that was not asked. What follows these steps is not looked at.
    ///
    /// # Errors
    /// As [`AnyGame::verify`].
    fn exchanges(
        &self,
        recording: &mut dyn Recording,
        steps: Range<usize>,
        take: &mut dyn FnMut(PerSeat<Option<Exchange>>),
    ) -> Result<(), RerunError>;

    /// Plays a replay again.
    ///
    /// # Errors
    /// The first difference.
    fn verify(&self, recording: &mut dyn Recording) -> Result<Reached, RerunError>;

    /// Plays a replay again and tells what would be kept of its match.
    ///
    /// # Errors
    /// As [`AnyGame::verify`].
    fn retell(&self, recording: &mut dyn Recording) -> Result<Retold, RerunError>;

    /// Plays a replay again and draws it as `eye` sees it.
    ///
    /// # Errors
    /// As [`AnyGame::verify`].
    fn film_seen_by(&self, eye: Eye, recording: &mut dyn Recording) -> Result<Film, RerunError>;

    /// Plays a replay again and draws all of it.
    ///
    /// # Errors
    /// As [`AnyGame::verify`].
    fn film(&self, recording: &mut dyn Recording) -> Result<Film, RerunError> {
        self.film_seen_by(Eye::All, recording)
    }

    /// What the game is measured by: `random`, whole matches of random actions with their set-up, and
    /// then the game's own.
    fn workloads(&self) -> Vec<NamedWorkload>;

    /// The usual start of a match.
    ///
    /// # Errors
    /// No match can be started with these.
    fn position(
        &'static self,
        config: &ReadyConfig,
        seed: i64,
    ) -> Result<Box<dyn AnyPosition>, MatchError>;

    /// A start that somebody chose: a setup as the headers of replays have it. The seed is that of luck.
    ///
    /// # Errors
    /// No match can be started with these.
    fn position_from(
        &'static self,
        config: &ReadyConfig,
        setup: &Value,
        seed: i64,
    ) -> Result<Box<dyn AnyPosition>, MatchError>;

    /// The position of a replay after so many turns, or its last one.
    ///
    /// # Errors
    /// As [`AnyGame::verify`], or there is no such turn.
    fn load(
        &'static self,
        replay: &Replay,
        turn: Option<u32>,
    ) -> Result<Box<dyn AnyPosition>, LoadError>;

    /// All positions of a replay: the start, and then one after each step.
    ///
    /// # Errors
    /// As [`AnyGame::verify`].
    fn positions(
        &'static self,
        replay: &Replay,
        take: &mut dyn FnMut(&dyn AnyPosition),
    ) -> Result<(), RerunError>;
}

impl dyn AnyGame {
    /// As [`AnyGame::load`], from the bytes of a replay, such as [`AnyPosition::save`] gives.
    ///
    /// # Errors
    /// As [`AnyGame::load`], or the bytes are no replay.
    pub fn load_bytes(
        &'static self,
        bytes: &[u8],
        turn: Option<u32>,
    ) -> Result<Box<dyn AnyPosition>, LoadError> {
        let read = Reader::new(bytes).and_then(|mut reader| Replay::of(&mut reader));
        self.load(&read.map_err(RerunError::Read)?, turn)
    }
}

//! What every game can do, without its types.

use std::path::Path;

use quintain_core::measure::{NamedWorkload, Stub};
use quintain_core::scene::Film;
use quintain_core::{
    ConfigChoice, Dialogue, Difference, Edition, FieldError, Framing, Lobby, Seat, Setting,
};
use quintain_referee::World;
use quintain_replay::{Ended, Recording, RerunError};

use crate::{
    Audience, Branch, Exchange, FeedError, FeedSpec, MatchError, MatchLogError, MatchReport,
    MatchSpec, ReadyConfig,
};

/// What is said of a game in lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    pub id: &'static str,
    pub title: &'static str,
    pub origin: &'static str,
    pub turn_name: &'static str,
    pub editions: &'static [Edition],
    /// The fields of its config that have a name.
    pub settings: &'static [Setting],
    /// How many bits drawn seeds have.
    pub seed_bits: u32,
    /// Weakest first.
    pub house_bots: &'static [&'static str],
    /// What a person at the terminal can type.
    pub answers: &'static str,
    /// Whether bots introduce themselves, so that a host can seat strangers.
    pub has_lobby: bool,
    /// Whether bots are told the state in files, so that there is a choice of manner.
    pub has_files: bool,
    /// Whether the log of the original runner can be written.
    pub has_match_log: bool,
}

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
    /// The match could not be started; nothing has been played.
    fn play(
        &self,
        spec: &MatchSpec,
        world: &mut dyn World,
        audience: &mut dyn Audience,
    ) -> Result<MatchReport, MatchError>;
}

/// Everything else that a game of the list can do.
pub trait AnyGame: Playable {
    /// Whether a match can have this seed.
    ///
    /// # Errors
    /// Says which seeds there are.
    fn check_seed(&self, seed: i64) -> Result<(), FieldError>;

    /// The dialogue before a match, for hosts; `None` if bots do not introduce themselves.
    /// `tables_max` limits how many matches run at the same time.
    fn lobby(&self, tables_max: Option<usize>) -> Option<Box<dyn Lobby>>;

    /// A house bot as it plays from the far side of the wire; `None` for an unknown name.
    fn dialogue(
        &self,
        bot: &str,
        name: &str,
        seed: i64,
        league: Option<u8>,
    ) -> Option<Box<dyn Dialogue>>;

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
        audience: &mut dyn Audience,
    ) -> Result<MatchReport, MatchError>;

    /// Tells the bot on a seat of `world` what that seat was told in a replay, and hears what it
    /// answers. Nothing of it has any effect on the match. `waiting` is called with the turn when
    /// the bot takes long.
    ///
    /// # Errors
    /// There is no such turn, the bot is not there, or as [`AnyGame::verify`].
    fn feed(
        &self,
        recording: &mut dyn Recording,
        spec: &FeedSpec,
        world: &mut dyn World,
        waiting: &mut dyn FnMut(u32),
    ) -> Result<Vec<Exchange>, FeedError>;

    /// Every question to a seat of a replay, and what it answered.
    ///
    /// # Errors
    /// As [`AnyGame::verify`].
    fn transcript(
        &self,
        recording: &mut dyn Recording,
        seat: Seat,
    ) -> Result<Vec<Exchange>, RerunError>;

    /// Plays a replay again.
    ///
    /// # Errors
    /// The first difference.
    fn verify(&self, recording: &mut dyn Recording) -> Result<Ended, RerunError>;

    /// Plays a replay again and draws it.
    ///
    /// # Errors
    /// As [`AnyGame::verify`].
    fn film(&self, recording: &mut dyn Recording) -> Result<Film, RerunError>;

    /// Plays a replay again and writes the match log of the original runner to a new folder.
    /// Returns what the runner's referee remarks.
    ///
    /// # Errors
    /// The game has no such log, the folder cannot be written, or as [`AnyGame::verify`].
    fn match_log(
        &self,
        recording: &mut dyn Recording,
        folder: &Path,
    ) -> Result<Vec<String>, MatchLogError>;

    /// Replays a recorded match of the original engine.
    ///
    /// # Errors
    /// The first difference.
    fn conform(&self, lines: &[String]) -> Result<(), Difference>;

    /// What the game is measured by: `random`, whole matches of random actions with their set-up, and
    /// then the game's own.
    fn workloads(&self) -> Vec<NamedWorkload>;

    /// The bot with which the referee's own share of a match is measured, where a line can be one.
    fn stub(&self) -> Option<Stub>;

    /// How many sequences of `depth` legal plies there are from the start; `None` if the game's
    /// actions are too many to be listed.
    ///
    /// # Errors
    /// No match can be started so.
    fn perft(&self, config: &ReadyConfig, seed: i64, depth: u32)
    -> Result<Option<u64>, MatchError>;
}

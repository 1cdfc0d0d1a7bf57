//! Erases the types of a game, once.

use std::io;
use std::marker::PhantomData;
use std::path::Path;

use quintain_core::entelect::RunnerLog;
use quintain_core::measure::{NamedWorkload, Prepared, Source, Stub};
use quintain_core::scene::Film;
use quintain_core::{
    ConfigChoice, Conform, Dialogue, Difference, Enumerate, FieldError, Framing, Game, House,
    Lobby, Protocol, ReadConfig, ReadsConfigFile, Sample, Seat, Spectate, Spoken, configure, perft,
};
use quintain_referee::{Message, World};
use quintain_replay::{
    Ended, Header, MatchLog, Recording, RerunError, StepLine, Visitor, check_match_log_folder,
    film, open_match_log, rerun,
};

use crate::feed::{feed, transcript};
use crate::play::play_match;
use crate::selfplay::RandomPlay;
use crate::{
    AnyGame, Audience, Branch, Exchange, Facts, FeedError, FeedSpec, MatchError, MatchLogError,
    MatchReport, MatchSpec, Playable, ReadyConfig,
};

/// The game `G`.
pub struct Entry<G: Game> {
    /// Counts sequences of plies, for games whose actions can be listed.
    perft: Option<fn(&G, u32) -> u64>,
    /// Opens the log of the game's original runner, for games that have one.
    log: Option<OpenLog<G>>,
    /// Reads the config file of the game's original, for games that have one.
    config_file: Option<ReadConfig<G>>,
    /// The game's own workloads; random play is every game's.
    workloads: &'static [NamedWorkload],
    stub: Option<Stub>,
    types: PhantomData<fn() -> G>,
}

/// [`open_match_log`] of a game.
pub(crate) type OpenLog<G> = fn(&Header, Option<&Path>, &G) -> io::Result<Box<dyn MatchLog<G>>>;

impl<G: Game> Entry<G> {
    /// A game whose actions are too many to be listed.
    pub const GAME: Self = Entry {
        perft: None,
        log: None,
        config_file: None,
        workloads: &[],
        stub: None,
        types: PhantomData,
    };

    /// The same game with workloads of its own.
    #[must_use]
    pub const fn measured_by(self, workloads: &'static [NamedWorkload]) -> Self {
        Entry { workloads, ..self }
    }

    /// The same game with a bot that never thinks.
    #[must_use]
    pub const fn with_stub(self, stub: Stub) -> Self {
        Entry { stub: Some(stub), ..self }
    }
}

impl<G: ReadsConfigFile> Entry<G> {
    /// The same game with the config file of its original.
    #[must_use]
    pub const fn with_config_file(self) -> Self {
        Entry { config_file: Some(G::read_config), ..self }
    }
}

impl<G: Enumerate> Entry<G> {
    /// A game whose actions can be listed.
    pub const LISTED: Self = Entry { perft: Some(perft::<G>), ..Self::GAME };
}

impl<G: RunnerLog> Entry<G> {
    /// A game of the Entelect contests: its runner's match log can be written.
    pub const LOGGED: Self = Entry { log: Some(open_match_log::<G>), ..Self::GAME };
}

impl<G: Spectate + House + Spoken> Playable for Entry<G> {
    fn facts(&self) -> Facts {
        Facts {
            id: G::ID,
            title: G::TITLE,
            origin: G::ORIGIN,
            turn_name: G::TURN_NAME,
            editions: G::EDITIONS,
            settings: G::SETTINGS,
            seed_bits: G::SEED_BITS,
            house_bots: G::NAMES,
            answers: G::Protocol::ANSWERS,
            has_lobby: G::Protocol::lobby(None).is_some(),
            has_files: G::Protocol::HAS_FILES,
            has_match_log: self.log.is_some(),
        }
    }

    fn framing(&self) -> Framing {
        G::Protocol::FRAMING
    }

    fn configure(&self, choice: &ConfigChoice) -> Result<ReadyConfig, FieldError> {
        let config = configure::<G>(choice, self.config_file)?;
        Ok(ReadyConfig::new::<G>(choice.edition, config))
    }

    fn play(
        &self,
        spec: &MatchSpec,
        world: &mut dyn World,
        audience: &mut dyn Audience,
    ) -> Result<MatchReport, MatchError> {
        play_match::<G>(spec, None, world, audience, self.log)
    }
}

impl<G> AnyGame for Entry<G>
where
    G: Sample + Spectate + House + Conform + Spoken,
{
    fn check_seed(&self, seed: i64) -> Result<(), FieldError> {
        G::check_seed(seed)
    }

    fn lobby(&self, tables_max: Option<usize>) -> Option<Box<dyn Lobby>> {
        G::Protocol::lobby(tables_max)
    }

    fn dialogue(
        &self,
        bot: &str,
        name: &str,
        seed: i64,
        league: Option<u8>,
    ) -> Option<Box<dyn Dialogue>> {
        G::dialogue(bot, name, seed, league)
    }

    fn play_on(
        &self,
        spec: &MatchSpec,
        branch: &mut Branch<'_>,
        world: &mut dyn World,
        audience: &mut dyn Audience,
    ) -> Result<MatchReport, MatchError> {
        branch.check::<G>()?;
        play_match::<G>(spec, Some(branch), world, audience, self.log)
    }

    fn feed(
        &self,
        recording: &mut dyn Recording,
        spec: &FeedSpec,
        world: &mut dyn World,
        waiting: &mut dyn FnMut(u32),
    ) -> Result<Vec<Exchange>, FeedError> {
        feed::<G>(recording, spec, world, waiting)
    }

    fn transcript(
        &self,
        recording: &mut dyn Recording,
        seat: Seat,
    ) -> Result<Vec<Exchange>, RerunError> {
        transcript::<G>(recording, seat).map(|(exchanges, _)| exchanges)
    }

    fn verify(&self, recording: &mut dyn Recording) -> Result<Ended, RerunError> {
        rerun::<G>(recording, &mut ())
    }

    fn film(&self, recording: &mut dyn Recording) -> Result<Film, RerunError> {
        film::<G>(recording)
    }

    fn match_log(
        &self,
        recording: &mut dyn Recording,
        folder: &Path,
    ) -> Result<Vec<String>, MatchLogError> {
        let Some(open) = self.log else {
            return Err(MatchLogError::None(G::ID));
        };
        check_match_log_folder(folder)?;
        let header = recording.header().clone();
        let mut follower = LogFollower { open, header: &header, folder, log: None };
        let ended = rerun::<G>(recording, &mut follower)?;
        let mut log = follower.log.expect("a match that was played again has begun")?;
        let end = log.finish(ended.outcome.as_ref());
        match end.error {
            Some(error) => Err(error.into()),
            None => Ok(end.remarks),
        }
    }

    fn conform(&self, lines: &[String]) -> Result<(), Difference> {
        G::conform(lines)
    }

    fn workloads(&self) -> Vec<NamedWorkload> {
        let random = NamedWorkload {
            name: "random",
            source: Source::Seed(|seed| Prepared::new(RandomPlay::<G>::new(seed))),
        };
        std::iter::once(random).chain(self.workloads.iter().copied()).collect()
    }

    fn stub(&self) -> Option<Stub> {
        self.stub
    }

    fn perft(
        &self,
        config: &ReadyConfig,
        seed: i64,
        depth: u32,
    ) -> Result<Option<u64>, MatchError> {
        G::check_seed(seed)?;
        let config = config.typed::<G>();
        let game = G::new(config, G::generate(config, seed))?;
        Ok(self.perft.map(|perft| perft(&game, depth)))
    }
}

/// Writes a match log from a match that is played again.
struct LogFollower<'a, G: Game> {
    open: OpenLog<G>,
    header: &'a Header,
    folder: &'a Path,
    log: Option<io::Result<Box<dyn MatchLog<G>>>>,
}

impl<G: Game> Visitor<G> for LogFollower<'_, G> {
    fn start(&mut self, game: &G, _messages: &[Message]) {
        self.log = Some((self.open)(self.header, Some(self.folder), game));
    }

    fn step(&mut self, game: &G, step: &StepLine, events: &[G::Event], _messages: &[Message]) {
        if let Some(Ok(log)) = &mut self.log {
            log.step(game, step, events);
        }
    }
}

//! Erases the types of a game, once.

use std::io;
use std::marker::PhantomData;
use std::ops::{ControlFlow, Range};
use std::path::Path;

use quintain_core::entelect::RunnerLog;
use quintain_core::measure::{NamedWorkload, Prepared, Source, Stub};
use quintain_core::scene::{Eye, Film};
use quintain_core::{
    ConfigChoice, Conform, Edition, Enumerate, FieldError, Framing, Game, House, HouseClient,
    Lobby, PerSeat, Protocol, ReadConfig, ReadsConfigFile, Seat, Spoken, configure, perft,
};
use quintain_referee::{Follower, Message, Step, World};
use quintain_replay::{
    Header, MatchLog, Reached, Recording, Replay, RerunError, check_match_log_folder, film,
    open_match_log, rerun,
};
use serde::Deserialize as _;
use serde_json::Value;

use crate::feed::{exchanges, feed, transcript};
use crate::play::play_match;
use crate::position::{self, Positioned};
use crate::question::Asking;
use crate::retold::retell;
use crate::selfplay::RandomPlay;
use crate::{
    Abilities, AnyGame, AnyPosition, Branch, Exchange, Facts, FeedError, FeedSpec, LoadError,
    MatchError, MatchLogError, MatchReport, MatchSpec, Playable, ReadyConfig, Retold, Spectator,
};

/// The game `G`, and what it has beyond the demands of the list.
pub struct Entry<G: Game> {
    /// Lists the legal actions of a seat that is to act.
    pub(crate) actions: Option<ListActions<G>>,
    /// Opens the log of the game's original runner.
    log: Option<OpenLog<G>>,
    /// Reads the config file of the game's original.
    config_file: Option<ReadConfig<G>>,
    /// The game's own workloads; random play is every game's.
    workloads: &'static [NamedWorkload],
    /// Those that the game's protocol does not decide.
    abilities: Abilities,
    types: PhantomData<fn() -> G>,
}

/// [`Enumerate::actions`] of a game.
pub(crate) type ListActions<G> = fn(&G, Seat, &mut Vec<<G as Game>::Action>);

/// [`open_match_log`] of a game.
pub(crate) type OpenLog<G> = fn(&Header, Option<&Path>, &G) -> io::Result<Box<dyn MatchLog<G>>>;

impl<G: Game> Entry<G> {
    /// A game that has nothing more. What it has is added by the methods: each asks for the trait
    /// that it is about.
    pub const GAME: Self = Entry {
        actions: None,
        log: None,
        config_file: None,
        workloads: &[],
        abilities: Abilities::NONE,
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
        Entry { abilities: Abilities { stub: Some(stub), ..self.abilities }, ..self }
    }

    /// The same game, the strength of whose house bots was measured.
    #[must_use]
    pub const fn with_scale(self, scale: &'static str) -> Self {
        Entry { abilities: Abilities { scale: Some(scale), ..self.abilities }, ..self }
    }

    /// The same game with its README, which is the one description of its rules.
    #[must_use]
    pub const fn with_manual(self, manual: &'static str) -> Self {
        Entry { abilities: Abilities { manual: Some(manual), ..self.abilities }, ..self }
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
    /// The same game, whose actions can be listed.
    #[must_use]
    pub const fn listed(self) -> Self {
        let abilities = Abilities { perft: Some(perft_of::<G>), ..self.abilities };
        Entry { actions: Some(G::actions), abilities, ..self }
    }
}

impl<G: RunnerLog + Spoken> Entry<G> {
    /// The same game, the log of whose original runner can be written.
    #[must_use]
    pub const fn logged(self) -> Self {
        let abilities = Abilities { match_log: Some(write_log::<G>), ..self.abilities };
        Entry { log: Some(open_match_log::<G>), abilities, ..self }
    }
}

impl<G: Conform> Entry<G> {
    /// The same game, of whose original engine there are recordings.
    #[must_use]
    pub const fn recorded(self) -> Self {
        Entry { abilities: Abilities { conform: Some(G::conform), ..self.abilities }, ..self }
    }
}

impl<G: HouseClient> Entry<G> {
    /// The same game, whose house bots also play from the far side of the wire.
    #[must_use]
    pub const fn with_client(self) -> Self {
        Entry { abilities: Abilities { client: Some(G::dialogue), ..self.abilities }, ..self }
    }
}

impl<G: Asking + House> Playable for Entry<G> {
    fn facts(&self) -> Facts {
        Facts {
            id: G::ID,
            title: G::TITLE,
            origin: G::ORIGIN,
            rules_version: G::RULES_VERSION,
            turn_name: G::TURN_NAME,
            editions: G::EDITIONS,
            settings: G::SETTINGS,
            seed_bits: G::SEED_BITS,
            house_bots: G::BOTS,
            forfeits: G::FORFEITS,
            answers: G::Protocol::ANSWERS,
            abilities: Abilities {
                lobby: G::Protocol::lobby(None).is_some(),
                state_files: G::Protocol::HAS_FILES,
                ..self.abilities
            },
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
        spectator: &mut dyn Spectator,
    ) -> Result<MatchReport, MatchError> {
        play_match::<G>(spec, None, world, spectator, self.log, self.actions)
    }
}

impl<G: Positioned> AnyGame for Entry<G> {
    fn restore_config(&self, edition: Edition, config: &Value) -> Result<ReadyConfig, FieldError> {
        let strange = |error| FieldError::new("config", format!("one of {}", G::ID), error);
        let config = G::Config::deserialize(config).map_err(|error| strange(error.to_string()))?;
        G::check(&config)?;
        Ok(ReadyConfig::new::<G>(edition, config))
    }

    fn check_seed(&self, seed: i64) -> Result<(), FieldError> {
        G::check_seed(seed)
    }

    fn lobby(&self, tables_max: Option<usize>) -> Option<Box<dyn Lobby>> {
        G::Protocol::lobby(tables_max)
    }

    fn play_on(
        &self,
        spec: &MatchSpec,
        branch: &mut Branch<'_>,
        world: &mut dyn World,
        spectator: &mut dyn Spectator,
    ) -> Result<MatchReport, MatchError> {
        branch.check::<G>()?;
        play_match::<G>(spec, Some(branch), world, spectator, self.log, self.actions)
    }

    fn feed(
        &self,
        recording: &mut dyn Recording,
        spec: &FeedSpec,
        world: &mut dyn World,
        waiting: &mut dyn FnMut(u32),
        take: &mut dyn FnMut(Exchange),
    ) -> Result<(), FeedError> {
        feed::<G>(recording, spec, world, waiting, take)
    }

    fn transcript(
        &self,
        recording: &mut dyn Recording,
        seat: Seat,
    ) -> Result<Vec<Exchange>, RerunError> {
        let mut exchanges = Vec::new();
        transcript::<G>(recording, seat, &mut |exchange| exchanges.push(exchange))?;
        Ok(exchanges)
    }

    fn exchanges(
        &self,
        recording: &mut dyn Recording,
        steps: Range<usize>,
        take: &mut dyn FnMut(PerSeat<Option<Exchange>>),
    ) -> Result<(), RerunError> {
        exchanges::<G>(recording, steps, take)
    }

    fn verify(&self, recording: &mut dyn Recording) -> Result<Reached, RerunError> {
        rerun::<G>(recording, &mut ())
    }

    fn retell(&self, recording: &mut dyn Recording) -> Result<Retold, RerunError> {
        retell::<G>(recording)
    }

    fn film_seen_by(&self, eye: Eye, recording: &mut dyn Recording) -> Result<Film, RerunError> {
        film::<G>(recording, eye)
    }

    fn workloads(&self) -> Vec<NamedWorkload> {
        let random = NamedWorkload {
            name: "random",
            source: Source::Seed(|seed| Prepared::new(RandomPlay::<G>::new(seed))),
        };
        std::iter::once(random).chain(self.workloads.iter().copied()).collect()
    }

    fn position(
        &'static self,
        config: &ReadyConfig,
        seed: i64,
    ) -> Result<Box<dyn AnyPosition>, MatchError> {
        Ok(Box::new(position::usual(self, config, seed)?))
    }

    fn position_from(
        &'static self,
        config: &ReadyConfig,
        setup: &Value,
        seed: i64,
    ) -> Result<Box<dyn AnyPosition>, MatchError> {
        Ok(Box::new(position::chosen(self, config, setup, seed)?))
    }

    fn load(
        &'static self,
        replay: &Replay,
        turn: Option<u32>,
    ) -> Result<Box<dyn AnyPosition>, LoadError> {
        Ok(Box::new(position::loaded(self, replay, turn)?))
    }

    fn positions(
        &'static self,
        replay: &Replay,
        take: &mut dyn FnMut(&dyn AnyPosition),
    ) -> Result<(), RerunError> {
        position::walk(self, replay, &mut |position| {
            take(position);
            ControlFlow::Continue(())
        })
        .map(drop)
    }
}

fn perft_of<G: Enumerate>(config: &ReadyConfig, seed: i64, depth: u32) -> Result<u64, MatchError> {
    G::check_seed(seed)?;
    let typed = config.typed::<G>()?;
    let game = G::new(&typed.config, typed.setup(seed))?;
    Ok(perft(&game, depth))
}

fn write_log<G: RunnerLog + Spoken>(
    recording: &mut dyn Recording,
    folder: &Path,
) -> Result<Vec<String>, MatchLogError> {
    check_match_log_folder(folder)?;
    let header = recording.header().clone();
    let mut follower = LogFollower::<G> { header: &header, folder, log: None };
    let reached = rerun::<G>(recording, &mut follower)?;
    let mut log = follower.log.expect("a match that was played again has begun")?;
    let end = log.finish(reached.outcome.as_ref());
    match end.error {
        Some(error) => Err(error.into()),
        None => Ok(end.remarks),
    }
}

/// Writes a match log from a match that is played again.
struct LogFollower<'a, G: Game> {
    header: &'a Header,
    folder: &'a Path,
    log: Option<io::Result<Box<dyn MatchLog<G>>>>,
}

impl<G: RunnerLog> Follower<G> for LogFollower<'_, G> {
    fn begin(&mut self, game: &G, _said: &[Message]) {
        self.log = Some(open_match_log(self.header, Some(self.folder), game));
    }

    fn step(&mut self, step: &Step<'_, G>) {
        if let Some(Ok(log)) = &mut self.log {
            log.step(step);
        }
    }

    fn idle(&mut self) {}
}

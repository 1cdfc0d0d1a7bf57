//! What results do not depend on: where games are kept, and how many are played at a time. And what can go
//! wrong with it.

use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quintain_links::Sandbox;
use quintain_record::{Admission, Contestant};
use quintain_referee::{Ask, Stop};
use quintain_registry::{AnyGame, MatchError, PrivateKey, ReadyConfig};
use quintain_store::{Run, RunInfo, RunPlan, Store, StoreError};
use quintain_tournament::{RecordError, Schedule};

use crate::arena::{Arena, ArenaError, Replays};
use crate::cores::{Concurrency, cores};
use crate::files::digests_of;
use crate::forgiveness::Forgiveness;
use crate::occupant::{SeatingError, try_start};
use crate::open_replay::OpenReplayError;
use crate::plan::{MatchSettings, PlanError, RunWish, begin};
use crate::replay_folder::{NewFolder, replays_of};
use crate::slots::{RunEnd, Supervisor, play_all};
use crate::work::{Elsewhere, play_elsewhere};

use super::team_host::{NetworkWish, OpenNetwork};
use super::tune::HistoryError;

/// Where clients and teams connect unless told otherwise: both addresses of this machine, on the port of the
/// hockey contest.
pub const LISTEN: &str = "localhost:8023";

/// The means of a run, of whatever kind. What a kind has no use for is not looked at.
#[derive(Clone, Debug)]
pub struct RunMeans {
    /// The file or the address of the store; without one the games are forgotten.
    pub store: Option<String>,
    /// What the games are called in the store, if not as usual.
    pub name: Option<String>,
    pub replays: ReplayWish,
    /// Of a single match: the file for its replay, in place of a new one in a folder.
    pub replay_file: Option<PathBuf>,
    /// Of a single match: the folder for a log as the original runner writes it.
    pub match_log: Option<PathBuf>,
    /// Of an evaluation: of every so many games of a pairing one replay is kept, whatever happened in it.
    pub sample: Option<NonZero<u32>>,
    /// Where clients and teams connect.
    pub listen: String,
    /// Whose connections are let in for a team.
    pub admission: Admission,
    /// The network that teams have.
    pub network: NetworkWish,
    pub concurrency: Concurrency,
    /// Whether a verdict is wanted however many games were disturbed.
    pub is_forced: bool,
    /// Signs the replays.
    pub signer: Option<Arc<PrivateKey>>,
    /// What holds the programs that are started; `None`: they are trusted.
    pub sandbox: Option<Arc<Sandbox>>,
    /// The command that goes on with the run, for whoever looks at it in the store.
    pub command: Option<String>,
    /// Who plays the games of tournaments and comparisons; `None`: this machine.
    pub elsewhere: Option<Arc<dyn Elsewhere>>,
}

/// Nothing is kept.
impl Default for RunMeans {
    fn default() -> Self {
        let concurrency = Concurrency::new(None, Ask::InTurn, cores(), true);
        RunMeans {
            store: None,
            name: None,
            replays: ReplayWish::None,
            replay_file: None,
            match_log: None,
            sample: None,
            listen: LISTEN.to_owned(),
            admission: Admission::Own,
            network: NetworkWish::Auto,
            concurrency: concurrency.expect("nothing is refused to who insists"),
            is_forced: false,
            signer: None,
            sandbox: None,
            command: None,
            elsewhere: None,
        }
    }
}

/// Which replays are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ReplayWish {
    /// All beside a store, and that of a single match; else those of games that failed, where a run has a
    /// folder for them.
    #[default]
    Usual,
    None,
    All(PathBuf),
}

impl ReplayWish {
    /// None, or all in a folder if one is named.
    pub fn of(folder: Option<&Path>, is_none: bool) -> ReplayWish {
        match folder {
            _ if is_none => ReplayWish::None,
            Some(folder) => ReplayWish::All(folder.to_owned()),
            None => ReplayWish::Usual,
        }
    }
}

/// Why a run is not played, or not to its end. Everything that a bot does wrong in a game is a result instead.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A bot, by its place in the plan, cannot be started.
    #[error("bot {name} (`{written}`): {error}")]
    Start { place: usize, name: String, written: String, error: SeatingError },
    /// Nobody can be listened for, or who is to sit at a single match cannot be started.
    #[error(transparent)]
    Seating(#[from] SeatingError),
    #[error("the teams cannot have a network of their own: {0}")]
    NoNetwork(OpenNetwork),
    /// A host cannot wait for clients.
    #[error(transparent)]
    Wait(io::Error),
    #[error("cannot read {}: {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    /// The folder for replays that was asked for.
    #[error("cannot make the folder {}: {error}", folder.display())]
    Replays { folder: PathBuf, error: io::Error },
    /// One for replays of games that no store keeps.
    #[error("cannot make a folder for replays: {0}")]
    NewFolder(io::Error),
    #[error("cannot make a folder for the games: {0}")]
    Temporary(io::Error),
    #[error("{0}")]
    Open(StoreError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the games of run `{run}` in {store} were played differently:\n  {}", differences.join("\n  "))]
    Changed { store: String, run: String, differences: Vec<String> },
    #[error("the store holds games that this tournament does not have: {0}")]
    Record(RecordError),
    #[error("expected a run of {store} ({known}), found `{name}`")]
    NoSuchRun { store: String, known: String, name: String },
    #[error("expected the bots of the games ({stored}), found {given}")]
    OtherBots { stored: String, given: String },
    #[error("expected an evaluation, found `{name}` in {store}")]
    NoEvaluation { store: String, name: String },
    #[error("expected a tournament, found `{name}` in {store}")]
    NoTournament { store: String, name: String },
    #[error("expected a store with the games")]
    NoStore,
    /// What a single match goes on from.
    #[error(transparent)]
    OpenReplay(#[from] OpenReplayError),
    /// A single match cannot be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The file of a tuning.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// While games were played.
    #[error(transparent)]
    Play(#[from] ArenaError),
}

/// Makes sure that games can be played before any result is written: every bot is started once and ended
/// again, and there is room for the replays. Bots that other machines play need not start on this one.
pub(crate) fn rehearse(
    means: &RunMeans,
    game: &dyn AnyGame,
    contestants: &[Contestant],
) -> Result<(), RunError> {
    means.make_replay_folder()?;
    if means.elsewhere.is_some() {
        return Ok(());
    }
    let has_files = game.facts().abilities.state_files;
    for (place, bot) in contestants.iter().enumerate() {
        try_start(bot, has_files, means.sandbox.as_ref()).map_err(|error| {
            let (name, written) = (bot.name.clone(), bot.written.clone());
            RunError::Start { place, name, written, error }
        })?;
    }
    Ok(())
}

impl RunMeans {
    /// Plays what the schedule has to play, here or elsewhere.
    pub(crate) fn play(
        &self,
        arena: &Arena,
        schedule: &mut Schedule,
        run: Option<&Run>,
        stop: &Stop,
        supervisor: &mut dyn Supervisor,
    ) -> Result<RunEnd, ArenaError> {
        match &self.elsewhere {
            None => play_all(arena, schedule, run, self.concurrency, stop, supervisor),
            Some(elsewhere) => {
                play_elsewhere(arena, schedule, run, elsewhere.as_ref(), stop, supervisor)
            }
        }
    }

    /// Makes the folder for replays that was asked for.
    pub(crate) fn make_replay_folder(&self) -> Result<(), RunError> {
        let ReplayWish::All(folder) = &self.replays else { return Ok(()) };
        std::fs::create_dir_all(folder)
            .map_err(|error| RunError::Replays { folder: folder.clone(), error })
    }

    /// What the games are called in the store.
    pub(crate) fn run_name(&self, usual: String) -> String {
        self.name.clone().unwrap_or(usual)
    }

    /// Which replays are kept. Without a store and a wish they go to a new folder, called by `stem`.
    pub(crate) fn kept_replays(
        &self,
        kept: Option<&StoredRun>,
        stem: impl FnOnce() -> String,
    ) -> Result<(Replays, Option<NewFolder>), RunError> {
        Ok(match (&self.replays, kept) {
            (ReplayWish::None, _) => (Replays::None, None),
            (ReplayWish::All(folder), _) => (Replays::All(folder.clone()), None),
            (ReplayWish::Usual, Some(kept)) => {
                (Replays::All(replays_of(&kept.store, kept.run.info())), None)
            }
            (ReplayWish::Usual, None) => {
                let folder = NewFolder::make(&stem()).map_err(RunError::NewFolder)?;
                (Replays::Troubled(folder.path().to_owned()), Some(folder))
            }
        })
    }

    /// How every match is played.
    pub(crate) fn arena(
        &self,
        settings: &MatchSettings,
        (game, config): (&'static dyn AnyGame, ReadyConfig),
        contestants: Vec<Contestant>,
        store: Option<&Store>,
        replays: Replays,
    ) -> Arena {
        Arena {
            game,
            digests: contestants.iter().map(digests_of).collect(),
            contestants,
            settings: settings.clone(),
            config,
            replays,
            forgiveness: Forgiveness::default(),
            signer: self.signer.clone(),
            store_folder: store.and_then(Store::folder),
            machine_scale: 1.0,
            sandbox: self.sandbox.clone(),
        }
    }
}

/// A store, opened, with the run that games are added to.
pub(crate) struct StoredRun {
    // Ended before the store is closed.
    pub(crate) run: Run,
    pub(crate) store: Store,
}

impl StoredRun {
    pub(crate) fn open(
        address: &str,
        means: &RunMeans,
        wish: RunWish,
        plan: impl FnOnce() -> Result<RunPlan, RunError>,
    ) -> Result<StoredRun, RunError> {
        let store = Store::open(address).map_err(RunError::Open)?;
        let run = begin(&store, &plan()?)?;
        run.note_wish(&RunWish { command: means.command.clone(), ..wish }.text())?;
        Ok(StoredRun { run, store })
    }
}

/// A run with its store, for who only looks: whoever plays is not hindered, and what bots consist of
/// by now does not matter.
///
/// # Errors
/// There is no such run, or it is one of other bots.
pub(super) fn look_up_run<'a>(
    address: &str,
    name: &str,
    bots: impl Iterator<Item = &'a str>,
) -> Result<(Store, RunInfo), RunError> {
    let store = Store::open_existing(address)?;
    let Some(info) = store.find_run(name)? else {
        let runs = store.runs()?;
        let known: Vec<&str> = runs.iter().map(|run| run.plan.name.as_str()).collect();
        let (store, known, name) = (store.place(), known.join(", "), name.to_owned());
        return Err(RunError::NoSuchRun { store, known, name });
    };
    let stored: Vec<&str> = info.plan.bots.iter().map(|bot| bot.name.as_str()).collect();
    let given: Vec<&str> = bots.collect();
    if stored != given {
        let (stored, given) = (stored.join(", "), given.join(", "));
        return Err(RunError::OtherBots { stored, given });
    }
    Ok((store, info))
}

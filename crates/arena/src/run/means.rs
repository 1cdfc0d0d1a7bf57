//! What results do not depend on: where games are kept, and how many are played at a time. And what can go
//! wrong with it.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use quintain_record::Contestant;
use quintain_referee::Ask;
use quintain_registry::{AnyGame, PrivateKey, ReadyConfig};
use quintain_store::{Run, RunInfo, RunPlan, Store, StoreError};
use quintain_tournament::RecordError;

use crate::arena::{Arena, ArenaError, Replays};
use crate::cores::{Concurrency, cores};
use crate::files::digests_of;
use crate::forgiveness::Forgiveness;
use crate::occupant::{SeatingError, try_start};
use crate::plan::{MatchSettings, PlanError, begin};

/// The means of a run.
#[derive(Clone, Debug)]
pub struct RunMeans {
    /// The file or the address of the store; without one the games are forgotten.
    pub store: Option<String>,
    /// What the games are called in the store, if not as usual.
    pub name: Option<String>,
    pub replays: ReplayWish,
    pub concurrency: Concurrency,
    /// Whether a verdict is wanted however many games were disturbed.
    pub is_forced: bool,
    /// Signs the replays.
    pub signer: Option<Arc<PrivateKey>>,
}

/// Nothing is kept.
impl Default for RunMeans {
    fn default() -> Self {
        let concurrency = Concurrency::new(None, Ask::InTurn, cores(), true);
        RunMeans {
            store: None,
            name: None,
            replays: ReplayWish::None,
            concurrency: concurrency.expect("nothing is refused to who insists"),
            is_forced: false,
            signer: None,
        }
    }
}

/// Which replays are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ReplayWish {
    /// All beside a store; else those of games that failed, where a run has a folder for them.
    #[default]
    Usual,
    None,
    All(PathBuf),
}

/// Why a run is not played, or not to its end. Everything that a bot does wrong in a game is a result instead.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A bot, by its place in the plan, cannot be started.
    #[error("bot {name} (`{written}`): {error}")]
    Start { place: usize, name: String, written: String, error: SeatingError },
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
    #[error("expected a store with the games")]
    NoStore,
    /// While games were played.
    #[error(transparent)]
    Play(#[from] ArenaError),
}

/// Makes sure that games can be played before any result is written: every bot is started once and ended
/// again, and there is room for the replays.
pub(crate) fn rehearse(
    means: &RunMeans,
    game: &dyn AnyGame,
    contestants: &[Contestant],
) -> Result<(), RunError> {
    if let ReplayWish::All(folder) = &means.replays {
        std::fs::create_dir_all(folder)
            .map_err(|error| RunError::Replays { folder: folder.clone(), error })?;
    }
    let has_files = game.facts().abilities.state_files;
    for (place, bot) in contestants.iter().enumerate() {
        try_start(bot, has_files).map_err(|error| {
            let (name, written) = (bot.name.clone(), bot.written.clone());
            RunError::Start { place, name, written, error }
        })?;
    }
    Ok(())
}

impl RunMeans {
    /// How every match is played. `usual` replays are kept where nothing is said about them.
    pub(crate) fn arena(
        &self,
        settings: &MatchSettings,
        (game, config): (&'static dyn AnyGame, ReadyConfig),
        contestants: Vec<Contestant>,
        store: Option<&Store>,
        usual: Replays,
    ) -> Arena {
        Arena {
            game,
            digests: contestants.iter().map(digests_of).collect(),
            contestants,
            config,
            rules: settings.rules.match_rules(),
            ask: settings.ask,
            start_limit: settings.scaled_start_limit(),
            replays: match &self.replays {
                ReplayWish::Usual => usual,
                ReplayWish::None => Replays::None,
                ReplayWish::All(folder) => Replays::All(folder.clone()),
            },
            forgiveness: Forgiveness::default(),
            signer: self.signer.clone(),
            store_folder: store.and_then(Store::folder),
        }
    }
}

/// A store, opened, with the run that games are added to.
pub(crate) struct KeptRun {
    // Ended before the store is closed.
    pub(crate) run: Run,
    pub(crate) store: Store,
}

impl KeptRun {
    pub(crate) fn open(
        address: &str,
        plan: impl FnOnce() -> Result<RunPlan, RunError>,
    ) -> Result<KeptRun, RunError> {
        let store = Store::open(address).map_err(RunError::Open)?;
        let run = begin(&store, &plan()?)?;
        Ok(KeptRun { run, store })
    }
}

/// A run with its store, for who only looks: whoever plays is not hindered, and what bots consist of
/// by now does not matter.
///
/// # Errors
/// There is no such run, or it is one of other bots.
pub fn look_up_run<'a>(
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

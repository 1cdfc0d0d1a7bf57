//! Hosts matches of clients that come by themselves.

use std::io;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;

use quintain_core::{Opening, PerSeat};
use quintain_links::{HostReport, HostSettings, StopSign, TableMatch, host};
use quintain_record::Occupant;
use quintain_referee::Ask;
use quintain_registry::{
    AnyGame, Decided, MatchError, MatchReport, MatchSpec, PrivateKey, ReadyConfig,
};
use quintain_replay::unix_ms;

use crate::arena::file_name_part;
use crate::plan::{HostPlan, PlanError};
use crate::replay_folder::{REPLAY_EXTENSION, free_path};

/// What the matches of a host do not depend on.
pub struct HostMeans {
    /// Where clients connect, opened by [`quintain_links::listen`].
    pub sockets: Vec<TcpListener>,
    /// The folder for replays, which is there; `None` keeps none.
    pub replays: Option<PathBuf>,
    /// Signs the replays.
    pub signer: Option<Arc<PrivateKey>>,
}

/// Is told of every match, on the thread that played it.
pub trait HostProgress: Send + Sync {
    /// Matches are counted from 1.
    fn played(&self, _number: u64, _report: &MatchReport) {}

    /// A match could not be set up.
    fn failed(&self, _number: u64, _error: &MatchError) {}
}

/// Whoever does not want to know.
impl HostProgress for () {}

#[derive(Debug, thiserror::Error)]
pub enum HostingError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Wait(#[from] io::Error),
}

/// Hosts until as many matches were played as the plan wants, or it is stopped; those that run are finished.
///
/// # Errors
/// The plan is wrong, or waiting itself fails. Clients cannot cause one.
pub fn run_host(
    plan: &HostPlan,
    means: HostMeans,
    progress: Arc<dyn HostProgress>,
    stop: &StopSign,
) -> Result<HostReport, HostingError> {
    let (game, lobby, config) = plan.check()?;
    let HostMeans { sockets, replays, signer } = means;
    let spec = spec_of(plan, config, signer);
    let table = HostedTable { game, spec, replays, progress };
    let settings = HostSettings { games_max: plan.games_max, ..HostSettings::default() };
    let play = Arc::new(move |seated: TableMatch| table.play(seated));
    Ok(host(sockets, lobby, game.framing(), settings, stop, play)?)
}

fn spec_of(plan: &HostPlan, config: ReadyConfig, signer: Option<Arc<PrivateKey>>) -> MatchSpec {
    MatchSpec {
        config,
        seed: 0,
        seats: PerSeat::from_fn(|_| Occupant::Client { name: String::new() }),
        files: PerSeat::default(),
        rules: plan.rules.match_rules(),
        ask: Ask::InTurn,
        start_limit: PerSeat([None, None]),
        opening: None,
        replay: None,
        match_log: None,
        signer,
    }
}

/// What every match of a host is played with.
struct HostedTable {
    game: &'static dyn AnyGame,
    spec: MatchSpec,
    replays: Option<PathBuf>,
    progress: Arc<dyn HostProgress>,
}

impl HostedTable {
    fn play(&self, seated: TableMatch) {
        let TableMatch { number, opening, on_over, mut world, .. } = seated;
        let mut spec = self.spec.clone();
        spec.seed = i64::try_from(number).unwrap_or(i64::MAX);
        spec.seats = opening.names.as_ref().map(|_, name| Occupant::Client { name: name.clone() });
        spec.replay = self.replay_path(&opening, number);
        spec.opening = Some(opening);
        // Frees the names as soon as the match is decided.
        let mut on_over = Some(on_over);
        let mut free_names = |end: &Decided| {
            if let Some(on_over) = on_over.take() {
                on_over(end.next_message_id);
            }
        };
        match self.game.play(&spec, &mut world, &mut free_names) {
            Ok(report) => self.progress.played(number, &report),
            Err(error) => self.progress.failed(number, &error),
        }
    }

    /// `<name0>VS<name1>-<unique>`, as the document promises.
    fn replay_path(&self, opening: &Opening, number: u64) -> Option<PathBuf> {
        let folder = self.replays.as_ref()?;
        let [first, second] = opening.names.as_ref().0.map(|name| file_name_part(name));
        let started = unix_ms();
        let stem = format!("{first}VS{second}-{started}-{number}");
        Some(free_path(folder, &stem, REPLAY_EXTENSION))
    }
}

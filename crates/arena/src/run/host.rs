//! Hosts matches of clients that come by themselves.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use quintain_core::{Opening, PerSeat};
use quintain_links::{HostReport, HostSettings, TableMatch, host, listen};
use quintain_record::Occupant;
use quintain_referee::Stop;
use quintain_registry::{AnyGame, Decided, MatchError, MatchReport, MatchSpec};
use quintain_replay::unix_ms;

use super::{ReplayWish, RunError, RunMeans};
use crate::arena::file_name_part;
use crate::occupant::SeatingError;
use crate::plan::HostPlan;
use crate::replay_folder::{REPLAY_EXTENSION, REPLAYS_FOLDER, free_path};

/// Is told of every match, on the thread that played it: nobody waits for whom it keeps busy, and it is told
/// of several matches at a time. All methods have a default; nobody wraps it.
pub trait HostProgress: Send + Sync {
    /// Clients can come.
    fn listening(&self, _addresses: &[SocketAddr]) {}

    /// Matches are counted from 1.
    fn played(&self, _number: u64, _report: &MatchReport) {}

    /// A match could not be set up, or was broken off.
    fn failed(&self, _number: u64, _error: &MatchError) {}
}

/// Whoever does not want to know.
impl HostProgress for () {}

/// Hosts until as many matches were played as the plan wants, or it is stopped.
///
/// # Errors
/// The plan is wrong, there is no room for replays, nobody can be listened for, or waiting itself fails. Clients
/// cannot cause one.
pub fn run_host(
    plan: &HostPlan,
    means: &RunMeans,
    progress: Arc<dyn HostProgress>,
    stop: &Stop,
) -> Result<HostReport, RunError> {
    let (game, lobby, config) = plan.check()?;
    means.make_replay_folder()?;
    let failed = |error| SeatingError::Listen { address: means.listen.clone(), error };
    let sockets = listen(&means.listen).map_err(failed)?;
    let addresses: io::Result<Vec<SocketAddr>> =
        sockets.iter().map(TcpListener::local_addr).collect();
    progress.listening(&addresses.map_err(RunError::Wait)?);
    let replays = match &means.replays {
        ReplayWish::None => None,
        ReplayWish::Usual => Some(PathBuf::from(REPLAYS_FOLDER)),
        ReplayWish::All(folder) => Some(folder.clone()),
    };
    let seats = PerSeat::from_fn(|_| Occupant::Client { name: String::new() });
    let spec = MatchSpec {
        start_limit: PerSeat([None, None]),
        signer: means.signer.clone(),
        ..plan.settings.spec(config, 0, seats)
    };
    let table = HostedTable { game, spec, replays, progress };
    let settings = HostSettings { games_max: plan.games_max, ..HostSettings::default() };
    let play = Arc::new(move |seated: TableMatch| table.play(seated));
    host(sockets, lobby, game.framing(), settings, stop, play).map_err(RunError::Wait)
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

//! Where the front and the tables meet: the lobby behind a lock, and what wakes the front up.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quintain_core::{Lobby, LobbyStep, TableId};

use super::{HostReport, event, ring};

pub(super) struct HostState {
    state: Mutex<SharedState>,
    wake_up: OwnedFd,
}

pub(super) struct SharedState {
    pub(super) lobby: Box<dyn Lobby>,
    /// What the front must do next. The lobby may be told something new by the front only when
    /// this is empty, or it would be told of a client whose match has begun.
    pub(super) steps: Vec<LobbyStep>,
    /// Tables whose thread runs.
    pub(super) tables_running: usize,
    pub(super) report: HostReport,
}

impl HostState {
    pub(super) fn new(lobby: Box<dyn Lobby>) -> io::Result<HostState> {
        let state = SharedState {
            lobby,
            steps: Vec::new(),
            tables_running: 0,
            report: HostReport::default(),
        };
        Ok(HostState { state: Mutex::new(state), wake_up: event()? })
    }

    /// A table that panicked cannot have left the state half changed: it holds the lock only
    /// within the functions here.
    pub(super) fn lock(&self) -> MutexGuard<'_, SharedState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Readable after something was changed by a table.
    pub(super) fn wake_up(&self) -> &OwnedFd {
        &self.wake_up
    }

    pub(super) fn silence(&self) {
        let mut count = [0; 8];
        // Nothing to read means that it was silent.
        let _ = rustix::io::read(&self.wake_up, &mut count);
    }

    fn over(&self, table: TableId, next_message_id: u64) -> MutexGuard<'_, SharedState> {
        let mut guard = self.lock();
        let state = &mut *guard;
        state.lobby.over(table, next_message_id, &mut state.steps);
        ring(&self.wake_up);
        guard
    }
}

/// The duty to tell the lobby that a match is over, exactly once, whatever becomes of the match.
pub(super) struct Over {
    shared: Arc<HostState>,
    table: TableId,
    first_message_id: u64,
    is_told: bool,
}

impl Over {
    pub(super) fn new(shared: Arc<HostState>, table: TableId, first_message_id: u64) -> Over {
        Over { shared, table, first_message_id, is_told: false }
    }

    pub(super) fn tell(mut self, next_message_id: u64) {
        self.is_told = true;
        self.shared.over(self.table, next_message_id).report.games_finished += 1;
    }
}

impl Drop for Over {
    /// How many messages an aborted match sent is unknown; their numbers are given out again.
    fn drop(&mut self) {
        if !self.is_told {
            self.shared.over(self.table, self.first_message_id).report.games_aborted += 1;
        }
    }
}

/// Counts a table's thread while it exists.
pub(super) struct Running(Arc<HostState>);

impl Running {
    pub(super) fn new(shared: Arc<HostState>) -> Running {
        shared.lock().tables_running += 1;
        Running(shared)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.lock().tables_running -= 1;
        ring(&self.0.wake_up);
    }
}

//! The front of a host: sockets that listen, clients without a match, and the lobby between them.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::net::{TcpListener, TcpStream};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use quintain_core::{Client, Framing, Lobby, LobbyStep, Opening, PerSeat, TableId};
use quintain_referee::Stop;
use rustix::event::{PollFd, PollFlags, Timespec};

use super::guest::{Came, Guest, Stay};
use super::shared::{HostState, Over, Running};
use super::{HostReport, HostSettings, PlayTable, TableMatch};
use crate::halt::LOOK_EVERY;
use crate::limits::{ACCEPT_PAUSE, ACCEPTS_PER_WAKE};
use crate::{Connection, Cut, Halt, Link, RealWorld};

pub(super) struct Front {
    /// Empty once nobody is let in any more.
    listeners: Vec<TcpListener>,
    /// No connection is accepted before this.
    accept_again: Option<Instant>,
    framing: Framing,
    settings: HostSettings,
    stop: Stop,
    table: PlayTable,
    shared: Arc<HostState>,
    guests: BTreeMap<Client, Guest>,
    clients_seen: u64,
    games_started: u64,
    threads: Vec<JoinHandle<()>>,
}

/// What became ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ready {
    WakeUp,
    Listener(usize),
    Guest(Client),
}

impl Front {
    pub(super) fn new(
        listeners: Vec<TcpListener>,
        lobby: Box<dyn Lobby>,
        framing: Framing,
        settings: HostSettings,
        stop: Stop,
        table: PlayTable,
    ) -> io::Result<Front> {
        let mut front = Front {
            listeners,
            accept_again: None,
            framing,
            settings,
            stop,
            table,
            shared: Arc::new(HostState::new(lobby)?),
            guests: BTreeMap::new(),
            clients_seen: 0,
            games_started: 0,
            threads: Vec::new(),
        };
        if front.settings.games_max == Some(0) {
            front.close_listeners();
        }
        Ok(front)
    }

    pub(super) fn run(mut self) -> io::Result<HostReport> {
        loop {
            if self.stop.is_asked() {
                self.close_listeners();
            }
            if self.is_done() {
                break;
            }
            let mut speakers = Vec::new();
            for (ready, flags) in self.wait()? {
                match ready {
                    Ready::WakeUp => self.shared.silence(),
                    Ready::Listener(index) => self.accept(index),
                    Ready::Guest(client) => {
                        if self.attend(client, flags) == Came::Bytes {
                            speakers.push(client);
                        }
                    }
                }
            }
            // Whoever left has done so before the lobby hears the others: their names are free.
            self.dismiss();
            for client in speakers {
                self.hear_lines(client);
            }
            self.settle();
            self.dismiss();
            self.threads.retain(|thread| !thread.is_finished());
        }
        for thread in self.threads {
            thread.join().expect("a table catches the panics of its match");
        }
        Ok(self.shared.lock().report)
    }

    fn is_open(&self) -> bool {
        !self.listeners.is_empty()
    }

    fn is_done(&self) -> bool {
        !self.is_open() && self.guests.is_empty() && self.shared.lock().tables_running == 0
    }

    /// Lets nobody in any more and sends everybody away who has no match.
    fn close_listeners(&mut self) {
        self.listeners.clear();
        for guest in self.guests.values_mut().filter(|guest| guest.is_in_lobby()) {
            guest.leave();
        }
    }

    fn wait(&self) -> io::Result<Vec<(Ready, PollFlags)>> {
        let mut sources = vec![(Ready::WakeUp, PollFd::new(self.shared.wake_up(), PollFlags::IN))];
        if self.accept_again.is_none_or(|moment| moment <= Instant::now()) {
            let listeners = self.listeners.iter().enumerate();
            sources.extend(listeners.map(|(index, listener)| {
                (Ready::Listener(index), PollFd::new(listener, PollFlags::IN))
            }));
        }
        for (&client, guest) in &self.guests {
            let mut flags = PollFlags::IN;
            flags.set(PollFlags::OUT, guest.has_pending());
            sources.push((Ready::Guest(client), PollFd::new(&guest.connection.stream, flags)));
        }
        let (whats, mut polled): (Vec<Ready>, Vec<PollFd<'_>>) = sources.into_iter().unzip();
        match rustix::event::poll(&mut polled, self.timeout().as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let ready = whats.into_iter().zip(polled.iter().map(PollFd::revents));
        Ok(ready.filter(|(_, flags)| !flags.is_empty()).collect())
    }

    /// The next moment at which something must be done although nothing becomes ready: while it is open it
    /// may be asked to stop.
    fn timeout(&self) -> Option<Timespec> {
        let leaving = self.guests.values().filter_map(|guest| match guest.stay {
            Stay::Leaving { until, .. } => Some(until),
            Stay::InLobby => None,
        });
        let paused = self.accept_again.filter(|moment| *moment > Instant::now());
        let look = self.is_open().then(|| Instant::now() + LOOK_EVERY);
        let next = leaving.chain(paused).chain(look).min()?;
        let rest = next.saturating_duration_since(Instant::now());
        // A whole millisecond more, so that the moment has passed on waking.
        Timespec::try_from(rest + Duration::from_millis(1)).ok()
    }

    fn accept(&mut self, index: usize) {
        for _ in 0..ACCEPTS_PER_WAKE {
            let Some(listener) = self.listeners.get(index) else {
                return;
            };
            match listener.accept() {
                Ok((stream, _)) => self.welcome(stream),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if is_clients_fault(error.kind()) => {}
                // No room: too many open files, or no memory. There may be some soon.
                Err(_) => {
                    self.accept_again = Some(Instant::now() + ACCEPT_PAUSE);
                    return;
                }
            }
        }
    }

    fn welcome(&mut self, stream: TcpStream) {
        let seated = 2 * self.shared.lock().tables_running;
        let is_full = self.guests.len() + seated >= self.settings.connections_max;
        if is_full && !self.make_room() {
            return;
        }
        // Who is gone already is not worth a number.
        let Ok(connection) = Connection::new(stream, self.framing) else {
            return;
        };
        self.clients_seen += 1;
        let client = Client(self.clients_seen);
        self.guests.insert(client, Guest::new(connection));
        self.tell_lobby(client, |_, lobby, steps| lobby.connect(client, steps));
    }

    /// Sends away who has been here longest without giving a name, if there is anyone: silent
    /// clients cannot lock out those who came to play.
    fn make_room(&mut self) -> bool {
        let shared = self.shared.lock();
        let is_idle = |client: &Client, guest: &Guest| {
            guest.stay == Stay::InLobby && !guest.is_lost && !shared.lobby.has_name(*client)
        };
        let mut guests = self.guests.iter_mut();
        match guests.find(|(client, guest)| is_idle(client, guest)) {
            Some((_, guest)) => {
                guest.is_lost = true;
                true
            }
            None => false,
        }
    }

    /// Writes and reads, as the guest is ready for it. Its lines are not heard yet.
    fn attend(&mut self, client: Client, flags: PollFlags) -> Came {
        let Some(guest) = self.guests.get_mut(&client) else {
            return Came::Nothing;
        };
        if flags.contains(PollFlags::OUT) {
            guest.write();
        }
        if !flags.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR) {
            return Came::Nothing;
        }
        let came = guest.read();
        guest.is_lost |= came == Came::End;
        came
    }

    /// Gives the lobby one line after the other. When one of them begins the client's match, those
    /// that follow belong to the match.
    fn hear_lines(&mut self, client: Client) {
        loop {
            let mut has_heard = false;
            self.tell_lobby(client, |guest, lobby, steps| match guest.connection.heard.pop() {
                Some(Cut::Line(line)) => {
                    has_heard = true;
                    lobby.line(client, &line, steps);
                }
                Some(Cut::Overlong) => guest.is_lost = true,
                None => {}
            });
            if !has_heard {
                return;
            }
        }
    }

    /// Tells the lobby something about a client that it still knows, and does what follows.
    fn tell_lobby(
        &mut self,
        client: Client,
        tell: impl FnOnce(&mut Guest, &mut dyn Lobby, &mut Vec<LobbyStep>),
    ) {
        let shared = Arc::clone(&self.shared);
        let mut state = loop {
            let state = shared.lock();
            if state.steps.is_empty() {
                break state;
            }
            drop(state);
            self.settle();
        };
        if let Some(guest) = self.guests.get_mut(&client).filter(|guest| guest.is_in_lobby()) {
            let state = &mut *state;
            tell(guest, state.lobby.as_mut(), &mut state.steps);
        }
        drop(state);
        self.settle();
    }

    /// Does everything that the lobby asked for.
    fn settle(&mut self) {
        loop {
            let steps = std::mem::take(&mut self.shared.lock().steps);
            if steps.is_empty() {
                return;
            }
            for step in steps {
                self.perform(step);
            }
            let in_lobby = self.guests.values_mut().filter(|guest| guest.is_in_lobby());
            for guest in in_lobby.filter(|guest| guest.has_pending()) {
                guest.write();
            }
        }
    }

    fn perform(&mut self, step: LobbyStep) {
        match step {
            LobbyStep::Say(client, line) => {
                if let Some(guest) =
                    self.guests.get_mut(&client).filter(|guest| guest.is_in_lobby())
                {
                    guest.say(&line, self.framing.line_end_out);
                }
            }
            LobbyStep::Close(client) => {
                if let Some(guest) = self.guests.get_mut(&client) {
                    guest.leave();
                }
            }
            LobbyStep::Seated { table, clients, opening } => self.begin(table, clients, opening),
        }
    }

    /// Hands both clients to a table. After the last match of this host nobody is listened for any more.
    fn begin(&mut self, table: TableId, clients: PerSeat<Client>, opening: Opening) {
        if !self.is_open() {
            return;
        }
        let over = Over::new(Arc::clone(&self.shared), table, opening.first_message_id);
        let guests = clients.map(|_, client| {
            self.guests
                .remove(&client)
                .expect("the lobby seats clients that it was not told to forget")
        });
        self.games_started += 1;
        let links = guests.map(|_, mut guest| {
            guest.write();
            Link::stream(guest.connection)
        });
        let halt = Halt { stop: Some(self.stop.clone()), at: None };
        let the_match = TableMatch {
            table,
            number: self.games_started,
            opening,
            on_over: Box::new(move |next_message_id| over.tell(next_message_id)),
            world: RealWorld::new(self.framing, links).with_halt(halt),
        };
        self.start_thread(the_match);
        if self.settings.games_max.is_some_and(|games_max| self.games_started >= games_max) {
            self.close_listeners();
        }
    }

    fn start_thread(&mut self, the_match: TableMatch) {
        let running = Running::new(Arc::clone(&self.shared));
        let play = Arc::clone(&self.table);
        let name = format!("table {}", the_match.table.0);
        let started = std::thread::Builder::new().name(name).spawn(move || {
            // The message of a panic has been printed; the match counts as aborted by the drop of
            // what it was given.
            let _ = std::panic::catch_unwind(AssertUnwindSafe(|| play(the_match)));
            drop(running);
        });
        // If the system has no room for a thread, the match was dropped and thereby aborted.
        self.threads.extend(started.ok());
    }

    /// Forgets guests who are lost or whose time to leave is over.
    fn dismiss(&mut self) {
        let now = Instant::now();
        let is_over = |guest: &Guest| match guest.stay {
            Stay::InLobby => guest.is_lost,
            Stay::Leaving { until, .. } => guest.is_lost || now >= until,
        };
        // Telling the lobby of one can lose another.
        while let Some(client) =
            self.guests.iter().find(|(_, guest)| is_over(guest)).map(|(&client, _)| client)
        {
            self.tell_lobby(client, |_, lobby, steps| lobby.disconnect(client, steps));
            self.guests.remove(&client);
        }
    }
}

/// Errors of `accept` that concern only the connection that was to be accepted.
fn is_clients_fault(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::Interrupted
    )
}

//! The referee's part of a recorded session: one table, one throw at a time, and a clock that the
//! recording sets.

use std::collections::VecDeque;
use std::time::Duration;

use quintain_core::{
    Client, Fault, Game, Intake, Item, Lobby, LobbyStep, Mismatch, NoChance, Outbox, PerSeat,
    Protocol, Reply, Seat, TableId,
};
use serde::Deserialize;

use crate::protocol::ending_text;
use crate::{Config, Direction, Hockey, HockeyLobby, Setup, Wire};

/// What was said to a client.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Said {
    Line(Client, String),
    Close(Client),
}

/// One table of a server on a virtual clock.
#[derive(Default)]
pub(super) struct Server {
    lobby: HockeyLobby,
    table: Option<Table>,
    clients_seen: u64,
    /// Connected clients. What is said to others is numbered and lost.
    present: Vec<Client>,
    now: Duration,
    /// Said and not yet compared.
    pub said: VecDeque<Said>,
}

/// The position once a line was handled.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct After {
    ball: (i8, i8),
    active: u8,
    legal: Vec<Direction>,
}

/// The latest game, finished or not.
struct Table {
    id: TableId,
    clients: PerSeat<Client>,
    names: PerSeat<String>,
    game: Hockey,
    wire: Wire,
    /// When the player to throw became it.
    since: Duration,
}

impl Server {
    pub(super) fn connect(&mut self) -> Client {
        let client = Client(self.clients_seen);
        self.clients_seen += 1;
        self.present.push(client);
        let mut steps = Vec::new();
        self.lobby.connect(client, &mut steps);
        self.carry_out(steps);
        client
    }

    pub(super) fn awaits_name(&self, client: Client) -> bool {
        self.present.contains(&client) && !self.lobby.has_name(client)
    }

    pub(super) fn hear(&mut self, client: Client, text: &str) {
        if !self.present.contains(&client) {
            return;
        }
        let seated = self.table.as_ref().and_then(|table| table.seat_of(client));
        match seated {
            Some(seat) => self.hear_player(seat, text),
            None => {
                let mut steps = Vec::new();
                self.lobby.line(client, text.as_bytes(), &mut steps);
                self.carry_out(steps);
            }
        }
    }

    fn hear_player(&mut self, seat: Seat, text: &str) {
        let Some(table) = &mut self.table else { return };
        let mut out = Outbox::default();
        let asked = table.game.to_act().contains(seat);
        let intake = table.wire.hear(seat, asked, text, &mut out);
        self.send(out);
        if let Intake::Action(direction) = intake {
            self.step(seat, Reply::Act(direction));
        }
    }

    pub(super) fn disconnect(&mut self, client: Client) {
        self.present.retain(|&other| other != client);
        let mut steps = Vec::new();
        self.lobby.disconnect(client, &mut steps);
        self.carry_out(steps);
    }

    pub(super) fn pass_time(&mut self, seconds: f64) -> Result<(), Mismatch> {
        let now = Duration::try_from_secs_f64(seconds)
            .ok()
            .filter(|&now| now >= self.now)
            .ok_or_else(|| (format!("{seconds} s"), format!("a time after {:?}", self.now)))?;
        self.now = now;
        let Some(table) = &self.table else {
            return Ok(());
        };
        let Some(seat) = table.game.to_act().iter().next() else {
            return Ok(());
        };
        if now - table.since >= table.game.time_limit(seat) {
            self.step(seat, Reply::Fault(Fault::Late));
        }
        Ok(())
    }

    /// Plays one reply, tells both what happened and asks the next, or clears the table.
    fn step(&mut self, seat: Seat, reply: Reply<Direction>) {
        let Some(table) = &mut self.table else { return };
        let turn = table.game.turn();
        let mut replies = PerSeat::default();
        replies[seat] = Some(reply);
        let (mut events, mut out) = (Vec::new(), Outbox::default());
        table.game.advance(&replies, &mut NoChance, &mut events);
        let outcome = table.game.outcome();
        table.wire.tell(&events, outcome.as_ref(), &mut out);
        if table.game.turn() != turn {
            table.since = self.now;
            table.ask(&mut out);
        }
        self.send(out);
        if outcome.is_some() {
            self.clear();
        }
    }

    /// Both connections are closed, the first seat's first; what they still say is not heard.
    fn clear(&mut self) {
        let Some(table) = &self.table else { return };
        let (id, next_message_id) = (table.id, table.wire.next_message_id());
        for client in table.clients.0 {
            if self.present.contains(&client) {
                self.said.push_back(Said::Close(client));
            }
            self.present.retain(|&other| other != client);
        }
        let mut steps = Vec::new();
        self.lobby.over(id, next_message_id, &mut steps);
        self.carry_out(steps);
    }

    fn carry_out(&mut self, steps: Vec<LobbyStep>) {
        for step in steps {
            match step {
                LobbyStep::Say(client, text) => self.say(client, text),
                LobbyStep::Close(client) => {
                    self.said.push_back(Said::Close(client));
                    self.present.retain(|&other| other != client);
                }
                LobbyStep::Seated { table, clients, opening } => {
                    let config = Config::default();
                    let game = Hockey::new(&config, Setup::default())
                        .expect("the usual setup is playable");
                    let wire = Wire::new(&opening);
                    let (since, names) = (self.now, opening.names);
                    let mut table = Table { id: table, clients, names, game, wire, since };
                    let mut out = Outbox::default();
                    table.wire.start(&table.game.views(), &mut out);
                    table.ask(&mut out);
                    self.table = Some(table);
                    self.send(out);
                }
            }
        }
    }

    fn send(&mut self, out: Outbox) {
        let Some(clients) = self.table.as_ref().map(|table| table.clients) else {
            return;
        };
        for (seat, item) in out.0 {
            match item {
                Item::Line(text) => self.say(clients[seat], text),
                Item::File { path, .. } => panic!("hockey writes no files, got {path}"),
            }
        }
    }

    fn say(&mut self, client: Client, text: String) {
        if self.present.contains(&client) {
            self.said.push_back(Said::Line(client, text));
        }
    }

    /// The position of the client's game or, while it waits for one, that of the start.
    pub(super) fn after(&self, client: Client) -> After {
        let start = crate::Board::START;
        let own = self.table.as_ref().filter(|table| table.seat_of(client).is_some());
        let board = own.map_or(&start, |table| table.game.board());
        let puck = board.puck();
        After {
            ball: (puck.x(), puck.y()),
            active: board.active().index() as u8,
            legal: board.exits(puck).iter().collect(),
        }
    }

    /// Winner, the text after `won`, and the winner's name.
    pub(super) fn finished(&self) -> Result<(Option<Seat>, String, String), Mismatch> {
        let table = self.table.as_ref();
        let Some((table, ending)) = table.and_then(|table| Some((table, table.game.ending()?)))
        else {
            return Err(("a finished game".to_owned(), "a game that goes on".to_owned()));
        };
        let winner = ending.winner();
        let name = winner.map_or_else(String::new, |seat| table.names[seat].clone());
        Ok((winner, ending_text(ending), name))
    }

    pub(super) fn scores(&self) -> [i64; 2] {
        let outcome = self.table.as_ref().and_then(|table| table.game.outcome());
        outcome.map_or([0, 0], |outcome| outcome.scores.0)
    }
}

impl Table {
    fn seat_of(&self, client: Client) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|&seat| self.clients[seat] == client)
    }

    fn ask(&mut self, out: &mut Outbox) {
        for seat in self.game.to_act().iter() {
            self.wire.prompt(seat, &self.game.view(seat), out);
        }
    }
}

//! Replays a recorded match of the original server and names the first difference.
//!
//! The recording's inputs (connections, lines, time) go through the same lobby, protocol and rules
//! as in a match; what these say must be what the recording says next, line by line. The referee's
//! part, one throw at a time and a clock, is played by [`Server`].

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use quintain_core::{
    Client, Conform, Difference, Fault, Game, Intake, Item, Lobby, LobbyStep, Mismatch, NoChance,
    Outbox, PerSeat, Protocol, Reply, Seat, TableId, Transcript, same, stops_early,
};
use serde::Deserialize;

use crate::protocol::ending_text;
use crate::{Config, Direction, Hockey, HockeyLobby, Setup, Wire};

impl Conform for Hockey {
    fn conform(lines: &[String]) -> Result<(), Difference> {
        Difference::first(lines, Recording::default())
    }
}

/// One line of a recording. `from` and `to` are the client's seat in the current game.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum Line {
    Match(Header),
    Connect {
        from: u8,
    },
    Name {
        from: u8,
        text: String,
    },
    Move(Move),
    Message {
        to: u8,
        text: String,
    },
    Close {
        to: u8,
    },
    Disconnect {
        from: u8,
    },
    /// Seconds on the server's clock.
    Time {
        seconds: f64,
    },
    /// The end of one game of a session.
    Over {
        winner: Option<u8>,
        name: String,
        reason: String,
    },
    Result {
        winner: Option<u8>,
        scores: [i64; 2],
        reason: String,
    },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    game: String,
    #[serde(rename = "seed")]
    _seed: i64,
    players: [String; 2],
    config: BTreeMap<String, serde_json::Value>,
    #[serde(rename = "source")]
    _source: Option<String>,
    #[serde(rename = "note")]
    _note: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Move {
    from: u8,
    text: String,
    after: After,
    /// Several lines came in one segment, which changes nothing.
    #[serde(default, rename = "batched")]
    _batched: bool,
}

/// The position once a line was handled.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct After {
    ball: (i8, i8),
    active: u8,
    legal: Vec<Direction>,
}

/// The recording as far as it has been compared.
#[derive(Default)]
struct Recording {
    players: Option<[String; 2]>,
    /// The clients by the number that the recording gives them, the latest of each.
    clients: BTreeMap<u8, Client>,
    server: Server,
    /// Games won by the two names of the header.
    wins: [i64; 2],
    is_complete: bool,
}

impl Transcript for Recording {
    fn compare(&mut self, text: &str) -> Result<(), Mismatch> {
        let line: Line = serde_json::from_str(text)
            .map_err(|error| ("a line of a hockey recording".to_owned(), error.to_string()))?;
        if self.is_complete {
            return Err(("the end of the file".to_owned(), text.to_owned()));
        }
        if let Line::Match(header) = line {
            return self.open(header);
        }
        if self.players.is_none() {
            return Err(("the header first".to_owned(), text.to_owned()));
        }
        // Whatever was said must have been listed before anything else happens.
        if !matches!(line, Line::Message { .. } | Line::Close { .. })
            && let Some(said) = self.server.said.front()
        {
            return Err((text.to_owned(), self.name_said(said)));
        }
        self.compare_line(line)
    }

    fn is_complete(&self) -> bool {
        self.is_complete
    }
}

impl Recording {
    fn open(&mut self, header: Header) -> Result<(), Mismatch> {
        same(&header.game.as_str(), &Hockey::ID)?;
        if let Some((name, value)) = header.config.iter().next() {
            return Err((format!("config {name} = {value}"), "no such choice".to_owned()));
        }
        if self.players.replace(header.players).is_some() {
            return Err(("one header".to_owned(), "a second one".to_owned()));
        }
        Ok(())
    }

    fn compare_line(&mut self, line: Line) -> Result<(), Mismatch> {
        match line {
            Line::Match(header) => self.open(header),
            Line::Connect { from } => {
                let client = self.server.connect();
                self.clients.insert(from, client);
                Ok(())
            }
            Line::Name { from, text } => self.hear(from, &text, true),
            Line::Move(Move { from, text, after, .. }) => {
                self.hear(from, &text, false)?;
                same(&after, &self.server.after(self.client(from)?))
            }
            Line::Message { to, text } => self.expect_said(Said::Line(self.client(to)?, text)),
            Line::Close { to } => self.expect_said(Said::Close(self.client(to)?)),
            Line::Disconnect { from } => {
                let client = self.client(from)?;
                self.server.disconnect(client);
                Ok(())
            }
            Line::Time { seconds } => self.server.pass_time(seconds),
            Line::Over { winner, name, reason } => self.compare_over(winner, &name, &reason),
            Line::Result { winner, scores, reason } => self.close(winner, scores, &reason),
        }
    }

    fn client(&self, number: u8) -> Result<Client, Mismatch> {
        let known = self.clients.get(&number).copied();
        known.ok_or_else(|| (format!("client {number}"), "no such client".to_owned()))
    }

    fn hear(&mut self, from: u8, text: &str, is_name: bool) -> Result<(), Mismatch> {
        let client = self.client(from)?;
        let kind = |is_name| if is_name { "a name" } else { "a move" };
        same(&kind(is_name), &kind(self.server.awaits_name(client)))?;
        self.server.hear(client, text);
        Ok(())
    }

    fn expect_said(&mut self, expected: Said) -> Result<(), Mismatch> {
        let got = self.server.said.pop_front();
        if got.as_ref() == Some(&expected) {
            return Ok(());
        }
        let got = got.map_or_else(|| "nothing said".to_owned(), |said| self.name_said(&said));
        Err((self.name_said(&expected), got))
    }

    fn name_said(&self, said: &Said) -> String {
        let number = |client: Client| {
            let known = self.clients.iter().find(|&(_, &other)| other == client);
            known.map_or_else(|| "nobody".to_owned(), |(number, _)| number.to_string())
        };
        match said {
            Said::Line(client, text) => format!("`{text}` to {}", number(*client)),
            Said::Close(client) => format!("close of {}", number(*client)),
        }
    }

    fn compare_over(
        &mut self,
        winner: Option<u8>,
        name: &str,
        reason: &str,
    ) -> Result<(), Mismatch> {
        let (ours, text, our_name) = self.server.finished()?;
        same(&winner, &ours.map(|seat| seat.index() as u8))?;
        same(&name, &our_name.as_str())?;
        same(&reason, &text.as_str())?;
        let players = self.players.iter().flatten();
        for (wins, player) in self.wins.iter_mut().zip(players) {
            *wins += i64::from(player == name);
        }
        Ok(())
    }

    fn close(
        &mut self,
        winner: Option<u8>,
        scores: [i64; 2],
        reason: &str,
    ) -> Result<(), Mismatch> {
        self.is_complete = true;
        if reason == "session" {
            let [first, second] = self.wins;
            let leader = match first.cmp(&second) {
                std::cmp::Ordering::Greater => Some(0),
                std::cmp::Ordering::Less => Some(1),
                std::cmp::Ordering::Equal => None,
            };
            same(&winner, &leader)?;
            return same(&scores, &self.wins);
        }
        if stops_early(reason) {
            return Ok(());
        }
        let (ours, text, _) = self.server.finished()?;
        same(&winner, &ours.map(|seat| seat.index() as u8))?;
        same(&scores, &self.server.scores())?;
        same(&reason, &text.as_str())
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Said {
    Line(Client, String),
    Close(Client),
}

/// One table of a server on a virtual clock.
#[derive(Default)]
struct Server {
    lobby: HockeyLobby,
    table: Option<Table>,
    clients_seen: u64,
    /// Connected clients. What is said to others is numbered and lost.
    present: Vec<Client>,
    now: Duration,
    /// Said and not yet compared.
    said: VecDeque<Said>,
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
    fn connect(&mut self) -> Client {
        let client = Client(self.clients_seen);
        self.clients_seen += 1;
        self.present.push(client);
        let mut steps = Vec::new();
        self.lobby.connect(client, &mut steps);
        self.carry_out(steps);
        client
    }

    fn awaits_name(&self, client: Client) -> bool {
        self.present.contains(&client) && !self.lobby.has_name(client)
    }

    fn hear(&mut self, client: Client, text: &str) {
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

    fn disconnect(&mut self, client: Client) {
        self.present.retain(|&other| other != client);
        let mut steps = Vec::new();
        self.lobby.disconnect(client, &mut steps);
        self.carry_out(steps);
    }

    fn pass_time(&mut self, seconds: f64) -> Result<(), Mismatch> {
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
    fn after(&self, client: Client) -> After {
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
    fn finished(&self) -> Result<(Option<Seat>, String, String), Mismatch> {
        let table = self.table.as_ref();
        let Some((table, ending)) = table.and_then(|table| Some((table, table.game.ending()?)))
        else {
            return Err(("a finished game".to_owned(), "a game that goes on".to_owned()));
        };
        let winner = ending.winner();
        let name = winner.map_or_else(String::new, |seat| table.names[seat].clone());
        Ok((winner, ending_text(ending), name))
    }

    fn scores(&self) -> [i64; 2] {
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

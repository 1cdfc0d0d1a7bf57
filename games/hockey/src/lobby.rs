//! What is said before a match: names, seats, tables and the queue.
//!
//! A machine without input, output or clock. Clients that have given a name wait in two queues, one
//! per seat; the heads of both queues are the next game. The number in a client's welcome is its
//! queue, so it keeps that seat however long it waits and whoever leaves. A newcomer joins the
//! shorter queue, the first seat's if both are equal: the lowest free seat of the next game that has
//! one.
//!
//! Message ids count per table, on and on from game to game as on the original's only table. The
//! next game takes the lowest free table as soon as somebody waits for it.

use std::collections::{BTreeMap, VecDeque};

use quintain_core::{Client, Lobby, LobbyStep, Opening, PerSeat, Seat, TableId, look_alike};

use crate::names::refusal;
use crate::protocol::{
    INVALID_ACTION, NAME_TAKEN, Sentence, WHATS_YOUR_NAME, read_direction, welcome,
};

#[derive(Clone, Debug, Default)]
pub struct HockeyLobby {
    /// How many games can be played at a time; `None` is as many as there are pairs.
    tables_max: Option<usize>,
    tables: Vec<Table>,
    /// Where each client stands that is neither seated nor gone.
    clients: BTreeMap<Client, Stage>,
    queues: PerSeat<VecDeque<Waiting>>,
    /// The table of the next game. Taken while anybody waits, unless every table is in play.
    next_table: Option<TableId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Nameless,
    Waiting(Seat),
}

#[derive(Clone, Debug)]
struct Waiting {
    client: Client,
    name: String,
    /// Counts for a client that has no table yet, so that the ids it sees never fall.
    next_message_id: u64,
}

#[derive(Clone, Debug)]
struct Table {
    next_message_id: u64,
    game: Option<Game>,
}

/// Who plays at a table.
#[derive(Clone, Debug)]
struct Game {
    clients: PerSeat<Client>,
    names: PerSeat<String>,
}

impl Lobby for HockeyLobby {
    fn connect(&mut self, client: Client, out: &mut Vec<LobbyStep>) {
        let before = self.clients.insert(client, Stage::Nameless);
        assert_eq!(before, None, "a client connects once");
        out.push(LobbyStep::Say(client, WHATS_YOUR_NAME.to_owned()));
    }

    /// The first line is the name. Lines of clients that are seated or gone have no effect.
    fn line(&mut self, client: Client, line: &[u8], out: &mut Vec<LobbyStep>) {
        match (self.clients.get(&client).copied(), str::from_utf8(line)) {
            (None, _) => {}
            (Some(Stage::Nameless), Ok(name)) => self.name(client, name, out),
            (Some(Stage::Nameless), Err(_)) => {
                self.clients.remove(&client);
                out.push(LobbyStep::Close(client));
            }
            (Some(Stage::Waiting(seat)), Ok(line)) => self.chat(client, seat, line, out),
            (Some(Stage::Waiting(_)), Err(_)) => {
                out.push(LobbyStep::Say(client, INVALID_ACTION.to_owned()));
            }
        }
    }

    fn has_name(&self, client: Client) -> bool {
        let is_seated = |game: &Game| game.clients.0.contains(&client);
        matches!(self.clients.get(&client), Some(Stage::Waiting(_))) || self.games().any(is_seated)
    }

    /// A client that leaves while it waits frees its seat and its name.
    fn disconnect(&mut self, client: Client, out: &mut Vec<LobbyStep>) {
        if let Some(Stage::Waiting(seat)) = self.clients.remove(&client) {
            self.queues[seat].retain(|waiting| waiting.client != client);
            self.seat_pairs(out);
        }
    }

    fn over(&mut self, table: TableId, next_message_id: u64, out: &mut Vec<LobbyStep>) {
        let Some(table) = self.tables.get_mut(table.0).filter(|table| table.game.is_some()) else {
            return;
        };
        table.game = None;
        table.next_message_id = table.next_message_id.max(next_message_id);
        self.seat_pairs(out);
    }
}

impl HockeyLobby {
    /// A lobby with at most so many games at a time. Full pairs wait for a table then.
    pub fn with_tables(max: Option<usize>) -> Self {
        HockeyLobby { tables_max: max, ..HockeyLobby::default() }
    }

    fn name(&mut self, client: Client, name: &str, out: &mut Vec<LobbyStep>) {
        if let Some(refusal) = refusal(name) {
            out.push(LobbyStep::Say(client, refusal));
            return;
        }
        if self.is_taken(name) {
            out.push(LobbyStep::Say(client, NAME_TAKEN.to_owned()));
            return;
        }
        let [first, second] = &self.queues.0;
        let seat = if first.len() <= second.len() { Seat::First } else { Seat::Second };
        self.clients.insert(client, Stage::Waiting(seat));
        let waiting = Waiting { client, name: name.to_owned(), next_message_id: 1 };
        self.queues[seat].push_back(waiting);
        out.push(LobbyStep::Say(client, welcome(name, seat)));
        self.seat_pairs(out);
    }

    /// A name is in use while its client waits and until its game ends; case and blanks count, letters
    /// that cannot be seen do not, and those of another script are the ones that they look like.
    fn is_taken(&self, name: &str) -> bool {
        let waiting = self.queues.0.iter().flatten().map(|waiting| &waiting.name);
        let playing = self.games().flat_map(|game| &game.names.0);
        waiting.chain(playing).any(|taken| look_alike(taken, name))
    }

    fn games(&self) -> impl Iterator<Item = &Game> {
        self.tables.iter().filter_map(|table| table.game.as_ref())
    }

    /// A client that waits may say what it likes: nothing moves.
    fn chat(&mut self, client: Client, seat: Seat, line: &str, out: &mut Vec<LobbyStep>) {
        let answer = match read_direction(line) {
            Some(direction) => {
                Sentence::Ignoring(direction).numbered(self.take_message_id(client, seat))
            }
            None => INVALID_ACTION.to_owned(),
        };
        out.push(LobbyStep::Say(client, answer));
    }

    /// The next id of the table at which the client will play or, while that is not known, of its
    /// own count.
    fn take_message_id(&mut self, client: Client, seat: Seat) -> u64 {
        let is_next = self.queues[seat].front().is_some_and(|waiting| waiting.client == client);
        let own = self.queues[seat].iter_mut().find(|waiting| waiting.client == client);
        let own = &mut own.expect("a waiting client is in its seat's queue").next_message_id;
        match self.next_table {
            Some(table) if is_next => {
                let next = &mut self.tables[table.0].next_message_id;
                let id = (*own).max(*next);
                *next = id + 1;
                id
            }
            _ => {
                *own += 1;
                *own - 1
            }
        }
    }

    /// Starts games while there are a table and a pair for it; then keeps a table for the next.
    fn seat_pairs(&mut self, out: &mut Vec<LobbyStep>) {
        while self.queues.0.iter().any(|queue| !queue.is_empty()) {
            self.next_table = self.next_table.or_else(|| self.lowest_free_table());
            let Some(table) = self.next_table else { return };
            if self.queues.0.iter().any(VecDeque::is_empty) {
                return;
            }
            self.next_table = None;
            self.seat_pair(table, out);
        }
        self.next_table = None;
    }

    fn seat_pair(&mut self, id: TableId, out: &mut Vec<LobbyStep>) {
        let pair = PerSeat::from_fn(|seat| {
            self.queues[seat].pop_front().expect("a pair has a client for each seat")
        });
        let table = &mut self.tables[id.0];
        assert!(table.game.is_none(), "a table has one game at a time");
        for (_, waiting) in pair.iter() {
            self.clients.remove(&waiting.client);
            table.next_message_id = table.next_message_id.max(waiting.next_message_id);
        }
        let names = pair.as_ref().map(|_, waiting| waiting.name.clone());
        let clients = pair.map(|_, waiting| waiting.client);
        table.game = Some(Game { clients, names: names.clone() });
        let opening = Opening { first_message_id: table.next_message_id, ..Opening::new(names) };
        out.push(LobbyStep::Seated { table: id, clients, opening });
    }

    fn lowest_free_table(&mut self) -> Option<TableId> {
        if let Some(free) = self.tables.iter().position(|table| table.game.is_none()) {
            return Some(TableId(free));
        }
        if self.tables_max.is_some_and(|max| self.tables.len() >= max) {
            return None;
        }
        self.tables.push(Table { next_message_id: 1, game: None });
        Some(TableId(self.tables.len() - 1))
    }
}

//! What is said before a match: names, seats and tables.

use crate::{Opening, PerSeat};

/// A connection, numbered by the host. Never used twice by one lobby.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Client(pub u64);

/// A table of the host, numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableId(pub usize);

/// What the host must do next, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum LobbyStep {
    Say(Client, String),
    /// Close the connection; nothing more is heard from it or said to it.
    Close(Client),
    /// A match begins. From here on the clients belong to the table's match.
    Seated {
        table: TableId,
        clients: PerSeat<Client>,
        opening: Opening,
    },
}

/// A machine without input, output or clock that seats clients, for games whose bots introduce
/// themselves. Hosts, process bots and recorded matches all drive it.
pub trait Lobby: Send {
    fn connect(&mut self, client: Client, out: &mut Vec<LobbyStep>);

    /// One line of a client that is not seated, without its line end, as the bytes that came.
    fn line(&mut self, client: Client, line: &[u8], out: &mut Vec<LobbyStep>);

    /// Whether the client has a name, waiting or seated.
    fn has_name(&self, client: Client) -> bool;

    /// The client left, or the host closed it for a reason of its own.
    fn disconnect(&mut self, client: Client, out: &mut Vec<LobbyStep>);

    /// The match at a table ended: its names are free again.
    fn over(&mut self, table: TableId, next_message_id: u64, out: &mut Vec<LobbyStep>);
}

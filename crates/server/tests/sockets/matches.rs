//! What the tests share: matches in a folder, a server that shows them, and a client that speaks HTTP by hand.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

use quintain_core::ConfigChoice;
use quintain_registry::{AnyGame, GAMES};
use quintain_server::{Hub, Neighbours, Plan, ServedReplays, Server};
use tempfile::TempDir;

/// As long as anybody waits for an answer in a test.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);
/// Turns of the matches in the folder.
pub(crate) const TURNS: u32 = 12;

pub(crate) struct Served {
    pub(crate) folder: TempDir,
    pub(crate) address: SocketAddr,
    pub(crate) hub: Hub,
}

/// A server for a folder with a match of each game, by its name.
pub(crate) fn served() -> Served {
    served_to(Neighbours::default())
}

pub(crate) fn served_to(neighbours: Neighbours) -> Served {
    serve(neighbours, |replays, _| replays)
}

/// The same with what is put beside the folder's matches.
pub(crate) fn served_with(add: impl FnOnce(ServedReplays, &Path) -> ServedReplays) -> Served {
    serve(Neighbours::default(), add)
}

fn serve(
    neighbours: Neighbours,
    add: impl FnOnce(ServedReplays, &Path) -> ServedReplays,
) -> Served {
    let folder = tempfile::tempdir().expect("a folder");
    for game in GAMES {
        let path = folder.path().join(format!("{}.jsonl", game.facts().id));
        write_match(*game, &path);
    }
    let replays = add(ServedReplays::of_folder(folder.path()), folder.path());
    let hub = Hub::new().expect("a thread");
    let live = Some(hub.clone());
    let plan = Plan {
        listen: "127.0.0.1:0".to_owned(),
        replays,
        neighbours,
        work: None,
        token: None,
        live,
    };
    let server = Server::bind(plan).expect("a free port");
    let address = server.address().expect("it listens");
    std::thread::spawn(move || server.run());
    Served { folder, address, hub }
}

/// The first turns of a match between house bots.
fn write_match(game: &'static dyn AnyGame, path: &Path) {
    let config = game.configure(&ConfigChoice::default()).expect("the usual config");
    let position = game.position(&config, 5).expect("the usual start");
    let mut seated = position.seated("greedy", 5).expect("a house bot");
    while seated.position().turn() < TURNS && seated.position().outcome().is_none() {
        seated.step().expect("house bots play legally");
    }
    std::fs::write(path, seated.position().save().expect("the luck is that of the seed"))
        .expect("room");
}

/// An answer as it came.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let is_it = |line: &&str| {
            line.split_once(':').is_some_and(|(found, _)| found.eq_ignore_ascii_case(name))
        };
        let line = self.head.lines().find(is_it)?;
        line.split_once(':').map(|(_, value)| value.trim())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Served {
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        stream
    }

    /// A request as browsers send it.
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask(&format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.address
        ))
    }

    /// Sends bytes and reads until the server closes.
    pub(crate) fn ask(&self, request: &str) -> Reply {
        self.try_ask(request.as_bytes()).expect("an answer")
    }

    /// `None` if nothing was answered.
    pub(crate) fn try_ask(&self, request: &[u8]) -> Option<Reply> {
        let mut stream = self.connect();
        // The server may close while it is still written to.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        read_reply(&bytes)
    }
}

pub(crate) fn read_reply(bytes: &[u8]) -> Option<Reply> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Reply { status, head, body: bytes[end + 4..].to_vec() })
}

//! A client that sends and reads raw bytes.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

use crate::server::LONG;

pub(crate) struct RawClient {
    stream: TcpStream,
}

impl RawClient {
    pub(crate) fn connect(address: SocketAddr) -> RawClient {
        let stream = TcpStream::connect(address).expect("the host listens");
        stream
            .set_read_timeout(Some(LONG))
            .and_then(|()| stream.set_write_timeout(Some(LONG)))
            .and_then(|()| stream.set_nodelay(true))
            .expect("a fresh socket takes its settings");
        RawClient { stream }
    }

    /// From now on a small message waits until the one before it was acknowledged, as is usual where
    /// nobody cares.
    pub(crate) fn send_lazily(&mut self) {
        self.stream.set_nodelay(false).expect("the socket takes its settings");
    }

    pub(crate) fn say(&mut self, text: &str) {
        self.send(text.as_bytes());
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("the host is there");
    }

    /// The same if the host may hang up. False if it did.
    pub(crate) fn try_send(&mut self, bytes: &[u8]) -> bool {
        match self.stream.write_all(bytes) {
            Ok(()) => true,
            Err(error) if is_hung_up(error.kind()) => false,
            Err(error) => panic!("the host neither reads nor hangs up: {error}"),
        }
    }

    /// Exactly these bytes come next.
    pub(crate) fn expect(&mut self, text: &str) {
        let mut got = Vec::new();
        while got.len() < text.len() {
            let mut piece = vec![0; text.len() - got.len()];
            match self.stream.read(&mut piece) {
                Ok(0) => panic!("expected {text:?}, got {:?} and the end", lossy(&got)),
                Ok(count) => got.extend_from_slice(&piece[..count]),
                Err(error) => panic!("expected {text:?}, got {:?} and {error}", lossy(&got)),
            }
            if !text.as_bytes().starts_with(&got) {
                break;
            }
        }
        assert_eq!(lossy(&got), text);
    }

    /// Nothing more comes, and the connection is closed in an orderly way.
    pub(crate) fn expect_end(&mut self) {
        let mut rest = Vec::new();
        let ended = self.stream.read_to_end(&mut rest);
        assert_eq!(lossy(&rest), "", "nothing but the end was expected");
        ended.expect("the host closes and does not reset");
    }

    /// The host hangs up, one way or the other, whatever it says before.
    pub(crate) fn expect_hang_up(&mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        if let Err(error) = self.stream.read_to_end(&mut rest) {
            assert!(is_hung_up(error.kind()), "no end came: {error}");
        }
        rest
    }

    /// Nothing comes for a while. It cannot fail by chance, only miss what comes later.
    pub(crate) fn expect_silence(&mut self, time: Duration) {
        let set = |time| self.stream.set_read_timeout(Some(time));
        set(time).expect("a time above zero");
        let mut byte = [0];
        let came = self.stream.peek(&mut byte);
        set(LONG).expect("a time above zero");
        let error = came.expect_err("the host said something or hung up");
        assert!(matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{error}");
    }

    /// The next line without its end, which must be CR LF; `None` at the end.
    pub(crate) fn line(&mut self) -> Option<String> {
        let mut line = Vec::new();
        let mut byte = [0];
        while !line.ends_with(b"\r\n") {
            match self.stream.read(&mut byte) {
                Ok(0) if line.is_empty() => return None,
                Ok(0) => panic!("the end came within the line {:?}", lossy(&line)),
                Ok(_) => line.push(byte[0]),
                Err(error) if line.is_empty() && is_hung_up(error.kind()) => return None,
                Err(error) => panic!("no whole line came after {:?}: {error}", lossy(&line)),
            }
        }
        line.truncate(line.len() - 2);
        Some(String::from_utf8(line).expect("the host speaks UTF-8"))
    }

    /// Says that nothing more comes, and still reads.
    pub(crate) fn stop_talking(&mut self) {
        self.stream.shutdown(Shutdown::Write).expect("the host is there");
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn is_hung_up(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe
    )
}

/// Plays out a game in which both throw north until the puck is in that net. Returns all that each
/// client heard until it was closed.
pub(crate) fn rush(clients: [RawClient; 2], names: [&str; 2]) -> [Vec<String>; 2] {
    std::thread::scope(|scope| {
        let [first, second] = clients;
        let player = scope.spawn(|| throw_north(first, names[0]));
        let other = throw_north(second, names[1]);
        [player.join().expect("it plays without panic"), other]
    })
}

/// The same after the first seat has read its prompt.
pub(crate) fn rush_on(mut clients: [RawClient; 2], names: [&str; 2]) -> [Vec<String>; 2] {
    clients[0].say("north\r\n");
    rush(clients, names)
}

/// Throws north whenever it is asked.
pub(crate) fn throw_north(mut client: RawClient, name: &str) -> Vec<String> {
    let prompt = format!("{name} is active player - ");
    let mut heard = Vec::new();
    while let Some(line) = client.line() {
        if line.starts_with(&prompt) {
            client.say("north\r\n");
        }
        heard.push(line);
    }
    heard
}

/// The number at the end of a line.
pub(crate) fn id_of(line: &str) -> u64 {
    let (_, id) = line.rsplit_once(" - ").expect("a numbered line");
    id.parse().expect("a number at the end of the line")
}

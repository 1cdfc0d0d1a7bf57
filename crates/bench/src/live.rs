//! What a crowd that looks on costs the match that it looks at.

use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde_json::Value;

use crate::pages::resident_bytes;
use crate::{Beside, Call, Means, Row};

const VIEWERS: usize = 500;
/// Of so many viewers one does not read.
const IDLE: usize = 10;
const TRIES: u32 = 3;
const PATIENCE: Duration = Duration::from_secs(120);
/// How often a viewer looks whether something has come.
const LOOK: Duration = Duration::from_millis(10);
/// Two programs that think for milliseconds and are held to the game's limit.
const GAME: &str = "code-royale";
const BOT: &str = "search-1k";

/// How long a match takes with 500 viewers, beside the same match without any. A bot that is late in any of them
/// is a failure.
pub(crate) fn viewers(means: &Means<'_>) -> anyhow::Result<Row> {
    let mut best = [f64::INFINITY; 2];
    for _ in 0..TRIES {
        for (viewers, best) in [VIEWERS, 0].into_iter().zip(&mut best) {
            *best = best.min(Watched::start(means)?.watch(viewers)?.seconds);
        }
    }
    let [value, alone] = best;
    let row = Row::plain("live-viewers", value, "s/match");
    Ok(row.beside(Beside {
        what: "the same match without viewers",
        value: alone,
        ratio: value / alone,
        ratio_max: 1.2,
    }))
}

/// What the process that plays has in memory after a match with 500 viewers.
pub(crate) fn memory(means: &Means<'_>) -> anyhow::Result<Row> {
    let bytes = Watched::start(means)?.watch(VIEWERS)?.resident_bytes;
    Ok(Row::plain("live-memory", bytes / 1e6, "MB").at_most(150.0))
}

/// A match of its own process, as users start it.
struct Watched {
    child: Child,
    host: String,
    begun: Instant,
}

struct Measured {
    seconds: f64,
    resident_bytes: f64,
}

impl Watched {
    fn start(means: &Means<'_>) -> anyhow::Result<Watched> {
        let bot = means.program.line(&Call::Bot { game: GAME, bot: BOT, seed: 1 });
        let [a, b] = ["a", "b"].map(|name| format!("{name}={bot}"));
        let mut play = means.program.command(&Call::Play { game: GAME, bots: [&a, &b] });
        let piped = play.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn()?;
        let mut line = String::new();
        BufReader::new(child.stderr.take().context("it is piped")?).read_line(&mut line)?;
        let begun = Instant::now();
        let address = line.split_whitespace().find_map(|word| word.strip_prefix("http://"));
        let address = address.with_context(|| format!("expected an address, found {line}"))?;
        let host = address.split('/').next().unwrap_or_default().to_owned();
        Ok(Watched { child, host, begun })
    }

    /// Looks on with so many until the match is over.
    fn watch(mut self, viewers: usize) -> anyhow::Result<Measured> {
        let streams = (0..viewers).map(|_| self.connect()).collect::<anyhow::Result<Vec<_>>>()?;
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let seen = scope.spawn(|| look_on(&streams, &is_over));
            let played = self.result();
            is_over.store(true, Ordering::Relaxed);
            let seen = seen.join().unwrap_or_default();
            let (report, seconds) = played?;
            for late in ["faults", "disturbed"] {
                let answers = report[late].as_array().map_or(0, Vec::len);
                ensure!(answers == 0, "expected no late answer, found {}", report[late]);
            }
            ensure!(viewers == 0 || seen > 0, "expected turns, but nobody saw one");
            Ok(Measured { seconds, resident_bytes: resident_bytes(&self.child)? })
        })
    }

    fn connect(&self) -> anyhow::Result<TcpStream> {
        let mut stream = TcpStream::connect(&self.host)?;
        write!(stream, "GET /live/1/events HTTP/1.1\r\nHost: {}\r\n\r\n", self.host)?;
        stream.set_nonblocking(true)?;
        Ok(stream)
    }

    /// The result of the match, and how long it took.
    fn result(&mut self) -> anyhow::Result<(Value, f64)> {
        let mut line = String::new();
        let output = self.child.stdout.as_mut().context("it is piped")?;
        BufReader::new(output).read_line(&mut line)?;
        let seconds = self.begun.elapsed();
        ensure!(seconds < PATIENCE, "expected a match, found none in {seconds:?}");
        Ok((serde_json::from_str(&line)?, seconds.as_secs_f64()))
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads what comes until it is over, and gives how many bytes that were.
fn look_on(streams: &[TcpStream], is_over: &AtomicBool) -> usize {
    let mut buffer = vec![0; 64 * 1024];
    let mut seen = 0;
    while !is_over.load(Ordering::Relaxed) {
        for (number, mut stream) in streams.iter().enumerate() {
            if number % IDLE == 0 {
                continue;
            }
            match stream.read(&mut buffer) {
                Ok(bytes) => seen += bytes,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(_) => return seen,
            }
        }
        thread::sleep(LOOK);
    }
    seen
}

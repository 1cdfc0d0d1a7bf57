//! What the pages of `quintain serve` cost: how soon the first one is there, what it weighs, what the server
//! takes while nobody asks it anything, and the film of a long match.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use quintain_arena::plan::MatchSettings;
use quintain_core::SplitMix64;
use quintain_registry::GAMES;
use tempfile::TempDir;

use crate::matches::QUICK_BOT;
use crate::recorded::record;
use crate::{Call, Means, Row, rules};

const PATIENCE: Duration = Duration::from_secs(60);
const TRIES: u32 = 5;
const REQUESTS: u32 = 2000;
/// So healthy are the worms of a match that lasts all of its 400 rounds.
const LONG_HEALTH: u32 = 5000;
const LONG_SEED: i64 = 7;
/// The unit in which Linux tells processor times, whatever its own clock is.
const TICKS_PER_SECOND: f64 = 100.0;
const LONG_FILE: &str = "long.replay.jsonl.zst";

/// From the first byte that is asked for to the last one of the first page, its style, scripts and letters.
pub(crate) fn first_page(means: &Means<'_>) -> anyhow::Result<Row> {
    let folder = list_of_matches()?;
    let served = Served::start(means, &folder)?;
    let mut best = f64::INFINITY;
    for _ in 0..TRIES {
        let started = Instant::now();
        served.whole_page("/")?;
        best = best.min(started.elapsed().as_secs_f64() * 1e3);
    }
    Ok(Row::plain("pages-first", best, "ms").at_most(100.0))
}

pub(crate) fn first_page_size(means: &Means<'_>) -> anyhow::Result<Row> {
    let folder = list_of_matches()?;
    let served = Served::start(means, &folder)?;
    let bytes = served.whole_page("/")?;
    Ok(Row::plain("pages-first-size", bytes as f64 / 1e3, "kB").at_most(150.0))
}

/// What the server has in memory after its first page, when nobody asks any more.
pub(crate) fn idle_memory(means: &Means<'_>) -> anyhow::Result<Row> {
    let folder = list_of_matches()?;
    let served = Served::start(means, &folder)?;
    served.whole_page("/")?;
    Ok(Row::plain("pages-idle", resident_bytes(&served.child)? / 1e6, "MB").at_most(60.0))
}

/// A match of 400 rounds, from the question for its film to the film's last byte.
pub(crate) fn long_film(means: &Means<'_>) -> anyhow::Result<Row> {
    let folder = long_match()?;
    let mut best = f64::INFINITY;
    for _ in 0..TRIES {
        // A server keeps films, so each try has its own.
        let served = Served::start(means, &folder)?;
        let started = Instant::now();
        served.get(&format!("/film/{LONG_FILE}"))?;
        best = best.min(started.elapsed().as_secs_f64() * 1e3);
    }
    Ok(Row::plain("pages-film", best, "ms"))
}

pub(crate) fn long_film_size(means: &Means<'_>) -> anyhow::Result<Row> {
    let folder = long_match()?;
    let served = Served::start(means, &folder)?;
    let film = served.get(&format!("/film/{LONG_FILE}"))?;
    Ok(Row::plain("pages-film-size", film.len() as f64 / 1e3, "kB"))
}

/// The same match as a page to mail.
pub(crate) fn long_mail_size() -> anyhow::Result<Row> {
    let folder = long_match()?;
    let page = quintain_server::mailed_page(&folder.path().join(LONG_FILE), &[])?;
    Ok(Row::plain("pages-mailed-size", page.len() as f64 / 1e3, "kB").at_most(400.0))
}

/// Requests with addresses that nobody would ask for, one after the other.
pub(crate) fn random_requests(means: &Means<'_>) -> anyhow::Result<Row> {
    let folder = list_of_matches()?;
    let served = Served::start(means, &folder)?;
    let mut luck = SplitMix64::new(rules::SEED as u64);
    let started = Instant::now();
    for _ in 0..REQUESTS {
        let path = random_path(&mut luck);
        let status = served.ask(&path)?.status;
        ensure!(status < 500, "expected no error of the server, found {status} for {path}");
    }
    let per_second = f64::from(REQUESTS) / started.elapsed().as_secs_f64();
    Ok(Row::plain("pages-random", per_second, "requests/s"))
}

fn random_path(luck: &mut SplitMix64) -> String {
    const PIECES: [&str; 12] = [
        "match",
        "film",
        "explain",
        "sent",
        "page",
        "embed",
        "..",
        "%00",
        "%ff",
        "?eye=first",
        "0",
        "hockey.replay.jsonl.zst",
    ];
    let mut path = String::new();
    for _ in 0..=luck.next_u64() % 5 {
        path.push('/');
        path.push_str(PIECES[(luck.next_u64() % PIECES.len() as u64) as usize]);
    }
    path
}

/// A folder with one match of each game.
fn list_of_matches() -> anyhow::Result<TempDir> {
    let folder = tempfile::tempdir()?;
    for game in GAMES {
        let id = game.facts().id;
        let replay = folder.path().join(format!("{id}.replay.jsonl.zst"));
        record(MatchSettings::of(id), QUICK_BOT, &replay)?;
    }
    Ok(folder)
}

fn long_match() -> anyhow::Result<TempDir> {
    let folder = tempfile::tempdir()?;
    let mut settings = MatchSettings::of("worms");
    let health = |worms: &str| (format!("game.{worms}.initialHp"), LONG_HEALTH.into());
    settings.rules.set = ["agentWorms", "commandoWorms", "technologistWorms"].map(health).into();
    settings.seed = LONG_SEED;
    record(settings, "greedy", &folder.path().join(LONG_FILE))?;
    Ok(folder)
}

/// A server of its own process, as users start it.
pub(crate) struct Served {
    child: Child,
    host: String,
}

/// An answer to a request.
struct Answer {
    status: u16,
    /// All that came over the wire.
    bytes: usize,
    body: Vec<u8>,
}

impl Served {
    fn start(means: &Means<'_>, folder: &TempDir) -> anyhow::Result<Served> {
        let replays = Some(folder.path());
        Served::start_with(means, &Call::Serve { replays, store: None, blobs: None })
    }

    pub(crate) fn start_with(means: &Means<'_>, call: &Call<'_>) -> anyhow::Result<Served> {
        let mut serve = means.program.command(call);
        let piped = serve.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = piped.spawn()?;
        let mut line = String::new();
        let stdout = child.stdout.take().context("the server's output is piped")?;
        BufReader::new(stdout).read_line(&mut line)?;
        let host = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
        Ok(Served { child, host })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.host)
    }

    pub(crate) fn child(&self) -> &Child {
        &self.child
    }

    fn ask(&self, path: &str) -> anyhow::Result<Answer> {
        let mut stream = TcpStream::connect(&self.host)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n",
            self.host
        )?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let status = answer.get(9..12).and_then(|digits| std::str::from_utf8(digits).ok());
        let status = status.and_then(|digits| digits.parse().ok());
        let head = answer.windows(4).position(|end| end == b"\r\n\r\n");
        let (Some(status), Some(head)) = (status, head) else {
            bail!("expected an answer to {path}, found {} bytes", answer.len());
        };
        let bytes = answer.len();
        Ok(Answer { status, bytes, body: answer.split_off(head + 4) })
    }

    pub(crate) fn get(&self, path: &str) -> anyhow::Result<Vec<u8>> {
        let Answer { status, body, .. } = self.ask(path)?;
        ensure!(status == 200, "expected {path}, found an answer of {status}");
        Ok(body)
    }

    /// The bytes of a page with all that it needs before it can be read; pictures come later.
    fn whole_page(&self, path: &str) -> anyhow::Result<usize> {
        let page = self.ask(path)?;
        let mut bytes = page.bytes;
        let mut wanted = files_named(&String::from_utf8_lossy(&page.body), "/assets/");
        let folder = wanted.first().and_then(|file| file.rsplit_once('/'));
        let folder = folder.map(|(folder, _)| folder.to_owned()).unwrap_or_default();
        let mut next = 0;
        while let Some(file) = wanted.get(next).cloned() {
            next += 1;
            let answer = self.ask(&file)?;
            ensure!(answer.status == 200, "expected {file}, found an answer of {}", answer.status);
            bytes += answer.bytes;
            let body = String::from_utf8_lossy(&answer.body);
            let modules = files_named(&body, "./").into_iter().map(|name| name[2..].to_owned());
            let fonts = files_named(&body, "NotoSans");
            for name in modules.chain(fonts).map(|name| format!("{folder}/{name}")) {
                if !wanted.contains(&name) {
                    wanted.push(name);
                }
            }
        }
        Ok(bytes)
    }
}

/// What a process has in memory.
pub(crate) fn resident_bytes(child: &Child) -> anyhow::Result<f64> {
    let path = format!("/proc/{}/status", child.id());
    let status = std::fs::read_to_string(&path).with_context(|| path)?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    let kibibytes: f64 = kibibytes.context("expected a line VmRSS, found none")?.trim().parse()?;
    Ok(kibibytes * 1024.0)
}

/// What a process has used of a processor so far.
pub(crate) fn processor_seconds(child: &Child) -> anyhow::Result<f64> {
    let path = format!("/proc/{}/stat", child.id());
    let stat = std::fs::read_to_string(&path).with_context(|| path)?;
    // Behind the name of the program, which may hold anything, the times are the 12th and the 13th.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: Vec<f64> = fields.skip(11).take(2).map(str::parse).collect::<Result<_, _>>()?;
    Ok(ticks.iter().sum::<f64>() / TICKS_PER_SECOND)
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The words in quotes that begin like this, each once.
fn files_named(text: &str, start: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in text.split('"').skip(1).step_by(2).filter(|word| word.starts_with(start)) {
        if !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    }
    found
}

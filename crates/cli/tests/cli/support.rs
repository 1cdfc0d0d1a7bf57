//! Runs the binary in a folder of its own.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use quintain_core::{Digest, Seat};
use quintain_record::Disturbance;
use quintain_registry::GAMES;
use quintain_store::Store;
use serde_json::Value;
use tempfile::TempDir;

/// Longer than anything takes on the busiest machine, so that what hangs fails and does not stop the
/// suite. No test depends on it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// The path of the binary.
pub(crate) fn binary() -> &'static str {
    env!("CARGO_BIN_EXE_quintain")
}

/// A program that only tests have, built.
pub(crate) fn program_of_tests(name: &str) -> PathBuf {
    let words = ["build", "--quiet", "--package", "quintain-testkit", "--bin", name];
    let status = std::process::Command::new(env!("CARGO"))
        .args(words)
        .current_dir(workspace())
        .status()
        .expect("cargo can be started");
    assert!(status.success(), "{name} is built");
    PathBuf::from(binary()).with_file_name(name)
}

/// The root of the workspace.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The names of all games with sample bots: all that have an original, and new ones once they have them.
pub(crate) fn games() -> impl Iterator<Item = &'static str> {
    let games = GAMES.iter().map(|game| game.facts());
    let has_bot = |id: &str| Path::new(&sample(id, "python")).exists();
    games
        .filter(move |facts| facts.abilities.conform.is_some() || has_bot(facts.id))
        .map(|facts| facts.id)
}

/// The folder of a sample bot. Every game of [`games`] has one in Python.
pub(crate) fn sample(game: &str, language: &str) -> String {
    let folder = workspace().join("bots").join(game).join(language);
    folder.to_str().expect("the workspace's path is text").to_owned()
}

/// A temporary folder in which calls are made.
pub(crate) struct Folder(TempDir);

/// What came of a call.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a file");
        path
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names in a folder, sorted.
    pub(crate) fn list(&self, name: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(name)).expect("a folder");
        let name_of = |entry: std::io::Result<std::fs::DirEntry>| {
            let name = entry.expect("an entry").file_name();
            name.into_string().expect("names of ours are text")
        };
        let mut names: Vec<String> = entries.map(name_of).collect();
        names.sort();
        names
    }

    /// Removes a store in a file, and the replays beside it.
    pub(crate) fn remove_store(&self, name: &str) {
        let stem = name.trim_end_matches(".db");
        for found in self.list(".").iter().filter(|found| found.starts_with(stem)) {
            let path = self.path(found);
            let removed = match path.is_dir() {
                true => std::fs::remove_dir_all(&path),
                false => std::fs::remove_file(&path),
            };
            removed.unwrap_or_else(|error| panic!("{found}: {error}"));
        }
    }

    /// Runs the binary with words divided at blanks.
    pub(crate) fn run(&self, words: &str) -> Finished {
        self.run_words(&words.split_whitespace().collect::<Vec<_>>(), "")
    }

    /// Runs the binary; it must succeed and complain of nothing.
    pub(crate) fn ok(&self, words: &str) -> String {
        let finished = self.run(words);
        assert_eq!((finished.code, finished.stderr.as_str()), (0, ""), "{words}");
        finished.stdout
    }

    /// Exports something; it must succeed and tell of each file. Returns what it told.
    pub(crate) fn export(&self, words: &str) -> String {
        let finished = self.run(&format!("export {words}"));
        assert_eq!((finished.code, finished.stdout.as_str()), (0, ""), "{words}: {finished:?}");
        let is_told = |line: &str| line.starts_with("wrote ");
        assert!(
            !finished.stderr.is_empty() && finished.stderr.lines().all(is_told),
            "{finished:?}"
        );
        finished.stderr
    }

    pub(crate) fn run_words(&self, words: &[&str], stdin: &str) -> Finished {
        self.run_with(words, stdin, &[])
    }

    /// With these in its environment.
    pub(crate) fn run_with(
        &self,
        words: &[&str],
        stdin: &str,
        environment: &[(&str, &str)],
    ) -> Finished {
        let output = assert_cmd::Command::new(binary())
            .args(words)
            .current_dir(self.0.path())
            .env_remove("QUINTAIN_NAME")
            .env_remove("COLUMNS")
            .env_remove("CLICOLOR_FORCE")
            .env("RUST_BACKTRACE", "1")
            .envs(environment.iter().copied())
            .timeout(PATIENCE)
            .write_stdin(stdin)
            .output()
            .expect("the binary can be started");
        let finished = Finished {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).expect("output is text"),
            stderr: String::from_utf8(output.stderr).expect("output is text"),
        };
        assert_calm(&finished.stderr);
        finished
    }

    /// Starts the binary and does not wait for it.
    pub(crate) fn start(&self, words: &[&str]) -> Running {
        self.start_by(&[], words)
    }

    /// The same by a program that becomes the binary in the end.
    pub(crate) fn start_by(&self, prefix: &[&str], words: &[&str]) -> Running {
        let all = [prefix, &[binary()], words].concat();
        let mut child = std::process::Command::new(all[0])
            .args(&all[1..])
            .current_dir(self.0.path())
            .env_remove("QUINTAIN_NAME")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary can be started");
        let stderr = child.stderr.take().expect("a pipe");
        Running { child, stderr: BufReader::new(stderr), complaints: String::new() }
    }
}

/// No panic, no backtrace, no bug of ours.
pub(crate) fn assert_calm(stderr: &str) {
    for sign in ["panicked", "backtrace", "a bug in quintain", "unwrap"] {
        assert!(!stderr.contains(sign), "{stderr}");
    }
}

/// Looks again and again until something is so.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "expected that {what} within {PATIENCE:?}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// How many games the first run of a store holds; none before there is a store.
pub(crate) fn games_in(place: &str) -> u64 {
    let runs = Store::open_existing(place).and_then(|store| store.runs());
    runs.ok().and_then(|runs| runs.first().map(|run| run.games)).unwrap_or(0)
}

/// Sends a signal by its short name.
pub(crate) fn send_signal(child: &Child, name: &str) {
    let words = [format!("-{name}"), child.id().to_string()];
    let status = std::process::Command::new("kill").args(words).status();
    assert!(status.expect("kill can be started").success());
}

/// A binary that runs beside the test. It is ended if the test fails.
pub(crate) struct Running {
    child: Child,
    stderr: BufReader<ChildStderr>,
    complaints: String,
}

impl Running {
    /// Reads its error output up to a line that holds `before`, and returns what stands behind it
    /// up to the next blank: an address.
    pub(crate) fn address_after(&mut self, before: &str) -> String {
        let line = self.wait_for_line(before);
        let (_, rest) = line.split_once(before).expect("it was waited for");
        rest.split_whitespace().next().expect("an address").to_owned()
    }

    /// Reads its error output up to a line that holds `part`.
    pub(crate) fn wait_for_line(&mut self, part: &str) -> String {
        loop {
            let mut line = String::new();
            let count = self.stderr.read_line(&mut line).expect("error output is text");
            assert!(count > 0, "expected `{part}`, found {:?}", self.complaints);
            self.complaints += &line;
            if line.contains(part) {
                return line;
            }
        }
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("the child is ours").is_none()
    }

    /// What Ctrl-C does.
    pub(crate) fn interrupt(&self) {
        self.signal("INT");
    }

    pub(crate) fn signal(&self, name: &str) {
        send_signal(&self.child, name);
    }

    /// What `kill -9` does.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it is ours");
        self.child.wait().expect("it is ours");
    }

    pub(crate) fn finish(mut self) -> Finished {
        let mut stdout = String::new();
        let pipe = self.child.stdout.as_mut().expect("a pipe");
        pipe.read_to_string(&mut stdout).expect("output is text");
        self.stderr.read_to_string(&mut self.complaints).expect("output is text");
        let status = self.child.wait().expect("the child is ours");
        assert_calm(&self.complaints);
        Finished {
            code: status.code().unwrap_or(-1),
            stdout,
            stderr: std::mem::take(&mut self.complaints),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended already unless the test fails.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The lines of a plain replay.
pub(crate) fn replay_lines(bytes: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(bytes).expect("a plain replay is text");
    text.lines().map(json).collect()
}

/// Lines with the digest in their end that belongs to them, as a clever forger leaves them.
pub(crate) fn counted_again(mut lines: Vec<Value>) -> Vec<Value> {
    let end = lines.iter().position(|line| line["kind"] == "end").expect("an end");
    let mut digest = Digest::new();
    digest.bytes(join_lines(&lines[..end]).as_bytes());
    lines[end]["lines"] = digest.finish_whole().into();
    lines
}

pub(crate) fn join_lines(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// An answer that came 11.5 ms after its limit and had waited 12 ms for a core.
pub(crate) fn late_answer(attempt: u32, replay: Option<String>) -> Disturbance {
    Disturbance {
        attempt,
        seat: Seat::Second,
        turn: 16,
        limit: Duration::from_millis(50),
        wall: Duration::from_micros(61_500),
        cpu: Some(Duration::from_millis(3)),
        waited: Some(Duration::from_millis(12)),
        replay,
    }
}

//! What a match left running, found by a mark in the environment of its bots.

use std::fs;
use std::time::{Duration, Instant};

/// In the environment of every bot of a test, so that none can hide.
const MARK: &str = "QUINTAIN_TEST_RUN";

/// How long the system may take to collect a process that ended on its own.
const COLLECTED_WITHIN: Duration = Duration::from_secs(20);

/// A variable for the environment of the bots of one test.
#[derive(Clone, Debug)]
pub struct Mark {
    run: String,
}

impl Mark {
    /// A mark that no other test has, of this process or of another.
    pub fn new(test: &str) -> Mark {
        Mark { run: format!("{}-{test}", std::process::id()) }
    }

    /// To be added to a bot's environment.
    pub fn variable(&self) -> (String, String) {
        (MARK.to_owned(), self.run.clone())
    }

    /// The numbers of the processes with this mark that run now.
    pub fn running(&self) -> Vec<String> {
        let mark = format!("{MARK}={}", self.run);
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").expect("a /proc").flatten() {
            let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
            if environment.split(|&byte| byte == 0).any(|variable| variable == mark.as_bytes()) {
                found.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        found
    }

    /// # Panics
    /// If a bot of this test still runs, or one that ended is never waited for.
    pub fn assert_nothing_is_left(&self, what: &str) {
        assert_eq!(self.running(), Vec::<String>::new(), "{what}: still running");
        let begun = Instant::now();
        // Tests beside this one may have a bot that has just ended.
        while !zombies().is_empty() {
            assert!(begun.elapsed() < COLLECTED_WITHIN, "{what}: {:?} are left", zombies());
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Processes that this one started, that have ended, and that nobody has waited for.
fn zombies() -> Vec<String> {
    let own = format!(") Z {} ", std::process::id());
    let entries = fs::read_dir("/proc").expect("a /proc").flatten();
    let stats = entries.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    stats.filter(|stat| stat.contains(&own)).collect()
}

//! A bot that tries to break out, for tests of the sandbox.
//!
//! Usage: `hostile TARGETS [DEED]`. TARGETS is a file with lines `NAME VALUE` that say what it aims at. It tries
//! every attack, writes a line `attack NAME: stopped` or `attack NAME: SUCCEEDED` for each to its error output,
//! and then plays hockey like a bot with good manners. With a DEED it does that instead when it is first asked:
//! one of `deeds.rs`, such as `eat-memory`, `fork`, `fill-disk`, `flood`, `spin`, `daemon=WORD`.

mod attacks;
mod deeds;

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, Write as _};
use std::process::ExitCode;

/// What the attacks aim at, by name.
pub(crate) struct Targets(BTreeMap<String, String>);

impl Targets {
    fn read(path: &str) -> Targets {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let lines = text.lines().filter_map(|line| line.split_once(' '));
        Targets(lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    pub(crate) fn number(&self, name: &str) -> i32 {
        self.get(name).parse().unwrap_or(0)
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(path) = words.first() else { return ExitCode::from(2) };
    let targets = Targets::read(path);
    let deed = words.get(1);
    leave_mark(path);
    if deed.is_none() {
        attacks::try_all(&targets);
    }
    match play(deed.map(String::as_str)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Leaves a file wherever it may, that shows whose it was.
fn leave_mark(targets: &str) {
    let whose = std::path::absolute(targets).unwrap_or_default();
    for folder in [std::env::temp_dir(), "/dev/shm".into(), ".".into()] {
        let _ = std::fs::write(folder.join("hostile-mark"), whose.as_os_str().as_encoded_bytes());
    }
}

/// Answers every question for a name, and every turn with a way that is free at the beginning.
fn play(deed: Option<&str>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.contains("name?") {
            let name = std::env::var("QUINTAIN_NAME").unwrap_or_else(|_| "hostile".to_owned());
            writeln!(out, "{name}")?;
            out.flush()?;
            continue;
        }
        if let Some(deed) = deed {
            deeds::do_it(deed);
        }
        writeln!(out, "north")?;
        out.flush()?;
    }
    Ok(())
}

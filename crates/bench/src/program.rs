//! The program that is measured as a whole, and started as the bots of what is measured. What it is to do is
//! said as data; how that is written on a command line is the command line's business.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context as _;
use quintain_core::measure::Stub;
use quintain_record::Launch;
use serde_json::Value;

#[derive(Clone, Copy)]
pub struct Program<'a> {
    pub path: &'a Path,
    /// What follows its name on a command line.
    pub words: fn(&Call<'_>) -> Vec<OsString>,
}

/// What the program is to do.
pub enum Call<'a> {
    /// Say every line again that is read.
    Echo,
    /// The same over a connection.
    EchoTo { address: &'a str },
    /// Answer by the script in a file.
    Recite { script: &'a Path },
    /// Say one line after every so many.
    Say(Stub),
    /// Be a house bot, on standard input and output.
    Bot { game: &'a str, bot: &'a str, seed: u32 },
    /// Be a house bot that connects for each of its games.
    Client { game: &'a str, bot: &'a str, name: &'a str, address: &'a str, games: u64 },
    /// Show replays or a store in the browser, on a port that is printed. With `blobs` workers are served too.
    Serve { replays: Option<&'a Path>, store: Option<&'a str>, blobs: Option<&'a Path> },
    /// Play a match that can be watched in the browser, and report it in JSON.
    Play { game: &'a str, bots: [&'a str; 2] },
    /// Play a tournament that is kept in a file, and report it in JSON.
    Tournament { game: &'a str, bots: [&'a str; 2], games: u32, store: &'a Path },
    /// Compare two bots, and report that in JSON.
    Compare { game: &'a str, bots: [&'a str; 2], games: u32, replays: &'a Path },
    /// Evaluate the teams of a folder, and report that in JSON.
    Evaluate { game: &'a str, teams: &'a str, games: u32 },
}

impl Program<'_> {
    pub(crate) fn command(&self, call: &Call<'_>) -> Command {
        let mut command = Command::new(self.path);
        command.args((self.words)(call));
        command
    }

    pub(crate) fn launch(&self, call: &Call<'_>) -> Launch {
        let mut words = self.texts(call);
        Launch { program: words.remove(0), args: words, ..Launch::default() }
    }

    /// As a bot is named, and as a line of a shell.
    pub(crate) fn line(&self, call: &Call<'_>) -> String {
        let quoted = |word: String| format!("\"{word}\"");
        self.texts(call).into_iter().map(quoted).collect::<Vec<_>>().join(" ")
    }

    fn texts(&self, call: &Call<'_>) -> Vec<String> {
        let words = (self.words)(call);
        let all = std::iter::once(self.path.as_os_str()).chain(words.iter().map(AsRef::as_ref));
        all.map(|word| word.to_string_lossy().into_owned()).collect()
    }
}

/// Runs a command and returns what it reports in JSON.
pub(crate) fn report_of(command: &mut Command) -> anyhow::Result<Value> {
    let output = command.stdin(Stdio::null()).output()?;
    serde_json::from_slice(&output.stdout)
        .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

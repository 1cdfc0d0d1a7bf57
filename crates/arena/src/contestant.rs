//! Who plays: what a person writes to name a bot, and how a program comes to its seat.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use quintain_core::{Manner, printable};
use quintain_links::{Child, Housing, Launch, LaunchError, Quarters, SpawnError};
use quintain_registry::Playable;
use quintain_store::digest;

use crate::script;

/// A bot that can play any number of games, several at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant {
    pub name: String,
    /// As it was written, without the name.
    pub written: String,
    pub kind: ContestantKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContestantKind {
    /// A house bot of that name, inside the process.
    House(String),
    /// A process of its own for every game.
    Program(Launch),
}

/// What was written names no bot.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    #[error("bot `house:{name}`: expected a house bot of {game} ({known}), found `{name}`")]
    NoSuchHouseBot { name: String, game: &'static str, known: String },
    #[error("bot `{name}`: a house bot is written house:{name}")]
    BareHouseBot { name: String },
    #[error("bot `{bot}`: {error}")]
    Launch { bot: String, error: LaunchError },
    #[error("bot `{bot}`: expected a house bot or a program, since it plays many games")]
    PlaysOnce { bot: String },
}

impl Contestant {
    /// Reads `[NAME=]BOT`. Without a name it is called by what is started.
    ///
    /// # Errors
    /// Says what was expected in place of the bot.
    pub fn parse(text: &str, game: &dyn Playable) -> Result<Contestant, BotError> {
        let (name, bot) = split_name(text);
        if matches!(bot, "human" | "tcp") {
            return Err(BotError::PlaysOnce { bot: bot.to_owned() });
        }
        let (label, kind) = ContestantKind::parse(bot, game)?;
        let name = name.map_or(label, str::to_owned);
        Ok(Contestant { name, written: bot.to_owned(), kind })
    }
}

impl Contestant {
    /// Starts the bot as for a game and ends it at once: what keeps it from starting is known before
    /// the first game. A house bot needs no starting.
    ///
    /// # Errors
    /// The system refused a folder or the program.
    pub fn try_start(&self, files: Option<StateFiles>) -> Result<(), StartError> {
        match &self.kind {
            ContestantKind::House(_) => Ok(()),
            ContestantKind::Program(launch) => start(launch, &self.name, files).map(drop),
        }
    }

    /// The files that the bot consists of, as far as its command line names them, or a shell script
    /// that it names: each by the word that names it. What those files read in turn is not known.
    pub fn files(&self) -> Vec<(String, PathBuf)> {
        match &self.kind {
            ContestantKind::House(_) => Vec::new(),
            ContestantKind::Program(launch) => files_of(launch),
        }
    }

    /// The same with the digests of their content.
    pub fn digests(&self) -> BTreeMap<String, String> {
        match &self.kind {
            ContestantKind::House(_) => BTreeMap::new(),
            ContestantKind::Program(launch) => digests_of(launch),
        }
    }
}

/// The digests of the files that a program consists of, as far as its command line names them. One that
/// cannot be read is said to be so.
pub fn digests_of(launch: &Launch) -> BTreeMap<String, String> {
    let digest_of = |path: PathBuf| match std::fs::read(path) {
        Ok(content) => digest(&content),
        Err(_) => "unreadable".to_owned(),
    };
    files_of(launch).into_iter().map(|(word, path)| (word, digest_of(path))).collect()
}

fn files_of(launch: &Launch) -> Vec<(String, PathBuf)> {
    let folder = launch.folder.as_deref().unwrap_or(Path::new(""));
    // A name without a slash is looked up on the search path: an interpreter is the machine's.
    let program = Some(&launch.program).filter(|program| program.contains('/'));
    let words = program.into_iter().chain(&launch.args);
    let named = |words: &mut dyn Iterator<Item = String>| {
        let named = words.map(|word| (word.clone(), folder.join(&word)));
        named.filter(|(_, path)| path.is_file()).collect::<Vec<_>>()
    };
    let mut files = named(&mut words.cloned());
    for script in files.clone().into_iter().filter_map(|(_, path)| shell_script(&path)) {
        files.extend(named(&mut script::words_read(&script).map(str::to_owned)));
    }
    files.sort();
    files.dedup();
    files
}

impl ContestantKind {
    /// Reads a BOT without a name, and how it is called.
    ///
    /// # Errors
    /// Says what was expected in place of the bot.
    pub fn parse(bot: &str, game: &dyn Playable) -> Result<(String, ContestantKind), BotError> {
        let facts = game.facts();
        if let Some(name) = bot.strip_prefix("house:") {
            if !facts.house_bots.contains(&name) {
                let known = facts.house_bots.join(", ");
                let name = name.to_owned();
                return Err(BotError::NoSuchHouseBot { name, game: facts.id, known });
            }
            return Ok((name.to_owned(), ContestantKind::House(name.to_owned())));
        }
        if facts.house_bots.contains(&bot) && !Path::new(bot).exists() {
            return Err(BotError::BareHouseBot { name: bot.to_owned() });
        }
        let launch =
            Launch::parse(bot).map_err(|error| BotError::Launch { bot: bot.to_owned(), error })?;
        Ok((program_label(bot, &launch), ContestantKind::Program(launch)))
    }
}

/// The text of a script that a shell reads.
fn shell_script(path: &Path) -> Option<String> {
    const BYTES_MAX: u64 = 64 * 1024;
    if path.metadata().ok()?.len() > BYTES_MAX {
        return None;
    }
    let text = std::fs::read_to_string(path).ok()?;
    let first = text.lines().next().unwrap_or_default();
    let is_shell = first.starts_with("#!") && first.trim_end().ends_with("sh");
    (is_shell || path.extension().is_some_and(|ending| ending == "sh")).then_some(text)
}

/// A name stands before the first `=` and holds neither a blank nor a slash, so that neither
/// `./bot --depth=3` nor `a/b=c` is taken for one.
pub fn split_name(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((name, bot)) if is_name(name) => (Some(name), bot),
        _ => (None, text),
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('-')
        && !text.contains(|c: char| c.is_whitespace() || c == '/')
}

/// What it calls itself; a folder's name; else the script's or the program's, without its ending.
fn program_label(bot: &str, launch: &Launch) -> String {
    let stem =
        |text: &str| Path::new(text).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    if let Some(name) = &launch.nick_name {
        return printable(name).into_owned();
    }
    if launch.folder.is_some() {
        let folder = std::path::absolute(bot).ok();
        let name = folder.as_deref().and_then(Path::file_name);
        return name.map_or_else(|| bot.to_owned(), |name| name.to_string_lossy().into_owned());
    }
    let script = launch.args.iter().find(|arg| Path::new(arg).is_file());
    script.and_then(|script| stem(script)).or_else(|| stem(&launch.program)).unwrap_or_default()
}

/// The variable that tells a program how it is told the state.
pub const STATE_VARIABLE: &str = "QUINTAIN_STATE";

/// How a manner is called in [`STATE_VARIABLE`].
pub fn state_name(manner: Manner) -> &'static str {
    match manner {
        Manner::Files => "files",
        Manner::Lines | Manner::Console | Manner::Inside => "stdin",
    }
}

/// For games with state files: how programs are told the state, and housed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateFiles {
    pub manner: Manner,
    pub housing: Housing,
}

/// Why a program does not come to its seat.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("cannot make a private folder for `{program}`: {error}")]
    Quarters { program: String, error: io::Error },
    // The error's own text holds its cause; as a chain it would be said twice.
    #[error("{0}")]
    Spawn(SpawnError),
}

/// Starts a program for one match, on the thread that plays it. The name offered in its environment
/// is free: the bots of a match have different labels.
///
/// # Errors
/// The system refused a folder or the program.
pub fn start(launch: &Launch, label: &str, files: Option<StateFiles>) -> Result<Child, StartError> {
    let mut launch = launch.clone();
    launch.env.push(("QUINTAIN_NAME".to_owned(), label.to_owned()));
    launch.env.push(("QUINTAIN_LINK".to_owned(), "stdio".to_owned()));
    let Some(StateFiles { manner, housing }) = files else {
        return Child::spawn(&launch).map_err(StartError::Spawn);
    };
    launch.env.push((STATE_VARIABLE.to_owned(), state_name(manner).to_owned()));
    let spawned = match house(&mut launch, manner)? {
        Some(quarters) => Child::spawn_in(quarters, &launch, housing),
        None => Child::spawn(&launch),
    };
    spawned.map_err(StartError::Spawn)
}

/// A private folder: a copy of the bot's own if it has one, else one beside the files of the
/// current folder. A command that is told everything on standard input needs none.
fn house(launch: &mut Launch, manner: Manner) -> Result<Option<Quarters>, StartError> {
    let made = match (&launch.root, &launch.folder) {
        (Some(root), Some(folder)) => Quarters::copy_of(root, folder),
        _ if manner != Manner::Files => return Ok(None),
        _ => {
            launch.anchor_words();
            Quarters::beside(Path::new("."))
        }
    };
    let program = &launch.program;
    made.map(Some).map_err(|error| StartError::Quarters { program: program.clone(), error })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hockey() -> &'static dyn Playable {
        quintain_registry::find("hockey").expect("hockey is registered")
    }

    #[test]
    fn a_name_stands_before_the_first_equals_sign() {
        assert_eq!(split_name("a=house:random"), (Some("a"), "house:random"));
        assert_eq!(split_name("./bot --depth=3"), (None, "./bot --depth=3"));
        assert_eq!(split_name("dir/x=y"), (None, "dir/x=y"));
        assert_eq!(split_name("=x"), (None, "=x"));
    }

    #[test]
    fn names_come_from_what_is_started() {
        let name = |text: &str| Contestant::parse(text, hockey()).expect("a bot").name;
        assert_eq!(name("house:greedy"), "greedy");
        assert_eq!(name("me=house:greedy"), "me");
        assert_eq!(name("cat -u src/lib.rs --fast"), "lib");
        assert_eq!(name("python3 -c 'print(1.5)'"), "python3");
        assert_eq!(name("cat"), "cat");
    }

    #[test]
    fn wrong_bots_are_explained() {
        let check = |text: &str, expected: &str| {
            let error = Contestant::parse(text, hockey()).expect_err(text).to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("house:best", "expected a house bot of hockey (random, greedy");
        check("greedy", "a house bot is written house:greedy");
        check("me=human", "bot `human`: expected a house bot or a program");
        check("tcp", "since it plays many games");
        check("./no/such/bot", "./no/such/bot");
    }
}

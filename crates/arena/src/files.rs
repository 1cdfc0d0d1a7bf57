//! What a bot consists of: the files that its command line names, or a shell script that it names.
//!
//! A bot in a folder says itself which files those are, in its script. So they are read below that folder only,
//! and with the rights of whoever owns it: what the organiser alone may read is not for the bot to learn of.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use quintain_core::PerSeat;
use quintain_links::open_within;
use quintain_record::{Contestant, Launch, Occupant};
use quintain_store::digest_read;

use crate::script;

/// A file of more bytes is taken for no part of a bot.
const FILE_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// A script of more bytes is none that anybody wrote.
const SCRIPT_BYTES_MAX: u64 = 64 * 1024;

/// Stands for the digest of a file that cannot be read.
const UNREADABLE: &str = "unreadable";

/// A file that a bot consists of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BotFile {
    /// The word that names it.
    pub word: String,
    pub path: PathBuf,
    /// The folder that it must not lead out of; `None` if the organiser has named it.
    below: Option<PathBuf>,
}

impl BotFile {
    /// The digest of what is in it. One that the bot has named and that cannot be read with its rights is said to be
    /// so: that is no reason to play nobody's games.
    ///
    /// # Errors
    /// The organiser has named it, and cannot read it, or it is too long for a bot.
    pub fn digest(&self) -> io::Result<String> {
        match self.open().and_then(|file| digest_read(file, FILE_BYTES_MAX)) {
            Err(_) if self.below.is_some() => Ok(UNREADABLE.to_owned()),
            digest => digest,
        }
    }

    fn open(&self) -> io::Result<File> {
        let Some(below) = &self.below else { return File::open(&self.path) };
        let inner = self.path.strip_prefix(below).map_err(io::Error::other)?;
        open_within(below, inner)
    }

    /// The text of a script that a shell reads.
    fn shell_script(&self) -> Option<String> {
        let mut text = String::new();
        let bytes = self.open().ok()?.take(SCRIPT_BYTES_MAX + 1).read_to_string(&mut text).ok()?;
        let first = text.lines().next().unwrap_or_default();
        let is_shell = first.starts_with("#!") && first.trim_end().ends_with("sh");
        let is_called_so = self.path.extension().is_some_and(|ending| ending == "sh");
        ((is_shell || is_called_so) && bytes as u64 <= SCRIPT_BYTES_MAX).then_some(text)
    }
}

/// The files that a bot consists of, as far as its command line names them, or a shell script
/// that it names. What those files read in turn is not known.
pub fn files_of(bot: &Contestant) -> Vec<BotFile> {
    bot.launch().map(files_of_launch).unwrap_or_default()
}

/// The same by the words that name them, with the digests of their content. One that cannot be read is said to be
/// so.
pub fn digests_of(bot: &Contestant) -> BTreeMap<String, String> {
    let digest_of = |file: &BotFile| file.digest().unwrap_or_else(|_| UNREADABLE.to_owned());
    files_of(bot).into_iter().map(|file| (file.word.clone(), digest_of(&file))).collect()
}

/// The same for both seats of a match. Who is no contestant has no files.
pub fn digests_of_seats(seats: &PerSeat<Occupant>) -> PerSeat<BTreeMap<String, String>> {
    seats.as_ref().map(|_, one| one.contestant().map(digests_of).unwrap_or_default())
}

fn files_of_launch(launch: &Launch) -> Vec<BotFile> {
    let folder = launch.folder.as_deref().unwrap_or(Path::new(""));
    let below = launch.root.as_deref().or(launch.folder.as_deref());
    // A name without a slash is looked up on the search path: an interpreter is the machine's.
    let program = Some(&launch.program).filter(|program| program.contains('/'));
    let words = program.into_iter().chain(&launch.args).map(String::as_str);
    let mut files: Vec<BotFile> = words.filter_map(|word| named(word, folder, below)).collect();
    for script in files.clone() {
        let Some(text) = script.shell_script() else { continue };
        // Whoever wrote the script may not name more than what is beside it.
        let below = below.or(script.path.parent());
        files.extend(script::words_read(&text).filter_map(|word| named(word, folder, below)));
    }
    files.sort();
    files.dedup();
    files
}

/// The file that a word names, if it is one, and in the folder.
fn named(word: &str, folder: &Path, below: Option<&Path>) -> Option<BotFile> {
    let path = folder.join(word);
    if let Some(below) = below {
        let inner = path.strip_prefix(below).ok()?;
        if inner.components().any(|part| part == Component::ParentDir) {
            return None;
        }
    }
    let file = BotFile { word: word.to_owned(), path, below: below.map(Path::to_owned) };
    file.path.is_file().then_some(file)
}

#[cfg(test)]
mod tests {
    use quintain_store::digest;

    use super::*;

    fn words_in(folder: &Path, script: &str, launch: Launch) -> BTreeMap<String, String> {
        std::fs::write(folder.join("bot/run.sh"), script).expect("a file");
        let files = files_of_launch(&launch).into_iter();
        files
            .map(|file| {
                let digest = file.digest().expect("nobody but the bot has named it");
                (file.word, digest)
            })
            .collect()
    }

    #[test]
    fn a_bot_names_no_files_outside_of_its_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        std::fs::create_dir(folder.join("bot")).expect("a folder");
        std::fs::write(folder.join("secret"), "mine").expect("a file");
        std::fs::write(folder.join("bot/bot.py"), "yours").expect("a file");
        std::os::unix::fs::symlink("../secret", folder.join("bot/link")).expect("a link");
        let secret = folder.join("secret").display().to_string();
        let script = format!("exec python3 bot.py link ../secret {secret} /etc/passwd\n");
        let bot = folder.join("bot");
        let in_folder = Launch {
            program: "bash".to_owned(),
            args: vec!["run.sh".to_owned()],
            folder: Some(bot.clone()),
            root: Some(bot.clone()),
            ..Launch::default()
        };
        let found = words_in(folder, &script, in_folder);
        let words: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(words, ["bot.py", "link", "run.sh"]);
        let yours = digest(b"yours");
        assert_eq!((&found["bot.py"], found["link"].as_str()), (&yours, UNREADABLE));

        let beside =
            format!("exec python3 {} {secret} /etc/passwd\n", bot.join("bot.py").display());
        let run = bot.join("run.sh").display().to_string();
        let by_command = Launch { program: run, ..Launch::default() };
        let found = words_in(folder, &beside, by_command);
        assert_eq!(found.values().filter(|digest| **digest == yours).count(), 1, "{found:?}");
        assert!(!found.contains_key(&secret) && !found.contains_key("/etc/passwd"), "{found:?}");
    }
}

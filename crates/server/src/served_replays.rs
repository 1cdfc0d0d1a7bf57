//! The replays that are served: those below one folder, or a single one. A replay's id is its path below
//! the folder. No link is followed and no folder above is reached, whatever an id says.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read as _, Seek as _};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use quintain_arena::replay_path;
use quintain_core::{PerSeat, Seat, Verdict, printable};
use quintain_record::MatchId;
use quintain_registry::{AnyGame, find};
use quintain_replay::{EndLine, Header, Reader, Recording as _, after_turns};
use quintain_store::{RunId, Store};
use rustix::fs::{Mode, OFlags, open, openat};

use crate::error::{Refusal, ServeError, other_game};
use crate::limits::{DEPTH_MAX, DOWNLOAD_BYTES_MAX, ENTRIES_MAX, GLANCES_MAX};

/// How the names of replays end.
const ENDINGS: [&str; 2] = [".jsonl.zst", ".jsonl"];

/// Where replays are.
pub struct ServedReplays {
    folder: PathBuf,
    /// The only replay that is served, if there is one.
    only: Option<String>,
    glances: Mutex<HashMap<Stamp, Arc<Glance>>>,
    /// Its games name replays, which are served beside those of the folder.
    store: Option<Store>,
}

/// What the ids of replays begin with that a store names: behind it stand the run and the number of the match.
const STORED: &str = "@store/";

/// The id of the replay of a match in the store.
pub(crate) fn stored_id(run: RunId, number: u64) -> String {
    format!("{STORED}{run}/{number}.jsonl.zst")
}

/// Which content of which file: a replay that is written anew is another one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stamp {
    pub(crate) id: String,
    modified: Option<SystemTime>,
    bytes: u64,
}

impl Stamp {
    /// Tells contents apart, for caches of browsers.
    pub(crate) fn tag(&self) -> String {
        let since = self.modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        format!("\"{:x}-{:x}\"", since.unwrap_or_default().as_micros(), self.bytes)
    }
}

/// A replay that was found.
pub(crate) struct Found {
    pub(crate) stamp: Stamp,
    file: File,
}

/// What is said of a match without playing it again.
#[derive(Clone, Debug)]
pub(crate) struct Glance {
    pub(crate) id: String,
    pub(crate) header: Header,
    pub(crate) end: Option<EndLine>,
    pub(crate) title: &'static str,
    pub(crate) names: PerSeat<String>,
    /// How it ended, in one sentence.
    pub(crate) ending: String,
}

impl ServedReplays {
    /// All replays below a folder. It need not be there yet.
    pub fn of_folder(folder: impl Into<PathBuf>) -> ServedReplays {
        ServedReplays { folder: folder.into(), only: None, glances: Mutex::default(), store: None }
    }

    /// One replay.
    ///
    /// # Errors
    /// Its path names no file.
    pub fn of_replay(path: &Path) -> Result<ServedReplays, ServeError> {
        let failed = |reason| ServeError::Folder { folder: path.display().to_string(), reason };
        let whole = path.canonicalize().map_err(failed)?;
        let name = whole.file_name().and_then(|name| name.to_str());
        let unusual = || failed(io::Error::other("expected a name of plain text"));
        let (Some(name), Some(folder)) = (name, whole.parent()) else { return Err(unusual()) };
        let folder = if folder == std::env::current_dir().map_err(failed)? {
            PathBuf::new()
        } else {
            folder.to_owned()
        };
        let only = Some(name.to_owned());
        Ok(ServedReplays { folder, only, glances: Mutex::default(), store: None })
    }

    /// The same with the replays that the games of a store name, and no other files around it.
    #[must_use]
    pub fn with_store(self, store: Store) -> ServedReplays {
        ServedReplays { store: Some(store), ..self }
    }

    pub(crate) fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// Where further replays can be put; `None` where one alone is served.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.only.is_none().then(|| self.root())
    }

    /// The id of the only replay, if one alone is served.
    pub fn only(&self) -> Option<&str> {
        self.only.as_deref()
    }

    /// A replay's path as a command takes it.
    pub(crate) fn path_of(&self, id: &str) -> String {
        let stored = self.stored_path(id);
        stored.unwrap_or_else(|| self.folder.join(id)).display().to_string()
    }

    /// Where the replay is whose id names a match of the store.
    fn stored_path(&self, id: &str) -> Option<PathBuf> {
        let (run, number) = id.strip_prefix(STORED)?.split_once('/')?;
        let number = number.strip_suffix(ENDINGS[0])?.parse().ok()?;
        let store = self.store.as_ref()?;
        let game = store.game(run.parse().ok()?, number).ok()??;
        let path = replay_path(store, &game.head.replay?);
        let name = path.file_name()?.to_str()?;
        ENDINGS.iter().any(|ending| name.ends_with(ending)).then_some(path)
    }

    /// A store can name any file: what is not a replay of ours is not served.
    fn open_stored(&self, id: &str) -> Option<File> {
        let path = self.stored_path(id)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mut file = File::from(open(&path, flags, Mode::empty()).ok()?);
        if !file.metadata().ok()?.is_file() {
            return None;
        }
        Reader::new(BufReader::new(file.try_clone().ok()?)).ok()?;
        file.rewind().ok()?;
        Some(file)
    }

    /// The id of the replay of a match that the store has.
    pub(crate) fn id_in_store(&self, run: RunId, id: MatchId) -> Option<String> {
        let number = self.store.as_ref()?.number_of(run, id).ok()??;
        Some(stored_id(run, number))
    }

    /// The id of the replay at a path, if it is below the folder.
    pub(crate) fn id_of(&self, path: &Path) -> Option<String> {
        let whole = |path: &Path| std::path::absolute(path).ok();
        let (path, root) = (whole(path)?, whole(self.root())?);
        let id = path.strip_prefix(root).ok()?.to_str()?.to_owned();
        self.may_be_named(&id).then_some(id)
    }

    fn may_be_named(&self, id: &str) -> bool {
        self.only.as_ref().map_or_else(|| is_id(id), |only| only == id)
    }

    fn root(&self) -> &Path {
        if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder }
    }

    /// Finds a replay by its id.
    pub(crate) fn find(&self, id: &str) -> Result<Found, Refusal> {
        let file = match id.starts_with(STORED) {
            true => self.open_stored(id).ok_or(Refusal::NoReplay)?,
            false if self.may_be_named(id) => {
                open_below(self.root(), id).map_err(|_| Refusal::NoReplay)?
            }
            false => return Err(Refusal::NoReplay),
        };
        let about = file.metadata().map_err(|_| Refusal::NoReplay)?;
        if !about.is_file() {
            return Err(Refusal::NoReplay);
        }
        let stamp =
            Stamp { id: id.to_owned(), modified: about.modified().ok(), bytes: about.len() };
        Ok(Found { stamp, file })
    }

    /// What is known of a replay at a glance.
    pub(crate) fn glance(&self, id: &str) -> Result<(Stamp, Arc<Glance>), Refusal> {
        let found = self.find(id)?;
        let stamp = found.stamp.clone();
        let known = |glances: &HashMap<Stamp, Arc<Glance>>| glances.get(&stamp).cloned();
        if let Some(glance) = known(&self.lock_glances()) {
            return Ok((stamp, glance));
        }
        let glance = Arc::new(found.glance()?);
        let mut glances = self.lock_glances();
        if glances.len() >= GLANCES_MAX {
            glances.clear();
        }
        glances.insert(stamp.clone(), Arc::clone(&glance));
        Ok((stamp, glance))
    }

    /// The id of the match that this one goes on from, if it is here: the file of that name beside it, else
    /// anywhere in the folder.
    pub(crate) fn origin_of(&self, glance: &Glance) -> Option<String> {
        let from = glance.header.from.as_ref()?;
        let name = Path::new(&from.replay).file_name()?.to_str()?;
        let beside = match glance.id.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/{name}"),
            None => name.to_owned(),
        };
        if beside != glance.id && self.find(&beside).is_ok() {
            return Some(beside);
        }
        let is_it = |id: &String| *id != glance.id && id.rsplit('/').next() == Some(name);
        self.list().into_iter().find(is_it)
    }

    fn lock_glances(&self) -> std::sync::MutexGuard<'_, HashMap<Stamp, Arc<Glance>>> {
        self.glances.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ids of all replays, the latest first.
    pub(crate) fn list(&self) -> Vec<String> {
        if let Some(only) = &self.only {
            return vec![only.clone()];
        }
        let mut files = Vec::new();
        let mut entries_left = ENTRIES_MAX;
        collect(self.root(), "", DEPTH_MAX, &mut entries_left, &mut files);
        files.sort_by(|one, other| other.cmp(one));
        files.into_iter().map(|(_, id)| id).collect()
    }
}

fn collect(
    folder: &Path,
    prefix: &str,
    depth: usize,
    entries_left: &mut usize,
    files: &mut Vec<(Option<SystemTime>, String)>,
) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Some(left) = entries_left.checked_sub(1) else { return };
        *entries_left = left;
        let Some(id) = entry.file_name().to_str().map(|name| format!("{prefix}{name}")) else {
            continue;
        };
        // The type of an entry is that of a link itself.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth > 1 && is_plain(&entry.file_name()) => {
                collect(&entry.path(), &format!("{id}/"), depth - 1, entries_left, files);
            }
            Ok(kind) if kind.is_file() && is_id(&id) => {
                files.push((entry.metadata().and_then(|about| about.modified()).ok(), id));
            }
            _ => {}
        }
    }
}

fn is_plain(name: &std::ffi::OsStr) -> bool {
    name.to_str().is_some_and(is_plain_part)
}

fn is_plain_part(part: &str) -> bool {
    !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', '\0'])
}

/// Whether a text can name a replay at all.
fn is_id(id: &str) -> bool {
    ENDINGS.iter().any(|ending| id.ends_with(ending))
        && id.split('/').count() <= DEPTH_MAX
        && id.split('/').all(is_plain_part)
}

/// Goes down from folder to folder and follows no link.
fn open_below(root: &Path, id: &str) -> io::Result<File> {
    let folder = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut at: OwnedFd = open(root, folder, Mode::empty())?;
    let mut parts = id.split('/').peekable();
    while let Some(part) = parts.next() {
        // A pipe must not be waited for.
        let flags = match parts.peek() {
            Some(_) => folder | OFlags::NOFOLLOW,
            None => OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC,
        };
        at = openat(&at, part, flags, Mode::empty())?;
    }
    Ok(at.into())
}

impl Found {
    /// The replay from its first line, and its game.
    pub(crate) fn reader(self) -> Result<(Reader<'static>, &'static dyn AnyGame), Refusal> {
        let reader = Reader::new(BufReader::new(self.file))?;
        let found = &reader.header().game;
        let game = find(found).ok_or_else(|| other_game(found))?;
        Ok((reader, game))
    }

    /// The file as it is.
    pub(crate) fn bytes(self) -> Result<Vec<u8>, Refusal> {
        let mut bytes = Vec::new();
        let read = self.file.take(DOWNLOAD_BYTES_MAX + 1).read_to_end(&mut bytes);
        let too_long = || Refusal::BadRequest("This file is too long to be sent.".to_owned());
        match read {
            Ok(length) if length as u64 <= DOWNLOAD_BYTES_MAX => Ok(bytes),
            Ok(_) => Err(too_long()),
            Err(error) if error.kind() == ErrorKind::OutOfMemory => Err(too_long()),
            Err(error) => Err(Refusal::Unplayable(format!("This file cannot be read: {error}"))),
        }
    }

    fn glance(self) -> Result<Glance, Refusal> {
        let id = self.stamp.id.clone();
        let (reader, game) = self.reader()?;
        let (header, facts) = (reader.header().clone(), game.facts());
        let end = reader.skip_to_end()?;
        let names = header.shown_names();
        let ending = ending(end.as_ref(), &names, facts.turn_name);
        Ok(Glance { id, header, end, title: facts.title, names, ending })
    }
}

fn ending(end: Option<&EndLine>, names: &PerSeat<String>, turn_name: &str) -> String {
    let Some(end) = end else { return "The record stops before the match is over".to_owned() };
    ending_in_words(&end.verdicts, &end.reason, end.turns, names, turn_name)
}

/// How a match ended, in one sentence.
pub(crate) fn ending_in_words(
    verdicts: &PerSeat<Verdict>,
    reason: &str,
    turns: u32,
    names: &PerSeat<String>,
    turn_name: &str,
) -> String {
    let won = |seat: Seat| verdicts[seat] == Verdict::Win;
    let who = match Seat::BOTH.into_iter().find(|&seat| won(seat)) {
        Some(seat) => format!("{} won", names[seat]),
        None if verdicts.0.contains(&Verdict::Draw) => "A draw".to_owned(),
        None => "Both lost".to_owned(),
    };
    format!("{who}: {}{}", printable(reason), after_turns(turns, turn_name))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn an_id_is_a_path_below_the_folder_and_nothing_else() {
        for id in ["a.jsonl", "run/1-a-vs-b.replay.jsonl.zst", "ü <b>.jsonl"] {
            assert!(is_id(id), "{id}");
        }
        let long = "a/".repeat(DEPTH_MAX) + "a.jsonl";
        for id in [
            "",
            "a",
            "/a.jsonl",
            "../a.jsonl",
            "a/../b.jsonl",
            "./a.jsonl",
            "a//b.jsonl",
            ".a.jsonl",
            "a\\b.jsonl",
            "a\0.jsonl",
            "a.jsonl/",
            "a.txt",
            &long,
        ] {
            assert!(!is_id(id), "{id}");
        }
    }

    #[test]
    fn links_lead_nowhere() {
        let folder = tempfile::tempdir().expect("a folder");
        let outside = tempfile::tempdir().expect("a folder");
        std::fs::write(outside.path().join("a.jsonl"), "secret").expect("room");
        symlink(outside.path().join("a.jsonl"), folder.path().join("b.jsonl")).expect("a link");
        symlink(outside.path(), folder.path().join("c")).expect("a link");
        std::fs::write(folder.path().join("d.jsonl"), "open").expect("room");
        std::fs::create_dir(folder.path().join("e.jsonl")).expect("room");
        let replays = ServedReplays::of_folder(folder.path());
        for id in ["b.jsonl", "c/a.jsonl", "e.jsonl", "f.jsonl"] {
            assert_eq!(replays.find(id).err(), Some(Refusal::NoReplay), "{id}");
        }
        assert_eq!(replays.find("d.jsonl").and_then(Found::bytes), Ok(b"open".to_vec()));
        assert_eq!(replays.list(), ["d.jsonl"]);
    }

    #[test]
    fn where_one_replay_is_served_its_neighbours_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a.jsonl", "b.jsonl"] {
            std::fs::write(folder.path().join(name), name).expect("room");
        }
        let replays =
            ServedReplays::of_replay(&folder.path().join("a.jsonl")).expect("it is there");
        assert_eq!((replays.list(), replays.only()), (vec!["a.jsonl".to_owned()], Some("a.jsonl")));
        assert_eq!(replays.find("b.jsonl").err(), Some(Refusal::NoReplay));
        assert!(replays.find("a.jsonl").is_ok());
    }
}

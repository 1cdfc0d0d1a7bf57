//! Bots that were fetched, each in a folder that is called by the digest of its archive.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::archive::{ArchiveError, Limits, digest, unpack};

/// A bot that nobody has played for so long is fetched again if somebody does.
const AGE_MAX: Duration = Duration::from_secs(30 * 24 * 3600);
/// What all of them may take together.
const BYTES_MAX: u64 = 10 * 1024 * 1024 * 1024;
/// Beside the folder of a bot: when it was last played, as the time of the file.
const MARK: &str = "used";
/// The same: what its build said.
const LOG: &str = "log";

/// Builds the bot of a folder, if it must be built, and writes a log. Or says why it cannot be.
pub(crate) type Build<'a> = &'a dyn Fn(&Path, &Path) -> Result<(), String>;

pub(crate) struct BotCache {
    folder: PathBuf,
}

/// Why a bot is not there.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CacheError {
    #[error("expected an archive of digest {expected}, found {found}")]
    Digest { expected: String, found: String },
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    #[error("cannot write {}: {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
    #[error("it cannot be built: {0}")]
    Build(String),
}

impl BotCache {
    pub(crate) fn new(folder: PathBuf) -> BotCache {
        BotCache { folder }
    }

    /// Where a bot is, or will be.
    pub(crate) fn folder_of(&self, digest: &str) -> PathBuf {
        self.folder.join(digest)
    }

    /// Whether a bot is there. It is then known to be in use.
    pub(crate) fn has(&self, digest: &str) -> bool {
        let is_there = self.folder_of(digest).is_dir();
        if is_there {
            // One that looks older than it is may be fetched once more.
            let _ = File::create(self.mark_of(digest));
        }
        is_there
    }

    fn mark_of(&self, digest: &str) -> PathBuf {
        self.folder.join(format!("{digest}.{MARK}"))
    }

    /// Where a build says what it does.
    fn log_of(&self, digest: &str) -> PathBuf {
        self.folder.join(format!("{digest}.{LOG}"))
    }

    /// Unpacks an archive that was fetched, if it is the one that was asked for, and builds what is in it. The bot is
    /// there when that is done.
    pub(crate) fn add(
        &self,
        expected: &str,
        archive: &[u8],
        build: Build<'_>,
    ) -> Result<(), CacheError> {
        let found = digest(archive);
        if found != expected {
            return Err(CacheError::Digest { expected: expected.to_owned(), found });
        }
        let failed = |path: &Path, error| CacheError::Write { path: path.to_owned(), error };
        fs::create_dir_all(&self.folder).map_err(|error| failed(&self.folder, error))?;
        let partial = tempfile::Builder::new().prefix("part-").tempdir_in(&self.folder);
        let partial = partial.map_err(|error| failed(&self.folder, error))?;
        let inner = partial.path().join("bot");
        unpack(archive, &inner, &Limits::default())?;
        build(&inner, &self.log_of(expected)).map_err(CacheError::Build)?;
        let folder = self.folder_of(expected);
        match fs::rename(&inner, &folder) {
            // Somebody else was quicker, with the same content.
            Err(_) if folder.is_dir() => {}
            renamed => renamed.map_err(|error| failed(&folder, error))?,
        }
        self.has(expected);
        Ok(())
    }

    /// Removes what nobody has played for long, and the oldest of the rest where all together are too much.
    pub(crate) fn trim(&self) {
        let mut bots = self.list();
        bots.sort_by_key(|bot| std::cmp::Reverse(bot.used));
        let mut bytes = 0;
        for bot in bots {
            bytes += bot.bytes;
            let age = bot.used.elapsed().unwrap_or_default();
            if age > AGE_MAX || bytes > BYTES_MAX {
                // What cannot be removed is tried again next time.
                let _ = fs::remove_dir_all(&bot.folder);
                for beside in [MARK, LOG] {
                    let _ = fs::remove_file(bot.folder.with_extension(beside));
                }
            }
        }
        self.trim_logs();
    }

    /// Logs of builds that failed have no bot.
    fn trim_logs(&self) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            let written = fs::metadata(&path).and_then(|file| file.modified());
            let age = written.ok().and_then(|written| written.elapsed().ok()).unwrap_or_default();
            if path.extension().is_some_and(|extension| extension == LOG) && age > AGE_MAX {
                let _ = fs::remove_file(path);
            }
        }
    }

    fn list(&self) -> Vec<CachedBot> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let folders = entries.map(|entry| entry.path()).filter(|path| path.is_dir());
        let bot = |folder: PathBuf| {
            let marked = fs::metadata(folder.with_extension(MARK)).and_then(|mark| mark.modified());
            let used = marked.unwrap_or(SystemTime::UNIX_EPOCH);
            CachedBot { bytes: bytes_below(&folder), used, folder }
        };
        folders.map(bot).collect()
    }
}

struct CachedBot {
    folder: PathBuf,
    bytes: u64,
    used: SystemTime,
}

fn bytes_below(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(found) if found.is_dir() => bytes_below(&entry.path()),
            Ok(found) => found.len(),
            Err(_) => 0,
        })
        .sum()
}

/// Where a worker keeps bots if nobody says otherwise. Root's own folders are closed to the user that its bots are.
pub fn usual_cache() -> PathBuf {
    let is_root = rustix::process::geteuid().is_root();
    let below =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let user = || below("XDG_CACHE_HOME").or_else(|| Some(below("HOME")?.join(".cache")));
    let folder = if is_root { None } else { user() };
    folder.unwrap_or_else(|| PathBuf::from("/var/cache")).join("quintain").join("bots")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::pack;

    #[test]
    fn a_bot_is_kept_until_nobody_has_played_it_for_long() {
        let (bot, cache) = (tempfile::tempdir().expect("made"), tempfile::tempdir().expect("made"));
        fs::write(bot.path().join("run.sh"), "#!/bin/sh\n").expect("written");
        let packed = pack(bot.path(), &Limits::default()).expect("packed");
        let cache = BotCache::new(cache.path().join("bots"));
        let other = "0".repeat(64);
        let built =
            |_: &Path, log: &Path| fs::write(log, "made").map_err(|error| error.to_string());
        let added = cache.add(&other, &packed.bytes, &built);
        assert!(matches!(added, Err(CacheError::Digest { .. })));
        let added = cache.add(&packed.digest, &packed.bytes, &|_, _| Err("no compiler".to_owned()));
        assert!(matches!(added, Err(CacheError::Build(_))));
        assert!(!cache.has(&packed.digest) && !cache.has(&other));
        for _ in 0..2 {
            cache.add(&packed.digest, &packed.bytes, &built).expect("added");
        }
        cache.trim();
        assert!(cache.has(&packed.digest));
        let mark = File::options().write(true).open(cache.mark_of(&packed.digest)).expect("there");
        mark.set_modified(SystemTime::now() - AGE_MAX - Duration::from_secs(60)).expect("set");
        cache.trim();
        assert!(!cache.has(&packed.digest));
        assert_eq!(fs::read_dir(&cache.folder).expect("there").count(), 0);
    }
}

//! Control groups: what a program and all that it starts use, counted and bounded by the system.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{Hit, Limits};

/// Where the system shows its control groups.
const ROOT: &str = "/sys/fs/cgroup";

/// Begins the names of groups that are made here.
const PREFIX: &str = "quintain-bot-";

/// Processes that the group holds besides the program's own: the watch, and the launcher for a moment.
const SPARE_PROCESSES: u64 = 3;

/// The control groups of one program. Dropping them removes them, once nobody is in them.
#[derive(Debug)]
pub struct Cgroup {
    /// One with all controllers, or one for each of them where they stand side by side (version 1).
    folders: Vec<PathBuf>,
}

impl Cgroup {
    /// Makes groups with these limits. `name` is nobody else's.
    ///
    /// # Errors
    /// This user may not make any, or the system has no such controllers.
    pub fn new(name: &str, limits: &Limits) -> io::Result<Cgroup> {
        let memory = limits.memory.to_string();
        let processes = (limits.processes + SPARE_PROCESSES).to_string();
        let unified = Path::new(ROOT).join("cgroup.controllers");
        if unified.is_file() {
            return Self::make(
                &[(own_group()?, &[("memory.max", &memory), ("pids.max", &processes)])],
                name,
            );
        }
        let of = |controller: &str| Path::new(ROOT).join(controller);
        Self::make(
            &[
                (of("memory"), &[("memory.limit_in_bytes", memory.as_str())][..]),
                (of("pids"), &[("pids.max", processes.as_str())][..]),
            ],
            name,
        )
    }

    fn make(places: &[(PathBuf, &[(&str, &str)])], name: &str) -> io::Result<Cgroup> {
        let mut made = Cgroup { folders: Vec::new() };
        for (above, settings) in places {
            let folder = above.join(format!("{PREFIX}{name}"));
            fs::create_dir(&folder).map_err(|error| at(&folder, &error))?;
            made.folders.push(folder.clone());
            for (file, value) in *settings {
                let file = folder.join(file);
                fs::write(&file, value).map_err(|error| at(&file, &error))?;
            }
        }
        Ok(made)
    }

    /// The files that a process writes its number to.
    pub fn doors(&self) -> Vec<PathBuf> {
        self.folders.iter().map(|folder| folder.join("cgroup.procs")).collect()
    }

    /// Which limit was hit, as far as the system has counted.
    pub fn hit(&self) -> Option<Hit> {
        let count = |file: &str, word: &str| {
            let text =
                self.folders.iter().find_map(|folder| fs::read_to_string(folder.join(file)).ok());
            let lines = text.unwrap_or_default();
            let found = lines.lines().find_map(|line| line.strip_prefix(word)?.trim().parse().ok());
            found.unwrap_or(0_u64)
        };
        let killed = count("memory.events", "oom_kill ") + count("memory.oom_control", "oom_kill ");
        match count("pids.events", "max ") {
            _ if killed > 0 => Some(Hit::Memory),
            0 => None,
            _ => Some(Hit::Processes),
        }
    }

    /// Ends whoever is in the group, where the system can do that at once.
    pub fn kill(&self) {
        for folder in &self.folders {
            // Version 1 has no such file.
            let _ = fs::write(folder.join("cgroup.kill"), "1");
        }
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        self.kill();
        for folder in &self.folders {
            // One that somebody is still in stays; the system keeps it empty otherwise.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// The group that this process is in (version 2).
fn own_group() -> io::Result<PathBuf> {
    let text = fs::read_to_string("/proc/self/cgroup")?;
    let path = text.lines().find_map(|line| line.strip_prefix("0::/"));
    path.map(|path| Path::new(ROOT).join(path))
        .ok_or_else(|| io::Error::other("no group of version 2"))
}

fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

//! Control groups: what a program and all that it starts use, counted and bounded by the system.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{Hit, Limits};

/// Where the system shows its control groups.
const ROOT: &str = "/sys/fs/cgroup";

/// Lists what the groups below one can be bounded by (version 2).
const CONTROLLERS: &str = "cgroup.controllers";

/// Bounds what of a group's memory is on a disk. A system without a swap has no such file.
const SWAP: &str = "memory.swap.max";

/// How much of the processors a group gets where several want all of them. A group has one share, however many
/// processes it has. This is the usual one; whoever may not use the controller has no such file.
const WEIGHT: (&str, &str) = ("cpu.weight", "100");

/// Files that may not be there.
const OPTIONAL: [&str; 2] = [SWAP, WEIGHT.0];

/// The group for this process itself, beside those of bots: a group whose processes are bounded together can have
/// none of its own (version 2).
const OWN: &str = "quintain-own";

/// Begins the names of groups that are made here.
const PREFIX: &str = "quintain-bot-";

/// Processes that the group holds besides the program's own: the watch, and the launcher for a moment.
const SPARE_PROCESSES: u64 = 9;

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
        let root = Path::new(ROOT);
        if root.join(CONTROLLERS).is_file() {
            let above = delegated(&own_group(root)?)?;
            let settings = [
                ("memory.max", memory.as_str()),
                // What is swapped out is used too.
                (SWAP, "0"),
                ("pids.max", processes.as_str()),
                WEIGHT,
            ];
            return Self::make(&[(above, &settings)], name);
        }
        let of = |controller: &str| root.join(controller);
        let mut made = Self::make(
            &[
                (of("memory"), &[("memory.limit_in_bytes", memory.as_str())][..]),
                (of("pids"), &[("pids.max", processes.as_str())][..]),
            ],
            name,
        )?;
        // Where both versions stand side by side the newer one can end everybody at once.
        for above in [Ok(of("cpu")), own_group(&root.join("unified"))] {
            if let Ok(more) = above.and_then(|above| Self::make(&[(above, &[])], name)) {
                made.folders.extend(more.into_folders());
            }
        }
        Ok(made)
    }

    fn into_folders(mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.folders)
    }

    fn make(places: &[(PathBuf, &[(&str, &str)])], name: &str) -> io::Result<Cgroup> {
        let mut made = Cgroup { folders: Vec::new() };
        for (above, settings) in places {
            let folder = above.join(format!("{PREFIX}{name}"));
            fs::create_dir(&folder).map_err(|error| at(&folder, &error))?;
            made.folders.push(folder.clone());
            for (file, value) in *settings {
                let file = folder.join(file);
                let is_optional = OPTIONAL.iter().any(|name| file.ends_with(name));
                if !is_optional || file.exists() {
                    fs::write(&file, value).map_err(|error| at(&file, &error))?;
                }
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

/// The group that this process is in (version 2), below the folder that shows them all.
fn own_group(root: &Path) -> io::Result<PathBuf> {
    let text = fs::read_to_string("/proc/self/cgroup")?;
    let path = text.lines().find_map(|line| line.strip_prefix("0::/"));
    let path = path.ok_or_else(|| io::Error::other("no group of version 2"))?;
    let group = root.join(path);
    // Who was moved aside makes groups where it came from.
    Ok(if group.ends_with(OWN) { group.parent().unwrap_or(root).to_owned() } else { group })
}

/// Makes a group one whose parts can be bounded: everybody in it moves to a part of their own first. The group of
/// all others is one already.
fn delegated(group: &Path) -> io::Result<PathBuf> {
    let enable = || fs::write(group.join("cgroup.subtree_control"), "+memory +pids");
    let is_enabled = || {
        let text = fs::read_to_string(group.join("cgroup.subtree_control")).unwrap_or_default();
        ["memory", "pids"].iter().all(|name| text.split_whitespace().any(|word| word == *name))
    };
    if !is_enabled() && enable().is_err() {
        let own = group.join(OWN);
        match fs::create_dir(&own) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(at(&own, &error));
            }
            _ => {}
        }
        let everybody = fs::read_to_string(group.join("cgroup.procs"))?;
        for number in everybody.lines() {
            // Who has ended meanwhile is in no group.
            let _ = fs::write(own.join("cgroup.procs"), number);
        }
        enable().map_err(|error| at(group, &error))?;
    }
    // Whoever was given no part of the processors to divide does without.
    let _ = fs::write(group.join("cgroup.subtree_control"), "+cpu");
    Ok(group.to_owned())
}

fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

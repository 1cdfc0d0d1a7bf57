//! The process that outlives a program: it collects whoever is left alone, and ends everybody when they use more
//! than they may, or when nobody listens to it any more. In a namespace it is the first process, and when it ends
//! the system ends all others; where there is none all of them descend from it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, PipeReader, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{Pid, PidfdFlags, WaitId, WaitIdOptions, WaitOptions};

use crate::holdings::Holdings;
use crate::plan::{Plan, SCRATCH};
use crate::shown::shown;
use crate::{Ended, Hit, line};

/// How often it is looked. A program can take some hundred mebibytes between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Where looking takes long it is done more rarely: it takes at most this part of the time.
const LOOK_PART_MAX: u32 = 50;

/// What the system calls memory that is shared without a file.
const SHARED_MEMORY: &str = "/dev/zero (deleted)";

/// Files of one program that are counted.
const ENTRIES_MAX: u64 = 1_000_000;

/// The mode of a folder that its owner can look into.
const OPEN_TO_OWNER: u32 = 0o500;

/// Whom it watches.
pub(crate) enum Watched {
    /// All others of its namespace.
    Namespace,
    /// Those that descend from it. The first of them is the program, whose end it tells.
    Line { program: Pid, handle: OwnedFd, has_ended: bool },
}

impl Watched {
    /// Those that descend from this process, of which the program is the first.
    pub(crate) fn line(program: i32) -> io::Result<Watched> {
        let program = Pid::from_raw(program).ok_or_else(|| io::Error::other("no process"))?;
        let handle = rustix::process::pidfd_open(program, PidfdFlags::empty())?;
        Ok(Watched::Line { program, handle, has_ended: false })
    }

    /// Collects those who have ended and whose parent has. The program's entry stays, so that its number is
    /// nobody else's.
    fn collect(&mut self, tell: &mut fs::File) {
        let Watched::Line { program, handle, has_ended } = self else {
            while matches!(rustix::process::wait(WaitOptions::NOHANG), Ok(Some(_))) {}
            return;
        };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if !*has_ended
            && let Ok(Some(status)) =
                rustix::process::waitid(WaitId::PidFd(handle.as_fd()), options)
        {
            *has_ended = true;
            let code = status.exit_status().map(Ended::Code);
            let ended = code.or_else(|| status.terminating_signal().map(Ended::Signal));
            // Nobody may be left to hear it.
            let _ = ended.map(|ended| tell.write_all(format!("{ended}\n").as_bytes()));
        }
        for pid in line::own_children().into_iter().filter_map(Pid::from_raw) {
            if pid != *program {
                let _ = rustix::process::waitpid(Some(pid), WaitOptions::NOHANG);
            }
        }
    }

    /// Waits for the next look. Whether anybody listens still.
    fn wait(&self, tell: &fs::File, time: Duration) -> bool {
        let told = PollFd::new(tell, PollFlags::empty());
        let mut polled = vec![told];
        if let Watched::Line { handle, has_ended: false, .. } = self {
            polled.push(PollFd::new(handle, PollFlags::IN));
        }
        let time = Timespec::try_from(time).ok();
        let _ = rustix::event::poll(&mut polled, time.as_ref());
        polled[0].revents().is_empty()
    }

    /// The numbers of those who are watched; `None` while they cannot be told.
    fn all(&self) -> Option<Vec<i32>> {
        match self {
            Watched::Line { .. } => Some(line::line().into_iter().collect()),
            // Until the program has its files `/proc` shows the processes of the whole machine.
            Watched::Namespace => {
                let is_settled = fs::read_link("/proc/self").is_ok_and(|own| own == Path::new("1"));
                let entries = fs::read_dir("/proc").ok().filter(|_| is_settled)?.flatten();
                let pid = |entry: fs::DirEntry| entry.file_name().to_str()?.parse::<i32>().ok();
                Some(entries.filter_map(pid).filter(|pid| *pid != 1).collect())
            }
        }
    }

    fn end_all(&self) {
        if let Watched::Line { .. } = self {
            line::end_all();
        }
    }
}

/// Watches until nobody listens any more, or somebody has hit a limit, which is told in `tell`. What was written
/// `before` is not the program's. The other end of `loading` is closed when the program has been loaded; until then
/// there is nobody to look at.
pub(crate) fn watch(
    plan: &Plan,
    mut watched: Watched,
    before: Written,
    loading: &PipeReader,
    tell: &mut fs::File,
) -> i32 {
    let mut look = Look { plan, before, hiding: BTreeSet::new() };
    let mut next_look = Instant::now();
    loop {
        watched.collect(tell);
        let begun = Instant::now();
        if begun >= next_look
            && is_closed(loading)
            && let Some(all) = watched.all()
            && let Some(hit) = look.at(&all)
        {
            let _ = tell.write_all(format!("{hit}\n").as_bytes());
            watched.end_all();
            return 1;
        }
        if begun >= next_look {
            next_look = Instant::now() + LOOK_EVERY.max(begun.elapsed() * LOOK_PART_MAX);
        }
        if !watched.wait(tell, next_look.saturating_duration_since(Instant::now())) {
            watched.end_all();
            return 0;
        }
    }
}

/// Whether nobody has the other end of a pipe any more.
fn is_closed(pipe: &PipeReader) -> bool {
    let mut polled = [PollFd::new(pipe, PollFlags::empty())];
    let _ = rustix::event::poll(&mut polled, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
    polled[0].revents().contains(PollFlags::HUP)
}

/// A look at those who are watched, and what has to be known of the one before.
struct Look<'a> {
    plan: &'a Plan,
    /// What was in the folders that may be written before the program was loaded.
    before: Written,
    /// Those who did not show what they hold open.
    hiding: BTreeSet<i32>,
}

impl Look<'_> {
    /// Which limit they have hit.
    fn at(&mut self, all: &[i32]) -> Option<Hit> {
        let (used, held) = (used(all), Holdings::of(all));
        // Once could be a moment in which it becomes another program.
        let is_hiding = self.hiding.intersection(&held.hiding).next().is_some();
        self.hiding.clone_from(&held.hiding);
        let limits = &self.plan.limits;
        match used {
            used if used.memory + held.memory() > limits.memory => Some(Hit::Memory),
            used if used.processes > limits.processes => Some(Hit::Processes),
            _ => self.is_full(held.disk(), is_hiding).then_some(Hit::Disk),
        }
    }

    /// Whether what may be written is full. `removed` are bytes in files that no folder shows; somebody who
    /// `is_hiding` them could have any number of those.
    fn is_full(&self, removed: u64, is_hiding: bool) -> bool {
        let plan = self.plan;
        if plan.scratch.is_none() && is_full(Path::new(SCRATCH)) {
            return true;
        }
        if plan.writable.is_empty() && plan.scratch.is_none() {
            return false;
        }
        let now = written(plan);
        let is_over = now.bytes + removed > self.before.bytes + plan.limits.disk;
        // Who closes a folder, or makes it too deep to be looked into, could have anything in it.
        let is_hiding = is_hiding || !now.closed.is_subset(&self.before.closed);
        // The system counts files only in a file system of the program's own.
        let is_crowded = now.entries > self.before.entries + plan.limits.inodes();
        is_over || is_hiding || is_crowded || now.entries >= ENTRIES_MAX
    }
}

/// What those who are watched use.
#[derive(Default)]
struct Used {
    memory: u64,
    processes: u64,
}

fn used(all: &[i32]) -> Used {
    let mut used = Used::default();
    let mut shared = BTreeMap::new();
    for &pid in all {
        // Who has ended has its entry until somebody waits for it, and uses nothing else.
        let Some(status) = Status::read(Path::new(&format!("/proc/{pid}"))) else { continue };
        used.processes += status.field("Threads:");
        let Some(shown) = shown(pid) else { continue };
        let Some(status) = Status::read(&shown) else { continue };
        // What the system needs to know where memory is can be more than that memory.
        used.memory += status.bytes(&["RssAnon:", "VmSwap:", "VmPTE:", "HugetlbPages:"]);
        match fs::read_to_string(shown.join("maps")) {
            Ok(maps) => shared.extend(shared_memory(&maps)),
            // Who hides what it shares is taken to share all that is not known to be its own.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                let own = status.bytes(&["VmData:", "VmStk:", "VmExe:", "VmLib:"]);
                used.memory += status.bytes(&["VmSize:"]).saturating_sub(own);
            }
            Err(_) => {}
        }
    }
    used.memory += shared.values().sum::<u64>();
    used
}

/// What the system tells of a process or a thread.
struct Status(String);

impl Status {
    fn read(folder: &Path) -> Option<Status> {
        fs::read_to_string(folder.join("status")).ok().map(Status)
    }

    /// A number; nothing if it is not told.
    fn field(&self, name: &str) -> u64 {
        let line = self.0.lines().find_map(|line| line.strip_prefix(name));
        let word = line.and_then(|line| line.split_ascii_whitespace().next());
        word.and_then(|word| word.parse().ok()).unwrap_or(0)
    }

    /// The sum of what is told in kibibytes.
    fn bytes(&self, names: &[&str]) -> u64 {
        names.iter().map(|name| self.field(name)).sum::<u64>() * 1024
    }
}

/// Memory that several processes share without a file, by its number, with its size. It stays when those who have
/// touched it are gone, so that all of it counts that somebody could touch. What is shared in a file is counted with
/// the files.
fn shared_memory(maps: &str) -> BTreeMap<u64, u64> {
    let mut found = BTreeMap::new();
    for line in maps.lines().filter(|line| line.ends_with(SHARED_MEMORY)) {
        let mut words = line.split_ascii_whitespace();
        let end = words.next().and_then(|range| range.split_once('-'));
        let (Some((begin, end)), Some(number)) = (end, words.nth(3)) else { continue };
        let address = |text: &str| u64::from_str_radix(text, 16).unwrap_or(0);
        let size = address(end).saturating_sub(address(begin));
        // Parts of it can have been given different rights, and stand in several lines then.
        *found.entry(number.parse().unwrap_or(0)).or_default() += size;
    }
    found
}

/// What is in the folders that may be written.
pub(crate) fn written(plan: &Plan) -> Written {
    let mut written = Written::default();
    for folder in plan.writable.iter().chain(&plan.scratch) {
        written.add(folder, &plan.fixed);
    }
    written
}

/// Whether a file system has no room. One that is not there yet has no limit.
pub fn is_full(folder: &Path) -> bool {
    rustix::fs::statvfs(folder)
        .is_ok_and(|found| found.f_blocks > 0 && (found.f_bfree == 0 || found.f_ffree == 0))
}

/// What is in folders, without what others write there.
#[derive(Default)]
pub(crate) struct Written {
    bytes: u64,
    entries: u64,
    /// Folders that cannot be looked into, or only by root.
    closed: BTreeSet<PathBuf>,
}

impl Written {
    fn add(&mut self, folder: &Path, fixed: &[PathBuf]) {
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            if self.add_folder(&folder, fixed, &mut folders).is_err_and(|error| !is_gone(&error)) {
                self.closed.insert(folder);
            }
        }
    }

    /// Counts what is in a folder, and tells which folders are.
    fn add_folder(
        &mut self,
        folder: &Path,
        fixed: &[PathBuf],
        folders: &mut Vec<PathBuf>,
    ) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let found = match entry.metadata() {
                Err(error) if is_gone(&error) => continue,
                found => found?,
            };
            self.bytes += found.blocks() * 512;
            self.entries += 1;
            let path = entry.path();
            if !found.is_dir() || fixed.contains(&path) || self.entries >= ENTRIES_MAX {
                continue;
            }
            if found.mode() & OPEN_TO_OWNER != OPEN_TO_OWNER {
                self.closed.insert(path.clone());
            }
            folders.push(path);
        }
        Ok(())
    }
}

/// Whether there is nothing any more where something was.
fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_shared_without_a_file_counts_whoever_has_touched_it() {
        let maps = "7f00a000-7f00c000 rw-s 00000000 00:01 7     /dev/zero (deleted)\n\
                    7f00c000-7f00d000 r--s 00002000 00:01 7     /dev/zero (deleted)\n\
                    7f010000-7f011000 rw-s 00000000 00:01 9     /dev/zero (deleted)\n\
                    7f020000-7f030000 rw-p 00000000 00:00 0     [heap]\n\
                    7f040000-7f050000 rw-s 00000000 00:20 3     /tmp/file\n";
        assert_eq!(shared_memory(maps), BTreeMap::from([(7, 0x3000), (9, 0x1000)]));
    }

    #[test]
    fn a_folder_that_cannot_be_looked_into_is_told() {
        let folder = std::env::temp_dir().join(format!("quintain-written-{}", std::process::id()));
        let (open, closed) = (folder.join("open"), folder.join("closed"));
        for folder in [&open, &closed] {
            fs::create_dir_all(folder).expect("a folder");
            fs::write(folder.join("file"), [1; 5000]).expect("a file");
        }
        let set_mode = |mode| {
            let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
            fs::set_permissions(&closed, mode).expect("it is ours");
        };
        let plan = Plan { writable: vec![folder.clone()], ..Plan::default() };
        let before = written(&plan);
        assert!(before.closed.is_empty() && before.bytes >= 10_000 && before.entries == 4);
        for mode in [0o000, 0o400, 0o300] {
            set_mode(mode);
            assert_eq!(written(&plan).closed, BTreeSet::from([closed.clone()]), "{mode:o}");
        }
        set_mode(0o700);
        fs::remove_dir_all(folder).expect("it is ours");
    }
}

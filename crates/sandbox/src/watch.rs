//! The first process of a namespace: it outlives the program, collects whoever is left alone, and ends
//! everybody when they use more than they may. When it ends, the system ends all others.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::plan::{Plan, SCRATCH};
use crate::{Hit, Limits};

/// How often it is looked. A program can take some hundred mebibytes between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Where looking takes long it is done more rarely: it takes at most this part of the time.
const LOOK_PART_MAX: u32 = 50;

/// Files of one program that are counted.
const ENTRIES_MAX: u64 = 1_000_000;

/// Watches until it is ended, or somebody has hit a limit, which is told in `tell`.
pub(crate) fn watch(plan: &Plan, tell: &mut fs::File) -> i32 {
    let mut before = None;
    loop {
        let begun = Instant::now();
        while let Ok(status) =
            nix::sys::wait::waitpid(None, Some(nix::sys::wait::WaitPidFlag::WNOHANG))
        {
            if status == nix::sys::wait::WaitStatus::StillAlive {
                break;
            }
        }
        if is_settled() {
            let written =
                || plan.writable.iter().map(|folder| size_of_tree(folder, plan).bytes).sum();
            let before = *before.get_or_insert_with(written);
            let hit = used().and_then(|used| used.over(&plan.limits));
            if let Some(hit) = hit.or_else(|| full(plan, before)) {
                // Nobody may be left to hear it.
                let _ = tell.write_all(format!("{hit}\n").as_bytes());
                return 1;
            }
        }
        std::thread::sleep(LOOK_EVERY.max(begun.elapsed() * LOOK_PART_MAX));
    }
}

/// Whether the program has its files: until then `/proc` shows the processes of the whole machine.
fn is_settled() -> bool {
    fs::read_link("/proc/self").is_ok_and(|own| own == Path::new("1"))
}

/// What everybody in the namespace uses, this process excepted.
#[derive(Default)]
struct Used {
    memory: u64,
    processes: u64,
}

impl Used {
    fn over(&self, limits: &Limits) -> Option<Hit> {
        match self {
            used if used.memory > limits.memory => Some(Hit::Memory),
            used if used.processes > limits.processes => Some(Hit::Processes),
            _ => None,
        }
    }
}

fn used() -> Option<Used> {
    let mut used = Used::default();
    let own = std::process::id();
    for entry in fs::read_dir("/proc").ok()?.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        if pid == own {
            continue;
        }
        // Who has ended meanwhile uses nothing.
        let Ok(status) = fs::read_to_string(format!("/proc/{pid}/status")) else { continue };
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_ascii_whitespace().next()?.parse::<u64>().ok()
        };
        let pages = ["RssAnon:", "RssShmem:", "VmSwap:"].into_iter().filter_map(field);
        used.memory += pages.sum::<u64>() * 1024;
        used.processes += field("Threads:").unwrap_or(0);
    }
    Some(used)
}

/// Whether what may be written is full.
fn full(plan: &Plan, before: u64) -> Option<Hit> {
    if plan.scratch.is_none() && is_full(Path::new(SCRATCH)) {
        return Some(Hit::Disk);
    }
    let now = plan.writable.iter().map(|folder| size_of_tree(folder, plan));
    let now = now.fold(Tree::default(), |one, other| one.with(&other));
    let is_over = now.bytes > before + plan.limits.disk || now.entries >= ENTRIES_MAX;
    is_over.then_some(Hit::Disk)
}

/// Whether a file system has no room. One that is not there yet has no limit.
pub fn is_full(folder: &Path) -> bool {
    rustix::fs::statvfs(folder)
        .is_ok_and(|found| found.f_blocks > 0 && (found.f_bfree == 0 || found.f_ffree == 0))
}

#[derive(Default)]
struct Tree {
    bytes: u64,
    entries: u64,
}

impl Tree {
    fn with(self, other: &Tree) -> Tree {
        Tree { bytes: self.bytes + other.bytes, entries: self.entries + other.entries }
    }
}

/// What is in a folder, without what others write there.
fn size_of_tree(folder: &Path, plan: &Plan) -> Tree {
    use std::os::unix::fs::MetadataExt as _;
    let mut tree = Tree::default();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(found) = entry.metadata() else { continue };
            tree = tree.with(&Tree { bytes: found.blocks() * 512, entries: 1 });
            let path = entry.path();
            if found.is_dir() && !plan.fixed.contains(&path) && tree.entries < ENTRIES_MAX {
                folders.push(path);
            }
        }
    }
    tree
}

//! Who descends from this process, where no namespace holds them: found in `/proc`, and ended one by one.
//!
//! This process takes in whoever is left alone below it, so that a daemon that has a session of its own and no
//! parent any more still descends from it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions};

/// Looks for processes that were started meanwhile, at most. Each finds what the one before has missed, and
/// who has been found stands still.
const LOOKS_MAX: usize = 1000;

/// Between two looks at those who are being ended.
const ENDING_LOOK: Duration = Duration::from_millis(1);

/// Everybody who descends from this process.
pub(crate) fn line() -> BTreeSet<i32> {
    let own = std::process::id().cast_signed();
    match children(own) {
        Some(_) => by_children(own),
        None => by_parents(own),
    }
}

/// The children of this process. One that has ended is among them until it is waited for.
pub(crate) fn own_children() -> BTreeSet<i32> {
    let own = std::process::id().cast_signed();
    let scanned = || parents().into_iter().filter(|(_, parent)| *parent == own).map(|(pid, _)| pid);
    children(own).unwrap_or_else(|| scanned().collect())
}

fn by_children(own: i32) -> BTreeSet<i32> {
    let mut found = BTreeSet::new();
    let mut parents = vec![own];
    while let Some(parent) = parents.pop() {
        let children = children(parent).unwrap_or_default();
        parents.extend(children.into_iter().filter(|child| found.insert(*child)));
    }
    found
}

/// The children of all threads of a process; `None` if the system has no such lists.
fn children(parent: i32) -> Option<BTreeSet<i32>> {
    let mut found = BTreeSet::new();
    for task in fs::read_dir(format!("/proc/{parent}/task")).ok()?.flatten() {
        let text = fs::read_to_string(task.path().join("children")).ok()?;
        found.extend(text.split_ascii_whitespace().filter_map(|word| word.parse::<i32>().ok()));
    }
    Some(found)
}

fn by_parents(own: i32) -> BTreeSet<i32> {
    let parents = parents();
    let mut found = BTreeSet::from([own]);
    loop {
        let before = found.len();
        let is_new = |(_, parent): &(&i32, &i32)| found.contains(*parent);
        let new: Vec<i32> = parents.iter().filter(is_new).map(|(pid, _)| *pid).collect();
        found.extend(new);
        if found.len() == before {
            found.remove(&own);
            return found;
        }
    }
}

/// Every process that can be seen, with its parent.
fn parents() -> BTreeMap<i32, i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pid = |entry: fs::DirEntry| entry.file_name().to_str()?.parse::<i32>().ok();
    entries.filter_map(pid).filter_map(|pid| Some((pid, parent_of(pid)?))).collect()
}

fn parent_of(pid: i32) -> Option<i32> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of its program, in brackets, may hold anything.
    text.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

/// Ends everybody who descends from this process. All stand still before the first of them is ended, so that
/// nobody can start others faster than they are found.
pub(crate) fn end_all() {
    let mut stopped = BTreeSet::new();
    for _ in 0..LOOKS_MAX {
        let new: Vec<i32> = line().difference(&stopped).copied().collect();
        if new.is_empty() {
            break;
        }
        for pid in new {
            signal(pid, Signal::STOP);
            stopped.insert(pid);
        }
    }
    for _ in 0..LOOKS_MAX {
        let left = line();
        if left.is_empty() {
            return;
        }
        left.iter().for_each(|pid| signal(*pid, Signal::KILL));
        while matches!(rustix::process::wait(WaitOptions::NOHANG), Ok(Some(_))) {}
        std::thread::sleep(ENDING_LOOK);
    }
}

/// Sends a signal to a process that descends from this one. Its number could have been given to another one
/// since it was found; what is open cannot.
fn signal(pid: i32, signal: Signal) {
    let Some(number) = Pid::from_raw(pid) else { return };
    let Ok(handle) = rustix::process::pidfd_open(number, PidfdFlags::empty()) else { return };
    let is_ours = |pid: i32| {
        let own = std::process::id().cast_signed();
        let mut above = parent_of(pid);
        while let Some(parent) = above.filter(|parent| *parent > 1) {
            if parent == own {
                return true;
            }
            above = parent_of(parent);
        }
        false
    };
    if is_ours(pid) {
        // Who has ended meanwhile needs no signal.
        let _ = rustix::process::pidfd_send_signal(&handle, signal);
    }
}

//! Who belongs to a bot: the group that its process leads, what descends from it, and whoever holds its
//! pipes. All are ended with it.
//!
//! A process that left the group, whose parent has ended, and that closed the bot's pipes cannot be told
//! from a stranger, unless a sandbox holds them all together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitOptions};

use crate::keeper::Keeper;
use crate::limits::{ENDING_LOOK, FAMILY_LOOKS_MAX, KILLED_WAIT};
use crate::process_counts::{self, Stat};

/// The process `leader`, those in the group that it leads, and those that descend from it.
pub(crate) fn members(leader: u32) -> BTreeMap<u32, Stat> {
    let Some(mut family) = descendants(leader) else { return members_among_all(leader) };
    family.extend(process_counts::processes_of_group(leader));
    family.insert(leader);
    family.into_iter().filter_map(|pid| Some((pid, process_counts::stat(pid)?))).collect()
}

/// The process `leader` and those that descend from it, as far as they run. `None` if that cannot be told:
/// who has ended has no descendants any more.
pub(crate) fn line_of(leader: u32) -> Option<BTreeMap<u32, Stat>> {
    let stat = process_counts::stat(leader).filter(|stat| stat.is_of_running(leader))?;
    let children = process_counts::children_of(leader, &stat)?;
    let running = |pid: u32| {
        let stat = process_counts::stat(pid).filter(|stat| stat.is_of_running(pid))?;
        Some((pid, stat))
    };
    let descendants = descendants_of(children)?.into_iter().filter_map(running);
    Some(descendants.chain([(leader, stat)]).collect())
}

/// Those that descend from a process; `None` if that cannot be told from lists of children.
fn descendants(leader: u32) -> Option<BTreeSet<u32>> {
    descendants_of(process_counts::children(leader)?)
}

/// The children of a process and those that descend from them.
fn descendants_of(children: Vec<u32>) -> Option<BTreeSet<u32>> {
    let mut found = BTreeSet::from_iter(children);
    let mut parents: Vec<u32> = found.iter().copied().collect();
    while let Some(parent) = parents.pop() {
        let children = process_counts::children(parent)?;
        parents.extend(children.into_iter().filter(|child| found.insert(*child)));
    }
    Some(found)
}

/// As [`members`], by the parents of all processes, which costs more than a short match.
fn members_among_all(leader: u32) -> BTreeMap<u32, Stat> {
    let mut all: BTreeMap<u32, Stat> = process_counts::processes().collect();
    let descends = |pid: &u32| {
        let mut parent = all.get(pid).map(|stat| stat.parent);
        // Parents were read at different moments, so they could form a circle.
        for _ in 0..all.len() {
            match parent {
                Some(pid) if pid == leader => return true,
                Some(pid) => parent = all.get(&pid).map(|stat| stat.parent),
                None => return false,
            }
        }
        false
    };
    let is_family =
        |(pid, stat): &(&u32, &Stat)| **pid == leader || stat.group == leader || descends(pid);
    let family: BTreeSet<u32> = all.iter().filter(is_family).map(|(pid, _)| *pid).collect();
    all.retain(|pid, _| family.contains(pid));
    all
}

/// Whether a process has something open that `/proc` calls `name`.
pub(crate) fn holds(pid: u32, name: &str) -> bool {
    let Ok(entries) = fs::read_dir(format!("/proc/{pid}/fd")) else { return false };
    let mut links = entries.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    links.any(|link| link.as_os_str() == name)
}

/// Ends the process `leader`, which was started by this one, with its family, and waits until they are
/// gone. `pipes` are the reading ends of what it writes to, `keeper` what holds it. Who is still there when the
/// time is up.
pub(crate) fn end(
    leader: Pid,
    handle: BorrowedFd<'_>,
    pipes: &[BorrowedFd<'_>],
    keeper: Option<&mut Keeper>,
) -> Vec<u32> {
    let until = Instant::now() + KILLED_WAIT;
    if let Some(keeper) = keeper {
        keeper.kill();
        if keeper.holds_all() {
            // The watch ends last, once the program has been waited for, by this process or by the watch.
            let program = await_leader(leader, handle, until);
            let may_be_held = !keeper.holds_by_namespace();
            let mut left: Vec<u32> = program.into_iter().chain(keeper.await_end(until)).collect();
            if may_be_held {
                left.extend(end_holders(pipes, until));
            }
            return left;
        }
    }
    // Looking for descendants takes a while. Who has ended has none: they belong to the system now.
    let descendants = match has_ended(handle) {
        true => BTreeSet::new(),
        false => kill_descendants(leader),
    };
    // These fail if nobody is left, and then there is nothing to do.
    let _ = rustix::process::kill_process_group(leader, Signal::KILL);
    let _ = rustix::process::pidfd_send_signal(handle, Signal::KILL);
    let mut left = BTreeSet::from_iter(await_leader(leader, handle, until));
    let is_group_left = || rustix::process::test_kill_process_group(leader).is_ok();
    let group = number(leader);
    left.extend(await_all(until, is_group_left, || process_counts::processes_of_group(group)));
    left.extend(await_all(until, || !descendants.is_empty(), || descendants.iter().copied()));
    left.extend(end_holders(pipes, until));
    left.into_iter().collect()
}

/// The same for a process of which there is no handle: no program of it has run for long.
pub(crate) fn end_by_number(leader: Pid) {
    let until = Instant::now() + KILLED_WAIT;
    let _ = rustix::process::kill_process_group(leader, Signal::KILL);
    kill(number(leader));
    let wait = || rustix::process::waitpid(Some(leader), WaitOptions::NOHANG);
    while matches!(wait(), Ok(None)) && Instant::now() < until {
        std::thread::sleep(ENDING_LOOK);
    }
}

fn number(pid: Pid) -> u32 {
    pid.as_raw_pid().unsigned_abs()
}

fn kill(pid: u32) {
    if let Some(pid) = Pid::from_raw(pid.cast_signed()) {
        let _ = rustix::process::kill_process(pid, Signal::KILL);
    }
}

fn has_ended(handle: BorrowedFd<'_>) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(rustix::process::waitid(WaitId::PidFd(handle), options), Ok(None))
}

/// Kills all that descend from a process, while that is still there to tell whose they are.
///
/// Its group stands still meanwhile, so that it starts no others. Processes elsewhere are not stopped: they
/// can be in the group of this one, which the system would hang up on (`SIGHUP`) if it came to be without
/// anybody in its session to continue it.
fn kill_descendants(leader: Pid) -> BTreeSet<u32> {
    let _ = rustix::process::kill_process_group(leader, Signal::STOP);
    let leader = number(leader);
    let mut killed = BTreeSet::new();
    // The others of its group are killed with that.
    if process_counts::children(leader).is_some_and(|children| children.is_empty()) {
        return killed;
    }
    for _ in 0..FAMILY_LOOKS_MAX {
        let before = killed.len();
        // A list of children can lack one if another ends while it is read.
        for pid in members_among_all(leader).into_keys() {
            if pid != leader && killed.insert(pid) {
                kill(pid);
            }
        }
        if killed.len() == before {
            break;
        }
    }
    killed
}

/// Waits for a process that was killed, and for its entry in the process table.
pub(crate) fn await_leader(leader: Pid, handle: BorrowedFd<'_>, until: Instant) -> Option<u32> {
    loop {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        match rustix::process::waitid(WaitId::PidFd(handle), options) {
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            // With an error it is somebody else's to wait for.
            Ok(Some(_)) | Err(_) => return None,
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Some(number(leader));
        }
        let _ = poll(handle, PollFlags::IN, left);
    }
}

/// Waits until none of those that `list` gives runs any more. Entries in the process table that nobody
/// has collected do not count: in a container there may be nobody who does.
fn await_all<L: Iterator<Item = u32>>(
    until: Instant,
    may_be_left: impl Fn() -> bool,
    list: impl Fn() -> L,
) -> Vec<u32> {
    while may_be_left() {
        let running: Vec<u32> = list().filter(|pid| process_counts::is_running(*pid)).collect();
        if running.is_empty() || Instant::now() >= until {
            return running;
        }
        std::thread::sleep(ENDING_LOOK);
    }
    Vec::new()
}

/// Ends whoever left the group and still holds a pipe of the bot.
fn end_holders(pipes: &[BorrowedFd<'_>], until: Instant) -> Vec<u32> {
    for _ in 0..FAMILY_LOOKS_MAX {
        let held: Vec<String> = pipes.iter().filter_map(|pipe| name_if_held(*pipe)).collect();
        if held.is_empty() {
            return Vec::new();
        }
        let holders = holders_of(&held);
        holders.iter().for_each(|pid| kill(*pid));
        let left = await_all(until, || !holders.is_empty(), || holders.iter().copied());
        if holders.is_empty() || !left.is_empty() {
            return left;
        }
    }
    Vec::new()
}

/// What `/proc` calls a pipe that somebody can still write to. A process that another thread is starting
/// can do so for a moment, which is not worth a look at all processes.
fn name_if_held(pipe: BorrowedFd<'_>) -> Option<String> {
    let found = poll(pipe, PollFlags::empty(), ENDING_LOOK).ok()?;
    if found.contains(PollFlags::HUP) {
        return None;
    }
    let number = rustix::fs::fstat(pipe).ok()?.st_ino;
    Some(format!("pipe:[{number}]"))
}

/// The processes that hold one of these pipes, apart from this one.
fn holders_of(pipes: &[String]) -> Vec<u32> {
    let program = |pid: &str| fs::read_link(format!("/proc/{pid}/exe")).ok();
    let own = program("self");
    let has_loaded = |pid: u32| {
        // Until a process that another thread is starting has loaded its program, it has all open that
        // this one has.
        let found = program(&pid.to_string());
        found.is_some() && found != own
    };
    let all = process_counts::processes().map(|(pid, _)| pid);
    let others = all.filter(|pid| *pid != std::process::id() && has_loaded(*pid));
    others.filter(|pid| pipes.iter().any(|pipe| holds(*pid, pipe))).collect()
}

fn poll(handle: BorrowedFd<'_>, flags: PollFlags, time: Duration) -> io::Result<PollFlags> {
    let mut polled = [PollFd::from_borrowed_fd(handle.as_fd(), flags)];
    let timeout = Timespec::try_from(time).expect("a few seconds fit");
    rustix::event::poll(&mut polled, Some(&timeout))?;
    Ok(polled[0].revents())
}

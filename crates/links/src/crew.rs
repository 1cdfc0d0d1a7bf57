//! Who of its family works for a bot, and what the system counts for them.
//!
//! A launcher that waits for the one process it started (a shell without `exec`, the shim of a version
//! manager) is followed to that one. Where several work side by side nobody can tell which of them the
//! machine kept waiting.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use nix::time::ClockId;
use quintain_referee::{Counts, Unprotected};

use crate::family;
use crate::process_counts::{self, Activity, Stat, WatchedThreads};

/// How old what is known of the processes of a bot may be. To find them all processes are looked
/// through.
const LOOK_AGE_MAX: Duration = Duration::from_millis(100);
/// Where that takes long it is done more rarely: it takes at most this part of the time.
const LOOK_PART_MAX: u32 = 50;
/// How many processes are named when there are too many.
const NAMES_MAX: usize = 5;

/// The processes of a bot, as they were found when they were last looked for.
#[derive(Debug)]
pub(crate) struct Crew {
    leader: u32,
    members: Vec<Member>,
    unprotected: Option<Unprotected>,
    looked: Looked,
}

/// How the processes were last looked for.
#[derive(Clone, Copy, Debug)]
enum Looked {
    Never,
    /// Among those that descend from the leader, at this moment.
    Near(Instant),
    /// Among all processes: when that was, and how long it took.
    Far(Instant, Duration),
}

#[derive(Debug)]
struct Member {
    pid: u32,
    clock: Option<ClockId>,
    threads: WatchedThreads,
}

impl Member {
    fn new(pid: u32) -> Member {
        let number = nix::unistd::Pid::from_raw(i32::try_from(pid).unwrap_or_default());
        let clock = nix::time::clock_getcpuclockid(number).ok();
        Member { pid, clock, threads: WatchedThreads::new(pid) }
    }
}

impl Crew {
    /// Only the leader is known at first.
    pub(crate) fn new(leader: u32) -> Crew {
        Crew {
            leader,
            members: vec![Member::new(leader)],
            unprotected: None,
            looked: Looked::Never,
        }
    }

    /// The processor time of those that are known. One that has ended since counts no more.
    pub(crate) fn cpu(&self) -> Option<Duration> {
        let times = self.members.iter().map(|member| Some(member.clock?.now().ok()?.into()));
        times.flatten().reduce(|one: Duration, other| one + other)
    }

    /// The counts of every thread. Every bot is looked at while its program is being loaded, so that a
    /// first look does not go through all processes.
    pub(crate) fn counts(&mut self) -> Counts {
        // What is taken while the threads are asked is to be seen at the next look.
        let stolen = process_counts::stolen();
        let is_known = match self.looked {
            Looked::Never => self.look_near(),
            Looked::Near(moment) => moment.elapsed() < LOOK_AGE_MAX,
            Looked::Far(..) => false,
        };
        if !is_known {
            self.look();
        }
        let threads = self.members.iter().flat_map(|member| member.threads.counts());
        Counts { threads: threads.collect(), stolen }
    }

    pub(crate) fn wants_to_run(&mut self) -> bool {
        self.look();
        self.members.iter().any(|member| process_counts::wants_to_run(member.pid))
    }

    pub(crate) fn activity(&mut self) -> Activity {
        self.look();
        process_counts::activity_of(self.members.iter().map(|member| member.pid))
    }

    /// Why the counts do not tell whether the bot was kept waiting.
    pub(crate) fn unprotected(&mut self) -> Option<&Unprotected> {
        self.look();
        self.unprotected.as_ref()
    }

    /// The same at the end, as far as it was looked for: what a launcher started for a moment is gone by then.
    pub(crate) fn unprotected_to_the_end(&mut self) -> Option<Unprotected> {
        if self.unprotected.is_some() {
            self.look_far();
        }
        self.unprotected.clone()
    }

    /// Finds the processes again if the last time is long ago.
    fn look(&mut self) {
        let is_recent = match self.looked {
            Looked::Far(moment, took) => moment.elapsed() < LOOK_AGE_MAX.max(took * LOOK_PART_MAX),
            Looked::Never | Looked::Near(_) => false,
        };
        if !is_recent {
            self.look_far();
        }
    }

    /// Finds those that descend from the leader. False if that cannot be told, as when it has ended.
    fn look_near(&mut self) -> bool {
        let Some(found) = family::line_of(self.leader) else { return false };
        let is_followed = is_chain(&found);
        self.take(found, is_followed);
        self.looked = Looked::Near(Instant::now());
        true
    }

    fn look_far(&mut self) {
        let begun = Instant::now();
        let found = living(self.leader);
        let is_followed = is_chain(&found) && self.has_missed_none_of(&found);
        self.take(found, is_followed);
        self.looked = Looked::Far(begun, begun.elapsed());
    }

    /// Whether a near look saw all of those that were there then: what others had waited before would be
    /// taken for their wait since.
    fn has_missed_none_of(&self, found: &BTreeMap<u32, Stat>) -> bool {
        let is_known = |pid: &u32| self.members.iter().any(|member| member.pid == *pid);
        let Looked::Near(_) = self.looked else { return true };
        let line = family::line_of(self.leader).unwrap_or_default();
        found.keys().all(|pid| is_known(pid) || line.contains_key(pid))
    }

    /// Takes those that were found for the bot.
    fn take(&mut self, found: BTreeMap<u32, Stat>, is_followed: bool) {
        self.unprotected = match is_followed {
            _ if !process_counts::counts_waiting() => Some(Unprotected::NotCounted),
            true => None,
            false => {
                let names = found.values().take(NAMES_MAX).map(|stat| stat.name.clone());
                Some(Unprotected::SeveralProcesses(names.collect()))
            }
        };
        if found.keys().copied().ne(self.members.iter().map(|member| member.pid)) {
            self.members = found.into_keys().map(Member::new).collect();
        }
    }
}

/// Whether nobody is beside the one that `leader` leads.
pub(crate) fn is_alone(leader: u32) -> bool {
    living(leader).keys().all(|&pid| pid == leader)
}

fn living(leader: u32) -> BTreeMap<u32, Stat> {
    let mut found = family::members(leader);
    found.retain(|pid, stat| stat.is_of_running(*pid));
    found
}

/// Whether each process is the only one that another of them has started.
fn is_chain(found: &BTreeMap<u32, Stat>) -> bool {
    let mut parents: Vec<u32> = found
        .values()
        .map(|stat| stat.parent)
        .filter(|parent| found.contains_key(parent))
        .collect();
    let links = parents.len();
    parents.sort_unstable();
    parents.dedup();
    parents.len() == links && found.len() <= links + 1
}

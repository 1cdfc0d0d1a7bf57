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
use crate::process_counts::{self, Stat};

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
    /// When that was, and how long it took.
    looked: Option<(Instant, Duration)>,
}

#[derive(Debug)]
struct Member {
    pid: u32,
    clock: Option<ClockId>,
}

impl Member {
    fn new(pid: u32) -> Member {
        let number = nix::unistd::Pid::from_raw(i32::try_from(pid).unwrap_or_default());
        Member { pid, clock: nix::time::clock_getcpuclockid(number).ok() }
    }
}

impl Crew {
    /// Only the leader is known at first.
    pub(crate) fn new(leader: u32) -> Crew {
        Crew { leader, members: vec![Member::new(leader)], unprotected: None, looked: None }
    }

    /// The processor time of those that are known. One that has ended since counts no more.
    pub(crate) fn cpu(&self) -> Option<Duration> {
        let times = self.members.iter().map(|member| Some(member.clock?.now().ok()?.into()));
        times.flatten().reduce(|one: Duration, other| one + other)
    }

    /// The counts of every thread.
    pub(crate) fn counts(&mut self) -> Counts {
        self.look();
        let pids = self.members.iter().map(|member| member.pid);
        Counts(pids.flat_map(process_counts::thread_counts).collect())
    }

    pub(crate) fn wants_to_run(&mut self) -> bool {
        self.look();
        self.members.iter().any(|member| process_counts::wants_to_run(member.pid))
    }

    pub(crate) fn unprotected(&self) -> Option<&Unprotected> {
        self.unprotected.as_ref()
    }

    /// Finds the processes again if the last time is long ago.
    fn look(&mut self) {
        let is_recent = self.looked.is_some_and(|(moment, took)| {
            moment.elapsed() < LOOK_AGE_MAX.max(took * LOOK_PART_MAX)
        });
        if !is_recent {
            self.look_now();
        }
    }

    pub(crate) fn look_now(&mut self) {
        let begun = Instant::now();
        let found = living(self.leader);
        self.unprotected = match is_chain(&found) {
            _ if !process_counts::counts_waiting(self.leader) => Some(Unprotected::NotCounted),
            true => None,
            false => {
                let names = found.values().take(NAMES_MAX).map(|stat| stat.name.clone());
                Some(Unprotected::SeveralProcesses(names.collect()))
            }
        };
        if found.keys().copied().ne(self.members.iter().map(|member| member.pid)) {
            self.members = found.into_keys().map(Member::new).collect();
        }
        self.looked = Some((begun, begun.elapsed()));
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

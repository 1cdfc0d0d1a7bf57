//! Whether results of this machine can be trusted, and how much it can bear.
//!
//! `system.rs` reads what the system says about itself, `latency.rs` measures how long it lets a
//! program wait that is ready to run.

mod latency;
mod system;

use std::io;
use std::process::Command;
use std::time::Duration;

use serde::Serialize;

pub use self::latency::Latency;
use self::system::Ticks;
pub(crate) use self::system::in_words;
pub use self::system::{StateFiles, System};

/// A program that is ready may wait this long in one of a hundred cases. The shortest limit of the
/// games is 50 ms, and a bot uses most of it.
const WAIT_MAX: Duration = Duration::from_millis(5);
/// So much of a core may be used by others for it to count as free.
const BUSY_MAX: f64 = 0.3;

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MachineReport {
    pub system: System,
    /// How many cores others kept busy while this was measured.
    pub busy: f64,
    pub sleep: Latency,
    pub pipe: Latency,
}

/// How many games at a time are safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Safe {
    pub in_turn: usize,
    pub together: usize,
}

/// What speaks against trusting results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Problem {
    /// Other programs leave less than the machine has.
    Busy,
    /// A sleeper wakes too late, in one of a hundred cases.
    LateFromSleep,
    /// An answer over a pipe comes too late, in one of a hundred cases.
    SlowPipe,
    /// A late answer cannot be told to be the machine's fault.
    WaitsNotCounted,
    StateFilesOnDisk,
}

/// Looks at the machine for about a second. `echo` is a program that says each line that it hears.
pub fn examine(echo: &mut Command) -> io::Result<MachineReport> {
    let system = system::examine()?;
    let before = Ticks::read();
    // This program hardly runs while it sleeps, so whoever does is somebody else.
    let sleep = latency::of_sleeps();
    let ticks = before.zip(Ticks::read());
    let busy = ticks.map_or(0.0, |(before, after)| before.busy_until(after, system.online));
    Ok(MachineReport { system, busy, sleep, pipe: latency::of_a_pipe(echo)? })
}

impl MachineReport {
    /// A match takes a core when its bots are asked in turn, and two when they think together. With one
    /// core nobody can think together.
    pub fn safe(&self) -> Safe {
        let usable = self.system.usable;
        Safe { in_turn: usable, together: usable / 2 }
    }

    /// As [`MachineReport::safe`], while others keep cores busy.
    pub fn safe_now(&self) -> Safe {
        let taken = (self.busy - BUSY_MAX).ceil().max(0.0) as usize;
        // Others may run on cores that this process may not use.
        let elsewhere = self.system.online.saturating_sub(self.system.usable);
        let free = self.system.usable.saturating_sub(taken.saturating_sub(elsewhere));
        Safe { in_turn: free, together: free / 2 }
    }

    /// Whatever speaks against trusting results.
    pub fn problems(&self) -> Vec<Problem> {
        let found = [
            (Problem::Busy, self.safe_now() != self.safe()),
            (Problem::LateFromSleep, self.sleep.p99 > WAIT_MAX),
            (Problem::SlowPipe, self.pipe.p99 > WAIT_MAX),
            (Problem::WaitsNotCounted, !self.system.counts_waits),
            (Problem::StateFilesOnDisk, !self.system.state_files.is_in_memory),
        ];
        found.into_iter().filter(|(_, is_there)| *is_there).map(|(problem, _)| problem).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn healthy() -> MachineReport {
        let latency = Latency {
            p50: Duration::from_micros(60),
            p99: Duration::from_micros(200),
            worst: Duration::from_millis(2),
        };
        let system = System {
            online: 8,
            allowed: 4,
            quota: None,
            usable: 4,
            load: [0.1, 0.2, 0.3],
            clock_resolution: Duration::from_nanos(1),
            clock_step: Duration::from_nanos(30),
            counts_waits: true,
            state_files: StateFiles {
                folder: "/dev/shm".into(),
                is_in_memory: true,
                free_bytes: 1 << 30,
            },
        };
        MachineReport { system, busy: 0.2, sleep: latency, pipe: latency }
    }

    #[test]
    fn a_healthy_machine_has_no_problems() {
        let report = healthy();
        assert_eq!(report.safe(), Safe { in_turn: 4, together: 2 });
        assert_eq!(report.problems(), []);
    }

    /// Eight cores, four of them usable: what runs on the other four is no matter.
    #[test]
    fn busy_cores_are_not_safe_unless_they_are_elsewhere() {
        let safe_now = |busy| MachineReport { busy, ..healthy() }.safe_now();
        assert_eq!(safe_now(4.2), Safe { in_turn: 4, together: 2 });
        assert_eq!(safe_now(5.9), Safe { in_turn: 2, together: 1 });
        assert_eq!(safe_now(8.0), Safe { in_turn: 0, together: 0 });
    }

    #[test]
    fn every_problem_is_found() {
        let mut report = healthy();
        report.system.online = 1;
        report.busy = 0.97;
        report.sleep.p99 = Duration::from_millis(12);
        report.pipe.p99 = Duration::from_millis(7);
        report.system.counts_waits = false;
        report.system.state_files.is_in_memory = false;
        report.system.usable = 1;
        let expected = [
            Problem::Busy,
            Problem::LateFromSleep,
            Problem::SlowPipe,
            Problem::WaitsNotCounted,
            Problem::StateFilesOnDisk,
        ];
        assert_eq!(report.problems(), expected);
        assert_eq!(report.safe(), Safe { in_turn: 1, together: 0 });
        assert_eq!(report.safe_now(), Safe { in_turn: 0, together: 0 });
    }
}

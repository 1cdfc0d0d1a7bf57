//! `quintain doctor`: whether results of this machine can be trusted, and how much it can bear.
//!
//! `machine.rs` reads what the system says about itself, `latency.rs` measures how long it lets a
//! program wait that is ready to run.

mod latency;
mod machine;

use std::io::Write as _;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use self::latency::Latency;
use self::machine::{Machine, Ticks};
use crate::failure::Failure;
use crate::output::{HEADING, grouped};
use crate::wrapped_output::wrapped_output;

/// What the doctor is asked.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A program that is ready may wait this long in one of a hundred cases. The shortest limit of the
/// games is 50 ms, and a bot uses most of it.
const WAIT_MAX: Duration = Duration::from_millis(5);
/// So much of a core may be used by others for it to count as free.
const BUSY_MAX: f64 = 0.3;

/// What was found.
struct Findings {
    machine: Machine,
    /// How many cores others kept busy while this was measured.
    busy: f64,
    sleep: Latency,
    pipe: Latency,
}

/// How many games at a time are safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Safe {
    in_turn: usize,
    together: usize,
}

pub(super) fn run(args: &DoctorArgs) -> Result<(), Failure> {
    let machine = machine::examine()?;
    let before = Ticks::read();
    // This program hardly runs while it sleeps, so whoever does is somebody else.
    let sleep = latency::of_sleeps();
    let ticks = before.zip(Ticks::read());
    let busy = ticks.map_or(0.0, |(before, after)| before.busy_until(after, machine.online));
    let findings = Findings { machine, busy, sleep, pipe: latency::of_a_pipe()? };
    let mut out = wrapped_output();
    if args.json {
        writeln!(out, "{}", findings.as_json())?;
    } else {
        write!(out, "{}", findings.as_text())?;
    }
    Ok(())
}

impl Findings {
    /// A match takes a core when its bots are asked in turn, and two when they think together. With one
    /// core nobody can think together.
    fn safe(&self) -> Safe {
        let usable = self.machine.usable;
        Safe { in_turn: usable, together: usable / 2 }
    }

    /// As [`Findings::safe`], while others keep cores busy.
    fn safe_now(&self) -> Safe {
        let taken = (self.busy - BUSY_MAX).ceil().max(0.0) as usize;
        // Others may run on cores that this process may not use.
        let elsewhere = self.machine.online.saturating_sub(self.machine.usable);
        let free = self.machine.usable.saturating_sub(taken.saturating_sub(elsewhere));
        Safe { in_turn: free, together: free / 2 }
    }

    /// Whatever speaks against trusting results, each in a sentence.
    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let machine = &self.machine;
        if self.safe_now() != self.safe() {
            problems.push(format!(
                "other programs keep {:.1} of {} cores busy: stop them, or play fewer games at a time",
                self.busy, machine.online
            ));
        }
        for (what, latency) in [("a sleeper", &self.sleep), ("an answer over a pipe", &self.pipe)] {
            if latency.p99 > WAIT_MAX {
                problems.push(format!(
                    "{what} comes {} late in one of a hundred cases: limits of 50 ms are too short \
                     for this machine, multiply them with --time-scale",
                    shown(latency.p99)
                ));
            }
        }
        if !machine.counts_waits {
            problems.push(
                "the system does not count how long programs wait for a core: a late answer cannot \
                 be told to be the machine's fault"
                    .to_owned(),
            );
        }
        if !machine.state_files.is_in_memory {
            problems.push(format!(
                "state files of worms and overdrive are written to a disk, at {}: mount a tmpfs at \
                 /dev/shm with 256 MB free",
                machine.state_files.folder.display()
            ));
        }
        problems
    }

    fn as_text(&self) -> String {
        let machine = &self.machine;
        let quota = match machine.quota {
            Some(quota) => format!("the time of {quota:.2} by the cgroup's quota"),
            None => "no quota".to_owned(),
        };
        let [one, five, fifteen] = machine.load;
        let files = &machine.state_files;
        let Safe { in_turn, together } = self.safe();
        let place = if files.is_in_memory { "in memory" } else { "on a disk" };
        let counted = if machine.counts_waits { "counted" } else { "not counted" };
        let mut text = format!(
            "{HEADING}cores{HEADING:#}           {} usable: {} online, {} allowed, {quota}\n\
             {HEADING}busy{HEADING:#}            {:.1} of {} cores, by other programs\n\
             {HEADING}load{HEADING:#}            {one:.2} in the last minute, {five:.2} in five, {fifteen:.2} in fifteen\n\
             {HEADING}clock{HEADING:#}           {} resolution, {} smallest step seen\n\
             {HEADING}late from sleep{HEADING:#} {}\n\
             {HEADING}line and back{HEADING:#}   {}\n\
             {HEADING}waits for cores{HEADING:#} {counted}\n\
             {HEADING}state files{HEADING:#}     {place}, {} MB free at {}\n\
             {HEADING}safe{HEADING:#}            --ask in-turn: {in_turn} at a time; --ask together: {}\n",
            machine.usable,
            machine.online,
            machine.allowed,
            self.busy,
            machine.online,
            shown(machine.clock_resolution),
            shown(machine.clock_step),
            self.sleep.as_text(),
            self.pipe.as_text(),
            grouped(files.free_bytes / (1024 * 1024)),
            files.folder.display(),
            match together {
                0 => "none, it takes two cores".to_owned(),
                together => format!("{together} at a time"),
            },
        );
        let now = self.safe_now();
        if now != self.safe() {
            let Safe { in_turn, together } = now;
            text += &format!(
                "{HEADING}safe now{HEADING:#}        --ask in-turn: {in_turn}; --ask together: {together}\n"
            );
        }
        let problems = self.problems();
        for problem in &problems {
            text += &format!("problem: {problem}\n");
        }
        text += match problems.is_empty() {
            true => "this machine is fit to compare bots\n",
            false => "results of this machine need care\n",
        };
        text
    }

    fn as_json(&self) -> Value {
        let machine = &self.machine;
        let problems = self.problems();
        let safe = |safe: Safe| json!({ "in_turn": safe.in_turn, "together": safe.together });
        json!({
            "cores": {
                "usable": machine.usable,
                "online": machine.online,
                "allowed": machine.allowed,
                "quota": machine.quota,
            },
            "busy_cores": (self.busy * 100.0).round() / 100.0,
            "load": machine.load,
            "clock": {
                "resolution_ns": machine.clock_resolution.as_nanos() as u64,
                "step_ns": machine.clock_step.as_nanos() as u64,
            },
            "latency": { "sleep": self.sleep.as_json(), "pipe": self.pipe.as_json() },
            "counts_waits": machine.counts_waits,
            "state_files": {
                "folder": machine.state_files.folder,
                "in_memory": machine.state_files.is_in_memory,
                "free_bytes": machine.state_files.free_bytes,
            },
            "safe": safe(self.safe()),
            "safe_now": safe(self.safe_now()),
            "fit": problems.is_empty(),
            "problems": problems,
        })
    }
}

/// A time in the unit that suits it.
fn shown(duration: Duration) -> String {
    match duration.as_nanos() {
        nanos @ 0..1_000 => format!("{nanos} ns"),
        nanos @ 1_000..10_000 => format!("{:.1} us", nanos as f64 / 1e3),
        nanos @ 10_000..1_000_000 => format!("{} us", nanos / 1_000),
        nanos @ 1_000_000..10_000_000 => format!("{:.1} ms", nanos as f64 / 1e6),
        nanos => format!("{} ms", nanos / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::machine::StateFiles;
    use super::*;

    fn healthy() -> Findings {
        let latency = Latency {
            p50: Duration::from_micros(60),
            p99: Duration::from_micros(200),
            worst: Duration::from_millis(2),
        };
        let machine = Machine {
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
        Findings { machine, busy: 0.2, sleep: latency, pipe: latency }
    }

    #[test]
    fn a_healthy_machine_is_fit() {
        let findings = healthy();
        assert_eq!(findings.safe(), Safe { in_turn: 4, together: 2 });
        assert_eq!(findings.problems(), Vec::<String>::new());
        assert!(findings.as_text().ends_with("this machine is fit to compare bots\n"));
        assert_eq!(findings.as_json()["fit"], true);
    }

    /// Eight cores, four of them usable: what runs on the other four is no matter.
    #[test]
    fn busy_cores_are_not_safe_unless_they_are_elsewhere() {
        let safe_now = |busy| Findings { busy, ..healthy() }.safe_now();
        assert_eq!(safe_now(4.2), Safe { in_turn: 4, together: 2 });
        assert_eq!(safe_now(5.9), Safe { in_turn: 2, together: 1 });
        assert_eq!(safe_now(8.0), Safe { in_turn: 0, together: 0 });
    }

    #[test]
    fn every_problem_is_named() {
        let mut findings = healthy();
        findings.machine.online = 1;
        findings.busy = 0.97;
        findings.sleep.p99 = Duration::from_millis(12);
        findings.pipe.p99 = Duration::from_millis(7);
        findings.machine.counts_waits = false;
        findings.machine.state_files.is_in_memory = false;
        findings.machine.usable = 1;
        let problems = findings.problems();
        let expected =
            ["1.0 of 1 cores", "a sleeper comes 12 ms", "a pipe comes 7.0 ms", "count", "disk"];
        assert_eq!(problems.len(), expected.len(), "{problems:?}");
        for (problem, part) in problems.iter().zip(expected) {
            assert!(problem.contains(part), "{problem}: {part}");
        }
        assert_eq!(findings.safe(), Safe { in_turn: 1, together: 0 });
        assert_eq!(findings.safe_now(), Safe { in_turn: 0, together: 0 });
        let text = findings.as_text();
        assert!(text.contains("none, it takes two cores"), "{text}");
        assert!(text.ends_with("results of this machine need care\n"), "{text}");
    }
}

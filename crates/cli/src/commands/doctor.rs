//! `quintain doctor`: whether results of this machine can be trusted, in words.

use std::io::Write as _;
use std::process::Command;
use std::time::Duration;

use clap::Args;
use quintain_arena::machine::{Latency, MachineReport, Problem, Safe, examine};
use serde_json::{Value, json};

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

pub(super) fn run(args: &DoctorArgs) -> Result<(), Failure> {
    let report = examine(Command::new(std::env::current_exe()?).arg("echo"))?;
    let mut out = wrapped_output();
    if args.json {
        writeln!(out, "{}", as_json(&report))?;
    } else {
        write!(out, "{}", as_text(&report))?;
    }
    Ok(())
}

/// What speaks against trusting results, each in a sentence.
fn problems(report: &MachineReport) -> Vec<String> {
    let late = |what: &str, latency: &Latency| {
        format!(
            "{what} comes {} late in one of a hundred cases: limits of 50 ms are too short for this \
             machine, multiply them with --time-scale",
            shown(latency.p99)
        )
    };
    let in_words = |problem| match problem {
        Problem::Busy => format!(
            "other programs keep {:.1} of {} cores busy: stop them, or play fewer games at a time",
            report.busy, report.system.online
        ),
        Problem::LateFromSleep => late("a sleeper", &report.sleep),
        Problem::SlowPipe => late("an answer over a pipe", &report.pipe),
        Problem::WaitsNotCounted => {
            "the system does not count how long programs wait for a core: a late answer cannot be \
             told to be the machine's fault"
                .to_owned()
        }
        Problem::StateFilesOnDisk => format!(
            "state files of worms and overdrive are written to a disk, at {}: mount a tmpfs at \
             /dev/shm with 256 MB free",
            report.system.state_files.folder.display()
        ),
    };
    report.problems().into_iter().map(in_words).collect()
}

fn as_text(report: &MachineReport) -> String {
    let system = &report.system;
    let quota = match system.quota {
        Some(quota) => format!("the time of {quota:.2} by the cgroup's quota"),
        None => "no quota".to_owned(),
    };
    let [one, five, fifteen] = system.load;
    let files = &system.state_files;
    let Safe { in_turn, together } = report.safe();
    let place = if files.is_in_memory { "in memory" } else { "on a disk" };
    let counted = if system.counts_waits { "counted" } else { "not counted" };
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
        system.usable,
        system.online,
        system.allowed,
        report.busy,
        system.online,
        shown(system.clock_resolution),
        shown(system.clock_step),
        in_words(&report.sleep),
        in_words(&report.pipe),
        grouped(files.free_bytes / (1024 * 1024)),
        files.folder.display(),
        match together {
            0 => "none, it takes two cores".to_owned(),
            together => format!("{together} at a time"),
        },
    );
    let now = report.safe_now();
    if now != report.safe() {
        let Safe { in_turn, together } = now;
        text += &format!(
            "{HEADING}safe now{HEADING:#}        --ask in-turn: {in_turn}; --ask together: {together}\n"
        );
    }
    let problems = problems(report);
    for problem in &problems {
        text += &format!("problem: {problem}\n");
    }
    text += match problems.is_empty() {
        true => "this machine is fit to compare bots\n",
        false => "results of this machine need care\n",
    };
    text
}

fn as_json(report: &MachineReport) -> Value {
    let system = &report.system;
    let problems = problems(report);
    let us = |time: Duration| time.as_nanos() as f64 / 1e3;
    let latency = |latency: &Latency| {
        json!({
            "p50_us": us(latency.p50), "p99_us": us(latency.p99), "worst_us": us(latency.worst),
        })
    };
    let safe = |safe: Safe| json!({ "in_turn": safe.in_turn, "together": safe.together });
    json!({
        "cores": {
            "usable": system.usable,
            "online": system.online,
            "allowed": system.allowed,
            "quota": system.quota,
        },
        "busy_cores": (report.busy * 100.0).round() / 100.0,
        "load": system.load,
        "clock": {
            "resolution_ns": system.clock_resolution.as_nanos() as u64,
            "step_ns": system.clock_step.as_nanos() as u64,
        },
        "latency": { "sleep": latency(&report.sleep), "pipe": latency(&report.pipe) },
        "counts_waits": system.counts_waits,
        "state_files": {
            "folder": system.state_files.folder,
            "in_memory": system.state_files.is_in_memory,
            "free_bytes": system.state_files.free_bytes,
        },
        "safe": safe(report.safe()),
        "safe_now": safe(report.safe_now()),
        "fit": problems.is_empty(),
        "problems": problems,
    })
}

fn in_words(latency: &Latency) -> String {
    let [p50, p99, worst] = [latency.p50, latency.p99, latency.worst].map(shown);
    format!("{p50} in the middle, {p99} in 1 of 100 cases, {worst} at worst")
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
    use quintain_arena::machine::{StateFiles, System};

    use super::*;

    fn healthy() -> MachineReport {
        let [p50, p99, worst] = [60, 200, 2_000].map(Duration::from_micros);
        let latency = Latency { p50, p99, worst };
        let state_files =
            StateFiles { folder: "/dev/shm".into(), is_in_memory: true, free_bytes: 1 << 30 };
        let system = System {
            online: 1,
            allowed: 1,
            quota: None,
            usable: 1,
            load: [0.1, 0.2, 0.3],
            clock_resolution: Duration::from_nanos(1),
            clock_step: Duration::from_nanos(30),
            counts_waits: true,
            state_files,
        };
        MachineReport { system, busy: 0.2, sleep: latency, pipe: latency }
    }

    #[test]
    fn a_healthy_machine_is_fit() {
        let report = healthy();
        let text = as_text(&report);
        assert!(text.contains("none, it takes two cores"), "{text}");
        assert!(text.ends_with("this machine is fit to compare bots\n"), "{text}");
        assert_eq!(as_json(&report)["fit"], true);
    }

    #[test]
    fn every_problem_is_named() {
        let mut report = healthy();
        report.busy = 0.97;
        report.sleep.p99 = Duration::from_millis(12);
        report.pipe.p99 = Duration::from_millis(7);
        report.system.counts_waits = false;
        report.system.state_files.is_in_memory = false;
        let problems = problems(&report);
        let expected =
            ["1.0 of 1 cores", "a sleeper comes 12 ms", "a pipe comes 7.0 ms", "count", "disk"];
        assert_eq!(problems.len(), expected.len(), "{problems:?}");
        for (problem, part) in problems.iter().zip(expected) {
            assert!(problem.contains(part), "{problem}: {part}");
        }
        let text = as_text(&report);
        assert!(text.ends_with("results of this machine need care\n"), "{text}");
    }
}

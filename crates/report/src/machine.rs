//! Whether results of a machine can be trusted, in words.

use std::time::Duration;

use quintain_arena::machine::{Latency, MachineReport, Problem, Safe};
use quintain_tournament::grouped;
use serde_json::{Value, json};

/// How whoever shows it names what a reader can choose.
#[derive(Clone, Copy, Debug, Default)]
pub struct MachineAdvice<'a> {
    /// What to do about limits that are too short.
    pub on_short_limits: &'a str,
    /// That the bots of a match are asked one after the other.
    pub in_turn: &'a str,
    /// That they think at the same time.
    pub together: &'a str,
}

/// What was found, each under its name.
pub fn rows(report: &MachineReport, advice: &MachineAdvice<'_>) -> Vec<(&'static str, String)> {
    let MachineReport { system, busy, sleep, pipe } = report;
    let (usable, online, allowed) = (system.usable, system.online, system.allowed);
    let quota = match system.quota {
        Some(quota) => format!("the time of {quota:.2} by the cgroup's quota"),
        None => "no quota".to_owned(),
    };
    let [one, five, fifteen] = system.load;
    let [resolution, step] = [system.clock_resolution, system.clock_step].map(shown);
    let files = &system.state_files;
    let place = if files.is_in_memory { "in memory" } else { "on a disk" };
    let free = grouped(files.free_bytes / (1024 * 1024));
    let counted = if system.counts_waits { "counted" } else { "not counted" };
    let MachineAdvice { in_turn, together, .. } = advice;
    let (safe, now) = (report.safe(), report.safe_now());
    let safe_together = match safe.together {
        0 => "none, it takes two cores".to_owned(),
        games => format!("{games} at a time"),
    };
    let mut rows = vec![
        ("cores", format!("{usable} usable: {online} online, {allowed} allowed, {quota}")),
        ("busy", format!("{busy:.1} of {online} cores, by other programs")),
        (
            "load",
            format!("{one:.2} in the last minute, {five:.2} in five, {fifteen:.2} in fifteen"),
        ),
        ("clock", format!("{resolution} resolution, {step} smallest step seen")),
        ("late from sleep", in_words(sleep)),
        ("line and back", in_words(pipe)),
        ("waits for cores", counted.to_owned()),
        ("state files", format!("{place}, {free} MB free at {}", files.folder.display())),
        ("safe", format!("{in_turn}: {} at a time; {together}: {safe_together}", safe.in_turn)),
    ];
    if now != safe {
        let Safe { in_turn: alone, together: pairs } = now;
        rows.push(("safe now", format!("{in_turn}: {alone}; {together}: {pairs}")));
    }
    rows
}

/// What speaks against trusting results, each in a sentence.
pub fn problems(report: &MachineReport, advice: &MachineAdvice<'_>) -> Vec<String> {
    let late = |what: &str, latency: &Latency| {
        format!(
            "{what} comes {} late in one of a hundred cases: limits of 50 ms are too short for this \
             machine, {}",
            shown(latency.p99),
            advice.on_short_limits
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

/// What it comes to.
pub fn verdict(report: &MachineReport) -> &'static str {
    match report.problems().is_empty() {
        true => "this machine is fit to compare bots",
        false => "results of this machine need care",
    }
}

pub fn json(report: &MachineReport, advice: &MachineAdvice<'_>) -> Value {
    let system = &report.system;
    let problems = problems(report, advice);
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
        "latency": { "sleep": report.sleep, "pipe": report.pipe },
        "counts_waits": system.counts_waits,
        "state_files": system.state_files,
        "safe": report.safe(),
        "safe_now": report.safe_now(),
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

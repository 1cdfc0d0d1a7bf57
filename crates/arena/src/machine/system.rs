//! What the system says about itself.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use quintain_links::Quarters;
use rustix::time::{ClockId, clock_getres};
use serde::Serialize;

/// What file systems in memory call themselves.
const TMPFS_MAGIC: i64 = 0x0102_1994;
const RAMFS_MAGIC: i64 = 0x8584_58f6;

/// The machine as this process may use it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct System {
    /// Cores of the machine.
    pub online: usize,
    /// Those that this process may run on.
    pub allowed: usize,
    /// How many cores' time the process may use, by the quota of its cgroup.
    pub quota: Option<f64>,
    /// What is left of the cores by both.
    pub usable: usize,
    /// Programs that wanted to run in the last 1, 5 and 15 minutes.
    pub load: [f64; 3],
    pub clock_resolution: Duration,
    /// The smallest difference of two readings.
    pub clock_step: Duration,
    /// Whether the system counts how long threads wait for a core.
    pub counts_waits: bool,
    pub state_files: StateFiles,
}

/// Where the files are written that tell bots the state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StateFiles {
    pub folder: PathBuf,
    #[serde(rename = "in_memory")]
    pub is_in_memory: bool,
    pub free_bytes: u64,
}

/// What all cores did since the machine was started, in ticks of its clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ticks {
    all: f64,
    idle: f64,
}

impl Ticks {
    /// `None` where the system does not say.
    pub(super) fn read() -> Option<Ticks> {
        Ticks::parse(&fs::read_to_string("/proc/stat").ok()?)
    }

    /// `cpu user nice system idle iowait irq softirq steal`, where iowait is idle too.
    fn parse(text: &str) -> Option<Ticks> {
        let words = text.lines().next()?.strip_prefix("cpu ")?.split_ascii_whitespace();
        let ticks: Vec<f64> = words.take(8).map_while(|word| word.parse().ok()).collect();
        let idle = ticks.get(3)? + ticks.get(4)?;
        Some(Ticks { all: ticks.iter().sum(), idle })
    }

    /// How many of so many cores were busy between two readings.
    pub(super) fn busy_until(self, later: Ticks, cores: usize) -> f64 {
        let (all, idle) = (later.all - self.all, later.idle - self.idle);
        if all <= 0.0 { 0.0 } else { cores as f64 * (1.0 - idle / all).clamp(0.0, 1.0) }
    }
}

/// The processor by its name, as far as the system knows it, and how many cores this process may use.
pub(crate) fn in_words() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let processor = named.map_or("a processor without a name", |(_, name)| name.trim());
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    format!("{processor}, {cores} core{}", if cores == 1 { "" } else { "s" })
}

pub(super) fn examine() -> std::io::Result<System> {
    let usable = thread::available_parallelism().map_or(1, NonZero::get);
    let list_in = |path| fs::read_to_string(path).ok().and_then(|text| count_of_list(text.trim()));
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let resolution = clock_getres(ClockId::Monotonic);
    Ok(System {
        online: list_in("/sys/devices/system/cpu/online").unwrap_or(usable),
        allowed: allowed.and_then(|list| count_of_list(list.trim())).unwrap_or(usable),
        quota: quota(),
        usable,
        load: fs::read_to_string("/proc/loadavg")
            .ok()
            .and_then(|text| loads(&text))
            .unwrap_or_default(),
        clock_resolution: Duration::try_from(resolution).unwrap_or_default(),
        clock_step: clock_step(),
        counts_waits: counts_waits(),
        state_files: state_files()?,
    })
}

/// How many numbers a list such as `0-3,8` names.
fn count_of_list(list: &str) -> Option<usize> {
    list.split(',').try_fold(0, |sum, part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        Some(sum + (last + 1).checked_sub(first)?)
    })
}

fn loads(text: &str) -> Option<[f64; 3]> {
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

/// The smallest quota of the process's cgroup and those above it.
fn quota() -> Option<f64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mut quotas = Vec::new();
    for group in groups.lines() {
        let mut fields = group.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?);
        let (root, is_unified) = match controllers {
            "" => ("/sys/fs/cgroup", true),
            names if names.split(',').any(|name| name == "cpu") => ("/sys/fs/cgroup/cpu", false),
            _ => continue,
        };
        for folder in Path::new(path.trim_start_matches('/')).ancestors() {
            let folder = Path::new(root).join(folder);
            let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
            quotas.extend(match is_unified {
                true => quota_of(&text("cpu.max")),
                false => {
                    quota_of(&format!("{} {}", text("cpu.cfs_quota_us"), text("cpu.cfs_period_us")))
                }
            });
        }
    }
    quotas.into_iter().min_by(f64::total_cmp)
}

/// `time period`, in microseconds; `max` or a negative time is no quota.
fn quota_of(text: &str) -> Option<f64> {
    let mut numbers = text.split_ascii_whitespace().map(str::parse::<f64>);
    let (time, period) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    (time > 0.0 && period > 0.0).then_some(time / period)
}

fn clock_step() -> Duration {
    const READINGS: usize = 1_000;
    let step = || {
        let begun = Instant::now();
        loop {
            let passed = begun.elapsed();
            if !passed.is_zero() {
                return passed;
            }
        }
    };
    (0..READINGS).map(|_| step()).min().expect("the clock was read")
}

/// Where the system counts, a thread that runs has used time, at the latest after a few of the clock's
/// ticks.
fn counts_waits() -> bool {
    const TICKS: Duration = Duration::from_millis(100);
    let begun = Instant::now();
    loop {
        let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let numbers = text.split_ascii_whitespace().map_while(|word| word.parse().ok());
        match numbers.collect::<Vec<u64>>()[..] {
            [used, _, slices] if used > 0 && slices > 0 => return true,
            [_, _, _] if begun.elapsed() < TICKS => {}
            _ => return false,
        }
    }
}

fn state_files() -> std::io::Result<StateFiles> {
    let quarters = Quarters::empty()?;
    let rounds = quarters.folder().join("rounds").canonicalize()?;
    let free = rustix::fs::statvfs(&rounds)?;
    #[allow(clippy::unnecessary_cast, reason = "the type differs between machines")]
    let kind = rustix::fs::statfs(&rounds)?.f_type as i64;
    // They are behind a link to memory, or below the bot's own folder.
    let levels = if rounds.starts_with(quarters.folder().canonicalize()?) { 2 } else { 1 };
    let folder = rounds.ancestors().nth(levels).unwrap_or(&rounds).to_owned();
    Ok(StateFiles {
        folder,
        is_in_memory: [TMPFS_MAGIC, RAMFS_MAGIC].contains(&kind),
        free_bytes: free.f_bavail * free.f_frsize,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_cores_are_counted() {
        assert_eq!(count_of_list("0"), Some(1));
        assert_eq!(count_of_list("0-3,8,10-11"), Some(7));
        for wrong in ["", "a", "3-1", "1-"] {
            assert_eq!(count_of_list(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn quotas_are_shares_of_a_core() {
        assert_eq!(quota_of("150000 100000\n"), Some(1.5));
        assert_eq!(quota_of("max 100000\n"), None);
        assert_eq!(quota_of("-1 100000"), None);
        assert_eq!(quota_of(" "), None);
    }

    #[test]
    fn busy_cores_are_what_was_not_idle() {
        let before = Ticks::parse("cpu  100 0 100 700 100 0 0 0 0 0\ncpu0 1").expect("a line");
        let after = Ticks::parse("cpu  150 0 140 710 110 0 0 90 0 0\n").expect("a line");
        assert!((before.busy_until(after, 4) - 3.6).abs() < 1e-9);
        assert_eq!(before.busy_until(before, 4), 0.0);
        assert_eq!(Ticks::parse("intr 5"), None);
        assert_eq!(Ticks::parse("cpu  1 2"), None);
    }

    #[test]
    fn loads_are_three_numbers() {
        assert_eq!(loads("0.20 0.18 0.12 1/80 11206\n"), Some([0.20, 0.18, 0.12]));
        assert_eq!(loads("0.20 x"), None);
    }

    #[test]
    fn this_machine_can_be_examined() {
        let system = examine().expect("a machine with /proc");
        assert!(system.usable >= 1 && system.online >= system.allowed, "{system:?}");
        assert!(!system.clock_step.is_zero(), "{system:?}");
    }
}

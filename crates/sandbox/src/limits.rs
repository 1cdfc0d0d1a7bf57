//! How much of the machine a program may use.

use std::fmt;
use std::io;
use std::str::FromStr;

use nix::sys::resource::{Resource, setrlimit};
use serde::{Deserialize, Serialize};

/// How much of the machine a program may use, with everything that it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Bytes of memory that it has touched.
    pub memory: u64,
    /// Seconds of processor time of each of its processes.
    pub cpu: u64,
    /// Processes and threads at the same time.
    pub processes: u64,
    /// Bytes in files that it has written.
    pub disk: u64,
    /// Bytes of error output in a match.
    pub output: u64,
}

const MEBIBYTE: u64 = 1024 * 1024;

/// Under these CPython, Node, the JVM, Mono, Go and native programs start and have room to think.
impl Default for Limits {
    fn default() -> Limits {
        Limits {
            memory: 2048 * MEBIBYTE,
            cpu: 3600,
            processes: 256,
            disk: 256 * MEBIBYTE,
            output: 256 * MEBIBYTE,
        }
    }
}

/// Bytes of a file that is no file: the smallest unit in which files are counted.
const BYTES_PER_INODE: u64 = 8 * 1024;

/// Files that every program may make, however small its disk is.
const INODES_MIN: u64 = 1024;

/// Open files of one process. The JVM opens some dozens, and asks for as many as it may.
const OPEN_FILES: u64 = 1024;

/// Signals that wait for one user, and timers, of which each has one.
const WAITING_SIGNALS: u64 = 1024;

/// Between the number of processes that is forbidden and the one at which the system refuses more, so that the
/// watch sees that there are too many. One of them can be the watch itself.
pub(crate) const SPARE_PROCESSES: u64 = 8;

/// The memory that the system gives in spite of the limit before it refuses more: the watch comes first and
/// says what was wrong. Runtimes set memory aside that they never touch, so that much more is no bound.
const SPARE_MEMORY: u64 = 2;

/// The memory of a process that crashes is written nowhere. With 0 it is still given to a program that the system
/// starts for that, as root.
const NO_CORE: u64 = 1;

impl Limits {
    /// Files and folders that it may make.
    pub fn inodes(&self) -> u64 {
        (self.disk / BYTES_PER_INODE).max(INODES_MIN)
    }

    /// Sets what the system itself holds a process to. Processes are counted by their user, so that they can
    /// only be held where that user has no others.
    pub(crate) fn apply(&self, has_own_count: bool) -> io::Result<()> {
        set(Resource::RLIMIT_CORE, NO_CORE)?;
        set(Resource::RLIMIT_NOFILE, OPEN_FILES)?;
        set(Resource::RLIMIT_FSIZE, self.disk)?;
        set(Resource::RLIMIT_DATA, self.memory.saturating_mul(SPARE_MEMORY))?;
        set(Resource::RLIMIT_MEMLOCK, MEBIBYTE)?;
        set(Resource::RLIMIT_MSGQUEUE, 0)?;
        set(Resource::RLIMIT_SIGPENDING, WAITING_SIGNALS)?;
        // Nobody comes before others by asking for it, even where the organiser may.
        set(Resource::RLIMIT_RTPRIO, 0)?;
        set(Resource::RLIMIT_NICE, 0)?;
        if has_own_count {
            set(Resource::RLIMIT_NPROC, self.processes + SPARE_PROCESSES)?;
        }
        // A signal that can be told from others comes first, the end a second later.
        Ok(setrlimit(Resource::RLIMIT_CPU, self.cpu, self.cpu + 1)?)
    }
}

/// No process may have more than it has been given, which may be less than is allowed here.
fn set(resource: Resource, limit: u64) -> io::Result<()> {
    let (_, most) = nix::sys::resource::getrlimit(resource)?;
    let limit = limit.min(most);
    Ok(setrlimit(resource, limit, limit)?)
}

/// Which limit a program has hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    Memory,
    Processes,
    Disk,
}

impl Hit {
    pub const ALL: [Hit; 3] = [Hit::Memory, Hit::Processes, Hit::Disk];

    pub const fn name(self) -> &'static str {
        match self {
            Hit::Memory => "memory",
            Hit::Processes => "processes",
            Hit::Disk => "disk",
        }
    }
}

impl fmt::Display for Hit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Hit {
    type Err = ();

    fn from_str(name: &str) -> Result<Hit, ()> {
        Hit::ALL.into_iter().find(|hit| hit.name() == name).ok_or(())
    }
}

/// Reads a number of bytes: `512M`, `2G`, `4096`. The letters K, M, G and T stand for powers of 1024.
///
/// # Errors
/// Says what was expected.
pub fn read_size(text: &str) -> Result<u64, &'static str> {
    const EXPECTED: &str = "expected a number of bytes above 0, such as 512M or 2G";
    let (digits, power) = match text.chars().last() {
        Some(letter @ ('K' | 'M' | 'G' | 'T' | 'k' | 'm' | 'g' | 't')) => {
            let place = "KMGT".find(letter.to_ascii_uppercase()).unwrap_or_default();
            (&text[..text.len() - 1], u32::try_from(place + 1).unwrap_or_default())
        }
        _ => (text, 0),
    };
    let number: u64 = digits.parse().map_err(|_| EXPECTED)?;
    number.checked_mul(1024_u64.pow(power)).filter(|&bytes| bytes > 0).ok_or(EXPECTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_bytes_or_powers_of_1024() {
        assert_eq!(read_size("4096"), Ok(4096));
        assert_eq!(read_size("512M"), Ok(512 * MEBIBYTE));
        assert_eq!(read_size("2g"), Ok(2048 * MEBIBYTE));
        for wrong in ["", "G", "0", "-1", "1.5G", "2GB", "99999999999T"] {
            assert!(read_size(wrong).is_err(), "{wrong}");
        }
    }
}

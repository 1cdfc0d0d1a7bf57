//! How far programs are trusted and how they are built, as somebody says it in a file or by options. What is
//! left out is as usual.

use std::path::{Path, PathBuf};
use std::time::Duration;

use quintain_links::{BuildLimits, Sandbox};
use quintain_sandbox::{Level, Limits};

use super::PlanFileError;
use super::toml::FileTable;

const AT_LEAST_ONE: std::ops::RangeInclusive<i64> = 1..=i64::MAX;

/// What holds the programs that are started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SandboxWish {
    pub level: Option<Level>,
    /// The level of which every layer must hold.
    pub required: Option<Level>,
    pub memory: Option<u64>,
    pub cpu: Option<u64>,
    pub processes: Option<u64>,
    pub disk: Option<u64>,
    pub output: Option<u64>,
}

/// More is required than is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a sandbox of the level {} that is required, found {}", required.name(), level.name())]
pub struct LevelTooLow {
    pub required: Level,
    pub level: Level,
}

impl SandboxWish {
    /// These wishes, and those of another one where nothing is said.
    #[must_use]
    pub fn or(&self, other: &SandboxWish) -> SandboxWish {
        SandboxWish {
            level: self.level.or(other.level),
            required: self.required.or(other.required),
            memory: self.memory.or(other.memory),
            cpu: self.cpu.or(other.cpu),
            processes: self.processes.or(other.processes),
            disk: self.disk.or(other.disk),
            output: self.output.or(other.output),
        }
    }

    /// What programs are held by; `None` if they are trusted. `launcher` is the program that starts them, and
    /// they never see the files and folders that are `hidden`, nor what a database keeps beside one.
    ///
    /// # Errors
    /// More is required than is asked for.
    pub fn sandbox(
        &self,
        launcher: PathBuf,
        hidden: &[&Path],
    ) -> Result<Option<Sandbox>, LevelTooLow> {
        let level = self.level.unwrap_or_default();
        let required = self.required.unwrap_or(Level::Off);
        if required > level {
            return Err(LevelTooLow { required, level });
        }
        let (limits, hidden) = (self.limits(), hidden.iter().flat_map(|path| hidden_files(path)));
        let hidden = hidden.collect();
        let sandbox = Sandbox { required, limits, hidden, ..Sandbox::new(launcher, level) };
        Ok(Some(sandbox).filter(|_| level != Level::Off))
    }

    fn limits(&self) -> Limits {
        let usual = Limits::default();
        Limits {
            memory: self.memory.unwrap_or(usual.memory),
            cpu: self.cpu.unwrap_or(usual.cpu),
            processes: self.processes.unwrap_or(usual.processes),
            disk: self.disk.unwrap_or(usual.disk),
            output: self.output.unwrap_or(usual.output),
        }
    }

    pub(super) fn take(table: &mut FileTable<'_>) -> Result<SandboxWish, PlanFileError> {
        let wish = SandboxWish {
            level: table.choice("sandbox", Level::ALL, Level::name)?,
            required: table.choice("require-sandbox", Level::ALL, Level::name)?,
            memory: table.size("memory")?,
            cpu: table.whole("cpu", AT_LEAST_ONE)?,
            processes: table.whole("processes", AT_LEAST_ONE)?,
            disk: table.size("disk")?,
            output: table.size("output-limit")?,
        };
        wish.sandbox(PathBuf::new(), &[]).map_err(|error| table.wrong("require-sandbox", error))?;
        Ok(wish)
    }
}

/// A file or folder by the path that it really has, and what a database keeps beside it.
fn hidden_files(path: &Path) -> [PathBuf; 4] {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let above = whole.parent().and_then(|above| above.canonicalize().ok());
    let real = match (above, whole.file_name()) {
        (Some(above), Some(name)) => above.join(name),
        _ => whole,
    };
    ["", "-wal", "-shm", "-journal"].map(|end| {
        let mut path = real.clone().into_os_string();
        path.push(end);
        PathBuf::from(path)
    })
}

/// Whether bots are built before they play, and how much that may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildWish {
    pub is_wished: bool,
    pub time: Option<Duration>,
    pub memory: Option<u64>,
    pub disk: Option<u64>,
}

impl BuildWish {
    /// These wishes, and those of another one where nothing is said.
    #[must_use]
    pub fn or(&self, other: &BuildWish) -> BuildWish {
        BuildWish {
            is_wished: self.is_wished || other.is_wished,
            time: self.time.or(other.time),
            memory: self.memory.or(other.memory),
            disk: self.disk.or(other.disk),
        }
    }

    pub fn limits(&self) -> BuildLimits {
        let usual = BuildLimits::default();
        BuildLimits {
            time: self.time.unwrap_or(usual.time),
            memory: self.memory.unwrap_or(usual.memory),
            disk: self.disk.unwrap_or(usual.disk),
        }
    }

    pub(super) fn take(table: &mut FileTable<'_>) -> Result<BuildWish, PlanFileError> {
        Ok(BuildWish {
            is_wished: table.truth("build")?,
            time: table.time("build-time")?,
            memory: table.size("build-memory")?,
            disk: table.size("build-disk")?,
        })
    }
}

//! What the launcher is told.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Layer, Level, Limits};

/// The folder that a program may write to, where it sees files of its own alone.
pub(crate) const SCRATCH: &str = "/tmp";

/// How a program is started, and everything that it may see, reach and use. All paths are absolute.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub program: String,
    pub args: Vec<String>,
    /// `NAME=VALUE`.
    pub env: Vec<String>,
    /// Where it works.
    pub folder: PathBuf,
    pub level: Level,
    /// Without these nothing is started.
    pub required: Vec<Layer>,
    /// What it may read and run: parts of the system.
    pub system: Vec<PathBuf>,
    /// The same of its own, which it may read although only the organiser may.
    pub own: Vec<PathBuf>,
    /// Names that lead to some parts of the system, and where to.
    pub links: Vec<(PathBuf, PathBuf)>,
    /// The same of its own.
    pub own_links: Vec<(PathBuf, PathBuf)>,
    /// Folders that are only passed through on the way to some of these.
    pub passed: Vec<PathBuf>,
    /// Folders that it may change, besides the one for what is temporary.
    pub writable: Vec<PathBuf>,
    /// What in these it may only read.
    pub fixed: Vec<PathBuf>,
    /// The folder for what is temporary, where no file system can be made for that.
    pub scratch: Option<PathBuf>,
    /// The TCP port that it may connect to.
    pub port: Option<u16>,
    /// Its network was made before.
    pub has_network: bool,
    /// The user that it becomes, if the launcher is root.
    pub user: Option<u32>,
    pub limits: Limits,
    /// Files that a process joins its control groups by.
    pub cgroups: Vec<PathBuf>,
}

impl Plan {
    /// The plan as the launcher reads it.
    ///
    /// # Errors
    /// A path has characters that cannot be told.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        Ok(serde_json::to_vec(self)?)
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> io::Result<Plan> {
        Ok(serde_json::from_slice(bytes)?)
    }

    pub(crate) fn wants(&self, layer: Layer) -> bool {
        layer.level() <= self.level
    }

    /// The folder for what is temporary, as the program sees it.
    pub fn scratch_folder(&self) -> &Path {
        self.scratch.as_deref().unwrap_or(Path::new(SCRATCH))
    }

    /// Whether it may read a file of this machine. What it finds by the same name can be another one: its
    /// folder for what is temporary is its own.
    pub fn shows(&self, path: &Path) -> bool {
        let all = [&self.system, &self.own, &self.writable].into_iter().flatten();
        let mut all = all.chain(&self.scratch);
        all.any(|shown| path.starts_with(shown))
    }
}

//! Bots that are built before they play, each folder once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quintain_links::{BuildError, Sandbox, build};
use quintain_record::Contestant;

use crate::file_name_part;
use crate::plan::BuildWish;

/// Where the logs of builds are, usually.
pub const BUILDS_FOLDER: &str = "builds";

/// A bot that was built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    pub bot: String,
    pub took: Duration,
    /// Everything that its build said.
    pub log: PathBuf,
}

/// A bot that cannot be built.
#[derive(Debug, thiserror::Error)]
#[error("bot {bot} cannot be built: {error}")]
pub struct Unbuildable {
    pub bot: String,
    #[source]
    pub error: BuildError,
}

/// The folder of a bot that may have a build, with its name.
pub fn folder_of(bot: &Contestant) -> Option<(String, PathBuf)> {
    Some((bot.name.clone(), bot.launch()?.root.clone()?))
}

/// Builds the folders of bots, each once, if that is wished: in this sandbox, with logs in a folder. `on_built` is
/// told of every bot that has a build, when that is done.
///
/// # Errors
/// The first that cannot be built. Nothing is built after it.
pub fn build_folders(
    wish: &BuildWish,
    folders: impl IntoIterator<Item = (String, PathBuf)>,
    logs: &Path,
    sandbox: Option<&Sandbox>,
    mut on_built: impl FnMut(Built),
) -> Result<(), Unbuildable> {
    if !wish.is_wished {
        return Ok(());
    }
    let mut done = BTreeSet::new();
    for (bot, folder) in folders {
        if !done.insert(folder.canonicalize().unwrap_or_else(|_| folder.clone())) {
            continue;
        }
        let log = logs.join(format!("{}.log", file_name_part(&bot)));
        match build(&folder, &log, &wish.limits(), sandbox) {
            Ok(Some(took)) => on_built(Built { bot, took, log }),
            Ok(None) => {}
            Err(error) => return Err(Unbuildable { bot, error }),
        }
    }
    Ok(())
}

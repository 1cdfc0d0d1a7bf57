//! Bots that are built before they play.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use quintain_arena::plan::BuildWish;
use quintain_arena::{BUILDS_FOLDER, Built, folder_of};
use quintain_links::Sandbox;
use quintain_record::Contestant;

use super::duration;
use super::sandbox::size;
use crate::failure::Failure;
use crate::output::remark;

/// Whether bots are built first, and how much of the machine that may take.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Build")]
pub(crate) struct BuildArgs {
    /// Build every FOLDER first that has a build.sh, or a bot.json with a `build`, in a sandbox
    /// without a network; what it says is in builds/NAME.log
    #[arg(long)]
    build: bool,
    /// How long one build may take [default: 10m]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    build_time: Option<Duration>,
    /// Memory of one build [default: 4G]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    build_memory: Option<u64>,
    /// Room for the files that one build writes [default: 2G]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    build_disk: Option<u64>,
}

impl BuildArgs {
    pub(crate) fn wish(&self) -> BuildWish {
        BuildWish {
            is_wished: self.build,
            time: self.build_time,
            memory: self.build_memory,
            disk: self.build_disk,
        }
    }
}

/// Builds the folders of these bots, each once, if that is wished.
pub(crate) fn build_bots<'a>(
    wish: &BuildWish,
    bots: impl IntoIterator<Item = &'a Contestant>,
    sandbox: Option<&Sandbox>,
) -> Result<(), Failure> {
    build_folders(wish, bots.into_iter().filter_map(folder_of), sandbox)
}

/// The same for folders with the names of their bots.
pub(crate) fn build_folders(
    wish: &BuildWish,
    folders: impl IntoIterator<Item = (String, PathBuf)>,
    sandbox: Option<&Sandbox>,
) -> Result<(), Failure> {
    let tell = |built: Built| {
        let (bot, seconds, log) = (built.bot, built.took.as_secs_f64(), built.log.display());
        remark(format_args!("built {bot} in {seconds:.1} s; log: {log}"));
    };
    let logs = Path::new(BUILDS_FOLDER);
    quintain_arena::build_folders(wish, folders, logs, sandbox, tell)
        .map_err(|error| Failure::Failed(error.into()))
}

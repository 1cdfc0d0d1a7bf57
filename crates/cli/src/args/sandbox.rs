//! What holds the programs that a command starts.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use quintain_arena::BUILDS_FOLDER;
use quintain_arena::plan::SandboxWish;
use quintain_links::Sandbox;
use quintain_sandbox::{Level, read_size};

use super::named;
use crate::failure::Failure;

/// How far programs are trusted, and how much of the machine each may use.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Sandbox")]
pub(crate) struct SandboxArgs {
    /// What keeps programs from files, processes and networks that are none of their business (see
    /// docs/src/sandbox.md) [default: basic]
    #[arg(long, value_name = "LEVEL", value_parser = named(Level::ALL, Level::name))]
    sandbox: Option<Level>,
    /// Start nothing where a layer of this level is missing on this machine
    #[arg(long, value_name = "LEVEL", value_parser = named(Level::ALL, Level::name))]
    require_sandbox: Option<Level>,
    /// Memory of one program with all that it starts, such as 512M [default: 2G]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<u64>,
    /// Processor time of each process, in seconds [default: 3600]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    cpu: Option<u64>,
    /// Processes and threads of one program at a time [default: 256]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    processes: Option<u64>,
    /// Room for the files that a program writes [default: 256M]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    disk: Option<u64>,
    /// Error output of one program in a match [default: 256M]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    output_limit: Option<u64>,
}

impl SandboxArgs {
    pub(crate) fn wish(&self) -> SandboxWish {
        SandboxWish {
            level: self.sandbox,
            required: self.require_sandbox,
            memory: self.memory,
            cpu: self.cpu,
            processes: self.processes,
            disk: self.disk,
            output: self.output_limit,
        }
    }

    /// What programs are held by, as [`sandbox_for`].
    pub(crate) fn sandbox(
        &self,
        hidden: &[Option<&Path>],
    ) -> Result<Option<Arc<Sandbox>>, Failure> {
        sandbox_for(&self.wish(), hidden)
    }

    /// What was said otherwise than usual, as options with their values.
    pub(crate) fn words(&self) -> Vec<(&'static str, String)> {
        let level = |level: Option<Level>| level.map(|level| level.name().to_owned());
        let number = |value: Option<u64>| value.map(|value| value.to_string());
        let all = [
            ("--sandbox", level(self.sandbox.filter(|level| *level != Level::default()))),
            ("--require-sandbox", level(self.require_sandbox)),
            ("--memory", number(self.memory)),
            ("--cpu", number(self.cpu)),
            ("--processes", number(self.processes)),
            ("--disk", number(self.disk)),
            ("--output-limit", number(self.output_limit)),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

/// What programs are held by. They never see the files in `hidden`, nor what others said while they were built;
/// `None` if they are trusted.
pub(crate) fn sandbox_for(
    wish: &SandboxWish,
    hidden: &[Option<&Path>],
) -> Result<Option<Arc<Sandbox>>, Failure> {
    let builds = Path::new(BUILDS_FOLDER);
    let hidden: Vec<&Path> = hidden.iter().flatten().copied().chain([builds]).collect();
    let made = wish.sandbox(std::env::current_exe()?, &hidden).map_err(|error| {
        let (required, level) = (error.required.name(), error.level.name());
        Failure::usage(format!(
            "--require-sandbox {required}: expected --sandbox {required} beside it, found --sandbox {level}"
        ))
    })?;
    Ok(made.map(Arc::new))
}

pub(super) fn size(text: &str) -> Result<u64, String> {
    read_size(text).map_err(str::to_owned)
}

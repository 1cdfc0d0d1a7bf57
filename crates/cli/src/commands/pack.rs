//! `quintain pack`

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Args;
use quintain_remote::{Limits, pack};

use crate::args::examples;
use crate::failure::Failure;
use crate::output::remark;

#[derive(Debug, Args)]
#[command(after_help = [PACK_HELP, examples::PACK].join("\n\n"))]
pub(crate) struct PackArgs {
    /// The folder of a bot
    folder: PathBuf,
    /// Write the archive to this file
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const PACK_HELP: &str = "\
Prints the digest by which servers and workers call the archive of a bot. The same files give the same archive on \
    every machine: it holds no times, no owners and no links.";

pub(super) fn run(args: &PackArgs) -> Result<(), Failure> {
    let packed = pack(&args.folder, &Limits::default()).map_err(anyhow::Error::from)?;
    if let Some(path) = &args.output {
        let failed = |error| anyhow::anyhow!("cannot write {}: {error}", path.display());
        std::fs::write(path, &packed.bytes).map_err(failed)?;
    }
    writeln!(io::stdout(), "{}", packed.digest)?;
    let (bytes, entries) = (packed.bytes.len(), packed.entries);
    remark(format_args!("{entries} files and folders, {bytes} bytes when packed"));
    Ok(())
}

//! `quintain man`

use anyhow::Context as _;
use clap::CommandFactory as _;

use crate::args::{Arguments, ManArgs};
use crate::failure::Failure;

pub(super) fn run(args: &ManArgs) -> Result<(), Failure> {
    let context = || format!("cannot write man pages to {}", args.folder.display());
    std::fs::create_dir_all(&args.folder).with_context(context)?;
    clap_mangen::generate_to(Arguments::command(), &args.folder).with_context(context)?;
    Ok(())
}

//! `quintain man`

use std::path::Path;

use anyhow::Context as _;
use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use crate::args::{Arguments, ManArgs};
use crate::failure::Failure;
use quintain_arena::write_whole;

pub(super) fn run(args: &ManArgs) -> Result<(), Failure> {
    let context = || format!("cannot write man pages to {}", args.folder.display());
    std::fs::create_dir_all(&args.folder).with_context(context)?;
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    Ok(write_pages(&command, &args.folder)?)
}

/// The page of a command, and those of the ones below it.
fn write_pages(command: &Command, folder: &Path) -> anyhow::Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write_pages(below, folder)?;
    }
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    Ok(write_whole(&folder.join(page.get_filename()), &text)?)
}

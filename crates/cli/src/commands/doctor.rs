//! `quintain doctor`: whether results of this machine can be trusted.

use std::io::Write as _;
use std::process::Command;

use clap::Args;
use quintain_arena::machine::examine;
use quintain_report::machine;

use crate::args::examples;
use crate::failure::Failure;
use crate::output::HEADING;
use crate::words::MACHINE;
use crate::wrapped_output::wrapped_output;

/// What the doctor is asked.
#[derive(Debug, Args)]
#[command(after_help = examples::DOCTOR)]
pub(crate) struct DoctorArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &DoctorArgs) -> Result<(), Failure> {
    let report = examine(Command::new(std::env::current_exe()?).arg("echo"))?;
    let mut out = wrapped_output();
    if args.json {
        writeln!(out, "{}", machine::json(&report, &MACHINE))?;
        return Ok(());
    }
    for (name, text) in machine::rows(&report, &MACHINE) {
        let gap = 16 - name.len();
        writeln!(out, "{HEADING}{name}{HEADING:#}{:gap$}{text}", "")?;
    }
    for problem in machine::problems(&report, &MACHINE) {
        writeln!(out, "problem: {problem}")?;
    }
    Ok(writeln!(out, "{}", machine::verdict(&report))?)
}

//! The project's chores, in the project's language: `cargo xtask help` lists them.

mod tidy;
mod workspace;

use std::process::ExitCode;

use anyhow::{Result, bail};

const HELP: &str = "\
The chores of this project.

Usage: cargo xtask COMMAND

Commands:
  tidy
      The project's own rules: who may depend on whom, function length, borders
      between rules and text, files that every game has, blanks and line ends.
  help
      This text.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    match arguments.first().map(String::as_str) {
        None | Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            Ok(())
        }
        Some("tidy") => tidy::run(),
        Some(command) => bail!("expected tidy or help, got `{command}`"),
    }
}

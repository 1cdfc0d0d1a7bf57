//! The project's chores, in the project's language: `cargo xtask help` lists them.
//!
//! Start reading at [`suite`], which is what CI runs; [`tidy`] holds the checks that neither the
//! compiler nor clippy knows, [`mod@bench`] the budget of instructions per turn, [`new_game`] a game to
//! start from.

mod api;
mod bench;
mod browser;
mod new_game;
mod suite;
mod tidy;
mod tools;
mod vm;
mod workspace;

use std::process::ExitCode;

use anyhow::{Result, bail};

const HELP: &str = "\
The chores of this project.

Usage: cargo xtask COMMAND [OPTIONS]

Commands:
  test [--only STEPS] [--skip STEPS] [--no-browser]
      Everything that CI runs, step by step, up to the first failure.
      STEPS is a list with commas. The steps, in order:
        setup   installs the tools that the later steps need
        fmt     the format of the sources
        clippy  lints, warnings denied
        doc     documentation, warnings denied
        tidy    the project's own rules
        test    all tests, and the count of allocations per turn
        browser the pages and the player in Chromium; its pictures are in
                crates/server/tests/browser/output
        api     requests of all kinds, made from the OpenAPI document of a server
        bench   the budget of instructions per turn
  tidy
      The project's own rules: who may depend on whom, function length, borders
      between rules and text, files that every game has, blanks and line ends.
  bench [--update]
      Counts instructions per turn with callgrind and compares them with
      benches/budget.toml. --update lowers budgets that have become too wide;
      it never raises one.
  new-game NAME
      Writes games/NAME, a small complete game to start from, and names it in the
      list of games. games/README.md tells how to go on.
  vm [--kernel PACKAGE] [COMMAND...]
      The tests of the sandbox, or a command, in a virtual machine with the files of
      this one, a kernel of Debian and control groups of version 2. The processor
      is emulated, which takes long: it is no step of the tests.
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
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] | ["help" | "--help" | "-h", ..] | [_, "help" | "--help" | "-h", ..] => {
            print!("{HELP}");
            Ok(())
        }
        ["test", options @ ..] => suite::run(&suite::Selection::parse(options)?),
        ["tidy"] => tidy::run(),
        ["bench"] => bench::run(bench::Budgets::Keep),
        ["bench", "--update"] => bench::run(bench::Budgets::Lower),
        ["vm", words @ ..] => vm::run(words),
        ["new-game", name] => new_game::run(name),
        ["new-game", ..] => bail!("`new-game` takes one name; see `cargo xtask help`"),
        [command @ ("tidy" | "bench"), option, ..] => {
            bail!("`{command}` does not take `{option}`; see `cargo xtask help`")
        }
        [command, ..] => {
            let known = "test, tidy, bench, new-game, vm or help";
            bail!("expected {known}, got `{command}`; see `cargo xtask help`")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_refused(arguments: &[&str], expected: &str) {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        assert_eq!(run(&arguments).unwrap_err().to_string(), expected);
    }

    #[test]
    fn unknown_words_are_named_and_help_is_pointed_out() {
        check_refused(
            &["tset"],
            "expected test, tidy, bench, new-game, vm or help, got `tset`; see `cargo xtask help`",
        );
        check_refused(
            &["bench", "--raise"],
            "`bench` does not take `--raise`; see `cargo xtask help`",
        );
        check_refused(&["tidy", "now"], "`tidy` does not take `now`; see `cargo xtask help`");
        check_refused(&["new-game"], "`new-game` takes one name; see `cargo xtask help`");
    }

    #[test]
    fn help_names_every_step() {
        for step in suite::names() {
            assert!(HELP.contains(&format!("\n        {step} ")), "{step}");
        }
    }
}

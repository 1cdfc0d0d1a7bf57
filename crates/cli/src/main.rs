//! The binary `quintain`: parses the command line, runs one command, turns its result into an exit
//! code. What a command means is in `commands/`, what fills a terminal in `quintain-terminal`.

mod args;
mod commands;
mod failure;
mod output;
mod seating;
mod secret;
mod status_line;
mod whole_file;
mod words;
mod wrapped_output;

use std::process::ExitCode;

use clap::Parser as _;
use quintain_links::INTERRUPTED;

use crate::args::Arguments;
use crate::failure::Failure;

fn main() -> ExitCode {
    // Before anything else, since whoever becomes a bot has a single thread and nothing open.
    if let Some(code) = quintain_sandbox::launch(std::env::args_os()) {
        return ExitCode::from(code);
    }
    std::panic::set_hook(Box::new(|panic| {
        anstream::eprintln!(
            "{} a bug in quintain, please report it: {panic}",
            output::error_label()
        );
    }));
    if let Err(error) = secret::hide() {
        anstream::eprintln!(
            "{} cannot take a password out of sight: {error}",
            output::error_label()
        );
        return ExitCode::from(1);
    }
    let words = args::with_long_names(std::env::args_os());
    let arguments = match Arguments::try_parse_from(&words) {
        Ok(arguments) => arguments,
        Err(error) => {
            let unquoted = args::unquoted(&words, &error);
            match unquoted.or_else(|| args::tournament_words(&words, &error)) {
                Some(message) => return tell_usage(&message),
                None => error.exit(),
            }
        }
    };
    let Ok(result) = std::panic::catch_unwind(|| commands::run(arguments.command)) else {
        return ExitCode::from(1);
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(Failure::Told) => ExitCode::from(1),
        Err(Failure::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(Failure::Usage(message)) => tell_usage(&message),
        Err(Failure::Field { field, wrong }) => {
            tell_usage(&format!("{}: {wrong}", words::flag(&field)))
        }
        Err(Failure::Failed(error)) => {
            anstream::eprintln!("{} {error:#}", output::error_label());
            ExitCode::from(1)
        }
    }
}

fn tell_usage(message: &str) -> ExitCode {
    anstream::eprintln!("{} {message}", output::error_label());
    anstream::eprintln!("\nFor more information, try 'quintain --help'");
    ExitCode::from(2)
}

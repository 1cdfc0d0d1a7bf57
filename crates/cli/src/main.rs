//! The binary `quintain`: parses the command line, runs one command, turns its result into an exit
//! code. What a command means is in `commands/`, what fills a terminal in `quintain-terminal`.

mod args;
mod commands;
mod failure;
mod output;
mod seating;
mod secret;
mod words;

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
    if quintain_terminal::is_dumb() {
        // Else whatever calls itself CI would be given colours all the same.
        anstream::ColorChoice::Never.write_global();
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
            let message = args::unquoted(&words, &error)
                .or_else(|| args::tournament_words(&words, &error))
                .or_else(|| args::meant(&words, &error));
            return match message {
                Some(message) => tell_usage(&message),
                None => tell_parser_error(error),
            };
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
            output::remark(format_args!("{} {error:#}", output::error_label()));
            ExitCode::from(1)
        }
    }
}

fn tell_parser_error(error: clap::Error) -> ExitCode {
    if !error.use_stderr() {
        error.exit();
    }
    let error = args::without_false_advice(error);
    output::remark(error.render().ansi().to_string().trim_end());
    ExitCode::from(2)
}

fn tell_usage(message: &str) -> ExitCode {
    output::remark(format_args!("{} {message}", output::error_label()));
    output::remark("\nFor more information, try 'quintain --help'");
    ExitCode::from(2)
}

//! The command line.

mod build;
pub(crate) mod examples;
mod log;
mod look;
mod meant;
mod one_bot;
mod open;
mod play;
mod proof;
mod rules;
mod sandbox;
mod tools;
mod tournament_words;
mod unquoted;
mod values;

use clap::{Parser, Subcommand};

pub(crate) use build::{BuildArgs, build_bots, build_folders};
pub(crate) use log::LogArgs;
pub(crate) use look::{ExplainArgs, ExportArgs, ReplayArgs, SchemaArgs, ServeArgs};
pub(crate) use meant::{meant, without_false_advice};
pub(crate) use one_bot::{CheckArgs, FeedArgs};
pub(crate) use open::OpenArgs;
pub(crate) use play::{HostArgs, PlayArgs, with_long_names};
pub(crate) use proof::{ConformArgs, KeyArgs, KeyCommand, PerftArgs, VerifyArgs};
pub(crate) use rules::{PassEnvArgs, RulesArgs, StateArg};
pub(crate) use sandbox::{SandboxArgs, sandbox_for};
pub(crate) use tools::{BenchArgs, BotArgs, CompletionsArgs, EchoArgs, GamesArgs, ManArgs};
pub(crate) use tournament_words::tournament_words;
pub(crate) use unquoted::unquoted;
pub(crate) use values::{OutputArg, duration, named, seed};

/// An arena for bot programming: plays bots against each other, proves what happened, shows it.
#[derive(Debug, Parser)]
#[command(name = "quintain", version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the games with their editions, leagues and house bots
    Games(GamesArgs),
    /// Play one match
    Play(PlayArgs),
    /// Find out whether the new version of a bot is better than the old one
    Compare(crate::commands::CompareArgs),
    /// Find out how strong a bot is: it climbs a game's ladder of house bots
    Ladder(crate::commands::LadderArgs),
    /// Find the best values of a bot's parameters by games, and prove the gain
    Tune(crate::commands::TuneArgs),
    /// Play a tournament, or go on with one, and show the standings
    Tournament(crate::commands::TournamentArgs),
    /// Serve a game over TCP: whoever connects is seated, many tables at the same time
    Host(HostArgs),
    /// Evaluate teams as the hockey contest did: every pairing, points, marks
    Evaluate(crate::commands::EvaluateArgs),
    /// Show a replay: full screen on a terminal, plain text elsewhere, or in the browser
    Replay(ReplayArgs),
    /// Explain a match: how it ended, what went wrong, and where it turned
    Explain(ExplainArgs),
    /// Show the matches of a folder in the browser, with what each bot was sent and answered
    Serve(ServeArgs),
    /// Print the JSON Schema of a replay, a result, a plan or a scene, or of the API
    Schema(SchemaArgs),
    /// Play games for a server that hands them out
    Worker(crate::commands::WorkerArgs),
    /// Make, list and revoke the tokens of workers and organisers, and lift quarantines
    Token(crate::commands::TokenArgs),
    /// Pack the folder of a bot as it is sent to workers
    Pack(crate::commands::PackArgs),
    /// Play replays again and name the first turn that differs
    Verify(VerifyArgs),
    /// Make a key with which replays are signed, or show its public part
    Key(KeyArgs),
    /// Ask a bot what it would answer in a turn of a replay
    Feed(FeedArgs),
    /// Check step by step whether a bot keeps to the protocol of a game
    Check(CheckArgs),
    /// List the games of a store behind a number, with their replays
    Stats(crate::commands::StatsArgs),
    /// Make a picture, a film or a page of a replay
    Export(ExportArgs),
    /// Replay recorded matches of the original engines and compare everything
    Conform(ConformArgs),
    /// Run a house bot as a program of its own, over TCP or standard input and output
    Bot(BotArgs),
    /// Count the sequences of legal plies from the start, to check your own copy of the rules
    Perft(PerftArgs),
    /// Measure how fast everything is on this machine
    Bench(BenchArgs),
    /// Examine this machine: can its results be trusted, how many games at a time are safe
    Doctor(crate::commands::DoctorArgs),
    /// Print the completions for a shell
    Completions(CompletionsArgs),
    /// Write the man pages of all commands
    Man(ManArgs),
    /// Answer every line with the same line: the other end of bench's bare exchanges
    #[command(hide = true)]
    Echo(EchoArgs),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_command_has_examples_that_can_be_parsed() {
        let command = Arguments::command();
        for shown in command.get_subcommands().filter(|command| !command.is_hide_set()) {
            let name = shown.get_name();
            let help = shown.get_after_help().map(ToString::to_string).unwrap_or_default();
            let (_, examples) = help.split_once("Examples:\n").unwrap_or_default();
            assert!(!examples.is_empty(), "{name} has no examples");
            for call in examples.replace("\\\n", "").lines() {
                assert!(call.trim().starts_with(&format!("quintain {name}")), "{name}: {call}");
                // What follows is the shell's.
                let call = call.split(" > ").next().unwrap_or_default();
                let words = call.split(['"', '\'']).enumerate().flat_map(|(index, part)| {
                    let is_quoted = index % 2 == 1;
                    if is_quoted { vec![part] } else { part.split_whitespace().collect() }
                });
                let parsed = Arguments::try_parse_from(words);
                assert!(parsed.is_ok(), "{call}: {parsed:?}");
            }
        }
    }
}

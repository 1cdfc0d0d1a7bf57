//! What shows that a replay is what it says, and that the rules are.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use quintain_core::Edition;

use super::examples;
use super::values::{named, seed};

#[derive(Debug, Args)]
#[command(after_help = examples::VERIFY)]
pub(crate) struct VerifyArgs {
    /// Replays
    #[arg(required_unless_present = "store", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Verify the replays of all games in this store too, and compare them with what it says
    #[arg(long, value_name = "STORE")]
    pub(crate) store: Option<String>,
    /// Demand a signature of this key: its public text, or a file with the key
    #[arg(long, value_name = "KEY")]
    pub(crate) signer: Option<String>,
    /// Print one JSON object per file
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = examples::KEY)]
pub(crate) struct KeyArgs {
    #[command(subcommand)]
    pub(crate) command: KeyCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Write a new private key, which only you can read, and print its public part
    New(KeyFile),
    /// Print the public part of a private key
    Show(KeyFile),
}

#[derive(Debug, Args)]
pub(crate) struct KeyFile {
    /// The private key
    #[arg(default_value = "quintain.key")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = examples::CONFORM)]
pub(crate) struct ConformArgs {
    /// Recorded matches, *.jsonl.gz or *.jsonl
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = examples::PERFT)]
pub(crate) struct PerftArgs {
    /// The game, for instance hockey
    pub(crate) game: String,
    /// How many plies to look ahead
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub(crate) depth: u32,
    /// The seed of the start
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    #[arg(value_parser = seed)]
    pub(crate) seed: i64,
    /// The league, for games that have some
    #[arg(long, value_name = "N")]
    pub(crate) league: Option<u8>,
    /// The rules of the game's document, or those of the published engine, bug for bug
    #[arg(long, value_parser = named(Edition::ALL, Edition::name), default_value = "document")]
    pub(crate) edition: Edition,
}

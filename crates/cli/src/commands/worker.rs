//! `quintain worker`, and how a token is read

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use quintain_arena::{Concurrency, cores};
use quintain_links::{Quarters, end_interrupted, tell_interrupts};
use quintain_referee::Ask;
use quintain_remote::{Client, ClientError, WorkNews, Worker, WorkerPlan, usual_cache};
use quintain_report::words::counted;

use crate::args::{LogArgs, SandboxArgs, examples};
use crate::failure::Failure;
use crate::output::{remark, say};

#[derive(Debug, Args)]
#[command(after_help = [WORKER_HELP, examples::WORKER].join("\n\n"))]
pub(crate) struct WorkerArgs {
    /// The server to play for, as `quintain serve --workers` prints it
    #[arg(long, value_name = "URL")]
    server: String,
    /// The file with the token of this worker, which `quintain token add` makes
    #[arg(long, value_name = "FILE")]
    token_file: PathBuf,
    /// Play this many games at a time [default: as many as have their cores to themselves]
    #[arg(long, value_name = "N")]
    slots: Option<NonZero<usize>>,
    /// Keep bots that were fetched in this folder [default: a folder of your cache]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Trust servers whose certificate one of this file vouches for, beside those that the system trusts
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Tell nothing but errors
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    log: LogArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

const WORKER_HELP: &str = "\
Plays games for a server until Ctrl-C, which lets the games in hand finish; a second one gives them back. The server \
    must be of the same version. A worker holds nothing of the server but its token.";

pub(super) fn run(args: &WorkerArgs) -> Result<(), Failure> {
    let client = client("--server", &args.server, &args.token_file, args.ca.as_deref())?;
    let has_log = args.log.begin();
    let slots = match args.slots {
        Some(slots) => slots,
        None => {
            let usual = Concurrency::new(None, Ask::InTurn, cores(), true);
            let usual = usual.map_err(|error| Failure::usage(error.to_string()))?;
            NonZero::new(usual.get()).unwrap_or(NonZero::<usize>::MIN)
        }
    };
    let sandbox = args.sandbox.sandbox(&[Some(&args.token_file)])?;
    let cache = args.cache.clone().unwrap_or_else(usual_cache);
    let worker = Arc::new(Worker::new(WorkerPlan { client, slots, cache, sandbox }));
    let interrupted = Arc::clone(&worker);
    tell_interrupts(move |times| {
        if times == 1 {
            interrupted.stop();
            say("finishing the games in hand; Ctrl-C again gives them back");
            return;
        }
        interrupted.give_back();
        Quarters::remove_all();
        end_interrupted();
    })?;
    if !args.quiet {
        let games = counted(slots.get() as u64, "game");
        remark(format_args!("playing {games} at a time for {} until Ctrl-C", args.server));
    }
    let worked = worker.run(&|news| match has_log {
        true => log(&news),
        false => tell(&news, args.quiet),
    });
    worked.map_err(|error| anyhow::anyhow!("{}: {error}", args.server).into())
}

fn tell(news: &WorkNews<'_>, is_quiet: bool) {
    match news {
        WorkNews::Failed { log } => remark(format_args!("a job cannot be played here: {log}")),
        WorkNews::Refused { why } => remark(format_args!("the server refused a report: {why}")),
        WorkNews::Away { reason } => {
            remark(format_args!("the server is away, trying again: {reason}"))
        }
        _ if is_quiet => {}
        WorkNews::Back => remark("the server is there again"),
        WorkNews::Reported { games, is_counted: true } => {
            remark(format_args!("{} played", counted(*games as u64, "game")))
        }
        WorkNews::Reported { games, is_counted: false } => {
            remark(format_args!("nobody wants {} any more", counted(*games as u64, "game")));
        }
    }
}

/// The same, to be read by programs too.
fn log(news: &WorkNews<'_>) {
    match news {
        WorkNews::Failed { log } => tracing::warn!(log, "a job cannot be played here"),
        WorkNews::Refused { why } => tracing::warn!(why, "the server refused a report"),
        WorkNews::Away { reason } => tracing::warn!(reason, "the server is away"),
        WorkNews::Back => tracing::info!("the server is there again"),
        WorkNews::Reported { games, is_counted } => {
            tracing::info!(games, is_counted, "games played");
        }
    }
}

/// Speaks to a server with the token in a file. `option` names the server, and `ca` is a file with certificates that
/// vouch for it.
pub(super) fn client(
    option: &str,
    server: &str,
    token: &Path,
    ca: Option<&Path>,
) -> Result<Client, Failure> {
    let read = std::fs::read_to_string(token);
    let word = read.map_err(|error| {
        Failure::usage(format!("--token-file: cannot read {}: {error}", token.display()))
    })?;
    Client::new(server, &word, ca).map_err(|error| match error {
        ClientError::Trust { .. } => Failure::usage(format!("--ca: {error}")),
        ClientError::Token(_) => {
            Failure::usage(format!("--token-file: {}: {error}", token.display()))
        }
        error => Failure::usage(format!("{option}: {error}")),
    })
}

//! `quintain token`

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use quintain_arena::plan::check_name;
use quintain_core::printable;
use quintain_report::words::counted;
use quintain_store::Store;
use quintain_store::work::{JobBoard, TokenKind, WorkerInfo, new_token};
use rustix::rand::{GetRandomFlags, getrandom};

use crate::args::examples;
use crate::failure::Failure;
use crate::output::remark;

#[derive(Debug, Args)]
#[command(after_help = [TOKEN_HELP, examples::TOKEN].join("\n\n"))]
pub(crate) struct TokenArgs {
    #[command(subcommand)]
    command: TokenCommand,
}

const TOKEN_HELP: &str = "\
A token is shown once, when it is made: the store keeps only its digest. Give each machine one of its own, in a file \
    that nobody else can read.";

#[derive(Debug, Subcommand)]
enum TokenCommand {
    /// Make a token and print it
    Add {
        /// What the worker or the organiser is called
        name: String,
        /// For whoever has games played with --on, instead of a worker
        #[arg(long)]
        organiser: bool,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// List all tokens, with what each worker did
    List {
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Shut out whoever has a token
    Revoke {
        /// What the worker or the organiser is called
        name: String,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Give games again to a worker that was put into quarantine
    Lift {
        /// What the worker is called
        name: String,
        #[command(flatten)]
        store: StoreArgs,
    },
}

#[derive(Debug, Args)]
struct StoreArgs {
    /// The store of the server: a file or postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "STORE")]
    store: String,
    /// Read the password of the database from the first line of this file [default: PGPASSWORD, or
    /// the file of PGPASSFILE]
    #[arg(long, value_name = "FILE")]
    store_password_file: Option<PathBuf>,
}

impl StoreArgs {
    fn board(&self) -> Result<JobBoard, Failure> {
        let address = crate::secret::address(&self.store, self.store_password_file.as_deref())?;
        let store = Store::open(&address).map_err(anyhow::Error::from)?;
        Ok(JobBoard::open(&store).map_err(anyhow::Error::from)?)
    }
}

pub(super) fn run(args: &TokenArgs) -> Result<(), Failure> {
    match &args.command {
        TokenCommand::Add { name, organiser, store } => add(&store.board()?, name, *organiser),
        TokenCommand::List { store } => list(&store.board()?),
        TokenCommand::Revoke { name, store } => revoke(&store.board()?, name),
        TokenCommand::Lift { name, store } => lift(&store.board()?, name),
    }
}

fn add(board: &JobBoard, name: &str, is_organiser: bool) -> Result<(), Failure> {
    check_name(name).map_err(|wrong| Failure::usage(format!("the name of a token: {wrong}")))?;
    let mut random = [0; 32];
    let count = getrandom(&mut random, GetRandomFlags::empty()).map_err(io::Error::from)?;
    assert_eq!(count, random.len(), "so few random bytes always come at once");
    let word = new_token(random);
    let kind = if is_organiser { TokenKind::Organiser } else { TokenKind::Worker };
    if !board.add_token(name, kind, &word).map_err(anyhow::Error::from)? {
        let wrong =
            format!("there is a token called {name}; take another name, even if it is revoked");
        return Err(anyhow::anyhow!(wrong).into());
    }
    writeln!(io::stdout(), "{word}")?;
    remark(format_args!("this is the token of the {kind} {name}; it is not shown again"));
    Ok(())
}

fn list(board: &JobBoard) -> Result<(), Failure> {
    let workers = board.workers()?;
    let mut out = io::stdout().lock();
    for token in board.tokens()? {
        let state = if token.revoked_ms.is_some() { "revoked" } else { "good" };
        write!(out, "{}\t{}\t{state}", token.name, token.kind)?;
        if let Some(worker) = workers.iter().find(|worker| worker.name == token.name) {
            write!(out, "\t{}", in_words(worker))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// What a worker did, and what last went wrong with it.
fn in_words(worker: &WorkerInfo) -> String {
    let WorkerInfo { slots, games, void_games, disturbed_games, failed_jobs, refused, .. } = worker;
    let last = match worker.last_words.as_str() {
        "" => String::new(),
        words => format!(": {}", printable(words.lines().next().unwrap_or_default())),
    };
    let quarantine = if worker.quarantine.is_some() { ", in quarantine" } else { "" };
    format!(
        "{}, {} ({void_games} void, {disturbed_games} disturbed), {} failed, {} refused{quarantine}{last}",
        counted(*slots, "slot"),
        counted(*games, "game"),
        counted(*failed_jobs, "job"),
        counted(*refused, "time"),
    )
}

fn lift(board: &JobBoard, name: &str) -> Result<(), Failure> {
    if !board.lift_quarantine(name).map_err(anyhow::Error::from)? {
        return Err(anyhow::anyhow!("there is no worker called {name} in quarantine").into());
    }
    remark(format_args!("{name} is given games again when it is started"));
    Ok(())
}

fn revoke(board: &JobBoard, name: &str) -> Result<(), Failure> {
    if !board.revoke_token(name).map_err(anyhow::Error::from)? {
        return Err(anyhow::anyhow!("there is no good token called {name}").into());
    }
    remark(format_args!("whoever has the token of {name} is shut out"));
    Ok(())
}

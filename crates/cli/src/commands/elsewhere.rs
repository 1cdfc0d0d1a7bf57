//! Who plays the games of a command, if not this machine.

use std::sync::Arc;

use quintain_arena::work::{Elsewhere, ElsewhereNews};
use quintain_remote::{Client, ClientError, Organiser};
use quintain_store::work::{JobBoard, WorkServer};
use quintain_store::{Store, address};

use super::many::ManyArgs;
use crate::failure::Failure;
use crate::output::{remark, say};

/// `None`: this machine. `store` is where the games are kept, with its password.
pub(super) fn elsewhere(
    args: &ManyArgs,
    store: Option<&str>,
) -> Result<Option<Arc<dyn Elsewhere>>, Failure> {
    let client = match (&args.on, &args.token_file) {
        (Some(server), Some(token)) => {
            Some(super::worker::client("--on", server, token, args.ca.as_deref())?)
        }
        _ => owner_of(args, store)?,
    };
    match client {
        Some(client) => Ok(Some(Arc::new(Organiser::new(client, tell_of_workers)))),
        None if args.ca.is_some() => {
            Err(Failure::usage("--ca: expected a server that plays the games, as --on names one"))
        }
        None => Ok(None),
    }
}

/// The server that owns the store, if it has workers that can do what is asked for.
fn owner_of(args: &ManyArgs, store: Option<&str>) -> Result<Option<Client>, Failure> {
    let is_bound_here =
        args.concurrency.is_some() || args.sign.is_some() || !args.pass_env.names.is_empty();
    let Some(place) = store.filter(|place| !is_bound_here && address::is_server(place)) else {
        return Ok(None);
    };
    // What is wrong with a store is said by whoever keeps the games in it.
    let Ok(store) = Store::open_existing(place) else { return Ok(None) };
    let Some(board) = JobBoard::find(&store)? else { return Ok(None) };
    let Some(WorkServer { url, word, workers }) = board.server()? else { return Ok(None) };
    if workers == 0 {
        if !args.quiet {
            remark(format_args!(
                "no worker is attached to {url}, the server of this store: the games are played here"
            ));
        }
        return Ok(None);
    }
    let client = Client::new(&url, &word, args.ca.as_deref()).map_err(|error| match error {
        ClientError::Trust { .. } => Failure::usage(format!("--ca: {error}")),
        error => anyhow::Error::from(error).into(),
    })?;
    client.greet().map_err(|error| not_reached(&error))?;
    if !args.quiet {
        remark(format_args!(
            "the games are played by the workers of {url}, the server of this store; -j N plays them here"
        ));
    }
    Ok(Some(client))
}

fn not_reached(error: &ClientError) -> Failure {
    Failure::Failed(anyhow::anyhow!(
        "the workers of this store's server would play these games, but {error}; write --on URL \
         --token-file FILE with the address by which it is reached from here, or -j N to play here"
    ))
}

fn tell_of_workers(server: &str, news: ElsewhereNews) {
    match news {
        ElsewhereNews::Nobody => say(format_args!(
            "no worker is attached that may play these games; start one with `quintain worker --server {server} \
             --token-file FILE`, or look at {server}/workers"
        )),
        ElsewhereNews::Somebody => say("there is a worker now"),
    }
}

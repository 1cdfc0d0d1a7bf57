//! `quintain serve`, and `quintain replay --open`

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use quintain_arena::open_replay;
use quintain_server::{Neighbours, Plan, ServeError, ServedReplays, Server, Tls, TlsError, Work};
use quintain_store::Store;
use quintain_store::work::JobBoard;

use crate::args::ServeArgs;
use crate::failure::Failure;
use crate::output::remark;
use crate::secret;

/// So that nobody guesses it.
const TOKEN_LETTERS_MIN: usize = 16;

pub(super) fn run(args: &ServeArgs) -> Result<(), Failure> {
    args.log.begin();
    let tls = match (&args.tls_cert, &args.tls_key) {
        (Some(certificate), Some(key)) => Some(read_tls(certificate, key)?),
        _ => None,
    };
    let neighbours = Neighbours { hosts: args.host.clone(), embedders: args.embed.clone() };
    let replays = ServedReplays::of_folder(&args.replays);
    let (work, board) = match args.workers {
        true => open_work(args).map(|(work, board)| (Some(work), Some(board)))?,
        false => (None, None),
    };
    let replays = match &args.store {
        Some(store) => replays.with_store(open_store(store, args)?),
        None => replays,
    };
    let token = args.token_file.as_deref().map(read_token).transpose()?;
    let listen = args.listen.clone();
    let server = bind(Plan { listen, replays, neighbours, work, token, live: None })?;
    let server = match tls {
        Some(tls) => server.with_tls(tls),
        None => server,
    };
    let address = server.url();
    writeln!(std::io::stdout(), "{address}/")?;
    if let Some(board) = board {
        board.note_server(&server.reached_at(&args.host))?;
        remark(format_args!("workers and organisers with a token are served on {address}"));
        remark(format_args!("how the workers do is shown on {address}/workers"));
    }
    let folder = args.replays.display();
    match &args.store {
        Some(_) => remark(format_args!(
            "the runs of the store are on {address}/runs, the matches of {folder} on {address}/, until Ctrl-C"
        )),
        None => remark(format_args!("the matches of {folder} are on {address}/ until Ctrl-C")),
    }
    Ok(server.run().map_err(anyhow::Error::from)?)
}

/// What stands in the first line of a file.
fn read_token(file: &Path) -> Result<String, Failure> {
    let wrong = |what: String| Failure::usage(format!("--token-file: {}: {what}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    let token = text.lines().next().unwrap_or_default().trim();
    match token.chars().count() >= TOKEN_LETTERS_MIN {
        true => Ok(token.to_owned()),
        false => Err(wrong(format!(
            "expected a token of at least {TOKEN_LETTERS_MIN} letters in its first line, found {}",
            token.chars().count()
        ))),
    }
}

fn read_tls(certificate: &Path, key: &Path) -> Result<Tls, Failure> {
    Tls::read(certificate, key).map_err(|error| {
        let option = match error {
            TlsError::Certificate { .. } | TlsError::Pair(_) => "--tls-cert",
            TlsError::Key { .. } => "--tls-key",
        };
        Failure::usage(format!("{option}: {error}"))
    })
}

fn open_store(store: &str, args: &ServeArgs) -> Result<Store, Failure> {
    let address = secret::address(store, args.store_password_file.as_deref())?;
    Store::be_wary();
    Ok(Store::open_existing(&address)?)
}

/// The board of jobs that workers are given, in a store that is made if there is none, as it is served and as it is.
fn open_work(args: &ServeArgs) -> Result<(Work, JobBoard), Failure> {
    let store = args.store.as_deref().expect("clap asks for a store with workers");
    let address = secret::address(store, args.store_password_file.as_deref())?;
    let store = Store::open(&address)?;
    let blobs = args.blobs.clone().unwrap_or_else(|| match store.folder() {
        Some(_) => PathBuf::from(store.place()).with_extension("blobs"),
        None => PathBuf::from("blobs"),
    });
    let work = Work::open(&store, &blobs)?.with_lease(args.lease).with_canaries(args.scale_time);
    Ok((work, JobBoard::open(&store)?))
}

/// Shows one match in the browser.
pub(super) fn open(replay: &Path) -> Result<(), Failure> {
    // What is no replay is told here and not in a browser.
    open_replay(replay)?;
    let replays = ServedReplays::of_replay(replay).map_err(anyhow::Error::from)?;
    let id = replays.only().unwrap_or_default().to_owned();
    let listen = "127.0.0.1:0".to_owned();
    let neighbours = Neighbours::default();
    let server = bind(Plan { listen, replays, neighbours, work: None, token: None, live: None })?;
    let address = format!("{}{}", server.url(), quintain_server::match_address(&id));
    writeln!(std::io::stdout(), "{address}")?;
    remark(format_args!("this match is on {address} until Ctrl-C"));
    show(&address);
    Ok(server.run().map_err(anyhow::Error::from)?)
}

fn bind(plan: Plan) -> Result<Server, Failure> {
    Server::bind(plan).map_err(|error| serve_failure(error, "listen"))
}

/// `option` is the one that names the address.
pub(super) fn serve_failure(error: ServeError, option: &str) -> Failure {
    match error {
        ServeError::Listen { .. } => Failure::usage(format!("--{option}: {error}")),
        error => anyhow::Error::from(error).into(),
    }
}

/// Opens the address where there is a desktop; elsewhere it has been printed.
pub(super) fn show(address: &str) {
    let has_desktop =
        ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if has_desktop {
        let mut open = Command::new("xdg-open");
        open.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if open.spawn().is_err() {
            remark("no browser could be opened: open the address by hand");
        }
    }
}

//! `quintain serve`, and `quintain replay --open`

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use quintain_arena::open_replay;
use quintain_server::{Neighbours, Plan, ServeError, Server, Shelf};

use crate::args::ServeArgs;
use crate::failure::Failure;
use crate::output::remark;

pub(super) fn run(args: &ServeArgs) -> Result<(), Failure> {
    let neighbours = Neighbours { hosts: args.host.clone(), embedders: args.embed.clone() };
    let shelf = Shelf::of_folder(&args.replays);
    let server = bind(Plan { listen: args.listen.clone(), shelf, neighbours })?;
    let address = address_of(&server);
    writeln!(std::io::stdout(), "{address}/")?;
    let folder = args.replays.display();
    remark(format_args!("the matches of {folder} are on {address}/ until Ctrl-C"));
    Ok(server.run().map_err(anyhow::Error::from)?)
}

/// Shows one match in the browser.
pub(super) fn open(replay: &Path) -> Result<(), Failure> {
    // What is no replay is told here and not in a browser.
    open_replay(replay)?;
    let shelf = Shelf::of_replay(replay).map_err(anyhow::Error::from)?;
    let id = shelf.only().unwrap_or_default().to_owned();
    let listen = "127.0.0.1:0".to_owned();
    let server = bind(Plan { listen, shelf, neighbours: Neighbours::default() })?;
    let address = format!("{}{}", address_of(&server), quintain_server::match_address(&id));
    writeln!(std::io::stdout(), "{address}")?;
    remark(format_args!("this match is on {address} until Ctrl-C"));
    show(&address);
    Ok(server.run().map_err(anyhow::Error::from)?)
}

fn bind(plan: Plan) -> Result<Server, Failure> {
    Server::bind(plan).map_err(|error| match error {
        ServeError::Listen { .. } => Failure::usage(format!("--listen: {error}")),
        error => anyhow::Error::from(error).into(),
    })
}

fn address_of(server: &Server) -> String {
    server.address().map_or_else(String::new, |address| format!("http://{address}"))
}

/// Opens the address where there is a desktop; elsewhere it has been printed.
fn show(address: &str) {
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

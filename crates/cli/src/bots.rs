//! What a person writes to name a bot, and how it comes to its seat.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;

use quintain_core::{Framing, Manner, PerSeat, Seat, printable};
use quintain_links::{Child, Connection, Housing, Launch, Place, Quarters, listen};
use quintain_registry::{AnyGame, SeatSpec};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use crate::args::StateArg;
use crate::failure::Failure;
use crate::output::remark;

/// A bot as it was written on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BotSpec {
    pub(crate) label: String,
    pub(crate) kind: BotKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BotKind {
    House(String),
    Program(Launch),
    Human,
    Tcp,
}

impl BotSpec {
    /// Reads `[NAME=]BOT`.
    pub(crate) fn parse(text: &str, game: &dyn AnyGame) -> Result<BotSpec, Failure> {
        let (name, bot) = split_name(text);
        let (label, kind) = parse_kind(bot, game)?;
        Ok(BotSpec { label: name.map_or(label, str::to_owned), kind })
    }
}

/// A name stands before the first `=` and holds neither a blank nor a slash, so that neither
/// `./bot --depth=3` nor `a/b=c` is taken for one.
fn split_name(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((name, bot)) if is_name(name) => (Some(name), bot),
        _ => (None, text),
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('-')
        && !text.contains(|c: char| c.is_whitespace() || c == '/')
}

fn parse_kind(bot: &str, game: &dyn AnyGame) -> Result<(String, BotKind), Failure> {
    let facts = game.facts();
    if let Some(name) = bot.strip_prefix("house:") {
        if !facts.house_bots.contains(&name) {
            let known = facts.house_bots.join(", ");
            let game = facts.id;
            return Err(Failure::usage(format!(
                "bot `{bot}`: expected a house bot of {game} ({known}), found `{name}`"
            )));
        }
        return Ok((name.to_owned(), BotKind::House(name.to_owned())));
    }
    match bot {
        "human" => Ok(("human".to_owned(), BotKind::Human)),
        "tcp" => Ok(("tcp".to_owned(), BotKind::Tcp)),
        _ if facts.house_bots.contains(&bot) && !Path::new(bot).exists() => {
            Err(Failure::usage(format!("bot `{bot}`: a house bot is written house:{bot}")))
        }
        _ => {
            let launch = Launch::parse(bot)
                .map_err(|error| Failure::usage(format!("bot `{bot}`: {error}")))?;
            Ok((program_label(bot, &launch), BotKind::Program(launch)))
        }
    }
}

/// What it calls itself; a folder's name; else the script's or the program's, without its ending.
fn program_label(bot: &str, launch: &Launch) -> String {
    let stem =
        |text: &str| Path::new(text).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    if let Some(name) = &launch.nick_name {
        return printable(name).into_owned();
    }
    if launch.folder.is_some() {
        let folder = std::path::absolute(bot).ok();
        let name = folder.as_deref().and_then(Path::file_name);
        return name.map_or_else(|| bot.to_owned(), |name| name.to_string_lossy().into_owned());
    }
    let script = launch.args.iter().find(|arg| Path::new(arg).is_file());
    script.and_then(|script| stem(script)).or_else(|| stem(&launch.program)).unwrap_or_default()
}

/// Both bots of a match; without any, the best house bot plays itself.
pub(crate) fn parse_pair(bots: &[String], game: &dyn AnyGame) -> Result<PerSeat<BotSpec>, Failure> {
    let house = game.facts().house_bots;
    let mut pair = match bots {
        [] => {
            let best = house.last().expect("every game has house bots");
            return parse_pair(&[format!("house:{best}"), format!("house:{best}")], game);
        }
        [first, second] => PerSeat([BotSpec::parse(first, game)?, BotSpec::parse(second, game)?]),
        [one, ..] => {
            return Err(Failure::usage(format!("expected two bots or none, found one: `{one}`")));
        }
    };
    if pair.0.iter().all(|bot| bot.kind == BotKind::Human) {
        return Err(Failure::usage("expected at most one human, found two: there is one terminal"));
    }
    if pair[Seat::First].label == pair[Seat::Second].label {
        pair[Seat::Second].label += " 2";
    }
    Ok(pair)
}

pub(crate) fn seat_specs(bots: &PerSeat<BotSpec>, state: StateArg) -> PerSeat<SeatSpec> {
    PerSeat::from_fn(|seat| {
        let label = bots[seat].label.clone();
        let remote = |manner| SeatSpec { manner, ..SeatSpec::remote(label.clone()) };
        match &bots[seat].kind {
            BotKind::House(name) => {
                SeatSpec { label: label.clone(), ..SeatSpec::house(name.as_str()) }
            }
            BotKind::Program(_) => remote(state.manner()),
            BotKind::Human => remote(Manner::Console),
            // A client has no folder in which files could be put.
            BotKind::Tcp => remote(Manner::Lines),
        }
    })
}

/// How the bots of a match come to their seats.
pub(crate) struct Seating<'a> {
    pub(crate) framing: Framing,
    /// Where clients connect.
    pub(crate) address: &'a str,
    /// For games with state files: how programs are told the state, and housed.
    pub(crate) files: Option<(StateArg, Housing)>,
}

/// Starts programs and waits for clients, first seat first.
pub(crate) fn take_places(
    bots: &PerSeat<BotSpec>,
    seating: &Seating<'_>,
) -> Result<PerSeat<Place>, Failure> {
    let Seating { framing, address, .. } = *seating;
    let listeners = if bots.0.iter().any(|bot| bot.kind == BotKind::Tcp) {
        listen(address).map_err(|error| listen_failure(address, &error))?
    } else {
        Vec::new()
    };
    let place_of = |seat: Seat| -> Result<Place, Failure> {
        let bot = &bots[seat];
        match &bot.kind {
            BotKind::House(_) => Ok(Place::Inside),
            BotKind::Human => Ok(Place::Terminal),
            BotKind::Program(launch) => start(launch, &bot.label, seating.files),
            BotKind::Tcp => {
                remark(format_args!("waiting for {} on {} ...", bot.label, shown(&listeners)?));
                let (stream, peer) = accept(&listeners)?;
                remark(format_args!("{} connected from {peer}", bot.label));
                Ok(Place::Stream(Connection::new(stream, framing)?))
            }
        }
    };
    Ok(PerSeat([place_of(Seat::First)?, place_of(Seat::Second)?]))
}

/// The real addresses, also where the system chose the port.
fn shown(listeners: &[TcpListener]) -> io::Result<String> {
    let addresses: Result<Vec<String>, io::Error> =
        listeners.iter().map(|listener| Ok(listener.local_addr()?.to_string())).collect();
    Ok(addresses?.join(" and "))
}

/// The next client, at whichever address it comes.
fn accept(listeners: &[TcpListener]) -> io::Result<(TcpStream, SocketAddr)> {
    loop {
        let watch = |listener| PollFd::new(listener, PollFlags::IN);
        let mut doors: Vec<PollFd<'_>> = listeners.iter().map(watch).collect();
        match poll(&mut doors, None) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        for (listener, door) in listeners.iter().zip(&doors) {
            if !door.revents().is_empty() {
                return listener.accept();
            }
        }
    }
}

/// The name offered in the environment is free: the bots of a match have different labels.
fn start(
    launch: &Launch,
    label: &str,
    files: Option<(StateArg, Housing)>,
) -> Result<Place, Failure> {
    let mut launch = launch.clone();
    launch.env.push(("QUINTAIN_NAME".to_owned(), label.to_owned()));
    launch.env.push(("QUINTAIN_LINK".to_owned(), "stdio".to_owned()));
    let Some((state, housing)) = files else {
        // The error's own text holds its cause; as a chain it would be said twice.
        let child = Child::spawn(&launch);
        return child
            .map(Place::Process)
            .map_err(|error| Failure::Failed(anyhow::anyhow!("{error}")));
    };
    launch.env.push((StateArg::VARIABLE.to_owned(), state.name().to_owned()));
    let spawned = match house(&mut launch, state)? {
        Some(quarters) => Child::spawn_in(quarters, &launch, housing),
        None => Child::spawn(&launch),
    };
    match spawned {
        Ok(child) => Ok(Place::Process(child)),
        Err(error) => {
            remark(format_args!("{error}; {label} plays on without commands"));
            Ok(Place::Absent)
        }
    }
}

/// A private folder: a copy of the bot's own if it has one, else one beside the files of the
/// current folder. A command that is told everything on standard input needs none.
fn house(launch: &mut Launch, state: StateArg) -> Result<Option<Quarters>, Failure> {
    let made = match (&launch.root, &launch.folder) {
        (Some(root), Some(folder)) => Quarters::copy_of(root, folder),
        _ if state == StateArg::Stdin => return Ok(None),
        _ => {
            launch.anchor_words();
            Quarters::beside(Path::new("."))
        }
    };
    made.map(Some).map_err(|error| {
        let bot = &launch.program;
        Failure::Failed(anyhow::anyhow!("cannot make a private folder for `{bot}`: {error}"))
    })
}

/// A message that says what to do.
pub(crate) fn listen_failure(address: &str, error: &io::Error) -> Failure {
    use io::ErrorKind;
    match error.kind() {
        ErrorKind::AddrInUse => Failure::Failed(anyhow::anyhow!(
            "cannot listen on {address}: the address is in use; stop the other program or choose \
             another with --listen"
        )),
        ErrorKind::InvalidInput => Failure::usage(format!(
            "--listen: expected an address such as 127.0.0.1:8023 or localhost:8023, found \
             `{address}`"
        )),
        // The error names the address.
        _ => Failure::Failed(anyhow::anyhow!("{error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hockey() -> &'static dyn AnyGame {
        quintain_registry::find("hockey").expect("hockey is registered")
    }

    fn usage(bots: &[&str]) -> String {
        let bots: Vec<String> = bots.iter().map(|&bot| bot.to_owned()).collect();
        match parse_pair(&bots, hockey()) {
            Err(Failure::Usage(message)) => message,
            other => panic!("expected a usage failure, found {other:?}"),
        }
    }

    #[test]
    fn a_name_stands_before_the_first_equals_sign() {
        assert_eq!(split_name("a=house:random"), (Some("a"), "house:random"));
        assert_eq!(split_name("./bot --depth=3"), (None, "./bot --depth=3"));
        assert_eq!(split_name("dir/x=y"), (None, "dir/x=y"));
        assert_eq!(split_name("=x"), (None, "=x"));
    }

    #[test]
    fn labels_come_from_what_is_started() {
        let label = |text: &str| BotSpec::parse(text, hockey()).expect("a bot").label;
        assert_eq!(label("house:greedy"), "greedy");
        assert_eq!(label("me=house:greedy"), "me");
        assert_eq!(label("cat -u src/main.rs --fast"), "main");
        assert_eq!(label("python3 -c 'print(1.5)'"), "python3");
        assert_eq!(label("cat"), "cat");
    }

    #[test]
    fn a_bot_that_plays_itself_gets_a_second_name() {
        let bots = ["house:random".to_owned(), "house:random".to_owned()];
        let pair = parse_pair(&bots, hockey()).expect("a pair");
        assert_eq!(pair.0.map(|bot| bot.label), ["random", "random 2"]);
    }

    #[test]
    fn wrong_bots_are_explained() {
        assert!(usage(&["house:best", "cat"]).contains("random, greedy"));
        assert!(usage(&["greedy", "cat"]).contains("house:greedy"));
        assert!(usage(&["human", "human"]).contains("one terminal"));
        assert!(usage(&["cat"]).contains("expected two bots or none"));
        assert!(usage(&["./no/such/bot", "cat"]).contains("./no/such/bot"));
    }
}

//! What a person writes to name a bot, and how it comes to its seat.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};

use quintain_arena::{ContestantKind, StartError, StateFiles, digests_of, split_name, start};
use quintain_core::{Manner, PerSeat, Seat};
use quintain_links::{Connection, Housing, Launch, Place, RealWorld, listen, tidy_up_on_interrupt};
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

    /// Gives a program more of an environment.
    pub(crate) fn give(&mut self, variables: &[(String, String)]) {
        if let BotKind::Program(launch) = &mut self.kind {
            launch.env.extend_from_slice(variables);
        }
    }
}

/// The bot as a program that can be spoken to: a house bot is started from this binary.
pub(crate) fn as_program(bot: BotSpec, game: &dyn AnyGame) -> Result<BotSpec, Failure> {
    let kind = match bot.kind {
        BotKind::House(name) => {
            let own = std::env::current_exe()?;
            BotKind::Program(Launch {
                program: own.to_string_lossy().into_owned(),
                args: vec!["bot".to_owned(), game.facts().id.to_owned(), name],
                ..Launch::default()
            })
        }
        BotKind::Human => {
            return Err(Failure::usage("expected a bot that is a program, found human"));
        }
        kind => kind,
    };
    Ok(BotSpec { kind, ..bot })
}

fn parse_kind(bot: &str, game: &dyn AnyGame) -> Result<(String, BotKind), Failure> {
    match bot {
        "human" => return Ok(("human".to_owned(), BotKind::Human)),
        "tcp" => return Ok(("tcp".to_owned(), BotKind::Tcp)),
        _ => {}
    }
    let parsed = ContestantKind::parse(bot, game);
    let (label, kind) = parsed.map_err(|error| Failure::usage(error.to_string()))?;
    let kind = match kind {
        ContestantKind::House(name) => BotKind::House(name),
        ContestantKind::Program(launch) => BotKind::Program(launch),
    };
    Ok((label, kind))
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
            BotKind::Program(launch) => {
                SeatSpec { files: digests_of(launch), ..remote(state.manner()) }
            }
            BotKind::Human => remote(Manner::Console),
            // A client has no folder in which files could be put.
            BotKind::Tcp => remote(Manner::Lines),
        }
    })
}

/// How the bots of a match come to their seats.
pub(crate) struct Seating<'a> {
    pub(crate) game: &'a dyn AnyGame,
    /// Where clients connect.
    pub(crate) address: &'a str,
    /// In games with state files: how programs are told the state, and housed.
    pub(crate) state: StateArg,
    pub(crate) housing: Housing,
    pub(crate) unstartable: Unstartable,
}

/// What becomes of a bot with state files that cannot be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unstartable {
    /// It plays on without commands, as its original runner has it.
    PlaysOn,
    /// It is an error, as in other games.
    Fails,
}

/// Starts programs and waits for clients, first seat first. The world that a match is played on.
pub(crate) fn take_seats(
    bots: &PerSeat<BotSpec>,
    seating: &Seating<'_>,
) -> Result<RealWorld, Failure> {
    let Seating { game, address, .. } = *seating;
    if game.facts().abilities.state_files {
        tidy_up_on_interrupt()?;
    }
    let framing = game.framing();
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
            BotKind::Program(launch) => seat_program(launch, &bot.label, seating),
            BotKind::Tcp => {
                remark(format_args!("waiting for {} on {} ...", bot.label, shown(&listeners)?));
                let (stream, peer) = accept(&listeners)?;
                remark(format_args!("{} connected from {peer}", bot.label));
                Ok(Place::Stream(Connection::new(stream, framing)?))
            }
        }
    };
    let places = PerSeat([place_of(Seat::First)?, place_of(Seat::Second)?]);
    Ok(RealWorld::new(framing, places))
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

fn seat_program(launch: &Launch, label: &str, seating: &Seating<'_>) -> Result<Place, Failure> {
    let state_files = StateFiles { manner: seating.state.manner(), housing: seating.housing };
    let files = seating.game.facts().abilities.state_files.then_some(state_files);
    match start(launch, label, files) {
        Ok(child) => Ok(Place::Process(child)),
        Err(error @ StartError::Spawn(_))
            if files.is_some() && seating.unstartable == Unstartable::PlaysOn =>
        {
            remark(format_args!("{error}; {label} plays on without commands"));
            Ok(Place::Absent)
        }
        Err(error) => Err(Failure::Failed(anyhow::anyhow!("{error}"))),
    }
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

//! From what a person writes to name a bot to the link of its seat: the only place that reads such a text,
//! and the only one that seats anybody.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quintain_core::{HouseBot, PerSeat, Seat, did_you_mean, printable};
use quintain_links::{
    Child, ConnectingBot, Connection, Halt, LaunchError, Link, Listener, Quarters, RealWorld,
    Sandbox, Seclusion, SpawnError, Starter, accept, anchor_words, listen, read_launch,
};
use quintain_record::{Contestant, Launch, Mind, Occupant, Program, ProgramLink, State};
use quintain_referee::Stop;
use quintain_registry::Playable;

use crate::run::OpenNetwork;

/// What was written names nobody who can play.
#[derive(Debug, thiserror::Error)]
pub enum OccupantError {
    #[error("bot `house:{name}`: expected a house bot of {game} ({known}), found `{name}`{meant}")]
    NoSuchHouseBot { name: String, game: &'static str, known: String, meant: String },
    #[error("bot `{name}`: a house bot is written house:{name}")]
    BareHouseBot { name: String },
    #[error("bot `{bot}`: {error}")]
    Launch { bot: String, error: LaunchError },
    #[error("bot `{bot}`: expected a house bot or a program, since it plays many games")]
    PlaysOnce { bot: String },
    #[error("expected two bots or none, found one: `{bot}`")]
    Alone { bot: String },
    #[error("expected at most one human, found two: there is one terminal")]
    TwoPersons,
}

/// Reads `[NAME=]BOT`. Without a name it is called by what is started. `state` is how a program is told
/// the state.
///
/// # Errors
/// Says what was expected in place of the bot.
pub fn parse(text: &str, game: &dyn Playable, state: State) -> Result<Occupant, OccupantError> {
    match split_name(text) {
        (name, "human") => Ok(Occupant::Person { name: name.unwrap_or("human").to_owned() }),
        (name, "tcp") => Ok(Occupant::Client { name: name.unwrap_or("tcp").to_owned() }),
        _ => parse_contestant(text, game, state).map(Occupant::Contestant),
    }
}

/// Reads one that can play many games.
///
/// # Errors
/// As [`parse`], and if it is somebody who plays once.
pub fn parse_contestant(
    text: &str,
    game: &dyn Playable,
    state: State,
) -> Result<Contestant, OccupantError> {
    let (name, bot) = split_name(text);
    if matches!(bot, "human" | "tcp") {
        return Err(OccupantError::PlaysOnce { bot: bot.to_owned() });
    }
    let (label, mind) = parse_mind(bot, game, state)?;
    let name = name.map_or(label, str::to_owned);
    Ok(Contestant { name, written: bot.to_owned(), mind })
}

/// Both bots of a match, under different names; without any, the best house bot that answers at once plays
/// itself.
///
/// # Errors
/// As [`parse`], and if they are not two, or two at one terminal.
pub fn parse_pair(
    bots: &[String],
    game: &dyn Playable,
    state: State,
) -> Result<PerSeat<Occupant>, OccupantError> {
    let [first, second] = match bots {
        [] => {
            let best = game.facts().quick_house_bot();
            [Contestant::house(best).into(), Contestant::house(best).into()]
        }
        [first, second] => [parse(first, game, state)?, parse(second, game, state)?],
        [one, ..] => return Err(OccupantError::Alone { bot: one.clone() }),
    };
    if first.is_person() && second.is_person() {
        return Err(OccupantError::TwoPersons);
    }
    let name = match second.name() == first.name() {
        true => format!("{} 2", second.name()),
        false => second.name().to_owned(),
    };
    Ok(PerSeat([first, second.named(name)]))
}

/// Reads a BOT without a name, and how it is called.
fn parse_mind(
    bot: &str,
    game: &dyn Playable,
    state: State,
) -> Result<(String, Mind), OccupantError> {
    let facts = game.facts();
    if let Some(name) = bot.strip_prefix("house:") {
        if !facts.has_house_bot(name) {
            let known = HouseBot::list(facts.house_bots);
            let meant = did_you_mean(name, facts.house_bots.iter().map(|bot| bot.name));
            let name = name.to_owned();
            return Err(OccupantError::NoSuchHouseBot { name, game: facts.id, known, meant });
        }
        return Ok((name.to_owned(), Mind::House { bot: name.to_owned() }));
    }
    if facts.has_house_bot(bot) && !Path::new(bot).exists() {
        return Err(OccupantError::BareHouseBot { name: bot.to_owned() });
    }
    let launch =
        read_launch(bot).map_err(|error| OccupantError::Launch { bot: bot.to_owned(), error })?;
    let (label, link) = (program_label(bot, &launch), ProgramLink::Pipes { state });
    Ok((label, Mind::Program(Program { launch, link })))
}

/// A name stands before the first `=` and holds neither a blank nor a slash, so that neither
/// `./bot --depth=3` nor `a/b=c` is taken for one.
pub fn split_name(text: &str) -> (Option<&str>, &str) {
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

/// The variable that tells a program how it is told the state.
pub const STATE_VARIABLE: &str = "QUINTAIN_STATE";

/// The variable that tells a program how it is spoken to. One that names it can talk on standard input and
/// output.
pub const LINK_VARIABLE: &str = "QUINTAIN_LINK";

/// Tells a program that its drawings will be kept: it is 1 in single matches, and not set where many are
/// played.
const DRAW_VARIABLE: &str = "QUINTAIN_DRAW";

/// What a seat needs besides its occupant.
#[derive(Clone, Copy, Debug, Default)]
pub struct SeatNeeds<'a> {
    /// Whether the game has state files.
    pub has_files: bool,
    pub start: StartWhen,
    /// Where programs that connect come in.
    pub listener: Option<&'a Arc<Listener>>,
    /// The network that programs are started in, if it is not that of this process. Only those have one
    /// that are started when they are spoken to.
    pub seclusion: Option<&'a Arc<Seclusion>>,
    /// What holds programs; `None`: they are trusted.
    pub sandbox: Option<&'a Arc<Sandbox>>,
    /// Whether somebody may look at what a program draws: it is told, so that it draws nothing otherwise.
    pub is_watched: bool,
}

/// When a program is started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StartWhen {
    #[default]
    AtOnce,
    /// When there is something to say to it, so that in a lobby the second one is started once the first
    /// was welcomed.
    WhenSpokenTo,
}

/// Why an occupant does not come to its seat.
#[derive(Debug, thiserror::Error)]
pub enum SeatingError {
    #[error("cannot make a private folder for `{program}`: {error}")]
    Quarters { program: String, error: io::Error },
    // The error's own text holds its cause; as a chain it would be said twice.
    #[error("{0}")]
    Spawn(SpawnError),
    #[error("{0}")]
    Listener(#[from] io::Error),
    // The error names the address.
    #[error("{error}")]
    Listen { address: String, error: io::Error },
    #[error("nobody connected to {} as {name} within {} s", addresses_in_words(addresses), waited.as_secs_f64())]
    NobodyCame { name: String, addresses: Vec<SocketAddr>, waited: Duration },
    #[error("stopped while a client was waited for")]
    Stopped,
}

/// All of them, as they are told.
pub fn addresses_in_words(addresses: &[SocketAddr]) -> String {
    let words: Vec<String> = addresses.iter().map(ToString::to_string).collect();
    words.join(" and ")
}

/// The link to a contestant, on the thread that plays the match. The name offered in its environment is
/// free: the bots of a match have different names.
///
/// # Errors
/// The system refused a folder or the program.
///
/// # Panics
/// If it connects and there is no listener.
pub fn take_seat(bot: &Contestant, needs: &SeatNeeds<'_>) -> Result<Link, SeatingError> {
    let Mind::Program(Program { launch, link }) = &bot.mind else { return Ok(Link::inside()) };
    let mut launch = launch.clone();
    launch.env.push(("QUINTAIN_NAME".to_owned(), bot.name.clone()));
    if needs.is_watched {
        launch.env.push((DRAW_VARIABLE.to_owned(), "1".to_owned()));
    }
    let connects = match *link {
        ProgramLink::Pipes { .. } => {
            launch.env.push((LINK_VARIABLE.to_owned(), "stdio".to_owned()));
            None
        }
        ProgramLink::Connects { admission } => {
            let listener = needs.listener.expect("who connects needs a listener");
            launch.env.extend(meeting_point(listener)?);
            Some((Arc::clone(listener), admission))
        }
    };
    match (*link, needs.start) {
        (ProgramLink::Pipes { state }, StartWhen::AtOnce) => {
            let state = needs.has_files.then_some(state);
            Ok(Link::process(start(launch, state, needs.sandbox.map(AsRef::as_ref))?))
        }
        _ => {
            let (seclusion, sandbox) = (needs.seclusion.cloned(), needs.sandbox.cloned());
            Ok(Link::connecting(ConnectingBot { launch, connects, seclusion, sandbox }))
        }
    }
}

/// Starts the bot as for a game and ends it at once: what keeps it from starting is known before the first
/// game. A house bot needs no starting.
///
/// # Errors
/// As [`take_seat`].
pub fn try_start(
    bot: &Contestant,
    has_files: bool,
    sandbox: Option<&Arc<Sandbox>>,
) -> Result<(), SeatingError> {
    take_seat(bot, &SeatNeeds { has_files, sandbox, ..SeatNeeds::default() }).map(drop)
}

/// Starts a program; `state` is set in games that have state files.
fn start(
    mut launch: Launch,
    state: Option<State>,
    sandbox: Option<&Sandbox>,
) -> Result<Child, SeatingError> {
    let starter = Starter { sandbox, seclusion: None };
    let Some(state) = state else {
        return starter.spawn(&launch).map_err(SeatingError::Spawn);
    };
    launch.env.push((STATE_VARIABLE.to_owned(), state.name().to_owned()));
    let keep_rounds = match state {
        State::Files { keep_rounds } => keep_rounds,
        State::Stdin => None,
    };
    let spawned = match house(&mut launch, state)? {
        Some(quarters) => starter.spawn_in(quarters, &launch, keep_rounds),
        None => starter.spawn(&launch),
    };
    spawned.map_err(SeatingError::Spawn)
}

/// A private folder: a copy of the bot's own if it has one, else one beside the files of the
/// current folder. A command that is told everything on standard input needs none.
fn house(launch: &mut Launch, state: State) -> Result<Option<Quarters>, SeatingError> {
    let made = match (&launch.root, &launch.folder) {
        (Some(root), Some(folder)) => Quarters::copy_of(root, folder),
        _ if state == State::Stdin => return Ok(None),
        _ => {
            anchor_words(launch);
            Quarters::beside(Path::new("."))
        }
    };
    let program = &launch.program;
    made.map(Some).map_err(|error| SeatingError::Quarters { program: program.clone(), error })
}

/// Where to connect, for programs that ask. An address that means all of this machine's cannot be
/// connected to everywhere.
fn meeting_point(listener: &Listener) -> io::Result<[(String, String); 2]> {
    let addresses = listener.addresses()?;
    let address = addresses.first().expect("a listener has a socket");
    let host = match address.ip() {
        ip if ip.is_unspecified() && ip.is_ipv4() => "127.0.0.1".to_owned(),
        ip if ip.is_unspecified() => "::1".to_owned(),
        ip => ip.to_string(),
    };
    Ok([
        ("QUINTAIN_HOST".to_owned(), host),
        ("QUINTAIN_PORT".to_owned(), address.port().to_string()),
    ])
}

/// What happens while the occupants of a match come to their seats.
#[derive(Debug)]
pub enum SeatNews<'a> {
    /// A client is waited for at these addresses.
    Awaited {
        name: &'a str,
        addresses: &'a [SocketAddr],
    },
    Connected {
        name: &'a str,
        from: SocketAddr,
    },
    /// The teams of an evaluation have the network of this machine.
    OpenNetwork(&'a OpenNetwork),
    /// The bot could not be started and plays on without commands, as its original runner has it.
    Absent {
        name: &'a str,
        error: &'a SeatingError,
    },
}

/// How the occupants of a single match come to their seats.
pub struct Seating<'a> {
    /// Where clients connect.
    pub address: &'a str,
    /// How long each of them is waited for; `None`: for ever.
    pub client_limit: Option<Duration>,
    /// Ends the wait for them.
    pub stop: Stop,
    /// Whether a bot with state files that cannot be started plays on without commands. Otherwise it is an
    /// error, as in other games.
    pub absent_plays_on: bool,
    /// Where persons read and write; `None`: on this process's own input and output.
    pub persons: PerSeat<Option<UnixStream>>,
    /// What holds programs; `None`: they are trusted.
    pub sandbox: Option<Arc<Sandbox>>,
    /// Is told of what happens meanwhile.
    pub tell: &'a mut dyn FnMut(SeatNews<'_>),
}

/// Starts programs and waits for clients, first seat first. The world that a match is played on.
///
/// # Errors
/// Nobody can be listened for, nobody came in time, or somebody cannot be started.
///
/// # Panics
/// If two persons are at the terminal of this process: lines from it could not be told apart.
pub fn take_seats(
    game: &dyn Playable,
    occupants: &PerSeat<Occupant>,
    seating: &mut Seating<'_>,
) -> Result<RealWorld, SeatingError> {
    let sockets = match occupants.0.iter().any(|one| matches!(one, Occupant::Client { .. })) {
        true => listen(seating.address)
            .map_err(|error| SeatingError::Listen { address: seating.address.to_owned(), error })?,
        false => Vec::new(),
    };
    let at_terminal =
        |seat: &Seat| occupants[*seat].is_person() && seating.persons[*seat].is_none();
    assert!(!Seat::BOTH.iter().all(at_terminal), "one terminal cannot hold both seats");
    let mut link_of = |seat: Seat| match &occupants[seat] {
        Occupant::Person { .. } => Ok(match seating.persons[seat].take() {
            Some(stream) => Link::screen(stream)?,
            None => Link::terminal()?,
        }),
        Occupant::Client { name } => wait_for_client(name, &sockets, game, seating),
        Occupant::Contestant(bot) => {
            let has_files = game.facts().abilities.state_files;
            let sandbox = seating.sandbox.as_ref();
            let needs = SeatNeeds { has_files, is_watched: true, sandbox, ..SeatNeeds::default() };
            match take_seat(bot, &needs) {
                Err(error @ SeatingError::Spawn(_)) if has_files && seating.absent_plays_on => {
                    (seating.tell)(SeatNews::Absent { name: &bot.name, error: &error });
                    Ok(Link::absent())
                }
                link => link,
            }
        }
    };
    let links = PerSeat([link_of(Seat::First)?, link_of(Seat::Second)?]);
    Ok(RealWorld::new(game.framing(), links))
}

fn wait_for_client(
    name: &str,
    sockets: &[TcpListener],
    game: &dyn Playable,
    seating: &mut Seating<'_>,
) -> Result<Link, SeatingError> {
    let addresses: Vec<SocketAddr> =
        sockets.iter().map(TcpListener::local_addr).collect::<Result<_, _>>()?;
    (seating.tell)(SeatNews::Awaited { name, addresses: &addresses });
    let at = seating.client_limit.map(|limit| Instant::now() + limit);
    let halt = Halt { stop: Some(seating.stop.clone()), at };
    let Some((stream, from)) = accept(sockets, &halt)? else {
        return Err(match seating.client_limit {
            Some(waited) if !seating.stop.is_broken_off() => {
                SeatingError::NobodyCame { name: name.to_owned(), addresses, waited }
            }
            _ => SeatingError::Stopped,
        });
    };
    (seating.tell)(SeatNews::Connected { name, from });
    Ok(Link::stream(Connection::new(stream, game.framing())?))
}

#[cfg(test)]
mod tests {
    use quintain_core::Manner;

    use super::*;

    fn game(name: &str) -> &'static dyn Playable {
        quintain_registry::find(name).expect("it is registered")
    }

    #[test]
    fn every_text_has_its_occupant_and_manner() {
        let files = State::Files { keep_rounds: None };
        let pipes = |program: &str, args: &[&str], state| {
            let args = args.iter().map(|&arg| arg.to_owned()).collect();
            let launch = Launch { program: program.to_owned(), args, ..Launch::default() };
            Mind::Program(Program { launch, link: ProgramLink::Pipes { state } })
        };
        let house = |bot: &str| Mind::House { bot: bot.to_owned() };
        let contestant = |name: &str, written: &str, mind: Mind| {
            let (name, written) = (name.to_owned(), written.to_owned());
            Occupant::Contestant(Contestant { name, written, mind })
        };
        let person = |name: &str| Occupant::Person { name: name.to_owned() };
        let client = |name: &str| Occupant::Client { name: name.to_owned() };
        let cases = [
            (
                "house:greedy",
                files,
                contestant("greedy", "house:greedy", house("greedy")),
                Manner::Inside,
            ),
            (
                "me=house:greedy",
                State::Stdin,
                contestant("me", "house:greedy", house("greedy")),
                Manner::Inside,
            ),
            ("cat", files, contestant("cat", "cat", pipes("cat", &[], files)), Manner::Files),
            (
                "cat",
                State::Stdin,
                contestant("cat", "cat", pipes("cat", &[], State::Stdin)),
                Manner::Lines,
            ),
            (
                "a=cat -u",
                files,
                contestant("a", "cat -u", pipes("cat", &["-u"], files)),
                Manner::Files,
            ),
            (
                "cat --depth=3",
                files,
                contestant("cat", "cat --depth=3", pipes("cat", &["--depth=3"], files)),
                Manner::Files,
            ),
            ("human", files, person("human"), Manner::Console),
            ("eve=human", State::Stdin, person("eve"), Manner::Console),
            ("tcp", files, client("tcp"), Manner::Lines),
            ("guest=tcp", State::Stdin, client("guest"), Manner::Lines),
        ];
        for (text, state, expected, manner) in cases {
            let occupant = parse(text, game("hockey"), state).expect(text);
            assert_eq!(occupant, expected, "{text}");
            assert_eq!(occupant.manner(), manner, "{text}");
            let is_inside = manner == Manner::Inside;
            assert_eq!(occupant.is_outside(), !is_inside, "{text}");
            assert_eq!(occupant.house_bot().is_some(), is_inside, "{text}");
            assert_eq!(occupant.is_timed(), manner != Manner::Console, "{text}");
            let plays_once = matches!(occupant, Occupant::Person { .. } | Occupant::Client { .. });
            let contestant = parse_contestant(text, game("hockey"), state);
            assert_eq!(contestant.is_err(), plays_once, "{text}");
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
    fn names_come_from_what_is_started() {
        let parse = |text: &str| parse_contestant(text, game("hockey"), State::default());
        let name = |text: &str| parse(text).expect("a bot").name;
        assert_eq!(name("cat -u src/lib.rs --fast"), "lib");
        assert_eq!(name("python3 -c 'print(1.5)'"), "python3");
    }

    #[test]
    fn wrong_bots_are_explained() {
        let check = |text: &str, expected: &str| {
            let parsed = parse_contestant(text, game("hockey"), State::default());
            let error = parsed.expect_err(text).to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("house:best", "expected a house bot of hockey (random, ");
        check("house:gredy", "; did you mean `greedy`?");
        check("greedy", "a house bot is written house:greedy");
        check("me=human", "bot `human`: expected a house bot or a program");
        check("tcp", "since it plays many games");
        check("./no/such/bot", "./no/such/bot");
    }

    #[test]
    fn a_pair_is_two_bots_with_different_names() {
        let pair = |bots: &[&str]| {
            let bots: Vec<String> = bots.iter().map(|&bot| bot.to_owned()).collect();
            parse_pair(&bots, game("hockey"), State::default())
        };
        let names =
            |bots: &[&str]| pair(bots).expect("a pair").map(|_, one| one.name().to_owned()).0;
        assert_eq!(names(&["house:random", "house:random"]), ["random", "random 2"]);
        assert_eq!(names(&["a=cat", "b=cat"]), ["a", "b"]);
        assert_eq!(names(&[]).map(|name| name.len() > 2), [true, true]);
        let error = |bots: &[&str]| pair(bots).expect_err("no pair").to_string();
        assert!(error(&["human", "human"]).contains("one terminal"));
        assert!(error(&["cat"]).contains("expected two bots or none"));
        assert!(error(&["house:best", "cat"]).contains("(random, "));
    }
}

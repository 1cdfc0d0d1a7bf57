//! The TCP host with a toy lobby: clients that come, wait, play, leave and misbehave.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use quintain_core::{
    Client, Framing, Item, LineEnds, Lobby, LobbyStep, Opening, PerSeat, Seat, TableId,
};
use quintain_links::{HostReport, HostSettings, TableMatch, host, limits, listen};
use quintain_referee::{Heard, Incoming, Stop, Wait, World};

const FRAMING: Framing =
    Framing { line_ends_in: LineEnds::Any, line_end_out: "\r\n", line_bytes_max: 100 };

/// Far more than anything here takes, so that a busy machine does not fail a test.
const LONG: Duration = Duration::from_secs(30);

/// Seats any two clients with different names. `quit` is sent away, `chatter` is answered at
/// length.
#[derive(Default)]
struct ToyLobby {
    names: BTreeMap<Client, String>,
    waiting: Option<Client>,
    tables: Vec<Option<PerSeat<Client>>>,
    log: Arc<Mutex<Vec<String>>>,
}

impl ToyLobby {
    fn named(&mut self, client: Client, out: &mut Vec<LobbyStep>) {
        let Some(other) = self.waiting.take() else {
            self.waiting = Some(client);
            out.push(LobbyStep::Say(client, "wait".into()));
            return;
        };
        let clients = PerSeat([other, client]);
        let table = self.tables.iter().position(Option::is_none).unwrap_or(self.tables.len());
        self.tables.resize(self.tables.len().max(table + 1), None);
        self.tables[table] = Some(clients);
        let names = clients.map(|_, client| self.names[&client].clone());
        out.push(LobbyStep::Say(client, "seated".into()));
        out.push(LobbyStep::Say(other, "seated".into()));
        let opening = Opening::new(names);
        out.push(LobbyStep::Seated { table: TableId(table), clients, opening });
    }
}

impl Lobby for ToyLobby {
    fn connect(&mut self, client: Client, out: &mut Vec<LobbyStep>) {
        out.push(LobbyStep::Say(client, "name?".into()));
    }

    fn line(&mut self, client: Client, line: &[u8], out: &mut Vec<LobbyStep>) {
        let name = String::from_utf8_lossy(line).into_owned();
        match name.as_str() {
            "quit" => {
                out.push(LobbyStep::Say(client, "bye".into()));
                out.push(LobbyStep::Close(client));
            }
            "chatter" => {
                out.extend((0..1000).map(|_| LobbyStep::Say(client, "blah ".repeat(100))));
            }
            _ if self.names.contains_key(&client) => {}
            _ if self.names.values().any(|taken| *taken == name) => {
                out.push(LobbyStep::Say(client, format!("{name} is taken")));
            }
            _ => {
                self.names.insert(client, name);
                self.named(client, out);
            }
        }
    }

    fn has_name(&self, client: Client) -> bool {
        self.names.contains_key(&client)
    }

    fn disconnect(&mut self, client: Client, _out: &mut Vec<LobbyStep>) {
        self.names.remove(&client);
        self.waiting = self.waiting.filter(|waiting| *waiting != client);
        self.log.lock().expect("no test panics with it").push(format!("left {}", client.0));
    }

    fn over(&mut self, table: TableId, next_message_id: u64, _out: &mut Vec<LobbyStep>) {
        let clients = self.tables[table.0].take().expect("the table had a match");
        for (_, client) in clients.iter() {
            self.names.remove(client);
        }
        let entry = format!("table {} over at {next_message_id}", table.0);
        self.log.lock().expect("no test panics with it").push(entry);
    }
}

/// A host on its own thread.
struct Host {
    address: SocketAddr,
    stop: Stop,
    log: Arc<Mutex<Vec<String>>>,
    thread: JoinHandle<HostReport>,
}

impl Host {
    fn start(settings: HostSettings, table: impl Fn(TableMatch) + Send + Sync + 'static) -> Host {
        let listeners = listen("localhost:0").expect("a free port exists");
        let address = listeners[0].local_addr().expect("it is bound");
        let stop = Stop::default();
        let log = Arc::new(Mutex::new(Vec::new()));
        let lobby = Box::new(ToyLobby { log: Arc::clone(&log), ..ToyLobby::default() });
        let sign = stop.clone();
        let thread = std::thread::spawn(move || {
            host(listeners, lobby, FRAMING, settings, &sign, Arc::new(table)).expect("it waits")
        });
        Host { address, stop, log, thread }
    }

    fn connect(&self) -> TestClient {
        TestClient::connect(self.address)
    }

    /// Two clients that are through the lobby, the first of them on the first seat.
    fn seat_two(&self) -> [TestClient; 2] {
        let mut first = self.connect();
        first.say("first\r\n");
        first.expect(&["name?", "wait"]);
        let mut second = self.connect();
        second.say("second\r\n");
        second.expect(&["name?", "seated"]);
        first.expect(&["seated"]);
        [first, second]
    }

    fn stop(self) -> HostReport {
        self.stop.no_more_matches();
        self.thread.join().expect("the host does not panic")
    }

    /// Waits until the lobby was told something.
    fn await_log(&self, entry: &str) {
        let begun = std::time::Instant::now();
        while !self.log.lock().expect("no test panics with it").iter().any(|got| got == entry) {
            assert!(begun.elapsed() < LONG, "the lobby was not told: {entry}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

struct TestClient {
    lines: BufReader<TcpStream>,
}

impl TestClient {
    fn connect(address: SocketAddr) -> TestClient {
        let stream = TcpStream::connect(address).expect("the host listens");
        stream.set_read_timeout(Some(LONG)).expect("a timeout can be set");
        TestClient { lines: BufReader::new(stream) }
    }

    fn say(&mut self, text: &str) {
        self.lines.get_mut().write_all(text.as_bytes()).expect("the host is there");
    }

    fn expect(&mut self, lines: &[&str]) {
        for expected in lines {
            let mut line = String::new();
            self.lines.read_line(&mut line).expect("a line comes in time");
            assert_eq!(line, format!("{expected}\r\n"));
        }
    }

    /// The connection is closed from the other side, one way or the other.
    fn expect_end(&mut self) {
        let mut rest = Vec::new();
        match self.lines.read_to_end(&mut rest) {
            Ok(_) => assert_eq!(String::from_utf8_lossy(&rest), ""),
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset),
        }
    }
}

fn send(world: &mut impl World, seat: Seat, line: &str) {
    world.send(seat, &Item::Line(line.into()));
}

/// A match in which each seat must say one line, the first one first.
fn short_match(mut the_match: TableMatch) {
    let world = &mut the_match.world;
    let mut early = PerSeat([None, None]);
    for seat in Seat::BOTH {
        send(world, seat, "your turn");
        let until = world.now() + LONG;
        while early[seat].is_none() {
            let incoming = world.next(Some(until)).incoming().expect("both seats say something");
            early[incoming.seat].get_or_insert(match incoming.heard {
                Heard::Line(line) => String::from_utf8_lossy(&line).into_owned(),
                other => format!("{other:?}"),
            });
        }
        let heard = early[seat].as_deref().expect("the loop ended");
        for listener in Seat::BOTH {
            let line = format!("{} said {heard}", the_match.opening.names[seat]);
            send(world, listener, &line);
        }
    }
    (the_match.on_over)(the_match.number + 100);
    the_match.world.finish();
}

#[test]
fn two_clients_play_and_may_come_back_under_their_names() {
    let host = Host::start(HostSettings::default(), short_match);
    for number in 1..=3 {
        let [mut first, mut second] = host.seat_two();
        first.expect(&["your turn"]);
        first.say("a\n");
        first.expect(&["first said a"]);
        second.expect(&["first said a", "your turn"]);
        second.say("b\r");
        for client in [&mut first, &mut second] {
            client.expect(&["second said b"]);
            client.expect_end();
        }
        host.await_log(&format!("table 0 over at {}", number + 100));
    }
    assert_eq!(host.stop(), HostReport { games_finished: 3, games_aborted: 0 });
}

#[test]
fn lines_behind_the_name_belong_to_the_match() {
    let host = Host::start(HostSettings::default(), short_match);
    let mut first = host.connect();
    first.say("first\r\n");
    first.expect(&["name?", "wait"]);
    let mut second = host.connect();
    // The rest of the line end comes later and is no line of the match.
    second.say("second\r");
    second.expect(&["name?", "seated"]);
    second.say("\nearly\r\n");
    first.say("a\r\n");
    first.expect(&["seated", "your turn", "first said a", "second said early"]);
    second.expect(&["first said a", "your turn", "second said early"]);

    let mut third = host.connect();
    third.say("third\r\n");
    third.expect(&["name?", "wait"]);
    let mut fourth = host.connect();
    fourth.say("third\rfourth\r\nat once\n");
    third.expect(&["seated"]);
    third.say("c\n");
    fourth.expect(&["name?", "third is taken", "seated"]);
    fourth.expect(&["third said c", "your turn", "fourth said at once"]);
    assert_eq!(host.stop().games_finished, 2);
}

#[test]
fn clients_may_leave_at_every_stage() {
    let host = Host::start(HostSettings::default(), short_match);
    drop(host.connect());
    host.await_log("left 1");
    let mut unfinished = host.connect();
    unfinished.say("half a na");
    unfinished.expect(&["name?"]);
    drop(unfinished);
    host.await_log("left 2");
    let mut waiting = host.connect();
    waiting.say("first\n");
    waiting.expect(&["name?", "wait"]);
    drop(waiting);
    host.await_log("left 3");
    let mut sent_away = host.connect();
    sent_away.say("quit\nquit\nmore\n");
    sent_away.expect(&["name?", "bye"]);
    sent_away.expect_end();

    let [first, mut second] = host.seat_two();
    drop(first);
    second.expect(&["first said Closed(Closed)", "your turn"]);
    drop(second);
    host.await_log("table 0 over at 101");

    let [mut first, mut second] = host.seat_two();
    first.say("a\n");
    second.say("b\n");
    second.expect(&["first said a", "your turn", "second said b"]);
    assert_eq!(host.stop(), HostReport { games_finished: 2, games_aborted: 0 });
}

#[test]
fn a_match_is_broken_off_with_its_host() {
    let host = Host::start(HostSettings::default(), |mut the_match| {
        assert!(matches!(the_match.world.next(None), Wait::Stopped), "nobody says anything");
    });
    let _clients = host.seat_two();
    host.stop.break_off();
    assert_eq!(host.stop(), HostReport { games_finished: 0, games_aborted: 1 });
}

#[test]
fn an_overlong_line_in_the_lobby_ends_the_connection() {
    let host = Host::start(HostSettings::default(), short_match);
    let mut client = host.connect();
    client.expect(&["name?"]);
    client.say(&"x".repeat(101));
    client.expect_end();
    host.await_log("left 1");
    host.stop();
}

#[test]
fn a_client_that_does_not_read_is_dropped() {
    let host = Host::start(HostSettings::default(), short_match);
    let mut client = host.connect();
    for _ in 0..100_000 {
        if client.lines.get_mut().write_all(b"chatter\n").is_err() {
            break;
        }
        if host.log.lock().expect("no test panics with it").contains(&"left 1".to_owned()) {
            break;
        }
    }
    host.await_log("left 1");
    host.stop();
}

#[test]
fn silent_clients_disturb_nobody() {
    let host = Host::start(HostSettings::default(), short_match);
    let silent: Vec<TestClient> = (0..200).map(|_| host.connect()).collect();
    let [mut first, mut second] = host.seat_two();
    first.say("a\n");
    second.say("b\n");
    second.expect(&["first said a", "your turn", "second said b"]);
    second.expect_end();
    assert_eq!(host.stop().games_finished, 1);
    for mut client in silent {
        client.expect(&["name?"]);
        client.expect_end();
    }
}

#[test]
fn a_newcomer_takes_the_place_of_who_was_silent_longest() {
    let settings = HostSettings { connections_max: 2, ..HostSettings::default() };
    let host = Host::start(settings, short_match);
    let mut early: Vec<TestClient> = (0..2).map(|_| host.connect()).collect();
    for client in &mut early {
        client.expect(&["name?"]);
    }
    host.connect().expect(&["name?"]);
    early[0].expect_end();
    host.await_log("left 1");
    host.stop();
}

#[test]
fn a_newcomer_is_turned_away_when_all_have_given_their_names() {
    let settings = HostSettings { connections_max: 2, ..HostSettings::default() };
    let host = Host::start(settings, short_match);
    let [mut first, mut second] = host.seat_two();
    host.connect().expect_end();
    first.say("a\n");
    second.say("b\n");
    second.expect(&["first said a", "your turn", "second said b"]);
    host.stop();
}

#[test]
fn a_host_of_few_games_sends_the_others_away_and_returns() {
    let settings = HostSettings { games_max: Some(1), ..HostSettings::default() };
    let host = Host::start(settings, short_match);
    let mut idle = host.connect();
    idle.expect(&["name?"]);
    let [mut first, mut second] = host.seat_two();
    idle.expect_end();
    first.say("a\n");
    second.say("b\n");
    second.expect(&["first said a", "your turn", "second said b"]);
    let report = host.thread.join().expect("the host does not panic");
    assert_eq!(report, HostReport { games_finished: 1, games_aborted: 0 });
}

#[test]
fn a_panic_aborts_one_match_and_frees_its_names() {
    let host = Host::start(HostSettings::default(), |the_match: TableMatch| {
        if the_match.number == 1 {
            std::panic::resume_unwind(Box::new("a match that fails"));
        }
        short_match(the_match);
    });
    let [mut first, mut second] = host.seat_two();
    first.expect_end();
    second.expect_end();
    host.await_log("table 0 over at 1");
    let [mut first, mut second] = host.seat_two();
    first.say("a\n");
    second.say("b\n");
    second.expect(&["first said a", "your turn", "second said b"]);
    assert_eq!(host.stop(), HostReport { games_finished: 1, games_aborted: 1 });
}

/// A table that gives what it hears to the test and takes what it shall say from there.
fn open_table() -> (impl Fn(TableMatch) + Send + Sync, Receiver<Incoming>, Sender<Option<String>>) {
    let (heard_to, heard) = channel();
    let (say, say_from) = channel::<Option<String>>();
    let say_from = Mutex::new(say_from);
    let table = move |mut the_match: TableMatch| {
        for line in say_from.lock().expect("one match at a time").iter() {
            match line {
                Some(line) => send(&mut the_match.world, Seat::First, &line),
                None => break,
            }
            if let Wait::Came(incoming) = the_match.world.next(Some(the_match.world.now() + LONG)) {
                heard_to.send(incoming).expect("the test waits");
            }
        }
        send(&mut the_match.world, Seat::First, "the last message");
        send(&mut the_match.world, Seat::Second, "the last message");
        (the_match.on_over)(7);
        the_match.world.finish();
    };
    (table, heard, say)
}

#[test]
fn the_last_message_arrives_although_the_client_still_talks() {
    let (table, heard, say) = open_table();
    let host = Host::start(HostSettings::default(), table);
    let [mut first, mut second] = host.seat_two();
    say.send(Some("one".into())).expect("the table listens");
    first.expect(&["one"]);
    first.say(&"talk talk talk\r\n".repeat(2000));
    let incoming = heard.recv_timeout(LONG).expect("the table hears it");
    assert_eq!(incoming.heard, Heard::Line(b"talk talk talk".to_vec()));
    say.send(None).expect("the table listens");
    for client in [&mut first, &mut second] {
        client.expect(&["the last message"]);
        client.expect_end();
    }
    assert_eq!(host.stop().games_finished, 1);
}

#[test]
fn localhost_is_heard_on_both_addresses_and_a_used_port_is_named() {
    let listeners = listen("localhost:0").expect("a free port exists");
    let port = listeners[0].local_addr().expect("it is bound").port();
    for listener in &listeners {
        let address = listener.local_addr().expect("it is bound");
        assert!(address.ip().is_loopback() && address.port() == port);
        TcpStream::connect(address).expect("it listens");
    }
    let error = listen(&format!("127.0.0.1:{port}")).expect_err("the port is taken");
    assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
    assert!(error.to_string().contains(&format!("127.0.0.1:{port}")), "{error}");
    assert!(listen("localhost:http").is_err());
    const { assert!(limits::CONNECTIONS_MAX >= 200) };
}

//! A host that runs out of descriptors, in a process of its own.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::client::{RawClient, rush};
use crate::server::{Turn, busy_time, serve};

/// For everything that the process has open.
const DESCRIPTORS: usize = 40;
const CLIENTS: usize = 60;
/// Who stays when the others leave.
const STAY: usize = 20;
const A_WHILE: Duration = Duration::from_millis(500);
const ANNOUNCEMENT: &str = "few descriptors on ";

/// Not a test of its own: the process that the test below starts. It serves until its input ends.
#[test]
#[ignore = "the host of another test"]
fn host_with_few_descriptors() {
    let server = serve(Duration::from_secs(20));
    println!("\n{ANNOUNCEMENT}{}", server.address);
    let mut rest = Vec::new();
    let ended = std::io::stdin().read_to_end(&mut rest);
    ended.expect("the test closes this when it is done");
    assert_eq!(server.stop().len(), 1);
}

fn start_host() -> (Child, SocketAddr) {
    let this = std::env::current_exe().expect("a test knows its program");
    let mut host = Command::new("sh")
        .args(["-c", "ulimit -n \"$1\" && shift && exec \"$@\"", "sh"])
        .arg(DESCRIPTORS.to_string())
        .arg(this)
        .args(["--exact", "descriptors::host_with_few_descriptors"])
        .args(["--ignored", "--nocapture"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell exists");
    let output = BufReader::new(host.stdout.take().expect("it is piped"));
    let mut lines = output.lines().map(|line| line.expect("a line of text"));
    let address = lines
        .find_map(|line| line.strip_prefix(ANNOUNCEMENT)?.parse().ok())
        .expect("the host says where it is");
    // The rest is read, so that the host never waits for it.
    std::thread::spawn(move || lines.for_each(drop));
    (host, address)
}

#[test]
fn a_host_without_free_descriptors_waits_quietly_and_serves_when_there_are_some() {
    let _turn = Turn::shared();
    let (mut host, address) = start_host();
    let mut clients: Vec<RawClient> = (0..CLIENTS).map(|_| RawClient::connect(address)).collect();
    clients[0].expect("What's your name?\r\n");
    let before = busy_time(host.id());
    clients[CLIENTS - 1].expect_silence(A_WHILE);
    // A host that tries without pause is busy all the time.
    let busy = busy_time(host.id()).saturating_sub(before);
    assert!(busy < A_WHILE / 2, "busy for {busy:?} with waiting");

    let mut staying = clients.split_off(CLIENTS - STAY);
    drop(clients);
    for client in &mut staying {
        client.expect("What's your name?\r\n");
    }
    let names = ["Ann", "Bob"];
    let mut pair = [staying.pop(), staying.pop()].map(|client| client.expect("twenty stay"));
    for (seat, client) in pair.iter_mut().enumerate() {
        client.say(&format!("{}\r\n", names[seat]));
        client.expect(&format!("Welcome, {} you're player {seat}!\r\n", names[seat]));
    }
    let heard = rush(pair, names);
    let last = heard[0].last().expect("the game was won");
    assert!(last.starts_with("Ann won a goal was made - "), "{last}");
    drop(host.stdin.take());
    let status = host.wait().expect("it was started here");
    assert!(status.success(), "{status}");
}

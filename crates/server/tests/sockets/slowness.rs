//! Clients that take their time, or never go.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use crate::matches::{PATIENCE, served};

/// How long a client may say nothing; a little more than the server grants.
const SILENCE: Duration = Duration::from_secs(15);

#[test]
fn who_does_not_say_what_it_wants_is_sent_away() {
    let served = served();
    for begun in ["", "GET / HTT", "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "] {
        let mut stream = served.connect();
        stream.write_all(begun.as_bytes()).expect("it listens");
        let start = Instant::now();
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        assert!(start.elapsed() < SILENCE, "{begun:?} was waited for {:?}", start.elapsed());
    }
}

/// More than there are places for: those who hold them are sent away, and others come in.
#[test]
fn a_crowd_of_half_open_clients_keeps_nobody_out_for_long() {
    let served = served();
    let crowd: Vec<TcpStream> = (0..300)
        .map(|number| {
            let mut stream = served.connect();
            if number % 2 == 0 {
                let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: loc");
            }
            if number % 3 == 0 {
                let _ = stream.shutdown(Shutdown::Write);
            }
            stream
        })
        .collect();
    let start = Instant::now();
    assert_eq!(served.get("/").status, 200);
    assert!(start.elapsed() < SILENCE, "waited for {:?}", start.elapsed());
    drop(crowd);
}

/// It is the client's fault and is said so.
#[test]
fn who_does_not_send_what_it_announces_is_told_that_it_did_not_come() {
    let served = served();
    for announced in ["Transfer-Encoding: chunked", "Content-Length: 5"] {
        let mut stream = served.connect();
        let form = "Content-Type: application/x-www-form-urlencoded";
        let head = format!("POST /play/hockey HTTP/1.1\r\nHost: {}\r\n{form}", served.address);
        write!(stream, "{head}\r\n{announced}\r\n\r\n").expect("it listens");
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).expect("an answer");
        assert_eq!(&answer, b"HTTP/1.1 408", "{announced}");
    }
}

#[test]
fn who_drips_a_request_is_not_waited_for() {
    let served = served();
    let mut stream = served.connect();
    stream.write_all(b"GET / HTTP/1.1\r\n").expect("it listens");
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if stream.write_all(b"X-Drip: 1\r\n").is_err() {
            break;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(start.elapsed() < SILENCE, "it could drip for {:?}", start.elapsed());
}

#[test]
fn a_head_without_end_is_cut_off() {
    let served = served();
    let long = format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "a".repeat(1_000_000));
    let reply = served.try_ask(long.as_bytes());
    assert!(reply.is_none_or(|reply| (400..500).contains(&reply.status)));
    let many = "X-Header: 1\r\n".repeat(1000);
    let many = format!("GET / HTTP/1.1\r\nHost: localhost\r\n{many}\r\n");
    let reply = served.try_ask(many.as_bytes());
    assert!(reply.is_none_or(|reply| (400..500).contains(&reply.status)));
    assert_eq!(served.get("/").status, 200);
}

/// Whoever asks for much and reads nothing is in nobody's way.
#[test]
fn who_does_not_read_its_answer_is_in_nobodys_way() {
    let served = served();
    let idle: Vec<TcpStream> = (0..100)
        .map(|_| {
            let mut stream = served.connect();
            let request =
                format!("GET /page/worms.jsonl HTTP/1.1\r\nHost: {}\r\n\r\n", served.address);
            stream.write_all(request.as_bytes()).expect("it listens");
            stream
        })
        .collect();
    assert_eq!(served.get("/match/hockey.jsonl").status, 200);
    drop(idle);
    assert_eq!(served.get("/match/hockey.jsonl").status, 200);
}

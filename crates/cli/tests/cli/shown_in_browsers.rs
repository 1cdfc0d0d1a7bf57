//! `serve`, `replay --open` and `export --html`, as far as no browser is needed.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use crate::support::Folder;

fn played() -> Folder {
    let folder = Folder::new();
    folder.ok("play hockey house:greedy house:random --seed 3 --replay out/a.jsonl");
    folder
}

/// What is answered at an address such as `http://127.0.0.1:1234/`.
fn fetched(address: &str) -> String {
    let rest = address.strip_prefix("http://").expect("an address");
    let (host, path) = rest.split_once('/').expect("a path");
    let mut stream = TcpStream::connect(host).expect("it listens");
    let request = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it listens");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("it answers");
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn a_folder_is_served_until_it_is_stopped() {
    let folder = played();
    let mut server = folder.start(&["serve", "--listen", "127.0.0.1:0", "--replays", "out"]);
    let address = server.address_after("the matches of out are on ");
    let page = fetched(&address);
    assert!(page.starts_with("HTTP/1.1 200 OK"), "{page}");
    assert!(page.contains("/match/a.jsonl"), "{page}");
    server.kill();
}

#[test]
fn one_match_is_served_alone() {
    let folder = played();
    folder.ok("play hockey house:greedy house:random --seed 4 --replay out/b.jsonl");
    let mut server = folder.start(&["replay", "out/a.jsonl", "--open"]);
    let address = server.address_after("this match is on ");
    assert!(address.ends_with("/match/a.jsonl"), "{address}");
    assert!(fetched(&address).contains("greedy against random"));
    assert!(fetched(&address.replace("a.jsonl", "b.jsonl")).starts_with("HTTP/1.1 404"));
    server.kill();
}

#[test]
fn a_page_to_mail_is_small_and_fetches_nothing() {
    let folder = played();
    let told = folder.export("out/a.jsonl --html a.html");
    let page = String::from_utf8(folder.read("a.html")).expect("text");
    assert!(told.starts_with("wrote a.html: a page of "), "{told}");
    assert!(page.len() < 200_000, "{} bytes", page.len());
    assert!(page.contains("default-src &#39;none&#39;") && !page.contains(" src="), "{page}");
}

#[test]
fn what_cannot_be_served_is_told_at_once() {
    let folder = played();
    folder.write("no.jsonl", "no replay");
    for (words, code, expected) in [
        ("serve --listen nowhere", 2, "--listen: cannot listen on nowhere"),
        ("serve --embed example.org", 2, "expected an origin such as https://example.org"),
        ("replay no.jsonl --open", 1, "not a replay"),
        ("replay absent.jsonl --open", 1, "absent.jsonl"),
        ("export no.jsonl --html a.html", 1, "not a replay"),
    ] {
        let finished = folder.run(words);
        assert_eq!(finished.code, code, "{words}: {}", finished.stderr);
        assert!(finished.stderr.contains(expected), "{words}: {}", finished.stderr);
    }
    assert!(!folder.path("a.html").exists());
}

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
fn an_empty_folder_says_how_a_match_comes_into_it() {
    let folder = Folder::new();
    let mut server = folder.start(&["serve", "--listen", "127.0.0.1:0", "--replays", "elsewhere"]);
    let page = fetched(&server.address_after("the matches of elsewhere are on "));
    assert!(page.contains("house:random --replay elsewhere/first.replay.jsonl.zst"), "{page}");
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

#[test]
fn runs_are_shown_while_they_are_played_and_afterwards() {
    let folder = Folder::new();
    let tournament = "tournament --game hockey --bot a=house:random --bot b=house:greedy";
    for words in [
        "compare hockey house:random house:greedy --games 4 --store games.db",
        "compare hockey house:random house:greedy --games 4",
        &format!("{tournament} --games-per-pair 2"),
        // A run that is over is shown too.
        &format!("{tournament} --games-per-pair 2 --store games.db"),
        &format!("{tournament} --games-per-pair 2 --store games.db"),
        "ladder hockey house:greedy --to random --games 4",
    ] {
        let words = format!("{words} --serve 127.0.0.1:0 --quiet");
        let mut run = folder.start(&words.split(' ').collect::<Vec<_>>());
        let address = run.address_after("this run is on ");
        run.wait_for_line("still on ");
        let now = fetched(&address);
        let place = now.lines().find_map(|line| line.strip_prefix("location: ")).expect("a run");
        let page = fetched(&address.replace("/now", place.trim_end()));
        assert!(page.contains("finished") && page.contains("Projector"), "{words}: {page}");
        run.interrupt();
        let finished = run.finish();
        assert_eq!(finished.code, 0, "{words}");
        // Replays that were named are not there any more.
        let is_forgotten = finished.stderr.contains("forgotten then; --store FILE keeps them");
        assert_eq!(is_forgotten, !words.contains("--store"), "{words}: {}", finished.stderr);
    }
}

#[test]
fn what_plays_nothing_is_not_shown() {
    let folder = Folder::new();
    for (words, expected) in [
        ("ladder fencing --open", "expected a BOT or --calibrate"),
        ("tournament cup.toml --standings --open", "cannot be used with"),
        ("evaluate hockey teams --store a.db --standings --open", "cannot be used with"),
        ("compare hockey house:random house:greedy --serve nowhere", "--serve: cannot listen on"),
    ] {
        let finished = folder.run(words);
        assert_eq!(finished.code, 2, "{words}: {}", finished.stderr);
        assert!(finished.stderr.contains(expected), "{words}: {}", finished.stderr);
    }
}

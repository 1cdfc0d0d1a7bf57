//! Bots that connect: to one match, and to a host.

use crate::export::delays;
use crate::support::{Folder, binary, json};

#[test]
fn a_client_plays_one_match() {
    let folder = Folder::new();
    for listen in ["127.0.0.1:0", "localhost:0"] {
        let words = ["play", "hockey", "tcp", "house:random", "--seed", "3", "--listen", listen];
        let mut host = folder.start(&[&words[..], &["--replay", "a.jsonl"]].concat());
        let address = host.address_after("waiting for tcp on ");
        let connect = format!("bot hockey greedy --name guest --connect {address}");
        assert_eq!(folder.ok(&connect), "");
        let finished = host.finish();
        assert_eq!(finished.code, 0);
        assert!(finished.stdout.contains("tcp (guest)"), "{}", finished.stdout);
        assert!(finished.stderr.contains("tcp connected from 127.0.0.1:"), "{}", finished.stderr);
        assert!(folder.ok("verify a.jsonl").contains("verified: "));
    }
}

#[test]
fn two_clients_meet_and_the_second_address_is_heard_too() {
    let folder = Folder::new();
    let words = ["play", "hockey", "tcp", "tcp", "--listen", "localhost:0", "--json"];
    let mut host = folder.start(&words);
    let address = host.address_after("waiting for tcp on ");
    let port = address.rsplit(':').next().expect("a port").to_owned();
    let has_second = std::net::TcpListener::bind("[::1]:0").is_ok();
    let second_address = if has_second { format!("[::1]:{port}") } else { address.clone() };
    let connect = |address: &str, name: &str| {
        folder.start(&["bot", "hockey", "random", "--connect", address, "--name", name])
    };
    let first = connect(&address, "one");
    host.address_after("waiting for tcp 2 on ");
    let second = connect(&second_address, "two");
    for client in [first, second] {
        assert_eq!(client.finish().code, 0);
    }
    let finished = host.finish();
    assert_eq!(finished.code, 0);
    assert_eq!(json(&finished.stdout)["names"], serde_json::json!(["one", "two"]));
}

#[test]
fn a_host_plays_its_games_and_ends() {
    let folder = Folder::new();
    let words = ["host", "hockey", "--listen", "127.0.0.1:0", "--games", "3", "--replays", "out"];
    let mut host = folder.start(&[&words[..], &["--json", "--gif", "--speed", "2x"]].concat());
    let address = host.address_after("Paper Hockey on ");
    let client =
        |bot: &str| folder.start(&["bot", "hockey", bot, "--connect", &address, "--games", "3"]);
    let clients = [client("greedy"), client("random")];
    for client in clients {
        let finished = client.finish();
        assert_eq!((finished.code, finished.stdout.as_str()), (0, ""), "{}", finished.stderr);
    }
    let finished = host.finish();
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    let mut numbers: Vec<u64> = Vec::new();
    for line in finished.stdout.lines() {
        let game = json(line);
        numbers.push(game["number"].as_u64().expect("a number"));
        let replay = game["replay"].as_str().expect("a path");
        assert!(folder.ok(&format!("verify {replay}")).contains("verified: "));
        let film = replay.replace(".replay.jsonl.zst", ".gif");
        let delays = delays(&folder, &film);
        let (_, moves) = delays.split_last().expect("a picture of the end");
        assert!(moves.iter().all(|delay| *delay == 20), "twice as fast: {delays:?}");
        assert!(replay.contains("greedyVSrandom") || replay.contains("randomVSgreedy"), "{replay}");
    }
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2, 3]);
    assert_eq!(folder.list("out").len(), 6);
}

#[test]
fn a_host_tells_of_each_game_and_may_write_nothing() {
    let folder = Folder::new();
    let words = ["host", "hockey", "--listen", "127.0.0.1:0", "--games", "1", "--no-replays"];
    let mut host = folder.start(&words);
    let address = host.address_after("Paper Hockey on ");
    let clients = ["greedy", "random"]
        .map(|bot| folder.start(&["bot", "hockey", bot, "--connect", &address]));
    for client in clients {
        assert_eq!(client.finish().code, 0);
    }
    let finished = host.finish();
    assert_eq!(finished.code, 0);
    assert!(finished.stdout.starts_with("game 1: "), "{}", finished.stdout);
    assert!(finished.stderr.ends_with("1 game finished\n"), "{}", finished.stderr);
    assert!(folder.list(".").is_empty());
}

/// What the document says: localhost, whichever of its addresses a client tries first.
#[test]
fn whoever_waits_for_clients_waits_at_both_addresses_of_this_machine() {
    let folder = Folder::new();
    for command in ["host", "play", "check", "feed", "evaluate"] {
        let help = folder.ok(&format!("{command} --help"));
        let words: Vec<&str> = help.split_whitespace().collect();
        let at = words.iter().position(|word| *word == "--listen").expect("a way to choose it");
        let default = words[at..].windows(2).find(|pair| pair[0] == "[default:");
        assert_eq!(default.map(|pair| pair[1]), Some("localhost:8023]"), "{command}");
    }
}

#[test]
fn a_host_whose_error_output_is_closed_goes_on() {
    let folder = Folder::new();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let status = std::process::Command::new(binary())
        .args(["host", "hockey", "--listen", "127.0.0.1:0", "--games", "0"])
        .current_dir(folder.path("."))
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(writer)
        .status()
        .expect("the binary can be started");
    assert_eq!(status.code(), Some(0));
}

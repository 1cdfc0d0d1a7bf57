//! Persons at play, as strangers could try it: who may begin, who may answer, and how much of it.

use std::time::{Duration, Instant};

use quintain_server::{Hub, Neighbours, Plan, ServedReplays, Server};

use crate::matches::{Reply, Served, served};

/// The games that are played at a time.
const ROOMS: usize = 16;

fn post(served: &Served, path: &str, body: &str, more: &str) -> Reply {
    served.ask(&format!(
        "POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\n{more}\r\n{body}",
        served.address,
        body.len()
    ))
}

/// Begins a game and gives the address of its page.
fn begin(served: &Served, game: &str, wishes: &str) -> String {
    let reply = post(served, &format!("/play/{game}"), wishes, "");
    assert_eq!(reply.status, 303, "{}", reply.text());
    reply.header("location").expect("an address").to_owned()
}

/// What a page is told that knows nothing, once it is asked something.
fn asked(served: &Served, at: &str) -> serde_json::Value {
    let begun = Instant::now();
    loop {
        let reply = served.get(&format!("{at}/news"));
        let text = reply.text();
        let first = text.lines().next().unwrap_or_default();
        let news: serde_json::Value = serde_json::from_str(first).expect("a line of JSON");
        if news["asked"].is_array() {
            return news;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "nothing was asked: {news}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn nobody_plays_without_the_token_and_no_other_site_begins_a_game() {
    let served = served();
    for origin in ["http://evil.example", "null"] {
        let reply = post(&served, "/play/hockey", "", &format!("Origin: {origin}\r\n"));
        assert_eq!(reply.status, 403, "{origin}");
    }
    let at = begin(&served, "hockey", "opponent=house:random&seed=1");
    assert_eq!(at.len(), "/play/at/".len() + 32);
    assert_eq!(served.get(&at).status, 200);
    let last = if at.ends_with('0') { "1" } else { "0" };
    let other = format!("{}{last}", &at[..at.len() - 1]);
    for guess in [other.as_str(), "/play/at/", "/play/at/0", "/play/at/%00"] {
        assert_eq!(served.get(guess).status, 404, "{guess}");
        assert_eq!(post(&served, &format!("{guess}/answer"), "north", "").status, 404, "{guess}");
    }
    for path in ["/", "/match/hockey.jsonl", "/assets/x/y"] {
        assert_eq!(post(&served, path, "", "").status, 405, "{path}");
    }
}

#[test]
fn an_answer_that_the_rules_refuse_is_asked_again_and_one_that_is_too_long_is_not_read() {
    let served = served();
    let at = begin(&served, "hockey", "opponent=house:random&seed=1");
    let answers = asked(&served, &at)["asked"].as_array().map(Vec::len);
    assert_eq!(answers, Some(8));
    for (text, words) in [("upwards", "one of the eight directions"), ("", "one of the eight")] {
        let reply = post(&served, &format!("{at}/answer"), text, "");
        assert_eq!(reply.status, 409, "{text}");
        assert!(reply.text().contains(words), "{}", reply.text());
    }
    let long = "north".repeat(2000);
    assert_eq!(post(&served, &format!("{at}/answer"), &long, "").status, 400);
    assert_eq!(asked(&served, &at)["question"], 1, "it is the same question");
    assert_eq!(post(&served, &format!("{at}/answer"), "north", "").status, 204);
    assert!(asked(&served, &at)["question"].as_u64() > Some(1));
}

#[test]
fn what_cannot_be_played_is_said() {
    let served = served();
    for (game, wishes, words) in [
        ("hockey", "opponent=house:best", "opponent: expected a house bot of this game"),
        ("hockey", "opponent=./program", "opponent: expected a house bot of this game"),
        ("hockey", "seed=x", "seed: expected a whole number"),
        ("hockey", "seat=third", "seat: expected first or second"),
        ("hockey", "clock=7", "clock: expected off or one that is offered"),
        ("hockey", "league=2", "league"),
        ("hockey", "name=GAME+IS+ON%0a", "name"),
        ("hockey", "set=puck", "set: expected NAME=VALUE"),
        ("hockey", "name=a+name+of+very+many+more+letters", "at most 24 letters"),
        ("fencing", "league=9", "league"),
    ] {
        let reply = post(&served, &format!("/play/{game}"), wishes, "");
        assert_eq!(reply.status, 400, "{wishes}");
        assert!(reply.text().contains(words), "{wishes}: {}", reply.text());
    }
    assert_eq!(post(&served, "/play/chess", "", "").status, 404);
}

#[test]
fn there_is_room_for_so_many_games_and_one_that_is_over_makes_some() {
    let served = served();
    let games: Vec<String> =
        (0..ROOMS).map(|_| begin(&served, "hockey", "opponent=person&seed=1")).collect();
    let refused = post(&served, "/play/hockey", "opponent=house:random", "");
    assert_eq!(refused.status, 503);
    assert!(refused.text().contains("as there is room for"));
    assert_eq!(post(&served, &format!("{}/resign", games[3]), "", "").status, 204);
    begin(&served, "hockey", "opponent=house:random");
}

#[test]
fn a_seat_is_told_only_its_own_view_and_an_invitation_opens_the_other_one() {
    let served = served();
    let at = begin(&served, "hockey", "opponent=person&name=Anna&seed=1");
    let page = served.get(&at).text();
    let link = page.split("data-invitation=\"").nth(1).and_then(|rest| rest.split('"').next());
    let link = link.expect("an invitation").rsplit_once("/play").expect("a path").1.to_owned();
    let link = format!("/play{link}");
    assert_ne!(link, at);
    assert!(served.get(&link).text().contains("Anna invites you"));
    assert_eq!(post(&served, &format!("{link}/join"), "name=Bert", "").status, 303);
    assert_eq!(post(&served, &format!("{link}/join"), "name=Carl", "").status, 400);
    asked(&served, &at);
    for (address, eye) in [(&at, "\"eye\":\"first\""), (&link, "\"eye\":\"second\"")] {
        assert!(served.get(&format!("{address}/news")).text().contains(eye), "{eye}");
    }
    let refused = post(&served, &format!("{link}/answer"), "north", "");
    assert_eq!((refused.status, refused.text().as_str()), (409, "It is not your turn."));
    assert_eq!(post(&served, &format!("{at}/back"), "", "").status, 409, "against a person");
}

#[test]
fn games_are_begun_only_where_the_server_is_for_this_machine_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = Plan {
        listen: "0.0.0.0:0".to_owned(),
        replays: ServedReplays::of_folder(folder.path()),
        neighbours: Neighbours::default(),
        work: None,
        live: None,
        token: None,
    };
    let server = Server::bind(plan).expect("a free port");
    let mut address = server.address().expect("it listens");
    address.set_ip([127, 0, 0, 1].into());
    std::thread::spawn(move || server.run());
    let served = Served { folder, address, hub: Hub::new().expect("a thread") };
    for path in ["/play", "/play/hockey"] {
        assert_eq!(served.get(path).status, 403, "{path}");
    }
    assert_eq!(post(&served, "/play/hockey", "", "").status, 403);
}

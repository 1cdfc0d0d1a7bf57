//! What is answered at each address.

use std::io::Read as _;

use flate2::read::GzDecoder;
use quintain_registry::GAMES;
use serde_json::Value;

use crate::matches::{TURNS, served};

#[test]
fn the_first_page_lists_every_game_and_every_match() {
    let served = served();
    let page = served.get("/");
    assert_eq!(page.status, 200);
    assert!(page.body.len() < 150_000, "{} bytes", page.body.len());
    let text = page.text();
    for game in GAMES {
        let facts = game.facts();
        assert!(text.contains(&format!(">{}</a></h2>", facts.title)), "{}", facts.title);
        assert!(text.contains(&format!("/match/{}.jsonl", facts.id)), "{}", facts.id);
    }
}

#[test]
fn every_game_has_a_film_with_a_line_for_each_frame() {
    let served = served();
    for game in GAMES {
        let id = game.facts().id;
        let film = served.get(&format!("/film/{id}.jsonl"));
        assert_eq!(film.status, 200, "{id}: {}", film.text());
        let text = film.text();
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let turns = lines[0]["turns"].as_array().expect("a list").clone();
        assert_eq!(lines.len() - 1, turns.len(), "{id}");
        assert!(turns.len() > 3, "{id}: {turns:?}");
        assert!(lines[1]["set"].as_array().is_some_and(|shapes| shapes.len() > 3), "{id}");
        assert_eq!(lines[0]["title"], game.facts().title);
    }
}

#[test]
fn whoever_can_unpack_is_sent_less() {
    let served = served();
    let request = |more: &str| {
        served.ask(&format!(
            "GET /film/worms.jsonl HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{more}\r\n",
            served.address
        ))
    };
    let (plain, packed) = (request(""), request("Accept-Encoding: gzip, deflate\r\n"));
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert_eq!(plain.header("content-encoding"), None);
    let mut unpacked = Vec::new();
    GzDecoder::new(&packed.body[..]).read_to_end(&mut unpacked).expect("gzip");
    assert_eq!(unpacked, plain.body);
    assert!(packed.body.len() * 3 < plain.body.len());
    let tag = plain.header("etag").expect("a tag").to_owned();
    let again = request(&format!("If-None-Match: {tag}\r\n"));
    assert_eq!((again.status, again.body.len()), (304, 0));
}

#[test]
fn a_state_file_is_told_to_whoever_names_its_place() {
    let served = served();
    for path in ["/sent/0/first/0/hockey.jsonl", "/sent/99999999/first/0/worms.jsonl"] {
        assert_eq!(served.get(path).status, 404, "{path}: there is no file");
    }
    for path in ["/sent/0/third/0/worms.jsonl", "/sent/-1/first/0/worms.jsonl"] {
        assert_eq!(served.get(path).status, 404, "{path}: nothing is there");
    }
}

#[test]
fn every_game_has_a_card_for_light_rooms_and_dark_ones() {
    let served = served();
    for game in GAMES {
        let card = |theme: &str| {
            let card = served.get(&format!("/card/{}.jsonl?theme={theme}", game.facts().id));
            assert_eq!((card.status, &card.body[1..4]), (200, &b"PNG"[..]), "{theme}");
            card.body
        };
        assert_ne!(card("light"), card("dark"));
    }
    assert_eq!(served.get("/card/hockey.jsonl?theme=blue").status, 400);
}

#[test]
fn explanations_say_what_was_sent_and_answered() {
    let served = served();
    let chunk = served.get("/explain/0/code-royale.jsonl");
    let steps: Vec<Value> = serde_json::from_slice(&chunk.body).expect("JSON");
    assert_eq!(steps.len(), TURNS as usize);
    for said in steps[3]["seats"].as_array().expect("a list") {
        assert!(said["sent"].as_array().is_some_and(|lines| lines.len() > 20), "{said}");
        assert!(said["answered"].as_array().is_some_and(|lines| lines.len() == 2), "{said}");
    }
    let private = served.get("/explain/0/code-royale.jsonl?eye=first");
    let private: Vec<Value> = serde_json::from_slice(&private.body).expect("JSON");
    assert_eq!(private[3]["seats"][1], Value::Null, "what the other one said is hidden");
    assert_eq!(private[3]["notes"], Value::Null, "what spectators are told is hidden");
    assert_eq!(private[3]["seats"][0], steps[3]["seats"][0]);
    assert_eq!(served.get("/explain/1/code-royale.jsonl").status, 404);
}

#[test]
fn a_seat_sees_less_than_everybody() {
    let served = served();
    let shapes = |eye: &str| served.get(&format!("/film/code-royale.jsonl?eye={eye}")).text();
    let (all, first, second) = (shapes("all"), shapes("first"), shapes("second"));
    assert_ne!(all, first);
    assert_ne!(first, second);
    let wrong = served.get("/film/code-royale.jsonl?eye=third");
    assert_eq!(wrong.status, 400);
    assert!(wrong.text().contains("expected all, first or second"));
}

#[test]
fn a_replay_is_sent_as_it_is_and_as_a_page_to_mail() {
    let served = served();
    let bytes = std::fs::read(served.folder.path().join("hockey.jsonl")).expect("it is there");
    let replay = served.get("/replay/hockey.jsonl");
    assert_eq!(replay.body, bytes);
    assert_eq!(replay.header("content-disposition"), Some("attachment; filename=\"hockey.jsonl\""));
    let page = served.get("/page/hockey.jsonl");
    assert_eq!(page.header("content-disposition"), Some("attachment; filename=\"hockey.html\""));
    let text = page.text();
    assert!(text.len() < 400_000, "{} bytes", text.len());
    assert!(text.contains("script-src &#39;sha256-") && !text.contains("unsafe-inline"));
    assert!(!text.contains("http://") || text.contains("http://www.w3.org"), "nothing is fetched");
}

#[test]
fn a_match_has_a_sentence_and_a_picture_for_those_who_show_links() {
    let served = served();
    let page = served.get("/match/fencing.jsonl").text();
    let picture = format!("content=\"http://{}/picture/fencing.jsonl\"", served.address);
    assert!(page.contains(&picture), "{page}");
    assert!(page.contains("og:description"), "{page}");
    let picture = served.get("/picture/fencing.jsonl");
    assert_eq!(picture.header("content-type"), Some("image/png"));
    assert!(picture.body.starts_with(b"\x89PNG"));
}

#[test]
fn what_cannot_be_shown_is_said_on_a_page() {
    let served = served();
    std::fs::write(served.folder.path().join("broken.jsonl"), "{}\n").expect("room");
    for (path, status) in [
        ("/nowhere", 404),
        ("/match/absent.jsonl", 404),
        ("/match/broken.jsonl", 422),
        ("/film/broken.jsonl", 422),
        ("/fork/hockey.jsonl", 400),
        ("/compare-replays?left=hockey.jsonl", 400),
        ("/compare-replays?left=hockey.jsonl&right=worms.jsonl", 400),
        ("/?page=99", 400),
        ("/assets/0/player.js", 404),
    ] {
        let page = served.get(path);
        assert_eq!(page.status, status, "{path}");
        assert!(page.text().contains("<h1>"), "{path}");
        assert_eq!(page.header("cache-control"), Some("no-store"), "{path}");
    }
    let list = served.get("/").text();
    assert!(list.contains("broken.jsonl") && list.contains("cannot be read as a replay"));
}

#[test]
fn two_matches_of_a_game_stand_side_by_side() {
    let served = served();
    let page = served.get("/compare-replays?left=hockey.jsonl&right=hockey.jsonl");
    assert_eq!(page.status, 200);
    let text = page.text();
    assert!(text.contains("data-left=\"/film/hockey.jsonl\""), "{text}");
}

//! What programs are answered: each answer is what the OpenAPI document says, whatever is asked for.

use std::io::Read as _;
use std::path::Path;

use jsonschema::Validator;
use quintain_registry::GAMES;
use quintain_server::{Hub, Neighbours, Plan, ServedReplays, Server, Work};
use quintain_store::Store;
use quintain_store::work::{JobBoard, TokenKind};
use serde_json::{Value, json};

use crate::live::play;
use crate::matches::{PATIENCE, Reply, Served, TURNS, served};
use crate::results::{HOSTILE, served_store};

/// What an answer's text is.
fn json_of(reply: &Reply) -> Value {
    serde_json::from_slice(&reply.body).unwrap_or_else(|error| panic!("{error}: {}", reply.text()))
}

/// The document as a server sends it.
pub(crate) fn document(served: &Served) -> Value {
    json_of(&served.get("/api/v1/openapi.json"))
}

/// What the document promises of an answer: that of the status, else what holds of all others.
fn promised<'a>(document: &'a Value, path: &str, method: &str, status: u16) -> &'a Value {
    let responses = &document["paths"][path][method]["responses"];
    let response = responses.get(status.to_string()).unwrap_or(&responses["default"]);
    match response["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).expect("it leads somewhere"),
        None => response,
    }
}

/// Holds an answer against the document. `path` is the one of the document that the address is of.
pub(crate) fn assert_promised(document: &Value, path: &str, method: &str, reply: &Reply) {
    let promised = promised(document, path, method, reply.status);
    let contents = promised["content"].as_object().expect("answers have a kind");
    let kind = reply.header("content-type").expect("a kind");
    let content = contents.get(kind).unwrap_or_else(|| panic!("{path}: {kind} in {contents:?}"));
    let Some(schema) = content.get("schema").filter(|_| kind.contains("json")) else { return };
    // References lead from the root of the document.
    let mut whole = schema.clone();
    whole["components"] = document["components"].clone();
    let validator: Validator = jsonschema::validator_for(&whole).expect("a schema");
    let value = json_of(reply);
    if let Err(error) = validator.validate(&value) {
        panic!("{path}: {error} at {}: {value}", error.instance_path());
    }
}

/// Asks for an address of the document's path, and holds the answer against it.
fn asked(served: &Served, document: &Value, path: &str, address: &str, status: u16) -> Value {
    let reply = served.get(&format!("/api/v1{address}"));
    assert_eq!(reply.status, status, "{address}: {}", reply.text());
    assert_promised(document, &format!("/api/v1{path}"), "get", &reply);
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{address}");
    assert_eq!(reply.header("content-security-policy"), Some("default-src 'none'; sandbox"));
    if reply.header("content-type").is_some_and(|kind| kind.contains("json")) {
        return json_of(&reply);
    }
    Value::Null
}

#[test]
fn everything_of_a_store_is_what_the_document_says() {
    let (served, _store) = served_store();
    let document = document(&served);
    let ok = |path: &str, address: &str| asked(&served, &document, path, address, 200);
    let runs = ok("/runs", "/runs");
    assert_eq!(runs["runs"].as_array().map(Vec::len), Some(4));
    assert_eq!(runs["runs"][3]["bots"], json!(["old", HOSTILE]), "as it is: it is data");
    assert_eq!(ok("/runs/{run}", "/runs/1"), runs["runs"][3]);
    let comparison = ok("/runs/{run}/comparison", "/runs/1/comparison");
    // It was decided before all of its games were played.
    assert_eq!((&comparison["games"], &comparison["void"]), (&json!(32), &json!(2)));
    assert_eq!(comparison["verdict"], "new-is-stronger");
    let pairs = comparison["pairs"].as_array().expect("pairs");
    assert_eq!(pairs.iter().filter_map(Value::as_u64).sum::<u64>(), 16);
    let cup = ok("/runs/{run}/standings", "/runs/2/standings");
    assert_eq!(cup["standings"].as_array().map(Vec::len), Some(3));
    assert_eq!(ok("/runs/{run}/standings", "/runs/3/standings")["rounds"][0]["round"], 1);
    let swiss = ok("/runs/{run}/standings", "/runs/4/standings");
    assert!(swiss["standings"][0]["buchholz"].is_number());
    let wrong = asked(&served, &document, "/runs/{run}/comparison", "/runs/2/comparison", 404);
    assert_eq!(
        wrong["detail"],
        "run 2 has no comparison; what came of it is at /api/v1/runs/2/standings"
    );
}

#[test]
fn matches_are_filtered_and_paged_as_on_their_page() {
    let (served, _store) = served_store();
    let document = document(&served);
    let page =
        |query: &str| asked(&served, &document, "/matches", &format!("/matches{query}"), 200);
    let count = |query: &str| page(query)["matches"].as_array().map_or(0, Vec::len);
    assert_eq!(count("?run=cup&bot=ada&opponent=bob&verdict=win"), 7);
    assert_eq!(count("?run=cup&tag=depth%3E%3D18"), 12);
    let (mut all, mut pages, mut before) = (0, 0, String::new());
    loop {
        let page = page(&before);
        all += page["matches"].as_array().expect("matches").len();
        pages += 1;
        match page["next"].as_str() {
            Some(next) => before = format!("?before={next}"),
            None => break,
        }
    }
    assert_eq!((all, pages), (204, 5));
    let one = asked(&served, &document, "/runs/{run}/matches/{number}", "/runs/1/matches/11", 200);
    assert_eq!(one["replay"], "@store/1/11.jsonl.zst", "an id, and no path of this machine");
    assert_eq!(one["errors"][0]["text"], HOSTILE);
    let text = served.get("/api/v1/matches").text();
    assert!(!text.contains(&served.folder.path().display().to_string()), "{text}");
    for (query, part) in [
        ("?verdict=won", "verdict: expected"),
        ("?run=none", "run: expected one of"),
        ("?seed=x", "seed: expected a number"),
        ("?seed=", "seed: expected a value"),
        ("?colour=red", "found `colour`"),
        ("?before=x", "before: expected"),
        ("?bot=%FF", ""),
    ] {
        let path = format!("/matches{query}");
        let problem = asked(&served, &document, "/matches", &path, 400);
        assert!(problem["detail"].as_str().expect("words").contains(part), "{query}: {problem}");
    }
    for query in ["?before=1-18446744073709551615", "?before=9223372036854775807-1"] {
        page(query);
    }
}

#[test]
fn replays_and_scenes_of_all_games_are_what_the_document_says() {
    let served = served();
    let document = document(&served);
    let ok = |path: &str, address: &str| asked(&served, &document, path, address, 200);
    let list = ok("/replays", "/replays");
    assert_eq!(list["count"], GAMES.len());
    for game in GAMES {
        let id = format!("{}.jsonl", game.facts().id);
        let lines = ok("/replays/{replay}", &format!("/replays/{id}"));
        assert_eq!(lines["header"]["game"], game.facts().id);
        for eye in ["all", "first", "second"] {
            let address = format!("/replays/{id}/scenes/3?eye={eye}");
            let scene = ok("/replays/{replay}/scenes/{turn}", &address);
            assert_eq!(scene["turn"], 3, "{address}");
        }
        let file = served.get(&format!("/api/v1/replays/{id}/file"));
        assert_eq!(file.body, std::fs::read(served.folder.path().join(&id)).expect("it is there"));
        let far = format!("/replays/{id}/scenes/{}", TURNS + 500);
        let problem = asked(&served, &document, "/replays/{replay}/scenes/{turn}", &far, 404);
        let detail = problem["detail"].as_str().expect("words");
        assert!(detail.starts_with("turn: expected a number from 0 to "), "{detail}");
    }
    std::fs::create_dir(served.folder.path().join("cup")).expect("room");
    let deep = served.folder.path().join("cup/a b.jsonl");
    std::fs::copy(served.folder.path().join("worms.jsonl"), deep).expect("room");
    ok("/replays/{replay}", "/replays/cup%2Fa%20b.jsonl");
    assert_eq!(served.get("/api/v1/replays/cup/a%20b.jsonl").status, 404, "it is one part");
    let tag = served.get("/api/v1/replays/worms.jsonl/scenes/0");
    let tag = tag.header("etag").expect("a tag").to_owned();
    let again = served.ask(&format!(
        "GET /api/v1/replays/worms.jsonl/scenes/0 HTTP/1.1\r\nHost: localhost\r\n\
         If-None-Match: {tag}\r\nConnection: close\r\n\r\n"
    ));
    assert_eq!(again.status, 304);
}

#[test]
fn a_seat_is_not_told_what_the_other_one_wrote() {
    let served = served();
    let scene = |eye: &str| {
        json_of(&served.get(&format!("/api/v1/replays/worms.jsonl/scenes/4?eye={eye}")))
    };
    assert!(!scene("all")["notes"].as_array().expect("notes").is_empty());
    assert_eq!(scene("second")["notes"], json!([]));
}

#[test]
fn games_and_live_matches_are_what_the_document_says() {
    let served = served();
    let document = document(&served);
    let ok = |path: &str, address: &str| asked(&served, &document, path, address, 200);
    assert_eq!(ok("/games", "/games")["games"].as_array().map(Vec::len), Some(GAMES.len()));
    for game in GAMES {
        let told = ok("/games/{game}", &format!("/games/{}", game.facts().id));
        assert!(!told["bots"].as_array().expect("bots").is_empty());
    }
    for name in ["plan", "replay", "result", "scene"] {
        let schema = ok("/schemas/{name}", &format!("/schemas/{name}"));
        assert!(schema["$schema"].is_string(), "{name}");
    }
    assert_eq!(ok("/live", "/live")["live"], json!([]));
    play(&served, "fencing", false);
    assert_eq!(ok("/live", "/live")["live"][0]["number"], 1);
    let mut stream = served.connect();
    let request = "GET /api/v1/live/1/events HTTP/1.1\r\nHost: localhost\r\n\r\n";
    std::io::Write::write_all(&mut stream, request.as_bytes()).expect("it listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
    let mut begun = [0; 15];
    stream.read_exact(&mut begun).expect("an answer");
    assert_eq!(&begun, b"HTTP/1.1 200 OK");
}

#[test]
fn whatever_is_not_there_is_a_problem_in_words() {
    let (served, _store) = served_store();
    let document = document(&served);
    for (path, address) in [
        ("/games/{game}", "/games/chess"),
        ("/games/{game}", "/games/%3Cscript%3E"),
        ("/games/{game}", "/games/%FF"),
        ("/schemas/{name}", "/schemas/api"),
        ("/runs/{run}", "/runs/99"),
        ("/runs/{run}", "/runs/x"),
        ("/runs/{run}", "/runs/99999999999999999999"),
        ("/runs/{run}/matches/{number}", "/runs/1/matches/0"),
        ("/runs/{run}/matches/{number}", "/runs/1/matches/99999"),
        ("/runs/{run}/matches/{number}", "/runs/1/matches/18446744073709551615"),
        ("/runs/{run}/matches/{number}", "/runs/1/matches/-1"),
        ("/replays/{replay}", "/replays/..%2Fgames.db"),
        ("/replays/{replay}", "/replays/games.db"),
        ("/replays/{replay}", "/replays/%00.jsonl"),
        ("/replays/{replay}/file", "/replays/@store%2F1%2F3.jsonl.zst/file"),
        ("/replays/{replay}/file", "/replays/%2Fetc%2Fpasswd/file"),
        ("/replays/{replay}/scenes/{turn}", "/replays/worms.jsonl/scenes/x"),
        ("/replays/{replay}/scenes/{turn}", "/replays/worms.jsonl/scenes/-1"),
        ("/live/{number}/events", "/live/7/events"),
        ("/live/{number}/events", "/live/x/events"),
    ] {
        asked(&served, &document, path, address, 404);
    }
    for (path, address) in [
        ("/replays", "/replays?page=0"),
        ("/replays", "/replays?page=x"),
        ("/replays/{replay}/scenes/{turn}", "/replays/worms.jsonl/scenes/1?eye=third"),
        ("/replays/{replay}/scenes/{turn}", "/replays/worms.jsonl/scenes/1?ear=all"),
        ("/live/{number}/events", "/live/1/events?after=soon"),
    ] {
        asked(&served, &document, path, address, 400);
    }
    std::fs::write(served.folder.path().join("broken.jsonl"), HOSTILE).expect("room");
    asked(&served, &document, "/replays/{replay}", "/replays/broken.jsonl", 422);
    let nowhere = served.get("/api/v1/nowhere");
    assert_eq!(nowhere.status, 404);
    assert_eq!(nowhere.header("content-type"), Some("application/problem+json"));
    assert_eq!(json_of(&nowhere)["status"], 404);
}

#[test]
fn another_method_is_told_which_ones_there_are() {
    let served = served();
    let document = document(&served);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"] {
        let request = format!(
            "{method} /api/v1/games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        );
        let reply = served.ask(&request);
        assert_eq!(reply.status, 405, "{method}");
        assert_eq!(reply.header("allow"), Some("GET,HEAD"), "{method}");
        assert_promised(&document, "/api/v1/games", "get", &reply);
    }
}

#[test]
fn strangers_are_refused_as_from_pages_but_in_json() {
    let served = served();
    let document = document(&served);
    for headers in [
        "Host: evil.example",
        "Host: localhost\r\nOrigin: http://evil.example",
        "Host: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors",
    ] {
        let reply = served
            .ask(&format!("GET /api/v1/games HTTP/1.1\r\n{headers}\r\nConnection: close\r\n\r\n"));
        assert_eq!(reply.status, 403, "{headers}");
        assert_promised(&document, "/api/v1/games", "get", &reply);
        assert_eq!(reply.header("access-control-allow-origin"), None);
    }
}

#[test]
fn without_a_store_its_addresses_say_so() {
    let served = served();
    let document = document(&served);
    for (path, address) in
        [("/runs", "/runs"), ("/runs/{run}", "/runs/1"), ("/matches", "/matches")]
    {
        let problem = asked(&served, &document, path, address, 404);
        assert!(problem["detail"].as_str().expect("words").contains("No store is shown here"));
    }
}

/// A server that plays nothing by itself, and listens there.
fn house(listen: &str, token: Option<&str>) -> Served {
    house_with(listen, token, |_| None)
}

/// The same with jobs for workers.
fn house_with(
    listen: &str,
    token: Option<&str>,
    work: impl FnOnce(&Path) -> Option<Work>,
) -> Served {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = Plan {
        listen: listen.to_owned(),
        replays: ServedReplays::of_folder(folder.path()),
        neighbours: Neighbours::default(),
        work: work(folder.path()),
        token: token.map(str::to_owned),
        live: None,
    };
    let server = Server::bind(plan).expect("a free port");
    let mut address = server.address().expect("it listens");
    address.set_ip([127, 0, 0, 1].into());
    std::thread::spawn(move || server.run());
    Served { folder, address, hub: Hub::new().expect("a thread") }
}

const HERE: &str = "127.0.0.1:0";
const EVERYWHERE: &str = "0.0.0.0:0";
const JSON: &str = "Content-Type: application/json";
const HOUSE: &str = "/api/v1/house-matches";

/// Begins a match, with these headers.
fn posted(served: &Served, headers: &str, body: &str) -> Reply {
    served.ask(&format!(
        "POST {HOUSE} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{headers}\r\n\
         Content-Length: {}\r\n\r\n{body}",
        served.address,
        body.len()
    ))
}

/// The same; the answer is what the document says.
fn begin(served: &Served, headers: &str, body: &str) -> Reply {
    let reply = posted(served, headers, body);
    assert_promised(&document(served), HOUSE, "post", &reply);
    reply
}

fn wish(game: &str) -> String {
    json!({ "game": game, "bots": ["house:greedy", "random"], "seed": 3 }).to_string()
}

/// Asks until the match of this address is over.
fn result_of(served: &Served, address: &str) -> Value {
    let document = document(served);
    let until = std::time::Instant::now() + PATIENCE;
    loop {
        let path = "/house-matches/{number}";
        let found = asked(served, &document, path, &address["/api/v1".len()..], 200);
        if found["state"] == "over" || found["state"] == "failed" {
            return found;
        }
        assert!(std::time::Instant::now() < until, "{found}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn house_bots_play_whom_a_program_wants_to_see() {
    let served = house(HERE, None);
    for game in GAMES {
        let begun = begin(&served, JSON, &wish(game.facts().id));
        assert_eq!(begun.status, 202, "{}", begun.text());
        let over = result_of(&served, begun.header("location").expect("an address"));
        assert_eq!(over["state"], "over", "{over}");
        assert_eq!(over["result"]["seed"], 3);
        assert_eq!(over["result"]["bots"], json!(["greedy", "random"]));
        let replay = over["replay"].as_str().expect("a replay");
        assert_eq!(over["result"]["replay"], replay);
        let lines = json_of(&served.get(&format!("/api/v1/replays/{replay}")));
        assert_eq!(lines["header"]["game"], game.facts().id);
    }
    let document = document(&served);
    let list = asked(&served, &document, "/house-matches", "/house-matches", 200);
    assert_eq!(list["house_matches"].as_array().map(Vec::len), Some(GAMES.len()));
    // The last film may still be in the making.
    let until = std::time::Instant::now() + PATIENCE;
    loop {
        let live = asked(&served, &document, "/live", "/live", 200);
        if live["live"][0]["end"]["page"].is_string() {
            break;
        }
        assert!(std::time::Instant::now() < until, "it was filmed: {live}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    for number in ["99", "0", "x", "-1", "18446744073709551616"] {
        let address = format!("/house-matches/{number}");
        asked(&served, &document, "/house-matches/{number}", &address, 404);
    }
}

#[test]
fn a_wish_that_cannot_be_meant_is_refused_in_words() {
    let served = house(HERE, None);
    for (body, part) in [
        ("", "cannot be read"),
        ("[]", "cannot be read"),
        ("{", "cannot be read"),
        ("{\"game\":\"hockey\"}", "missing field `bots`"),
        ("{\"game\":\"chess\",\"bots\":[\"a\",\"b\"]}", "game: expected one of"),
        ("{\"game\":\"hockey\",\"bots\":[\"greedy\",\"./mybot\"]}", "bots: expected some of"),
        ("{\"game\":\"hockey\",\"bots\":[\"greedy\",\"x=sh -c ls\"]}", "bots: expected some of"),
        ("{\"game\":\"hockey\",\"bots\":[\"greedy\"]}", "cannot be read"),
        ("{\"game\":\"hockey\",\"bots\":[\"greedy\",\"random\"],\"run\":1}", "unknown field"),
        ("{\"game\":\"hockey\",\"bots\":[\"greedy\",\"random\"],\"seed\":1e99}", "cannot be read"),
        ("{\"game\":\"hockey\",\"bots\":[\"greedy\",\"random\"],\"league\":7}", ""),
        ("{\"game\":\"hockey\",\"bots\":[\"greedy\",\"random\"],\"set\":{\"<b>\":1}}", "<b>"),
    ] {
        let reply = begin(&served, JSON, body);
        assert_eq!(reply.status, 400, "{body}: {}", reply.text());
        let detail = json_of(&reply)["detail"].as_str().expect("words").to_owned();
        assert!(detail.contains(part), "{body}: {detail}");
    }
    for kind in ["Content-Type: text/plain", "X-Nothing: here"] {
        assert_eq!(begin(&served, kind, &wish("hockey")).status, 415, "{kind}");
    }
    assert_eq!(begin(&served, JSON, &" ".repeat(100_000)).status, 413);
    let foreign = format!("{JSON}\r\nOrigin: http://evil.example");
    assert_eq!(begin(&served, &foreign, &wish("hockey")).status, 403);
    let list = json_of(&served.get(HOUSE));
    assert_eq!(list["house_matches"], json!([]), "nothing was begun");
    let wrong = served
        .ask(&format!("DELETE {HOUSE} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
    assert_eq!((wrong.status, wrong.header("allow")), (405, Some("GET,HEAD,POST")));
}

#[test]
fn a_full_queue_is_told_to_whoever_comes_late() {
    let served = house(HERE, None);
    let is_refused = |_| posted(&served, JSON, &wish("code-royale")).status == 429;
    assert!((0..1000).any(is_refused), "matches take longer than requests");
    let late = begin(&served, JSON, &wish("code-royale"));
    let wait = late.header("retry-after");
    assert!(wait == Some("10") || late.status == 202, "one was over by then: {}", late.head);
}

#[test]
fn from_elsewhere_nothing_is_begun_without_a_token() {
    const TOKEN: &str = "a-word-that-nobody-guesses";
    let bearer = |word: &str| format!("{JSON}\r\nAuthorization: Bearer {word}");
    let wish = wish("hockey");
    let without = house(EVERYWHERE, None);
    for headers in [JSON.to_owned(), bearer(TOKEN)] {
        let refused = begin(&without, &headers, &wish);
        assert_eq!(refused.status, 403, "no token is good there: {}", refused.text());
    }
    for listen in [HERE, EVERYWHERE] {
        let served = house(listen, Some(TOKEN));
        for headers in [
            JSON.to_owned(),
            bearer("wrong"),
            bearer(""),
            format!("{JSON}\r\nAuthorization: {TOKEN}"),
        ] {
            let refused = begin(&served, &headers, &wish);
            assert_eq!(refused.status, 401, "{headers}");
            assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
        }
        assert_eq!(begin(&served, &bearer(TOKEN), &wish).status, 202, "{listen}");
        assert_eq!(served.get("/api/v1/games").status, 200, "who looks needs none");
        let page = served.get("/play/hockey");
        assert!(page.text().contains("name=\"token\""), "{}", page.text());
        for (word, status) in [("wrong", 401), (TOKEN, 303)] {
            let form = format!("opponent=house:random&token={word}");
            let reply = served.ask(&format!(
                "POST /play/hockey HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
                 Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
                served.address,
                form.len()
            ));
            assert_eq!(reply.status, status, "{listen}, {word}: {}", reply.text());
        }
    }
}

#[test]
fn the_token_of_an_organiser_is_as_good_and_that_of_a_worker_is_not() {
    let served = house_with(EVERYWHERE, None, |folder| {
        let store = Store::open(&folder.join("arena.db").display().to_string()).expect("a store");
        let board = JobBoard::open(&store).expect("a board");
        for (kind, word) in
            [(TokenKind::Organiser, "ann-s-word"), (TokenKind::Worker, "lab-1-s-word")]
        {
            assert!(board.add_token(word, kind, word).expect("a store"));
        }
        Some(Work::open(&store, &folder.join("blobs")).expect("a board"))
    });
    for (word, status) in [("ann-s-word", 202), ("lab-1-s-word", 401), ("nobody-s-word", 401)] {
        let headers = format!("{JSON}\r\nAuthorization: Bearer {word}");
        assert_eq!(begin(&served, &headers, &wish("hockey")).status, status, "{word}");
    }
}

#[test]
fn where_a_run_is_played_nothing_else_is_begun() {
    let served = served();
    let refused = begin(&served, JSON, &wish("hockey"));
    assert_eq!(refused.status, 403);
    assert!(refused.text().contains("which nothing shall disturb"));
}

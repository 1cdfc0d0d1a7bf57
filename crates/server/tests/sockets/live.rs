//! Matches while they are played, as browsers are told of them.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use quintain_arena::plan::{MatchPlan, MatchSettings};
use quintain_arena::run::{ReplayWish, RunMeans, run_match};
use quintain_referee::Stop;
use quintain_server::{ServedReplays, Watched, WatchedRun};

use crate::matches::{PATIENCE, Reply, Served, served};

/// Plays a match of house bots, whose replay is kept in the folder that is served, or nowhere.
pub(crate) fn play(served: &Served, game: &str, is_kept: bool) {
    let settings = MatchSettings { seed: 7, ..MatchSettings::of(game) };
    let bots = ["<b>ann=house:random", "bob=house:greedy"].map(str::to_owned);
    let plan = MatchPlan::new(settings, &bots).expect("a plan");
    let replays = match is_kept {
        true => ReplayWish::All(served.folder.path().to_owned()),
        false => ReplayWish::None,
    };
    let means = RunMeans { replays, ..RunMeans::default() };
    let run = WatchedRun {
        hub: served.hub.clone(),
        title: "A game",
        replays: ServedReplays::of_folder(served.folder.path()),
        films_all: true,
    };
    let mut nobody = ();
    let mut watched = Watched::new(run, &mut nobody);
    run_match(&plan, &means, &mut watched, &Stop::default()).expect("house bots play");
}

/// Everything that is told of a match; in the old way of HTTP, whose answers are not cut into pieces.
fn told(served: &Served, path: &str, headers: &str) -> Reply {
    let host = served.address;
    served.ask(&format!("GET {path} HTTP/1.0\r\nHost: {host}\r\n{headers}\r\n"))
}

/// The kinds and numbers of events, in their order.
fn events(text: &str) -> Vec<(String, u64)> {
    let blocks = text.split("\n\n").filter(|block| block.starts_with("id: "));
    let part = |line: Option<&str>, name: &str| line?.strip_prefix(name).map(str::to_owned);
    let read = |block: &str| {
        let mut lines = block.lines();
        let id = part(lines.next(), "id: ")?.parse().ok()?;
        Some((part(lines.next(), "event: ")?, id))
    };
    blocks.filter_map(read).collect()
}

#[test]
fn a_match_is_told_from_its_first_turn_to_its_end() {
    let served = served();
    play(&served, "hockey", false);
    let page = served.get("/live/1");
    assert_eq!(page.status, 200);
    assert!(page.text().contains("&#60;b&#62;ann against bob"), "{}", page.text());
    let told = told(&served, "/live/1/events", "");
    assert_eq!(told.header("content-type"), Some("text/event-stream"));
    assert_eq!(told.header("cache-control"), Some("no-store"));
    assert_eq!(told.header("x-content-type-options"), Some("nosniff"));
    let events = events(&told.text());
    let kinds: Vec<&str> = events.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!((kinds[0], kinds[kinds.len() - 1]), ("film", "end"));
    assert!(kinds.len() > 10 && kinds[1..kinds.len() - 1].iter().all(|kind| *kind == "frame"));
    assert!(events.iter().enumerate().all(|(number, (_, id))| number as u64 == *id));
}

#[test]
fn a_page_that_was_away_is_told_what_it_has_missed() {
    let served = served();
    play(&served, "hockey", false);
    let events = |path: &str, headers: &str| events(&told(&served, path, headers).text());
    let all = events("/live/1/events", "");
    assert_eq!(events("/live/1/events", "Last-Event-ID: 4\r\n"), all[5..]);
    assert_eq!(events("/live/1/events?after=4", ""), all[5..]);
    for nonsense in ["-1", "99999999999999999999", "%00", ""] {
        assert_eq!(events(&format!("/live/1/events?after={nonsense}"), ""), all, "{nonsense}");
    }
    assert_eq!(events("/live/1/events?after=18446744073709551615", "").len(), 1);
}

#[test]
fn a_match_that_is_over_and_kept_has_its_own_page() {
    let served = served();
    play(&served, "fencing", true);
    let text = told(&served, "/live/1/events", "").text();
    let end = text.rsplit("event: end").next().unwrap_or_default();
    assert!(end.contains("\"page\":\"/match/fencing-"), "{end}");
    let moved = served.get("/live/1");
    assert_eq!(moved.status, 303);
    let page = moved.header("location").expect("a place").to_owned();
    assert_eq!(served.get(&page).status, 200);
}

#[test]
fn what_is_not_played_here_is_said() {
    let served = served();
    for path in ["/live/2", "/live/1/events", "/live/x", "/live/-1/events", "/live/"] {
        assert_eq!(served.get(path).status, 404, "{path}");
    }
    let soon = served.get("/live/1");
    assert!(soon.status == 200 && soon.text().contains("http-equiv=\"refresh\""));
    assert!(served.get("/live").text().contains("No match is shown yet"));
}

/// They never read, and are many.
#[test]
fn viewers_that_do_not_read_are_in_no_matchs_way() {
    let served = served();
    play(&served, "fencing", false);
    let idle: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = served.connect();
            let request = "GET /live/1/events HTTP/1.1\r\nHost: localhost\r\n\r\n";
            stream.write_all(request.as_bytes()).expect("it listens");
            stream
        })
        .collect();
    play(&served, "fencing", false);
    assert_eq!(served.get("/live/2").status, 200);
    let mut first = &idle[0];
    first.set_read_timeout(Some(PATIENCE)).expect("a socket");
    let mut begun = [0; 15];
    first.read_exact(&mut begun).expect("an answer");
    assert_eq!(&begun, b"HTTP/1.1 200 OK");
}

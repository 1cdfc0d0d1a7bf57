//! Runs while they are played, as browsers are told of them.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use quintain_arena::plan::{ComparisonPlan, MatchSettings};
use quintain_arena::run::{ReplayWish, RunMeans, run_comparison};
use quintain_record::MatchId;
use quintain_referee::Stop;
use quintain_server::{ServedReplays, Watched, WatchedRun};
use quintain_store::{Run, Store};

use crate::matches::{Served, served};
use crate::results::{HOSTILE, record, served_store};

/// A browser that follows a page.
struct Follower {
    stream: TcpStream,
    heard: String,
}

impl Follower {
    fn new(served: &Served, path: &str) -> Follower {
        let mut stream = served.connect();
        let request = format!("GET {path} HTTP/1.0\r\nHost: {}\r\n\r\n", served.address);
        stream.write_all(request.as_bytes()).expect("it listens");
        Follower { stream, heard: String::new() }
    }

    /// Reads until all of this was said, since the last time.
    fn wait_for(&mut self, wanted: &[&str]) {
        let mut bytes = [0; 4096];
        while !wanted.iter().all(|wanted| self.heard.contains(wanted)) {
            let read = self.stream.read(&mut bytes).expect("it is told in time");
            assert!(read > 0, "{wanted:?} was not said: {}", self.heard);
            self.heard.push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
        self.heard.clear();
    }

    /// All that is said until the server ends it.
    fn rest(mut self) -> String {
        let mut bytes = Vec::new();
        self.stream.read_to_end(&mut bytes).expect("it ends in time");
        self.heard + &String::from_utf8_lossy(&bytes)
    }
}

fn play(store: &Store, name: &str) -> Run {
    let plan = store.find_run(name).expect("a store").expect("a run").plan;
    store.begin(&plan).expect("nobody has it")
}

#[test]
fn the_page_of_a_run_is_sent_with_each_change_until_nobody_plays_it() {
    let (served, store) = served_store();
    let run = play(&store, "knock-out");
    for path in ["/run/3/events", "/run/3/projector/events"] {
        assert!(served.get("/run/3").text().contains("/follow.js"));
        let mut page = Follower::new(&served, path);
        page.wait_for(&["text/event-stream", "event: main", "playing now", "\n\n"]);
    }
    let mut page = Follower::new(&served, "/run/3/events");
    page.wait_for(&[" 2 games in ", "\n\n"]);
    record(&run, MatchId { seed_index: 1, ..MatchId::default() }, [0, 1]);
    page.wait_for(&["event: main", " 4 games in ", "\n\n"]);
    drop(run);
    let rest = page.rest();
    assert!(rest.contains("event: main") && !rest.contains("playing now"), "{rest}");
    assert!(rest.ends_with("event: end\ndata: \n\n"), "{rest}");
    assert!(!served.get("/run/3").text().contains("/follow.js"));
}

#[test]
fn a_run_that_nobody_plays_is_told_once() {
    let (served, _store) = served_store();
    for path in ["/run/2/events", "/run/2/events?after=7", "/run/2/projector/events"] {
        let told = Follower::new(&served, path).rest();
        assert_eq!(told.matches("event: main").count(), 1, "{path}: {told}");
        assert_eq!(told.matches("event: end").count(), 1, "{path}: {told}");
    }
}

#[test]
fn texts_of_bots_are_texts_in_events_and_on_a_large_screen() {
    let (served, _store) = served_store();
    for path in ["/run/1/events", "/run/2/events", "/run/1/projector", "/run/2/projector/events"] {
        let told = Follower::new(&served, path).rest();
        assert!(told.contains("&#60;script&#62;pwned()"), "{path}: {told}");
        assert!(!told.contains("<script>pwned") && !told.contains(HOSTILE), "{path}");
        assert!(!told.contains('\u{202e}'), "{path}");
    }
}

#[test]
fn a_large_screen_has_tables_and_matches() {
    let (served, _store) = served_store();
    let page = |run: u32| served.get(&format!("/run/{run}/projector")).text();
    for part in ["is stronger", "Games of", "Evidence over games"] {
        assert!(page(1).contains(part), "{part} in {}", page(1));
    }
    for part in ["Standings", "Who beats whom", "data-film=\"/film/%40store/2/"] {
        assert!(page(2).contains(part), "{part} in {}", page(2));
    }
    assert!(page(3).contains("Bracket") && page(4).contains("Rounds"));
}

#[test]
fn who_asks_for_a_run_that_is_not_there_is_told_so() {
    let (served, _store) = served_store();
    for path in ["/run/9/events", "/run/x/events", "/run/9/projector", "/run/-1/projector/events"] {
        assert_eq!(served.get(path).status, 404, "{path}");
    }
}

#[test]
fn what_is_played_now_is_waited_for() {
    let served = served();
    assert_eq!(served.get("/now").status, 404, "without a store");
    let (served, _store) = served_store();
    let soon = served.get("/now");
    assert!(soon.status == 200 && soon.text().contains("http-equiv=\"refresh\""));
}

/// Plays a comparison of house bots, and shows it.
fn compare(served: &Served, store: &Store, name: &str) {
    let settings = MatchSettings { seed: 7, ..MatchSettings::of("fencing") };
    let bots = ["old=house:random", "new=house:greedy"];
    let mut plan = ComparisonPlan::new(settings, bots[0], bots[1]).expect("a plan");
    plan.games_max = Some(4);
    let means = RunMeans {
        store: Some(store.place()),
        name: Some(name.to_owned()),
        replays: ReplayWish::Usual,
        ..RunMeans::default()
    };
    let replays = ServedReplays::of_folder(served.folder.path()).with_store(store.clone());
    let run = WatchedRun { hub: served.hub.clone(), title: "A game", replays, films_all: false };
    let mut nobody = ();
    let mut watched = Watched::new(run, &mut nobody);
    run_comparison(&plan, &means, &mut watched, &Stop::default()).expect("house bots play");
}

#[test]
fn whoever_follows_a_run_is_led_to_the_next_one_and_to_its_matches() {
    let (served, store) = served_store();
    compare(&served, &store, "first rung");
    assert_eq!(served.get("/now").header("location"), Some("/run/5"));
    compare(&served, &store, "second rung");
    assert_eq!(served.get("/now").header("location"), Some("/run/6"));
    let told = Follower::new(&served, "/run/5/events").rest();
    assert!(told.ends_with("event: end\ndata: /run/6\n\n"), "{told}");
    let mut last = Follower::new(&served, "/run/6/events");
    last.wait_for(&["event: main", "\n\n"]);
    served.hub.close();
    assert!(last.rest().ends_with("event: end\ndata: \n\n"));
    // Its film may still be made.
    assert!(Follower::new(&served, "/live/1/events").rest().contains("event: end"));
    let seen_again = served.get("/live/1");
    let page = seen_again.header("location").expect("a place").to_owned();
    assert!(page.starts_with("/match/%40store/5/"), "{page}");
    assert_eq!(served.get(&page).status, 200);
}

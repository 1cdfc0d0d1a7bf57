//! The pages of a store: what they say, where their numbers lead, and what they do not give away.

use std::collections::BTreeSet;
use std::time::Duration;

use quintain_core::{ErrorKind, PerSeat, Seat, Verdict};
use quintain_record::{
    AnswerTimes, BotId, Disturbance, Ending, MatchHead, MatchId, MatchRecord, Scored, SeatError,
    Tag, VoidReason,
};
use quintain_store::{BotEntry, Run, RunPlan, Store};

use crate::matches::{Served, served, served_with};

/// Somebody who means harm, in every text that a store takes from bots.
pub(crate) const HOSTILE: &str = "<script>pwned()</script>\"'&\u{202e}";

const PAIRS: [[u32; 2]; 3] = [[0, 1], [0, 2], [1, 2]];

/// A store with a comparison and a tournament of each form, and a server that shows it.
pub(crate) fn served_store() -> (Served, Store) {
    let mut kept = None;
    let served = served_with(|replays, folder| {
        let store = Store::open(&folder.join("games.db").display().to_string()).expect("a store");
        fill(&store);
        kept = Some(store.clone());
        replays.with_store(store)
    });
    (served, kept.expect("it was made"))
}

fn fill(store: &Store) {
    let comparison = begin(store, "compare worms old new", "compare", &["old", HOSTILE]);
    for round in 0..40 {
        record(&comparison, MatchId { round, ..MatchId::default() }, [0, 1]);
    }
    let cup = begin(store, "cup", "round-robin", &["ada", "bob", HOSTILE]);
    for seed_index in 0..20 {
        for (pairing, bots) in (0..).zip(PAIRS) {
            record(&cup, MatchId { pairing, seed_index, ..MatchId::default() }, bots);
        }
    }
    let knockout = begin(store, "knock-out", "knockout", &["ada", "bob"]);
    record(&knockout, MatchId::default(), [0, 1]);
    let swiss = begin(store, "swiss", "swiss", &["ada", "bob"]);
    record(&swiss, MatchId::default(), [0, 1]);
}

fn begin(store: &Store, name: &str, kind: &str, bots: &[&str]) -> Run {
    let is_drawn = matches!(kind, "swiss" | "knockout");
    let settings =
        if is_drawn { r#"{"seed":1,"games-per-pair":2,"rounds":1}"# } else { r#"{"seed":1}"# };
    let settings = settings.to_owned();
    let bots = bots.iter().map(|bot| BotEntry::new(*bot, "house:random")).collect();
    let (name, kind, game) = (name.to_owned(), kind.to_owned(), "worms".to_owned());
    let run = store.begin(&RunPlan { name, kind, game, settings, bots }).expect("a run");
    run.note_wish(r#"{"games-per-pair":40,"command":"quintain <b> again"}"#).expect("room");
    run
}

/// Both games of a pair: the second bot wins the first of them and mostly the other one too.
pub(crate) fn record(run: &Run, id: MatchId, bots: [u32; 2]) {
    let number = id.round + id.seed_index;
    for swapped in [false, true] {
        let id = MatchId { swapped, ..id };
        let seats = if swapped { [bots[1], bots[0]] } else { bots };
        let is_upset = swapped && number.is_multiple_of(3);
        let winner = if swapped == is_upset { Seat::Second } else { Seat::First };
        run.record(&game(id, seats, winner, number)).expect("room");
    }
}

fn game(id: MatchId, bots: [u32; 2], winner: Seat, number: u32) -> MatchRecord {
    let verdict = |seat| if seat == winner { Verdict::Win } else { Verdict::Loss };
    let is_void = number == 7;
    let scored = Ending::Scored(Scored {
        verdicts: PerSeat::from_fn(verdict),
        scores: PerSeat([5, 3]),
        reason: HOSTILE.to_owned(),
    });
    let error = SeatError {
        seat: winner.other(),
        kind: ErrorKind::Timeout,
        times: 1,
        cause: None,
        text: HOSTILE.to_owned(),
    };
    let disturbance = Disturbance {
        attempt: 1,
        seat: Seat::First,
        turn: 3,
        limit: Duration::from_millis(50),
        wall: Duration::from_millis(70),
        cpu: None,
        waited: None,
        replay: None,
    };
    let tag = Tag {
        name: "depth".to_owned(),
        seat: Some(Seat::First),
        turn: None,
        value: number.to_string(),
    };
    let hostile =
        Tag { name: HOSTILE.to_owned(), seat: None, turn: None, value: HOSTILE.to_owned() };
    MatchRecord {
        head: MatchHead {
            id,
            seed: 100 + i64::from(number),
            bots: PerSeat(bots.map(BotId)),
            ending: if is_void { Ending::Void(VoidReason::Disturbed) } else { scored },
            turns: 12,
            content: Some(u64::from(number) * 2 + u64::from(id.swapped)),
            replay: Some(if number == 1 { "secret.jsonl" } else { "worms.jsonl" }.to_owned()),
            replay_digest: None,
            sandbox: None,
            duration: Duration::from_millis(15),
            answers: PerSeat([AnswerTimes::default(); 2]),
            finished_ms: 1_700_000_000_000,
        },
        errors: if number == 5 { vec![error] } else { Vec::new() },
        disturbances: if is_void { vec![disturbance] } else { Vec::new() },
        tags: vec![tag, hostile],
    }
}

/// The addresses that a page leads to, as a browser would read them.
fn links(text: &str) -> BTreeSet<String> {
    let hrefs =
        text.split("<a ").skip(1).filter_map(|tag| tag.split_once("href=\"")?.1.split_once('"'));
    hrefs.map(|(address, _)| address.replace("&#38;", "&").replace("&amp;", "&")).collect()
}

#[test]
fn every_link_of_every_page_leads_to_a_page() {
    let (served, _store) = served_store();
    let mut seen = BTreeSet::new();
    let mut waiting = vec!["/runs".to_owned()];
    while let Some(address) = waiting.pop() {
        // A page of a list leads to lists of its own without end.
        if seen.len() >= 150 || !seen.insert(address.clone()) {
            continue;
        }
        let page = served.get(&address);
        let is_secret = address.contains("%40store") && page.status == 404;
        assert!(page.status == 200 || is_secret, "{address}: {}", page.head);
        if page.header("content-type") == Some("text/html; charset=utf-8") {
            let text = page.text();
            // A form holds names as they are, so that they can be asked for.
            let between_tags: String =
                text.split('>').filter_map(|part| part.split('<').next()).collect();
            assert!(!text.contains("<script>pwned"), "{address}");
            assert!(!between_tags.contains('\u{202e}'), "{address}");
            waiting.extend(links(&text).into_iter().filter(|link| link.starts_with('/')));
        }
    }
    assert!(seen.len() > 60, "{seen:?}");
}

#[test]
fn a_comparison_has_its_numbers_and_the_games_behind_them() {
    let (served, _store) = served_store();
    let page = served.get("/run/1").text();
    for part in
        ["Evidence over games", "Elo of", "by seat", "quintain &#60;b&#62; again", "timeout"]
    {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(page.contains("is stronger"), "{page}");
    let void =
        links(&page).into_iter().find(|link| link.ends_with("void=yes")).expect("void games");
    let pairs = links(&page).into_iter().find(|link| link.ends_with("pair=1")).expect("pairs");
    assert!(served.get(&pairs).text().contains("28 matches"), "{pairs}");
    let listed = served.get(&void).text();
    assert_eq!(listed.matches("void: disturbed").count(), 2, "{listed}");
}

#[test]
fn a_tournament_has_standings_a_heat_map_and_rounds_where_they_follow_from_results() {
    let (served, _store) = served_store();
    let cup = served.get("/run/2").text();
    for part in ["Standings", "class=\"heat", "120 of 120 games", "finished"] {
        assert!(cup.contains(part), "{part} in {cup}");
    }
    assert!(served.get("/run/3").text().contains("Bracket"));
    assert!(served.get("/run/4").text().contains("Buchholz"));
}

#[test]
fn filters_stand_in_the_address() {
    let (served, _store) = served_store();
    let count = |address: &str| {
        let page = served.get(address);
        assert_eq!(page.status, 200, "{address}: {}", page.text());
        let text = page.text();
        let count = text.split_once("<p class=\"small\">").expect("a line").1;
        count.split_once(' ').expect("a number").0.to_owned()
    };
    for (address, expected) in [
        ("/matches", "204"),
        ("/matches?run=cup", "120"),
        ("/matches?run=cup&bot=ada", "50"),
        ("/matches?run=cup&bot=ada&opponent=bob", "40"),
        ("/matches?run=cup&bot=ada&opponent=bob&verdict=win", "7"),
        ("/matches?run=cup&bot=ada&opponent=bob&seat=first", "20"),
        ("/matches?run=cup&error=timeout", "6"),
        ("/matches?run=cup&error=crash", "0"),
        ("/matches?run=cup&tag=depth%3E%3D18", "12"),
        ("/matches?run=cup&seed=103", "6"),
        ("/matches?run=cup&void=yes", "6"),
        ("/matches?run=cup&bot=ada&opponent=bob&pair=0", "24"),
        ("/matches?run=cup&bot=ada&opponent=bob&pair=1", "14"),
        ("/matches?run=cup&bot=bob&opponent=ada&pair=2", "24"),
        ("/matches?run=cup&bot=ada&opponent=bob&pair=1.5", "0"),
        ("/matches?run=cup&bot=&seed=", "120"),
    ] {
        assert_eq!(count(address), expected, "{address}");
    }
    for (address, part) in [
        ("/matches?verdict=won", "verdict: expected"),
        ("/matches?run=none", "run: expected one of"),
        ("/matches?tag=%3E%3D", "tag: expected"),
        ("/matches?seed=x", "seed: expected a number"),
        ("/matches?pair=5", "pair: expected 0, 0.5, 1, 1.5, 2"),
        ("/matches?colour=red", "expected one of run"),
        ("/matches?before=x", "before: expected"),
    ] {
        let page = served.get(address);
        assert_eq!(page.status, 400, "{address}");
        assert!(page.text().contains(part), "{address}: {}", page.text());
    }
}

#[test]
fn a_long_list_is_paged_and_every_match_is_on_one_page() {
    let (served, _store) = served_store();
    let mut address = Some("/matches".to_owned());
    let (mut pages, mut rows) = (0, 0);
    while let Some(here) = address {
        let text = served.get(&here).text();
        rows += text.matches("aria-label=\"first\"").count();
        pages += 1;
        address = links(&text).into_iter().find(|link| link.contains("before="));
    }
    assert_eq!((pages, rows), (5, 204));
}

#[test]
fn a_match_of_the_store_is_shown_and_other_files_are_not() {
    let (served, _store) = served_store();
    std::fs::write(served.folder.path().join("secret.jsonl"), "secret").expect("room");
    let shown = "/match/@store/1/1.jsonl.zst";
    assert_eq!(served.get(shown).status, 200);
    assert!(served.get(&shown.replace("/match/", "/film/")).text().contains("Worms"));
    // The third game names a file that is no replay.
    for address in [
        "/replay/@store/1/3.jsonl.zst",
        "/replay/@store/9/1.jsonl.zst",
        "/replay/@store/1/99999.jsonl.zst",
        "/replay/@store/1/../secret.jsonl",
        "/replay/@store/1/1",
    ] {
        assert_eq!(served.get(address).status, 404, "{address}");
    }
}

#[test]
fn who_plays_now_is_told() {
    let (served, store) = served_store();
    assert!(!served.get("/runs").text().contains("playing now"));
    let plan = store.find_run("cup").expect("a store").expect("a run").plan;
    let run = store.begin(&plan).expect("nobody has it");
    for address in ["/runs", "/run/2"] {
        assert!(served.get(address).text().contains("playing now"), "{address}");
    }
    drop(run);
    assert!(!served.get("/run/2").text().contains("playing now"));
}

#[test]
fn without_a_store_its_pages_say_how_to_have_one() {
    let served = served();
    for address in ["/runs", "/run/1", "/run/1/events", "/run/1/projector", "/now", "/matches"] {
        let page = served.get(address);
        assert_eq!(page.status, 404, "{address}");
        assert!(page.text().contains("name one when the server is started"), "{address}");
    }
}

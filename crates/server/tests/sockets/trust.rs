//! How far workers are trusted: canaries, quarantine, and what people are shown. Every game that is reported here was
//! really played.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use quintain_arena::REPEATS_MAX;
use quintain_arena::work::wire::{Claim, ClaimRequest, Report, Reported};
use quintain_core::Seat;
use quintain_record::{Disturbance, Ending, VoidReason};
use quintain_server::ScaleLimits;
use quintain_store::work::{NewOrder, RefusalKind};
use serde_json::{Value, json};

use crate::matches::Reply;
use crate::work::{JobServer, OTHER_WORKER, WORKER, claim_request, game, order, play, read};

fn with_canaries() -> JobServer {
    JobServer::serving(|work| work.with_canaries(None))
}

fn claim(server: &JobServer, token: &str, slots: u32, session: &str) -> Reply {
    let request = ClaimRequest { slots, session: session.to_owned(), ..claim_request() };
    server.post("/jobs/claim", token, &request)
}

/// Plays what it was given, honestly.
fn pass(server: &JobServer, token: &str, claim: &Claim) {
    let reply = server.report(token, claim, play(&claim.order, &claim.games));
    assert_eq!(read::<Value>(&reply), json!({ "go_on": true }), "{}", reply.text());
}

fn is_canary(claim: &Claim) -> bool {
    !claim.order.clock
}

#[test]
fn every_slot_of_a_new_worker_plays_a_canary_before_it_is_given_anything_else() {
    let server = with_canaries();
    server.order(3);
    let canaries: [Claim; 2] = [0, 1].map(|_| read(&claim(&server, WORKER, 2, "one")));
    assert!(canaries.iter().all(is_canary), "both slots are busy with one");
    assert_ne!(canaries[0].lease.job, canaries[1].lease.job);
    let [first, second] = [0, 1].map(|slot: usize| canaries[slot].games[0]);
    assert_eq!(first.seed, second.seed);
    assert_ne!(first.id, second.id, "each slot keeps its replay by this name");
    assert_eq!(claim(&server, WORKER, 2, "one").status, 204, "nothing is proven yet");
    let beat = json!({ "lease": canaries[0].lease });
    assert_eq!(read::<Value>(&server.post("/jobs/beat", WORKER, &beat)), json!({ "go_on": true }));
    canaries.iter().for_each(|canary| pass(&server, WORKER, canary));
    assert!(!is_canary(&read(&claim(&server, WORKER, 2, "one"))));
    assert!(is_canary(&read(&claim(&server, WORKER, 2, "two"))), "it was started again");
    assert!(is_canary(&read(&claim(&server, OTHER_WORKER, 1, "one"))));
    let worker = server.worker("w1");
    assert!(worker.standing.speed_milli.is_some_and(|speed| speed > 0), "{worker:?}");
    assert_eq!((worker.games, worker.refused), (0, 0), "canaries are not counted as games");
    assert_eq!(server.board.canaries("w1", 10).expect("a store").len(), 2);
}

#[test]
fn another_end_of_a_canary_means_quarantine_until_it_is_lifted() {
    let server = with_canaries();
    server.order(1);
    let canary: Claim = read(&claim(&server, WORKER, 1, "one"));
    // Played by the rules, but by other bots than were ordered.
    let mut weaker = canary.order.clone();
    for bot in &mut weaker.bots {
        bot.mind = quintain_arena::work::OrderedMind::House { bot: "random".to_owned() };
    }
    let reply = server.report(WORKER, &canary, play(&weaker, &canary.games));
    assert_eq!(reply.status, 403, "{}", reply.text());
    let expected = "this worker is in quarantine: ";
    assert!(reply.text().contains(expected), "{}", reply.text());
    assert!(reply.text().contains("quintain token lift w1"), "{}", reply.text());
    let again = claim(&server, WORKER, 1, "two");
    assert_eq!(again.status, 403);
    assert!(again.text().contains(expected), "{}", again.text());
    assert_eq!(
        server.worker("w1").quarantine.expect("it is in one").1,
        server.worker("w1").last_words
    );
    let page = server.served.get("/worker/w1").text();
    assert!(page.contains("In quarantine since"), "{page}");
    assert!(server.board.lift_quarantine("w1").expect("a store"));
    let canary: Claim = read(&claim(&server, WORKER, 1, "three"));
    assert!(is_canary(&canary), "it proves itself anew");
    pass(&server, WORKER, &canary);
    assert!(!is_canary(&read(&claim(&server, WORKER, 1, "three"))));
}

#[test]
fn an_end_that_nobody_could_have_invented_is_compared_with_the_one_that_is_known() {
    let server = with_canaries();
    let canary: Claim = read(&claim(&server, WORKER, 1, "one"));
    let mut games = play(&canary.order, &canary.games);
    games[0].record.head.content = games[0].record.head.content.map(|content| content ^ 1);
    let reply = server.report(WORKER, &canary, games);
    assert_eq!(reply.status, 403, "{}", reply.text());
    let canaries = server.board.canaries("w1", 10).expect("a store");
    assert!(canaries[0].wrong.is_some(), "{canaries:?}");
}

#[test]
fn a_canary_that_was_given_back_proves_nothing_and_costs_nothing() {
    let server = with_canaries();
    server.order(1);
    let canary: Claim = read(&claim(&server, WORKER, 1, "one"));
    let report = Report { lease: canary.lease, what: Reported::GivenBack };
    assert_eq!(server.post("/jobs/report", WORKER, &report).status, 200);
    assert!(is_canary(&read(&claim(&server, WORKER, 1, "one"))));
    assert_eq!(server.worker("w1").quarantine, None);
}

/// Orders with a clock that counts: a bot in an archive.
fn timed_order(server: &JobServer) {
    let mut order = order();
    let (digest, state) = ("0".repeat(64), Default::default());
    let (args, env) = (Vec::new(), Vec::new());
    order.bots[0].mind = quintain_arena::work::OrderedMind::Archive { digest, state, args, env };
    assert!(order.is_timed());
    let body = serde_json::to_string(&order).expect("plain data");
    let placed = NewOrder { key: "timed", owner: "ann", body: &body, is_timed: true };
    let placed = server.board.place_order(&placed).expect("a store");
    let game = game(0, false);
    let body = serde_json::to_string(&game).expect("plain data");
    let job = vec![quintain_store::work::NewGame { id: game.id, body }];
    server.board.add_jobs(placed, &[job]).expect("a store");
}

#[test]
fn time_limits_are_multiplied_for_the_speed_that_canaries_show() {
    let limits = ScaleLimits { least: 0.5, most: 2.0 };
    let server = JobServer::serving(|work| work.with_canaries(Some(limits)));
    timed_order(&server);
    let canary: Claim = read(&claim(&server, WORKER, 1, "one"));
    pass(&server, WORKER, &canary);
    let standing = quintain_store::work::Standing { speed_milli: Some(640), noise: None };
    server.board.note_standing("w1", &standing).expect("a store");
    let job: Claim = read(&claim(&server, WORKER, 1, "one"));
    assert_eq!((job.order.machine_scale, job.order.time_scale), (1.55, 1.55));
}

#[test]
fn a_noisy_machine_is_not_given_games_with_a_clock() {
    let server = with_canaries();
    timed_order(&server);
    let canary: Claim = read(&claim(&server, WORKER, 1, "one"));
    pass(&server, WORKER, &canary);
    let noise = Some("its canaries differ".to_owned());
    let standing = quintain_store::work::Standing { speed_milli: Some(640), noise };
    server.board.note_standing("w1", &standing).expect("a store");
    assert_eq!(claim(&server, WORKER, 1, "one").status, 204);
    let page = server.served.get("/worker/w1").text();
    assert!(page.contains("It is given games without a clock only."), "{page}");
    let calm = server.order(1);
    assert_eq!(read::<Claim>(&claim(&server, WORKER, 1, "one")).order_id, calm, "house bots only");
}

#[test]
fn a_void_game_is_not_believed_without_a_replay_that_shows_why() {
    let late = |attempt| Disturbance {
        attempt,
        seat: Seat::First,
        turn: 0,
        limit: Duration::from_millis(50),
        wall: Duration::from_millis(60),
        cpu: None,
        waited: None,
        replay: None,
    };
    for (reason, attempts, expected) in [
        (VoidReason::Aborted, 0, "found one that was broken off"),
        (VoidReason::Disturbed, REPEATS_MAX + 1, "expected no void game where nobody is timed"),
    ] {
        let server = JobServer::serving(|work| work);
        let order = server.order(1);
        let claim = server.claim(WORKER);
        let mut games = play(&claim.order, &claim.games);
        let record = &mut games[0].record;
        record.head.ending = Ending::Void(reason);
        record.head.content = None;
        record.errors.clear();
        record.tags.clear();
        record.disturbances = (1..=attempts).map(late).collect();
        let reply = server.report(WORKER, &claim, games);
        assert_eq!(reply.status, 409, "{}", reply.text());
        assert!(reply.text().contains(expected), "{}", reply.text());
        assert!(server.collect(order).games.is_empty());
    }
}

/// A body that comes byte by byte holds a connection, and nothing else, until its time is up.
#[test]
fn a_slow_body_keeps_nobody_else_waiting_and_is_refused_and_counted() {
    let server = JobServer::serving(|work| work.with_patience(Duration::from_secs(3)));
    server.order(1);
    let mut slow = server.served.connect();
    let head = format!(
        "POST /jobs/report HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {WORKER}\r\n\
         Connection: close\r\nContent-Length: 1000000\r\n\r\n{{",
        server.served.address
    );
    slow.write_all(head.as_bytes()).expect("it listens");
    let claim = server.claim(OTHER_WORKER);
    let games = play(&claim.order, &claim.games);
    assert_eq!(server.report(OTHER_WORKER, &claim, games).status, 200);
    let mut answer = Vec::new();
    let _ = slow.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.contains("the request took too long"), "{answer}");
    let refusals = server.board.refusals("w1").expect("a store");
    assert_eq!(refusals[0].kind, RefusalKind::TooSlow, "{refusals:?}");
}

#[test]
fn people_are_shown_what_workers_did_and_what_nobody_could_play() {
    let server = JobServer::serving(|work| work);
    server.order(2);
    let done = server.claim(WORKER);
    pass(&server, WORKER, &done);
    for _ in 0..3 {
        let claim = server.claim(WORKER);
        let log = "bot <b>: no compiler".to_owned();
        let report = Report { lease: claim.lease, what: Reported::Failed { log } };
        assert_eq!(server.post("/jobs/report", WORKER, &report).status, 200);
    }
    assert_eq!(server.send("POST", "/jobs/report", WORKER, b"{").status, 400);
    assert_eq!(server.post("/jobs/claim", "nobody", &claim_request()).status, 401);
    let refusals = server.board.refusals("w1").expect("a store");
    assert_eq!(refusals[0].kind, RefusalKind::Unreadable);
    let workers = server.served.get("/workers");
    assert_eq!(workers.status, 200);
    let workers = workers.text();
    for expected in [
        "<a href=\"/worker/w1\">w1</a>",
        "Jobs that nobody could play",
        "w1: bot &#60;b&#62;: no compiler",
        "1 requests without a good token",
    ] {
        assert!(workers.contains(expected), "{expected}: {workers}");
    }
    let page = server.served.get("/worker/w1").text();
    for expected in ["cannot be read", "Runs that it played games of", "no compiler", "residual"] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    assert_eq!(server.served.get("/worker/nobody").status, 404);
    let rebound = "GET /workers HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert_eq!(server.served.ask(rebound).status, 403, "strangers' pages may not ask");
}

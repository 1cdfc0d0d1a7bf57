//! The board of jobs as workers and organisers meet it, honest ones and others. Every game that is reported here was
//! really played.

use quintain_arena::work::wire::{
    Claim, ClaimRequest, CollectAnswer, CollectRequest, NewJobs, OrderNumber, OrderRequest, Report,
    Reported, ReportedGame, Version,
};
use quintain_arena::work::{JobGame, Order, OrderedBot, OrderedMind, arena_of, play_game};
use quintain_core::{ConfigChoice, Edition, PerSeat, Verdict};
use quintain_record::{BotId, Ending, MatchId};
use quintain_registry::find;
use quintain_server::{Hub, Neighbours, Plan, ServedReplays, Server, Work};
use quintain_store::Store;
use quintain_store::work::{JobBoard, RefusalKind, TokenKind, WorkerInfo};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::matches::{Reply, Served};

pub(crate) const WORKER: &str = "worker-token";
pub(crate) const OTHER_WORKER: &str = "other-worker-token";
pub(crate) const ORGANISER: &str = "organiser-token";
const OTHER_ORGANISER: &str = "other-organiser-token";

pub(crate) struct JobServer {
    pub(crate) served: Served,
    pub(crate) board: JobBoard,
}

impl JobServer {
    pub(crate) fn open() -> JobServer {
        JobServer::serving(|work| work)
    }

    pub(crate) fn serving(prepare: impl FnOnce(Work) -> Work) -> JobServer {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("arena.db").display().to_string();
        JobServer::serving_on(&path, folder, prepare)
    }

    /// With its board in this store.
    pub(crate) fn serving_on(
        path: &str,
        folder: TempDir,
        prepare: impl FnOnce(Work) -> Work,
    ) -> JobServer {
        let store = Store::open(path).expect("a store");
        let board = JobBoard::open(&store).expect("a board");
        let tokens = [
            ("w1", TokenKind::Worker, WORKER),
            ("w2", TokenKind::Worker, OTHER_WORKER),
            ("ann", TokenKind::Organiser, ORGANISER),
            ("bob", TokenKind::Organiser, OTHER_ORGANISER),
        ];
        for (name, kind, word) in tokens {
            assert!(board.add_token(name, kind, word).expect("a store"));
        }
        let plan = Plan {
            listen: "127.0.0.1:0".to_owned(),
            replays: ServedReplays::of_folder(folder.path()),
            neighbours: Neighbours::default(),
            work: Some(prepare(Work::open(&store, &folder.path().join("blobs")).expect("a board"))),
            live: None,
            token: None,
        };
        let server = Server::bind(plan).expect("a free port");
        let address = server.address().expect("it listens");
        std::thread::spawn(move || server.run());
        let hub = Hub::new().expect("a thread");
        JobServer { served: Served { folder, address, hub }, board }
    }

    pub(crate) fn send(&self, method: &str, path: &str, token: &str, body: &[u8]) -> Reply {
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             Content-Length: {}\r\n\r\n",
            self.served.address,
            body.len()
        )
        .into_bytes();
        request.extend_from_slice(body);
        self.served.try_ask(&request).expect("an answer")
    }

    pub(crate) fn post(&self, path: &str, token: &str, what: &impl Serialize) -> Reply {
        self.send("POST", path, token, &serde_json::to_vec(what).expect("plain data"))
    }

    /// Places an order for some pairs of games, each a job.
    pub(crate) fn order(&self, pairs: u32) -> i64 {
        let request = OrderRequest { version: Version::own(), key: "k".to_owned(), order: order() };
        let placed: OrderNumber = read(&self.post("/jobs/order", ORGANISER, &request));
        let jobs = (0..pairs).map(|pair| vec![game(pair, false), game(pair, true)]).collect();
        let path = format!("/jobs/order/{}/jobs", placed.order);
        let added = self.post(&path, ORGANISER, &NewJobs { jobs });
        assert_eq!(added.status, 204, "{}", added.text());
        placed.order
    }

    pub(crate) fn claim(&self, token: &str) -> Claim {
        let request = claim_request();
        read(&self.post("/jobs/claim", token, &request))
    }

    pub(crate) fn report(&self, token: &str, claim: &Claim, games: Vec<ReportedGame>) -> Reply {
        let report = Report { lease: claim.lease, what: Reported::Played(games) };
        self.post("/jobs/report", token, &report)
    }

    pub(crate) fn collect(&self, order: i64) -> CollectAnswer {
        let request = CollectRequest { taken: Vec::new(), wait_ms: 0 };
        read(&self.post(&format!("/jobs/order/{order}/collect"), ORGANISER, &request))
    }

    pub(crate) fn worker(&self, name: &str) -> WorkerInfo {
        let workers = self.board.workers().expect("a store");
        workers.into_iter().find(|worker| worker.name == name).expect("it is known")
    }
}

pub(crate) fn claim_request() -> ClaimRequest {
    ClaimRequest { version: Version::own(), slots: 1, session: "first".to_owned() }
}

pub(crate) fn read<T: DeserializeOwned>(reply: &Reply) -> T {
    assert_eq!(reply.status, 200, "{}", reply.text());
    serde_json::from_slice(&reply.body).expect("an answer as it is written down")
}

pub(crate) fn order() -> Order {
    let game = find("fencing").expect("it is registered");
    let config = game.configure(&ConfigChoice::default()).expect("the usual config");
    let bot = |name: &str| OrderedBot {
        name: name.to_owned(),
        mind: OrderedMind::House { bot: name.to_owned() },
        files: Default::default(),
    };
    Order {
        game: "fencing".to_owned(),
        edition: Edition::default(),
        config: (*config.value).clone(),
        ask: "in-turn".to_owned(),
        time_scale: 1.0,
        machine_scale: 1.0,
        clock: true,
        start_limit_ms: 5000,
        bots: vec![bot("random"), bot("greedy")],
    }
}

pub(crate) fn game(pair: u32, swapped: bool) -> JobGame {
    let bots = if swapped { [BotId(1), BotId(0)] } else { [BotId(0), BotId(1)] };
    let id = MatchId { round: pair, pairing: 0, seed_index: 0, swapped };
    JobGame { id, bots: PerSeat(bots), seed: 100 + i64::from(pair) }
}

/// Plays as an honest worker.
pub(crate) fn play(order: &Order, games: &[JobGame]) -> Vec<ReportedGame> {
    let folder = tempfile::tempdir().expect("a folder");
    let arena =
        arena_of(order, &|_| unreachable!("house bots have no folder"), folder.path(), None);
    let arena = arena.expect("an order that can be played");
    let play = |game: &JobGame| {
        let played = play_game(&arena, game).expect("it can be set up");
        let replay = std::fs::read(played.replay.expect("a replay")).expect("it is there");
        ReportedGame { record: played.record, replay }
    };
    games.iter().map(play).collect()
}

#[test]
fn an_honest_report_is_counted_once() {
    let server = JobServer::open();
    let order = server.order(1);
    let claim = server.claim(WORKER);
    let games = play(&claim.order, &claim.games);
    for _ in 0..3 {
        let reply = server.report(WORKER, &claim, games.clone());
        assert_eq!(read::<Value>(&reply), json!({ "go_on": true }));
    }
    // Times are sent in whole microseconds.
    let words = |games: &[ReportedGame]| serde_json::to_value(games).expect("plain data");
    assert!(
        words(&server.collect(order).games) == words(&games),
        "it is collected as it was reported"
    );
    assert_eq!((server.worker("w1").games, server.worker("w1").refused), (2, 0));
}

/// Reports that are not what was played.
#[test]
fn a_forged_report_is_refused_and_counted_and_its_job_is_given_to_another() {
    type Forge = fn(&mut Vec<ReportedGame>);
    let forgeries: [(&str, Forge, &str); 9] = [
        ("the verdicts are changed", |games| set_verdicts(&mut games[0]), "verdicts: expected"),
        ("a score is changed", |games| change_score(&mut games[0]), "scores: expected"),
        ("the replay is that of the other game", |games| games.swap_replays(), "bot: expected"),
        ("the replay is cut off", |games| games[0].replay.truncate(200), "does not verify"),
        ("there is no replay", |games| games[0].replay.clear(), "does not verify"),
        ("one game is missing", |games| drop(games.pop()), "expected 2 games, found 1"),
        ("one game is there twice", |games| games[1] = games[0].clone(), "is missing"),
        ("the turns are others", |games| games[0].record.head.turns += 1, "turns: expected"),
        (
            "the seed is another",
            |games| games[0].record.head.seed += 1,
            "seed: expected 100, found 101",
        ),
    ];
    for (what, forge, expected) in forgeries {
        let server = JobServer::open();
        let order = server.order(1);
        let claim = server.claim(WORKER);
        let honest = play(&claim.order, &claim.games);
        let mut games = honest.clone();
        forge(&mut games);
        let reply = server.report(WORKER, &claim, games);
        assert_eq!(reply.status, 409, "{what}: {}", reply.text());
        assert!(reply.text().contains(expected), "{what}: {}", reply.text());
        let worker = server.worker("w1");
        assert_eq!((worker.games, worker.refused), (0, 1), "{what}");
        assert!(worker.last_words.contains(expected), "{what}: {}", worker.last_words);
        assert!(server.collect(order).games.is_empty(), "{what}");
        let again = server.claim(OTHER_WORKER);
        assert_eq!((again.lease.job, again.lease.reads), (claim.lease.job, 2), "{what}");
        assert_eq!(server.report(OTHER_WORKER, &again, honest).status, 200, "{what}");
    }
}

trait SwapReplays {
    fn swap_replays(&mut self);
}

impl SwapReplays for Vec<ReportedGame> {
    fn swap_replays(&mut self) {
        let (first, second) = self.split_at_mut(1);
        std::mem::swap(&mut first[0].replay, &mut second[0].replay);
    }
}

pub(crate) fn set_verdicts(game: &mut ReportedGame) {
    let Ending::Scored(scored) = &mut game.record.head.ending else { panic!("it was scored") };
    scored.verdicts = match scored.verdicts.0 {
        [Verdict::Win, _] => PerSeat([Verdict::Loss, Verdict::Win]),
        _ => PerSeat([Verdict::Win, Verdict::Loss]),
    };
}

fn change_score(game: &mut ReportedGame) {
    let Ending::Scored(scored) = &mut game.record.head.ending else { panic!("it was scored") };
    scored.scores.0[0] += 1;
}

#[test]
fn a_match_of_another_order_proves_nothing() {
    let server = JobServer::open();
    server.order(1);
    let claim = server.claim(WORKER);
    let mut slower = claim.order.clone();
    slower.time_scale = 2.0;
    let reply = server.report(WORKER, &claim, play(&slower, &claim.games));
    assert_eq!(reply.status, 409);
    assert!(reply.text().contains("time scale: expected 1.0, found 2.0"), "{}", reply.text());
    let claim = server.claim(WORKER);
    let mut stronger = claim.order.clone();
    stronger.bots[0].mind = OrderedMind::House { bot: "greedy".to_owned() };
    let reply = server.report(WORKER, &claim, play(&stronger, &claim.games));
    assert_eq!(reply.status, 409);
    assert!(reply.text().contains("house bot: expected"), "{}", reply.text());
}

#[test]
fn a_job_belongs_to_whoever_claimed_it() {
    let server = JobServer::open();
    let order = server.order(1);
    let claim = server.claim(WORKER);
    let games = play(&claim.order, &claim.games);
    server.board.note_worker("w2", "0.1.0", 1).expect("a store");
    let stolen = server.report(OTHER_WORKER, &claim, games.clone());
    assert_eq!(stolen.status, 409);
    let never = "this job was never given to this worker";
    assert!(stolen.text().contains(never), "{}", stolen.text());
    assert_eq!(server.worker("w2").refused, 1);
    let inventions: [fn(&mut Claim); 3] = [
        |claim| claim.lease.job += 1,
        |claim| claim.lease.reads += 1,
        |claim| claim.lease.proof ^= 1,
    ];
    for invent in inventions {
        let mut invented = claim.clone();
        invent(&mut invented);
        let reply = server.report(WORKER, &invented, games.clone());
        assert_eq!(reply.status, 409, "nobody claimed it");
        assert!(reply.text().contains(never), "{}", reply.text());
    }
    let refusals = server.board.refusals("w1").expect("a store");
    let counted: Vec<_> = refusals.iter().map(|refusal| (refusal.kind, refusal.times)).collect();
    assert_eq!(counted, [(RefusalKind::NeverClaimed, 3)]);
    assert!(server.collect(order).games.is_empty());
    assert_eq!(read::<Value>(&server.report(WORKER, &claim, games)), json!({ "go_on": true }));
}

#[test]
fn a_token_opens_what_it_is_for() {
    let server = JobServer::open();
    let order = server.order(1);
    let claim = claim_request();
    for token in ["", "nobody", ORGANISER] {
        assert_eq!(server.post("/jobs/claim", token, &claim).status, 401, "{token}");
    }
    let collect = CollectRequest { taken: Vec::new(), wait_ms: 0 };
    let path = format!("/jobs/order/{order}/collect");
    assert_eq!(server.post(&path, WORKER, &collect).status, 401);
    assert_eq!(server.post(&path, OTHER_ORGANISER, &collect).status, 404, "it is another one's");
    assert_eq!(
        server.send("DELETE", &format!("/jobs/order/{order}"), OTHER_ORGANISER, b"").status,
        404
    );
    assert!(server.board.revoke_token("w1").expect("a store"));
    assert_eq!(server.post("/jobs/claim", WORKER, &claim).status, 401, "it was revoked");
    assert_eq!(server.served.get("/jobs/claim").status, 405);
}

#[test]
fn another_version_is_refused_before_it_is_given_anything() {
    let server = JobServer::open();
    server.order(1);
    let mut version = Version::own();
    version.quintain = "0.0.1".to_owned();
    let request = json!({ "version": version, "slots": 1, "mood": "what only 0.0.1 knows" });
    let reply = server.post("/jobs/claim", WORKER, &request);
    assert_eq!(reply.status, 426);
    assert!(reply.text().contains("install the same on both"), "{}", reply.text());
    assert_eq!((server.worker("w1").refused, server.worker("w1").version.as_str()), (1, "0.0.1"));
    let reply = server.post("/jobs/order", ORGANISER, &json!({ "version": version, "wish": 7 }));
    assert_eq!(reply.status, 426);
    assert!(reply.text().contains("expected 0.1.0, found 0.0.1"), "{}", reply.text());
}

#[test]
fn what_is_too_long_or_cannot_be_read_is_refused() {
    let server = JobServer::open();
    server.order(1);
    let claim = server.claim(WORKER);
    let head = |length: u64| {
        format!(
            "POST /jobs/report HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {WORKER}\r\n\
             Connection: close\r\nContent-Length: {length}\r\n\r\n",
            server.served.address
        )
    };
    let reply = server.served.ask(&head(1 << 40));
    assert_eq!(reply.status, 413, "it is refused before it is read");
    for body in ["", "{", "[]", "{\"lease\":{\"job\":1}}", "\u{0}"] {
        assert_eq!(
            server.send("POST", "/jobs/report", WORKER, body.as_bytes()).status,
            400,
            "{body}"
        );
    }
    let refusals = server.board.refusals("w1").expect("a store");
    let counted: Vec<_> = refusals.iter().map(|refusal| (refusal.kind, refusal.times)).collect();
    assert_eq!(counted, [(RefusalKind::TooLong, 1), (RefusalKind::Unreadable, 5)]);
    let games = play(&claim.order, &claim.games);
    assert_eq!(server.report(WORKER, &claim, games).status, 200, "its job is still its own");
}

#[test]
fn an_archive_is_what_its_name_says() {
    let server = JobServer::open();
    let content = b"bot";
    let digest = quintain_store::digest(content);
    let path = format!("/jobs/blob/{digest}");
    assert_eq!(server.send("GET", &path, WORKER, b"").status, 404);
    assert_eq!(server.send("PUT", &path, WORKER, content).status, 401, "workers bring nothing");
    assert_eq!(server.send("PUT", &path, ORGANISER, b"another").status, 409);
    assert_eq!(server.send("PUT", &path, ORGANISER, content).status, 204);
    assert_eq!(server.send("GET", &path, WORKER, b"").body, content);
    assert_eq!(server.send("GET", &path, "nobody", b"").status, 401);
    for name in ["..%2F..%2Farena.db", "../../arena.db", "arena.db", &digest.to_uppercase()] {
        let reply = server.send("GET", &format!("/jobs/blob/{name}"), WORKER, b"");
        assert_eq!(reply.status, 404, "{name}");
    }
}

#[test]
fn an_order_that_nobody_could_play_is_refused() {
    let server = JobServer::open();
    let place = |change: fn(&mut Order)| {
        let mut order = order();
        change(&mut order);
        let request = OrderRequest { version: Version::own(), key: "k".to_owned(), order };
        server.post("/jobs/order", ORGANISER, &request)
    };
    for (change, expected) in [
        ((|order| order.game = "chess".to_owned()) as fn(&mut Order), "there is no game `chess`"),
        (|order| order.config = json!("usual"), "config: expected one of fencing"),
        (
            |order| {
                let (digest, state) = ("0".repeat(64), Default::default());
                let (args, env) = (Vec::new(), Vec::new());
                order.bots[0].mind = OrderedMind::Archive { digest, state, args, env };
            },
            "is not here",
        ),
    ] {
        let reply = place(change);
        assert_eq!(reply.status, 409);
        assert!(reply.text().contains(expected), "{}", reply.text());
    }
}

//! Workers that lie, steal and flood: each of them is refused, counted by kind, and shown to people. Every game that is
//! told here was really played, by whoever it was played.

use std::io::{Read as _, Write as _};

use quintain_arena::work::wire::{Claim, ReportedGame};
use quintain_store::work::RefusalKind;

use crate::matches::{Reply, read_reply};
use crate::work::{JobServer, OTHER_WORKER, WORKER, play, set_verdicts};

/// The order of two jobs, and both of them in the hands of one worker.
fn two_jobs(server: &JobServer) -> [(Claim, Vec<ReportedGame>); 2] {
    server.order(2);
    [0, 1].map(|_| {
        let claim = server.claim(WORKER);
        let games = play(&claim.order, &claim.games);
        (claim, games)
    })
}

/// The games of one job with the names and seeds of those of another.
fn renamed(games: &[ReportedGame], claim: &Claim) -> Vec<ReportedGame> {
    let mut games = games.to_vec();
    for (game, wanted) in games.iter_mut().zip(&claim.games) {
        game.record.head.id = wanted.id;
        game.record.head.seed = wanted.seed;
    }
    games
}

/// A body that does not say how long it is, and is longer than any report.
fn flood(server: &JobServer) -> Reply {
    let mut stream = server.served.connect();
    let head = format!(
        "POST /jobs/report HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {WORKER}\r\n\
         Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n",
        server.served.address
    );
    stream.write_all(head.as_bytes()).expect("it listens");
    const CHUNK_BYTES: usize = 1024 * 1024;
    let mut chunk = format!("{CHUNK_BYTES:x}\r\n").into_bytes();
    chunk.extend_from_slice(&vec![b' '; CHUNK_BYTES]);
    chunk.extend_from_slice(b"\r\n");
    // The server may close before it has all of it.
    for _ in 0..66 {
        if stream.write_all(&chunk).is_err() {
            break;
        }
    }
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    read_reply(&answer).expect("an answer before the end of the body")
}

#[test]
fn whatever_a_hostile_worker_tries_is_refused_counted_and_shown() {
    let server = JobServer::open();
    let [(first, honest), (second, others)] = two_jobs(&server);
    server.board.note_worker("w2", "0.1.0", 1).expect("a store");

    let mut invented = first.clone();
    invented.lease.job += 100;
    assert_eq!(server.report(WORKER, &invented, honest.clone()).status, 409, "never claimed");
    assert_eq!(server.report(OTHER_WORKER, &first, honest.clone()).status, 409, "another's token");
    assert_eq!(flood(&server).status, 413);
    assert_eq!(server.send("POST", "/jobs/report", WORKER, b"{\"lease\":").status, 400);

    let reply = server.report(WORKER, &first, renamed(&others, &first));
    assert_eq!(reply.status, 409, "a replay of another game");
    assert!(reply.text().contains("seed: expected 100, found 101"), "{}", reply.text());
    let first = server.claim(WORKER);
    assert_eq!(server.report(WORKER, &first, honest.clone()).status, 200);
    let reply = server.report(WORKER, &second, renamed(&honest, &second));
    assert_eq!(reply.status, 409, "the same replay twice");
    assert!(reply.text().contains("seed: expected 101, found 100"), "{}", reply.text());
    let second = server.claim(WORKER);
    let mut changed = others.clone();
    set_verdicts(&mut changed[1]);
    assert_eq!(server.report(WORKER, &second, changed).status, 409, "another verdict");

    let counted = |name: &str| -> Vec<(RefusalKind, u64)> {
        let refusals = server.board.refusals(name).expect("a store");
        refusals.iter().map(|refusal| (refusal.kind, refusal.times)).collect()
    };
    use RefusalKind::{NeverClaimed, NotProven, TooLong, Unreadable};
    assert_eq!(
        counted("w1"),
        [(NeverClaimed, 1), (NotProven, 3), (TooLong, 1), (Unreadable, 1)],
        "by kind"
    );
    assert_eq!(counted("w2"), [(NeverClaimed, 1)]);
    assert_eq!((server.worker("w1").games, server.worker("w1").refused), (2, 6), "one job counts");
    assert_eq!((server.worker("w2").games, server.worker("w2").refused), (0, 1));
    let page = server.served.get("/worker/w1").text();
    for kind in [NeverClaimed, NotProven, TooLong, Unreadable] {
        assert!(page.contains(kind.in_words()), "{kind}: {page}");
    }
    let metrics = server.served.get("/metrics").text();
    assert!(metrics.contains("quintain_worker_refusals_total{worker=\"w1\"} 6\n"), "{metrics}");
}

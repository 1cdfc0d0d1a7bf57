//! The queue of jobs, on both engines: who has a job, and what is counted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use quintain_record::MatchId;
use quintain_store::Store;
use quintain_store::work::{
    Claimed, Held, JobBoard, Lease, NewGame, NewOrder, NewResult, OrderId, TROUBLES_MAX, Terms,
    TokenKind, Trouble, new_token,
};

use crate::suite::{Engine, Place, identity, on_both_engines};

on_both_engines! {
    a_job_has_one_holder_until_its_lease_has_run_out,
    whoever_has_lost_a_job_cannot_report_it,
    a_beat_keeps_a_job,
    a_report_whose_answer_was_lost_is_known_when_it_comes_again,
    only_all_games_of_a_job_are_a_report,
    a_lease_of_another_worker_is_worth_nothing,
    a_number_that_was_used_is_not_used_again,
    a_job_that_came_to_nothing_three_times_is_given_up_with_its_log,
    silence_counts_as_coming_to_nothing,
    what_is_given_back_is_nobodys_fault,
    a_withdrawn_order_is_forgotten_by_everybody,
    what_nobody_has_can_be_taken_back,
    games_that_were_asked_for_are_not_asked_for_twice,
    results_wait_until_they_were_taken,
    a_large_job_is_written_down_as_a_whole,
    a_token_is_known_by_its_digest_until_it_is_revoked,
    a_board_is_there_again_when_it_is_opened_again,
    workers_that_vanish_and_come_back_late_change_no_count,
    whoever_has_the_store_finds_its_server_and_is_let_in,
}

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_secs(1);

fn open(engine: Engine, name: &str) -> Option<(Place, JobBoard)> {
    let place = engine(name)?;
    let board = JobBoard::open(&Store::open(&place.url).unwrap()).unwrap();
    for worker in ["w1", "w2"] {
        board.note_worker(worker, "0.1.0", 2).unwrap();
    }
    Some((place, board))
}

fn pair(seed_index: u32) -> Vec<MatchId> {
    [false, true].map(|swapped| identity(0, 0, seed_index, swapped)).into()
}

fn job(seed_index: u32) -> Vec<NewGame> {
    pair(seed_index).into_iter().map(|id| NewGame { id, body: id.to_string() }).collect()
}

fn games_of(claimed: &Claimed) -> Vec<MatchId> {
    claimed.games.iter().map(|game| game.parse().unwrap()).collect()
}

fn new_order(key: &str) -> NewOrder<'_> {
    NewOrder { key, owner: "ann", body: "{\"game\":\"fencing\"}", is_timed: true }
}

fn order(board: &JobBoard, pairs: u32) -> OrderId {
    let order = board.place_order(&new_order("a")).unwrap();
    let jobs: Vec<Vec<NewGame>> = (0..pairs).map(job).collect();
    assert_eq!(board.add_jobs(order, &jobs).unwrap(), u64::from(2 * pairs));
    order
}

fn claim(board: &JobBoard, worker: &str, lease: Duration) -> Claimed {
    board.claim(worker, lease, Terms::default()).unwrap().expect("a job waits")
}

fn results(games: &[MatchId]) -> Vec<NewResult> {
    let result = |game: &MatchId| NewResult {
        game: *game,
        body: format!("{{\"of\":\"{game}\"}}"),
        is_void: false,
        is_disturbed: false,
        half_points: Some(1),
    };
    games.iter().map(result).collect()
}

fn outlast(lease: Duration) {
    thread::sleep(lease + Duration::from_millis(50));
}

fn a_job_has_one_holder_until_its_lease_has_run_out(engine: Engine) {
    let Some((_place, board)) = open(engine, "one_holder") else { return };
    order(&board, 1);
    let first = claim(&board, "w1", SHORT);
    assert_eq!(first.lease.reads, 1);
    assert_eq!(first.order_body, "{\"game\":\"fencing\"}");
    assert_eq!(first.games, ["0-0-0-a", "0-0-0-b"]);
    assert_eq!(board.claim("w2", SHORT, Terms::default()).unwrap(), None);
    outlast(SHORT);
    let second = claim(&board, "w2", LONG);
    assert_eq!(second.lease, Lease { job: first.lease.job, reads: 2 });
}

fn whoever_has_lost_a_job_cannot_report_it(engine: Engine) {
    let Some((_place, board)) = open(engine, "lost_a_job") else { return };
    let order = order(&board, 1);
    let first = claim(&board, "w1", SHORT);
    outlast(SHORT);
    let second = claim(&board, "w2", LONG);
    let games = results(&pair(0));
    assert_eq!(board.complete("w1", first.lease, &games).unwrap(), Held::Lost);
    assert_eq!(board.beat("w1", first.lease, LONG).unwrap(), Held::Lost);
    assert_eq!(board.complete("w2", second.lease, &games).unwrap(), Held::Yes);
    assert_eq!(board.complete("w1", first.lease, &games).unwrap(), Held::Lost);
    let now = board.collect(order, &[], 10).unwrap();
    assert_eq!(now.results.len(), 2);
    assert!(now.results.iter().all(|result| result.worker == "w2"));
    assert_eq!(board.length().unwrap(), 0);
}

fn a_beat_keeps_a_job(engine: Engine) {
    let Some((_place, board)) = open(engine, "a_beat") else { return };
    order(&board, 1);
    let first = claim(&board, "w1", SHORT);
    assert_eq!(board.beat("w1", first.lease, LONG).unwrap(), Held::Yes);
    outlast(SHORT);
    assert_eq!(board.claim("w2", SHORT, Terms::default()).unwrap(), None);
    assert_eq!(board.complete("w1", first.lease, &results(&pair(0))).unwrap(), Held::Yes);
}

fn a_report_whose_answer_was_lost_is_known_when_it_comes_again(engine: Engine) {
    let Some((_place, board)) = open(engine, "answer_lost") else { return };
    let order = order(&board, 1);
    let first = claim(&board, "w1", LONG);
    let games = results(&pair(0));
    assert_eq!(board.complete("w1", first.lease, &games).unwrap(), Held::Yes);
    assert_eq!(board.complete("w1", first.lease, &games).unwrap(), Held::Before);
    assert_eq!(board.collect(order, &[], 10).unwrap().results.len(), 2);
    let worker = &board.workers().unwrap()[0];
    assert_eq!((worker.name.as_str(), worker.games), ("w1", 2), "they are counted once");
}

fn only_all_games_of_a_job_are_a_report(engine: Engine) {
    let Some((_place, board)) = open(engine, "all_games") else { return };
    let order = order(&board, 2);
    let first = claim(&board, "w1", LONG);
    let refused = Held::OtherGames { expected: pair(0) };
    let half = results(&pair(0)[..1]);
    let twice = results(&[pair(0), pair(0)].concat());
    let foreign = results(&pair(1));
    for games in [&half, &twice, &foreign, &Vec::new()] {
        assert_eq!(board.complete("w1", first.lease, games).unwrap(), refused);
    }
    assert_eq!(board.collect(order, &[], 10).unwrap().results, []);
    assert_eq!(board.complete("w1", first.lease, &results(&pair(0))).unwrap(), Held::Yes);
}

fn a_lease_of_another_worker_is_worth_nothing(engine: Engine) {
    let Some((_place, board)) = open(engine, "another_worker") else { return };
    order(&board, 1);
    let first = claim(&board, "w1", LONG);
    let games = results(&pair(0));
    assert_eq!(board.complete("w2", first.lease, &games).unwrap(), Held::Never);
    assert_eq!(board.beat("w2", first.lease, LONG).unwrap(), Held::Never);
    let guessed = Lease { job: first.lease.job + 1, reads: 1 };
    assert_eq!(board.complete("w2", guessed, &games).unwrap(), Held::Lost);
    assert_eq!(board.complete("w1", first.lease, &games).unwrap(), Held::Yes);
}

fn a_number_that_was_used_is_not_used_again(engine: Engine) {
    let Some((_place, board)) = open(engine, "numbers") else { return };
    let order = order(&board, 1);
    let first = claim(&board, "w1", LONG);
    assert_eq!(board.complete("w1", first.lease, &results(&pair(0))).unwrap(), Held::Yes);
    board.add_jobs(order, &[job(1)]).unwrap();
    let second = claim(&board, "w2", LONG);
    assert!(second.lease.job > first.lease.job, "an old lease could fit a new job");
    assert!(board.job_number().unwrap() > second.lease.job);
    board.withdraw(order).unwrap();
    let later = board.place_order(&new_order("a")).unwrap();
    assert!(later > order, "a worker could take it for the order that it knows");
}

fn a_job_that_came_to_nothing_three_times_is_given_up_with_its_log(engine: Engine) {
    let Some((_place, board)) = open(engine, "given_up") else { return };
    let order = order(&board, 1);
    for attempt in 1..=TROUBLES_MAX {
        assert!(board.failures().unwrap().is_empty());
        let claimed = claim(&board, "w1", LONG);
        let trouble = Trouble::Failed { log: format!("no compiler, attempt {attempt}") };
        assert_eq!(board.take_back("w1", claimed.lease, &trouble).unwrap(), Held::Yes);
    }
    assert_eq!(board.claim("w2", LONG, Terms::default()).unwrap(), None);
    let failures = board.collect(order, &[], 10).unwrap().failures;
    let [failure] = failures.as_slice() else { panic!("{failures:?}") };
    assert_eq!(failure.games, pair(0));
    let log =
        "w1: no compiler, attempt 1\nw1: no compiler, attempt 2\nw1: no compiler, attempt 3\n";
    assert_eq!(failure.log, log);
    assert_eq!(board.workers().unwrap()[0].failed_jobs, 3);
    assert_eq!(board.add_jobs(order, &[job(0)]).unwrap(), 2, "it may be tried again");
    board.withdraw(order).unwrap();
    assert_eq!(board.failures().unwrap(), failures, "people are shown it all the same");
}

fn silence_counts_as_coming_to_nothing(engine: Engine) {
    let Some((_place, board)) = open(engine, "silence") else { return };
    let order = order(&board, 1);
    for _ in 0..TROUBLES_MAX {
        claim(&board, "w1", SHORT);
        outlast(SHORT);
    }
    assert_eq!(board.claim("w1", LONG, Terms::default()).unwrap(), None);
    let failures = board.collect(order, &[], 10).unwrap().failures;
    assert_eq!(failures.len(), 1);
    assert_eq!(failures[0].log.lines().count(), 3);
    assert!(failures[0].log.contains("w1: took the job and was not heard of again"));
}

fn what_is_given_back_is_nobodys_fault(engine: Engine) {
    let Some((_place, board)) = open(engine, "given_back") else { return };
    order(&board, 1);
    for reads in 1..=5 {
        let claimed = claim(&board, "w1", LONG);
        assert_eq!(claimed.lease.reads, reads);
        let back = board.take_back("w1", claimed.lease, &Trouble::GivenBack).unwrap();
        assert_eq!(back, Held::Yes);
        assert_eq!(board.complete("w1", claimed.lease, &results(&pair(0))).unwrap(), Held::Lost);
    }
    assert!(board.failures().unwrap().is_empty());
}

fn a_withdrawn_order_is_forgotten_by_everybody(engine: Engine) {
    let Some((_place, board)) = open(engine, "withdrawn") else { return };
    let order = order(&board, 2);
    let first = claim(&board, "w1", LONG);
    board.withdraw(order).unwrap();
    assert_eq!(board.length().unwrap(), 0);
    assert_eq!(board.claim("w2", LONG, Terms::default()).unwrap(), None);
    assert_eq!(board.beat("w1", first.lease, LONG).unwrap(), Held::Lost);
    assert_eq!(board.complete("w1", first.lease, &results(&pair(0))).unwrap(), Held::Lost);
    assert_eq!(board.owner_of(order).unwrap(), None);
}

fn what_nobody_has_can_be_taken_back(engine: Engine) {
    let Some((_place, board)) = open(engine, "taken_back") else { return };
    let order = order(&board, 3);
    let first = claim(&board, "w1", LONG);
    let mut recalled = board.recall(order).unwrap();
    recalled.sort();
    assert_eq!(recalled, [pair(1), pair(2)].concat());
    assert_eq!(board.claim("w2", LONG, Terms::default()).unwrap(), None);
    assert_eq!(board.complete("w1", first.lease, &results(&pair(0))).unwrap(), Held::Yes);
    assert_eq!(board.collect(order, &[], 10).unwrap().results.len(), 2);
    assert_eq!(board.add_jobs(order, &[job(1)]).unwrap(), 2, "they can be asked for again");
}

fn games_that_were_asked_for_are_not_asked_for_twice(engine: Engine) {
    let Some((_place, board)) = open(engine, "asked_twice") else { return };
    let order = order(&board, 1);
    assert_eq!(board.place_order(&new_order("a")).unwrap(), order, "it is gone on with");
    assert_eq!(board.add_jobs(order, &[job(0), job(1)]).unwrap(), 2, "those of the second");
    let claimed = claim(&board, "w1", LONG);
    board.complete("w1", claimed.lease, &results(&pair(0))).unwrap();
    assert_eq!(board.add_jobs(order, &[job(0)]).unwrap(), 0, "its result waits");
    board.collect(order, &pair(0), 10).unwrap();
    assert_eq!(board.add_jobs(order, &[job(0)]).unwrap(), 2, "it was lost");
}

fn results_wait_until_they_were_taken(engine: Engine) {
    let Some((_place, board)) = open(engine, "results_wait") else { return };
    let order = order(&board, 2);
    for _ in 0..2 {
        let claimed = claim(&board, "w1", LONG);
        board.complete("w1", claimed.lease, &results(&games_of(&claimed))).unwrap();
    }
    let all = board.collect(order, &[], 10).unwrap();
    assert_eq!((all.results.len(), all.slots), (4, 4));
    assert_eq!(all.results[0].body, format!("{{\"of\":\"{}\"}}", all.results[0].game));
    let page = board.collect(order, &[], 3).unwrap();
    assert_eq!(page.results, all.results[..3]);
    let taken: Vec<MatchId> = page.results.iter().map(|result| result.game).collect();
    let rest = board.collect(order, &taken, 10).unwrap();
    assert_eq!(rest.results, all.results[3..]);
    let lease = |result: usize| all.results[result].lease;
    assert_ne!(lease(0), lease(3));
    assert_eq!(rest.forgotten, BTreeSet::from([lease(0)]), "half of the other job waits");
    let end = board.collect(order, &[rest.results[0].game], 10).unwrap();
    assert_eq!((end.results.len(), end.forgotten), (0, BTreeSet::from([lease(3)])));
    let again = board.collect(order, &taken, 10).unwrap();
    assert_eq!(again.forgotten, BTreeSet::new(), "they were forgotten before");
}

/// More games than one statement names.
fn a_large_job_is_written_down_as_a_whole(engine: Engine) {
    let Some((_place, board)) = open(engine, "large_job") else { return };
    let order = board.place_order(&new_order("a")).unwrap();
    let large: Vec<NewGame> = (0..301).flat_map(job).collect();
    let ids: Vec<MatchId> = large.iter().map(|game| game.id).collect();
    let twice = [&large[..], &large[..2]].concat();
    assert_eq!(board.add_jobs(order, &[twice]).unwrap(), 602, "a game is there once");
    let claimed = claim(&board, "w1", LONG);
    assert_eq!(games_of(&claimed), ids);
    assert_eq!(board.complete("w1", claimed.lease, &results(&ids)).unwrap(), Held::Yes);
    let collected = board.collect(order, &[], 1000).unwrap().results;
    let found: BTreeSet<MatchId> = collected.iter().map(|result| result.game).collect();
    assert_eq!(found, ids.iter().copied().collect());
    for result in &collected {
        assert_eq!(result.body, format!("{{\"of\":\"{}\"}}", result.game));
    }
    let end = board.collect(order, &ids, 1000).unwrap();
    assert_eq!((end.results.len(), end.forgotten), (0, BTreeSet::from([claimed.lease])));
}

fn a_token_is_known_by_its_digest_until_it_is_revoked(engine: Engine) {
    let Some((place, board)) = open(engine, "tokens") else { return };
    let word = new_token([7; 32]);
    assert!(board.add_token("lab-1", TokenKind::Worker, &word).unwrap());
    assert!(!board.add_token("lab-1", TokenKind::Organiser, &new_token([8; 32])).unwrap());
    let token = board.who_is(&word).unwrap().expect("it is good");
    assert_eq!((token.name.as_str(), token.kind), ("lab-1", TokenKind::Worker));
    assert_eq!(board.who_is(&new_token([9; 32])).unwrap(), None);
    if place.folder.is_some() {
        let bytes = std::fs::read(&place.url).unwrap();
        let log = std::fs::read(format!("{}-wal", place.url)).unwrap_or_default();
        let has = |bytes: &[u8]| bytes.windows(word.len()).any(|part| part == word.as_bytes());
        assert!(!has(&bytes) && !has(&log), "the token itself is in the store");
    }
    assert!(board.revoke_token("lab-1").unwrap());
    assert!(!board.revoke_token("lab-1").unwrap());
    assert_eq!(board.who_is(&word).unwrap(), None);
    assert!(board.tokens().unwrap()[0].revoked_ms.is_some());
}

fn a_board_is_there_again_when_it_is_opened_again(engine: Engine) {
    let Some((place, board)) = open(engine, "opened_again") else { return };
    let order = order(&board, 3);
    let claimed = claim(&board, "w1", LONG);
    drop(board);
    let board = JobBoard::open(&Store::open(&place.url).unwrap()).unwrap();
    assert_eq!(board.length().unwrap(), 3);
    assert_eq!(board.complete("w1", claimed.lease, &results(&pair(0))).unwrap(), Held::Yes);
    assert_eq!(board.collect(order, &[], 10).unwrap().results.len(), 2);
}

/// Threads that claim, and then report, vanish, or report when their lease has run out.
fn workers_that_vanish_and_come_back_late_change_no_count(engine: Engine) {
    const PAIRS: u32 = 60;
    const WORKERS: usize = 6;
    let Some((_place, board)) = open(engine, "vanish") else { return };
    let order = order(&board, PAIRS);
    let counted: Mutex<BTreeMap<MatchId, u32>> = Mutex::default();
    let end = Instant::now() + Duration::from_secs(60);
    thread::scope(|scope| {
        for number in 0..WORKERS {
            let (board, counted) = (&board, &counted);
            scope.spawn(move || {
                let name = format!("t{number}");
                board.note_worker(&name, "0.1.0", 1).unwrap();
                let mut step = number;
                while board.length().unwrap() > 0 && Instant::now() < end {
                    step += 1;
                    let Some(claimed) = board.claim(&name, SHORT, Terms::default()).unwrap() else {
                        thread::sleep(Duration::from_millis(100));
                        continue;
                    };
                    let games = games_of(&claimed);
                    // Once, so that no job is given up.
                    let is_late = step % 7 == 0 && claimed.lease.reads == 1;
                    if is_late {
                        outlast(SHORT);
                    }
                    match board.complete(&name, claimed.lease, &results(&games)).unwrap() {
                        Held::Yes => {
                            let mut counted = counted.lock().unwrap();
                            games.iter().for_each(|game| *counted.entry(*game).or_default() += 1);
                        }
                        Held::Lost => assert!(is_late),
                        other => panic!("{other:?}"),
                    }
                }
            });
        }
    });
    let counted = counted.into_inner().unwrap();
    assert_eq!(counted.len() as u32, 2 * PAIRS);
    assert!(counted.values().all(|times| *times == 1));
    assert_eq!(board.collect(order, &[], 1000).unwrap().results.len() as u32, 2 * PAIRS);
}

fn whoever_has_the_store_finds_its_server_and_is_let_in(engine: Engine) {
    let Some(place) = engine("server") else { return };
    let store = Store::open(&place.url).unwrap();
    assert!(JobBoard::find(&store).unwrap().is_none(), "there is no board, and none is made");
    let board = JobBoard::open(&store).unwrap();
    assert_eq!(board.server().unwrap(), None, "there never was a server");
    board.secret(&new_token([7; 32])).unwrap();
    board.note_server("http://arena.example:1").unwrap();
    board.note_server("http://arena.example:2").unwrap();
    let server = board.server().unwrap().expect("there is a server");
    assert_eq!((server.url.as_str(), server.workers), ("http://arena.example:2", 0));
    let token = board.who_is(&server.word).unwrap().expect("the word is good");
    assert_eq!((token.name.as_str(), token.kind), ("store-owner", TokenKind::Organiser));
    board.note_worker("w1", "0.1.0", 2).unwrap();
    assert_eq!(board.server().unwrap().expect("it is still there").workers, 1);
    board.revoke_token("store-owner").unwrap();
    let server = board.server().unwrap().expect("it is still there");
    assert_eq!(board.who_is(&server.word).unwrap(), None, "whoever was shut out stays out");
    // A file is no reason to look for a server.
    let found = JobBoard::find(&store).unwrap();
    assert_eq!(found.is_some(), place.url.starts_with("postgres"));
}

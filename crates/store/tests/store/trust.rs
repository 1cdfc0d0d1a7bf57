//! How far workers are trusted, on both engines.

use std::time::Duration;

use quintain_store::Store;
use quintain_store::work::{
    CanaryResult, Held, JobBoard, MEMORY, NewGame, NewOrder, NewResult, ORDER_TIME_MAX, OrderId,
    RefusalKind, Standing, Terms,
};

use crate::suite::{Engine, Place, execute, identity, on_both_engines};

on_both_engines! {
    a_noisy_worker_is_given_games_without_a_clock_only,
    times_are_scaled_for_whoever_has_the_job_and_only_where_there_is_a_clock,
    a_quarantined_worker_loses_what_it_has_and_is_counted_with_nobody,
    a_quarantine_stays_with_its_first_reason_until_it_is_lifted,
    shares_of_runs_are_counted_until_a_quarantine_is_lifted,
    canaries_are_listed_the_newest_first,
    refusals_are_counted_by_kind,
    a_secret_stays_what_it_was,
    orders_that_nobody_asks_about_are_swept,
}

const LONG: Duration = Duration::from_secs(60);
const CALM: Terms = Terms { with_clock: false, scale_milli: 1000 };

/// Other tests have databases too.
fn database(name: &str) -> String {
    format!("trust_{name}")
}

fn open(engine: Engine, name: &str) -> Option<(Place, JobBoard)> {
    let place = engine(&database(name))?;
    let board = JobBoard::open(&Store::open(&place.url).unwrap()).unwrap();
    for worker in ["w1", "w2"] {
        board.note_worker(worker, "0.1.0", 2).unwrap();
    }
    Some((place, board))
}

/// An order with one job of one pair.
fn order(board: &JobBoard, key: &str, is_timed: bool) -> OrderId {
    let order = NewOrder { key, owner: "ann", body: "{}", is_timed };
    let order = board.place_order(&order).unwrap();
    let game = |swapped| {
        let id = identity(0, 0, 0, swapped);
        NewGame { id, body: id.to_string() }
    };
    assert_eq!(board.add_jobs(order, &[vec![game(false), game(true)]]).unwrap(), 2);
    order
}

fn results(is_disturbed: bool) -> [NewResult; 2] {
    [false, true].map(|swapped| NewResult {
        game: identity(0, 0, 0, swapped),
        body: "{}".to_owned(),
        is_void: false,
        is_disturbed,
        half_points: Some(2),
    })
}

fn a_noisy_worker_is_given_games_without_a_clock_only(engine: Engine) {
    let Some((_place, board)) = open(engine, "noisy") else { return };
    let timed = order(&board, "timed", true);
    assert_eq!(board.claim("w1", LONG, CALM).unwrap(), None);
    let calm = order(&board, "calm", false);
    assert_eq!(board.claim("w1", LONG, CALM).unwrap().expect("a job waits").order, calm);
    assert_eq!(board.claim("w1", LONG, CALM).unwrap(), None);
    assert_eq!(board.claim("w2", LONG, Terms::default()).unwrap().expect("one more").order, timed);
    let noise = Some("it was uneven".to_owned());
    board.note_standing("w1", &Standing { speed_milli: Some(800), noise: noise.clone() }).unwrap();
    let slots = |order| board.collect(order, &[], 1).unwrap().slots;
    assert_eq!((slots(timed), slots(calm)), (2, 4), "nobody waits for whom cannot play it");
    let standing = board.note_worker("w1", "0.1.0", 2).unwrap().standing;
    assert_eq!(
        standing,
        Standing { speed_milli: Some(800), noise },
        "it stays when it comes again"
    );
}

fn times_are_scaled_for_whoever_has_the_job_and_only_where_there_is_a_clock(engine: Engine) {
    let Some((_place, board)) = open(engine, "scaled") else { return };
    order(&board, "timed", true);
    order(&board, "calm", false);
    let slow = Terms { with_clock: true, scale_milli: 1250 };
    let timed = board.claim("w1", LONG, slow).unwrap().expect("a job waits");
    let calm = board.claim("w1", LONG, slow).unwrap().expect("a job waits");
    assert_eq!((timed.scale_milli, calm.scale_milli), (1250, 1000));
    assert_eq!(board.claimed("w1", timed.lease, LONG).unwrap().unwrap().scale_milli, 1250);
}

fn a_quarantined_worker_loses_what_it_has_and_is_counted_with_nobody(engine: Engine) {
    let Some((_place, board)) = open(engine, "quarantine") else { return };
    let order = order(&board, "a", true);
    let first = board.claim("w1", LONG, Terms::default()).unwrap().expect("a job waits");
    board.quarantine("w1", "it computes wrongly").unwrap();
    assert_eq!(board.collect(order, &[], 1).unwrap().slots, 2);
    assert_eq!(board.complete("w1", first.lease, &results(false)).unwrap(), Held::Lost);
    let second = board.claim("w2", LONG, Terms::default()).unwrap().expect("it is free at once");
    assert_eq!(board.complete("w2", second.lease, &results(false)).unwrap(), Held::Yes);
}

fn a_quarantine_stays_with_its_first_reason_until_it_is_lifted(engine: Engine) {
    let Some((_place, board)) = open(engine, "lifted") else { return };
    assert!(!board.lift_quarantine("w1").unwrap(), "it is in none");
    for why in ["it computes wrongly", "it is late"] {
        board.quarantine("w1", why).unwrap();
    }
    let worker = board.note_worker("w1", "0.1.0", 2).unwrap();
    assert_eq!(worker.quarantine.expect("it is in one").1, "it computes wrongly");
    assert_eq!(worker.last_words, "it computes wrongly");
    assert!(board.lift_quarantine("w1").unwrap());
    assert_eq!(board.worker("w1").unwrap().expect("it is known").quarantine, None);
}

fn shares_of_runs_are_counted_until_a_quarantine_is_lifted(engine: Engine) {
    let Some((_place, board)) = open(engine, "shares") else { return };
    for (key, is_disturbed) in [("a", true), ("b", false)] {
        let order = order(&board, key, true);
        let claimed = board.claim("w1", LONG, Terms::default()).unwrap().expect("a job waits");
        board.complete("w1", claimed.lease, &results(is_disturbed)).unwrap();
        board.withdraw(order).unwrap();
    }
    let shares = board.shares("w1").unwrap();
    let mut counts: Vec<(u64, u64)> =
        shares.iter().map(|share| (share.games, share.disturbed)).collect();
    counts.sort_unstable();
    assert_eq!(counts, [(2, 0), (2, 2)]);
    let pairs = board.pair_shares().unwrap();
    assert_eq!(pairs.len(), 2);
    assert!(pairs.iter().all(|share| (share.half_points, share.pairs) == (2, 1)));
    board.quarantine("w1", "disturbed").unwrap();
    assert!(board.lift_quarantine("w1").unwrap());
    assert!(board.shares("w1").unwrap().is_empty(), "what was forgiven is not held against it");
}

fn canaries_are_listed_the_newest_first(engine: Engine) {
    let Some((_place, board)) = open(engine, "canaries") else { return };
    let canary = |job, wrong: Option<&str>| CanaryResult {
        job,
        worker: "w1".to_owned(),
        at_ms: 1_700_000_000_000 + job,
        seed: -i64::from(u32::MAX) - job,
        wrong: wrong.map(str::to_owned),
        took_us: 200,
        known_us: 100,
    };
    for canary in [canary(1, None), canary(2, Some("another end")), canary(2, None)] {
        board.note_canary(&canary).unwrap();
    }
    let listed = board.canaries("w1", 10).unwrap();
    assert_eq!(listed, [canary(2, Some("another end")), canary(1, None)]);
    assert_eq!(board.canaries("w1", 1).unwrap().len(), 1);
    assert!(board.canaries("w2", 10).unwrap().is_empty());
}

fn refusals_are_counted_by_kind(engine: Engine) {
    let Some((_place, board)) = open(engine, "refusals") else { return };
    for why in ["one", "two"] {
        board.note_refusal("w1", RefusalKind::NotProven, why).unwrap();
    }
    board.note_refusal("w1", RefusalKind::TooLong, "long").unwrap();
    let counted: Vec<(RefusalKind, u64, String)> = board
        .refusals("w1")
        .unwrap()
        .into_iter()
        .map(|refusals| (refusals.kind, refusals.times, refusals.last_words))
        .collect();
    let proven = (RefusalKind::NotProven, 2, "two".to_owned());
    assert_eq!(counted, [proven, (RefusalKind::TooLong, 1, "long".to_owned())]);
    let worker = board.worker("w1").unwrap().expect("it is known");
    assert_eq!((worker.refused, worker.last_words.as_str()), (3, "long"));
}

fn a_secret_stays_what_it_was(engine: Engine) {
    let Some((place, board)) = open(engine, "secret") else { return };
    assert_eq!(board.secret("one").unwrap(), "one");
    drop(board);
    let board = JobBoard::open(&Store::open(&place.url).unwrap()).unwrap();
    assert_eq!(board.secret("two").unwrap(), "one");
}

fn orders_that_nobody_asks_about_are_swept(engine: Engine) {
    let Some((place, board)) = open(engine, "swept") else { return };
    let (old, new) = (order(&board, "old", true), order(&board, "new", true));
    board.note_refusal("w1", RefusalKind::TooSlow, "long ago").unwrap();
    assert!(board.sweep().unwrap().is_empty());
    let ms = |time: Duration| i64::try_from(time.as_millis()).unwrap() + 1000;
    let (weeks, months) = (ms(ORDER_TIME_MAX), ms(MEMORY));
    for sql in [
        format!("UPDATE work_orders SET seen_ms = seen_ms - {weeks} WHERE id = {}", old.0),
        format!("UPDATE work_refusals SET at_ms = at_ms - {months}"),
    ] {
        execute(&place, &database("swept"), &sql);
    }
    assert_eq!(board.sweep().unwrap(), [old]);
    let left: Vec<OrderId> = board.orders().unwrap().into_iter().map(|(id, _)| id).collect();
    assert_eq!((left, board.length().unwrap()), (vec![new], 1));
    assert!(board.refusals("w1").unwrap().is_empty());
}

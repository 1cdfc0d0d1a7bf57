//! Games go in once and come out as they went in.

use std::thread;
use std::time::Duration;

use crate::suite::{
    Engine, begin, disturbance, fault, game, identity, on_both_engines, plan, postgres, scored,
    tag, void,
};
use quintain_core::{ErrorKind, Seat, Verdict};
use quintain_record::{BotId, MatchRecord};
use quintain_store::{Filter, Recorded, StoreError};
use quintain_testkit::Postgres;

on_both_engines! {
    a_game_comes_out_as_it_went_in,
    many_tags_fit,
    the_same_game_is_recorded_once,
    a_different_result_is_refused_and_nothing_of_its_batch_stays,
    many_threads_record_at_the_same_time,
    a_run_goes_on_where_it_stopped,
    the_time_that_was_played_is_that_of_the_latest_game,
    a_run_with_gaps_knows_them,
    impossible_games_are_refused,
    a_removed_run_is_gone,
}

fn rich_game() -> MatchRecord {
    let mut game = scored(identity(3, 1, 7, true), Verdict::Disqualified, Verdict::Win);
    game.errors = vec![
        fault(Seat::Second, ErrorKind::Illegal, 4),
        fault(Seat::First, ErrorKind::Timeout, 1),
        fault(Seat::First, ErrorKind::Crash, 1),
    ];
    game.disturbances = vec![disturbance(1, Seat::First)];
    game.disturbances[0].waited = None;
    game.tags = vec![
        tag("depth", Some(Seat::Second), "9"),
        tag("depth", Some(Seat::First), "deep"),
        tag("sites", None, "24"),
    ];
    game.tags[0].turn = Some(12);
    game
}

fn the_time_that_was_played_is_that_of_the_latest_game(engine: Engine) {
    let Some(place) = engine("played_time") else { return };
    let (store, run) = begin(&place, "a");
    let id = run.id();
    let played = || store.played(id).expect("a time");
    run.note_time().expect("there is nothing to note");
    assert_eq!(played(), Duration::ZERO);
    let pause = Duration::from_millis(20);
    for seed_index in 0..3 {
        thread::sleep(pause);
        assert_eq!(run.record(&game(identity(0, 0, seed_index, false))), Ok(Recorded::Now));
    }
    run.note_time().expect("it can be noted");
    let after_three = played();
    assert!(after_three >= 3 * pause, "{after_three:?}");
    thread::sleep(pause);
    run.note_time().expect("nothing was played since");
    assert_eq!(played(), after_three);
    assert_eq!(run.record(&rich_game()), Ok(Recorded::Now));
    drop(run);
    assert!(played() >= after_three + pause, "it is noted when the run is left");
}

fn a_game_comes_out_as_it_went_in(engine: Engine) {
    let Some(place) = engine("whole_game") else { return };
    let (store, run) = begin(&place, "a");
    let mut game = rich_game();
    assert_eq!(run.record(&game), Ok(Recorded::Now));
    assert_eq!(store.game(run.id(), 1), Ok(Some(game.clone())));
    assert_eq!(store.game_of(run.id(), game.head.id), Ok(Some(game.clone())));
    assert_eq!(store.game(run.id(), 2), Ok(None));
    let listed: Vec<_> = store.games(run.id(), &Filter::default()).map(Result::unwrap).collect();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].head, game.head);
    assert_eq!(listed[0].errors.0.map(|kinds| kinds.to_string()), ["crash,timeout", "illegal"]);
    let whole: Vec<_> =
        store.whole_games(run.id(), &Filter::default()).map(Result::unwrap).collect();
    assert_eq!(whole, [(1, game.clone())]);
    assert_eq!((listed[0].number, listed[0].disturbed), (1, 1));

    // What no database keeps is changed a little: parts of microseconds and zero characters.
    game.head.id.seed_index += 1;
    game.head.duration = Duration::from_nanos(1_234_567);
    game.errors[0].text = "a\0b".to_owned();
    assert_eq!(run.record(&game), Ok(Recorded::Now));
    assert_eq!(run.record(&game), Ok(Recorded::Before));
    game.head.duration = Duration::from_micros(1234);
    game.errors[0].text = "a\u{fffd}b".to_owned();
    assert_eq!(store.game(run.id(), 2), Ok(Some(game)));

    let void = void(identity(0, 0, 0, false));
    run.record(&void).unwrap();
    assert_eq!(store.game(run.id(), 3), Ok(Some(void)));
}

fn many_tags_fit(engine: Engine) {
    let Some(place) = engine("many_tags") else { return };
    let (store, run) = begin(&place, "a");
    let mut game = game(identity(0, 0, 0, false));
    game.tags = (0..1001).map(|number| tag(&format!("t{number}"), None, "x")).collect();
    run.record(&game).unwrap();
    assert_eq!(store.game(run.id(), 1), Ok(Some(game)));
}

fn the_same_game_is_recorded_once(engine: Engine) {
    let Some(place) = engine("once") else { return };
    let (store, run) = begin(&place, "a");
    for expected in [Recorded::Now, Recorded::Before, Recorded::Before] {
        assert_eq!(run.record(&rich_game()), Ok(expected));
    }
    assert_eq!(store.count(run.id(), &Filter::default()), Ok(1));
    // The same identity in another run is another game.
    let other = store.begin(&plan("b")).unwrap();
    assert_eq!(other.record(&rich_game()), Ok(Recorded::Now));
}

fn a_different_result_is_refused_and_nothing_of_its_batch_stays(engine: Engine) {
    let Some(place) = engine("different") else { return };
    let (store, run) = begin(&place, "a");
    let first = game(identity(0, 0, 0, false));
    run.record(&first).unwrap();
    let mut different = first.clone();
    different.tags = vec![tag("depth", None, "9")];
    let batch = [game(identity(0, 0, 1, false)), different];
    let conflict = StoreError::Conflict { id: first.head.id };
    assert_eq!(run.record_all(&batch), Err(conflict));
    assert_eq!(store.count(run.id(), &Filter::default()), Ok(1));
    assert_eq!(store.game(run.id(), 1), Ok(Some(first)));
    // The writer goes on.
    assert_eq!(run.record(&batch[0]), Ok(Recorded::Now));
}

fn many_threads_record_at_the_same_time(engine: Engine) {
    let Some(place) = engine("threads") else { return };
    let (store, run) = begin(&place, "a");
    thread::scope(|scope| {
        for thread in 0..8 {
            let run = &run;
            scope.spawn(move || {
                for seed_index in 0..40 {
                    let identity = identity(thread, seed_index % 3, seed_index, false);
                    assert_eq!(run.record(&game(identity)), Ok(Recorded::Now));
                    // Everyone tries this one too, each with a result of its own.
                    let mut contested = game(self::identity(9, 0, seed_index, false));
                    contested.head.turns = thread;
                    match run.record(&contested) {
                        Ok(Recorded::Now) | Err(StoreError::Conflict { .. }) => {}
                        other => panic!("{other:?}"),
                    }
                }
            });
        }
    });
    assert_eq!(store.count(run.id(), &Filter::default()), Ok(8 * 40 + 40));
    let numbers: Vec<u64> =
        store.games(run.id(), &Filter::default()).map(|game| game.unwrap().number).collect();
    assert_eq!(numbers, (1..=360).collect::<Vec<u64>>());
}

fn a_run_goes_on_where_it_stopped(engine: Engine) {
    let Some(place) = engine("goes_on") else { return };
    let (store, run) = begin(&place, "a");
    assert!(run.is_new());
    assert_eq!(run.finished().unwrap().count(), 0);
    for seed_index in 0..5 {
        run.record(&game(identity(0, 0, seed_index, false))).unwrap();
    }
    run.record(&void(identity(0, 0, 0, true))).unwrap();
    drop(run);
    drop(store);

    let (store, run) = begin(&place, "a");
    assert!(!run.is_new());
    assert_eq!(run.info().games, 6);
    let finished = run.finished().unwrap();
    assert_eq!(finished.count(), 6);
    assert!(finished.contains(identity(0, 0, 4, false)));
    assert!(finished.contains(identity(0, 0, 0, true)), "void games are not played again");
    for missing in [(0, 0, 5, false), (0, 0, 1, true), (0, 1, 0, false), (1, 0, 0, false)] {
        let (round, pairing, seed_index, swapped) = missing;
        assert!(!finished.contains(identity(round, pairing, seed_index, swapped)), "{missing:?}");
    }
    run.record(&game(identity(0, 0, 5, false))).unwrap();
    let last = store.games(run.id(), &Filter::default()).last().unwrap().unwrap();
    assert_eq!((last.number, last.head.id.seed_index), (7, 5));
}

fn a_run_with_gaps_knows_them(engine: Engine) {
    let Some(place) = engine("gaps") else { return };
    let (_, run) = begin(&place, "a");
    let played = [2, 3, 4, 7, 9, 10, 30];
    let games: Vec<MatchRecord> =
        played.iter().map(|&seed| game(identity(1, 2, seed, true))).collect();
    run.record_all(&games).unwrap();
    let finished = run.finished().unwrap();
    assert_eq!(finished.count(), played.len() as u64);
    for seed_index in 0..40 {
        let is_played = finished.contains(identity(1, 2, seed_index, true));
        assert_eq!(is_played, played.contains(&seed_index), "{seed_index}");
    }
}

fn impossible_games_are_refused(engine: Engine) {
    let Some(place) = engine("impossible") else { return };
    let (store, run) = begin(&place, "a");
    let check = |change: fn(&mut MatchRecord), expected: &str| {
        let mut game = game(identity(0, 0, 0, false));
        change(&mut game);
        let message = run.record(&game).unwrap_err().to_string();
        assert_eq!(message, format!("cannot store this game: expected {expected}"));
    };
    check(|game| game.head.bots.0 = [BotId(0), BotId(3)], "bots from 0 to 2, got 3");
    check(|game| game.head.bots.0 = [BotId(1), BotId(1)], "two different bots, got 1 twice");
    check(
        |game| {
            game.errors = vec![
                fault(Seat::First, ErrorKind::Timeout, 1),
                fault(Seat::First, ErrorKind::Timeout, 1),
            ]
        },
        "each kind of error of a seat once, with its count, got `timeout` twice",
    );
    assert_eq!(store.count(run.id(), &Filter::default()), Ok(0));
}

fn a_removed_run_is_gone(engine: Engine) {
    let Some(place) = engine("removed") else { return };
    let (store, run) = begin(&place, "a");
    run.record(&rich_game()).unwrap();
    let other = store.begin(&plan("b")).unwrap();
    other.record(&rich_game()).unwrap();
    assert!(matches!(store.remove_run("a"), Err(StoreError::Busy { .. })));
    drop(run);
    assert_eq!(store.remove_run("a"), Ok(true));
    assert_eq!(store.remove_run("a"), Ok(false));
    let names: Vec<String> = store.runs().unwrap().into_iter().map(|run| run.plan.name).collect();
    assert_eq!(names, ["b"]);
    let again = store.begin(&plan("a")).unwrap();
    assert!(again.is_new());
    assert_eq!(again.record(&rich_game()), Ok(Recorded::Now));
}

#[test]
fn a_lost_connection_loses_no_game() {
    let Some(place) = postgres("lost_connection") else { return };
    let (store, run) = begin(&place, "a");
    let server = Postgres::shared().expect("it has just made a database");
    for round in 0..5 {
        thread::scope(|scope| {
            for pairing in 0..3 {
                let run = &run;
                scope.spawn(move || {
                    for seed_index in 0..20 {
                        run.record(&game(identity(round, pairing, seed_index, false))).unwrap();
                    }
                });
            }
            scope.spawn(|| server.cut_connections("lost_connection"));
        });
    }
    let Ok(count) = store.count(run.id(), &Filter::default()) else {
        // A reader that slept through the cut notices it at its first question.
        assert_eq!(store.count(run.id(), &Filter::default()), Ok(300));
        return;
    };
    assert_eq!(count, 300);
}

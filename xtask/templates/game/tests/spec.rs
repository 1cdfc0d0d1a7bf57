//! The document, sentence by sentence, and what must hold of every game.

use quintain_core::{AnswerTime, Fault, Game, NoChance, PerSeat, Replies, Reply, Seat};
use quintain_take_away::{Setup, TakeAway};
use quintain_testkit::check_game;

fn heap(stones: u8) -> TakeAway {
    TakeAway::new(&AnswerTime::default(), Setup { stones }).expect("playable")
}

fn take(game: &mut TakeAway, stones: u8) {
    game.advance(&Replies::only(game.active(), stones), &mut NoChance, &mut ());
}

#[test]
fn players_take_turns() {
    let mut game = heap(9);
    take(&mut game, 3);
    assert_eq!((game.stones(), game.active(), game.outcome()), (6, Seat::Second, None));
}

#[test]
fn who_takes_the_last_stone_wins() {
    let mut game = heap(4);
    take(&mut game, 2);
    take(&mut game, 2);
    assert_eq!(game.outcome().and_then(|outcome| outcome.winner()), Some(Seat::Second));
}

#[test]
fn who_answers_something_else_or_nothing_loses() {
    for stones in [0, 3, 4] {
        let mut game = heap(2);
        take(&mut game, stones);
        let outcome = game.outcome().expect("it is over");
        assert_eq!((outcome.winner(), outcome.reason), (Some(Seat::Second), "illegal answer"));
    }
    let mut game = heap(2);
    game.advance(&PerSeat([Some(Reply::Fault(Fault::Late)), None]), &mut NoChance, &mut ());
    assert_eq!(game.outcome().map(|outcome| outcome.reason), Some("no answer"));
}

#[test]
fn a_heap_has_some_stones() {
    for stones in [0, 22] {
        assert!(TakeAway::new(&AnswerTime::default(), Setup { stones }).is_err());
    }
}

#[test]
fn it_is_a_whole_game() {
    check_game::<TakeAway>();
}

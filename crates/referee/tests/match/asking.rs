//! Who is asked when, and what the follower sees of it.

use quintain_core::{PerSeat, Seat};
use quintain_referee::{Ask, Input, Player};

use crate::bench::{inside, line, ms, remote, scripted, steady};
use crate::toy::{Event, Setup};

const FIRST: Seat = Seat::First;
const SECOND: Seat = Seat::Second;

fn one_turn() -> Setup {
    Setup { turns_max: 1, ..Setup::default() }
}

fn said(seat: Seat, line: &str) -> (Seat, String) {
    (seat, line.to_owned())
}

#[test]
fn in_turn_the_second_is_asked_when_the_first_has_answered() {
    let slow = scripted([vec![], vec![(ms(300), line("4"))]]);
    let mut one = remote::<true>(slow, steady("2"));
    one.setup = one_turn();
    let played = one.play();
    let expected = [
        said(FIRST, "hello"),
        said(SECOND, "hello"),
        said(FIRST, "turn 0"),
        said(SECOND, "turn 0"),
        said(FIRST, "over"),
        said(SECOND, "over"),
    ];
    assert_eq!(played.sent, expected);
    let walls = played.steps[0].answers.0.map(|answer| answer.expect("both answered").wall);
    assert_eq!(walls, [ms(300), ms(1)], "the second's clock started later");
    assert_eq!(played.ended_at, ms(301));
}

#[test]
fn together_both_think_at_the_same_time() {
    let slow = scripted([vec![], vec![(ms(300), line("4"))]]);
    let mut one = remote::<true>(slow, steady("2"));
    one.setup = one_turn();
    one.ask = Ask::Together;
    let played = one.play();
    assert_eq!(played.ended_at, ms(300));
    let heard: Vec<Seat> = played.steps[0]
        .inputs
        .iter()
        .map(|input| match input {
            Input::Line { seat, .. } | Input::Fault { seat, .. } => *seat,
        })
        .collect();
    assert_eq!(heard, [SECOND, FIRST], "in the order in which they spoke");
    let walls = played.steps[0].answers.0.map(|answer| answer.expect("both answered").wall);
    assert_eq!(walls, [ms(300), ms(1)]);
}

#[test]
fn an_answer_out_of_turn_is_answered_and_counts_for_nothing() {
    let hasty = scripted([vec![(ms(0), line("9"))], vec![(ms(1), line("2"))]]);
    let mut one = remote::<true>(scripted([vec![], vec![(ms(5), line("4"))]]), hasty);
    one.setup = one_turn();
    let played = one.play();
    assert!(played.sent.contains(&said(SECOND, "not now")));
    assert_eq!(played.outcome.scores, PerSeat([4, 2]));
    let Input::Line { asked, line, .. } = &played.steps[0].inputs[0] else {
        panic!("expected a line, found {:?}", played.steps[0].inputs[0]);
    };
    assert_eq!((*asked, line.as_str()), (false, "9"), "it is in the record");
}

#[test]
fn the_observer_sees_every_step_and_pauses_ask_nobody() {
    let mut one = remote::<true>(steady("4"), steady("2"));
    one.setup = Setup { turns_max: 2, has_pauses: true, ..Setup::default() };
    let played = one.play();
    assert_eq!(played.turns_seen, [0, 1, 1, 2], "pause, turn, pause, turn");
    let turns_before: Vec<u32> = played.steps.iter().map(|step| step.turn).collect();
    assert_eq!(turns_before, [0, 0, 1, 1]);
    for pause in [0, 2] {
        assert_eq!(played.events[pause], [Event::Paused]);
        assert!(played.steps[pause].inputs.is_empty());
    }
    let answers = [Event::Answered(FIRST, Ok(4)), Event::Answered(SECOND, Ok(2))];
    assert_eq!(played.events[1], answers);
    let prompts = played.sent.iter().filter(|(_, line)| line.starts_with("turn"));
    assert_eq!(prompts.count(), 4);
}

#[test]
fn a_rejected_bot_inside_the_process_is_asked_again() {
    for ask in [Ask::InTurn, Ask::Together] {
        let (first, asked) = inside(&[10, 12, 5]);
        let mut one = remote::<true>(steady("0"), steady("2"));
        one.players = PerSeat([first, Player::Outside]);
        one.setup = one_turn();
        one.ask = ask;
        // Whoever is not refused must say its number again as well: a step takes all replies.
        one.actors[SECOND] =
            scripted([vec![], vec![(ms(1), line("2")), (ms(2), line("2")), (ms(3), line("2"))]]);
        let played = one.play();
        assert_eq!(*asked.lock().expect("the match is over"), 3, "{ask:?}");
        assert_eq!(played.outcome.scores, PerSeat([5, 2]), "{ask:?}");
        let refusals = played.all_events();
        let refusals = refusals.iter().filter(|event| **event == Event::Refused(FIRST));
        assert_eq!(refusals.count(), 2, "{ask:?}");
        let prompts = played.sent.iter().filter(|(_, line)| line == "turn 0");
        assert_eq!(prompts.count(), 1, "a turn prompts once, {ask:?}");
    }
}

#[test]
fn bots_inside_the_process_never_wait_for_the_clock() {
    for ask in [Ask::InTurn, Ask::Together] {
        let (first, first_asked) = inside(&[1, 2, 3]);
        let (second, second_asked) = inside(&[4, 5, 6]);
        let mut one = remote::<true>(steady("0"), steady("0"));
        one.players = PerSeat([first, second]);
        one.ask = ask;
        let played = one.play();
        assert_eq!(played.outcome.scores, PerSeat([6, 15]), "{ask:?}");
        assert_eq!((played.ended_at, played.idles), (ms(0), 0), "{ask:?}");
        for asked in [first_asked, second_asked] {
            assert_eq!(*asked.lock().expect("the match is over"), 3, "{ask:?}");
        }
        for step in &played.steps {
            assert_eq!(step.inputs.len(), 2, "one line each, {ask:?}");
            assert!(step.answers.0.iter().all(Option::is_some), "{ask:?}");
        }
    }
}

#[test]
fn a_remote_bot_is_asked_at_once_after_one_inside_the_process() {
    let (first, _) = inside(&[1, 2, 3]);
    let mut one = remote::<true>(steady("0"), steady("7"));
    one.players = PerSeat([first, Player::Outside]);
    let played = one.play();
    assert_eq!(played.outcome.scores, PerSeat([6, 21]));
    assert_eq!(played.ended_at, ms(3), "a millisecond for each answer");
}

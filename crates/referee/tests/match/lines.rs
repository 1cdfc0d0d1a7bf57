//! Lines that are no answers: too early, too many, in parts, without meaning.

use quintain_core::{Fault, ParseError, PerSeat, Seat};
use quintain_referee::{Ask, Heard, Incoming, Input};

use crate::bench::{line, ms, remote, scripted, steady};
use crate::toy::Event;

const FIRST: Seat = Seat::First;
const SECOND: Seat = Seat::Second;

#[test]
fn a_line_for_later_is_heard_again_when_its_seat_is_asked() {
    // Both lines come while the first seat thinks; each turn takes one of them.
    let early = vec![(ms(1), line("later 7")), (ms(2), line("later 8"))];
    let second = scripted([early, vec![], vec![], vec![(ms(1), line("9"))]]);
    let first = scripted(std::iter::once(vec![]).chain(vec![vec![(ms(100), line("1"))]; 3]));
    let played = remote::<true>(first, second).play();
    assert_eq!(played.events[0][1], Event::Answered(SECOND, Ok(7)));
    assert_eq!(played.events[1][1], Event::Answered(SECOND, Ok(8)));
    assert_eq!(played.events[2][1], Event::Answered(SECOND, Ok(9)));
    assert_eq!(played.steps[0].inputs.len(), 3, "each line is recorded once");
    assert_eq!(played.steps[1].inputs.len(), 1);
    assert_eq!(played.ended_at, ms(301));
}

#[test]
fn lines_above_the_limit_are_dropped_and_counted() {
    let chatter = |count| vec![(ms(1), line("chatter")); count];
    let too_many = [chatter(5), vec![(ms(2), line("4"))]].concat();
    let just_enough = [chatter(3), vec![(ms(2), line("5"))]].concat();
    let first = scripted([vec![], too_many, just_enough]);
    let mut one = remote::<true>(first, steady("2"));
    one.rules.lines_per_turn_max = 4;
    one.setup.turns_max = 2;
    let played = one.play();
    assert_eq!(played.steps[0].dropped, PerSeat([2, 0]), "a chatter and the answer");
    assert_eq!(played.events[0][0], Event::Answered(FIRST, Err(Fault::Late)));
    assert_eq!(played.steps[1].dropped, PerSeat([0, 0]));
    assert_eq!(played.events[1][0], Event::Answered(FIRST, Ok(5)), "counted anew");
}

#[test]
fn lines_of_too_many_bytes_are_dropped_and_counted() {
    let long = |count| vec![(ms(1), line(&"x".repeat(10))); count];
    let answer = vec![(ms(2), line("4"))];
    let mut one = remote::<true>(
        scripted([vec![], [long(3), answer.clone()].concat(), [long(2), answer].concat()]),
        steady("2"),
    );
    one.rules.bytes_per_turn_max = 21;
    one.setup.turns_max = 2;
    let played = one.play();
    assert_eq!(played.steps[0].dropped, PerSeat([1, 0]), "there is room for the answer again");
    assert_eq!(played.events[0][0], Event::Answered(FIRST, Ok(4)));
    assert_eq!(played.steps[1].dropped, PerSeat([0, 0]), "counted anew");
}

#[test]
fn an_answer_may_have_parts_and_a_senseless_one_goes_to_the_rules() {
    let parts = vec![(ms(1), line("more")), (ms(2), line("more")), (ms(3), line("4"))];
    let first = scripted([vec![], parts, vec![(ms(1), line("bad"))]]);
    let mut one = remote::<true>(first, steady("2"));
    one.setup.turns_max = 2;
    let played = one.play();
    assert_eq!(played.events[0][0], Event::Answered(FIRST, Ok(4)));
    let answer = played.steps[0].answers[FIRST].expect("it answered");
    assert_eq!(answer.wall, ms(3), "the last part ends the answer");
    let malformed = Fault::Malformed(ParseError::new("a number", "bad"));
    assert_eq!(played.events[1][0], Event::Answered(FIRST, Err(malformed)));
    let is_fault = |input: &Input| matches!(input, Input::Fault { .. });
    assert!(!played.steps[1].inputs.iter().any(is_fault), "the line says it all");
}

#[test]
fn bytes_that_are_no_text_are_recorded_as_far_as_they_can_be_read() {
    let noise = vec![(ms(1), Heard::Line(vec![b'a', 0xff, b'b'])), (ms(2), line("4"))];
    let mut one = remote::<true>(scripted([vec![], noise]), steady("2"));
    one.setup.turns_max = 1;
    let played = one.play();
    let Input::Line { line, asked, .. } = &played.steps[0].inputs[0] else {
        panic!("expected a line, found {:?}", played.steps[0].inputs[0]);
    };
    assert_eq!((line.as_str(), *asked), ("a\u{fffd}b", true));
}

#[test]
fn what_came_before_the_match_is_heard_in_it() {
    for ask in [Ask::InTurn, Ask::Together] {
        let mut one = remote::<true>(scripted([]), steady("2"));
        one.setup.turns_max = 1;
        one.ask = ask;
        one.meeting.early.push_back(Incoming { seat: FIRST, at: ms(0), heard: line("4") });
        assert_eq!(one.play().outcome.scores, PerSeat([4, 2]), "{ask:?}");
    }
}

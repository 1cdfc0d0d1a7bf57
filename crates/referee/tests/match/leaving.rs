//! Bots that leave, and bots that never came.

use quintain_core::{Absence, Exit, Fault, PerSeat, Seat};
use quintain_referee::{Ask, Heard};

use crate::bench::{Played, line, ms, remote, scripted, steady};
use crate::toy::Event;

const FIRST: Seat = Seat::First;
const SECOND: Seat = Seat::Second;
const EXIT: Exit = Exit::Code(3);

/// Answers the first turn and leaves 10 ms later.
fn leaver() -> Box<dyn quintain_referee::Actor> {
    scripted([vec![], vec![(ms(1), line("4")), (ms(10), Heard::Closed(EXIT))]])
}

fn assert_gone_after_one_turn(played: &Played, seat: Seat) {
    assert_eq!(played.outcome.scores[seat], 4);
    for events in &played.events[1..] {
        let gone = Event::Answered(seat, Err(Fault::Gone(EXIT)));
        assert!(events.contains(&gone), "{events:?}");
    }
}

#[test]
fn a_seat_that_left_is_given_up_at_once() {
    let second = scripted(std::iter::once(vec![]).chain(vec![vec![(ms(100), line("2"))]; 3]));
    let played = remote::<true>(leaver(), second).play();
    assert_gone_after_one_turn(&played, FIRST);
    assert_eq!(played.ended_at, ms(301), "nobody waited for it");
    let played = remote::<true>(steady("2"), leaver()).play();
    assert_gone_after_one_turn(&played, SECOND);
}

#[test]
fn a_seat_that_left_is_given_up_when_its_time_is_over() {
    let second = scripted(std::iter::once(vec![]).chain(vec![vec![(ms(100), line("2"))]; 3]));
    let played = remote::<false>(leaver(), second).play();
    assert_gone_after_one_turn(&played, FIRST);
    assert_eq!(played.ended_at, ms(2301), "two turns were waited for");
}

#[test]
fn without_a_clock_there_is_nothing_to_wait_for() {
    let second = scripted(std::iter::once(vec![]).chain(vec![vec![(ms(100), line("2"))]; 3]));
    let mut one = remote::<false>(leaver(), second);
    one.rules.clock = PerSeat([false, false]);
    let played = one.play();
    assert_gone_after_one_turn(&played, FIRST);
    assert_eq!(played.ended_at, ms(301));
}

#[test]
fn a_line_without_end_ends_the_conversation() {
    let flood = scripted([vec![], vec![(ms(1), Heard::Overlong), (ms(2), line("4"))]]);
    let played = remote::<true>(flood, steady("2")).play();
    assert_eq!(played.outcome.scores, PerSeat([0, 6]));
    for events in &played.events {
        assert_eq!(events[0], Event::Answered(FIRST, Err(Fault::Flooded)));
    }
}

#[test]
fn a_seat_that_never_came_is_a_fault_beside_the_answer_of_the_other() {
    for seat in Seat::BOTH {
        for ask in [Ask::InTurn, Ask::Together] {
            for absence in [Absence::Silent, Absence::Left(EXIT), Absence::Refused] {
                let mut one = remote::<true>(steady("1"), steady("1"));
                one.actors[seat] = scripted([]);
                one.setup.turns_max = 1;
                one.ask = ask;
                let fault = Fault::NotStarted(absence);
                one.meeting.absent[seat] = Some(fault);
                let played = one.play();
                let mut events = played.all_events();
                events.retain(|event| *event != Event::Answered(seat.other(), Ok(1)));
                assert_eq!(events, [Event::Answered(seat, Err(fault))]);
                assert_eq!(played.outcome.scores[seat.other()], 1, "{seat:?} {ask:?}");
                assert_eq!(played.ended_at, ms(1), "{seat:?} {ask:?}");
            }
        }
    }
}

#[test]
fn a_late_first_seat_does_not_make_the_second_late() {
    let first = scripted([vec![], vec![(ms(1), line("4"))]]);
    let slow = vec![(ms(900), line("2"))];
    let second = scripted(std::iter::once(vec![]).chain(std::iter::repeat_n(slow, 3)));
    let played = remote::<true>(first, second).play();
    assert_eq!(played.outcome.scores, PerSeat([4, 6]));
}

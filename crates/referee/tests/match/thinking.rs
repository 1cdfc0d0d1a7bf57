//! A bot inside the process that thinks for long, and who is heard meanwhile.

use std::time::Duration;

use quintain_core::{Bot, PerSeat, Seat, Thinking};
use quintain_referee::{Ask, MatchEnd, Player, SimWorld, Wait, World};

use crate::bench::{Notebook, line, ms, play_with, scripted};
use crate::toy::Toy;

const FIRST: Seat = Seat::First;
const SECOND: Seat = Seat::Second;

/// A world in which a millisecond passes whenever somebody looks whether something has come.
struct Passing {
    world: SimWorld,
    is_stopped: bool,
}

impl World for Passing {
    delegate!(world: now send prepare flush absence hang_up cpu counts referee_waited);
    delegate!(world: wants_to_run has_said unprotected stderr meddling finish);

    fn next(&mut self, until: Option<Duration>) -> Wait {
        match self.is_stopped {
            true => Wait::Stopped,
            false => self.world.next(until.map(|until| until + ms(1))),
        }
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped
    }
}

/// Takes the time that it is given.
struct Thinker;

impl Bot<Toy<true>> for Thinker {
    fn act(&mut self, _view: &u32, thinking: &mut Thinking<'_>) -> u32 {
        while !thinking.is_over() {}
        1
    }
}

fn play(players: PerSeat<Player<Toy<true>>>, is_stopped: bool) -> (MatchEnd, Notebook) {
    let answer = scripted([vec![], vec![(ms(10), line("2"))]]);
    let world = SimWorld::new(PerSeat([answer, scripted([])]));
    let mut notebook = Notebook::default();
    let mut world = Passing { world, is_stopped };
    let end = play_with(players, &mut world, 1, Ask::Together, &mut notebook);
    (end, notebook)
}

fn thinker() -> Player<Toy<true>> {
    Player::Inside(Box::new(Thinker))
}

#[test]
fn who_answers_while_a_bot_inside_thinks_is_heard_when_it_answered() {
    let (_, notebook) = play(PerSeat([Player::Outside, thinker()]), false);
    let answers = notebook.steps[0].answers.0.map(|answer| answer.expect("both answered").wall);
    assert_eq!(answers[FIRST.index()], ms(10));
    assert!((ms(700)..ms(800)).contains(&answers[SECOND.index()]), "{answers:?}");
}

#[test]
fn two_that_think_inside_have_the_whole_time_each() {
    let (_, notebook) = play(PerSeat([thinker(), thinker()]), false);
    for answer in notebook.steps[0].answers.0 {
        let wall = answer.expect("both answered").wall;
        assert!((ms(700)..ms(800)).contains(&wall), "{wall:?}");
    }
}

#[test]
fn a_bot_inside_stops_thinking_when_the_match_is_to_end() {
    let (end, _) = play(PerSeat([thinker(), thinker()]), true);
    assert_eq!(end, MatchEnd::Stopped);
}

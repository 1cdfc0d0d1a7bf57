//! A match that is broken off ends where it is.

use quintain_core::PerSeat;
use quintain_referee::{Ask, MatchEnd, Player, SimWorld, World};

use crate::bench::{Notebook, inside, line, ms, nobody, play_in, play_with, scripted, steady};

#[test]
fn a_stop_ends_a_match_while_a_bot_thinks() {
    let thinker = scripted([vec![], vec![(ms(900), line("4"))]]);
    let mut world = SimWorld::new(PerSeat([thinker, steady("2")])).stopping_at(ms(300));
    let mut notebook = Notebook::default();
    assert_eq!(play_in(&mut world, 5, Ask::InTurn, &mut notebook), MatchEnd::Stopped);
    assert_eq!((world.now(), notebook.steps.len()), (ms(300), 0));
}

#[test]
fn a_stop_leaves_the_steps_before_it_as_they_are() {
    let mut notebook = Notebook::default();
    let slow = |text: &str| {
        scripted(std::iter::once(vec![]).chain(std::iter::repeat_n(vec![(ms(100), line(text))], 9)))
    };
    let mut world = SimWorld::new(PerSeat([slow("1"), slow("2")])).stopping_at(ms(650));
    assert_eq!(play_in(&mut world, 9, Ask::InTurn, &mut notebook), MatchEnd::Stopped);
    assert_eq!((world.now(), notebook.steps.len()), (ms(650), 3));
}

#[test]
fn a_stop_ends_a_match_that_never_waits() {
    let (first, asked) = inside::<true>(&[]);
    let (second, _): (Player<_>, _) = inside::<true>(&[]);
    let mut notebook = Notebook::default();
    let mut world = nobody().stopping_at(ms(0));
    let players = PerSeat([first, second]);
    let end = play_with(players, &mut world, 1_000_000, Ask::InTurn, &mut notebook);
    assert_eq!((end, notebook.steps.len()), (MatchEnd::Stopped, 0));
    assert!(*asked.lock().expect("the match is over") <= 1);
}

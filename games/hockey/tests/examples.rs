//! The examples do what they say.

#[allow(dead_code, reason = "an example is a program of its own")]
#[path = "../examples/random_match.rs"]
mod random_match;
#[allow(dead_code, reason = "an example is a program of its own")]
#[path = "../examples/search_bot.rs"]
mod search_bot;

use quintain_core::{Game, Seat};

#[test]
fn a_random_match_ends_and_depends_on_its_seed() {
    let turns = [1, 2, 1].map(|seed| random_match::play(seed).turn());
    assert!(turns[0] > 4 && turns[0] == turns[2] && turns[0] != turns[1], "{turns:?}");
}

#[test]
fn who_looks_ahead_wins_from_both_seats() {
    for searcher in Seat::BOTH {
        let won =
            (0..10).filter(|&seed| search_bot::play(searcher, seed) == Some(searcher)).count();
        assert!(won >= 8, "{searcher:?} won {won} of 10");
    }
}

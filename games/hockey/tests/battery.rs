//! Random play with invariants at every state, as for every game.

use quintain_hockey::{Config, Hockey, Wire};

#[test]
fn random_play_keeps_what_must_hold_in_every_game() {
    quintain_testkit::battery::<Hockey, Wire>(&Config::default(), 0..200);
}

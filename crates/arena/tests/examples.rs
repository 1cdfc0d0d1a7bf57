//! The examples run to their end.

#[path = "../examples/comparison.rs"]
mod comparison;
#[path = "../examples/single_match.rs"]
mod single_match;
#[path = "../examples/tournament.rs"]
mod tournament;

#[test]
fn a_tournament_is_played_without_the_command_line() {
    tournament::main().expect("it is played");
}

#[test]
fn a_match_is_followed_without_the_command_line() {
    single_match::main().expect("it is played");
}

#[test]
fn two_bots_are_compared_without_the_command_line() {
    comparison::main().expect("it is played");
}

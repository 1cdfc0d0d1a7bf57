//! What holds of all house bots, and of those that search.

use quintain_core::{Game, HouseBot, NoChance, PerSeat, Replies, Seat};
use quintain_testkit::{house_bots, house_match};

use super::*;
use crate::{Board, Config, Event, Setup};

/// Plays one game between two house bots: who wins, and every throw.
fn play(names: [&str; 2], seed: i64) -> (Option<Seat>, Vec<Direction>) {
    let game = Hockey::new(&Config::default(), Setup::default()).expect("playable");
    let (game, events) = house_match(game, house_bots(names, seed), &mut NoChance);
    let throws = events.iter().filter_map(|event| match event {
        Event::Threw { direction, .. } => Some(*direction),
        Event::Refused { .. } => panic!("{names:?}, seed {seed}: house bots throw legally"),
        _ => None,
    });
    (game.ending().expect("the game is over").winner(), throws.collect())
}

#[test]
fn every_bot_throws_legally_to_the_end() {
    for HouseBot { name, .. } in Hockey::BOTS {
        for seat in Seat::BOTH {
            let mut names = ["greedy-71"; 2];
            names[seat.index()] = name;
            play(names, 7);
        }
    }
}

#[test]
fn a_search_beats_greedy_from_both_seats() {
    let wins = PerSeat::from_fn(|seat| {
        let mut names = ["greedy"; 2];
        names[seat.index()] = "search-10k";
        (0..10).filter(|&seed| play(names, seed).0 == Some(seat)).count()
    });
    let PerSeat([first, second]) = wins;
    assert!(first + second >= 16, "search-10k won {first} and {second} of 10 games each");
}

/// A number that changes with any throw.
fn digest(games: impl Iterator<Item = Vec<Direction>>) -> u64 {
    let throws = games.flatten().map(|direction| direction as u64 + 1);
    throws.fold(0xcbf2_9ce4_8422_2325, |hash, throw| (hash ^ throw).wrapping_mul(0x0100_0000_01b3))
}

/// The same on every machine: whoever changes it has changed the strength of a published rung.
#[test]
fn bots_limited_by_nodes_play_the_same_games_everywhere() {
    let found = [("greedy-71", 100), ("search-1k", 100), ("search-10k", 8), ("search-100k", 1)]
        .map(|(name, games)| digest((0..games).map(|seed| play([name, "greedy"], seed).1)));
    let expected = [
        0x3385_0760_912a_e88e,
        0x49ad_c6ab_5c65_a748,
        0xa064_c222_9488_b460,
        0x90ef_fa0d_43ad_afe5,
    ];
    assert_eq!(found, expected, "{found:#x?}");
}

#[test]
fn a_planned_turn_is_kept_and_another_board_is_looked_at_anew() {
    use Direction::{North, NorthEast, NorthWest, South};
    let board_after = |throws: &[Direction]| {
        Setup::after(throws).expect("possible throws").to_board().expect("playable")
    };
    let mut bot = Hockey::bot("search-1k", 1).expect("a house bot");
    let mut ask = |board: Board| bot.act_unhurried(&View { board, seat: board.active() });
    let board = board_after(&[North, NorthEast, North, NorthWest]);
    let bounce = ask(board);
    let mut bounced = board;
    bounced.throw(bounce);
    assert_eq!(bounced.active(), Seat::First);
    // Instead of its second throw it is asked about another match, and then about this one again.
    let other = board_after(&[South, NorthEast]);
    let elsewhere = ask(other);
    assert!(other.exits(other.puck()).contains(elsewhere));
    let goal = ask(bounced);
    let mut game = Hockey::new(&Config::default(), Setup::default()).expect("playable");
    for throw in [North, NorthEast, North, NorthWest, bounce, goal] {
        let seat = game.board().active();
        game.advance(&Replies::only(seat, throw), &mut NoChance, &mut ());
    }
    assert_eq!(game.ending().expect("a goal").winner(), Some(Seat::First));
}

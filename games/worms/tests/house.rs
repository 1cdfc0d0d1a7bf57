//! The house bots: the greedy one beats the random one, and both play the same through lines.

use quintain_core::{
    Edition, Game, House, HouseClient, Manner, Opening, PerSeat, Protocol, Replies, Seats,
};
use quintain_testkit::{exchange, greedy_wins, house_match};
use quintain_worms::{Config, Event, Wire, Worms};

fn start(edition: Edition, seed: i64) -> Worms {
    let config = Config { edition, ..Config::default() };
    Worms::new(&config, Worms::generate(&config, seed)).expect("a generated setup is valid")
}

/// Plays to the end and returns the last position and how many commands were refused.
fn play(edition: Edition, bots: [&str; 2], seed: i64) -> (Worms, usize) {
    let bots = PerSeat::from_fn(|seat| {
        Worms::bot(bots[seat.index()], seed * 2 + seat.index() as i64).expect("a house bot")
    });
    let (game, events) = house_match(start(edition, seed), bots, &mut *Worms::chance(seed));
    let is_refusal =
        |event: &&Event| matches!(event, Event::Refused { .. } | Event::SelectRefused { .. });
    let refused = events.iter().filter(is_refusal).count();
    (game, refused)
}

#[test]
fn greedy_beats_random_in_95_of_100_matches() {
    let PerSeat([first, second]) = greedy_wins(0..50, |bots, seed| {
        let (game, refused) = play(Edition::Document, bots, seed);
        assert_eq!(refused, 0, "{bots:?}, seed {seed}: house bots break no rule");
        game.outcome().expect("played to the end").winner()
    });
    assert!(first + second >= 95, "greedy won {first} and {second} of 50 matches each");
}

#[test]
fn a_bot_behind_the_wire_plays_like_one_inside() {
    for (edition, seed) in [(Edition::Document, 7), (Edition::Original, 20_000)] {
        let mut game = start(edition, seed);
        let mut chance = Worms::chance(seed);
        let manners = PerSeat([Manner::Lines; 2]);
        let mut wire = Wire::new(&Opening { manners, ..Opening::new(PerSeat::default()) });
        let names = ["greedy", "random"];
        let mut inside = names.map(|name| Worms::bot(name, seed).expect("a house bot"));
        let mut outside =
            names.map(|name| Worms::dialogue(name, "any", seed, None).expect("the same"));
        for _ in 0..150 {
            if game.outcome().is_some() {
                break;
            }
            let replies = Replies::of(Seats::BOTH, |seat| {
                let index = seat.index();
                let action = exchange(&mut wire, &game, seat, &mut *outside[index]).action;
                assert_eq!(action, inside[index].act_unhurried(&game.view(seat)));
                action
            });
            game.advance(&replies, &mut *chance, &mut ());
        }
    }
}

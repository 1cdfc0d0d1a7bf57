//! The house bots: the greedy one beats the random one, and both play the same through lines.

use quintain_core::{
    Bot, Dialogue, Edition, Game, House, Intake, Item, Manner, Opening, Outbox, PerSeat, Protocol,
    Reply, Seat,
};
use quintain_worms::{Action, Config, Event, Wire, Worms};

fn start(edition: Edition, seed: i64) -> Worms {
    let config = Config { edition, ..Config::default() };
    Worms::new(&config, Worms::generate(&config, seed)).expect("a generated setup is valid")
}

/// Plays to the end and returns the last position and how many commands were refused.
fn play(edition: Edition, bots: [&str; 2], seed: i64) -> (Worms, usize) {
    let mut game = start(edition, seed);
    let mut chance = Worms::chance(seed);
    let mut bots: PerSeat<Box<dyn Bot<Worms>>> = PerSeat::from_fn(|seat| {
        Worms::bot(bots[seat.index()], seed * 2 + seat.index() as i64).expect("a house bot")
    });
    let mut refused = 0;
    while game.outcome().is_none() {
        let replies = PerSeat::from_fn(|seat| Some(Reply::Act(bots[seat].act(&game.view(seat)))));
        let mut events = Vec::new();
        game.advance(&replies, &mut *chance, &mut events);
        let is_refusal =
            |event: &&Event| matches!(event, Event::Refused { .. } | Event::SelectRefused { .. });
        refused += events.iter().filter(is_refusal).count();
    }
    (game, refused)
}

#[test]
fn greedy_beats_random_in_95_of_100_matches() {
    let mut won = 0;
    for seed in 0..50 {
        for seat in Seat::BOTH {
            let mut bots = ["random"; 2];
            bots[seat.index()] = "greedy";
            let (game, refused) = play(Edition::Document, bots, seed);
            let outcome = game.outcome().expect("played to the end");
            won += u32::from(outcome.winner() == Some(seat));
            assert_eq!(refused, 0, "{bots:?}, seed {seed}: house bots break no rule");
        }
    }
    assert!(won >= 95, "greedy won {won} of 100");
}

/// The action that a bot behind the wire gives.
fn ask(wire: &mut Wire, bot: &mut dyn Dialogue, game: &Worms, seat: Seat) -> Action {
    let (mut out, mut answers) = (Outbox::default(), Vec::new());
    wire.prompt(seat, &game.view(seat), &mut out);
    for (to, item) in out.0 {
        assert_eq!(to, seat);
        let Item::Line(line) = item else { panic!("lines were asked for") };
        bot.hear(&line, &mut answers);
    }
    assert_eq!(answers.len(), 1, "one answer a round");
    match wire.hear(seat, true, &answers[0], &mut Outbox::default()) {
        Intake::Action(action) => action,
        other => panic!("{} is {other:?}", answers[0]),
    }
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
            let replies = PerSeat::from_fn(|seat| {
                let index = seat.index();
                let action = ask(&mut wire, &mut *outside[index], &game, seat);
                assert_eq!(action, inside[index].act(&game.view(seat)));
                Some(Reply::Act(action))
            });
            game.advance(&replies, &mut *chance, &mut ());
        }
    }
}

//! One match of the house bots as readable text, compared whole: what is answered, what happened, and
//! how the map looks. `QUINTAIN_UPDATE=1` writes the file anew; read the change before keeping it.

use std::fmt::Write as _;

use quintain_core::entelect::RunnerLog;
use quintain_core::scene::Eye;
use quintain_core::{
    Game, HouseClient, Manner, Opening, PerSeat, Protocol, Replies, Seat, Seats, Spectate,
};
use quintain_testkit::{Exchange, check_golden, exchange};
use quintain_worms::{Config, Wire, Worms};

const SEED: i64 = 2019;
/// The map is shown after every so many rounds.
const SHOW_EVERY: u32 = 50;

fn playthrough() -> String {
    let config = Config::default();
    let mut game = Worms::new(&config, Worms::generate(&config, SEED)).expect("playable");
    let mut chance = Worms::chance(SEED);
    let names = PerSeat(["Bob", "Malory"].map(str::to_owned));
    let manners = PerSeat([Manner::Lines; 2]);
    let mut wire = Wire::new(&Opening { manners, ..Opening::new(names.clone()) });
    let mut bots =
        ["greedy", "random"].map(|bot| Worms::dialogue(bot, "any", SEED, None).expect("a bot"));
    let mut text = String::new();
    while game.outcome().is_none() {
        let replies = Replies::of(Seats::BOTH, |seat| {
            let Exchange { said, action, .. } =
                exchange(&mut wire, &game, seat, &mut *bots[seat.index()]);
            writeln!(text, "  {}: {said}", names[seat]).expect("a string takes any text");
            action
        });
        let mut events = Vec::new();
        game.advance(&replies, &mut *chance, &mut events);
        for line in events.iter().map(|event| Worms::describe(event, &names)) {
            if !line.is_empty() {
                writeln!(text, "{line}").expect("a string takes any text");
            }
        }
        if game.turn().is_multiple_of(SHOW_EVERY) || game.outcome().is_some() {
            show(&game, &mut text);
        }
    }
    text
}

fn show(game: &Worms, text: &mut String) {
    let map = game.written(Eye::All).plain();
    writeln!(text, "\nround {}\n{map}", game.turn()).expect("a string takes any text");
    for seat in Seat::BOTH {
        writeln!(text, "csv {}", game.csv_line(seat)).expect("a string takes any text");
    }
    writeln!(text, "state {:016x}\n", game.fingerprint()).expect("a string takes any text");
}

#[test]
fn a_match_of_the_house_bots_is_as_it_was() {
    check_golden(env!("CARGO_MANIFEST_DIR"), "house", &playthrough());
}

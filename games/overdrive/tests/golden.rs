//! One match between the house bots as readable text, compared whole: what happened, and how the track
//! looks. `QUINTAIN_UPDATE=1` writes the file anew; read the change before keeping it.

use std::fmt::Write as _;

use quintain_core::{Game, NoChance, PerSeat, Reply, Seat};
use quintain_overdrive::{Config, Event, Overdrive};
use quintain_testkit::{Look, check_golden, happenings, house_bots};

const SEED: i64 = 2020;
/// The track is shown after every so many rounds.
const FIELD_EVERY: u32 = 20;

fn show(game: &Overdrive, names: &PerSeat<String>, last: &[Event], text: &mut String) {
    let look = Look::new(game, names, &(), last);
    writeln!(text, "\n{}\n{}\n", look.text, look.outline_with_panels())
        .expect("a string takes any text");
}

fn playthrough() -> String {
    let names = PerSeat(["Anna", "Bert"].map(str::to_owned));
    let config = Config::default();
    let mut game = Overdrive::new(&config, Overdrive::generate(&config, SEED)).expect("playable");
    let mut bots = house_bots::<Overdrive>(["greedy", "random"], 1);
    let mut text = String::new();
    show(&game, &names, &[], &mut text);
    while game.outcome().is_none() {
        let mut replies = PerSeat::default();
        writeln!(text, "{}", game.turn() + 1).expect("a string takes any text");
        for seat in Seat::BOTH {
            let action = bots[seat].act(&game.view(seat));
            replies[seat] = Some(Reply::Act(action));
        }
        let mut events = Vec::new();
        game.advance(&replies, &mut NoChance, &mut events);
        for sentence in happenings::<Overdrive>(&events, &names) {
            writeln!(text, "  {sentence}").expect("a string takes any text");
        }
        if game.turn().is_multiple_of(FIELD_EVERY) || game.outcome().is_some() {
            show(&game, &names, &events, &mut text);
        }
    }
    let outcome = game.outcome().expect("the loop ends with the game");
    writeln!(text, "scores {:?}, reason `{}`", outcome.scores.0, outcome.reason)
        .expect("a string takes any text");
    text
}

#[test]
fn a_match_of_the_house_is_what_it_was() {
    check_golden(env!("CARGO_MANIFEST_DIR"), "house", &playthrough());
}

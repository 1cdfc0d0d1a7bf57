//! One match between the house bots as readable text, compared whole: what is said, what happened,
//! and how the field looks. `QUINTAIN_UPDATE=1` writes the file anew; read the change before keeping
//! it.

#[allow(dead_code, reason = "each test file uses its own part of the helpers")]
mod common;

use std::fmt::Write as _;

use common::{lines, wire};
use quintain_code_royale::{CodeRoyale, Config, Event};
use quintain_core::{Game, NoChance, Outbox, PerSeat, Protocol, Reply, Seat};
use quintain_testkit::{Look, check_golden, happenings, house_bots};

const SEED: i64 = 2018;
/// The field and what is told is shown after every so many turns.
const FIELD_EVERY: u32 = 20;

fn show(game: &CodeRoyale, names: &PerSeat<String>, last: &[Event], text: &mut String) {
    let look = Look::new(game, names, &(), last);
    let mut out = Outbox::default();
    wire().prompt(Seat::First, &game.view(Seat::First), &mut out);
    writeln!(text, "\n{}", look.text).expect("a string takes any text");
    writeln!(text, "told to Anna: {}", lines(out).join(" / ")).expect("a string takes any text");
    writeln!(text, "{}\n", look.outline_with_panels()).expect("a string takes any text");
}

fn playthrough() -> String {
    let names = PerSeat(["Anna", "Bert"].map(str::to_owned));
    let config = Config::default();
    let mut game = CodeRoyale::new(&config, CodeRoyale::generate(&config, SEED)).expect("playable");
    let mut bots = house_bots::<CodeRoyale>(["greedy", "random"], 1);
    let mut text = String::new();
    show(&game, &names, &[], &mut text);
    while game.outcome().is_none() {
        let mut replies = PerSeat::default();
        write!(text, "{}:", game.turn()).expect("a string takes any text");
        for seat in Seat::BOTH {
            let view = game.view(seat);
            let action = bots[seat].act(&view);
            let said = wire().say(&view, &action).join("; ");
            write!(text, " {}: {said}.", names[seat]).expect("a string takes any text");
            replies[seat] = Some(Reply::Act(action));
        }
        text.push('\n');
        let mut events = Vec::new();
        game.advance(&replies, &mut NoChance, &mut events);
        for sentence in happenings::<CodeRoyale>(&events, &names) {
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

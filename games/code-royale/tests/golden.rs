//! One match between the house bots as readable text, compared whole: what is said, what happened,
//! and how the field looks. `QUINTAIN_UPDATE=1` writes the file anew; read the change before keeping
//! it.

#[allow(dead_code, reason = "each test file uses its own part of the helpers")]
mod common;

use common::{lines, wire};
use quintain_code_royale::{Action, CodeRoyale, Config, Event, Trail};
use quintain_core::{Game, Outbox, PerSeat, Protocol, Replies, Reply, Seat};
use quintain_testkit::{Look, Tale, check_golden, house_bots};

const SEED: i64 = 2018;

/// What both say, in one line.
fn said(game: &CodeRoyale, names: &PerSeat<String>, replies: &Replies<Action>) -> String {
    let said = Seat::BOTH.map(|seat| {
        let Some(Reply::Act(action)) = &replies[seat] else { panic!("both act in every turn") };
        format!(" {}: {}.", names[seat], wire().say(&game.view(seat), action).join("; "))
    });
    format!("{}:{}", game.turn(), said.concat())
}

/// The field, and what one of them is told of it.
fn show(
    game: &CodeRoyale,
    names: &PerSeat<String>,
    replies: &Replies<Action>,
    last: &[Event],
) -> String {
    let look = Look::new(game, names, &Trail::default(), replies, last);
    let mut out = Outbox::default();
    wire().prompt(Seat::First, &game.view(Seat::First), &mut out);
    let told = lines(out).join(" / ");
    format!("\n{}\ntold to Anna: {told}\n{}\n", look.text, look.outline_with_panels())
}

#[test]
fn a_match_of_the_house_is_what_it_was() {
    let names = PerSeat(["Anna", "Bert"].map(str::to_owned));
    let config = Config::default();
    let game = CodeRoyale::new(&config, CodeRoyale::generate(&config, SEED)).expect("playable");
    let bots = house_bots(["greedy", "random"], 1);
    let text = Tale { game, bots, names: &names, show_every: 20 }.tell(
        |game, replies| said(game, &names, replies),
        |game, replies, last| show(game, &names, replies, last),
    );
    check_golden(env!("CARGO_MANIFEST_DIR"), "house", &text);
}

//! Every kind of answer, well-formed or not: what it means, and what is said of it.

mod common;

use common::*;
use quintain_core::entelect::Rounds;
use quintain_core::{Edition, Intake, Opening, Outbox, PerSeat, Protocol, Seat};
use quintain_worms::{Action, Direction, Event, Order, Wire};

#[test]
fn answers_and_their_meaning() {
    let table: [(&str, Order); 20] = [
        ("", Order::Missing),
        (";", Order::Absent),
        ("  ; ;", Order::Absent),
        ("nothing", Order::Nothing),
        ("NoThInG at all", Order::Nothing),
        ("move 3 4", Order::Move { x: 3, y: 4 }),
        (" MOVE +3 004 ", Order::Move { x: 3, y: 4 }),
        ("dig -1 2147483647", Order::Dig { x: -1, y: i32::MAX }),
        ("banana 1 2", Order::Banana { x: 1, y: 2 }),
        ("snowball 1 2", Order::Snowball { x: 1, y: 2 }),
        ("shoot nE", Order::Shoot(Direction::NE)),
        ("move 1 2;dig 3 4", Order::Dig { x: 3, y: 4 }),
        ("move  1 2", Order::Unreadable("move  1 2".into())),
        ("move 1 2 3", Order::Unreadable("move 1 2 3".into())),
        ("move\t1 2", Order::Unreadable("move\t1 2".into())),
        ("shoot", Order::Unreadable("shoot".into())),
        ("shoot north", Order::Unreadable("shoot north".into())),
        ("dig 2147483648 1", Order::Unreadable("dig 2147483648 1".into())),
        ("No Command", Order::Unreadable("No Command".into())),
        ("jump 1 2", Order::Unreadable("jump 1 2".into())),
    ];
    for (text, order) in table {
        assert_eq!(read(text), Action::of(order), "{text:?}");
    }
}

/// The original makes directions upper case, which turns the long s into an S, and words lower case,
/// which turns no other letter into one of theirs.
#[test]
fn directions_are_compared_in_upper_case_and_words_in_lower_case() {
    for (text, direction) in [
        ("shoot \u{17f}", Direction::S),
        ("shoot \u{17f}E", Direction::SE),
        ("SHOOT \u{17f}w", Direction::SW),
    ] {
        assert_eq!(read(text), Action::of(Order::Shoot(direction)), "{text:?}");
    }
    for text in [
        "shoot \u{17f}s",
        "shoot \u{ff33}",
        "\u{17f}hoot N",
        "\u{17f}elect 2",
        "\u{17f}nowball 1 2",
        "d\u{131}g 1 2",
        "d\u{130}g 1 2",
        "noth\u{131}ng",
        "noth\u{130}ng",
        "\u{ff44}ig 1 2",
    ] {
        assert_eq!(read(text), Action::of(Order::Unreadable(text.into())), "{text:?}");
    }
}

#[test]
fn numbers_are_in_digits_of_any_script() {
    assert_eq!(read("move ٣ １２"), Action::of(Order::Move { x: 3, y: 12 }));
    assert_eq!(read("select ٢;nothing").select, Some(2));
    assert_eq!(read("dig 𝟑 4"), Action::of(Order::Unreadable("dig 𝟑 4".into())));
}

#[test]
fn selects_and_their_meaning() {
    let table: [(&str, Option<i32>, bool, Order); 7] = [
        ("select 2;move 3 4", Some(2), false, Order::Move { x: 3, y: 4 }),
        ("move 3 4;select 2", Some(2), false, Order::Move { x: 3, y: 4 }),
        ("select 1;SELECT 3;nothing", Some(3), false, Order::Nothing),
        ("select -5", Some(-5), false, Order::Absent),
        ("select x;nothing", None, true, Order::Nothing),
        ("nothing;select x", None, true, Order::Unreadable("select x".into())),
        ("select 1 2;select 3", Some(3), true, Order::Unreadable("select 1 2".into())),
    ];
    for (text, select, has_unreadable_select, order) in table {
        assert_eq!(read(text), Action { select, has_unreadable_select, order }, "{text:?}");
    }
}

#[test]
fn only_lines_with_the_prefix_of_the_round_are_heard() {
    let game = Match::document(setup());
    let mut wire = Wire::new(&Opening::new(PerSeat::default()));
    let mut out = Outbox::default();
    wire.prompt(Seat::First, &quintain_core::Game::view(&game.game, Seat::First), &mut out);
    for line in ["move 1 1", "-C;1;move 1 1", "C;2;move 1 1", "C;01;nothing", "c;1;nothing", ""] {
        assert_eq!(wire.hear(Seat::First, true, line, &mut out), Intake::Ignored, "{line:?}");
    }
    let heard = wire.hear(Seat::First, true, "C;1;select 2;move 1 1", &mut out);
    assert!(matches!(heard, Intake::Action(_)));
    assert_eq!(wire.hear(Seat::First, false, "C;1;nothing", &mut out), Intake::Ignored);
}

/// What both players are shown of an answer, in both editions.
#[test]
fn previous_commands() {
    for (text, document, original) in [
        ("move 7 12", "move 7 12", "move 7 12"),
        ("Shoot nw", "shoot NW", "shoot NW"),
        (
            "nothing",
            "nothing \"Player chose to do nothing\"",
            "nothing \"Player chose to do nothing\"",
        ),
        (
            ";",
            "nothing \"No command received for player\"",
            "nothing \"No command received for player\"",
        ),
        ("", "invalid", "invalid"),
        ("rubbish", "invalid", "invalid"),
        ("select 2;shoot N", "select 2; shoot N", "select 2; shoot N"),
        ("select 2;rubbish", "select 2; invalid", "select 2; invalid"),
        ("select 9;shoot N", "invalid", "nothing; invalid"),
        ("select x;shoot N", "invalid", "shoot N"),
        ("select 2", "invalid", "select 2; nothing \"No command received for player\""),
    ] {
        let shown = Edition::ALL.map(|edition| {
            let mut game = Match::new(edition, setup());
            game.round(text, "shoot N");
            let json = game.game.shown(Seat::Second, |sheet, out| sheet.json(out));
            let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
            value["opponents"][0]["previousCommand"].as_str().expect("a text").to_owned()
        });
        assert_eq!(shown, [document, original].map(str::to_owned), "{text:?}");
    }
}

#[test]
fn reasons_are_given_in_the_originals_words() {
    for (text, reason) in [
        ("move 40 1", "40 1 out of map bounds"),
        ("move 9 12", "Target too far away"),
        ("move 6 12", "Target occupied"),
        ("dig 7 12", "Cell type AIR not diggable"),
        ("banana 7 12", "This worm is not trained to use Banana bombs"),
        ("snowball 7 12", "This worm is not technically adept in the arts of snowball fights"),
        ("banana 1 x", "Cannot parse coordinates: Invalid coordinate x:1 y:null"),
        ("move x 1", "Cannot parse move coordinates as numbers: [x]"),
        ("shoot", "Cannot parse move command: Invalid length 1, expected 2"),
        ("", "Unknown command: No Command"),
    ] {
        let mut game = Match::document(setup());
        let found = game.round(text, "shoot N").into_iter().find_map(|event| match event {
            Event::Refused { order, select, why, .. } => Some(why.sentence(&order, select)),
            _ => None,
        });
        assert_eq!(found.as_deref(), Some(reason), "{text:?}");
    }
}

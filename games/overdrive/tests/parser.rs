//! Commands as texts: which are read, which are not, and that what is said is heard.

mod common;

use common::*;
use quintain_core::{Game, Intake, Outbox, Protocol};
use quintain_overdrive::{Action, Tweet, Unreadable};

const ALL: [Action; 14] = [
    Action::Nothing,
    Action::Accelerate,
    Action::Decelerate,
    Action::TurnLeft,
    Action::TurnRight,
    Action::UseBoost,
    Action::UseOil,
    Action::UseLizard,
    Action::UseTweet(Tweet { lane: 4, block: 76 }),
    Action::UseEmp,
    Action::Fix,
    Action::Unreadable(Unreadable::Empty),
    Action::Unreadable(Unreadable::Word),
    Action::Unreadable(Unreadable::Place),
];

#[test]
fn what_is_said_is_heard_again() {
    let game = Race::document(setup(at(1, 1, 5), at(4, 1, 5))).game;
    let mut wire = wire();
    for view in [game.view(FIRST), game.view(SECOND)] {
        told(&mut wire, &view);
        for action in ALL {
            let lines = wire.say(&view, &action);
            assert_eq!(lines.len(), 1);
            let heard = wire.hear(view.seat, true, &lines[0], &mut Outbox::default());
            assert_eq!(heard, Intake::Action(action));
        }
    }
}

fn tweet(lane: i32, block: i32) -> Action {
    Action::UseTweet(Tweet { lane, block })
}

#[test]
fn commands_are_read_as_the_original_reads_them() {
    let table = [
        ("ACCELERATE", Action::Accelerate),
        ("accelerate", Action::Accelerate),
        ("Turn_Left", Action::TurnLeft),
        ("TURN_RIGHT", Action::TurnRight),
        ("DECELERATE", Action::Decelerate),
        ("USE_BOOST", Action::UseBoost),
        ("USE_OIL", Action::UseOil),
        ("USE_LIZARD", Action::UseLizard),
        ("USE_EMP 3", Action::UseEmp),
        ("ACCELERATE now", Action::Accelerate),
        ("  FIX  ", Action::Fix),
        ("\tFIX\u{1}", Action::Fix),
        ("FIX;ACCELERATE", Action::Fix),
        ("; ;TURN_LEFT", Action::TurnLeft),
        ("NOTHING ", Action::Nothing),
        ("do_nothing", Action::Nothing),
        ("USE_TWEET 4 76", tweet(4, 76)),
        ("USE_TWEET +2 +700", tweet(2, 700)),
        ("use_tweet 2 700 9", tweet(2, 700)),
        ("USE_TWEET 0 -1", tweet(0, -1)),
        ("USE_TWEET 007 0001", tweet(7, 1)),
        // Upper-casing makes a word of these.
        ("f\u{131}x", Action::Fix),
        ("u\u{17f}e_oil", Action::UseOil),
        ("\u{fb01}x", Action::Fix),
        // Digits of any script are digits.
        ("USE_TWEET ٣ ٣", tweet(3, 3)),
        ("use_tweet ３ +７０1", tweet(3, 701)),
    ];
    for (text, expected) in table {
        assert_eq!(Action::read(text), expected, "{text:?}");
    }
}

#[test]
fn other_texts_are_no_commands() {
    let words = [
        "JUMP",
        "No Command",
        "FIX\tnow",
        "C",
        "DECELERATE!",
        "é",
        "ACCELERATE\u{a0}",
        "TURN-LEFT",
        "TURN LEFT",
        "USE",
        "USE_TWEET\t4 76",
        "F\u{130}X",
        "\u{ff26}\u{ff29}\u{ff38}",
        "0",
    ];
    for text in words {
        assert_eq!(Action::read(text), Action::Unreadable(Unreadable::Word), "{text:?}");
    }
    let places = [
        "USE_TWEET",
        "USE_TWEET 4",
        "USE_TWEET a b",
        "USE_TWEET 2  60",
        "USE_TWEET  2 60",
        "USE_TWEET 2.0 70",
        "USE_TWEET 99999999999 3",
        "USE_TWEET 1 2x",
        "USE_TWEET - +",
        "USE_TWEET 𝟑 3",
        "USE_TWEET ³ 3",
    ];
    for text in places {
        assert_eq!(Action::read(text), Action::Unreadable(Unreadable::Place), "{text:?}");
    }
    for text in ["", " ", ";", " ; ;\t", "\u{0}"] {
        assert_eq!(Action::read(text), Action::Unreadable(Unreadable::Empty), "{text:?}");
    }
}

#[test]
fn lines_that_are_no_answer_to_the_round_are_ignored() {
    let game = Race::document(setup(at(1, 1, 5), at(4, 1, 5))).game;
    let mut wire = wire();
    let mut out = Outbox::default();
    told(&mut wire, &game.view(FIRST));
    for line in ["C;2;FIX", "C;0;FIX", "C;01;FIX", "c;1;FIX", "-C;1;FIX", "C;1", "FIX", "1", ""] {
        assert_eq!(wire.hear(FIRST, true, line, &mut out), Intake::Ignored, "{line:?}");
    }
    assert_eq!(wire.hear(FIRST, false, "C;1;FIX", &mut out), Intake::Ignored);
    assert_eq!(wire.hear(FIRST, true, "C;1;FIX", &mut out), Intake::Action(Action::Fix));
    let nothing = Action::Unreadable(Unreadable::Empty);
    assert_eq!(wire.hear(FIRST, true, "C;1;", &mut out), Intake::Action(nothing));
    assert!(out.0.is_empty());
}

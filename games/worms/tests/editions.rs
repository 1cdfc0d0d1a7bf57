//! The README's table of editions is what `edition.rs` says, and each row is played in both.

mod common;

use common::*;
use quintain_core::{Edition, Game, Intake, Opening, Outbox, PerSeat, Protocol, Seat, Verdict};
use quintain_testkit::{check_editions, edition_rows};
use quintain_worms::{Action, Order, Setup, Switches, Terrain, Wire, Worms};

const README: &str = include_str!("../README.md");
const FIRST: Seat = Seat::First;
const SECOND: Seat = Seat::Second;

#[test]
fn the_readme_has_every_switch_with_the_values_of_both_editions() {
    check_editions(README, &Switches::DOCUMENT, &Switches::ORIGINAL);
    assert_eq!(edition_rows(README).len(), 10);
}

#[test]
fn the_edition_chosen_decides_the_switches() {
    for edition in Edition::ALL {
        assert_eq!(Worms::config(edition).edition, edition);
    }
    assert_eq!(Switches::of(Edition::Document), &Switches::DOCUMENT);
    assert_eq!(Switches::of(Edition::Original), &Switches::ORIGINAL);
}

/// Plays the same in both editions: the document's, then the original's.
fn both(setup: &Setup, play: impl Fn(&mut Match)) -> [Match; 2] {
    Edition::ALL.map(|edition| {
        let mut game = Match::new(edition, setup.clone());
        play(&mut game);
        game
    })
}

#[test]
fn do_nothings_tolerated_more() {
    for (rounds, expected) in
        [(11, [None, None]), (12, [Some("disqualified"), None]), (13, [Some("disqualified"); 2])]
    {
        let games = both(&setup(), |game| {
            for _ in 0..rounds {
                if game.game.outcome().is_none() {
                    game.round("nothing", "shoot N");
                }
            }
        });
        assert_eq!(games.map(|game| game.reason()), expected, "{rounds} rounds");
    }
}

#[test]
fn do_nothing_counter() {
    // The original counts a failed select and the missing command, the document the round.
    let games = both(&setup(), |game| {
        game.round("select 9", "shoot N");
    });
    assert_eq!(games.map(|game| game.do_nothings(FIRST)), [1, 2]);
    // A select alone counts as doing nothing in both.
    let games = both(&setup(), |game| {
        game.round("nothing", "shoot N");
        game.round("select 2", "shoot N");
    });
    assert_eq!(games.map(|game| game.do_nothings(FIRST)), [2, 1]);
    // Any text but `nothing` is a command to a frozen worm, only for the document.
    let mut setup = setup();
    setup.players.0[0].do_nothings = 5;
    for worm in &mut setup.players.0[0].worms {
        worm.frozen = 3;
    }
    for (text, expected) in [
        ("rubbish", [0, 6]),
        ("move 0 0", [0, 6]),
        ("shoot N", [0, 0]),
        ("nothing", [6, 6]),
        ("", [6, 6]),
        ("select 2", [6, 1]),
    ] {
        let games = both(&setup, |game| {
            game.round(text, "shoot N");
        });
        assert_eq!(games.map(|game| game.do_nothings(FIRST)), expected, "{text:?}");
    }
}

#[test]
fn frozen() {
    let mut setup = setup();
    put(&mut setup, SECOND, 1, 10, 20);
    setup.players.0[0].active = 3;
    let mut ignored = Vec::new();
    for edition in Edition::ALL {
        let mut game = Match::new(edition, setup.clone());
        game.round("snowball 10 20", "nothing");
        let (mut shown, mut deaf) = (Vec::new(), 0);
        for _ in 0..6 {
            shown.push(game.worm(SECOND, 1).frozen);
            let events = game.round("shoot W", "select 1;shoot E");
            let is_ignored = |event| matches!(event, &quintain_worms::Event::Ignored { .. });
            deaf += events.iter().filter(|&event| is_ignored(event)).count();
        }
        assert_eq!(shown, [5, 4, 3, 2, 1, 0], "{edition:?}");
        ignored.push(deaf);
    }
    assert_eq!(ignored, [5, 4]);
}

#[test]
fn lava_end() {
    let mut setup = setup();
    setup.round = 349;
    let games = both(&setup, |game| {
        game.round("shoot N", "shoot N");
    });
    let lava = |game: &Match| [19, 20, 21].map(|x| game.terrain(x, 16) == Terrain::Lava);
    assert_eq!(games.map(|game| lava(&game)), [[false, false, true], [false, true, true]]);
    setup.round = 199;
    let games = both(&setup, |game| {
        game.round("shoot N", "shoot N");
    });
    let lava = |game: &Match| [25, 26, 27, 28].map(|x| game.terrain(x, 16) == Terrain::Lava);
    let expected = [[false, false, false, true], [false, true, true, true]];
    assert_eq!(games.map(|game| lava(&game)), expected);
}

#[test]
fn lava_hurts() {
    let mut setup = setup();
    paint(&mut setup, 6, 12, Terrain::Lava);
    let health = |setup: &Setup| {
        let games = both(setup, |game| {
            game.round("shoot N", "shoot N");
        });
        games.map(|game| game.worm(FIRST, 1).hp)
    };
    for (round, expected) in [(0, [147, 150]), (98, [147, 150]), (99, [147, 147])] {
        setup.round = round;
        assert_eq!(health(&setup), expected, "round {}", round + 1);
    }
}

#[test]
fn harmless_throws_pay() {
    let mut setup = setup();
    setup.players.0[0].active = 2;
    setup.players.0[1].active = 3;
    let games = both(&setup, |game| {
        game.round("banana 11 16", "snowball 22 20");
    });
    assert_eq!(games.map(|game| (game.points(FIRST), game.points(SECOND))), [(2, 2), (0, 0)]);
}

#[test]
fn packs_taken() {
    let mut setup = setup();
    setup.packs.push(pack(10, 16));
    put(&mut setup, FIRST, 1, 9, 16);
    setup.players.0[1].active = 2;
    put(&mut setup, SECOND, 2, 14, 16);
    let games = both(&setup, |game| {
        game.round("move 10 16", "banana 10 16");
    });
    assert_eq!(games.map(|game| game.worm(FIRST, 1).hp), [140, 130]);
}

#[test]
fn bad_select() {
    for text in ["select 9;move 7 12", "select x;move 7 12", "move 7 12;select x"] {
        let games = both(&setup(), |game| {
            game.round(text, "shoot N");
        });
        let [document, original] = games;
        assert_eq!((document.points(FIRST), document.at(FIRST, 1)), (-4, (6, 12)), "{text}");
        assert_eq!(document.game.players()[FIRST].tokens, 5, "{text}");
        let expected = match text {
            "select 9;move 7 12" => (1, (7, 12)),
            "select x;move 7 12" => (5, (7, 12)),
            _ => (-4, (6, 12)),
        };
        assert_eq!((original.points(FIRST), original.at(FIRST, 1)), expected, "{text}");
    }
    let [document, original] = both(&setup(), |game| {
        game.round("select 2", "shoot N");
    });
    assert_eq!((document.points(FIRST), original.points(FIRST)), (-4, 0));
    let tokens = [document, original].map(|game| game.game.players()[FIRST].tokens);
    assert_eq!(tokens, [5, 4]);
    // No penalty if the worm is frozen.
    let mut frozen = setup();
    frozen.players.0[0].worms[0].frozen = 3;
    let [document, original] = both(&frozen, |game| {
        game.round("select 9;move 7 12", "shoot N");
    });
    assert_eq!((document.points(FIRST), original.points(FIRST)), (0, -4));
}

/// One round before both are disqualified, with so many points each.
fn idle(document: bool, points: [i64; 2]) -> Setup {
    let mut setup = setup();
    for (player, points) in setup.players.0.iter_mut().zip(points) {
        player.do_nothings = if document { 11 } else { 12 };
        player.command_score = points;
    }
    setup
}

/// How the last round ends in both editions.
fn ends(change: impl Fn(&mut Setup), commands: [&str; 2]) -> [([Verdict; 2], &'static str); 2] {
    Edition::ALL.map(|edition| {
        let mut setup = idle(edition == Edition::Document, [90, 30]);
        change(&mut setup);
        let mut game = Match::new(edition, setup);
        game.round(commands[0], commands[1]);
        let outcome = game.game.outcome().expect("the match is over");
        (outcome.verdicts.0, outcome.reason)
    })
}

#[test]
fn disqualified_both_in_one_round() {
    let ended = ends(|_| {}, ["nothing", "nothing"]);
    let document = ([Verdict::Disqualified; 2], "both disqualified");
    let original = ([Verdict::Win, Verdict::Disqualified], "nobody left in the match: score");
    assert_eq!(ended, [document, original]);
    let level = |setup: &mut Setup| setup.players[SECOND].command_score = 90;
    let ended = ends(level, ["nothing", "nothing"]);
    assert_eq!(ended, [document, ([Verdict::Draw; 2], "nobody left in the match: score")]);
}

#[test]
fn disqualified_while_the_other_loses_its_last_worm() {
    // The second player blows up its own last worm; it has fewer points than who idles.
    let change = |setup: &mut Setup| {
        for worm in &mut setup.players[SECOND].worms {
            worm.hp = 0;
        }
        setup.players[SECOND].worms[1].hp = 5;
        setup.players[SECOND].active = 2;
    };
    let ended = ends(change, ["nothing", "banana 26 16"]);
    let document = ([Verdict::Disqualified, Verdict::Win], "disqualified");
    let original = ([Verdict::Win, Verdict::Loss], "nobody left in the match: score");
    assert_eq!(ended, [document, original]);
}

#[test]
fn disqualified_while_the_other_plays_on() {
    let ended = ends(|_| {}, ["nothing", "shoot N"]);
    assert_eq!(ended, [([Verdict::Disqualified, Verdict::Win], "disqualified"); 2]);
}

#[test]
fn prefix() {
    let dig = || Intake::Action(Action::of(Order::Dig { x: 1, y: 1 }));
    for (line, expected) in [
        (" C;1;dig 1 1", [dig(), Intake::Ignored]),
        ("\t  C;1;dig 1 1", [dig(), Intake::Ignored]),
        ("C;1;dig 1 1", [dig(), dig()]),
        (" C;2;dig 1 1", [Intake::Ignored, Intake::Ignored]),
    ] {
        let heard = both(&setup(), |_| {}).map(|game| {
            let mut wire = Wire::new(&Opening::new(PerSeat::default()));
            let mut out = Outbox::default();
            wire.prompt(FIRST, &game.game.view(FIRST), &mut out);
            wire.hear(FIRST, true, line, &mut out)
        });
        assert_eq!(heard, expected, "{line:?}");
    }
}

//! Every way to lose by a line, every way to be warned, and every odd line that is neither.

#[allow(dead_code, reason = "each test file uses its own part of the helpers")]
mod common;

use common::{Match, NOTHING, barracks, mine, setup};
use quintain_code_royale::{CodeRoyale, CreepKind, Event, Out, Setup};
use quintain_core::{Edition, Game, Seat, Verdict};

/// The first player has a mine at its queen, knights at 1 and in training at 2; the second has the
/// barracks 3 and a mine at its queen.
fn furnished() -> Setup {
    let mut setup = setup();
    setup.sites[0].structure = mine(0, 1);
    setup.sites[1].structure = barracks(0, CreepKind::Knight, None);
    setup.sites[2].structure = barracks(0, CreepKind::Knight, Some(2));
    setup.sites[3].structure = barracks(1, CreepKind::Archer, None);
    setup.sites[4].structure = barracks(0, CreepKind::Giant, None);
    setup
}

/// The sentences about the first player that an answer of it brings, in both editions.
fn sentences(answer: &str, setup: &Setup) -> (Vec<String>, Match) {
    let mut results = Edition::ALL.map(|edition| {
        let mut game = Match::new(edition, setup.clone());
        let events = game.turn(answer, NOTHING);
        let said = events.iter().filter_map(|event| match event {
            Event::Killed { seat, kill } => Some((*seat, format!("KILL {kill}"))),
            Event::Warned { seat, warning } => Some((*seat, format!("WARN {warning}"))),
            _ => None,
        });
        let said: Vec<String> = said
            .map(|(seat, sentence)| {
                assert_eq!(seat, Seat::First);
                sentence
            })
            .collect();
        (said, game)
    });
    assert_eq!(results[0].0, results[1].0, "both editions read alike: {answer}");
    std::mem::replace(&mut results[1], (Vec::new(), Match::new(Edition::Original, setup.clone())))
}

fn check_kill(answer: &str, sentence: &str) {
    let (said, game) = sentences(answer, &furnished());
    assert_eq!(said, [format!("KILL {sentence}")], "{answer:?}");
    let outcome = game.game.outcome().expect("it ends the match");
    assert_eq!(outcome.verdicts.0, [Verdict::Disqualified, Verdict::Win]);
    assert_eq!(outcome.scores.0, [-1, 100]);
}

#[test]
fn every_second_line_that_loses() {
    let table = [
        ("WAIT|", "Expected TRAIN on the second line"),
        ("WAIT|train 1", "Expected TRAIN on the second line"),
        ("WAIT| TRAIN 1", "Expected TRAIN on the second line"),
        ("WAIT|TRAINS", "Expected TRAIN on the second line"),
        ("WAIT|TRAIN\t1", "Expected TRAIN on the second line"),
        ("WAIT|WAIT", "Expected TRAIN on the second line"),
        ("WAIT|TRAIN ", "Couldn't process siteId: "),
        ("WAIT|TRAIN 1 ", "Couldn't process siteId: "),
        ("WAIT|TRAIN  1", "Couldn't process siteId: "),
        ("WAIT|TRAIN x", "Couldn't process siteId: x"),
        ("WAIT|TRAIN 1.0", "Couldn't process siteId: 1.0"),
        ("WAIT|TRAIN 2147483648", "Couldn't process siteId: 2147483648"),
        // All words are read before any site is looked up.
        ("WAIT|TRAIN 99 y", "Couldn't process siteId: y"),
        ("WAIT|TRAIN 6", "No site with id = 6"),
        ("WAIT|TRAIN -1", "No site with id = -1"),
        // All sites are looked up before any barracks is judged.
        ("WAIT|TRAIN 0 07", "No site with id = 7"),
    ];
    for (answer, sentence) in table {
        check_kill(answer, sentence);
    }
}

#[test]
fn every_first_line_that_loses() {
    let table = [
        ("|TRAIN", "Didn't understand command: "),
        ("   |TRAIN", "Didn't understand command: "),
        ("FLY|TRAIN", "Didn't understand command: FLY"),
        ("wait|TRAIN", "Didn't understand command: wait"),
        ("WAIT;|TRAIN", "Didn't understand command: WAIT;"),
        ("WAIT 1|TRAIN", "Too many tokens after WAIT command"),
        ("WAIT  1|TRAIN", "Too many tokens after WAIT command"),
        ("MOVE|TRAIN", "In MOVE command, x and y must be integers"),
        ("MOVE 1|TRAIN", "In MOVE command, x and y must be integers"),
        ("MOVE 1 x|TRAIN", "In MOVE command, x and y must be integers"),
        ("MOVE 1.5 2|TRAIN", "In MOVE command, x and y must be integers"),
        ("MOVE  1 2|TRAIN", "In MOVE command, x and y must be integers"),
        ("MOVE 1 2147483648|TRAIN", "In MOVE command, x and y must be integers"),
        ("MOVE ½ 2|TRAIN", "In MOVE command, x and y must be integers"),
        ("MOVE 𝟑 2|TRAIN", "In MOVE command, x and y must be integers"),
        ("MOVE 1 2 3|TRAIN", "Too many tokens after MOVE command"),
        ("BUILD|TRAIN", "Could not parse siteId"),
        ("BUILD x MINE|TRAIN", "Could not parse siteId"),
        ("BUILD  0 MINE|TRAIN", "Could not parse siteId"),
        ("BUILD 6 MINE|TRAIN", "Site id 6 does not exist"),
        ("BUILD -1|TRAIN", "Site id -1 does not exist"),
        ("BUILD 0|TRAIN", "Missing structure type in BUILD command"),
        ("BUILD 0 |TRAIN", "Missing structure type in BUILD command"),
        ("BUILD 3 MINE now|TRAIN", "Too many tokens after BUILD command"),
    ];
    for (answer, sentence) in table {
        check_kill(answer, sentence);
    }
}

#[test]
fn every_structure_that_loses_when_it_is_built() {
    let table = [
        ("BUILD 0 CASTLE|TRAIN", "Invalid structure type: CASTLE"),
        ("BUILD 0 mine|TRAIN", "Invalid structure type: mine"),
        ("BUILD 0 -MINE|TRAIN", "Invalid structure type: "),
        ("BUILD 0 barracks-KNIGHT|TRAIN", "Invalid structure type: barracks"),
        ("BUILD 0 BARRACKS|TRAIN", "BARRACKS type must be specified"),
        ("BUILD 0 BARRACKS-|TRAIN", "Invalid BARRACKS type: "),
        ("BUILD 0 BARRACKS-PAWN|TRAIN", "Invalid BARRACKS type: PAWN"),
        ("BUILD 0 BARRACKS-knight|TRAIN", "Invalid BARRACKS type: knight"),
    ];
    for (answer, sentence) in table {
        check_kill(answer, sentence);
        // From afar it is only a way to walk.
        let far = answer.replace("BUILD 0", "BUILD 5");
        let (said, game) = sentences(&far, &furnished());
        assert!(said.is_empty() && game.game.outcome().is_none(), "{far}");
        assert_ne!(game.queen(Seat::First), (210.0, 200.0));
    }
}

#[test]
fn two_faults_of_one_line_are_both_told() {
    let (said, game) = sentences("BUILD 0 CASTLE 1|TRAIN", &furnished());
    let expected =
        ["KILL Too many tokens after BUILD command", "KILL Invalid structure type: CASTLE"];
    assert_eq!(said, expected);
    assert_eq!(game.game.outcome().expect("over").reason, Out::INVALID);
}

#[test]
fn a_bad_second_line_keeps_the_queen_from_acting() {
    let (said, game) = sentences("MOVE 0 200|TRAIN x", &furnished());
    assert_eq!(said.len(), 1);
    assert_eq!(game.queen(Seat::First), (210.0, 200.0));
}

#[test]
fn a_surplus_word_loses_but_the_order_is_carried_out() {
    let (_, game) = sentences("BUILD 0 MINE please|TRAIN", &furnished());
    assert_eq!(game.site(Seat::First, 0), "198 3 0 0 2 -1");
    let (_, game) = sentences("MOVE 0 200 now|TRAIN", &furnished());
    assert_eq!(game.queen(Seat::First), (150.0, 200.0));
}

#[test]
fn a_surplus_word_after_a_build_that_is_only_warned_of_does_not_lose() {
    let mut setup = furnished();
    setup.sites[0].structure = mine(1, 1);
    let (said, game) = sentences("BUILD 0 MINE 7|TRAIN", &setup);
    assert_eq!(said, ["WARN Cannot build: owned by enemy player"]);
    assert!(game.game.outcome().is_none());
    setup.sites[0].structure = barracks(0, CreepKind::Knight, None);
    let (said, game) = sentences("BUILD 0 MINE 7|TRAIN 0", &setup);
    assert_eq!(said, ["WARN Cannot rebuild: training is in progress"]);
    assert!(game.game.outcome().is_none());
    // From afar nothing is said about the site, and the word loses.
    setup.sites[3].structure = barracks(1, CreepKind::Archer, None);
    let (said, _) = sentences("BUILD 3 MINE 7|TRAIN", &setup);
    assert_eq!(said, ["KILL Too many tokens after BUILD command"]);
}

#[test]
fn every_warning_costs_nothing_but_the_order() {
    let table = [
        ("MOVE 0 200|TRAIN 0", "Cannot spawn from 0: not a barracks"),
        ("MOVE 0 200|TRAIN 5", "Cannot spawn from 5: not a barracks"),
        ("MOVE 0 200|TRAIN 3", "Cannot spawn from 3: not owned"),
        ("MOVE 0 200|TRAIN 2", "Barracks 2 is training"),
        ("MOVE 0 200|TRAIN 1 1", "Training from some barracks more than once"),
        ("MOVE 0 200|TRAIN 4", "Training too many creeps (140 total gold requested)"),
        ("MOVE 0 200|TRAIN 1 4", "Training too many creeps (220 total gold requested)"),
        // The first of several is told.
        ("MOVE 0 200|TRAIN 1 3 0", "Cannot spawn from 3: not owned"),
        ("MOVE 0 200|TRAIN 4 4", "Training from some barracks more than once"),
    ];
    for (answer, sentence) in table {
        let (said, game) = sentences(answer, &furnished());
        assert_eq!(said, [format!("WARN {sentence}")], "{answer:?}");
        assert!(game.game.outcome().is_none());
        assert_eq!(game.queen(Seat::First), (150.0, 200.0), "the queen has moved");
        // One gold from the mine, and nothing paid.
        assert_eq!(game.gold(Seat::First), 101);
    }
}

#[test]
fn every_refused_order_is_counted_whatever_it_costs() {
    let counted = |first: &str| {
        let events = Match::new(Edition::Document, furnished()).turn(first, NOTHING);
        events.iter().filter_map(CodeRoyale::refused).collect::<Vec<_>>()
    };
    for answer in ["FLY|TRAIN", "WAIT|TRAIN 99", "WAIT|TRAIN 0", "WAIT|TRAIN 4", "WAIT|TRAIN 1 1"] {
        assert_eq!(counted(answer), [Seat::First], "{answer}");
    }
    for answer in [NOTHING, "BUILD 5 CASTLE|TRAIN", "WAIT|TRAIN 1", ""] {
        assert_eq!(counted(answer), [], "{answer}");
    }
    // Who builds where both build is settled, and no order is wrong.
    let mut setup = setup();
    setup.players.0[1].queen = (390.0, 200.0);
    let mut game = Match::new(Edition::Document, setup);
    let events = game.turn("BUILD 0 TOWER|TRAIN", "BUILD 0 TOWER|TRAIN");
    assert!(events.iter().any(|event| matches!(event, Event::Contested { .. })));
    assert_eq!(events.iter().find_map(CodeRoyale::refused), None);
}

#[test]
fn a_structure_that_cannot_be_replaced_is_a_warning() {
    let mut enemy = furnished();
    enemy.sites[0].structure = mine(1, 1);
    let (said, _) = sentences("BUILD 0 CASTLE|TRAIN", &enemy);
    assert_eq!(said, ["WARN Cannot build: owned by enemy player"]);
    let mut busy = furnished();
    busy.sites[0].structure = barracks(0, CreepKind::Knight, Some(1));
    let (said, _) = sentences("BUILD 0 MINE|TRAIN", &busy);
    assert_eq!(said, ["WARN Cannot rebuild: training is in progress"]);
    // A training ordered on the second line of the same answer counts as well.
    let mut idle = furnished();
    idle.sites[0].structure = barracks(0, CreepKind::Knight, None);
    let (said, game) = sentences("BUILD 0 MINE|TRAIN 0", &idle);
    assert_eq!(said, ["WARN Cannot rebuild: training is in progress"]);
    assert_eq!(game.gold(Seat::First), 20);
}

#[test]
fn odd_lines_that_are_well_formed() {
    let table = [
        ("  WAIT  |TRAIN", (210.0, 200.0)),
        ("\tMOVE 0 200\t|TRAIN", (150.0, 200.0)),
        ("\u{a0}MOVE 0 200\u{1f}|TRAIN", (150.0, 200.0)),
        ("MOVE -0 +200|TRAIN", (150.0, 200.0)),
        ("MOVE 00 0200|TRAIN", (150.0, 200.0)),
        ("MOVE ٠ ２００|TRAIN", (150.0, 200.0)),
        ("MOVE -０ +2٠0|TRAIN", (150.0, 200.0)),
        ("WAIT|TRAIN ١", (210.0, 200.0)),
        ("BUILD 00 BARRACKS-KNIGHT|TRAIN", (210.0, 200.0)),
        ("BUILD +0 MINE-whatever|TRAIN", (210.0, 200.0)),
        ("BUILD 0 TOWER-|TRAIN", (210.0, 200.0)),
        ("BUILD 0 BARRACKS-ARCHER-x-y|TRAIN", (210.0, 200.0)),
        ("WAIT|TRAIN +1", (210.0, 200.0)),
        ("WAIT|TRAIN 001", (210.0, 200.0)),
    ];
    for (answer, queen) in table {
        let (said, game) = sentences(answer, &furnished());
        assert!(said.is_empty(), "{answer:?}: {said:?}");
        assert_eq!(game.queen(Seat::First), queen, "{answer:?}");
    }
}

#[test]
fn a_league_takes_what_it_has_not_unlocked_for_unknown() {
    let table = [
        (1, "MINE", Some("Invalid structure type: MINE")),
        (1, "TOWER", Some("Invalid structure type: TOWER")),
        (1, "BARRACKS-GIANT", Some("Invalid BARRACKS type: GIANT")),
        (1, "BARRACKS-KNIGHT", None),
        (1, "BARRACKS-ARCHER", None),
        (2, "MINE", Some("Invalid structure type: MINE")),
        (2, "TOWER", None),
        (2, "BARRACKS-GIANT", None),
        (3, "MINE", None),
        (4, "MINE", None),
    ];
    for edition in Edition::ALL {
        for (league, structure, sentence) in table {
            let mut game = Match::with(&common::league(edition, league), setup());
            let events = game.turn(&format!("BUILD 0 {structure}|TRAIN"), NOTHING);
            let killed = events.iter().find_map(|event| match event {
                Event::Killed { kill, .. } => Some(kill.to_string()),
                _ => None,
            });
            assert_eq!(killed.as_deref(), sentence, "league {league}, {structure}");
        }
    }
}

#[test]
fn no_answer_is_a_loss() {
    let (said, game) = sentences("", &furnished());
    assert_eq!(said, ["KILL Timeout!"]);
    let outcome = game.game.outcome().expect("over");
    assert_eq!((outcome.scores.0, outcome.reason), ([-1, 100], Out::SILENT));
}

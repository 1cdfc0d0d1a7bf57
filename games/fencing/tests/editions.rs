//! The README's table of editions is what `edition.rs` says, and each row is played in both.

mod common;

use common::*;
use quintain_core::{Edition, Game, Seat};
use quintain_fencing::{Ability, Config, FencerSetup, Fencing, Setup, Switches};
use quintain_testkit::{check_editions, edition_rows};

const README: &str = include_str!("../README.md");

#[test]
fn the_readme_has_every_switch_with_the_values_of_both_editions() {
    check_editions(README, &Switches::DOCUMENT, &Switches::ORIGINAL);
    assert_eq!(edition_rows(README).len(), 4);
}

#[test]
fn the_edition_chosen_decides_the_switches() {
    for (edition, switches) in
        [(Edition::Document, Switches::DOCUMENT), (Edition::Original, Switches::ORIGINAL)]
    {
        assert_eq!(Fencing::config(edition).switches, switches);
        assert_eq!(Switches::of(edition), switches);
    }
    assert_eq!(Config::default().switches, Switches::DOCUMENT);
}

#[test]
fn a_config_is_read_back_from_its_text() {
    let config = config(2, Switches::ORIGINAL);
    let text = serde_json::to_string(&config).expect("plain data");
    let expected = r#"{"switches":{"score_gap":1,"parry_drug":"inert","collision":">=","doping_at_0_0":"both -1"},"league":2,"time_limits":{"first_ms":1000,"later_ms":50}}"#;
    assert_eq!(text, expected);
    assert_eq!(serde_json::from_str::<Config>(&text).expect("readable"), config);
}

/// Plays the same in both editions.
fn both(setup: Setup, play: impl Fn(&mut Fencing)) -> [Fencing; 2] {
    [Switches::DOCUMENT, Switches::ORIGINAL].map(|switches| {
        let mut game = new(3, switches, setup);
        play(&mut game);
        game
    })
}

#[test]
fn score_gap() {
    let even = |position| FencerSetup { score: 19, ..at(position) };
    let [document, original] = both(setup(even(220), even(260)), |game| {
        turn(game, "LUNGE", "BREAK");
    });
    assert_eq!(document.outcome(), None);
    assert_eq!((scores(&original), reason(&original)), ([1, 0], "decisive victory"));
}

#[test]
fn parry_drug() {
    let [document, original] = both(Setup::default(), |game| {
        turn(game, "PARRY_DRUG", "BREAK");
    });
    let taken = |game: &Fencing| {
        let fencer = fencer(game, Seat::First);
        (fencer.energy, fencer.drugs, fencer.abilities[Ability::ParryDistance])
    };
    assert_eq!((taken(&document), taken(&original)), ((15, 1, -5), (15, 0, 0)));

    let eighth = FencerSetup { drug_count: 7, walk_skill: 35, score: 1, ..at(200) };
    let [document, original] = both(setup(eighth, at(300)), |game| {
        turn(game, "PARRY_DRUG", "BREAK");
    });
    assert_eq!((scores(&document), reason(&document)), ([-1, 1], "doping"));
    assert_eq!(original.outcome(), None);
}

#[test]
fn collision() {
    let [document, original] = both(setup(at(240), at(280)), |game| {
        turn(game, "WALK", "WALK");
    });
    assert_eq!([document, original].map(|game| game.is_respawn_due()), [false, true]);
    // On the same spot a lunge beats a plain parry, which only the document can come to.
    let mut document = document;
    turn(&mut document, "LUNGE", "PARRY");
    assert_eq!(points(&document), [1, 0]);
    let [document, original] = both(setup(at(240), at(260)), |game| {
        turn(game, "WALK", "WALK");
    });
    assert_eq!([document, original].map(|game| game.is_respawn_due()), [true, true]);
}

#[test]
fn doping_at_0_0() {
    let eighth = FencerSetup { drug_count: 7, walk_skill: 35, ..at(200) };
    let dope = |game: &mut Fencing| {
        turn(game, "WALK_DRUG", "BREAK");
    };
    let [document, original] = both(setup(eighth, at(300)), dope);
    assert_eq!([scores(&document), scores(&original)], [[-1, 1], [-1, -1]]);
    let scored = FencerSetup { score: 1, ..at(300) };
    for game in both(setup(eighth, scored), dope) {
        assert_eq!(scores(&game), [-1, 1]);
    }
}

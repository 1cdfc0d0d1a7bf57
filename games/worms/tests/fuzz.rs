//! Nothing that a bot sends and no config file can panic, and whatever is played keeps its promises.

mod common;

use common::*;
use proptest::collection::vec;
use proptest::prelude::*;
use quintain_core::{
    ConfigChoice, ConfigText, Conform, Edition, Game, Intake, Manner, NoChance, Opening, Outbox,
    PerSeat, Protocol, ReadsConfigFile, Replies, Sample, Seat, Seats, SplitMix64, configure,
};
use quintain_testkit::{battery, house_answers};
use quintain_worms::{Config, GameConfig, Wire, Worms};

/// Commands, texts near them, and anything else.
fn text() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => "(select [0-4];)?(move|dig|banana|snowball) [0-9]{1,2} [0-9]{1,2}"
            .prop_map(String::into_bytes),
        2 => "(select [0-4];)?shoot (N|NE|E|SE|S|SW|W|NW|Q)".prop_map(String::into_bytes),
        1 => "(select|move|dig|nothing|;| |-|[0-9]{1,11}|x){0,8}".prop_map(String::into_bytes),
        1 => vec(any::<u8>(), 0..60),
    ]
}

fn wire() -> Wire {
    let manners = PerSeat([Manner::Lines, Manner::Files]);
    Wire::new(&Opening { manners, ..Opening::new(PerSeat::default()) })
}

/// What must hold between rounds.
fn assert_sound(game: &Worms) {
    assert_eq!(game.to_act().is_empty(), game.outcome().is_some());
    let mut taken = Vec::new();
    for (seat, player) in game.players().iter() {
        assert!(player.tokens >= 0);
        for worm in player.worms() {
            assert_eq!(worm.is_on_map, worm.is_alive() && !game.is_disqualified(seat));
            assert!(worm.frozen >= 0 && worm.bananas >= 0 && worm.snowballs >= 0);
            if worm.is_on_map {
                assert!(game.ground().at(worm.at).is_open());
                assert!(!taken.contains(&worm.at), "two worms in {:?}", worm.at);
                taken.push(worm.at);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_text_after_the_prefix_is_an_answer(
        edition in proptest::sample::select(Edition::ALL.to_vec()),
        rounds in vec((text(), text()), 1..40),
        frozen in 0..4,
        draw in 0..2_u32,
    ) {
        let mut setup = setup();
        setup.players.0[0].worms[0].frozen = frozen;
        put(&mut setup, Seat::Second, 1, 8, 12);
        let mut game = Match::new(edition, setup);
        game.chance = Loaded(draw);
        let mut wire = wire();
        for (first, second) in rounds {
            if game.game.outcome().is_some() {
                break;
            }
            let texts = [first, second].map(|text| String::from_utf8_lossy(&text).into_owned());
            let number = game.game.turn() + 1;
            let replies = Replies::of(Seats::BOTH, |seat| {
                let mut out = Outbox::default();
                wire.prompt(seat, &game.game.view(seat), &mut out);
                let line = format!("C;{number};{}", texts[seat.index()]);
                let Intake::Action(action) = wire.hear(seat, true, &line, &mut out) else {
                    panic!("every text after the prefix is an action: {line:?}");
                };
                let said = wire.say(&game.game.view(seat), &action);
                let again = wire.hear(seat, true, &said[0], &mut out);
                assert_eq!(again, Intake::Action(action.clone()), "what is said is heard");
                action
            });
            game.game.advance(&replies, &mut game.chance, &mut Vec::new());
            assert_sound(&game.game);
        }
    }

    #[test]
    fn any_line_to_a_house_bot_is_survived(lines in vec(prop_oneof![".{0,40}", "[0-9]{1,3}"], 0..12)) {
        house_answers::<Worms>(&lines);
    }

    #[test]
    fn any_recording_is_survived(lines in vec(".{0,60}", 0..6)) {
        prop_assert!(Worms::conform(&lines).is_err());
    }

    #[test]
    fn any_config_is_played_or_refused_by_name(
        field in 0..FIELDS.len(),
        number in prop_oneof![
            3 => -2..40_i64, 1 => any::<i64>(), 1 => Just(10_000), 1 => Just(64), 1 => Just(1_000_000)
        ],
        other in 0..FIELDS.len(),
        small in 0..12_i64,
    ) {
        let top = |field: &str| field.split('.').next().map(str::to_owned);
        let mut members = vec![nested(FIELDS[field], number)];
        if top(FIELDS[field]) != top(FIELDS[other]) {
            members.push(nested(FIELDS[other], small));
        }
        let text = format!("{{{}}}", members.join(","));
        let choice = ConfigChoice {
            file: Some(ConfigText { path: "own.json".to_owned(), text }),
            ..ConfigChoice::default()
        };
        match configure::<Worms>(&choice, Some(Worms::read_config)) {
            Err(error) => {
                let message = error.to_string();
                prop_assert!(message.starts_with("game-config: expected `"), "{message}");
                prop_assert!(message.contains("own.json"), "{message}");
            }
            Ok(config) => play_some(&config),
        }
    }

    #[test]
    fn any_config_text_is_survived(text in prop_oneof![".{0,80}", r#"\{("[a-zA-Z.]{1,12}":[0-9\[\]{}"nul]{1,6},?){0,4}\}"#]) {
        let _ = GameConfig::from_json(&text).map_err(|error| error.to_string());
    }
}

/// A few random rounds with everything rendered.
fn play_some(config: &Config) {
    let mut game = Worms::new(config, Worms::generate(config, 3)).expect("a checked config");
    let (mut luck, mut wire) = (SplitMix64::new(9), wire());
    for _ in 0..12 {
        if game.outcome().is_some() {
            break;
        }
        let replies = Replies::of(Seats::BOTH, |seat| {
            wire.prompt(seat, &game.view(seat), &mut Outbox::default());
            game.sample(seat, &mut luck)
        });
        game.advance(&replies, &mut luck, &mut ());
        assert_sound(&game);
    }
}

const FIELDS: [&str; 36] = [
    "maxRounds",
    "maxDoNothings",
    "pushbackDamage",
    "lavaDamage",
    "mapSize",
    "healthPackHp",
    "totalHealthPacks",
    "battleRoyaleStart",
    "battleRoyaleEnd",
    "wormSelectTokens.count",
    "scores.missedAttack",
    "scores.attack",
    "scores.killShot",
    "scores.dig",
    "scores.move",
    "scores.powerup",
    "scores.freeze",
    "scores.doNothing",
    "scores.invalidCommand",
    "commandoWorms.count",
    "commandoWorms.initialHp",
    "commandoWorms.movementRage",
    "commandoWorms.diggingRange",
    "commandoWorms.weapon.damage",
    "commandoWorms.weapon.range",
    "agentWorms.count",
    "agentWorms.bananas.damage",
    "agentWorms.bananas.range",
    "agentWorms.bananas.count",
    "agentWorms.bananas.damageRadius",
    "technologistWorms.count",
    "technologistWorms.snowballs.freezeDuration",
    "technologistWorms.snowballs.range",
    "technologistWorms.snowballs.count",
    "technologistWorms.snowballs.freezeRadius",
    "technologistWorms.initialHp",
];

/// `"a":{"b":1}` for `a.b`.
fn nested(field: &str, number: i64) -> String {
    let parts: Vec<&str> = field.split('.').collect();
    let (last, outer) = parts.split_last().expect("a name");
    let inner = format!("\"{last}\":{number}");
    outer.iter().rev().fold(inner, |inner, part| format!("\"{part}\":{{{inner}}}"))
}

#[test]
fn every_field_can_be_set_and_has_its_usual_value_otherwise() {
    for field in FIELDS {
        let usual = serde_json::to_value(GameConfig::default()).expect("plain data");
        let pointer = format!("/{}", field.replace('.', "/"));
        assert!(usual.pointer(&pointer).is_some(), "{field} is a field");
    }
    assert_eq!(GameConfig::from_json("{}"), Ok(GameConfig::default()));
    let config = GameConfig::from_json(r#"{"agentWorms":{"movementRage":2.0}}"#).expect("valid");
    assert_eq!(config.agent_worms.movement_range, 2);
    assert_eq!(config.commando_worms, GameConfig::default().commando_worms);
}

#[test]
fn broken_configs_name_the_field_and_the_reason() {
    for (text, expected) in [
        (r#"{"mapSize":8}"#, "mapSize: expected a whole number from 9 to 64, got 8"),
        (r#"{"mapSize":"33"}"#, "mapSize: expected a number, got a text"),
        (r#"{"maxRounds":1.5}"#, "maxRounds: expected a whole number of 32 bits, got 1.5"),
        (
            r#"{"scores":{"dig":99999}}"#,
            "scores.dig: expected a whole number from -10000 to 10000, got 99999",
        ),
        (r#"{"agentWorms":7}"#, "agentWorms: expected an object, got a number"),
        (
            r#"{"commandoWorms":{"count":9},"agentWorms":{"count":9}}"#,
            "*.count: expected 1 to 9 worms in all, got 19",
        ),
        (
            r#"{"mapSize":9,"commandoWorms":{"count":7}}"#,
            "mapSize: expected large enough for 18 worms on a circle, got 9",
        ),
        (
            r#"{"csvSeparator":"\n"}"#,
            "csvSeparator: expected at most 8 characters, none of them a control character, got \u{fffd}",
        ),
        (
            r#"{"battleRoyaleEnd":-0.1}"#,
            "battleRoyaleEnd: expected a number from 0 to 1000, got -0.1",
        ),
    ] {
        let error = GameConfig::from_json(text).expect_err("cannot be played");
        assert_eq!(error.to_string(), expected);
    }
    let unknown =
        GameConfig::from_json(r#"{"scores":{"movement":5}}"#).expect_err("a typing error");
    assert_eq!((&*unknown.field.0, unknown.found.as_str()), ("scores.movement", "an unknown key"));
    assert!(GameConfig::from_json("[]").is_err() && GameConfig::from_json("").is_err());
}

#[test]
fn random_play_keeps_every_promise_in_both_editions() {
    for edition in Edition::ALL {
        battery::<Worms>(&Config { edition, ..Config::default() }, 0..6);
    }
}

#[test]
fn a_view_hides_the_opponents_weapons_and_do_nothings() {
    let mut plain = setup();
    put(&mut plain, Seat::Second, 2, 20, 16);
    let mut other = plain.clone();
    other.players.0[1].worms[1].bananas = Some(1);
    other.players.0[1].worms[2].snowballs = Some(0);
    other.players.0[1].do_nothings = 4;
    let [plain, other] = [plain, other].map(|setup| Match::document(setup).game);
    let seen = |game: &Worms, seat| {
        let mut out = Outbox::default();
        wire().prompt(seat, &game.view(seat), &mut out);
        out
    };
    assert_eq!(plain.view(Seat::First).opponent, other.view(Seat::First).opponent);
    assert_eq!(seen(&plain, Seat::First), seen(&other, Seat::First));
    assert_ne!(seen(&plain, Seat::Second), seen(&other, Seat::Second));
}

#[test]
fn setups_are_read_back_and_seeds_have_32_bits() {
    for seed in [0, -1, i64::from(i32::MAX), i64::from(i32::MIN)] {
        assert!(Worms::check_seed(seed).is_ok());
        let setup = Worms::generate(&Config::default(), seed);
        let text = serde_json::to_string(&setup).expect("plain data");
        assert_eq!(serde_json::from_str::<quintain_worms::Setup>(&text).expect("readable"), setup);
    }
    assert!(Worms::check_seed(1 << 31).is_err());
    // No draw without a collision.
    let mut game = Match::document(setup()).game;
    let replies = Replies::both(read("nothing"), read("move 26 13"));
    game.advance(&replies, &mut NoChance, &mut ());
}

#[test]
fn every_map_size_and_number_of_worms_is_played_or_refused() {
    let mut refused = 0;
    for map_size in 9..=64 {
        for count in 1..=7 {
            let text = format!(
                r#"{{"mapSize":{map_size},"commandoWorms":{{"count":{count}}},"totalHealthPacks":16}}"#
            );
            match GameConfig::from_json(&text) {
                Ok(game) => play_some(&Config { game, ..Config::default() }),
                Err(error) => {
                    assert_eq!(error.field, "mapSize".into());
                    refused += 1;
                }
            }
        }
    }
    assert!((1..40).contains(&refused), "{refused} maps are too small for their worms");
}

//! The original's config file: what it chooses, and how a bad one is refused.

mod common;

use common::*;
use quintain_core::{ConfigChoice, ConfigText, Edition, Game, ReadsConfigFile, configure};
use quintain_overdrive::{Config, Figures, Overdrive};

fn configured(text: &str) -> Result<Config, String> {
    let file = ConfigText { path: "folder/game.json".to_owned(), text: text.to_owned() };
    let choice = ConfigChoice { file: Some(file), ..ConfigChoice::default() };
    configure::<Overdrive>(&choice, Some(Overdrive::read_config)).map_err(|error| error.to_string())
}

#[test]
fn what_is_left_out_keeps_its_value() {
    let config = configured(r#"{"MAX_ROUNDS": 300, "BOOST_SPEED": 20}"#).expect("a good file");
    let figures = Figures { max_rounds: 300, boost_speed: 20, ..Figures::default() };
    assert_eq!(config, Config { figures, ..Config::default() });
    assert_eq!(configured("{}").expect("an empty file"), Config::default());
}

#[test]
fn every_number_can_be_chosen_by_its_key() {
    let usual = serde_json::to_value(Figures::default()).expect("plain data");
    assert_eq!(usual.as_object().expect("a struct").len(), Figures::KEYS.len());
    for key in Figures::KEYS {
        let mut figures = Figures::default();
        let number = figures.get_mut(key).expect("a key");
        *number += 1;
        let text = format!("{{\"{key}\": {number}}}");
        match (figures.check(), configured(&text)) {
            (Ok(()), config) => assert_eq!(config.expect("possible").figures, figures, "{key}"),
            (Err(misfit), config) => {
                assert!(config.expect_err("impossible").contains(misfit.key), "{key}");
            }
        }
    }
}

#[test]
fn the_words_of_the_originals_file_are_known() {
    let text = r#"{"READY_PLAYER_STATE": "READY", "USED_POWERUP_BOOST_PLAYER_STATE": "USED_BOOST",
        "FIX_CAR_PLAYER_STATE": "FIXED_CAR", "TWEET_POWERUP_ITEM": "TWEET", "NO_COMMAND": "NO COMMAND",
        "USE_EMP_COMMAND": "USE_EMP", "csvSeparator": ",", "RACER_PLACEMENT_SORTING": -1}"#;
    assert_eq!(configured(text).expect("the original's words"), Config::default());
}

#[test]
fn the_wall_percentage_is_cut_as_by_the_engine() {
    let config = configured(r#"{"WALL_GENERATION_PERCENTAGE": 1.25}"#).expect("a good file");
    assert_eq!(config.figures, Figures::default());
}

#[test]
fn a_bad_file_is_refused_with_file_key_and_reason() {
    let check = |text: &str, expected: &str| {
        let error = configured(text).expect_err("a bad file");
        assert_eq!(error, format!("game-config: expected in folder/game.json {expected}"));
    };
    check(r#"{"MAX_ROUND": 1}"#, "MAX_ROUND to be a key of Overdrive, got an unknown key");
    check(r#"{"MAX_ROUNDS": 0}"#, "MAX_ROUNDS to be 1 to 10000, got 0");
    check(r#"{"MAX_ROUNDS": "9"}"#, "MAX_ROUNDS to be a whole number, got \"9\"");
    check(r#"{"MAX_ROUNDS": 9.5}"#, "MAX_ROUNDS to be a whole number, got 9.5");
    check(r#"{"MAX_ROUNDS": 99999999999}"#, "MAX_ROUNDS to be a whole number, got 99999999999");
    check(r#"{"BOOST_SPEED": 51}"#, "BOOST_SPEED to be 0 to 50, got 51");
    check(r#"{"NUMBER_OF_LANES": 3}"#, "MAX_LANE to be 1 to 3, got 4");
    check(r#"{"MAX_LANE": 3}"#, "PLAYER_TWO_START_LANE to be 1 to 3, got 4");
    check(r#"{"RACER_PLACEMENT_SORTING": 0}"#, "RACER_PLACEMENT_SORTING to be -1, got 0");
    check(
        r#"{"PLAYER_TWO_START_LANE": 1}"#,
        "PLAYER_TWO_START_BLOCK to be a place that is not the first player's, got 1",
    );
    check(
        r#"{"FIX_COMMAND": "REPAIR"}"#,
        "FIX_COMMAND to be \"FIX\", since bots rely on the word, got \"REPAIR\"",
    );
    check("[]", "a JSON object, got invalid type: sequence, expected a map at line 1 column 0");
    assert!(configured("{").expect_err("half a file").contains("folder/game.json a JSON object"));
}

#[test]
fn the_count_of_invalid_commands_can_be_chosen() {
    let config = configured(r#"{"INVALID_COMMANDS_IN_A_ROW_MAX": 2}"#).expect("a good file");
    let start = setup(at(1, 100, 0), at(4, 100, 0));
    let mut race = Race { game: Overdrive::new(&config, start).expect("playable") };
    race.round("JUMP", "NOTHING");
    race.round("JUMP", "NOTHING");
    assert_eq!((race.winner(), race.reason()), (Some(SECOND), "disqualified"));
    assert!(configured(r#"{"INVALID_COMMANDS_IN_A_ROW_MAX": -1}"#).is_err());
}

#[test]
fn numbers_change_the_race() {
    let play = |text: &str, commands: [&str; 2]| {
        let config = configured(text).expect("a good file");
        let car = with(at(2, 100, 3), &["BOOST", "EMP"]);
        let start = setup(car, at(2, 103, 3));
        let mut race = Race { game: Overdrive::new(&config, start).expect("playable") };
        race.round(commands[0], commands[1]);
        race
    };
    let race = play(r#"{"BOOST_SPEED": 30, "USE_POWERUP_BONUS": 7}"#, ["USE_BOOST", "TURN_LEFT"]);
    assert_eq!((race.place(FIRST), race.scores()[0]), ((2, 130), 7));
    let race = play(r#"{"EMP_BLOCK_GAP": 3}"#, ["USE_EMP", "NOTHING"]);
    assert_eq!(race.place(SECOND), (2, 106), "too near to be hit");
    let race = play(r#"{"CHANGE_LANE_PENALTY": 9}"#, ["TURN_LEFT", "NOTHING"]);
    assert_eq!(race.place(FIRST), (1, 100), "never backwards");
    let race =
        play(r#"{"DAMAGE_REPAIR_VALUE": 0, "INVALID_COMMAND_PENALTY": -9}"#, ["JUMP", "FIX"]);
    assert_eq!(race.scores()[0], -9);
}

#[test]
fn there_are_no_leagues() {
    let choice = ConfigChoice::of(Edition::Original).with("league", 1);
    let error = configure::<Overdrive>(&choice, None).expect_err("no leagues").to_string();
    assert!(error.starts_with("league: expected none of that name (overdrive has limit, "));
    assert!(error.ends_with(", got 1"), "{error}");
}

#[test]
fn impossible_setups_are_named() {
    let check = |change: &dyn Fn(&mut quintain_overdrive::Setup), expected: &str| {
        let mut start = setup(at(1, 100, 5), at(4, 100, 5));
        change(&mut start);
        let error = Overdrive::new(&Config::default(), start).expect_err("impossible").to_string();
        assert_eq!(error, format!("impossible setup: expected {expected}"));
    };
    check(&|s| s.round = 600, "fewer than 600 rounds, got 600");
    check(&|s| drop(s.map.pop()), "4 lanes, got 3");
    check(&|s| s.map[1].push('0'), "lanes of 1500 blocks, got 1501");
    check(&|s| s.map[1].replace_range(0..1, "x"), "digits from 0 to 9, got another character");
    check(&|s| s.players.0[0].lane = 5, "a lane from 1 to 4, got 5");
    check(&|s| s.players.0[0].block = 0, "a block from 1 to 1500, got 0");
    check(&|s| s.players.0[0].speed = 7, "a speed of the config, got 7");
    check(&|s| s.players.0[0].damage = 6, "a damage from 0 to 5, got 6");
    check(&|s| s.players.0[0].boosting = true, "a boost counter while boosting, got 0");
    check(&|s| s.players.0[0].boost_counter = 6, "a boost counter from 0 to 5, got 6");
    check(&|s| s.players.0[0].states.clear(), "1 to 64 states, got 0");
    check(&|s| s.players.0[0].states[0].clear(), "the name of a state, got ");
    check(&|s| s.players.0[1].powerups.push("oil".to_owned()), "the name of a powerup, got oil");
    check(&|s| s.trucks = vec![(1, 1), (1, 1)], "one truck on a block, got two on 1, 1");
}

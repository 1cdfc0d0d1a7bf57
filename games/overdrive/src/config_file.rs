//! The original's config file: numbers that can be chosen, and words that cannot.

use quintain_core::{ConfigText, FieldError, ReadsConfigFile};
use serde_json::{Map, Value};

use crate::{Config, Misfit, Overdrive};

/// A key of ours, since the original has no such count.
const INVALID_IN_A_ROW_MAX: &str = "INVALID_COMMANDS_IN_A_ROW_MAX";

/// The words of the wire. Bots rely on them, so a file may repeat them and not change them.
const WORDS: [(&str, &str); 38] = [
    ("READY_PLAYER_STATE", "READY"),
    ("NOTHING_PLAYER_STATE", "NOTHING"),
    ("TURNING_LEFT_PLAYER_STATE", "TURNING_LEFT"),
    ("TURNING_RIGHT_PLAYER_STATE", "TURNING_RIGHT"),
    ("ACCELERATING_PLAYER_STATE", "ACCELERATING"),
    ("DECELERATING_PLAYER_STATE", "DECELERATING"),
    ("PICKED_UP_POWERUP_PLAYER_STATE", "PICKED_UP_POWERUP"),
    ("USED_POWERUP_BOOST_PLAYER_STATE", "USED_BOOST"),
    ("USED_POWERUP_OIL_PLAYER_STATE", "USED_OIL"),
    ("USED_POWERUP_LIZARD_PLAYER_STATE", "USED_LIZARD"),
    ("USED_POWERUP_TWEET_PLAYER_STATE", "USED_TWEET"),
    ("USED_POWERUP_EMP_PLAYER_STATE", "USED_EMP"),
    ("HIT_MUD_PLAYER_STATE", "HIT_MUD"),
    ("HIT_OIL_PLAYER_STATE", "HIT_OIL"),
    ("HIT_WALL_PLAYER_STATE", "HIT_WALL"),
    ("HIT_CYBER_TRUCK_PLAYER_STATE", "HIT_CYBER_TRUCK"),
    ("HIT_EMP_PLAYER_STATE", "HIT_EMP"),
    ("FIX_CAR_PLAYER_STATE", "FIXED_CAR"),
    ("FIXED_CAR_PLAYER_STATE", "FIXED_CAR"),
    ("FINISHED_PLAYER_STATE", "FINISHED"),
    ("OIL_POWERUP_ITEM", "OIL"),
    ("LIZARD_POWERUP_ITEM", "LIZARD"),
    ("BOOST_POWERUP_ITEM", "BOOST"),
    ("TWEET_POWERUP_ITEM", "TWEET"),
    ("EMP_POWERUP_ITEM", "EMP"),
    ("NO_COMMAND", "NO COMMAND"),
    ("NOTHING_COMMAND", "NOTHING"),
    ("TURN_LEFT_COMMAND", "TURN_LEFT"),
    ("TURN_RIGHT_COMMAND", "TURN_RIGHT"),
    ("ACCELERATE_COMMAND", "ACCELERATE"),
    ("DECELERATE_COMMAND", "DECELERATE"),
    ("USE_BOOST_COMMAND", "USE_BOOST"),
    ("USE_OIL_COMMAND", "USE_OIL"),
    ("USE_LIZARD_COMMAND", "USE_LIZARD"),
    ("USE_TWEET_COMMAND", "USE_TWEET"),
    ("USE_EMP_COMMAND", "USE_EMP"),
    ("FIX_COMMAND", "FIX"),
    ("csvSeparator", ","),
];

/// Numbers that the original's file writes with a fraction and its engine reads without.
const CUT_TO_WHOLE: &str = "_GENERATION_PERCENTAGE";

impl ReadsConfigFile for Overdrive {
    fn read_config(file: &ConfigText, config: &mut Config) -> Result<(), FieldError> {
        let text = file.text.strip_prefix('\u{feff}').unwrap_or(&file.text);
        let members: Map<String, Value> = serde_json::from_str(text)
            .map_err(|error| refusal(file, "a JSON object", &error.to_string()))?;
        for (key, value) in &members {
            take(config, key, value).map_err(|(expected, got)| {
                refusal(file, &format!("{key} to be {expected}"), &got)
            })?;
        }
        config.figures.check().map_err(|Misfit { key, expected, got }| {
            refusal(file, &format!("{key} to be {expected}"), &got.to_string())
        })
    }
}

fn refusal(file: &ConfigText, expected: &str, got: &str) -> FieldError {
    FieldError::new("game-config", format!("in {} {expected}", file.path), got)
}

/// What was expected and what was found.
type Reason = (String, String);

fn take(config: &mut Config, key: &str, value: &Value) -> Result<(), Reason> {
    if let Some(number) = config.figures.get_mut(key) {
        *number = whole(value, key.ends_with(CUT_TO_WHOLE))?;
        return Ok(());
    }
    if key == INVALID_IN_A_ROW_MAX {
        let number = whole(value, false)?;
        config.switches.invalid_in_a_row_max =
            u32::try_from(number).map_err(|_| ("0 or more".to_owned(), number.to_string()))?;
        return Ok(());
    }
    match WORDS.iter().find(|(known, _)| *known == key) {
        Some((_, word)) if value == word => Ok(()),
        Some((_, word)) => {
            Err((format!("\"{word}\", since bots rely on the word"), value.to_string()))
        }
        None => Err(("a key of Overdrive".to_owned(), "an unknown key".to_owned())),
    }
}

/// A whole number; where the original cuts off a fraction, any number.
fn whole(value: &Value, is_cut: bool) -> Result<i32, Reason> {
    let expected = if is_cut { "a number" } else { "a whole number" };
    let refused = || (expected.to_owned(), value.to_string());
    let number = match (value.as_i64(), value.as_f64()) {
        (Some(number), _) => number,
        (None, Some(number)) if is_cut => number.trunc() as i64,
        _ => return Err(refused()),
    };
    i32::try_from(number).map_err(|_| refused())
}

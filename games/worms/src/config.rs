//! The organiser's choices: the edition, the time for an answer, and every number of the original's
//! `default-config.json`, which can be loaded from a file of that layout.

use std::fmt;
use std::ops::RangeInclusive;

use quintain_core::entelect::TimeLimits;
use quintain_core::{ConfigText, Edition, FieldError, ReadsConfigFile, printable};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cell::MAP_SIZE_MAX;
use crate::{Worms, map};

/// The most worms of a player: a cell of the text map has room for one digit.
pub const WORMS_MAX: usize = 9;
/// The most health packs on a map.
pub const PACKS_MAX: usize = 16;
/// The smallest map that holds the circle of health packs and rooms around worms.
const MAP_SIZE_MIN: i32 = 9;
const ROUNDS_MAX: i32 = 10_000;
/// Damage, points and so on: far more than anyone needs, far from any overflow.
const AMOUNT_MAX: i32 = 10_000;
const HEALTH_MAX: i32 = 1_000_000;
const COUNT_MAX: i32 = 10_000;
const RANGE_MAX: i32 = 100;
const RADIUS_MAX: i32 = 16;
const FREEZE_MAX: i32 = 1000;
const NAME_CHARS_MAX: usize = 40;
/// Lava that starts at this multiple of the match never starts.
const SHARE_MAX: f64 = 1000.0;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub edition: Edition,
    pub time_limits: TimeLimits,
    pub game: GameConfig,
}

/// The numbers of a match, by the names of the original's file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GameConfig {
    pub max_rounds: i32,
    pub max_do_nothings: i32,
    pub commando_worms: WormClass,
    pub agent_worms: WormClass,
    pub technologist_worms: WormClass,
    pub pushback_damage: i32,
    pub lava_damage: i32,
    pub map_size: i32,
    pub health_pack_hp: i32,
    pub total_health_packs: i32,
    pub scores: Scores,
    pub worm_select_tokens: SelectTokens,
    /// Between the columns of the match log's CSV files.
    pub csv_separator: String,
    /// The share of the match after which lava begins to rise.
    pub battle_royale_start: f64,
    /// The share of the match after which it rises no more.
    pub battle_royale_end: f64,
}

/// The worms of one profession.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WormClass {
    pub count: i32,
    pub initial_hp: i32,
    /// The original's file spells it so.
    #[serde(rename = "movementRage")]
    pub movement_range: i32,
    pub digging_range: i32,
    pub profession_name: String,
    pub weapon: Weapon,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bananas: Option<Bananas>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snowballs: Option<Snowballs>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Weapon {
    pub damage: i32,
    pub range: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Bananas {
    pub damage: i32,
    pub range: i32,
    pub count: i32,
    pub damage_radius: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Snowballs {
    pub freeze_duration: i32,
    pub range: i32,
    pub count: i32,
    pub freeze_radius: i32,
}

/// What a deed is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Scores {
    pub missed_attack: i32,
    /// For each point of damage.
    pub attack: i32,
    pub kill_shot: i32,
    pub dig: i32,
    #[serde(rename = "move")]
    pub moving: i32,
    /// In the original's file, and without effect there: taking a pack scores nothing.
    pub powerup: i32,
    pub freeze: i32,
    pub do_nothing: i32,
    pub invalid_command: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SelectTokens {
    pub count: i32,
}

impl Default for GameConfig {
    fn default() -> Self {
        let class = |name: &str, initial_hp| WormClass {
            count: 1,
            initial_hp,
            movement_range: 1,
            digging_range: 1,
            profession_name: name.to_owned(),
            weapon: Weapon { damage: 8, range: 4 },
            bananas: None,
            snowballs: None,
        };
        let bananas = Bananas { damage: 20, range: 5, count: 3, damage_radius: 2 };
        let snowballs = Snowballs { freeze_duration: 5, range: 5, count: 3, freeze_radius: 1 };
        GameConfig {
            max_rounds: 400,
            max_do_nothings: 12,
            commando_worms: class("Commando", 150),
            agent_worms: WormClass { bananas: Some(bananas), ..class("Agent", 100) },
            technologist_worms: WormClass {
                snowballs: Some(snowballs),
                ..class("Technologist", 100)
            },
            pushback_damage: 20,
            lava_damage: 3,
            map_size: 33,
            health_pack_hp: 10,
            total_health_packs: 2,
            scores: Scores {
                missed_attack: 2,
                attack: 2,
                kill_shot: 40,
                dig: 7,
                moving: 5,
                powerup: 20,
                freeze: 17,
                do_nothing: 0,
                invalid_command: -4,
            },
            worm_select_tokens: SelectTokens { count: 5 },
            csv_separator: ",".to_owned(),
            battle_royale_start: 0.25,
            battle_royale_end: 0.875,
        }
    }
}

impl Config {
    pub(crate) fn check(&self) -> Result<(), FieldError> {
        self.time_limits.check()?;
        self.game.check().map_err(|FieldError { field, expected, found }| {
            FieldError::new(format!("game.{field}"), expected, found)
        })
    }
}

impl ReadsConfigFile for Worms {
    fn read_config(file: &ConfigText, config: &mut Config) -> Result<(), FieldError> {
        config.game = GameConfig::read(file)?;
        Ok(())
    }
}

impl GameConfig {
    /// Reads a file of the original's layout. What it leaves out is as usual.
    fn read(file: &ConfigText) -> Result<GameConfig, FieldError> {
        GameConfig::from_json(&file.text).map_err(|error| {
            let expected = match &*error.field.0 {
                "" => format!("{} to be {}", file.path, error.expected),
                field => format!("`{field}` in {} to be {}", file.path, error.expected),
            };
            FieldError::new("game-config", expected, error.found)
        })
    }

    /// Reads a text of the original's layout. What it leaves out is as usual.
    ///
    /// # Errors
    /// Names the first field that cannot be; no field if the text is no JSON object.
    pub fn from_json(text: &str) -> Result<GameConfig, FieldError> {
        let error = |expected, found: String| FieldError::new("", expected, found);
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let given: Value =
            serde_json::from_str(text).map_err(|problem| error("JSON", problem.to_string()))?;
        let mut whole = serde_json::to_value(GameConfig::default()).expect("plain data");
        merge(&mut whole, given, "")?;
        let config: GameConfig = serde_json::from_value(whole)
            .map_err(|problem| error("a config of Worms", problem.to_string()))?;
        config.check()?;
        Ok(config)
    }

    /// The professions, in the order of the worms' ids.
    pub fn classes(&self) -> [&WormClass; 3] {
        [&self.commando_worms, &self.agent_worms, &self.technologist_worms]
    }

    /// How many worms each player has.
    pub fn worm_count(&self) -> usize {
        self.classes().iter().map(|class| class.count as usize).sum()
    }

    /// # Errors
    /// The first field that is beyond its limits.
    pub fn check(&self) -> Result<(), FieldError> {
        within("maxRounds", self.max_rounds, 1..=ROUNDS_MAX)?;
        within("maxDoNothings", self.max_do_nothings, 1..=COUNT_MAX)?;
        for (class, key) in
            self.classes().into_iter().zip(["commandoWorms", "agentWorms", "technologistWorms"])
        {
            class.check(key)?;
        }
        within("pushbackDamage", self.pushback_damage, 0..=AMOUNT_MAX)?;
        within("lavaDamage", self.lava_damage, 0..=AMOUNT_MAX)?;
        within("mapSize", self.map_size, MAP_SIZE_MIN..=MAP_SIZE_MAX as i32)?;
        within("healthPackHp", self.health_pack_hp, 0..=AMOUNT_MAX)?;
        within("totalHealthPacks", self.total_health_packs, 0..=PACKS_MAX as i32)?;
        self.scores.check()?;
        within("wormSelectTokens.count", self.worm_select_tokens.count, 0..=COUNT_MAX)?;
        let is_plain = |text: &str, most| {
            text.chars().count() <= most && !text.contains(|letter: char| letter.is_control())
        };
        if !is_plain(&self.csv_separator, 8) {
            let expected = "at most 8 characters, none of them a control character";
            return Err(refused("csvSeparator", expected, &self.csv_separator));
        }
        self.check_lava()?;
        self.check_worms()
    }

    fn check_lava(&self) -> Result<(), FieldError> {
        let (start, end) = (self.battle_royale_start, self.battle_royale_end);
        if !(0.0..=SHARE_MAX).contains(&start) {
            return Err(refused("battleRoyaleStart", "a number from 0 to 1000", start));
        }
        // It may lie before the start: lava then comes up to its first radius and stays there.
        if !(0.0..=SHARE_MAX).contains(&end) {
            return Err(refused("battleRoyaleEnd", "a number from 0 to 1000", end));
        }
        Ok(())
    }

    fn check_worms(&self) -> Result<(), FieldError> {
        let count = self.worm_count();
        if !(1..=WORMS_MAX).contains(&count) {
            return Err(refused("*.count", "1 to 9 worms in all", count));
        }
        if map::worm_seats(self).is_none() {
            let expected = format!("large enough for {} worms on a circle", 2 * count);
            return Err(refused("mapSize", &expected, self.map_size));
        }
        Ok(())
    }
}

impl WormClass {
    fn check(&self, key: &str) -> Result<(), FieldError> {
        let check = |name: &str, value, range| within(&format!("{key}.{name}"), value, range);
        check("count", self.count, 0..=WORMS_MAX as i32)?;
        check("initialHp", self.initial_hp, 1..=HEALTH_MAX)?;
        check("movementRage", self.movement_range, 0..=RANGE_MAX)?;
        check("diggingRange", self.digging_range, 0..=RANGE_MAX)?;
        check("weapon.damage", self.weapon.damage, 0..=AMOUNT_MAX)?;
        check("weapon.range", self.weapon.range, 0..=RANGE_MAX)?;
        if let Some(bananas) = self.bananas {
            check("bananas.damage", bananas.damage, 0..=AMOUNT_MAX)?;
            check("bananas.range", bananas.range, 0..=RANGE_MAX)?;
            check("bananas.count", bananas.count, 0..=COUNT_MAX)?;
            check("bananas.damageRadius", bananas.damage_radius, 0..=RADIUS_MAX)?;
        }
        if let Some(snowballs) = self.snowballs {
            check("snowballs.freezeDuration", snowballs.freeze_duration, 0..=FREEZE_MAX)?;
            check("snowballs.range", snowballs.range, 0..=RANGE_MAX)?;
            check("snowballs.count", snowballs.count, 0..=COUNT_MAX)?;
            check("snowballs.freezeRadius", snowballs.freeze_radius, 0..=RADIUS_MAX)?;
        }
        let name = &self.profession_name;
        let is_plain = !name.contains(|letter: char| letter.is_control());
        if !is_plain || name.is_empty() || name.chars().count() > NAME_CHARS_MAX {
            let expected = "1 to 40 characters, none of them a control character";
            return Err(refused(&format!("{key}.professionName"), expected, name));
        }
        Ok(())
    }
}

impl Scores {
    fn check(&self) -> Result<(), FieldError> {
        let all = [
            ("missedAttack", self.missed_attack),
            ("attack", self.attack),
            ("killShot", self.kill_shot),
            ("dig", self.dig),
            ("move", self.moving),
            ("powerup", self.powerup),
            ("freeze", self.freeze),
            ("doNothing", self.do_nothing),
            ("invalidCommand", self.invalid_command),
        ];
        all.into_iter().try_for_each(|(name, value)| {
            within(&format!("scores.{name}"), value, -AMOUNT_MAX..=AMOUNT_MAX)
        })
    }
}

fn within(field: &str, value: i32, range: RangeInclusive<i32>) -> Result<(), FieldError> {
    if range.contains(&value) {
        return Ok(());
    }
    let expected = format!("a whole number from {} to {}", range.start(), range.end());
    Err(refused(field, &expected, value))
}

fn refused(field: &str, expected: &str, got: impl fmt::Display) -> FieldError {
    FieldError::new(field.to_owned(), expected, printable(&got.to_string()))
}

/// Puts what is given over what is usual. A key without a usual value is a typing error.
fn merge(whole: &mut Value, given: Value, path: &str) -> Result<(), FieldError> {
    match (whole, given) {
        (Value::Object(whole), Value::Object(given)) => {
            for (key, value) in given {
                let field = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                let known: Vec<String> = whole.keys().cloned().collect();
                match whole.get_mut(&key) {
                    Some(part) => merge(part, value, &field)?,
                    None => {
                        let expected = format!("one of {}", known.join(", "));
                        return Err(refused(&field, &expected, "an unknown key"));
                    }
                }
            }
            Ok(())
        }
        (whole @ Value::Number(_), Value::Number(given)) if whole.is_f64() => {
            *whole = Value::from(given.as_f64());
            Ok(())
        }
        (whole @ Value::Number(_), Value::Number(given)) => {
            let number = given.as_f64().unwrap_or(f64::NAN);
            // Exact for all numbers of 32 bits, and the original takes 5.0 for 5 too.
            if number.fract() != 0.0 || number.abs() > f64::from(i32::MAX) {
                return Err(refused(path, "a whole number of 32 bits", given));
            }
            *whole = Value::from(number as i32);
            Ok(())
        }
        (whole @ Value::String(_), given @ Value::String(_)) => {
            *whole = given;
            Ok(())
        }
        (whole, given) => Err(refused(path, kind(whole), kind(&given))),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

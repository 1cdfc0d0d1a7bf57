//! The organiser's choice as data: an edition, a config file of the original, and values for fields of
//! the config, by the name that a game gives them or by their path.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use crate::{Edition, FieldError, Game, did_you_mean};

/// A field of a game's config that has a name and a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    pub name: &'static str,
    /// Where it stands in the config, with dots: `time_limits.later_ms`.
    pub path: &'static str,
    /// The path of another number that becomes at least this one: a first answer has no less time than
    /// the later ones.
    pub raises: Option<&'static str>,
    pub unit: Unit,
    pub help: &'static str,
}

/// What values a setting has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Whole {
        from: i64,
        to: i64,
    },
    /// A text such as `1.5s`; milliseconds in the config.
    Time {
        least_ms: u32,
    },
    OneOf(&'static [&'static str]),
}

/// What an organiser wants of a game. The default is the game as its document has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigChoice {
    pub edition: Edition,
    /// The original engine's config file, for games that read one.
    pub file: Option<ConfigText>,
    /// Values by the name of a setting, or by a path that exists in the config. A text stands for the
    /// number that it writes.
    pub set: BTreeMap<String, Value>,
}

/// A config file as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigText {
    /// For messages.
    pub path: String,
    pub text: String,
}

/// A game with numbers that its original read from a file.
pub trait ReadsConfigFile: Game {
    /// Takes over what a file of the original's layout chooses; what it leaves out stays as it is.
    ///
    /// # Errors
    /// Names file, key and reason.
    fn read_config(file: &ConfigText, config: &mut Self::Config) -> Result<(), FieldError>;
}

/// [`ReadsConfigFile::read_config`] of a game.
pub type ReadConfig<G> = fn(&ConfigText, &mut <G as Game>::Config) -> Result<(), FieldError>;

/// What can be chosen of a config by itself; the edition is chosen beside it.
const EDITION: &str = "edition";

impl ConfigChoice {
    pub fn of(edition: Edition) -> ConfigChoice {
        ConfigChoice { edition, ..ConfigChoice::default() }
    }

    /// The same with a value for a setting or path.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> ConfigChoice {
        self.set.insert(key.to_owned(), value.into());
        self
    }

    /// The same with a time for a setting.
    #[must_use]
    pub fn with_time(self, key: &str, time: Duration) -> ConfigChoice {
        let microseconds = time.as_micros();
        self.with(key, format!("{}.{:03}ms", microseconds / 1000, microseconds % 1000))
    }
}

/// The config that a choice means: the edition's, then the file's numbers, then each value that is set.
///
/// # Errors
/// Names the wish that this game cannot grant.
pub fn configure<G: Game>(
    choice: &ConfigChoice,
    read: Option<ReadConfig<G>>,
) -> Result<G::Config, FieldError> {
    if !G::EDITIONS.contains(&choice.edition) {
        let known: Vec<&str> = G::EDITIONS.iter().map(|edition| edition.name()).collect();
        return Err(FieldError::new(EDITION, either(&known), choice.edition.name()));
    }
    let mut config = G::config(choice.edition);
    match (&choice.file, read) {
        (Some(file), Some(read)) => read(file, &mut config)?,
        (Some(file), None) => {
            let expected = format!("no file, since {} has no config file of its own", G::ID);
            return Err(FieldError::new("game-config", expected, &file.path));
        }
        (None, _) => {}
    }
    for (key, value) in &choice.set {
        config = with_value::<G>(&config, key, value)?;
    }
    G::check(&config)?;
    Ok(config)
}

fn with_value<G: Game>(
    config: &G::Config,
    key: &str,
    value: &Value,
) -> Result<G::Config, FieldError> {
    let refused = |expected: String, found: Cow<'_, str>| {
        FieldError::new(key.to_owned(), expected, crate::printable(&found))
    };
    if key == EDITION {
        return Err(refused("the edition to be chosen beside settings".to_owned(), text(value)));
    }
    let setting = G::SETTINGS.iter().find(|setting| setting.name == key);
    let mut whole = serde_json::to_value(config).expect("a config is plain data");
    let place = place_of(&mut whole, setting.map_or(key, |setting| setting.path));
    let place = place.map_err(|(parent, mut known)| {
        let mut parent = parent;
        if parent.is_empty() {
            parent = G::ID;
            let is_named = |name: &str| G::SETTINGS.iter().any(|setting| setting.name == name);
            known.retain(|name| name != EDITION && !is_named(name));
            known.splice(..0, G::SETTINGS.iter().map(|setting| setting.name.to_owned()));
        }
        let has = if known.is_empty() { "nothing below it".to_owned() } else { known.join(", ") };
        let last = key.rsplit_once('.').map_or(key, |(_, last)| last);
        let meant = did_you_mean(last, known.iter().map(String::as_str));
        let found = format!("{}{meant}", text(value));
        refused(format!("none of that name ({parent} has {has})"), Cow::Owned(found))
    })?;
    let given = match setting {
        Some(setting) => setting
            .unit
            .read(value)
            .map_err(|(expected, found)| refused(expected, Cow::Owned(found)))?,
        None => value.clone(),
    };
    let expected = format!("a value like {}", text(place));
    let given = like(place, given).ok_or_else(|| refused(expected.clone(), text(value)))?;
    *place = given.clone();
    if let Some(path) = setting.and_then(|setting| setting.raises)
        && let Ok(raised) = place_of(&mut whole, path)
        && raised.as_u64() < given.as_u64()
    {
        *raised = given;
    }
    serde_json::from_value(whole).map_err(|_| refused(expected, text(value)))
}

/// The value at a path; where there is none, the last part of the path that exists, and the names below it.
fn place_of<'a, 'p>(
    whole: &'a mut Value,
    path: &'p str,
) -> Result<&'a mut Value, (&'p str, Vec<String>)> {
    let mut place = whole;
    let mut known = 0;
    for name in path.split('.') {
        let there = &path[..known];
        let Value::Object(members) = place else { return Err((there, Vec::new())) };
        if !members.contains_key(name) {
            return Err((there, members.keys().cloned().collect()));
        }
        place = &mut members[name];
        known += name.len() + usize::from(known > 0);
    }
    Ok(place)
}

/// The given value if it is of the same kind as the present one. A text is read where the present one is
/// none.
fn like(present: &Value, given: Value) -> Option<Value> {
    let given = match (present, &given) {
        (Value::String(_), Value::Number(_) | Value::Bool(_)) => Value::from(given.to_string()),
        (Value::String(_), _) => given,
        (_, Value::String(written)) => serde_json::from_str(written).ok()?,
        _ => given,
    };
    let is_alike = match present {
        Value::Null => true,
        Value::Bool(_) => given.is_boolean(),
        Value::Number(_) => given.is_number(),
        Value::String(_) => given.is_string(),
        Value::Array(_) => given.is_array(),
        Value::Object(_) => given.is_object(),
    };
    is_alike.then_some(given)
}

/// Every path of a config that holds a value, with that value, in order. The edition is none of them.
pub fn paths_of(config: &Value) -> Vec<(String, Value)> {
    fn walk(path: &str, value: &Value, out: &mut Vec<(String, Value)>) {
        let Value::Object(members) = value else {
            return out.push((path.to_owned(), value.clone()));
        };
        for (name, value) in members {
            let below = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            walk(&below, value, out);
        }
    }
    let mut paths = Vec::new();
    walk("", config, &mut paths);
    paths.retain(|(path, _)| path != EDITION);
    paths
}

/// What was expected and what was found.
type Refusal = (String, String);

impl Unit {
    /// The values that there are, in words.
    pub fn values(self) -> String {
        match self {
            Unit::Whole { from, to } => format!("{from} to {to}"),
            Unit::Time { .. } => TIME.to_owned(),
            Unit::OneOf(words) => either(words),
        }
    }

    /// A value of the config in the words of this unit.
    pub fn show(self, value: &Value) -> String {
        match self {
            Unit::Time { .. } => format!("{value}ms"),
            Unit::Whole { .. } | Unit::OneOf(_) => text(value).into_owned(),
        }
    }

    /// The value as the config holds it.
    fn read(self, value: &Value) -> Result<Value, Refusal> {
        let written = text(value);
        let refused = || (self.values(), written.clone().into_owned());
        match self {
            Unit::OneOf(words) if words.contains(&&*written) => Ok(value.clone()),
            Unit::OneOf(_) => Err(refused()),
            Unit::Whole { from, to } => match written.parse::<i64>() {
                Ok(number) if (from..=to).contains(&number) => Ok(number.into()),
                _ => Err(refused()),
            },
            Unit::Time { least_ms } => {
                let time = read_duration(&written).map_err(|wrong| (wrong, written.to_string()))?;
                match u32::try_from(time.as_millis()) {
                    Ok(milliseconds) if milliseconds >= least_ms => Ok(milliseconds.into()),
                    _ => {
                        let expected = format!("{least_ms} to {} ms", u32::MAX);
                        Err((expected, format!("{} ms", time.as_millis())))
                    }
                }
            }
        }
    }
}

const TIME: &str = "a time such as 500ms, 2s or 1.5s";

/// A time as people write it: `500ms`, `2s`, `1.5s`, `2m`. A number alone is none, since it could be
/// seconds or milliseconds.
///
/// # Errors
/// What was expected.
pub fn read_duration(text: &str) -> Result<Duration, String> {
    let (number, seconds_per_unit) = match text {
        _ if text.ends_with("ms") => (&text[..text.len() - 2], 0.001),
        _ if text.ends_with('s') => (&text[..text.len() - 1], 1.0),
        _ if text.ends_with('m') => (&text[..text.len() - 1], 60.0),
        _ if text.parse::<f64>().is_ok_and(f64::is_finite) => return Err(without_unit(text)),
        _ => return Err(TIME.to_owned()),
    };
    let amount: f64 = number.parse().map_err(|_| TIME.to_owned())?;
    let seconds = amount * seconds_per_unit;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() && seconds < 1e6 => Ok(duration),
        _ => Err(format!("{TIME}, more than zero and at most a million seconds")),
    }
}

fn without_unit(number: &str) -> String {
    format!(
        "{TIME}, with its unit: {number}ms for milliseconds, {number}s for seconds or {number}m for \
         minutes"
    )
}

/// A value without the quotes of a text.
fn text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        value => Cow::Owned(value.to_string()),
    }
}

/// "1, 2 or 3"
fn either(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn times_are_read_with_their_unit() {
        assert_eq!(read_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(read_duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(read_duration("10m"), Ok(Duration::from_secs(600)));
        for wrong in ["", "s", "0s", "-1s", "soon", "1e99s", "nan", "inf"] {
            assert!(read_duration(wrong).is_err(), "{wrong}");
        }
        let expected = "a time such as 500ms, 2s or 1.5s, with its unit: 2ms for milliseconds, 2s for \
                        seconds or 2m for minutes";
        assert_eq!(read_duration("2"), Err(expected.to_owned()));
    }

    #[test]
    fn values_are_taken_by_their_kind_and_texts_for_what_they_write() {
        assert_eq!(like(&json!(5), json!("7")), Some(json!(7)));
        assert_eq!(like(&json!(5), json!("seven")), None);
        assert_eq!(like(&json!(5), json!("\"7\"")), None);
        assert_eq!(like(&json!("a"), json!(7)), Some(json!("7")));
        assert_eq!(like(&json!("a"), json!("true")), Some(json!("true")));
        assert_eq!(like(&json!(true), json!("false")), Some(json!(false)));
        assert_eq!(like(&json!({"a": 1}), json!(3)), None);
    }

    #[test]
    fn units_say_what_they_expect() {
        let check = |unit: Unit, value: Value, expected: Result<Value, (&str, &str)>| {
            let expected = expected.map_err(|(one, other)| (one.to_owned(), other.to_owned()));
            assert_eq!(unit.read(&value), expected, "{value}");
        };
        let whole = Unit::Whole { from: 1, to: 4 };
        check(whole, json!(4), Ok(json!(4)));
        check(whole, json!("4"), Ok(json!(4)));
        check(whole, json!(5), Err(("1 to 4", "5")));
        check(whole, json!(2.5), Err(("1 to 4", "2.5")));
        let words = Unit::OneOf(&["1", "2", "3"]);
        check(words, json!(3), Ok(json!(3)));
        check(words, json!(9), Err(("1, 2 or 3", "9")));
        let time = Unit::Time { least_ms: 1 };
        check(time, json!("1.5s"), Ok(json!(1500)));
        check(time, json!("0.4ms"), Err(("1 to 4294967295 ms", "0 ms")));
        let unit = "a time such as 500ms, 2s or 1.5s, with its unit: 500ms for milliseconds, 500s for \
                    seconds or 500m for minutes";
        check(time, json!(500), Err((unit, "500")));
        check(time, json!("500"), Err((unit, "500")));
        check(time, json!(true), Err(("a time such as 500ms, 2s or 1.5s", "true")));
    }

    #[test]
    fn a_time_is_written_so_that_it_is_read_back() {
        for milliseconds in [1, 70, 300, 1100, 7_000, 600_000] {
            let time = Duration::from_millis(milliseconds);
            let choice = ConfigChoice::default().with_time("limit", time);
            let read = Unit::Time { least_ms: 1 }.read(&choice.set["limit"]);
            assert_eq!(read, Ok(json!(milliseconds)));
        }
    }
}

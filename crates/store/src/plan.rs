//! What a run is, and whether it is still the same when it is begun again.

use std::collections::BTreeSet;
use std::io::{self, Read};

use quintain_record::BotId;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::{RunId, StoreError};

/// What a run is begun with. Beginning it again with anything else is refused, since games of two
/// different runs would be mixed: so `settings` holds what results depend on, and not how many games
/// are played at a time or how the table is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunPlan {
    /// Unique in its store.
    pub name: String,
    /// `compare`, `round-robin` and so on.
    pub kind: String,
    /// The game's id.
    pub game: String,
    /// JSON. An object, so that a message can name the key that changed; inner objects are named
    /// with dots. Under [`FILES`] stand the input files with the [`digest`] of their content.
    pub settings: String,
    /// In an order that stays: games name bots by their place here.
    pub bots: Vec<BotEntry>,
}

/// The key of the settings under which input files stand.
pub const FILES: &str = "files";

/// What a file's content is recognised by.
pub fn digest(content: &[u8]) -> String {
    hex(Sha256::digest(content).as_slice())
}

/// What is held in memory of a content that is read piece by piece.
const PIECE_BYTES: usize = 64 * 1024;

/// The same of what is read, which may be more than fits into memory.
///
/// # Errors
/// It cannot be read, or there are more bytes.
pub fn digest_read(mut content: impl Read, bytes_max: u64) -> io::Result<String> {
    let (mut hash, mut piece, mut bytes) = (Sha256::new(), vec![0; PIECE_BYTES], 0);
    loop {
        let count = match content.read(&mut piece) {
            Ok(0) => return Ok(hex(hash.finalize().as_slice())),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        bytes += count as u64;
        if bytes > bytes_max {
            return Err(io::Error::other(format!(
                "expected at most {bytes_max} bytes, found more"
            )));
        }
        hash.update(&piece[..count]);
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A bot of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotEntry {
    /// Unique in its run.
    pub name: String,
    /// What is played: a command line, a house bot.
    pub spec: String,
}

/// A run as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunInfo {
    pub id: RunId,
    pub plan: RunPlan,
    /// Milliseconds since 1970.
    pub created_ms: i64,
    /// Games recorded so far, void ones too.
    pub games: u64,
    /// What the latest session was to play, as whoever began it wrote it down with
    /// [`crate::Run::note_wish`].
    pub wish: Option<String>,
}

impl BotEntry {
    pub fn new(name: impl Into<String>, spec: impl Into<String>) -> BotEntry {
        BotEntry { name: name.into(), spec: spec.into() }
    }
}

impl RunInfo {
    /// The place of a bot, for filters.
    pub fn place_of(&self, bot: &str) -> Option<BotId> {
        let place = self.plan.bots.iter().position(|entry| entry.name == bot)?;
        u32::try_from(place).ok().map(BotId)
    }
}

impl RunPlan {
    /// The plan without what no database takes, or why it cannot be stored.
    pub(crate) fn checked(&self) -> Result<RunPlan, StoreError> {
        let refuse = |expected: &str, got: String| {
            Err(StoreError::Invalid { what: "run", expected: expected.to_owned(), got })
        };
        if let Err(error) = serde_json::from_str::<Value>(&self.settings) {
            return refuse("settings in JSON", format!("`{}` ({error})", self.settings));
        }
        let texts = self.bots.iter().flat_map(|bot| [&bot.name, &bot.spec]);
        let mut texts = texts.chain([&self.name, &self.kind, &self.game]);
        if let Some(text) = texts.find(|text| text.contains('\0')) {
            return refuse("texts without zero characters", format!("{text:?}"));
        }
        if self.name.is_empty() {
            return refuse("a name", "an empty one".to_owned());
        }
        let mut names = BTreeSet::new();
        match self.bots.iter().find(|bot| !names.insert(&bot.name)) {
            Some(bot) => refuse("bots with different names", format!("`{}` twice", bot.name)),
            None => Ok(self.clone()),
        }
    }

    /// Changes whenever anything of the plan does but input files. Settings are compared as values:
    /// blanks and the order of keys mean nothing.
    pub(crate) fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        let mut add = |text: &str| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        };
        for text in [&self.kind, &self.game, &canonical_without_files(&self.settings)] {
            add(text);
        }
        for bot in &self.bots {
            add(&bot.name);
            add(&bot.spec);
        }
        hex(hash.finalize().as_slice())
    }

    /// What `new` does differently, in words. A file that was not there before is no difference:
    /// many a script builds its bot when it is first started.
    pub(crate) fn differences(&self, new: &RunPlan) -> Vec<String> {
        let mut found = Vec::new();
        let mut compare = |what: &str, old: &str, new: &str| {
            if old != new {
                found.push(format!("{what} was `{old}`, now `{new}`"));
            }
        };
        compare("the kind", &self.kind, &new.kind);
        compare("the game", &self.game, &new.game);
        let names = |plan: &RunPlan| {
            plan.bots.iter().map(|bot| bot.name.clone()).collect::<Vec<_>>().join(", ")
        };
        compare("the list of bots", &names(self), &names(new));
        for bot in &self.bots {
            if let Some(other) = new.bots.iter().find(|other| other.name == bot.name) {
                compare(&format!("bot {}", bot.name), &bot.spec, &other.spec);
            }
        }
        found.extend(settings_differences(&self.settings, &new.settings));
        found
    }
}

/// The same text for the same value. Keys are sorted, since the values are kept in ordered maps.
fn canonical(settings: &str) -> String {
    match serde_json::from_str::<Value>(settings) {
        Ok(value) => sorted(value).to_string(),
        Err(_) => settings.to_owned(),
    }
}

fn canonical_without_files(settings: &str) -> String {
    match serde_json::from_str::<Value>(settings) {
        Ok(Value::Object(mut map)) => {
            map.remove(FILES);
            sorted(Value::Object(map)).to_string()
        }
        _ => canonical(settings),
    }
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<(String, Value)> =
                map.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(entries.into_iter().collect())
        }
        Value::Array(values) => Value::Array(values.into_iter().map(sorted).collect()),
        other => other,
    }
}

fn settings_differences(old: &str, new: &str) -> Vec<String> {
    if canonical(old) == canonical(new) {
        return Vec::new();
    }
    let parse = |text| serde_json::from_str::<Value>(text).map(sorted).unwrap_or_default();
    let (Value::Object(old), Value::Object(new)) = (parse(old), parse(new)) else {
        return vec![format!("the settings were `{old}`, now `{new}`")];
    };
    let mut found = Vec::new();
    object_differences("", &old, &new, &mut found);
    found
}

fn object_differences(
    prefix: &str,
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    found: &mut Vec<String>,
) {
    let show = |value: Option<&Value>| match value {
        None | Some(Value::Null) => "not set".to_owned(),
        Some(Value::String(text)) => format!("`{text}`"),
        Some(value) => format!("`{value}`"),
    };
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for key in keys.into_iter().filter(|key| old.get(*key) != new.get(*key)) {
        let name = format!("{prefix}{key}");
        match (old.get(key), new.get(key)) {
            (Some(Value::Object(old)), Some(Value::Object(new))) if name == FILES => {
                files_differences(old, new, found);
            }
            (Some(Value::Object(old)), Some(Value::Object(new))) => {
                object_differences(&format!("{name}."), old, new, found);
            }
            (old, new) => found.push(format!("{name} was {}, now {}", show(old), show(new))),
        }
    }
}

/// Digests tell nobody anything; that they differ does.
fn files_differences(old: &Map<String, Value>, new: &Map<String, Value>, found: &mut Vec<String>) {
    for (key, digest) in old.iter().filter(|(key, digest)| new.get(*key) != Some(digest)) {
        debug_assert!(digest.is_string(), "files stand with their digests");
        found.push(match new.contains_key(key) {
            false => format!("the file {key} is no longer there"),
            true => format!("the content of the file {key} has changed"),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(settings: &str, bots: &[(&str, &str)]) -> RunPlan {
        RunPlan {
            name: "final".to_owned(),
            kind: "round-robin".to_owned(),
            game: "fencing".to_owned(),
            settings: settings.to_owned(),
            bots: bots.iter().map(|(name, spec)| BotEntry::new(*name, *spec)).collect(),
        }
    }

    #[test]
    fn a_content_that_is_read_in_pieces_has_the_same_digest() {
        for length in [0, 1, PIECE_BYTES - 1, PIECE_BYTES, 3 * PIECE_BYTES + 7] {
            let content: Vec<u8> = (0..length).map(|index| index as u8).collect();
            let read = |bytes_max: usize| digest_read(content.as_slice(), bytes_max as u64);
            assert_eq!(read(length).expect("that many"), digest(&content));
            if length > 0 {
                let error = read(length - 1).expect_err("one too many").to_string();
                let expected = format!("expected at most {} bytes, found more", length - 1);
                assert_eq!(error, expected);
            }
        }
    }

    #[test]
    fn the_fingerprint_ignores_how_settings_are_written() {
        let old = plan(r#"{"league":2,"limits":{"a":1,"b":2}}"#, &[("ada", "./ada")]);
        let same = plan(r#"{ "limits": {"b":2, "a":1}, "league": 2 }"#, &[("ada", "./ada")]);
        assert_eq!(old.fingerprint(), same.fingerprint());
        assert_eq!(old.differences(&same), [""; 0]);
    }

    #[test]
    fn what_changed_is_named() {
        let old = plan(r#"{"league":2,"seed":1}"#, &[("ada", "./ada"), ("bob", "./bob")]);
        let check = |new: RunPlan, expected: &[&str]| {
            assert_ne!(old.fingerprint(), new.fingerprint());
            assert_eq!(old.differences(&new), expected);
        };
        let bots = [("ada", "./ada"), ("bob", "./bob")];
        check(
            plan(r#"{"league":3,"swap":true,"seed":null}"#, &bots),
            &[
                "league was `2`, now `3`",
                "seed was `1`, now not set",
                "swap was not set, now `true`",
            ],
        );
        let files = |digest: &str| {
            plan(&format!(r#"{{"files":{{"run.sh":"{digest}"}},"config":{{"a":1}}}}"#), &bots)
        };
        let changed = plan(r#"{"files":{"run.sh":"x"},"config":{"a":2}}"#, &bots);
        assert_eq!(
            files("y").differences(&changed),
            ["config.a was `1`, now `2`", "the content of the file run.sh has changed"]
        );
        let more = plan(r#"{"files":{"run.sh":"y","bot":"z"},"config":{"a":1}}"#, &bots);
        assert_eq!(files("y").differences(&more), [""; 0], "it was built in between");
        assert_eq!(files("y").fingerprint(), more.fingerprint());
        assert_eq!(more.differences(&files("y")), ["the file bot is no longer there"]);
        check(plan("[]", &bots), &[r#"the settings were `{"league":2,"seed":1}`, now `[]`"#]);
        check(
            plan(&old.settings, &[("bob", "./bob"), ("ada", "./ada2")]),
            &[
                "the list of bots was `ada, bob`, now `bob, ada`",
                "bot ada was `./ada`, now `./ada2`",
            ],
        );
        check(
            RunPlan { game: "hockey".to_owned(), ..old.clone() },
            &["the game was `fencing`, now `hockey`"],
        );
    }

    #[test]
    fn a_plan_that_cannot_be_stored_is_refused() {
        let check = |plan: RunPlan, expected: &str| {
            assert_eq!(plan.checked().unwrap_err().to_string(), expected);
        };
        check(
            plan("{}", &[("ada", "x"), ("ada", "y")]),
            "cannot store this run: expected bots with different names, got `ada` twice",
        );
        check(
            plan("{}", &[("ada", "x\0")]),
            "cannot store this run: expected texts without zero characters, got \"x\\0\"",
        );
        let message = plan("league = 2", &[]).checked().unwrap_err().to_string();
        assert!(message.starts_with("cannot store this run: expected settings in JSON, got"));
        check(
            RunPlan { name: String::new(), ..plan("{}", &[]) },
            "cannot store this run: expected a name, got an empty one",
        );
    }
}

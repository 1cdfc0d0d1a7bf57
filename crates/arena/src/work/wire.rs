//! What workers, organisers and the server between them say to each other, in JSON.

use std::collections::BTreeMap;

use quintain_record::{MatchId, MatchRecord};
use quintain_registry::GAMES;
use serde::{Deserialize, Serialize};

use super::{JobFailure, JobGame, Order};

/// Grows with every change of what is said.
const LANGUAGE: u32 = 2;

/// Which program speaks. Only equal ones understand each other: rules that differ would play other games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    pub quintain: String,
    pub language: u32,
    /// The version of the rules of each game.
    pub rules: BTreeMap<String, u32>,
}

impl Version {
    /// This program.
    pub fn own() -> Version {
        let rules = GAMES.iter().map(|game| game.facts());
        Version {
            quintain: env!("CARGO_PKG_VERSION").to_owned(),
            language: LANGUAGE,
            rules: rules.map(|facts| (facts.id.to_owned(), facts.rules_version)).collect(),
        }
    }

    /// Whether the other one is the same.
    ///
    /// # Errors
    /// Says what differs, and what helps.
    pub fn check(&self, other: &Version) -> Result<(), String> {
        if self == other {
            return Ok(());
        }
        let mut differences = Vec::new();
        if self.quintain != other.quintain {
            differences.push(format!("expected {}, found {}", self.quintain, other.quintain));
        }
        if self.language != other.language {
            let (expected, found) = (self.language, other.language);
            differences.push(format!("expected language {expected}, found {found}"));
        }
        for game in self
            .rules
            .keys()
            .chain(other.rules.keys().filter(|game| !self.rules.contains_key(*game)))
        {
            let word = |version: Option<&u32>| version.map_or("none".to_owned(), u32::to_string);
            let (expected, found) = (self.rules.get(game), other.rules.get(game));
            if expected != found {
                let (expected, found) = (word(expected), word(found));
                differences
                    .push(format!("rules of {game}: expected version {expected}, found {found}"));
            }
        }
        let differences = differences.join("; ");
        Err(format!(
            "this server has another version of quintain ({differences}); install the same on both"
        ))
    }
}

/// What every first request says, whatever else it says: another version may say other things besides.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Introduction {
    pub version: Version,
    /// Games that a worker plays at a time; an organiser plays none.
    #[serde(default)]
    pub slots: u32,
}

/// The right to a job, as `claim` gives it and everything else must carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeaseWords {
    pub job: i64,
    /// How often the job had been handed out.
    pub reads: i64,
    /// What only the server could write: that it gave this job to this worker.
    #[serde(with = "hex")]
    pub proof: u64,
}

/// `POST /jobs/claim`. Answered with a [`Claim`], or with nothing (204) if there is nothing to play.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimRequest {
    pub version: Version,
    /// Games that the worker plays at a time.
    pub slots: u32,
    /// Another one each time that a worker is started.
    pub session: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Claim {
    pub lease: LeaseWords,
    /// Of which order: the same number means the same order.
    pub order_id: i64,
    pub order: Order,
    pub games: Vec<JobGame>,
    /// How often the worker is to say that it is still there, and how long it may say nothing.
    pub beat_s: u64,
    pub lease_s: u64,
}

/// `POST /jobs/beat`. Answered with [`GoOn`].
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beat {
    pub lease: LeaseWords,
}

/// Whether a job is still wanted of this worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoOn {
    pub go_on: bool,
}

/// `POST /jobs/report`. Answered with [`GoOn`]: whether it was counted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    pub lease: LeaseWords,
    pub what: Reported,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Reported {
    /// All games of the job.
    Played(Vec<ReportedGame>),
    /// It could not be played.
    Failed { log: String },
    /// It was not played, and nobody is to blame.
    GivenBack,
}

/// A game that was played, with its replay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportedGame {
    pub record: MatchRecord,
    #[serde(with = "bytes")]
    pub replay: Vec<u8>,
}

/// `POST /jobs/order`. Answered with an [`OrderNumber`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderRequest {
    pub version: Version,
    /// The same for a run that is gone on with.
    pub key: String,
    pub order: Order,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct OrderNumber {
    pub order: i64,
}

/// `POST /jobs/order/ORDER/jobs`. Answered with nothing (204).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewJobs {
    pub jobs: Vec<Vec<JobGame>>,
}

/// `POST /jobs/order/ORDER/collect`. Answered with [`CollectAnswer`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CollectRequest {
    /// What was collected before and is kept by now: it can be forgotten.
    pub taken: Vec<MatchId>,
    /// How long to wait for a result if there is none.
    pub wait_ms: u64,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CollectAnswer {
    pub games: Vec<ReportedGame>,
    pub running: u64,
    pub slots: u64,
    pub failures: Vec<JobFailure>,
}

/// `POST /jobs/order/ORDER/recall`: takes back the jobs that nobody has. Answered with the games.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Recalled {
    pub games: Vec<MatchId>,
}

/// The body of every answer that refuses something.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refused {
    pub error: String,
}

/// 64 bits in hexadecimal digits, since many readers of JSON cannot hold them in a number.
mod hex {
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bits: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{bits:016x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let digits = String::deserialize(from)?;
        u64::from_str_radix(&digits, 16).map_err(serde::de::Error::custom)
    }
}

/// Bytes as a text of base 64.
mod bytes {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        STANDARD.decode(text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_version_is_refused_in_words() {
        let own = Version::own();
        assert_eq!(own.check(&Version::own()), Ok(()));
        let mut other = Version { quintain: "9.9.9".to_owned(), ..Version::own() };
        *other.rules.get_mut("worms").expect("worms is a game") += 1;
        let version = own.rules["worms"];
        let words = format!(
            "this server has another version of quintain (expected {}, found 9.9.9; rules of worms: expected \
             version {version}, found {}); install the same on both",
            own.quintain,
            version + 1
        );
        assert_eq!(own.check(&other), Err(words));
    }
}

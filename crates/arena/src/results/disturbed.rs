//! Answers that were late because the machine was busy, and matches that are void because of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use quintain_core::Seat;
use quintain_record::{BotId, Disturbance, Ending, MatchHead, MatchRecord, VoidReason};
use serde::Serialize;

use super::{as_milliseconds, as_milliseconds_if_known};

/// One late answer of an attempt that was thrown away.
#[derive(Clone, Debug, Serialize)]
pub struct DisturbedAnswer {
    /// The match's identity.
    pub game: String,
    /// Whether the match is void in the end.
    #[serde(rename = "void")]
    pub is_void: bool,
    pub bot: String,
    pub seat: Seat,
    /// From 1.
    pub turn: u32,
    pub attempt: u32,
    #[serde(rename = "limit_ms", serialize_with = "as_milliseconds")]
    pub limit: Duration,
    #[serde(rename = "wall_ms", serialize_with = "as_milliseconds")]
    pub wall: Duration,
    #[serde(rename = "late_by_ms", serialize_with = "as_milliseconds")]
    pub late_by: Duration,
    #[serde(rename = "waited_ms", serialize_with = "as_milliseconds_if_known")]
    pub waited: Option<Duration>,
    #[serde(rename = "cpu_ms", serialize_with = "as_milliseconds_if_known")]
    pub cpu: Option<Duration>,
    /// Where the attempt's replay is, if it was kept.
    pub replay: Option<String>,
}

/// How often one bot was kept waiting, in matches. A void match is charged to every bot that was late in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DisturbedBot {
    pub bot: String,
    pub games: u64,
    /// Those of them that are void.
    pub void: u64,
}

/// A match that counts for nothing.
#[derive(Clone, Debug, Serialize)]
pub struct VoidMatch {
    pub game: String,
    pub bots: [String; 2],
    pub seed: i64,
    pub reason: VoidReason,
    pub replay: Option<String>,
}

/// The disturbances of a match; `name` gives the name of a bot, `path` the place of a stored replay.
pub fn disturbed_answers(
    game: &MatchRecord,
    name: impl Fn(BotId) -> String,
    path: impl Fn(&str) -> PathBuf,
) -> Vec<DisturbedAnswer> {
    let answer = |late: &Disturbance| DisturbedAnswer {
        game: game.head.id.to_string(),
        is_void: game.head.ending.is_void(),
        bot: name(game.head.bots[late.seat]),
        seat: late.seat,
        turn: late.turn + 1,
        attempt: late.attempt,
        limit: late.limit,
        wall: late.wall,
        late_by: late.overrun(),
        waited: late.waited,
        cpu: late.cpu,
        replay: late.replay.as_deref().map(|stored| path(stored).display().to_string()),
    };
    game.disturbances.iter().map(answer).collect()
}

/// By the names of the bots.
pub fn disturbed_bots<'a>(
    answers: impl IntoIterator<Item = &'a DisturbedAnswer>,
) -> Vec<DisturbedBot> {
    let mut bots: BTreeMap<&str, [BTreeSet<&str>; 2]> = BTreeMap::new();
    for answer in answers {
        let [games, void] = bots.entry(&answer.bot).or_default();
        games.insert(&answer.game);
        if answer.is_void {
            void.insert(&answer.game);
        }
    }
    let bot = |(bot, sets): (&str, [BTreeSet<&str>; 2])| {
        let [games, void] = sets.map(|games| games.len() as u64);
        DisturbedBot { bot: bot.to_owned(), games, void }
    };
    bots.into_iter().map(bot).collect()
}

/// How many matches count only since they were played again.
pub fn played_again(answers: &[DisturbedAnswer]) -> u64 {
    let again = answers.iter().filter(|answer| !answer.is_void);
    again.map(|answer| answer.game.as_str()).collect::<BTreeSet<&str>>().len() as u64
}

impl VoidMatch {
    /// As [`disturbed_answers`]; `None` for a match that counts.
    pub fn new(
        head: &MatchHead,
        name: impl Fn(BotId) -> String,
        path: impl Fn(&str) -> PathBuf,
    ) -> Option<VoidMatch> {
        let Ending::Void(reason) = head.ending else { return None };
        Some(VoidMatch {
            game: head.id.to_string(),
            bots: head.bots.0.map(name),
            seed: head.seed,
            reason,
            replay: head.replay.as_deref().map(|stored| path(stored).display().to_string()),
        })
    }
}

//! The lines of a recording, as they stand in the file. What is not known is refused.

use quintain_core::PerSeat;
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Line {
    Map(Map),
    Match(Header),
    Initial(Initial),
    Round(Box<Round>),
    Result(End),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Map {
    #[serde(default)]
    pub game: Option<String>,
    pub seed: i32,
    pub map: Vec<String>,
    pub packs: Vec<(u8, u8, i32)>,
    /// x, y, player, worm.
    pub worms: Vec<(u8, u8, u8, u8)>,
    /// The first draws: `p` for pushback, `s` for swap.
    pub collisions: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub game: String,
    pub seed: i32,
    #[serde(rename = "players")]
    pub _players: PerSeat<String>,
    pub config: Value,
    #[serde(default, rename = "source")]
    pub _source: Option<String>,
    #[serde(default, rename = "note")]
    pub _note: Option<String>,
    pub states: States,
}

/// How much of the state a recording shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum States {
    Full,
    NoMap,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Initial {
    pub generated: bool,
    pub round: u32,
    pub size: i32,
    pub map: Vec<String>,
    pub packs: Vec<(u8, u8, i32)>,
    pub players: PerSeat<Player>,
    pub professions: Vec<String>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Player {
    pub command_score: i64,
    pub score: i64,
    pub do_nothings: u32,
    pub tokens: i32,
    pub current: u8,
    pub previous: u8,
    pub disqualified: bool,
    pub worms: Vec<Worm>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Worm {
    pub id: u8,
    pub hp: i32,
    pub pos: (u8, u8),
    pub prev: (u8, u8),
    pub frozen: i32,
    /// -1 for a worm without.
    pub bananas: i32,
    pub snowballs: i32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Round {
    pub round: u32,
    pub state: PerSeat<Value>,
    pub sha: Hashes,
    pub commands: PerSeat<String>,
    pub random: Vec<String>,
    /// Player, command, score, success, message.
    pub feedback: Vec<(u8, String, i64, bool, String)>,
    pub errors: Vec<String>,
    pub full: Position,
    #[serde(default)]
    pub text: Option<PerSeat<String>>,
    #[serde(default)]
    pub console: Option<PerSeat<String>>,
    #[serde(default)]
    pub csv: Option<PerSeat<String>>,
    #[serde(default)]
    pub global: Option<Value>,
}

/// The first digits of SHA-256 over the exact texts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hashes {
    pub state: PerSeat<String>,
    pub text: PerSeat<String>,
    pub console: PerSeat<String>,
    pub csv: PerSeat<String>,
    pub global: String,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Position {
    pub players: PerSeat<Player>,
    /// Cells whose terrain the round changed.
    pub cells: Vec<(u8, u8, char)>,
    pub packs: Vec<(u8, u8, i32)>,
    /// x, y, player, worm.
    pub occupied: Vec<(u8, u8, u8, u8)>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct End {
    pub complete: bool,
    pub winner: Option<usize>,
    pub scores: [i64; 2],
    pub health: [i64; 2],
    pub rounds: u32,
    pub reason: String,
    pub tie: bool,
    pub referee: Vec<String>,
}

//! The lines of a recording, as they stand in the file. What is not known is refused.

use quintain_core::{PerSeat, RecordedHeader};
use serde::Deserialize;

use crate::CreepKind;

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Line {
    Map(Map),
    Match(RecordedHeader),
    Initial {
        #[serde(rename = "maxTurns")]
        turns_max: u32,
        sites: Vec<Site>,
        players: PerSeat<Player>,
        #[serde(default, rename = "generated")]
        _generated: Option<bool>,
    },
    Init {
        to: PerSeat<Vec<String>>,
    },
    Turn {
        turn: u32,
        to: PerSeat<Vec<String>>,
        from: PerSeat<Option<Vec<String>>>,
        #[serde(default)]
        summary: Vec<String>,
    },
    Result(End),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Map {
    pub game: String,
    pub league: u8,
    pub seed: i64,
    pub health: i32,
    pub queens: PerSeat<(f64, f64)>,
    /// Id, x, y, radius, gold, highest rate.
    pub sites: Vec<(usize, f64, f64, i32, i32, u8)>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Site {
    pub id: usize,
    pub x: f64,
    pub y: f64,
    pub radius: i32,
    pub gold: i32,
    #[serde(rename = "maxMineSize")]
    pub rate_max: u8,
    #[serde(default)]
    pub structure: Option<Building>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "UPPERCASE", deny_unknown_fields)]
pub(super) enum Building {
    Mine {
        owner: usize,
        rate: u8,
    },
    Tower {
        owner: usize,
        health: i32,
        #[serde(rename = "attackRadius")]
        range: i32,
    },
    Barracks {
        owner: usize,
        creep: CreepKind,
        progress: u8,
        training: bool,
    },
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Player {
    pub gold: i32,
    pub queen: Queen,
    #[serde(default)]
    pub creeps: Vec<Creep>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Queen {
    pub x: f64,
    pub y: f64,
    pub health: i32,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Creep {
    #[serde(rename = "type")]
    pub kind: CreepKind,
    pub x: f64,
    pub y: f64,
    pub health: i16,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct End {
    pub winner: Option<usize>,
    pub scores: [i64; 2],
    pub reason: String,
    pub turns: u32,
    #[serde(rename = "final")]
    pub position: Position,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Position {
    pub sites: Vec<Site>,
    pub players: PerSeat<Player>,
}

//! Answers that were late because the machine was busy, as reports list them.

use std::path::Path;
use std::time::Duration;

use quintain_core::{Seat, printable};
use quintain_registry::seat_name;
use quintain_store::{Disturbance, Game};
use serde_json::{Value, json};

use crate::output::milliseconds;

/// One late answer of an attempt that was thrown away.
pub(crate) struct DisturbedAnswer {
    /// The game's identity.
    pub(crate) game: String,
    pub(crate) bot: String,
    /// Whether the game is void in the end.
    pub(crate) is_void: bool,
    pub(crate) late: Disturbance,
    /// Where the attempt's replay is, if it was kept.
    pub(crate) replay: Option<String>,
}

pub(crate) const DISTURBED_COLUMNS: [&str; 11] = [
    "game",
    "bot",
    "seat",
    "turn",
    "attempt",
    "limit ms",
    "answer ms",
    "late by ms",
    "waited ms",
    "cpu ms",
    "replay",
];

/// The disturbances of a game; `name` gives the bot of a seat, `folder` is where the store is.
pub(crate) fn disturbed_answers(
    folder: Option<&Path>,
    game: &Game,
    id: &str,
    name: impl Fn(Seat) -> String,
) -> Vec<DisturbedAnswer> {
    let folder = folder.unwrap_or(Path::new(""));
    let path = |stored: &String| folder.join(stored).display().to_string();
    let answer = |late: &Disturbance| DisturbedAnswer {
        game: id.to_owned(),
        bot: name(late.seat),
        is_void: game.summary.ending.is_void(),
        replay: late.replay.as_ref().map(path),
        late: late.clone(),
    };
    game.disturbances.iter().map(answer).collect()
}

impl DisturbedAnswer {
    fn overrun(&self) -> Duration {
        self.late.wall.saturating_sub(self.late.limit)
    }

    pub(crate) fn cells(&self) -> [String; 11] {
        let ms = |span: Duration| format!("{:.1}", milliseconds(span));
        let ms_or_none = |span: Option<Duration>| span.map_or_else(String::new, ms);
        let late = &self.late;
        [
            self.game.clone(),
            printable(&self.bot).into_owned(),
            seat_name(late.seat).to_owned(),
            (late.turn + 1).to_string(),
            late.attempt.to_string(),
            ms(late.limit),
            ms(late.wall),
            ms(self.overrun()),
            ms_or_none(late.waited),
            ms_or_none(late.cpu),
            self.replay.clone().unwrap_or_default(),
        ]
    }

    pub(crate) fn as_json(&self) -> Value {
        let late = &self.late;
        json!({
            "game": self.game,
            "void": self.is_void,
            "bot": self.bot,
            "seat": late.seat.index(),
            "turn": late.turn + 1,
            "attempt": late.attempt,
            "limit_ms": milliseconds(late.limit),
            "wall_ms": milliseconds(late.wall),
            "late_by_ms": milliseconds(self.overrun()),
            "waited_ms": late.waited.map(milliseconds),
            "cpu_ms": late.cpu.map(milliseconds),
            "replay": self.replay,
        })
    }
}

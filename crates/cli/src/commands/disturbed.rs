//! Answers that were late because the machine was busy, and games that are void because of them, as
//! reports list them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use comfy_table::Table;
use quintain_core::{PerSeat, printable};
use quintain_record::{BotId, Disturbance, MatchHead, MatchRecord};
use quintain_referee::Unprotected;
use quintain_registry::seat_name;
use serde_json::{Value, json};

use super::table::ruled;
use crate::output::{counted, milliseconds, shell_word};
use crate::status_line::say;

/// What stands above the list of disturbed answers.
pub(crate) const DISTURBED_TITLE: &str =
    "Answers that were late because this machine was busy; their games were played again";

/// What is said of a bot that the machine may keep waiting without anybody noticing.
pub(crate) fn unprotected_text(bot: &str, why: &Unprotected) -> String {
    format!(
        "not protected: late is late for {}, however busy this machine is: {}",
        printable(bot),
        printable(&why.to_string())
    )
}

/// Says it once for each bot of a run.
#[derive(Debug, Default)]
pub(crate) struct UnprotectedBots(BTreeSet<BotId>);

impl UnprotectedBots {
    pub(crate) fn tell<'a>(
        &mut self,
        bots: PerSeat<BotId>,
        unprotected: &PerSeat<Option<Unprotected>>,
        name: impl Fn(BotId) -> &'a str,
    ) {
        for (seat, why) in unprotected.iter() {
            if let Some(why) = why
                && self.0.insert(bots[seat])
            {
                say(unprotected_text(name(bots[seat]), why));
            }
        }
    }
}

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

/// How often one bot was kept waiting, in games.
#[derive(Default)]
pub(crate) struct DisturbedBot<'a> {
    games: BTreeSet<&'a str>,
    void: BTreeSet<&'a str>,
}

/// By the names of the bots. A void game is charged to every bot that was late in it.
pub(crate) fn disturbed_bots<'a>(
    answers: impl Iterator<Item = &'a DisturbedAnswer>,
) -> BTreeMap<&'a str, DisturbedBot<'a>> {
    let mut bots: BTreeMap<&str, DisturbedBot<'_>> = BTreeMap::new();
    for answer in answers {
        let bot = bots.entry(answer.bot.as_str()).or_default();
        bot.games.insert(&answer.game);
        if answer.is_void {
            bot.void.insert(&answer.game);
        }
    }
    bots
}

/// A sentence for each bot that was kept waiting.
pub(crate) fn disturbed_bots_text<'a>(
    answers: impl Iterator<Item = &'a DisturbedAnswer>,
) -> Vec<String> {
    let sentence = |(name, bot): (&str, DisturbedBot<'_>)| {
        let (games, void) = (counted(bot.games.len() as u64, "game"), bot.void.len());
        format!("{} was kept waiting in {games}, {void} of them void", printable(name))
    };
    disturbed_bots(answers).into_iter().map(sentence).collect()
}

/// The same for programs.
pub(crate) fn disturbed_bots_json<'a>(answers: impl Iterator<Item = &'a DisturbedAnswer>) -> Value {
    let object = |(name, bot): (&str, DisturbedBot<'_>)| json!({ "bot": name, "games": bot.games.len(), "void": bot.void.len() });
    disturbed_bots(answers).into_iter().map(object).collect()
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

/// The disturbances of a game; `name` gives the name of a bot, `path` the place of a stored replay.
pub(crate) fn disturbed_answers(
    game: &MatchRecord,
    name: impl Fn(BotId) -> String,
    path: impl Fn(&str) -> PathBuf,
) -> Vec<DisturbedAnswer> {
    let answer = |late: &Disturbance| DisturbedAnswer {
        game: game.head.id.to_string(),
        bot: name(game.head.bots[late.seat]),
        is_void: game.head.ending.is_void(),
        replay: late.replay.as_deref().map(|stored| path(stored).display().to_string()),
        late: late.clone(),
    };
    game.disturbances.iter().map(answer).collect()
}

/// How many games count only since they were played again.
pub(crate) fn played_again(answers: &[DisturbedAnswer]) -> u64 {
    let again = answers.iter().filter(|answer| !answer.is_void);
    again.map(|answer| answer.game.as_str()).collect::<BTreeSet<&str>>().len() as u64
}

pub(crate) fn disturbed_table<'a>(answers: impl Iterator<Item = &'a DisturbedAnswer>) -> Table {
    let mut table = ruled();
    table.set_header(DISTURBED_COLUMNS);
    for answer in answers {
        table.add_row(answer.cells());
    }
    table
}

impl DisturbedAnswer {
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
            ms(self.late.overrun()),
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
            "late_by_ms": milliseconds(self.late.overrun()),
            "waited_ms": late.waited.map(milliseconds),
            "cpu_ms": late.cpu.map(milliseconds),
            "replay": self.replay,
        })
    }
}

/// A game that counts for nothing.
pub(crate) struct VoidGame {
    game: String,
    bots: [String; 2],
    seed: i64,
    reason: String,
    replay: Option<PathBuf>,
}

impl VoidGame {
    /// As [`disturbed_answers`].
    pub(crate) fn new(
        head: &MatchHead,
        name: impl Fn(BotId) -> String,
        path: impl Fn(&str) -> PathBuf,
    ) -> VoidGame {
        VoidGame {
            game: head.id.to_string(),
            bots: head.bots.0.map(name),
            seed: head.seed,
            reason: head.ending.reason().to_owned(),
            replay: head.replay.as_deref().map(path),
        }
    }

    pub(crate) fn as_json(&self) -> Value {
        json!({
            "game": self.game,
            "bots": self.bots,
            "seed": self.seed,
            "reason": self.reason,
            "replay": self.replay,
        })
    }
}

impl fmt::Display for VoidGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let VoidGame { game, bots: [first, second], seed, reason, replay } = self;
        write!(f, "void ({reason}): game {game}, {first} against {second}, seed {seed}")?;
        match replay.as_deref() {
            Some(path) => write!(f, "; show it: quintain replay {}", shell_word(path)),
            None => Ok(()),
        }
    }
}

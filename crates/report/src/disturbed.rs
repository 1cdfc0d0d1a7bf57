//! Answers that were late because the machine was busy, and games that are void because of them, as
//! reports list them.

use std::collections::BTreeSet;
use std::path::Path;

use comfy_table::Table;
use quintain_arena::PlayedGame;
use quintain_arena::results::{DisturbedAnswer, DisturbedBot, VoidMatch};
use quintain_core::printable;
use quintain_record::{BotId, VoidReason};

use crate::table::ruled_rows;
use crate::words::{counted, shell_word, tenths};

/// What stands above the list of disturbed answers.
pub const TITLE: &str =
    "Answers that were late because this machine was busy; their games were played again";

pub const COLUMNS: [&str; 11] = [
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

/// The fields of an answer, below [`COLUMNS`].
pub fn cells(answer: &DisturbedAnswer) -> [String; 11] {
    [
        answer.game.clone(),
        answer.bot.clone(),
        answer.seat.name().to_owned(),
        answer.turn.to_string(),
        answer.attempt.to_string(),
        tenths(answer.limit),
        tenths(answer.wall),
        tenths(answer.late_by),
        answer.waited.map_or_else(String::new, tenths),
        answer.cpu.map_or_else(String::new, tenths),
        answer.replay.clone().unwrap_or_default(),
    ]
}

pub(crate) fn table<'a>(answers: impl IntoIterator<Item = &'a DisturbedAnswer>) -> Table {
    ruled_rows(COLUMNS, answers.into_iter().map(cells))
}

/// The table below its title, and who was kept waiting; nothing if nobody was.
pub(crate) fn tables(answers: &[DisturbedAnswer], bots: &[DisturbedBot]) -> String {
    if answers.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{TITLE}:\n{}\n", table(answers).trim_fmt());
    for line in bots_in_words(bots) {
        text += &format!("{line}\n");
    }
    text
}

/// A sentence for each bot that was kept waiting.
pub fn bots_in_words(bots: &[DisturbedBot]) -> Vec<String> {
    let sentence = |DisturbedBot { bot, games, void }: &DisturbedBot| {
        let games = counted(*games, "game");
        format!("{} was kept waiting in {games}, {void} of them void", printable(bot))
    };
    bots.iter().map(sentence).collect()
}

/// A void game, with the command that shows it.
pub fn void_in_words(game: &VoidMatch) -> String {
    let VoidMatch { game, bots: [first, second], seed, reason, replay } = game;
    let show = replay.as_deref().map_or_else(String::new, |path| {
        format!("; show it: quintain replay {}", shell_word(Path::new(path)))
    });
    format!("void ({reason}): game {game}, {first} against {second}, seed {seed}{show}")
}

/// Void games by their reasons: one of each with the command that shows it, and how many there are.
pub(crate) fn void_summary(games: &[VoidMatch]) -> Vec<String> {
    let line = |reason: VoidReason| {
        let mut alike = games.iter().filter(|game| game.reason == reason);
        let first = void_in_words(alike.next()?);
        Some(match alike.count() as u64 {
            0 => first,
            more => format!("{first}; {} more like it", counted(more, "game")),
        })
    };
    [VoidReason::Disturbed, VoidReason::Aborted].into_iter().filter_map(line).collect()
}

/// Bots that the machine may keep waiting without anybody noticing, of which that was said.
#[derive(Debug, Default)]
pub struct UnprotectedBots(BTreeSet<BotId>);

impl UnprotectedBots {
    /// What is to be said after a game: it is said once of each bot of a run.
    pub fn news<'a>(&mut self, game: &PlayedGame, name: impl Fn(BotId) -> &'a str) -> Vec<String> {
        let bots = game.record.head.bots;
        let unprotected = game.unprotected.iter();
        let new = unprotected.filter_map(|(seat, why)| Some((bots[seat], why.as_ref()?)));
        let new = new.filter(|(bot, _)| self.0.insert(*bot));
        new.map(|(bot, why)| unprotected_in_words(name(bot), &why.to_string())).collect()
    }
}

/// What is said of a bot that the machine may keep waiting without anybody noticing.
pub fn unprotected_in_words(bot: &str, why: &str) -> String {
    format!(
        "not protected: late is late for {}, however busy this machine is: {}",
        printable(bot),
        printable(why)
    )
}

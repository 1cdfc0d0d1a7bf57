//! What came out of a comparison: a sentence with what it rests on, or one object.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use quintain_arena::Ended;
use quintain_store::RunInfo;
use quintain_tournament::{BotId, NEW, OLD, Tally};
use serde_json::{Value, json};

use crate::commands::disturbed::DisturbedAnswer;
use crate::commands::many::{errors_as_json, errors_in_words, stats_command};
use crate::failure::Failure;
use crate::output::{HEADING, counted, shell_word};

use super::{CompareArgs, Judge};

pub(super) struct Report<'a> {
    pub(super) args: &'a CompareArgs,
    pub(super) judge: &'a Judge<'a>,
    /// `None` if nothing is kept.
    pub(super) run: Option<&'a RunInfo>,
    pub(super) ended: Ended,
    /// That of all sessions, as the games are.
    pub(super) time: Duration,
}

impl Report<'_> {
    pub(super) fn print(&self) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        if self.args.json {
            writeln!(out, "{}", self.as_json())?;
            return Ok(());
        }
        let comparison = &self.judge.comparison;
        let [old, new] = [OLD, NEW].map(|bot| self.judge.arena.name(bot));
        let sentence = comparison.sentence(old, new, self.time);
        writeln!(out, "{HEADING}{sentence}{HEADING:#}")?;
        let Tally { wins, draws, losses, .. } = comparison.tally(NEW);
        writeln!(out, "{new}: {wins} won, {draws} drawn, {losses} lost")?;
        if let (Some(sprt), Some(llr)) = (comparison.sprt(), comparison.llr()) {
            let (lower, upper) = (sprt.lower(), sprt.upper());
            let state = if comparison.is_decided() { "decided" } else { "undecided" };
            writeln!(out, "test {sprt}: {state}, LLR {llr:.2} ({lower:.2} to {upper:.2})")?;
        }
        for line in self.troubles() {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    /// What went wrong, and how to see those games.
    fn troubles(&self) -> Vec<String> {
        let comparison = &self.judge.comparison;
        let list = |option: &str| match (&self.args.many.store, self.run) {
            (Some(store), Some(run)) => {
                format!("; list them: {}", stats_command(store, &run.plan.name, option))
            }
            _ => String::new(),
        };
        let mut lines = Vec::new();
        for (bot, name) in [OLD, NEW].map(|bot| (bot, self.judge.arena.name(bot))) {
            let errors = errors_in_words(&comparison.tally(bot).errors);
            if !errors.is_empty() {
                let list = list(&format!("--bot {} --error", shell_word(Path::new(name))));
                lines.push(format!("{name}: {errors}{list}"));
            }
        }
        if comparison.void() > 0 {
            let list = list("--void");
            lines.push(format!("void games, which count for nothing: {}{list}", comparison.void()));
        }
        let again = self.played_again();
        if again > 0 {
            let (games, list) = (counted(again, "game"), list("--disturbed"));
            lines.push(format!("played again because this machine was busy: {games}{list}"));
        }
        lines
    }

    /// Games of which an attempt was thrown away.
    fn played_again(&self) -> u64 {
        let games: BTreeSet<&str> =
            self.judge.disturbed.iter().map(|answer| answer.game.as_str()).collect();
        games.len() as u64
    }

    fn as_json(&self) -> Value {
        let (judge, comparison) = (self.judge, &self.judge.comparison);
        let (tally, estimate) = (comparison.tally(NEW), comparison.estimate());
        let errors = |bot: BotId| errors_as_json(&comparison.tally(bot).errors);
        json!({
            "game": judge.arena.game.facts().id,
            "old": judge.arena.name(OLD),
            "new": judge.arena.name(NEW),
            "games": tally.games(),
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "score": estimate.score,
            "elo": estimate.elo,
            "low": estimate.low,
            "high": estimate.high,
            "superiority": estimate.superiority,
            "llr": comparison.llr(),
            "sprt": comparison.sprt().map(ToString::to_string),
            "decided": comparison.is_decided(),
            "verdict": comparison.finding().code(),
            "errors": { "old": errors(OLD), "new": errors(NEW) },
            "failed": judge.failed,
            "void": comparison.void(),
            "disturbed": judge.disturbed.iter().map(DisturbedAnswer::as_json).collect::<Value>(),
            "stopped": self.ended == Ended::Stopped,
            "seconds": self.time.as_secs_f64(),
        })
    }
}

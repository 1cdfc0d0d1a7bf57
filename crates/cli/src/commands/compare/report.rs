//! What came out of a comparison: a sentence with what it rests on, or one object.

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use quintain_arena::Ended;
use quintain_arena::results::{Doubt, disturbed_bots};
use quintain_record::BotId;
use quintain_report::Advice;
use quintain_report::disturbed::bots_in_words;
use quintain_report::words::{REFUSED, doubt_in_words, errors_in_words};
use quintain_store::RunInfo;
use quintain_tournament::{Evidence, NEW, OLD, PAIRS_WITHOUT_NEWS, Tally, copies_in_words};
use serde_json::{Value, json};

use crate::commands::many::{ON_REFUSAL, stats_command};
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
        let advice = Advice { on_refusal: ON_REFUSAL, ..Advice::default() };
        let doubt = Doubt::of(self.judge.disturbed_games(), !self.judge.is_refused())
            .map(|doubt| doubt_in_words(&doubt, &advice));
        let sentence = || comparison.sentence(old, new, self.time);
        let (sentence, warning) = match doubt {
            Some(doubt) if self.judge.is_refused() => (doubt, None),
            doubt => (sentence(), doubt),
        };
        writeln!(out, "{HEADING}{sentence}{HEADING:#}")?;
        if let Some(warning) = warning {
            writeln!(out, "{warning}")?;
        }
        let Tally { wins, draws, losses, both_lost, .. } = comparison.tally(NEW);
        let both = match both_lost {
            0 => String::new(),
            _ => format!(", {both_lost} of them lost by both"),
        };
        writeln!(out, "{new}: {wins} won, {draws} drawn, {losses} lost{both}")?;
        for line in self.copies() {
            writeln!(out, "{line}")?;
        }
        if let Some(test) = comparison.sprt() {
            let state = if comparison.is_decided() { "decided" } else { "undecided" };
            let evidence = self.judge.evidence_in_words().join(", ");
            writeln!(out, "test {test}: {state}; evidence: {evidence}")?;
        }
        for line in self.troubles() {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    /// What is said about games that are copies of others.
    fn copies(&self) -> Vec<String> {
        let comparison = &self.judge.comparison;
        let games = comparison.results().games();
        let mut lines: Vec<String> = copies_in_words(games, comparison.different_games())
            .map(|copies| format!("{copies}, and copies make nothing surer"))
            .into_iter()
            .collect();
        if comparison.is_exhausted() {
            let games = 2 * PAIRS_WITHOUT_NEWS;
            lines.push(format!(
                "stopped, since the last {games} games brought nothing new: the bots repeat themselves; let \
                 one choose at random between moves that it likes alike, or compare them by their games \
                 against others (quintain tournament)"
            ));
        }
        lines
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
        let again = self.judge.disturbed_games().again;
        if again > 0 {
            let (games, list) = (counted(again, "game"), list("--disturbed"));
            lines.push(format!("played again because this machine was busy: {games}{list}"));
        }
        lines.extend(bots_in_words(&disturbed_bots(&self.judge.disturbed)));
        lines
    }

    fn as_json(&self) -> Value {
        let (judge, comparison) = (self.judge, &self.judge.comparison);
        let (tally, estimate) = (comparison.tally(NEW), comparison.estimate());
        let errors = |bot: BotId| comparison.tally(bot).errors;
        let evidence = comparison.evidence();
        json!({
            "game": judge.arena.game.facts().id,
            "old": judge.arena.name(OLD),
            "new": judge.arena.name(NEW),
            "games": tally.games(),
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "both_lost": tally.both_lost,
            "different_games": comparison.different_games(),
            "nothing_new": comparison.is_exhausted(),
            "score": estimate.score,
            "elo": estimate.elo,
            "low": estimate.low,
            "high": estimate.high,
            "llr": evidence.first().map(|evidence| evidence.value),
            "evidence": Self::evidence_as_json(&evidence),
            "sprt": comparison.sprt().map(ToString::to_string),
            "decided": comparison.is_decided(),
            "verdict": if judge.is_refused() { REFUSED } else { comparison.finding().code() },
            "errors": { "old": errors(OLD), "new": errors(NEW) },
            "failed": judge.failed,
            "void": comparison.void(),
            "played_again": judge.disturbed_games().again,
            "disturbed": judge.disturbed,
            "disturbed_bots": disturbed_bots(&judge.disturbed),
            "stopped": self.ended == Ended::Stopped,
            "seconds": self.time.as_secs_f64(),
        })
    }

    /// How much there is and how much is needed for each answer to the test; nothing without one.
    fn evidence_as_json(evidence: &[Evidence]) -> Value {
        let entry = |evidence: &Evidence| {
            let entry = json!({ "value": evidence.value, "needed": evidence.needed });
            (evidence.answer.code().to_owned(), entry)
        };
        if evidence.is_empty() { Value::Null } else { evidence.iter().map(entry).collect() }
    }
}

//! What the games come to: wins, draws and losses per bot, and what the bots said about themselves.
//! The database counts, so that a million games need not be read.

use std::collections::BTreeMap;
use std::io::{self, Write};

use quintain_arena::results::bot_name;
use quintain_core::printable;
use quintain_record::BotId;
use quintain_store::{Filter, Results, RunInfo, Store, TagSpread};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{HEADING, counted, grouped};

#[derive(Debug, Default)]
pub(super) struct Summary {
    pub(super) games: u64,
    void: u64,
    /// Wins, draws and losses.
    results: BTreeMap<String, [u64; 3]>,
    tags: BTreeMap<(String, String), TagSpread>,
}

impl Summary {
    /// Adds the games of a run. With a bot in the filter it is about that one alone.
    pub(super) fn add(
        &mut self,
        store: &Store,
        run: &RunInfo,
        filter: &Filter,
    ) -> Result<(), Failure> {
        let is_asked_for = |bot: BotId| filter.bot.is_none_or(|only| only == bot);
        for pair in store.tally_of(run.id, filter)? {
            self.games += pair.games() + pair.voids;
            self.void += pair.voids;
            let lower = pair.results();
            let higher = Results { wins: lower.losses, losses: lower.wins, ..lower };
            for (bot, results) in pair.bots.into_iter().zip([lower, higher]) {
                if is_asked_for(bot) && results.games() > 0 {
                    let sums = self.results.entry(bot_name(run, bot)).or_default();
                    sums[0] += results.wins;
                    sums[1] += results.draws;
                    sums[2] += results.losses + results.lost_by_both;
                }
            }
        }
        for spread in store.tag_spreads(run.id, filter)? {
            if is_asked_for(spread.bot) {
                let key = (bot_name(run, spread.bot), spread.name.clone());
                self.tags.entry(key).and_modify(|sum| sum.add(&spread)).or_insert(spread);
            }
        }
        Ok(())
    }

    pub(super) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let void = match self.void {
            0 => String::new(),
            void => format!(", {} of them void", grouped(void)),
        };
        writeln!(out, "{HEADING}{}{void}{HEADING:#}", counted(self.games, "game"))?;
        for (bot, sums) in &self.results {
            let [wins, draws, losses] = sums.map(grouped);
            writeln!(out, "{}: {wins} won, {draws} drawn, {losses} lost", printable(bot))?;
        }
        for ((bot, name), spread) in &self.tags {
            let TagSpread { count, mean, least, most, .. } = spread;
            let deviation = spread.deviation();
            writeln!(
                out,
                "{}: {} {mean:.2} ± {deviation:.2} ({least} to {most}, {})",
                printable(bot),
                printable(name),
                counted(*count, "value")
            )?;
        }
        Ok(())
    }

    pub(super) fn as_json(&self) -> Value {
        let bots = self.results.iter().map(|(bot, [wins, draws, losses])| {
            json!({ "bot": bot, "wins": wins, "draws": draws, "losses": losses })
        });
        let tags = self.tags.iter().map(|((bot, name), spread)| {
            json!({
                "bot": bot, "name": name, "count": spread.count, "mean": spread.mean,
                "deviation": spread.deviation(), "least": spread.least, "most": spread.most,
            })
        });
        json!({
            "games": self.games,
            "void": self.void,
            "bots": bots.collect::<Value>(),
            "tags": tags.collect::<Value>(),
        })
    }
}

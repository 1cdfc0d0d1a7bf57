//! A bot, by its name: how strong it was from run to run, against whom it fared how, what it did wrong, and what it
//! said about itself.

use std::collections::HashMap;

use askama::Template;
use quintain_arena::results::{BotOpponent, BotReport, BotRun, BotTag, bot_report};
use quintain_core::Verdict;
use quintain_report::chart::{self, Room};
use quintain_tournament::{Rating, grouped};

use super::archive::Archive;
use super::head::{BotLink, Figure, game_title, kind_in_words, shown};
use super::links::{self, Matches};
use crate::error::Refusal;
use crate::limits::BOT_RUNS_MAX;
use crate::page::{CachePolicy, Page};

#[derive(Template)]
#[template(path = "bot.html")]
pub(crate) struct BotPage {
    name: String,
    matches: String,
    /// The ratings from run to run, where there are several.
    charts: Vec<String>,
    runs: Vec<RunRow>,
    earlier_runs: usize,
    opponents: Vec<OpponentRow>,
    errors: Vec<(&'static str, Figure)>,
    tags: Vec<TagRow>,
}

struct RunRow {
    number: usize,
    run: String,
    address: String,
    what: String,
    rating: String,
    interval: String,
    results: [Figure; 3],
}

struct OpponentRow {
    opponent: BotLink,
    game: String,
    results: [Figure; 3],
    share: String,
    heat: u8,
}

struct TagRow {
    name: String,
    chart: String,
    count: String,
    mean: String,
    deviation: String,
    least: String,
    most: String,
    matches: String,
}

impl BotPage {
    pub(crate) fn new(
        archive: &Archive,
        wishes: &HashMap<String, String>,
    ) -> Result<BotPage, Refusal> {
        let name = wishes.get("name").map(String::as_str).unwrap_or_default();
        let report = bot_report(&archive.store, name, BOT_RUNS_MAX, |run| archive.sums(run))?;
        let report = report.ok_or(Refusal::NoBot)?;
        let own = Matches::default().bot(name);
        let ratings: Vec<Rating> = report.runs.iter().filter_map(|run| run.rating).collect();
        let made = report.errors.iter().filter(|(_, count)| *count > 0);
        Ok(BotPage {
            name: shown(name),
            matches: own.address(),
            charts: if ratings.len() > 1 { course(&report, &ratings).into() } else { Vec::new() },
            runs: report.runs.iter().enumerate().map(|run| RunRow::new(run, name)).collect(),
            earlier_runs: report.earlier_runs,
            opponents: report.opponents.iter().map(|one| OpponentRow::new(one, &own)).collect(),
            errors: made
                .map(|(kind, count)| (kind.code(), Figure::new(count, &own.error(kind))))
                .collect(),
            tags: report.tags.iter().map(|tag| TagRow::new(tag, &own)).collect(),
        })
    }
}

fn course(report: &BotReport, ratings: &[Rating]) -> [String; 2] {
    let sentence = format!("Rating of {} in {} runs, the latest last", report.bot, ratings.len());
    [Room::Wide, Room::Narrow].map(|room| chart::course(&sentence, ratings, room))
}

fn figures([wins, draws, losses]: [u64; 3], matches: &Matches) -> [Figure; 3] {
    [(wins, Verdict::Win), (draws, Verdict::Draw), (losses, Verdict::Loss)]
        .map(|(count, verdict)| Figure::new(count, &matches.verdict(verdict)))
}

impl RunRow {
    fn new((index, run): (usize, &BotRun), bot: &str) -> RunRow {
        let plan = &run.run.plan;
        RunRow {
            number: index + 1,
            run: shown(&plan.name),
            address: links::run(run.run.id),
            what: format!("{}, {}", game_title(&plan.game), kind_in_words(&plan.kind)),
            rating: run.rating.map_or_else(String::new, |rating| format!("{:.0}", rating.value)),
            interval: run.rating.map_or_else(String::new, |rating| rating.interval_in_words()),
            results: figures(run.results, &Matches::of_run(&plan.name).bot(bot)),
        }
    }
}

impl OpponentRow {
    fn new(met: &BotOpponent, own: &Matches) -> OpponentRow {
        let [wins, draws, losses] = met.results;
        let games = (wins + draws + losses).max(1) as f64;
        let share = (wins as f64 + 0.5 * draws as f64) / games;
        OpponentRow {
            opponent: BotLink::new(&met.opponent),
            game: game_title(&met.game),
            results: figures(met.results, &own.opponent(&met.opponent)),
            share: format!("{:.0}%", 100.0 * share),
            heat: (10.0 * share).round() as u8,
        }
    }
}

impl TagRow {
    fn new(tag: &BotTag, own: &Matches) -> TagRow {
        let sums = &tag.sums;
        let sentence = format!("Values of {} in {} numbers", sums.name, sums.count);
        TagRow {
            name: shown(&sums.name),
            chart: chart::histogram(&sentence, [sums.least, sums.most], &tag.parts),
            count: grouped(sums.count),
            mean: chart::shortest(sums.mean),
            deviation: chart::shortest(sums.deviation),
            least: chart::shortest(sums.least),
            most: chart::shortest(sums.most),
            matches: own.with("tag", &sums.name).address(),
        }
    }
}

impl Page for BotPage {
    const CACHE: CachePolicy = CachePolicy::Fresh;
}

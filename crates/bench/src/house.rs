//! How fast house bots think, and what a rung of the ladder is worth over the one below.

use std::time::Duration;

use anyhow::Context as _;
use quintain_arena::plan::{ComparisonPlan, MatchSettings};
use quintain_arena::run::{RunMeans, run_comparison};
use quintain_core::{ConfigChoice, Effort, HouseBot};
use quintain_referee::Stop;
use quintain_registry::{Answers, AnyGame};

use crate::rules::SEED;
use crate::{Measurement, Row};

/// How long a bot is asked.
const ASKED_FOR: Duration = Duration::from_secs(1);
/// What two rungs play, and for how long at most.
const GAMES: u32 = 40;
const PLAYED_FOR: Duration = Duration::from_secs(10);

/// Rows for each house bot that does not go by the clock, whose figures would be the clock's. `is_asked_for` is
/// whether somebody wants the rows that play matches, which take longer.
pub(crate) fn measurements<'a>(
    game: &'static dyn AnyGame,
    is_asked_for: bool,
) -> Vec<Measurement<'a>> {
    let house = game.facts().house_bots;
    let mut list: Vec<Measurement<'a>> = Vec::new();
    for (place, bot) in house.iter().enumerate() {
        let name = format!("{}-house-{}", game.facts().id, bot.name);
        if bot.effort != Effort::Clock {
            let row = name.clone();
            list.push(Measurement::new(name.clone(), move || thinking(game, bot, &row)));
        }
        if let (Effort::Nodes(_), Some(below), true) =
            (bot.effort, place.checked_sub(1), is_asked_for)
        {
            let row = format!("{name}-strength");
            let measure = move || strength(game, &house[below], bot, &row);
            list.push(Measurement::new(format!("{name}-strength"), measure));
        }
    }
    list
}

/// Positions a second of a bot that looks at a fixed number of them, as if it always used them up; answers a
/// second of one that answers at once.
fn thinking(game: &'static dyn AnyGame, bot: &HouseBot, name: &str) -> anyhow::Result<Row> {
    let (answers, time) = answers(game, bot)?;
    let answers_per_second = answers as f64 / time.as_secs_f64();
    Ok(match bot.effort {
        Effort::Nodes(nodes) => Row::plain(name, answers_per_second * nodes as f64, "positions/s"),
        Effort::AtOnce | Effort::Clock => Row::plain(name, answers_per_second, "answers/s"),
    })
}

/// How many answers the bot gave in matches against itself, and what they took.
fn answers(game: &'static dyn AnyGame, bot: &HouseBot) -> anyhow::Result<(u64, Duration)> {
    let config = game.configure(&ConfigChoice::default())?;
    let (mut answers, mut time) = (0, Duration::ZERO);
    for seed in SEED.. {
        let seated = game.position(&config, seed)?.seated(bot.name, SEED);
        let mut seated = seated.context("a house has the bots that it names")?;
        while seated.position().outcome().is_none() {
            let Answers { texts, took } = seated.step()?;
            answers += texts.0.iter().flatten().count() as u64;
            time += took;
            if time >= ASKED_FOR {
                return Ok((answers, time));
            }
        }
    }
    unreachable!("there are more seeds than anybody waits for")
}

/// What a rung gets of the points against the one below.
fn strength(
    game: &'static dyn AnyGame,
    below: &HouseBot,
    bot: &HouseBot,
    name: &str,
) -> anyhow::Result<Row> {
    let settings = MatchSettings::of(game.facts().id);
    let [old, new] = [below, bot].map(|rung| format!("{0}=house:{0}", rung.name));
    let mut plan = ComparisonPlan::new(settings, &old, &new)?;
    (plan.games_max, plan.time_max) = (Some(GAMES), Some(PLAYED_FOR));
    let played = run_comparison(&plan, &RunMeans::default(), &mut (), &Stop::default())?;
    Ok(Row::plain(name, 100.0 * played.report.score, "% against the rung below"))
}

//! Ratings from all games at once: the model of Bradley and Terry, with intervals by resampling.
//!
//! In this model the odds of two bots are the ratio of their strengths. Draws are half wins. The
//! order of games plays no part, so a rating can be computed again from the games alone, and is the
//! same for bots that did the same.

mod fit;
mod resample;

use quintain_core::SplitMix64;

use crate::book::{Book, Encounter};
use crate::elo::{ELO_MAX, ELO_PER_UNIT, expected_score};
use crate::game::BotId;
use crate::pairs::PairedResults;

pub use fit::{Contest, FitError, fit};

use fit::Solver;
use resample::Resampler;

/// How to rate. The default is what a final should use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingSettings {
    /// The mean of all ratings.
    pub anchor: f64,
    /// How many draws against an average bot each bot is given beforehand, so that an unbeaten one
    /// stays finite.
    pub prior_draws: f64,
    /// How many times the pairs of games are drawn anew to see how far ratings vary.
    pub resamples: u32,
    /// The same seed gives the same intervals.
    pub seed: u64,
}

impl Default for RatingSettings {
    fn default() -> Self {
        RatingSettings { anchor: 1500.0, prior_draws: 1.0, resamples: 1_000, seed: 0 }
    }
}

/// A rating on the scale of Elo, with the ends of its 95% interval around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// The rating of each bot, in the order of the list.
///
/// The interval holds the middle 95% of the ratings over [`RatingSettings::resamples`] repetitions in
/// which each two bots meet as often as they did, with pairs of games drawn from theirs. Games that are
/// copies of others count for the mean and not for the number. A bot without games has the whole range.
pub fn rate(book: &Book, settings: &RatingSettings) -> Vec<Rating> {
    let met: Vec<Met> = book.encounters().filter_map(Met::new).collect();
    let contest = |met: &Met| Contest {
        bots: met.bots,
        games: met.worth.games() as f64,
        points: met.results.points() / met.results.games() as f64 * met.worth.games() as f64,
    };
    let bots = book.bots() as usize;
    let prior = settings.prior_draws.max(PRIOR_MIN);
    let mut solver = Solver::new(bots, met.iter().map(contest).collect(), prior);
    let mut strengths = vec![0.0; bots];
    solver.solve(&mut strengths, fit::EXACT).expect("with a prior there is a maximum");
    let scale = |strength: f64| settings.anchor + ELO_PER_UNIT * strength;
    let centred = centred(&strengths);
    let resampler = |met: &Met| {
        let [lower, higher] = met.bots.map(|bot| strengths[bot.index()]);
        Resampler::new(&met.results, met.worth, expected_score(ELO_PER_UNIT * (lower - higher)))
    };
    let resamplers: Vec<Resampler> = met.iter().map(resampler).collect();

    let mut random = SplitMix64::new(settings.seed);
    let mut samples = vec![Vec::with_capacity(settings.resamples as usize); bots];
    for _ in 0..settings.resamples {
        solver.set_points(resamplers.iter().map(|resampler| resampler.points(&mut random)));
        let mut sample = strengths.clone();
        solver.solve(&mut sample, fit::ROUGH).expect("with a prior there is a maximum");
        for (values, strength) in samples.iter_mut().zip(self::centred(&sample)) {
            values.push(strength);
        }
    }
    let interval = |bot: usize, values: &mut Vec<f64>| {
        let value = centred[bot];
        if !solver.has_games(bot) {
            let value = scale(value);
            return Rating { value, low: value - ELO_MAX, high: value + ELO_MAX };
        }
        values.sort_by(f64::total_cmp);
        let low = percentile(values, 0.025).unwrap_or(value).min(value);
        let high = percentile(values, 0.975).unwrap_or(value).max(value);
        Rating { value: scale(value), low: scale(low), high: scale(high) }
    };
    samples.iter_mut().enumerate().map(|(bot, values)| interval(bot, values)).collect()
}

/// The games of two bots that met.
struct Met {
    bots: [BotId; 2],
    results: PairedResults,
    worth: Worth,
}

/// How many pairs and single games those of two bots are worth, copies of games not counted: the results
/// of all games say how often each outcome comes, and the different ones how sure that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Worth {
    pairs: u64,
    singles: u64,
}

impl Met {
    fn new((lower, higher, encounter): (BotId, BotId, &Encounter)) -> Option<Met> {
        let results = encounter.results;
        let share = encounter.different() as f64 / results.games() as f64;
        // What was played is worth something, however often it was repeated.
        let worth = |count: u64| ((count as f64 * share).round() as u64).max(count.min(1));
        let (pairs, singles) = (results.pairs.pairs(), results.singles.iter().sum());
        let worth = Worth { pairs: worth(pairs), singles: worth(singles) };
        (results.games() > 0).then_some(Met { bots: [lower, higher], results, worth })
    }
}

impl Worth {
    fn games(&self) -> u64 {
        2 * self.pairs + self.singles
    }
}

/// Ratings of a tournament need some prior; a millionth of a draw changes nothing but the extremes.
const PRIOR_MIN: f64 = 1e-6;

/// The strengths with their mean at 0.
fn centred(strengths: &[f64]) -> Vec<f64> {
    let mean = strengths.iter().sum::<f64>() / strengths.len().max(1) as f64;
    strengths.iter().map(|strength| strength - mean).collect()
}

/// The value below which this share of the sorted values lies, between two of them by their distance.
fn percentile(sorted: &[f64], share: f64) -> Option<f64> {
    let position = share * sorted.len().checked_sub(1)? as f64;
    let below = position.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    let fraction = position - below as f64;
    Some(sorted[below] + fraction * (sorted[above] - sorted[below]))
}

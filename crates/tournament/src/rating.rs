//! Ratings from all games at once: the model of Bradley and Terry, with intervals by resampling.
//!
//! In this model the odds of two bots are the ratio of their strengths. Draws are half wins. The
//! order of games plays no part, so a rating can be computed again from the games alone, and is the
//! same for bots that did the same.

mod among;
mod fit;
mod reach;
mod resample;

use quintain_core::SplitMix64;
use quintain_record::BotId;

use crate::book::{Book, Encounter};
use crate::elo::{ELO_MAX, ELO_PER_UNIT, expected_score};
use crate::pairs::PairedResults;
use crate::words::range_in_words;

pub use among::{KnownOpponent, rate_among};
pub use fit::{Contest, FitError, fit};

use fit::Solver;
use reach::reaches;
use resample::Resampler;

/// How to rate. The default is what a final should use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingSettings {
    /// The mean of the ratings, those of bots not included that won or lost all of their games: how far
    /// these are from the others is not known, and must not move them.
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

impl Rating {
    /// "1423 to 1577", or "1582 or more" for a bot that won all of its games.
    pub fn interval_in_words(&self) -> String {
        // An open end is so far away, up to rounding.
        let is_bounded = |distance: f64| distance < ELO_MAX - 1e-3;
        let low = is_bounded(self.value - self.low).then_some(self.low);
        let high = is_bounded(self.high - self.value).then_some(self.high);
        range_in_words(low, high)
    }
}

/// The rating of each bot, in the order of the list.
///
/// The interval is made of the ratings over [`RatingSettings::resamples`] repetitions in
/// which each two bots meet as often as they did, with pairs of games drawn from theirs. Games that are
/// copies of others count for the mean and not for the number. Simulated tournaments say that it holds what
/// endlessly many games would give at least 95 times in a hundred, from few pairs on, however alike the two
/// games of a pair are. Whoever won all games has no upper end, whoever lost all no lower one, and a bot
/// without games neither; such an end is [`ELO_MAX`] away.
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
    let reaches = reaches(bots, &met);
    let centred = |strengths: &[f64]| reach::centred(strengths, &reaches);
    let middle = centred(&strengths);
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
        for (values, strength) in samples.iter_mut().zip(centred(&sample)) {
            values.push(strength);
        }
    }
    let interval = |bot: usize, values: &mut Vec<f64>| {
        let value = scale(middle[bot]);
        values.sort_by(f64::total_cmp);
        let end = |share: f64| percentile(values, share).map_or(value, scale);
        let low =
            if reaches[bot].is_open_below { value - ELO_MAX } else { end(BEYOND_END).min(value) };
        let high = if reaches[bot].is_open_above {
            value + ELO_MAX
        } else {
            end(1.0 - BEYOND_END).max(value)
        };
        Rating { value, low, high }
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
        let worth = Worth::of(&results, encounter.different());
        (results.games() > 0).then_some(Met { bots: [lower, higher], results, worth })
    }
}

impl Worth {
    fn of(results: &PairedResults, different: u64) -> Worth {
        let share = different as f64 / results.games() as f64;
        // What was played is worth something, however often it was repeated.
        let worth = |count: u64| ((count as f64 * share).round() as u64).max(count.min(1));
        let (pairs, singles) = (results.pairs.pairs(), results.singles.iter().sum());
        Worth { pairs: worth(pairs), singles: worth(singles) }
    }

    fn games(&self) -> u64 {
        2 * self.pairs + self.singles
    }
}

/// The share of the repetitions beyond each end of an interval. It is half of 2.5%: pairs that are
/// drawn from a few vary less than those that the few stand for.
const BEYOND_END: f64 = 0.0125;

/// Ratings of a tournament need some prior; a millionth of a draw changes nothing but the extremes.
const PRIOR_MIN: f64 = 1e-6;

/// The value below which this share of the sorted values lies, between two of them by their distance.
fn percentile(sorted: &[f64], share: f64) -> Option<f64> {
    let position = share * sorted.len().checked_sub(1)? as f64;
    let below = position.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    let fraction = position - below as f64;
    Some(sorted[below] + fraction * (sorted[above] - sorted[below]))
}

//! The rating of one bot among opponents whose ratings are known.

use quintain_core::SplitMix64;

use super::resample::Resampler;
use super::{BEYOND_END, Rating, RatingSettings, Worth, percentile};
use crate::elo::{ELO_MAX, expected_score};
use crate::pairs::PairedResults;

/// The games of a bot against an opponent whose rating is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownOpponent {
    pub rating: f64,
    /// From the view of the bot that is rated.
    pub results: PairedResults,
    /// Games that are no copies of others.
    pub different: u64,
}

/// The rating at which the points against all of them together are those to be expected; `None` without
/// games. The ratings of the opponents stay as they are, so that the bot is placed on their scale and does
/// not move it; `settings.anchor` means nothing here.
///
/// The draws that every bot is given beforehand are against the strongest opponent: whoever climbs a ladder
/// stops at somebody of about its own strength. The interval is made as that of [`super::rate`].
pub fn rate_among(opponents: &[KnownOpponent], settings: &RatingSettings) -> Option<Rating> {
    let met: Vec<&KnownOpponent> =
        opponents.iter().filter(|opponent| opponent.results.games() > 0).collect();
    let strongest = met.iter().map(|opponent| opponent.rating).max_by(f64::total_cmp)?;
    let worths: Vec<Worth> =
        met.iter().map(|known| Worth::of(&known.results, known.different)).collect();
    let prior = Share {
        rating: strongest,
        games: settings.prior_draws,
        points: 0.5 * settings.prior_draws,
    };
    let rated = |points: &mut dyn FnMut(usize) -> f64| {
        let share = |(index, known): (usize, &&KnownOpponent)| Share {
            rating: known.rating,
            games: worths[index].games() as f64,
            points: points(index),
        };
        let shares: Vec<Share> =
            met.iter().enumerate().map(share).chain(std::iter::once(prior)).collect();
        likeliest(&shares)
    };
    let value = rated(&mut |index| {
        let results = &met[index].results;
        results.points() / results.games() as f64 * worths[index].games() as f64
    });
    let resampler = |(known, worth): (&&KnownOpponent, &Worth)| {
        Resampler::new(&known.results, *worth, expected_score(value - known.rating))
    };
    let resamplers: Vec<Resampler> = met.iter().zip(&worths).map(resampler).collect();
    let mut random = SplitMix64::new(settings.seed);
    let mut samples: Vec<f64> = (0..settings.resamples)
        .map(|_| rated(&mut |index| resamplers[index].points(&mut random)))
        .collect();
    samples.sort_by(f64::total_cmp);
    let end = |share: f64| percentile(&samples, share).unwrap_or(value);
    let points: f64 = met.iter().map(|known| known.results.points()).sum();
    let games: u64 = met.iter().map(|known| known.results.games()).sum();
    let low = if points == 0.0 { value - ELO_MAX } else { end(BEYOND_END).min(value) };
    let is_unbeaten = points == games as f64;
    let high = if is_unbeaten { value + ELO_MAX } else { end(1.0 - BEYOND_END).max(value) };
    Some(Rating { value, low, high })
}

/// What was got out of games against one rating.
#[derive(Clone, Copy)]
struct Share {
    rating: f64,
    games: f64,
    points: f64,
}

/// Where the points are those to be expected. What is expected grows with the rating, so that halving finds
/// it.
fn likeliest(shares: &[Share]) -> f64 {
    /// Of halvings: then the error is below a millionth of a point.
    const HALVINGS: u32 = 40;
    let surplus = |rating: f64| -> f64 {
        let of = |share: &Share| share.points - share.games * expected_score(rating - share.rating);
        shares.iter().map(of).sum()
    };
    let ratings = || shares.iter().map(|share| share.rating);
    let mut low = ratings().fold(f64::INFINITY, f64::min) - ELO_MAX;
    let mut high = ratings().fold(f64::NEG_INFINITY, f64::max) + ELO_MAX;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if surplus(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo::elo_of_score;
    use crate::pairs::Pentanomial;

    fn opponent(rating: f64, pairs: [u64; 5]) -> KnownOpponent {
        let results = PairedResults { pairs: Pentanomial(pairs), singles: [0; 3] };
        KnownOpponent { rating, results, different: results.games() }
    }

    fn without_prior() -> RatingSettings {
        RatingSettings { prior_draws: 0.0, ..RatingSettings::default() }
    }

    #[test]
    fn three_points_of_four_are_191_elo_above_the_opponent() {
        let rating = rate_among(&[opponent(1000.0, [0, 0, 50, 0, 50])], &without_prior());
        let rating = rating.expect("there are games");
        assert!((rating.value - 1000.0 - elo_of_score(0.75)).abs() < 1e-6, "{rating:?}");
        assert!(
            rating.low < rating.value - 20.0 && rating.value + 20.0 < rating.high,
            "{rating:?}"
        );
    }

    #[test]
    fn who_lost_nothing_has_no_upper_end_and_who_won_nothing_no_lower_one() {
        let settings = RatingSettings::default();
        let unbeaten = rate_among(&[opponent(1000.0, [0, 0, 0, 0, 9])], &settings);
        let unbeaten = unbeaten.expect("there are games");
        assert!(unbeaten.value > 1000.0 && unbeaten.interval_in_words().ends_with("or more"));
        let beaten = rate_among(&[opponent(1000.0, [9, 0, 0, 0, 0])], &settings);
        let beaten = beaten.expect("there are games");
        assert!(beaten.value < 1000.0 && beaten.interval_in_words().ends_with("or less"));
    }

    #[test]
    fn without_games_there_is_no_rating() {
        assert_eq!(rate_among(&[opponent(1000.0, [0; 5])], &RatingSettings::default()), None);
        assert_eq!(rate_among(&[], &RatingSettings::default()), None);
    }
}

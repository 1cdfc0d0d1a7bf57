//! Ratings by round: Glicko-2, for ladders on which bots change and old games fade.
//!
//! The arithmetic is that of the crate skillratings. A round of the tournament is a rating period:
//! all of its games are judged by the ratings before it.

use std::collections::BTreeMap;

use quintain_core::Seat;
use quintain_record::BotId;
use skillratings::Outcomes;
use skillratings::glicko2::{
    Glicko2Config, Glicko2Rating, confidence_interval, glicko2_rating_period,
};

use crate::copies::Contents;
use crate::match_result::{MatchResult, Score};
use crate::rating::Rating;

/// Games by round, to be rated. Games may come in any order, each one once.
#[derive(Clone, Debug)]
pub struct GlickoLadder {
    bots: u32,
    tau: f64,
    rounds: BTreeMap<u32, Period>,
}

/// What two bots did, by pair of bots.
type Period = BTreeMap<(BotId, BotId), Met>;

/// The games of two bots in a round.
#[derive(Clone, Debug, Default)]
struct Met {
    /// Losses, draws and wins of the lower bot.
    counts: [u32; 3],
    /// Who had the first seat, and what was played.
    games: Vec<(BotId, Option<u64>)>,
}

impl Met {
    /// As many games as are different ones, with the points of all: copies of a game show nothing new.
    /// `before` is what the two have played in earlier rounds.
    fn worth(&self, before: &mut Contents) -> [u32; 3] {
        let different =
            self.games.iter().filter(|(first, content)| before.add(*first, *content)).count()
                as u64;
        let [losses, draws, wins] = self.counts.map(u64::from);
        let games = losses + draws + wins;
        let rounded = |count: u64| (2 * count * different + games) / (2 * games.max(1));
        let wins = rounded(wins);
        let losses = rounded(losses).min(different - wins);
        [losses, different - wins - losses, wins].map(|count| count as u32)
    }
}

/// A rating with what Glicko-2 knows besides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlickoRating {
    /// The rating with 1.96 deviations either way, which is where it lies 95 times in a hundred if games are
    /// independent and nobody is far from the others.
    pub rating: Rating,
    pub deviation: f64,
    pub volatility: f64,
}

/// How fast volatility may change, as Glickman suggests for games without surprises.
pub const TAU: f64 = 0.5;

impl GlickoLadder {
    /// `tau` is best between 0.3 and 1.2; see [`TAU`].
    pub fn new(bots: u32, tau: f64) -> GlickoLadder {
        GlickoLadder { bots, tau, rounds: BTreeMap::new() }
    }

    /// Adds a finished game; a void one counts for nothing.
    pub fn add(&mut self, result: &MatchResult) {
        let [first, second] = result.bots.0;
        let lower_seat = if first < second { Seat::First } else { Seat::Second };
        let Some(score) = result.finish.score(lower_seat) else { return };
        let period = self.rounds.entry(result.id.round).or_default();
        let met = period.entry((first.min(second), first.max(second))).or_default();
        met.counts[usize::from(score.half_points())] += 1;
        met.games.push((first, result.content));
    }

    /// The rating of each bot after all rounds, in the order of the list. Who takes no part in a
    /// round becomes less certain.
    pub fn rate(&self) -> Vec<GlickoRating> {
        let config = Glicko2Config { tau: self.tau, ..Glicko2Config::new() };
        let mut ratings = vec![Glicko2Rating::new(); self.bots as usize];
        let mut contents: BTreeMap<(BotId, BotId), Contents> = BTreeMap::new();
        for period in self.rounds.values() {
            let mut games = vec![Vec::new(); self.bots as usize];
            for (&(lower, higher), met) in period {
                let before = contents.entry((lower, higher)).or_default();
                for (score, count) in
                    [Score::Loss, Score::Draw, Score::Win].into_iter().zip(met.worth(before))
                {
                    let repeat = |opponent: BotId, score: Score| {
                        std::iter::repeat_n(
                            (ratings[opponent.index()], outcome(score)),
                            count as usize,
                        )
                    };
                    games[lower.index()].extend(repeat(higher, score));
                    games[higher.index()].extend(repeat(lower, score.other()));
                }
            }
            let rated = ratings.iter().zip(&games);
            ratings =
                rated.map(|(own, games)| glicko2_rating_period(own, games, &config)).collect();
        }
        ratings.iter().map(described).collect()
    }
}

fn outcome(score: Score) -> Outcomes {
    match score {
        Score::Win => Outcomes::WIN,
        Score::Draw => Outcomes::DRAW,
        Score::Loss => Outcomes::LOSS,
    }
}

fn described(rating: &Glicko2Rating) -> GlickoRating {
    let (low, high) = confidence_interval(rating);
    GlickoRating {
        rating: Rating { value: rating.rating, low, high },
        deviation: rating.deviation,
        volatility: rating.volatility,
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::PerSeat;
    use quintain_record::MatchId;

    use super::*;
    use crate::match_result::Finish;

    fn game(round: u32, number: u32, bots: [u32; 2], finish: Finish) -> MatchResult {
        MatchResult {
            id: MatchId { round, pairing: number, seed_index: 0, swapped: false },
            bots: PerSeat(bots.map(BotId)),
            finish,
            errors: PerSeat::default(),
            content: None,
        }
    }

    #[test]
    fn a_round_is_judged_by_the_ratings_before_it() {
        let mut ladder = GlickoLadder::new(4, TAU);
        for result in [
            game(0, 0, [0, 1], Finish::Won(Seat::First)),
            game(0, 1, [0, 2], Finish::Won(Seat::First)),
            game(0, 2, [2, 1], Finish::Drawn),
            game(0, 3, [1, 3], Finish::Void),
        ] {
            ladder.add(&result);
        }
        let config = Glicko2Config::new();
        let start = Glicko2Rating::new();
        let expected = |outcomes: &[Outcomes]| {
            let games: Vec<_> = outcomes.iter().map(|&outcome| (start, outcome)).collect();
            described(&glicko2_rating_period(&start, &games, &config))
        };
        let rated = ladder.rate();
        assert_eq!(rated[0], expected(&[Outcomes::WIN, Outcomes::WIN]));
        assert_eq!(rated[1], expected(&[Outcomes::LOSS, Outcomes::DRAW]));
        assert_eq!(rated[2], rated[1], "the same results, the same rating");
        assert_eq!(rated[3], described(&start), "a void game is none");
        ladder.add(&game(1, 0, [1, 2], Finish::Drawn));
        assert!(ladder.rate()[0].deviation > rated[0].deviation, "who does not play fades");
        let Rating { value, low, high } = rated[0].rating;
        assert!(
            low < value && value < high && (high - value - 1.96 * rated[0].deviation).abs() < 1e-9
        );
    }

    #[test]
    fn rounds_come_in_any_order_and_lopsided_ones_end() {
        let mut games: Vec<MatchResult> = (0..40)
            .flat_map(|round| (0..200).map(move |number| (round, number)))
            .map(|(round, number)| {
                let finish = if round == 7 { Finish::Drawn } else { Finish::Won(Seat::First) };
                game(round, number, [1, 0], finish)
            })
            .collect();
        let rate = |games: &[MatchResult]| {
            let mut ladder = GlickoLadder::new(2, TAU);
            games.iter().for_each(|game| ladder.add(game));
            ladder.rate()
        };
        let straight = rate(&games);
        games.reverse();
        assert_eq!(straight, rate(&games));
        assert!(straight[1].rating.low > straight[0].rating.high, "{straight:?}");
        assert!(straight.iter().all(|rated| rated.rating.value.is_finite()), "{straight:?}");
    }
}

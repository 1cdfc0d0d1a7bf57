//! Made-up tournaments, for tests and for measuring how long standings take.

use quintain_core::{Chance, PerSeat, Seat, SplitMix64};
use quintain_record::{BotId, MatchId};

use crate::book::Book;
use crate::elo::{ELO_PER_UNIT, expected_score};
use crate::match_result::{Finish, MatchResult};
use crate::rating::{Contest, RatingSettings, fit};
use crate::standings::{Standings, standings};

/// How games between made-up bots come out.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The strength of each bot, in Elo points.
    pub strengths: Vec<f64>,
    /// How many Elo points the first seat is worth.
    pub seat_advantage: f64,
    /// The share of drawn games.
    pub draws: f64,
    /// The share of seeds that decide: who wins one of their games wins the other as well.
    pub alike: f64,
}

impl Field {
    /// Bots that are the given number of points apart.
    pub fn ladder(bots: u32, step: f64) -> Field {
        let strengths = (0..bots).map(|bot| f64::from(bot) * step).collect();
        Field { strengths, seat_advantage: 35.0, draws: 0.1, alike: 0.0 }
    }

    /// A round robin with this many pairs of games between each two bots, round by round.
    pub fn games(&self, pairs: u32, seed: u64) -> impl Iterator<Item = MatchResult> {
        let bots = self.strengths.len() as u32;
        let met: Vec<[BotId; 2]> = BotId::all(bots)
            .flat_map(|one| BotId::all(one.0).map(move |other| [one, other]))
            .collect();
        let mut random = SplitMix64::new(seed);
        (0..pairs)
            .flat_map(move |round| (0..).zip(met.clone()).map(move |met| (round, met)))
            .flat_map(move |(round, (pairing, [one, other]))| {
                let first = self.finish([one, other], &mut random);
                let second = match first {
                    Finish::Won(seat) if luck(&mut random) < self.alike => {
                        Finish::Won(seat.other())
                    }
                    _ => self.finish([other, one], &mut random),
                };
                [(false, first), (true, second)].map(|(swapped, finish)| MatchResult {
                    id: MatchId { round, pairing, seed_index: 0, swapped },
                    bots: PerSeat(if swapped { [other, one] } else { [one, other] }),
                    finish,
                    errors: PerSeat::default(),
                    content: None,
                })
            })
    }

    /// The ratings that endlessly many games of a round robin would give, with a mean of 0. They are not
    /// the strengths: draws and the seat bring the points of two bots closer together.
    pub fn ratings(&self) -> Vec<f64> {
        let bots = self.strengths.len() as u32;
        let points = |one: BotId, other: BotId| {
            let apart = self.strengths[one.index()] - self.strengths[other.index()];
            let shares = [self.seat_advantage, -self.seat_advantage]
                .map(|advantage| expected_score(apart + advantage));
            0.5 * self.draws + (1.0 - self.draws) * 0.5 * (shares[0] + shares[1])
        };
        let contest = |one: BotId, other: BotId| Contest {
            bots: [one, other],
            games: 1.0,
            points: points(one, other),
        };
        let contests: Vec<Contest> = BotId::all(bots)
            .flat_map(|one| BotId::all(one.0).map(move |other| (one, other)))
            .map(|(one, other)| contest(one, other))
            .collect();
        let strengths = fit(bots, &contests, 0.0).expect("nobody wins for certain");
        strengths.iter().map(|strength| ELO_PER_UNIT * strength).collect()
    }

    fn finish(&self, seats: [BotId; 2], random: &mut SplitMix64) -> Finish {
        let [first, second] = seats.map(|bot| self.strengths[bot.index()]);
        let share = expected_score(first - second + self.seat_advantage);
        if luck(random) < self.draws {
            Finish::Drawn
        } else if luck(random) < share {
            Finish::Won(Seat::First)
        } else {
            Finish::Won(Seat::Second)
        }
    }
}

/// Evenly from 0 to 1.
fn luck(random: &mut SplitMix64) -> f64 {
    f64::from(random.below(1 << 30)) / f64::from(1 << 30)
}

/// Standings over about this many made-up games of eight bots, from the games to the last interval:
/// what a measurement calls.
pub fn standings_of_made_up_games(games: u32) -> Standings {
    const BOTS: u32 = 8;
    let field = Field::ladder(BOTS, 25.0);
    let mut book = Book::new(BOTS);
    book.extend(field.games(games / (BOTS * (BOTS - 1)), 1));
    standings(&book, &RatingSettings::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_made_up_tournament_ranks_its_bots_by_strength() {
        let table = standings_of_made_up_games(20_000);
        assert_eq!(table.games, 357 * 56);
        let order: Vec<u32> = table.rows.iter().map(|row| row.bot.0).collect();
        assert_eq!(order, [7, 6, 5, 4, 3, 2, 1, 0]);
        assert_eq!(table, standings_of_made_up_games(20_000), "the same seed, the same table");
    }
}

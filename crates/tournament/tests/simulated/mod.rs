//! Simulated pairs of games, for tests of what is claimed about them.

use quintain_core::{Chance as _, PerSeat, Seat, SplitMix64};
use quintain_record::MatchId;
use quintain_tournament::{Finish, MatchResult, NEW, OLD};

/// What each outcome of a pair is likely to be between equal bots, by half points from 0 to 4.
pub(crate) type Shape = [f64; 5];

/// Two independent games without draws.
pub(crate) const PLAIN: Shape = [0.25, 0.0, 0.5, 0.0, 0.25];
/// Two independent games of which six in ten are drawn.
pub(crate) const DRAWS: Shape = [0.04, 0.24, 0.44, 0.24, 0.04];
/// The seed decides: who wins one of its games wins the other as well.
pub(crate) const CORRELATED: Shape = [0.45, 0.0, 0.1, 0.0, 0.45];
/// The seat decides nine games in ten.
pub(crate) const SEAT_BIASED: Shape = [0.09, 0.0, 0.82, 0.0, 0.09];
/// The seat decides 97 games in a hundred.
pub(crate) const SEAT_DECIDES: Shape = [0.029, 0.0, 0.942, 0.0, 0.029];
/// What is won is won narrowly, what is lost is lost twice.
pub(crate) const SKEWED: Shape = [0.2, 0.0, 0.4, 0.4, 0.0];

/// The shape with its mean moved to this share of the points, by weights that grow evenly.
pub(crate) fn tilted(shape: &Shape, share: f64) -> Shape {
    let tilt = |by: f64| {
        let weights: Shape = std::array::from_fn(|i| shape[i] * (by * (i as f64 - 2.0)).exp());
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    };
    let (mut low, mut high) = (-20.0, 20.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        let below = mean(&tilt(middle)) < share;
        *(if below { &mut low } else { &mut high }) = middle;
    }
    tilt(low)
}

/// The share of the points.
pub(crate) fn mean(shape: &Shape) -> f64 {
    (0..5).map(|outcome| shape[outcome] * outcome as f64 / 4.0).sum()
}

/// Where the outcome of a pair comes from.
#[derive(Clone, Copy)]
pub(crate) enum Luck {
    /// From the shape, and every game is a new one.
    Fresh,
    /// From one of so many openings, each of which always ends the same way, drawn from the shape once.
    Openings(u32),
    /// From the shape; pairs that are lost twice are always the same two games.
    LossesAlike,
}

/// The pairs of a comparison, one after the other.
pub(crate) struct Pairs {
    shape: Shape,
    luck: Luck,
    openings: Vec<usize>,
    random: SplitMix64,
    played: u32,
}

impl Pairs {
    pub(crate) fn new(shape: Shape, luck: Luck, seed: u64) -> Pairs {
        let mut random = SplitMix64::new(seed);
        let openings = if let Luck::Openings(count) = luck { count } else { 0 };
        let openings = (0..openings).map(|_| draw(&shape, &mut random)).collect();
        Pairs { shape, luck, openings, random, played: 0 }
    }

    pub(crate) fn played(&self) -> u32 {
        self.played
    }

    pub(crate) fn next_pair(&mut self) -> [MatchResult; 2] {
        let round = self.played;
        self.played += 1;
        let (half_points, content) = match self.luck {
            Luck::Openings(count) => {
                let opening = self.random.below(count);
                (self.openings[opening as usize], Some(u64::from(opening)))
            }
            Luck::Fresh => (draw(&self.shape, &mut self.random), None),
            Luck::LossesAlike => match draw(&self.shape, &mut self.random) {
                0 => (0, Some(0)),
                half_points => (half_points, None),
            },
        };
        let first_game = half_points.min(2);
        [(false, first_game), (true, half_points - first_game)].map(|(swapped, half_points)| {
            MatchResult { content, ..game(round, swapped, half_points) }
        })
    }
}

/// A game of the new version, which has the second seat unless swapped.
fn game(round: u32, swapped: bool, half_points: usize) -> MatchResult {
    let new_seat = if swapped { Seat::First } else { Seat::Second };
    MatchResult {
        id: MatchId { round, pairing: 0, seed_index: 0, swapped },
        bots: PerSeat(if swapped { [NEW, OLD] } else { [OLD, NEW] }),
        finish: match half_points {
            0 => Finish::Won(new_seat.other()),
            1 => Finish::Drawn,
            _ => Finish::Won(new_seat),
        },
        errors: PerSeat::default(),
        content: None,
    }
}

/// One of the outcomes, by how likely they are.
pub(crate) fn draw(shape: &Shape, random: &mut SplitMix64) -> usize {
    let mut left = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    for (outcome, share) in shape.iter().enumerate() {
        left -= share;
        if left < 0.0 {
            return outcome;
        }
    }
    shape.iter().rposition(|&share| share > 0.0).expect("some outcome is possible")
}

/// The count that this many tries of a risk exceed once in a hundred times.
pub(crate) fn count_max(tries: u64, risk: f64) -> u64 {
    let mean = tries as f64 * risk;
    (mean + 2.33 * (mean * (1.0 - risk)).sqrt()).ceil() as u64
}

//! Where luck comes from. Rules receive it as a parameter and never store it.

/// A source of random draws with one primitive, so that draws can be recorded as plain integers.
pub trait Chance {
    /// A number from 0 to `n - 1`, each equally likely. `n` must not be 0.
    fn below(&mut self, n: u32) -> u32;

    /// Called by the referee before each step with [`Game::turn`](crate::Game::turn). A source
    /// that derives its draws from the turn starts anew here.
    fn begin_turn(&mut self, _turn: u32) {}
}

impl<C: Chance + ?Sized> Chance for &mut C {
    fn below(&mut self, n: u32) -> u32 {
        (**self).below(n)
    }

    fn begin_turn(&mut self, turn: u32) {
        (**self).begin_turn(turn);
    }
}

/// A source that goes on in a copy just as it would have here, for positions that are tried out.
pub trait Luck: Chance + Send {
    fn clone_luck(&self) -> Box<dyn Luck>;
}

impl<C: Chance + Clone + Send + 'static> Luck for C {
    fn clone_luck(&self) -> Box<dyn Luck> {
        Box::new(self.clone())
    }
}

/// For games that draw nothing inside a turn: any draw is a bug of the rules.
#[derive(Clone, Copy, Debug)]
pub struct NoChance;

impl Chance for NoChance {
    fn below(&mut self, _n: u32) -> u32 {
        panic!("the rules drew a random number where none is allowed")
    }
}

/// Every game takes seeds of so many bits, and a person can type them.
pub const SEED_BITS_USUAL: u32 = 31;

/// A seed of so many bits (see [`Game::SEED_BITS`](crate::Game::SEED_BITS)), all equally likely if
/// those of `random` are. The highest bits are taken, so that neighbours among the numbers that
/// `random` was mixed from are none among seeds: where they are, some games draw alike.
pub const fn drawn_seed(bits: u32, random: u64) -> i64 {
    assert!(bits > 0 && bits < 64, "a drawn seed is a number that is not negative");
    (random >> (64 - bits)) as i64
}

/// SplitMix64 by Steele, Lea and Flood: small, fast, and the same stream on every machine and in
/// every version of this project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    pub const fn new(seed: u64) -> Self {
        SplitMix64 { state: seed }
    }

    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

impl Chance for SplitMix64 {
    /// Lemire's method: the high half of a product, with the few biased values drawn again.
    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "a draw needs at least one value");
        loop {
            let product = (self.next_u64() >> 32) * u64::from(n);
            let low = product as u32;
            if low >= n || low >= n.wrapping_neg() % n {
                return (product >> 32) as u32;
            }
        }
    }
}

/// The referee's usual source: a fresh generator per turn, derived from the match's seed, so that
/// an extra draw in one turn does not shift the next.
#[derive(Clone, Debug)]
pub struct SeededChance {
    seed: i64,
    generator: SplitMix64,
}

impl SeededChance {
    pub fn new(seed: i64) -> Self {
        SeededChance { seed, generator: Self::generator_of(seed, 0) }
    }

    fn generator_of(seed: i64, turn: u32) -> SplitMix64 {
        let mut mixer = SplitMix64::new(seed as u64);
        SplitMix64::new(mixer.next_u64() ^ u64::from(turn).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

impl Chance for SeededChance {
    fn below(&mut self, n: u32) -> u32 {
        self.generator.below(n)
    }

    fn begin_turn(&mut self, turn: u32) {
        self.generator = Self::generator_of(self.seed, turn);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_gives_its_published_values() {
        let mut generator = SplitMix64::new(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(expected.map(|_| generator.next_u64()), expected);
    }

    #[test]
    fn draws_stay_below_their_bound_and_reach_every_value() {
        let mut generator = SplitMix64::new(7);
        for n in 1..40 {
            let mut seen = vec![false; n as usize];
            for _ in 0..2_000 {
                seen[generator.below(n) as usize] = true;
            }
            assert!(seen.iter().all(|&s| s), "bound {n}");
        }
    }

    #[test]
    fn a_copy_of_luck_goes_on_as_the_first_one_does() {
        let mut luck: Box<dyn Luck> = Box::new(SplitMix64::new(3));
        luck.below(6);
        let mut copy = luck.clone_luck();
        let draws = |luck: &mut dyn Chance| [0; 8].map(|_| luck.below(1000));
        assert_eq!(draws(luck.as_mut()), draws(copy.as_mut()));
    }

    #[test]
    fn an_extra_draw_does_not_shift_the_next_turn() {
        let draws = |extra: bool| {
            let mut chance = SeededChance::new(-5);
            chance.begin_turn(7);
            chance.below(10);
            if extra {
                chance.below(10);
            }
            chance.begin_turn(8);
            [chance.below(1000), chance.below(1000)]
        };
        assert_eq!(draws(false), draws(true));
    }
}

//! The generator of the Kotlin library, for draws that must come out as the original engines make
//! them.
//!
//! It is Marsaglia's xorwow, which adds a counter to a shift register of five words; how it is seeded
//! and how draws are derived from it is the same on every platform that Kotlin runs on.

use crate::Chance;

/// `kotlin.random.Random` with a known seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KotlinRandom {
    register: [u32; 5],
    counter: u32,
}

/// Added to the counter at each step.
const COUNTER_STEP: u32 = 362_437;
/// The first numbers of a weak seed are poor; these many are thrown away.
const WARM_UP: usize = 64;

impl KotlinRandom {
    pub fn new(seed: i32) -> Self {
        let high = seed >> 31;
        let (low, high) = (seed as u32, high as u32);
        let mut random =
            KotlinRandom { register: [low, high, 0, 0, !low], counter: (low << 10) ^ (high >> 4) };
        for _ in 0..WARM_UP {
            random.next_u32();
        }
        random
    }

    /// The bits of Kotlin's `nextInt()`.
    #[inline]
    fn next_u32(&mut self) -> u32 {
        let [x, y, z, w, v] = self.register;
        let shifted = x ^ (x >> 2);
        let next = shifted ^ (shifted << 1) ^ v ^ (v << 4);
        self.register = [y, z, w, v, next];
        self.counter = self.counter.wrapping_add(COUNTER_STEP);
        next.wrapping_add(self.counter)
    }

    /// Kotlin's `nextInt()`: any 32-bit number.
    #[inline]
    pub fn next_int(&mut self) -> i32 {
        self.next_u32() as i32
    }

    /// Kotlin's `nextBoolean()`: the highest bit of a number.
    #[inline]
    pub fn next_boolean(&mut self) -> bool {
        self.next_u32() >> 31 != 0
    }

    /// Kotlin's `nextInt(until)`: a number from 0 to `until - 1`.
    ///
    /// # Panics
    /// If the bound is not positive, where Kotlin throws.
    pub fn next_int_until(&mut self, until: i32) -> i32 {
        assert!(until > 0, "a draw needs at least one value");
        if until & (until - 1) == 0 {
            // The highest bits; of a bound of 1 there are none, and a draw is made all the same.
            let drawn = u64::from(self.next_u32());
            return (drawn >> (32 - until.trailing_zeros())) as i32;
        }
        // The few numbers above the last whole multiple of the bound would favour low results.
        loop {
            let drawn = (self.next_u32() >> 1) as i32;
            let result = drawn % until;
            if drawn.wrapping_sub(result).wrapping_add(until - 1) >= 0 {
                return result;
            }
        }
    }
}

/// One stream for a whole match, as the original engines use it.
impl Chance for KotlinRandom {
    fn below(&mut self, n: u32) -> u32 {
        let until = i32::try_from(n).expect("no rule draws from more than 2^31 values");
        self.next_int_until(until) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first booleans of a seed, as the original engine of Worms was seen to draw them: `p` is
    /// true.
    fn booleans(seed: i32) -> String {
        let mut random = KotlinRandom::new(seed);
        (0..64).map(|_| if random.next_boolean() { 'p' } else { 's' }).collect()
    }

    #[test]
    fn booleans_are_those_of_kotlin() {
        let expected = "pspppsssspsspspspsspppssspssssssssspppssppsspssspppsspsppsssppps";
        assert_eq!(booleans(0), expected);
        let expected = "sppppsppsssppsppspsppsspspppsssspppppppppspsppsppspssppsssppppps";
        assert_eq!(booleans(1), expected);
    }

    #[test]
    fn a_draw_from_two_is_a_boolean() {
        let (mut drawn, mut random) = (KotlinRandom::new(-5), KotlinRandom::new(-5));
        for _ in 0..100 {
            assert_eq!(drawn.below(2) == 1, random.next_boolean());
        }
    }

    #[test]
    fn draws_stay_below_their_bound_and_reach_every_value() {
        let mut random = KotlinRandom::new(7);
        for n in 1..40 {
            let mut seen = vec![false; n as usize];
            for _ in 0..2_000 {
                seen[random.below(n) as usize] = true;
            }
            assert!(seen.iter().all(|&s| s), "bound {n}");
        }
        let bound = (1 << 30) + 1;
        assert!((0..100).all(|_| random.next_int_until(bound) < bound));
    }
}

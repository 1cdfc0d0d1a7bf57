//! The generator of the Java library, for maps that must come out as the original engines draw them.
//!
//! It is a linear congruence of 48 bits whose constants and derived draws are part of the published
//! documentation of `java.util.Random`, so every Java runtime gives the same stream.

/// `java.util.Random` with a known seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JavaRandom {
    state: u64,
}

const MULTIPLIER: u64 = 0x5_DEEC_E66D;
const INCREMENT: u64 = 0xB;
const STATE_MASK: u64 = (1 << 48) - 1;

impl JavaRandom {
    pub const fn new(seed: i64) -> Self {
        JavaRandom { state: (seed as u64 ^ MULTIPLIER) & STATE_MASK }
    }

    /// The highest `bits` of the next state, at most 32, as the signed number that Java makes of it.
    #[inline]
    fn next(&mut self, bits: u32) -> i32 {
        let product = self.state.wrapping_mul(MULTIPLIER);
        self.state = product.wrapping_add(INCREMENT) & STATE_MASK;
        (self.state >> (48 - bits)) as u32 as i32
    }

    /// Java's `nextInt()`: any 32-bit number.
    #[inline]
    pub fn next_int(&mut self) -> i32 {
        self.next(32)
    }

    /// Java's `nextInt(bound)`: a number from 0 to `bound - 1`.
    ///
    /// # Panics
    /// If the bound is not positive, where Java throws.
    #[inline]
    pub fn next_int_below(&mut self, bound: i32) -> i32 {
        assert!(bound > 0, "a draw needs at least one value");
        let drawn = self.next(31);
        if bound & (bound - 1) == 0 {
            return ((i64::from(bound) * i64::from(drawn)) >> 31) as i32;
        }
        // The few numbers above the last whole multiple of the bound would favour low results.
        let mut drawn = drawn;
        loop {
            let result = drawn % bound;
            if drawn.wrapping_sub(result).wrapping_add(bound - 1) >= 0 {
                return result;
            }
            drawn = self.next(31);
        }
    }

    /// Java's `nextLong()`: two draws, the lower one signed.
    #[inline]
    pub fn next_long(&mut self) -> i64 {
        let (high, low) = (i64::from(self.next(32)), i64::from(self.next(32)));
        (high << 32).wrapping_add(low)
    }

    /// Java's `nextBoolean()`.
    #[inline]
    pub fn next_boolean(&mut self) -> bool {
        self.next(1) != 0
    }

    /// Java's `nextDouble()`: from 0 to below 1, in steps of 2^-53.
    #[inline]
    pub fn next_double(&mut self) -> f64 {
        let (high, low) = (i64::from(self.next(26)), i64::from(self.next(27)));
        ((high << 27) + low) as f64 / (1_i64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_those_of_java() {
        let mut random = JavaRandom::new(42);
        let expected = [-1_170_105_035, 234_785_527, -1_360_544_799, 205_897_768];
        assert_eq!(expected.map(|_| random.next_int()), expected);
        let mut random = JavaRandom::new(0);
        let expected = [-1_155_484_576, -723_955_400, 1_033_096_058, -1_690_734_402];
        assert_eq!(expected.map(|_| random.next_int()), expected);
    }

    #[test]
    fn bounded_integers_are_those_of_java() {
        let mut random = JavaRandom::new(42);
        let expected = [30, 63, 48, 84, 70];
        assert_eq!(expected.map(|_| random.next_int_below(100)), expected);
        let mut random = JavaRandom::new(42);
        let expected = [11, 0, 10, 0, 4];
        assert_eq!(expected.map(|_| random.next_int_below(16)), expected);
        let mut random = JavaRandom::new(-7);
        assert!((0..99).all(|_| random.next_int_below(1) == 0));
    }

    #[test]
    fn biased_draws_are_repeated() {
        // With this bound almost every second draw is refused.
        let bound = (1 << 30) + 1;
        let mut random = JavaRandom::new(1);
        let mut plain = JavaRandom::new(1);
        let mut drawn = || plain.next(31);
        for _ in 0..50 {
            let expected = loop {
                let drawn = drawn();
                if drawn < bound {
                    break drawn;
                }
            };
            assert_eq!(random.next_int_below(bound), expected);
        }
    }

    #[test]
    fn longs_doubles_and_booleans_are_those_of_java() {
        let mut random = JavaRandom::new(42);
        let expected = [-5_025_562_857_975_149_833, -5_843_495_416_241_995_736];
        assert_eq!(expected.map(|_| random.next_long()), expected);
        let mut random = JavaRandom::new(42);
        let expected = [0.727_563_680_032_868_1, 0.683_223_471_759_845_4, 0.308_719_455_332_659_76];
        assert_eq!(expected.map(|_| random.next_double()), expected);
        let mut random = JavaRandom::new(42);
        let expected = [true, false, true, false, false];
        assert_eq!(expected.map(|_| random.next_boolean()), expected);
    }
}

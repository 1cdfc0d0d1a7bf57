//! How long a bot inside the process may think. Games have no clock: whoever asks a bot lends it one.

use std::time::Duration;

/// How long ago a question came, by the clock of whoever asked it.
pub type Elapsed<'a> = dyn FnMut() -> Duration + 'a;

/// For whoever has no clock: no time passes.
pub fn no_time() -> Duration {
    Duration::ZERO
}

/// Lets somebody think where nobody has a clock.
pub fn unhurried<T>(think: impl FnOnce(&mut Thinking<'_>) -> T) -> T {
    think(&mut Thinking::new(&mut no_time, Duration::MAX))
}

/// The part of a time limit after which a bot that goes by the clock answers. The rest is for a machine
/// that lets it wait.
const ENOUGH: f64 = 0.7;

/// The time for one answer.
///
/// A bot that thinks for longer than a moment asks often, some thousand times a second, whether or not it
/// goes by the clock: a referee hears meanwhile what others say.
pub struct Thinking<'a> {
    elapsed: &'a mut Elapsed<'a>,
    limit: Duration,
}

impl<'a> Thinking<'a> {
    pub fn new(elapsed: &'a mut Elapsed<'a>, limit: Duration) -> Thinking<'a> {
        Thinking { elapsed, limit }
    }

    /// The part of the limit that has passed since the question: 1 at the deadline. It stays 0 where nobody
    /// has a clock, so that a bot needs another bound too.
    pub fn used(&mut self) -> f64 {
        let elapsed = (self.elapsed)();
        elapsed.as_secs_f64() / self.limit.as_secs_f64().max(f64::MIN_POSITIVE)
    }

    /// Whether it is time to answer.
    pub fn is_over(&mut self) -> bool {
        self.used() >= ENOUGH
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_answers_before_its_limit_and_never_where_no_time_passes() {
        let limit = Duration::from_millis(100);
        let is_over = |milliseconds| {
            Thinking::new(&mut || Duration::from_millis(milliseconds), limit).is_over()
        };
        assert!(!is_over(0) && !is_over(60));
        assert!(is_over(80) && is_over(1_000));
        assert!(!Thinking::new(&mut no_time, limit).is_over());
        assert!(!Thinking::new(&mut no_time, Duration::ZERO).is_over());
    }
}

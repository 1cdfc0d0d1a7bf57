//! What a game is measured by: whole matches that are the same in every run.

mod recorded;

use std::fmt;

pub use recorded::{Recorded, recorded, recorded_shown, select_matches};

/// Matches that are played over and over, to be timed and counted.
pub trait Workload: 'static {
    /// Matches after which the same ones come again; figures are taken of whole rounds.
    fn round(&self) -> u64 {
        1
    }

    /// Plays so many matches, set-up included, and returns the turns played. Every `advance`, or
    /// what stands for it, lies between [`StepMeter::before`] and [`StepMeter::after`]; nothing else does.
    fn play(&self, matches: u64, watch: &mut (impl StepMeter + ?Sized)) -> u64;
}

/// Is told of every step of a workload. `()` watches nothing, at no cost.
pub trait StepMeter {
    fn before(&mut self);
    fn after(&mut self);
}

impl StepMeter for () {
    #[inline]
    fn before(&mut self) {}

    #[inline]
    fn after(&mut self) {}
}

/// A workload of a game, by its name. A game lists its own in one static, which the registry is
/// given; random play needs no entry.
#[derive(Clone, Copy, Debug)]
pub struct NamedWorkload {
    /// What follows the game's name and a hyphen: `league-2`.
    pub name: &'static str,
    pub source: Source,
}

/// What the matches of a workload are made from.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    Seed(fn(i64) -> Prepared),
    /// Recordings of the game in the order of their names, each read only when it is asked for.
    Recordings(fn(&mut dyn Iterator<Item = Recording>) -> Result<Prepared, PrepareError>),
}

/// The simplest bot of a game whose questions all have the same length: it says one line after every
/// so many that it hears. Its matches cost nothing but what the referee costs.
#[derive(Clone, Copy, Debug)]
pub struct Stub {
    pub line: &'static str,
    pub lines_heard: u32,
}

/// The lines of a recorded match, the header first.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The file's name, for messages.
    pub name: String,
    pub lines: Vec<String>,
}

/// Recordings from which no workload can be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrepareError(pub String);

impl fmt::Display for PrepareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PrepareError {}

/// A workload that is ready to be played, without its type. The loop over its turns is compiled
/// where [`Prepared::new`] is called, with everything known; a call through here is one per run.
pub struct Prepared(Box<dyn Erased>);

impl Prepared {
    pub fn new(workload: impl Workload) -> Prepared {
        Prepared(Box::new(workload))
    }

    /// As [`Workload::round`].
    pub fn round(&self) -> u64 {
        self.0.erased_round()
    }

    /// Plays so many matches and returns the turns played.
    pub fn play(&self, matches: u64) -> u64 {
        self.0.erased_play(matches)
    }

    /// The same with somebody who is told of every step. Only for the counter of allocations: a second
    /// copy of a loop costs the first one up to a third of its speed, since a function with one
    /// caller is optimised together with it.
    #[cfg(feature = "watch")]
    pub fn play_watched(&self, matches: u64, watch: &mut dyn StepMeter) -> u64 {
        self.0.erased_play_watched(matches, watch)
    }
}

trait Erased {
    fn erased_round(&self) -> u64;
    fn erased_play(&self, matches: u64) -> u64;
    #[cfg(feature = "watch")]
    fn erased_play_watched(&self, matches: u64, watch: &mut dyn StepMeter) -> u64;
}

impl<W: Workload> Erased for W {
    fn erased_round(&self) -> u64 {
        self.round()
    }

    fn erased_play(&self, matches: u64) -> u64 {
        self.play(matches, &mut ())
    }

    #[cfg(feature = "watch")]
    fn erased_play_watched(&self, matches: u64, watch: &mut dyn StepMeter) -> u64 {
        self.play(matches, watch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Matches of three turns.
    struct Threes;

    impl Workload for Threes {
        fn play(&self, matches: u64, watch: &mut (impl StepMeter + ?Sized)) -> u64 {
            for _ in 0..3 * matches {
                watch.before();
                watch.after();
            }
            3 * matches
        }
    }

    #[derive(Default)]
    struct Count {
        is_open: bool,
        steps: u64,
    }

    impl StepMeter for Count {
        fn before(&mut self) {
            assert!(!std::mem::replace(&mut self.is_open, true), "steps do not nest");
        }

        fn after(&mut self) {
            assert!(std::mem::take(&mut self.is_open), "a step begins before it ends");
            self.steps += 1;
        }
    }

    #[test]
    fn a_workload_plays_the_same_prepared_or_watched() {
        let mut count = Count::default();
        assert_eq!(Threes.play(5, &mut count), 15);
        assert_eq!(count.steps, 15);
        let prepared = Prepared::new(Threes);
        assert_eq!((prepared.play(5), prepared.round()), (15, 1));
    }
}

//! How far a run is, and how long it will take.

use std::time::Duration;

use quintain_report::chart;
use quintain_tournament::{grouped, spoken};

/// A bar with its words.
pub(crate) struct Progress {
    pub(crate) done: String,
    /// What is left, while it is played.
    pub(crate) left: Option<String>,
    pub(crate) bar: String,
}

/// So many of what a run consists of are done, in so much time.
pub(crate) struct Pace {
    pub(crate) done: u64,
    pub(crate) planned: u64,
    pub(crate) time: Duration,
    /// Whether there will be that many, or fewer.
    pub(crate) is_exact: bool,
    /// What they are called.
    pub(crate) what: &'static str,
}

impl Progress {
    pub(crate) fn new(pace: &Pace, is_playing: bool) -> Progress {
        let Pace { done, planned, is_exact, what, .. } = *pace;
        let most = if is_exact { "" } else { "at most " };
        let told = format!("{} of {most}{} {what}", grouped(done), grouped(planned));
        let about = if is_exact { "about" } else { "at most about" };
        let left = pace.left().filter(|_| is_playing);
        Progress {
            bar: chart::progress(&told, done as f64 / planned.max(1) as f64),
            done: told,
            left: left.map(|left| format!("{about} {} left", spoken(left))),
        }
    }
}

impl Pace {
    /// What the rest takes if it is like what was done.
    fn left(&self) -> Option<Duration> {
        let rest = self.planned.saturating_sub(self.done) as f64;
        let seconds = self.time.as_secs_f64() / self.done as f64 * rest;
        Duration::try_from_secs_f64(seconds).ok().filter(|left| !left.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(done: u64, is_exact: bool) -> Progress {
        let time = Duration::from_secs(30);
        Progress::new(&Pace { done, planned: 200, time, is_exact, what: "games" }, true)
    }

    #[test]
    fn what_is_left_follows_from_what_was_played() {
        let half = progress(50, true);
        assert_eq!(half.done, "50 of 200 games");
        assert_eq!(half.left.as_deref(), Some("about 1 min 30 s left"));
        let test = progress(50, false);
        assert_eq!(test.done, "50 of at most 200 games");
        assert_eq!(test.left.as_deref(), Some("at most about 1 min 30 s left"));
    }

    #[test]
    fn before_the_first_game_nobody_knows_how_long_it_takes() {
        assert_eq!(progress(0, true).left, None);
    }
}

//! Recorded matches as a workload, for games whose original was measured so: positions are set up and
//! actions read beforehand, and what is timed is the rules, with or without what bots are shown.

use super::{PrepareError, Recording, StepMeter, Workload};
use crate::{Chance, Game, PerSeat, Replies};

/// A match that can be played again and again.
#[derive(Clone, Debug)]
pub struct RecordedMatch<G: Game, C> {
    pub start: G,
    /// As it stands before the first turn.
    pub chance: C,
    pub replies: Vec<Replies<G::Action>>,
}

impl<G: Game, C: Chance + Copy> RecordedMatch<G, C> {
    /// Plays the match and returns its last position.
    pub fn play(&self) -> G {
        self.play_shown(|_| {}, &mut ())
    }

    /// The match itself, if it ends with the scores that were recorded.
    ///
    /// # Errors
    /// Both scores.
    pub fn scored(self, recorded: PerSeat<i64>) -> Result<Self, String> {
        let scores = self.play().outcome().map(|outcome| outcome.scores);
        if scores == Some(recorded) {
            return Ok(self);
        }
        Err(format!("expected the scores {recorded:?}, got {scores:?}"))
    }

    /// As [`RecordedMatch::play`], with `show` called before each turn.
    fn play_shown(&self, mut show: impl FnMut(&G), watch: &mut (impl StepMeter + ?Sized)) -> G {
        let (mut game, mut chance) = (self.start.clone(), self.chance);
        for replies in &self.replies {
            show(&game);
            watch.before();
            game.advance(replies, &mut chance, &mut ());
            watch.after();
        }
        game
    }
}

/// Reads all recordings that `read` wants.
///
/// # Errors
/// Names the recording that is not played as it was, or says that there is none of `wanted`.
pub fn select_matches<M>(
    recordings: &mut dyn Iterator<Item = Recording>,
    wanted: &str,
    read: impl Fn(&[String]) -> Result<Option<M>, String>,
) -> Result<Vec<M>, PrepareError> {
    let mut matches = Vec::new();
    for Recording { name, lines } in recordings {
        let one = read(&lines).map_err(|wrong| PrepareError(format!("{name}: {wrong}")))?;
        matches.extend(one);
    }
    if matches.is_empty() {
        return Err(PrepareError(format!("expected {wanted} among the recordings, got none")));
    }
    Ok(matches)
}

/// The rules alone.
pub struct RecordedMatches<G: Game, C>(pub Vec<RecordedMatch<G, C>>);

impl<G: Game, C: Chance + Copy + 'static> Workload for RecordedMatches<G, C> {
    fn round(&self) -> u64 {
        self.0.len() as u64
    }

    fn play(&self, matches: u64, watch: &mut (impl StepMeter + ?Sized)) -> u64 {
        play_all(&self.0, matches, |_| {}, watch)
    }
}

/// The rules, and all that both bots are shown before each turn.
pub struct ShownMatches<G: Game, C, S> {
    pub matches: Vec<RecordedMatch<G, C>>,
    /// Makes what appends to a buffer what both seats are shown; made anew for every run, as it is
    /// for every match.
    pub shows: fn() -> S,
}

impl<G: Game, C: Chance + Copy + 'static, S: Show<G> + 'static> Workload for ShownMatches<G, C, S> {
    fn round(&self) -> u64 {
        self.matches.len() as u64
    }

    fn play(&self, matches: u64, watch: &mut (impl StepMeter + ?Sized)) -> u64 {
        let mut show = (self.shows)();
        let mut buffer = Vec::new();
        let shown = |game: &G| {
            buffer.clear();
            show.append(game, &mut buffer);
            std::hint::black_box(&buffer);
        };
        play_all(&self.matches, matches, shown, watch)
    }
}

/// Renders what both seats are shown.
pub trait Show<G> {
    fn append(&mut self, game: &G, out: &mut Vec<u8>);
}

fn play_all<G: Game, C: Chance + Copy>(
    recorded: &[RecordedMatch<G, C>],
    matches: u64,
    mut show: impl FnMut(&G),
    watch: &mut (impl StepMeter + ?Sized),
) -> u64 {
    let mut turns = 0;
    for one in recorded.iter().cycle().take(matches as usize) {
        std::hint::black_box(one.play_shown(&mut show, watch));
        turns += one.replies.len() as u64;
    }
    turns
}

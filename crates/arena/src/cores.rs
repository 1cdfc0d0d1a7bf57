//! How many games at a time: as many as have a processor to themselves, and not one more.

use std::num::NonZero;
use std::thread;

use quintain_referee::Ask;

/// How many games are played at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concurrency(NonZero<usize>);

/// More games than this machine has processors for: bots would be late through no fault of theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected {}: bots that share a core are late through no fault of theirs",
    self.expected()
)]
pub struct CoresError {
    pub wanted: usize,
    pub most: usize,
    pub of_a_match: usize,
    pub cores: usize,
}

impl CoresError {
    fn expected(&self) -> String {
        let CoresError { wanted, most, of_a_match, cores } = self;
        let [games, plural] = [most, cores].map(|&number| if number == 1 { "" } else { "s" });
        if *most == 0 {
            return format!(
                "{of_a_match} cores, one for each bot of a game, found {cores} core{plural}"
            );
        }
        format!(
            "at most {most} game{games} at a time, found {wanted}, where a game takes {of_a_match} \
             of {cores} core{plural}"
        )
    }
}

impl Concurrency {
    /// What is wanted, or as many as fit into the cores. With `force` nothing is refused.
    ///
    /// # Errors
    /// If it is more than the cores can bear.
    pub fn new(
        wanted: Option<NonZero<usize>>,
        ask: Ask,
        cores: usize,
        force: bool,
    ) -> Result<Concurrency, CoresError> {
        let of_a_match = cores_of_a_match(ask);
        let most = cores / of_a_match;
        let wanted = wanted.map_or(most.max(1), NonZero::get);
        if wanted > most && !force {
            return Err(CoresError { wanted, most, of_a_match, cores });
        }
        Ok(Concurrency(NonZero::new(wanted).expect("at least one game is played at a time")))
    }

    pub fn get(self) -> usize {
        self.0.get()
    }
}

/// What a match needs: bots that are asked in turn never think at the same time.
pub fn cores_of_a_match(ask: Ask) -> usize {
    match ask {
        Ask::InTurn => 1,
        Ask::Together => 2,
    }
}

/// What this process may use.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(wanted: usize, ask: Ask, cores: usize, force: bool) -> Result<usize, CoresError> {
        Concurrency::new(NonZero::new(wanted), ask, cores, force).map(Concurrency::get)
    }

    #[test]
    fn the_cores_are_divided_by_what_a_match_needs() {
        assert_eq!(games(0, Ask::InTurn, 8, false), Ok(8));
        assert_eq!(games(0, Ask::Together, 8, false), Ok(4));
        assert_eq!(games(0, Ask::Together, 3, false), Ok(1));
        assert_eq!(games(5, Ask::InTurn, 8, false), Ok(5));
    }

    #[test]
    fn more_than_fit_are_refused_unless_forced() {
        let error = games(9, Ask::InTurn, 8, false).expect_err("nine do not fit");
        assert_eq!((error.most, error.wanted), (8, 9));
        let text = "expected at most 8 games at a time, found 9, where a game takes 1 of 8 cores: ";
        assert!(error.to_string().starts_with(text), "{error}");
        assert_eq!(games(9, Ask::InTurn, 8, true), Ok(9));
        let alone = games(0, Ask::Together, 1, false).expect_err("two bots, one core");
        let text = "expected 2 cores, one for each bot of a game, found 1 core: bots that share a \
                    core are late through no fault of theirs";
        assert_eq!(alone.to_string(), text);
        assert_eq!(games(0, Ask::Together, 1, true), Ok(1));
    }
}

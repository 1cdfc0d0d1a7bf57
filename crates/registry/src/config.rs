//! A config without its type, and the setups that were drawn with it.

use std::any::Any;
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};

use quintain_core::{Edition, FieldError, Game};
use serde_json::Value;

/// How many setups are kept. The two games of a seed are played one after the other or side by side, so
/// this is enough for as many pairs of games at a time.
const SETUPS_KEPT: usize = 8;

/// A config that a game has found playable. It is made once for all matches of a run, and nothing is
/// read again for each of them.
#[derive(Clone)]
pub struct ReadyConfig {
    pub edition: Edition,
    /// As replays keep it.
    pub value: Arc<Value>,
    /// The game that it is of.
    game: &'static str,
    typed: Arc<dyn Any + Send + Sync>,
}

impl ReadyConfig {
    pub(crate) fn new<G: Game>(edition: Edition, config: G::Config) -> ReadyConfig {
        let value = serde_json::to_value(&config).expect("a config is plain data");
        let typed = Typed::<G> { config, setups: Mutex::default() };
        ReadyConfig { edition, value: Arc::new(value), game: G::ID, typed: Arc::new(typed) }
    }

    pub(crate) fn typed<G: Game>(&self) -> Result<&Typed<G>, FieldError> {
        let typed = self.typed.downcast_ref();
        let expected = || format!("one of {}", G::ID);
        typed.ok_or_else(|| FieldError::new("config", expected(), format!("one of {}", self.game)))
    }
}

/// A config with its type.
pub(crate) struct Typed<G: Game> {
    pub(crate) config: G::Config,
    /// The newest ones with their seeds, the oldest of them first.
    setups: Mutex<VecDeque<(i64, Place<G>)>>,
}

/// Where a setup is once it has been drawn.
type Place<G> = Arc<OnceLock<<G as Game>::Setup>>;

impl<G: Game> Typed<G> {
    /// As [`Game::generate`], drawn once for all matches with this seed that are played at about the same
    /// time: a map of Code Royale costs as much as a fifth of its match.
    pub(crate) fn setup(&self, seed: i64) -> G::Setup {
        let drawn = self.place_for(seed);
        // Whoever comes while another one draws it waits for it.
        drawn.get_or_init(|| G::generate(&self.config, seed)).clone()
    }

    fn place_for(&self, seed: i64) -> Place<G> {
        let mut setups = self.setups.lock().expect("nobody panics while holding it");
        if let Some((_, drawn)) = setups.iter().find(|(known, _)| *known == seed) {
            return Arc::clone(drawn);
        }
        if setups.len() == SETUPS_KEPT {
            setups.pop_front();
        }
        let drawn = Arc::default();
        setups.push_back((seed, Arc::clone(&drawn)));
        drawn
    }
}

impl fmt::Debug for ReadyConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReadyConfig({}, {})", self.edition.name(), self.value)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use quintain_code_royale::CodeRoyale;

    use super::*;

    fn ready() -> ReadyConfig {
        let config = CodeRoyale::config(Edition::Original);
        ReadyConfig::new::<CodeRoyale>(Edition::Original, config)
    }

    #[test]
    fn a_setup_that_is_kept_is_the_one_that_would_be_drawn() {
        let ready = ready();
        let typed = ready.typed::<CodeRoyale>().expect("a config of this game");
        thread::scope(|scope| {
            for first in 0..4 {
                scope.spawn(move || {
                    for step in 0..60 {
                        // Near enough to meet the others, and too many to be kept.
                        let seed = ((step / 2 + first) % (2 * SETUPS_KEPT as i64)) << 40;
                        let expected = CodeRoyale::generate(&typed.config, seed);
                        assert_eq!(typed.setup(seed), expected, "seed {seed}");
                    }
                });
            }
        });
    }

    #[test]
    fn the_newest_setups_are_kept() {
        let ready = ready();
        let typed = ready.typed::<CodeRoyale>().expect("a config of this game");
        let first = typed.place_for(0);
        let others: Vec<_> = (1..SETUPS_KEPT as i64).map(|seed| typed.place_for(seed)).collect();
        assert!(Arc::ptr_eq(&first, &typed.place_for(0)));
        assert!(!Arc::ptr_eq(&first, &others[0]));
        typed.place_for(-1);
        assert!(!Arc::ptr_eq(&first, &typed.place_for(0)), "the oldest is forgotten");
    }
}

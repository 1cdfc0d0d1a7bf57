//! A config without its type.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use quintain_core::{Edition, FieldError, Game};
use serde_json::Value;

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
        ReadyConfig { edition, value: Arc::new(value), game: G::ID, typed: Arc::new(config) }
    }

    pub(crate) fn typed<G: Game>(&self) -> Result<&G::Config, FieldError> {
        let typed = self.typed.downcast_ref();
        let expected = || format!("one of {}", G::ID);
        typed.ok_or_else(|| FieldError::new("config", expected(), format!("one of {}", self.game)))
    }
}

impl fmt::Debug for ReadyConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReadyConfig({}, {})", self.edition.name(), self.value)
    }
}

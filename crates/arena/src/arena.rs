//! How every match is played, and what can go wrong besides.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quintain_links::Sandbox;
use quintain_record::{BotId, Contestant, MatchId};
use quintain_registry::{MatchError, Playable, PrivateKey, ReadyConfig};
use quintain_store::StoreError;
use quintain_tournament::{PlannedMatch, RecordError};

use crate::Forgiveness;
use crate::plan::MatchSettings;
use crate::work::{ElsewhereError, OrderError};

/// What all matches of a tournament have in common.
pub struct Arena {
    pub game: &'static dyn Playable,
    /// In the order in which schedules count them.
    pub contestants: Vec<Contestant>,
    /// What they consist of, in the same order, for their replays.
    pub digests: Vec<BTreeMap<String, String>>,
    pub settings: MatchSettings,
    /// As the settings want it.
    pub config: ReadyConfig,
    pub replays: Replays,
    /// Which bots are still excused when the machine kept them waiting.
    pub forgiveness: Forgiveness,
    /// Signs the replays.
    pub signer: Option<Arc<PrivateKey>>,
    /// Where the store is, if it is a file: replays below it are kept relative to it, so that both
    /// can be moved together.
    pub store_folder: Option<PathBuf>,
    /// What of the time scale is for the speed of this machine, as a server measured it.
    pub machine_scale: f64,
    /// What holds programs; `None`: they are trusted.
    pub sandbox: Option<Arc<Sandbox>>,
}

/// Which replays are kept, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replays {
    None,
    /// Those of games in which a bot failed or the machine did.
    Troubled(PathBuf),
    All(PathBuf),
}

impl Replays {
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Replays::None => None,
            Replays::Troubled(folder) | Replays::All(folder) => Some(folder),
        }
    }
}

impl Arena {
    pub fn name(&self, bot: BotId) -> &str {
        &self.contestants[bot.index()].name
    }

    /// The file of a game's replay: the same for the same game, so that what a killed process left
    /// half-written is replaced.
    pub(crate) fn replay_of(&self, planned: &PlannedMatch, attempt: u32) -> Option<PathBuf> {
        let folder = self.replays.folder()?;
        let [first, second] = planned.bots.0.map(|bot| file_name_part(self.name(bot)));
        let (id, seed) = (planned.id, planned.seed);
        let again = if attempt == 1 { String::new() } else { format!("-again{}", attempt - 1) };
        Some(folder.join(format!("{id}-{first}-vs-{second}-{seed}{again}.replay.jsonl.zst")))
    }
}

/// Letters, digits, `-` and `_` of a name; everything else becomes `_`. Never empty.
pub fn file_name_part(name: &str) -> String {
    const CHARS_MAX: usize = 40;
    let safe = |c: char| {
        if c.is_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' }
    };
    let part: String = name.chars().take(CHARS_MAX).map(safe).collect();
    if part.is_empty() { "_".to_owned() } else { part }
}

/// Why no more games can be played. Everything that a bot does wrong is a result instead.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    #[error("game {id} cannot be played: {error}")]
    Match { id: MatchId, error: MatchError },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the store does not fit the schedule: {0}")]
    Record(#[from] RecordError),
    /// The games cannot be played by other machines.
    #[error("{0}")]
    Order(OrderError),
    /// Other machines cannot be reached, or refuse.
    #[error("{0}")]
    Elsewhere(ElsewhereError),
    #[error("no worker could play {}:\n{log}", games_in_words(games))]
    GivenUp { games: Vec<MatchId>, log: String },
    #[error("a bug in quintain ended game {id}, please report it")]
    Aborted { id: MatchId },
    #[error("cannot write {}: {error}", path.display())]
    Replay { path: PathBuf, error: io::Error },
}

fn games_in_words(games: &[MatchId]) -> String {
    match games {
        [game] => format!("the game of {}", game.in_words()),
        [first, ..] => format!("{} games, the first of {}", games.len(), first.in_words()),
        [] => "some games".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_safe_parts_of_file_names() {
        assert_eq!(file_name_part("../a b/c"), "___a_b_c");
        assert_eq!(file_name_part(""), "_");
        assert_eq!(file_name_part("équipe-1"), "équipe-1");
    }
}

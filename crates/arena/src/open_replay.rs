//! A replay in a file, and the game that it is of.

use std::path::Path;

use quintain_registry::{AnyGame, find, known_games};
use quintain_replay::{Reader, Recording as _, ReplayError};

#[derive(Debug, thiserror::Error)]
pub enum OpenReplayError {
    #[error(transparent)]
    Read(#[from] ReplayError),
    #[error("expected a replay of {known}, found one of `{found}`")]
    OtherGame { known: String, found: String },
}

/// The replay in a file, read as far as its header, and its game.
pub fn open_replay(
    path: &Path,
) -> Result<(Reader<'static>, &'static dyn AnyGame), OpenReplayError> {
    let replay = Reader::open(path)?;
    let found = &replay.header().game;
    let other = || OpenReplayError::OtherGame { known: known_games(), found: found.clone() };
    let game = find(found).ok_or_else(other)?;
    Ok((replay, game))
}

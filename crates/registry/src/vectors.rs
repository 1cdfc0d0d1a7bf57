//! Recorded matches of the original engines, as files.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use quintain_core::Difference;
use serde::Deserialize;

use crate::{find, known_games};

/// The first bytes of gzip.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
/// More than this is no recorded match.
const FILE_BYTES_MAX: u64 = 1 << 30;

/// Why a recorded match does not pass.
#[derive(Debug, thiserror::Error)]
pub enum VectorError {
    #[error("cannot read: {0}")]
    Read(std::io::Error),
    #[error("line 1: expected a header with \"kind\" and \"game\", found {0}")]
    Header(String),
    #[error("line 1: expected a game of this list: {known}, found `{game}`")]
    UnknownGame { game: String, known: String },
    #[error("{0} has no recordings: expected those of an original engine")]
    None(&'static str),
    #[error(transparent)]
    Difference(#[from] Difference),
}

/// Replays one file, compressed or plain, through the rules and the protocol of its game.
///
/// # Errors
/// The file cannot be read, names no known game, or the first difference.
pub fn conform_file(path: &Path) -> Result<(), VectorError> {
    let lines = read_lines(path).map_err(VectorError::Read)?;
    let id = game_of(lines.first().map_or("", String::as_str))?;
    let game =
        find(&id).ok_or_else(|| VectorError::UnknownGame { game: id, known: known_games() })?;
    let conform = game.facts().abilities.conform.ok_or(VectorError::None(game.facts().id))?;
    Ok(conform(&lines)?)
}

/// The lines of a file, compressed or plain.
pub(crate) fn read_lines(path: &Path) -> std::io::Result<Vec<String>> {
    let mut file = BufReader::new(File::open(path)?);
    let is_compressed = file.fill_buf()?.starts_with(&GZIP_MAGIC);
    let source: Box<dyn Read> =
        if is_compressed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    BufReader::new(source.take(FILE_BYTES_MAX)).lines().collect()
}

/// The game named by the header. A map file has no header; without a name its maps are of worms.
pub(crate) fn game_of(first_line: &str) -> Result<String, VectorError> {
    #[derive(Deserialize)]
    struct First {
        kind: String,
        game: Option<String>,
    }
    let shown = || {
        let head: String = first_line.chars().take(60).collect();
        if head.is_empty() {
            "an empty file".to_owned()
        } else {
            format!("`{}`", quintain_core::printable(&head))
        }
    };
    let first: First =
        serde_json::from_str(first_line).map_err(|_| VectorError::Header(shown()))?;
    match (first.kind.as_str(), first.game) {
        (_, Some(game)) => Ok(game),
        ("map", None) => Ok("worms".to_owned()),
        _ => Err(VectorError::Header(shown())),
    }
}

//! Keys that sign replays, in files.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use quintain_replay::{KeyError, PrivateKey, PublicKey};
use rustix::rand::{GetRandomFlags, getrandom};

/// A private key is read by its owner alone.
const OWNER_ONLY: u32 = 0o600;
/// What nobody else may do with it.
const OTHERS: u32 = 0o077;

#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    #[error("cannot make a key: {0}")]
    Random(io::Error),
    #[error("cannot write the key {}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot read the key {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot read the key {}", path.display())]
    NoKey { path: PathBuf, source: KeyError },
    #[error(
        "expected a key that only its owner can read, found {} with mode {mode:o}; chmod 600 mends it",
        path.display()
    )]
    Open { path: PathBuf, mode: u32 },
}

/// Makes a key and writes it to a new file.
pub fn make_key(path: &Path) -> Result<PrivateKey, KeyFileError> {
    let mut secret = [0; 32];
    let count = getrandom(&mut secret, GetRandomFlags::empty())
        .map_err(|error| KeyFileError::Random(error.into()))?;
    assert_eq!(count, secret.len(), "so few random bytes always come at once");
    let key = PrivateKey::from_secret(secret);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(OWNER_ONLY);
    let failed = |source| KeyFileError::Write { path: path.to_owned(), source };
    let mut file = options.open(path).map_err(failed)?;
    if let Err(error) = writeln!(file, "{}", key.secret_text()) {
        // An empty file would only be in the way of the next attempt.
        let _ = std::fs::remove_file(path);
        return Err(failed(error));
    }
    Ok(key)
}

/// The private key in a file, if nobody else can read that.
pub fn read_key(path: &Path) -> Result<PrivateKey, KeyFileError> {
    let unread = |source| KeyFileError::Read { path: path.to_owned(), source };
    let mode = std::fs::metadata(path).map_err(unread)?.permissions().mode();
    if mode & OTHERS != 0 {
        return Err(KeyFileError::Open { path: path.to_owned(), mode: mode & 0o777 });
    }
    let text = std::fs::read_to_string(path).map_err(unread)?;
    text.parse().map_err(|source| KeyFileError::NoKey { path: path.to_owned(), source })
}

/// A public key: its text, or a file with that or with the private key that it belongs to.
///
/// # Errors
/// It is neither. Nobody should write a private key into a command line, so that is none.
pub fn public_key(word: &str) -> Result<PublicKey, KeyError> {
    let Ok(text) = std::fs::read_to_string(word) else { return word.parse() };
    text.parse::<PrivateKey>().map_or_else(|_| text.parse(), |key| Ok(key.public()))
}

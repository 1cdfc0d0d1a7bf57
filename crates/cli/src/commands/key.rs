//! `quintain key`

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use quintain_replay::{PrivateKey, PublicKey};
use rustix::rand::{GetRandomFlags, getrandom};

use crate::args::{KeyArgs, KeyCommand};
use crate::failure::Failure;

/// A private key is read by its owner alone.
const OWNER_ONLY: u32 = 0o600;
/// What nobody else may do with it.
const OTHERS: u32 = 0o077;

pub(super) fn run(args: &KeyArgs) -> Result<(), Failure> {
    let key = match &args.command {
        KeyCommand::New(file) => make(&file.file)?,
        KeyCommand::Show(file) => read(&file.file)?,
    };
    writeln!(io::stdout().lock(), "{}", key.public())?;
    Ok(())
}

/// Makes a key and writes it to a new file.
fn make(path: &Path) -> Result<PrivateKey, Failure> {
    let mut secret = [0; 32];
    let count = getrandom(&mut secret, GetRandomFlags::empty()).map_err(io::Error::from)?;
    assert_eq!(count, secret.len(), "so few random bytes always come at once");
    let key = PrivateKey::from_secret(secret);
    let context = || format!("cannot write the key {}", path.display());
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(OWNER_ONLY);
    let mut file = options.open(path).with_context(context)?;
    writeln!(file, "{}", key.secret_text()).with_context(context)?;
    Ok(key)
}

fn read(path: &Path) -> anyhow::Result<PrivateKey> {
    let context = || format!("cannot read the key {}", path.display());
    let mode = std::fs::metadata(path).with_context(context)?.permissions().mode();
    if mode & OTHERS != 0 {
        let (path, mode) = (path.display(), mode & 0o777);
        anyhow::bail!(
            "expected a key that only its owner can read, found {path} with mode {mode:o}; \
             chmod 600 mends it"
        );
    }
    let text = std::fs::read_to_string(path).with_context(context)?;
    text.parse().with_context(context)
}

/// The key that `--sign` names. To be called before the first bot starts.
pub(super) fn signer(path: Option<&Path>) -> Result<Option<Arc<PrivateKey>>, Failure> {
    let key = path.map(read).transpose();
    key.map(|key| key.map(Arc::new)).map_err(|error| Failure::usage(format!("--sign: {error:#}")))
}

/// The key that `--signer` names: its text, or a file with that.
pub(super) fn expected_signer(word: &str) -> Result<PublicKey, Failure> {
    let text = match std::fs::read_to_string(word) {
        Ok(text) => text,
        Err(_) => word.to_owned(),
    };
    text.parse().map_err(|error| Failure::usage(format!("--signer: {error}")))
}

//! `quintain key`

use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use quintain_arena::{make_key, public_key, read_key};
use quintain_replay::{PrivateKey, PublicKey};

use crate::args::{KeyArgs, KeyCommand};
use crate::failure::Failure;

pub(super) fn run(args: &KeyArgs) -> Result<(), Failure> {
    let key = match &args.command {
        KeyCommand::New(file) => make_key(&file.file)?,
        KeyCommand::Show(file) => read_key(&file.file)?,
    };
    writeln!(io::stdout().lock(), "{}", key.public())?;
    Ok(())
}

/// The key that `--sign` names. To be called before the first bot starts.
pub(super) fn signer(path: Option<&Path>) -> Result<Option<Arc<PrivateKey>>, Failure> {
    let key = path.map(read_key).transpose().map_err(anyhow::Error::from);
    key.map(|key| key.map(Arc::new)).map_err(|error| Failure::usage(format!("--sign: {error:#}")))
}

/// The key that `--signer` names.
pub(super) fn expected_signer(word: &str) -> Result<PublicKey, Failure> {
    public_key(word).map_err(|error| Failure::usage(format!("--signer: {error}")))
}

//! What is said about the password of a database.

use std::io;
use std::path::Path;

use quintain_arena::{address_with_password, hide_password};

use crate::failure::Failure;
use crate::output::remark;

const ADVICE: &str = "a password on the command line can be read by everybody on this machine until \
    quintain has started, and stays in the history of the shell: give it in PGPASSWORD, in the file of \
    PGPASSFILE or with --store-password-file";

/// Takes a password out of sight, if there is one. To be called first of all.
pub(crate) fn hide() -> io::Result<()> {
    if hide_password()? {
        remark(ADVICE);
    }
    Ok(())
}

/// The address of a store with its password: that of `file`, or the one that was taken out of sight.
pub(crate) fn address(place: &str, file: Option<&Path>) -> Result<String, Failure> {
    address_with_password(place, file).map_err(|error| {
        let path = file.unwrap_or(Path::new("")).display();
        Failure::usage(format!("--store-password-file: cannot read {path}: {error}"))
    })
}

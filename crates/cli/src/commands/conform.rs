//! `quintain conform`

use std::io::Write as _;

use quintain_registry::conform_file;

use crate::args::ConformArgs;
use crate::failure::Failure;

pub(super) fn run(args: &ConformArgs) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let mut failed = 0;
    for file in &args.files {
        if let Err(error) = conform_file(file) {
            failed += 1;
            writeln!(out, "{}: {error}", file.display())?;
        }
    }
    writeln!(out, "{} passed, {failed} failed", args.files.len() - failed)?;
    if failed == 0 { Ok(()) } else { Err(Failure::Told) }
}

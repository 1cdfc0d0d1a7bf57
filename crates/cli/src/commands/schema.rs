//! `quintain schema`

use std::io::Write as _;

use quintain_server::schema;

use crate::args::SchemaArgs;
use crate::failure::Failure;

pub(super) fn run(args: &SchemaArgs) -> Result<(), Failure> {
    let text = schema(&args.name).expect("clap lets only known names pass");
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

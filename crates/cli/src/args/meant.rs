//! Options that a command does not have, and the one of it that does what they say.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, CommandFactory as _};

use super::Arguments;

/// Words that other programs have for what an option of ours does.
const SYNONYMS: [(&str, &str); 8] = [
    ("width", "size"),
    ("height", "size"),
    ("resolution", "size"),
    ("timeout", "limit"),
    ("time-limit", "limit"),
    ("fps", "speed"),
    ("range", "turns"),
    ("dark", "theme"),
];
/// How a store is named: by a file or by the address of a database.
const STORES: [&str; 2] = [".db", ".sqlite"];
const DATABASE: &str = "postgres";

/// What to say of an argument that is known under another name, or that belongs behind an option.
pub(crate) fn meant(args: &[OsString], error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(found)) = error.get(ContextKind::InvalidArg) else { return None };
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let name = args.get(1)?.to_str()?;
    let command = Arguments::command();
    let command = command.find_subcommand(name)?;
    let option = |long: &str| command.get_arguments().find(|known| known.get_long() == Some(long));
    let unknown = |meant: String| {
        format!("`quintain {name}` has no argument `{found}`; did you mean `{meant}`?")
    };
    if let Some(written) = found.strip_prefix("--") {
        let (_, known) = SYNONYMS.iter().find(|(other, _)| *other == written)?;
        return Some(unknown(with_value(option(known)?)));
    }
    let is_store = STORES.iter().any(|end| found.ends_with(end)) || found.starts_with(DATABASE);
    option("store").filter(|_| is_store).map(|_| unknown(format!("--store {found}")))
}

/// An option with the name of its value, as the help shows it.
fn with_value(option: &Arg) -> String {
    let long = option.get_long().unwrap_or_default();
    let value = option.get_value_names().and_then(|names| names.first());
    value.map_or_else(|| format!("--{long}"), |value| format!("--{long} {value}"))
}

/// Takes out the advice to call an option a value: nothing of ours is a value that begins so.
pub(crate) fn without_false_advice(mut error: clap::Error) -> clap::Error {
    let advice = error.get(ContextKind::Suggested).map(ToString::to_string);
    if advice.is_some_and(|advice| advice.contains("as a value")) {
        error.remove(ContextKind::Suggested);
    }
    error
}

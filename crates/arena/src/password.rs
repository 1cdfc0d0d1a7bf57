//! The password of a database. Whoever can list processes sees the words and the variables that a program
//! was started with, bots included, so the program takes its own place without them before anything else
//! happens, and is told the password in a pipe.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use quintain_links::{hand_over, take_over};
use quintain_store::address;
use rustix::process::{DumpableBehavior, set_dumpable_behavior};

/// Where the database's own programs take it from.
const PASSWORD_VARIABLE: &str = "PGPASSWORD";
/// Tells the program that takes this one's place where its password is: the process, which stays the
/// same, the number of the pipe, and whether the password stood on the command line.
const PIPE_VARIABLE: &str = "_QUINTAIN_PASSWORD_PIPE";
const WAS_WRITTEN: &str = "written";
const WAS_SET: &str = "set";

/// What was handed over, as it stands in an address.
static PASSWORD: OnceLock<String> = OnceLock::new();

/// Takes a password out of sight, if there is one, and says whether it was one that stood on the command line.
/// To be called first of all.
///
/// # Errors
/// The system does not let this process take its own place.
pub fn hide_password() -> io::Result<bool> {
    if let Some((number, how)) = pipe_of_this_process() {
        let password = take_over(number)?;
        // What it holds cannot be looked at from outside any more, root's eyes excepted.
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        PASSWORD.get_or_init(|| password);
        return Ok(how == WAS_WRITTEN);
    }
    let variable = std::env::var(PASSWORD_VARIABLE).ok().filter(|password| !password.is_empty());
    let mut written = None;
    let clean = |word: OsString| match word.to_str().and_then(address::split_word) {
        Some((clean, password)) => {
            written = Some(password);
            clean.into()
        }
        None => word,
    };
    let words: Vec<OsString> = std::env::args_os().map(clean).collect();
    let (password, how) = match (written, variable) {
        (Some(written), _) => (written, WAS_WRITTEN),
        (None, Some(variable)) => (address::encoded(&variable), WAS_SET),
        (None, None) => return Ok(false),
    };
    let number = hand_over(&password)?;
    let mut words = words.into_iter();
    let mut again = Command::new(std::env::current_exe()?);
    again.arg0(words.next().unwrap_or_default()).args(words);
    let told = format!("{} {number} {how}", std::process::id());
    again.env_remove(PASSWORD_VARIABLE).env(PIPE_VARIABLE, told);
    Err(again.exec())
}

/// What the program before this one told. A process that was started by it is another one.
fn pipe_of_this_process() -> Option<(i32, String)> {
    let told = std::env::var(PIPE_VARIABLE).ok()?;
    let mut words = told.split(' ');
    let process: u32 = words.next()?.parse().ok()?;
    let number = words.next()?.parse().ok()?;
    (process == std::process::id()).then_some((number, words.next()?.to_owned()))
}

/// The address of a store with its password, unless it has one already: that in the first line of `file`, or
/// the one that was taken out of sight.
///
/// # Errors
/// The file cannot be read.
pub fn address_with_password(place: &str, file: Option<&Path>) -> io::Result<String> {
    let text = file.map(std::fs::read_to_string).transpose()?;
    let read = text.map(|text| address::encoded(text.lines().next().unwrap_or_default()));
    let known = read.as_deref().or_else(|| PASSWORD.get().map(String::as_str));
    Ok(known.map_or_else(|| place.to_owned(), |word| address::with_password(place, word)))
}

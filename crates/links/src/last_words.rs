//! What the error output of a bot that has ended says about its sandbox: which limit it ran into, and which
//! file it was not shown.
//!
//! The system refuses memory, processes and room with an error, and it is the runtime that ends then. Nobody
//! but the runtime says why.

use std::path::{Path, PathBuf};

use quintain_core::{Exit, Limit};
use quintain_sandbox::Plan;

/// What runtimes say when they are refused something.
const PHRASES: [(&str, Limit); 14] = [
    ("MemoryError", Limit::Memory),
    ("std::bad_alloc", Limit::Memory),
    ("OutOfMemoryError", Limit::Memory),
    ("OutOfMemoryException", Limit::Memory),
    ("JavaScript heap out of memory", Limit::Memory),
    ("runtime: out of memory", Limit::Memory),
    ("memory allocation of", Limit::Memory),
    ("Cannot allocate memory", Limit::Memory),
    ("can't start new thread", Limit::Processes),
    ("unable to create native thread", Limit::Processes),
    ("Resource temporarily unavailable", Limit::Processes),
    ("BlockingIOError: [Errno 11]", Limit::Processes),
    ("No space left on device", Limit::Disk),
    ("File too large", Limit::Disk),
];

/// What programs say about a file that they are not shown or may not change.
const REFUSALS: [&str; 8] = [
    "Permission denied",
    "PermissionError",
    "No such file",
    "FileNotFound",
    "NoSuchFile",
    "EACCES",
    "ENOENT",
    "Read-only file system",
];

/// How much of the end of its error output is looked at.
const BYTES_MAX: usize = 16 * 1024;

/// How a bot ended that ended by itself and wrote this.
pub(crate) fn exit_behind(exit: Exit, said: &[u8]) -> Exit {
    if matches!(exit, Exit::Code(0) | Exit::Closed | Exit::Limit(_)) {
        return exit;
    }
    let text = end_of(said);
    let limit = PHRASES.iter().find(|(phrase, _)| text.contains(phrase));
    limit.map_or(exit, |(_, limit)| Exit::Limit(*limit))
}

/// A file on this machine that the bot complains about, and that its sandbox does not show it or not let it
/// change.
pub(crate) fn refused_file(said: &[u8], plan: &Plan) -> Option<PathBuf> {
    let text = end_of(said);
    let complaints =
        text.lines().filter(|line| REFUSALS.iter().any(|phrase| line.contains(phrase)));
    let is_mark = |c: char| c.is_whitespace() || "'\"`:,;()".contains(c);
    complaints
        .flat_map(|line| line.split(is_mark).map(move |word| (line, word)))
        .filter(|(_, word)| word.len() > 1)
        .map(|(line, word)| (line, plan.folder.join(word)))
        .find(|(line, path)| is_refused(line, path, plan))
        .map(|(_, path)| path)
}

/// Whether the sandbox is why a line complains about a path.
fn is_refused(line: &str, path: &Path, plan: &Plan) -> bool {
    let is_within = |folder: &PathBuf| path.starts_with(folder);
    if plan.writable.iter().chain(&plan.scratch).any(is_within) {
        return false;
    }
    let is_for_want_of_rights = line.contains("Read-only") || line.contains("ermission");
    // A file that it wanted to make beside its own is not there.
    let is_beside = is_for_want_of_rights && path.parent() == Some(plan.folder.as_path());
    match plan.shows(path) {
        true => is_for_want_of_rights && (is_beside || path.exists()),
        false => is_beside || path.exists(),
    }
}

fn end_of(said: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(&said[said.len().saturating_sub(BYTES_MAX)..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runtimes_say_which_limit_they_ran_into() {
        let behind = |said: &str| exit_behind(Exit::Code(1), said.as_bytes());
        assert_eq!(behind("Traceback\nMemoryError\n"), Exit::Limit(Limit::Memory));
        assert_eq!(behind("terminate called after std::bad_alloc"), Exit::Limit(Limit::Memory));
        assert_eq!(
            behind("bash: fork: Resource temporarily unavailable"),
            Exit::Limit(Limit::Processes)
        );
        assert_eq!(behind("OSError: [Errno 28] No space left on device"), Exit::Limit(Limit::Disk));
        assert_eq!(behind("IndexError: list index out of range"), Exit::Code(1));
        assert_eq!(exit_behind(Exit::Code(0), b"MemoryError"), Exit::Code(0));
    }

    #[test]
    fn a_file_that_is_there_and_not_shown_is_named() {
        let plan = Plan { system: vec!["/usr".into()], folder: "/usr".into(), ..Plan::default() };
        let said = "python3: can't open file '/etc/passwd': [Errno 2] No such file or directory";
        assert_eq!(refused_file(said.as_bytes(), &plan), Some("/etc/passwd".into()));
        let said = "cat: /etc/no-such-file-at-all: No such file or directory";
        assert_eq!(refused_file(said.as_bytes(), &plan), None);
        let said = "cat: /usr/bin: No such file or directory";
        assert_eq!(refused_file(said.as_bytes(), &plan), None);
    }
}

//! Where `/proc` shows what a process uses.

use std::fs;
use std::path::{Path, PathBuf};

/// The flag of a thread that has begun to end, or has (`PF_EXITING`).
const EXITING: u64 = 4;

/// The folder that shows what a process uses: its own or, if its first thread has ended and others go on, that of one
/// of them. `None` if all of it has ended: what is left of somebody nobody has waited for belongs to root, and holds
/// nothing.
pub(crate) fn shown(pid: i32) -> Option<PathBuf> {
    let own = PathBuf::from(format!("/proc/{pid}"));
    if !is_ending(&own) {
        return Some(own);
    }
    let threads = fs::read_dir(own.join("task")).ok()?.flatten();
    threads.map(|thread| thread.path()).find(|thread| !is_ending(thread))
}

/// Whether a thread is on its way out, or gone.
fn is_ending(thread: &Path) -> bool {
    let flags = fs::read_to_string(thread.join("stat")).ok().and_then(|text| {
        // The name of its program, in brackets, may hold anything.
        text.rsplit_once(") ")?.1.split(' ').nth(6)?.parse::<u64>().ok()
    });
    flags.is_none_or(|flags| flags & EXITING != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_ended_shows_nothing_even_if_nobody_has_waited_for_it() {
        let mut child = std::process::Command::new("true").spawn().expect("a program");
        let pid = child.id().cast_signed();
        while shown(pid).is_some() {
            std::thread::yield_now();
        }
        assert!(
            Path::new(&format!("/proc/{pid}")).exists(),
            "its entry stays until it is waited for"
        );
        child.wait().expect("it has ended");
        let own = std::process::id().cast_signed();
        assert_eq!(shown(own), Some(PathBuf::from(format!("/proc/{own}"))));
    }
}

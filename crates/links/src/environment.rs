//! What a bot finds in its environment: little of this process's own, since what is meant for the
//! organiser (keys, passwords, addresses) is none of a bot's business.

use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStringExt as _;

/// The variables of this process that every bot is given, where they are set: who and where it is, how
/// programs are found, in which language people are spoken to, and where runtimes have their parts. None of
/// them makes a bot play that would not play elsewhere: `PYTHONUNBUFFERED` would hide a missing flush.
pub const INHERITED: [&str; 32] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "TERM",
    "LD_LIBRARY_PATH",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "JAVA_HOME",
    "DOTNET_ROOT",
    "DOTNET_CLI_HOME",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "NODE_PATH",
    "NVM_DIR",
    "GOPATH",
    "GOROOT",
    "RBENV_ROOT",
    "RUBYLIB",
    "CARGO_HOME",
    "RUSTUP_HOME",
];

/// What other variables that every bot is given begin with: the parts of the locale, and what this
/// project tells bots.
pub const INHERITED_PREFIXES: [&str; 2] = ["LC_", "QUINTAIN_"];

/// What every bot is given of this process's environment.
pub fn inherited() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| is_inherited(name))
}

fn is_inherited(name: &OsStr) -> bool {
    let begins = |prefix: &&str| name.as_encoded_bytes().starts_with(prefix.as_bytes());
    INHERITED.iter().any(|other| name == *other) || INHERITED_PREFIXES.iter().any(begins)
}

/// The environment of a new process as the system takes it: what is inherited, with `added` in place
/// of what has the same name.
pub(crate) fn environment(added: &[(String, String)]) -> io::Result<Vec<CString>> {
    let is_replaced = |name: &OsStr| added.iter().any(|(other, _)| name == other.as_str());
    let inherited = inherited().filter(|(name, _)| !is_replaced(name));
    // Of two with the same name the later one is meant.
    let is_last = |at: usize| !added[at + 1..].iter().any(|(later, _)| *later == added[at].0);
    let added = added.iter().enumerate().filter(|(at, _)| is_last(*at));
    let added = added.map(|(_, (name, value))| (OsString::from(name), OsString::from(value)));
    let words = inherited.chain(added).map(|(mut word, value)| {
        word.push("=");
        word.push(value);
        Ok(CString::new(word.into_vec())?)
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_later_takes_the_place_of_what_was_there() {
        let word = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let added = [word("PATH", "/bin"), word("A", "1"), word("PATH", "/usr/bin")];
        let words = environment(&added).expect("no word holds a zero");
        let words: Vec<&str> = words.iter().filter_map(|word| word.to_str().ok()).collect();
        let paths: Vec<&&str> = words.iter().filter(|word| word.starts_with("PATH=")).collect();
        assert_eq!(paths, [&"PATH=/usr/bin"]);
        assert!(words.contains(&"A=1"));
    }

    #[test]
    fn only_names_on_the_list_are_inherited() {
        for name in ["PATH", "HOME", "LC_ALL", "QUINTAIN_NAME", "JAVA_HOME"] {
            assert!(is_inherited(OsStr::new(name)), "{name}");
        }
        for name in [
            "PGPASSWORD",
            "AWS_SECRET_ACCESS_KEY",
            "SSH_AUTH_SOCK",
            "PATHS",
            "_QUINTAIN_X",
            "PYTHONUNBUFFERED",
        ] {
            assert!(!is_inherited(OsStr::new(name)), "{name}");
        }
    }
}

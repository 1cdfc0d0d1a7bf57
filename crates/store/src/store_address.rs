//! Where a store is, read from what the user wrote.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::StoreError;
use crate::address::{is_server, split};

/// Where a store is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StoreAddress {
    /// An absolute path, so that a later change of the working folder means nothing.
    File(PathBuf),
    /// The same, where nothing may be written.
    ReadOnly(PathBuf),
    /// An address with everything in it, the password too.
    Server(String),
}

impl StoreAddress {
    pub(crate) fn parse(given: &str) -> Result<StoreAddress, StoreError> {
        let refuse = |why: &str| {
            Err(StoreError::Address { given: without_password(given), why: why.to_owned() })
        };
        if is_server(given) {
            return Ok(StoreAddress::Server(given.to_owned()));
        }
        let path = match given.strip_prefix("sqlite:") {
            Some(rest) => rest.strip_prefix("//").unwrap_or(rest),
            None if given.contains("://") => return refuse(""),
            None => given,
        };
        if path.is_empty() {
            return refuse(": the path is empty");
        }
        if path == ":memory:" {
            return refuse(": a store outlives its process, so it cannot be in memory");
        }
        match std::path::absolute(path) {
            Ok(path) => Ok(StoreAddress::File(path)),
            Err(error) => refuse(&format!(": {error}")),
        }
    }

    /// The address as the database library reads it. A path is written byte by byte where it holds
    /// anything that an address would take for something else.
    pub(crate) fn url(&self) -> String {
        match self {
            StoreAddress::Server(url) => url.clone(),
            StoreAddress::File(path) | StoreAddress::ReadOnly(path) => {
                let mut url = "sqlite://".to_owned();
                for byte in path.as_os_str().as_encoded_bytes() {
                    match byte {
                        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' => {
                            url.push(char::from(*byte));
                        }
                        _ => url.push_str(&format!("%{byte:02X}")),
                    }
                }
                url.push_str(match self {
                    StoreAddress::ReadOnly(_) if is_at_rest(path) => "?mode=ro&immutable=true",
                    StoreAddress::ReadOnly(_) => "?mode=ro",
                    _ => "?mode=rwc",
                });
                url
            }
        }
    }

    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            StoreAddress::File(path) | StoreAddress::ReadOnly(path) => Some(path),
            StoreAddress::Server(_) => None,
        }
    }
}

impl fmt::Display for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreAddress::File(path) | StoreAddress::ReadOnly(path) => {
                write!(f, "{}", path.display())
            }
            StoreAddress::Server(url) => f.write_str(&without_password(url)),
        }
    }
}

/// Whether everything is in the file itself, so that nothing beside it is needed to read it. The
/// engine's log is gone when the last process has closed the file.
fn is_at_rest(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    !Path::new(&log).is_file()
}

/// `postgres://user:secret@host/name?password=secret` as `postgres://user@host/name`. What stands
/// behind the question mark is left out: a password can be there too.
fn without_password(url: &str) -> String {
    match url.contains("://") {
        true => split(url).0.split(['?', '#']).next().unwrap_or_default().to_owned(),
        false => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(given: &str) -> PathBuf {
        StoreAddress::parse(given).unwrap().file().unwrap().to_owned()
    }

    #[test]
    fn paths_and_addresses_are_told_apart() {
        let here = std::env::current_dir().unwrap();
        assert_eq!(file("final.db"), here.join("final.db"));
        assert_eq!(file("sqlite:final.db"), here.join("final.db"));
        assert_eq!(file("sqlite:///tmp/a b.db"), Path::new("/tmp/a b.db"));
        assert!(StoreAddress::parse("postgres://me@host/games").unwrap().file().is_none());
        assert!(StoreAddress::parse("postgresql:///games").unwrap().file().is_none());
    }

    #[test]
    fn what_is_no_place_is_refused_with_what_was_expected() {
        let check = |given: &str, found: &str| {
            let message = StoreAddress::parse(given).unwrap_err().to_string();
            let expected = "expected a store as PATH, sqlite:PATH or postgres://USER@HOST/DATABASE";
            assert_eq!(message, format!("{expected}, got {found}"));
        };
        check("mysql://me:secret@host/x", "`mysql://me@host/x`");
        check("", "``: the path is empty");
        check("sqlite:", "`sqlite:`: the path is empty");
        let memory = "a store outlives its process, so it cannot be in memory";
        check(":memory:", &format!("`:memory:`: {memory}"));
        check("sqlite::memory:", &format!("`sqlite::memory:`: {memory}"));
    }

    #[test]
    fn passwords_are_not_shown() {
        let show = |given: &str| StoreAddress::parse(given).unwrap().to_string();
        assert_eq!(show("postgres://me:se@cret@host:5432/games"), "postgres://me@host:5432/games");
        assert_eq!(show("postgres://host/games?user=me&password=x"), "postgres://host/games");
    }

    #[test]
    fn odd_characters_of_a_path_survive_the_address() {
        let place = StoreAddress::File(PathBuf::from("/tmp/what? 100%#1.db"));
        assert_eq!(place.url(), "sqlite:///tmp/what%3F%20100%25%231.db?mode=rwc");
        let place = StoreAddress::ReadOnly(PathBuf::from("/tmp/no such.db"));
        assert_eq!(place.url(), "sqlite:///tmp/no%20such.db?mode=ro&immutable=true");
    }
}

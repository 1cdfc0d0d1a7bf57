//! Addresses of what a store holds.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use quintain_core::{ErrorKind, Seat, Verdict};
use quintain_store::RunId;

/// The page of a run.
pub(crate) fn run(id: RunId) -> String {
    format!("/run/{id}")
}

/// The same for a large screen.
pub(crate) fn projector(id: RunId) -> String {
    format!("/run/{id}/projector")
}

/// The page of a bot, by its name.
pub(crate) fn bot(name: &str) -> String {
    format!("/bot?name={}", encoded(name))
}

/// What a bot can make of both games of a seed, as addresses say it; the number of half points is the place.
pub(crate) const PAIR_POINTS: [&str; 5] = ["0", "0.5", "1", "1.5", "2"];

/// The list of matches that are behind a number: everything that is set must be so.
#[derive(Clone, Debug, Default)]
pub(crate) struct Matches(Vec<(&'static str, String)>);

impl Matches {
    pub(crate) fn of_run(name: &str) -> Matches {
        Matches(vec![("run", name.to_owned())])
    }

    pub(crate) fn with(&self, key: &'static str, value: impl Into<String>) -> Matches {
        let mut pairs = self.0.clone();
        pairs.push((key, value.into()));
        Matches(pairs)
    }

    pub(crate) fn bot(&self, name: &str) -> Matches {
        self.with("bot", name)
    }

    pub(crate) fn opponent(&self, name: &str) -> Matches {
        self.with("opponent", name)
    }

    pub(crate) fn verdict(&self, verdict: Verdict) -> Matches {
        self.with("verdict", verdict.code())
    }

    pub(crate) fn seat(&self, seat: Seat) -> Matches {
        self.with("seat", seat.name())
    }

    pub(crate) fn error(&self, kind: ErrorKind) -> Matches {
        self.with("error", kind.code())
    }

    pub(crate) fn address(&self) -> String {
        let pair = |(key, value): &(&str, String)| format!("{key}={}", encoded(value));
        let pairs: Vec<String> = self.0.iter().map(pair).collect();
        match pairs.is_empty() {
            true => "/matches".to_owned(),
            false => format!("/matches?{}", pairs.join("&")),
        }
    }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_values_whatever_they_hold() {
        let list = Matches::of_run("a&b=c").bot("<\"ü +").verdict(Verdict::Win);
        assert_eq!(list.address(), "/matches?run=a%26b%3Dc&bot=%3C%22%C3%BC%20%2B&verdict=win");
        assert_eq!(Matches::default().address(), "/matches");
    }
}

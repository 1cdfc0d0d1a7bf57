//! Which match of a run, and which of its bots.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A bot, by its place in the run's list of bots.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct BotId(pub u32);

impl BotId {
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All bots of a run, in the order of its list.
    pub fn all(bots: u32) -> impl DoubleEndedIterator<Item = BotId> + Clone {
        (0..bots).map(BotId)
    }
}

/// Which match of a run this is; the same however often the run is stopped and begun again. A run has at
/// most one match of an identity.
///
/// The order of identities is the order in which matches are best played. As text an identity is four
/// parts such as `2-0-5-b`, which can be part of a file's name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatchId {
    pub round: u32,
    /// Counts the pairings of the round, from 0.
    pub pairing: u32,
    /// Counts the seeds of the pairing, from 0. The two matches of a seed are a pair.
    pub seed_index: u32,
    /// Whether the bot that the pairing names first has the second seat.
    pub swapped: bool,
}

impl MatchId {
    /// The other match of the same seed.
    pub const fn partner(self) -> MatchId {
        MatchId { swapped: !self.swapped, ..self }
    }

    /// The match as a sentence names it.
    pub fn in_words(self) -> String {
        let MatchId { round, pairing, seed_index, swapped } = self;
        let seats = if swapped { ", seats swapped" } else { "" };
        format!("round {round}, pairing {pairing}, seed {seed_index}{seats}")
    }
}

impl fmt::Display for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let leg = if self.swapped { 'b' } else { 'a' };
        write!(f, "{}-{}-{}-{leg}", self.round, self.pairing, self.seed_index)
    }
}

/// A text that is no [`MatchId`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the identity of a game such as `2-0-5-b`, got `{got}`")]
pub struct MatchIdError {
    pub got: String,
}

impl FromStr for MatchId {
    type Err = MatchIdError;

    fn from_str(text: &str) -> Result<MatchId, MatchIdError> {
        let error = || MatchIdError { got: text.to_owned() };
        let parts: Vec<&str> = text.split('-').collect();
        let [round, pairing, seed_index, leg] = parts[..] else { return Err(error()) };
        let number = |part: &str| part.parse().map_err(|_| error());
        let swapped = match leg {
            "a" => false,
            "b" => true,
            _ => return Err(error()),
        };
        let id = MatchId {
            round: number(round)?,
            pairing: number(pairing)?,
            seed_index: number(seed_index)?,
            swapped,
        };
        // `+1` and `01` are numbers, but not how we write them; one match has one name.
        if id.to_string() == text { Ok(id) } else { Err(error()) }
    }
}

impl Serialize for MatchId {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MatchId {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<MatchId, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_an_identity_as_we_write_it_is_read() {
        for text in ["", "1-2-3", "1-2-3-c", "1-2-3-a-", "+1-2-3-a", "01-2-3-a", "1-2-4294967296-a"]
        {
            let error = MatchId::from_str(text).expect_err(text);
            assert_eq!(error, MatchIdError { got: text.to_owned() });
        }
    }

    proptest! {
        #[test]
        fn an_identity_survives_being_written(
            round: u32, pairing: u32, seed_index: u32, swapped: bool,
        ) {
            let id = MatchId { round, pairing, seed_index, swapped };
            prop_assert_eq!(id.to_string().parse(), Ok(id));
            prop_assert_eq!(id.partner().partner(), id);
        }
    }
}

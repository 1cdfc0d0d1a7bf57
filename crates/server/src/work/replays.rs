//! The replays of one report as one file, so that whoever reports waits for the disk once and not for every game.
//!
//! A line says which games there are and how many bytes each of them has; behind it are the bytes.

use std::collections::BTreeMap;

use quintain_record::MatchId;

/// Replays by their games.
pub(super) type Replays = BTreeMap<MatchId, Vec<u8>>;

pub(super) fn join<'a>(replays: impl Iterator<Item = (MatchId, &'a [u8])> + Clone) -> Vec<u8> {
    let entry = |(game, bytes): (MatchId, &[u8])| format!("{game} {}", bytes.len());
    let line: Vec<String> = replays.clone().map(entry).collect();
    let mut joined = line.join(" ").into_bytes();
    joined.push(b'\n');
    for (_, bytes) in replays {
        joined.extend_from_slice(bytes);
    }
    joined
}

/// What [`join`] made of them; `None` if it is something else.
pub(super) fn split(joined: &[u8]) -> Option<Replays> {
    let end = joined.iter().position(|byte| *byte == b'\n')?;
    let (line, mut rest) = (str::from_utf8(&joined[..end]).ok()?, &joined[end + 1..]);
    let mut replays = Replays::new();
    let mut words = line.split_whitespace();
    while let Some(game) = words.next() {
        let (bytes, others) = rest.split_at_checked(words.next()?.parse().ok()?)?;
        replays.insert(game.parse().ok()?, bytes.to_vec());
        rest = others;
    }
    rest.is_empty().then_some(replays)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replays_are_split_as_they_were_joined_or_not_at_all() {
        let game = |swapped| MatchId { swapped, ..MatchId::default() };
        let replays =
            Replays::from([(game(false), b"one\n".to_vec()), (game(true), b"\0two".to_vec())]);
        let joined = join(replays.iter().map(|(game, bytes)| (*game, bytes.as_slice())));
        assert_eq!(split(&joined), Some(replays));
        assert_eq!(split(&join(std::iter::empty())), Some(Replays::new()));
        for cut in 0..joined.len() {
            assert_eq!(split(&joined[..cut]), None, "{cut} bytes of it");
        }
        assert_eq!(split(&[&joined[..], b"!"].concat()), None, "something is behind it");
    }
}

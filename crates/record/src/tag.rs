//! What bots say about themselves and the match.

use quintain_core::{PerSeat, Seat};
use serde::{Deserialize, Serialize};

/// A value that a bot gave a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tag {
    pub name: String,
    /// The player it is about; `None` if it is about the match.
    pub seat: Option<Seat>,
    /// The turn that the bot named.
    pub turn: Option<u32>,
    pub value: String,
}

/// What bots say about themselves under this name would be taken for what is said about them.
pub const RESERVED_PREFIX: &str = "quintain.";

/// Everything that the bots of a match said about themselves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TagList {
    /// By name, player and turn.
    pub tags: Vec<Tag>,
    /// How many values of each bot were not kept, since it gave too many.
    pub dropped: PerSeat<u64>,
}

/// Bytes of what the bots of a game said about themselves that a store keeps, for each player and for the
/// match: thirty thousand games take less than one and a half gigabytes, whatever their bots say.
const TAG_BYTES_MAX: usize = 16 * 1024;
/// What a value takes beside its name and itself: a row, and its place in two indexes.
const TAG_ROW_BYTES: usize = 64;
/// How many values of a player, or about the match, were not kept. Bots cannot give a value this name.
pub const DROPPED_TAG: &str = "quintain.dropped";

impl TagList {
    /// What the bots said about themselves, as far as there is room: values of the whole match before those of
    /// a turn. What there was no room for is counted.
    pub fn kept(self) -> Vec<Tag> {
        let TagList { mut tags, dropped } = self;
        // The order is kept among those of the match and among those of turns.
        tags.sort_by_key(|tag| tag.turn.is_some());
        let mut rooms: Vec<Room> = [None, Some(Seat::First), Some(Seat::Second)]
            .map(|seat| Room { seat, bytes: 0, dropped: seat.map_or(0, |seat| dropped[seat]) })
            .into();
        let mut kept: Vec<Tag> = Vec::new();
        for tag in tags {
            let room = rooms.iter_mut().find(|room| room.seat == tag.seat);
            let room = room.expect("a tag is about the match or about one of both players");
            if room.takes(&tag) {
                kept.push(tag);
            }
        }
        kept.extend(rooms.iter().filter_map(Room::note));
        kept
    }
}

/// What is kept about one player, or about the match.
struct Room {
    seat: Option<Seat>,
    bytes: usize,
    dropped: u64,
}

impl Room {
    fn takes(&mut self, tag: &Tag) -> bool {
        let bytes = self.bytes + TAG_ROW_BYTES + tag.name.len() + tag.value.len();
        let has_room = bytes <= TAG_BYTES_MAX;
        match has_room {
            true => self.bytes = bytes,
            false => self.dropped += 1,
        }
        has_room
    }

    /// What is said about what was dropped.
    fn note(&self) -> Option<Tag> {
        let (name, value) = (DROPPED_TAG.to_owned(), self.dropped.to_string());
        (self.dropped > 0).then_some(Tag { name, seat: self.seat, turn: None, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: &str, seat: Option<Seat>, turn: Option<u32>, value: &str) -> Tag {
        let (name, value) = (name.to_owned(), value.to_owned());
        Tag { name, seat, turn, value }
    }

    fn bytes_of(tags: &[Tag], seat: Option<Seat>) -> usize {
        let of_seat = tags.iter().filter(|tag| tag.seat == seat);
        of_seat.map(|tag| tag.name.len() + tag.value.len()).sum()
    }

    #[test]
    fn what_a_store_keeps_of_a_flood_of_tags_is_bounded_and_counted() {
        let long = "v".repeat(200);
        let turns = (0..5_000).map(|turn| said("depth", Some(Seat::First), Some(turn), &long));
        let tags = turns.chain([
            said("strategy", Some(Seat::First), None, "rush"),
            said("depth", Some(Seat::Second), Some(3), "7"),
            said("sites", None, None, "24"),
        ]);
        let kept = TagList { tags: tags.collect(), dropped: PerSeat([10, 0]) }.kept();
        assert!(bytes_of(&kept, Some(Seat::First)) <= TAG_BYTES_MAX, "{}", kept.len());
        let named = |name: &'static str| kept.iter().filter(move |tag| tag.name == name);
        assert_eq!(named("strategy").count(), 1, "values of the match go before those of turns");
        assert_eq!(named("sites").count(), 1);
        let of_second = named("depth").filter(|tag| tag.seat == Some(Seat::Second)).count();
        assert_eq!(of_second, 1, "one bot cannot take the other one's room");
        let depths = named("depth").count() - of_second;
        let notes: Vec<&Tag> = named(DROPPED_TAG).collect();
        assert_eq!(notes.len(), 1);
        assert_eq!(notes[0].seat, Some(Seat::First));
        assert_eq!(notes[0].value, (5_000 - depths + 10).to_string());
        assert!(DROPPED_TAG.starts_with(RESERVED_PREFIX), "no bot can say it");
    }
}

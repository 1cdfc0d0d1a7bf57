//! What the store keeps of a match beside its result.

use quintain_core::{PerSeat, Seat};
use quintain_referee::TagList;
use quintain_registry::{Disturbed, MatchReport};
use quintain_store::{Answers, Disturbance, Tag};

/// Why a game is void, in the store: the machine disturbed it each time, or a bug of ours ended it.
pub const DISTURBED: &str = "disturbed";
pub const ABORTED: &str = "aborted";

/// How long the bots took.
pub fn answers_of(report: &MatchReport) -> PerSeat<Answers> {
    PerSeat::from_fn(|seat| {
        let stats = report.answers[seat];
        Answers { count: stats.count, worst: stats.worst, mean: stats.mean() }
    })
}

/// The answers of an attempt that were late because the machine was busy. `replay` is the attempt's,
/// as the store names it.
pub fn disturbances_of(
    report: &MatchReport,
    attempt: u32,
    replay: Option<&str>,
) -> Vec<Disturbance> {
    let disturbance = |&Disturbed { seat, turn, late }: &Disturbed| Disturbance {
        attempt,
        seat,
        turn,
        limit: late.limit,
        wall: late.wall,
        cpu: Some(late.cpu),
        waited: Some(late.waited()),
        replay: replay.map(str::to_owned),
    };
    report.disturbed.iter().map(disturbance).collect()
}

/// Bytes of what the bots of a game said about themselves that a store keeps, for each player and for the
/// match: thirty thousand games take less than one and a half gigabytes, whatever their bots say.
const TAG_BYTES_MAX: usize = 16 * 1024;
/// What a value takes beside its name and itself: a row, and its place in two indexes.
const TAG_ROW_BYTES: usize = 64;
/// How many values of a player, or about the match, were not kept. Bots cannot give a value this name.
pub const DROPPED_TAG: &str = "quintain.dropped";

/// What the bots said about themselves, as far as there is room: values of the whole match before those of
/// a turn. What there was no room for is counted.
pub fn tags_of(list: TagList) -> Vec<Tag> {
    let TagList { mut tags, dropped } = list;
    // The order is kept among those of the match and among those of turns.
    tags.sort_by_key(|tag| tag.turn.is_some());
    let mut shelves: Vec<Shelf> = [None, Some(Seat::First), Some(Seat::Second)]
        .map(|seat| Shelf { seat, bytes: 0, dropped: seat.map_or(0, |seat| dropped[seat]) })
        .into();
    let mut kept: Vec<Tag> = Vec::new();
    for tag in tags {
        let shelf = shelves.iter_mut().find(|shelf| shelf.seat == tag.seat);
        let shelf = shelf.expect("a tag is about the match or about one of both players");
        if shelf.has_room_for(&tag) {
            let quintain_referee::Tag { name, seat, turn, value } = tag;
            kept.push(Tag { name, seat, turn, value });
        }
    }
    kept.extend(shelves.iter().filter_map(Shelf::note));
    kept
}

/// What is kept about one player, or about the match.
struct Shelf {
    seat: Option<Seat>,
    bytes: usize,
    dropped: u64,
}

impl Shelf {
    fn has_room_for(&mut self, tag: &quintain_referee::Tag) -> bool {
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
    use quintain_referee::RESERVED_PREFIX;

    use super::*;

    fn said(
        name: &str,
        seat: Option<Seat>,
        turn: Option<u32>,
        value: &str,
    ) -> quintain_referee::Tag {
        let (name, value) = (name.to_owned(), value.to_owned());
        quintain_referee::Tag { name, seat, turn, value }
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
        let kept = tags_of(TagList { tags: tags.collect(), dropped: PerSeat([10, 0]) });
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

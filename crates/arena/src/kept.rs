//! What the store keeps of a match beside its result.

use quintain_core::PerSeat;
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

/// What the bots said about themselves.
pub fn tags_of(tags: Vec<quintain_referee::Tag>) -> Vec<Tag> {
    let tag = |tag: quintain_referee::Tag| Tag {
        name: tag.name,
        seat: tag.seat,
        turn: tag.turn,
        value: tag.value,
    };
    tags.into_iter().map(tag).collect()
}

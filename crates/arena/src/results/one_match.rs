//! The result of a match for programs, of which league runners need `ranks`, `errors`, `test_data`,
//! `player_data` and `attributes`.

use std::collections::BTreeMap;
use std::time::Duration;

use quintain_core::{Fault, Seat};
use quintain_record::{AnswerTimes, Disturbance, Tag};
use quintain_registry::MatchReport;
use serde::Serialize;

use super::{as_milliseconds, as_milliseconds_if_known};

/// A match with the players in the order in which they were named, whatever seats they had.
#[derive(Clone, Debug, Serialize)]
pub struct PlayedMatch {
    pub game: String,
    pub ranks: [u8; 2],
    pub scores: [i64; 2],
    /// 1 for whom the referee found a fault with.
    pub errors: [u8; 2],
    pub reason: String,
    pub winner: Option<usize>,
    pub turns: u32,
    pub seed: i64,
    /// Only if all of it could be written.
    pub replay: Option<String>,
    pub bots: [String; 2],
    /// As the bots are called on the wire.
    pub names: [String; 2],
    pub seats: [Seat; 2],
    pub answers: [PlayedAnswers; 2],
    pub faults: Vec<PlayedFault>,
    pub closing: String,
    /// What psyleague keeps of a game: the values that were given last, as text.
    pub test_data: BTreeMap<String, String>,
    pub player_data: [BTreeMap<String, String>; 2],
    /// What cgarena keeps of a match: all values, as text.
    pub attributes: Vec<PlayedTag>,
    pub tags_dropped: [u64; 2],
    pub unprotected: [Option<String>; 2],
    pub disturbed: Vec<PlayedDisturbance>,
    /// In games whose original has a referee that remarks.
    #[serde(flatten)]
    pub remarks: Option<Remarks>,
}

#[derive(Clone, Debug, Serialize)]
pub struct PlayedAnswers {
    pub count: u32,
    #[serde(rename = "worst_ms", serialize_with = "as_milliseconds")]
    pub worst: Duration,
    #[serde(rename = "mean_ms", serialize_with = "as_milliseconds")]
    pub mean: Duration,
}

#[derive(Clone, Debug, Serialize)]
pub struct PlayedFault {
    pub player: usize,
    pub seat: Seat,
    pub fault: &'static str,
    pub text: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct PlayedTag {
    pub name: String,
    pub player: Option<usize>,
    pub turn: Option<u32>,
    pub value: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct PlayedDisturbance {
    pub player: usize,
    pub seat: Seat,
    pub turn: u32,
    #[serde(rename = "limit_ms", serialize_with = "as_milliseconds")]
    pub limit: Duration,
    #[serde(rename = "wall_ms", serialize_with = "as_milliseconds")]
    pub wall: Duration,
    #[serde(rename = "cpu_ms", serialize_with = "as_milliseconds_if_known")]
    pub cpu: Option<Duration>,
    #[serde(rename = "waited_ms", serialize_with = "as_milliseconds_if_known")]
    pub waited: Option<Duration>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Remarks {
    /// Whether a person has to look at the match.
    pub verification_required: bool,
    pub remarks: Vec<String>,
}

/// `bots` are in the order in which they were named; `is_swapped` says that the one named first had the second
/// seat.
pub fn played_match(
    game: &str,
    bots: [&str; 2],
    is_swapped: bool,
    report: &MatchReport,
) -> PlayedMatch {
    let seats = if is_swapped { [Seat::Second, Seat::First] } else { Seat::BOTH };
    let player = |seat: Seat| usize::from((seat == Seat::Second) != is_swapped);
    let ranks = report.outcome.ranks();
    let failed = |seat: Seat| report.faults.iter().any(|(faulty, _)| *faulty == seat);
    let fault = |(seat, fault): &(Seat, Fault)| PlayedFault {
        player: player(*seat),
        seat: *seat,
        fault: fault.code(),
        text: fault.to_string(),
    };
    let tag = |tag: &Tag| PlayedTag {
        name: tag.name.clone(),
        player: tag.seat.map(player),
        turn: tag.turn,
        value: tag.value.clone(),
    };
    let disturbance = |late: &Disturbance| PlayedDisturbance {
        player: player(late.seat),
        seat: late.seat,
        turn: late.turn,
        limit: late.limit,
        wall: late.wall,
        cpu: late.cpu,
        waited: late.waited,
    };
    let remarks = |remarks: &Vec<String>| Remarks {
        verification_required: !remarks.is_empty(),
        remarks: remarks.clone(),
    };
    let mut test_data = named_values(report, None);
    test_data.entry("seed".to_owned()).or_insert_with(|| report.seed.to_string());
    PlayedMatch {
        game: game.to_owned(),
        ranks: seats.map(|seat| ranks[seat]),
        scores: seats.map(|seat| report.outcome.scores[seat]),
        errors: seats.map(|seat| u8::from(failed(seat))),
        reason: report.outcome.reason.to_owned(),
        winner: report.outcome.winner().map(player),
        turns: report.turns,
        seed: report.seed,
        replay: report.whole_replay().map(|path| path.display().to_string()),
        bots: bots.map(str::to_owned),
        names: seats.map(|seat| report.wire_names[seat].clone()),
        seats,
        answers: seats.map(|seat| answers(&report.answers[seat])),
        faults: report.faults.iter().map(fault).collect(),
        closing: report.closing.clone(),
        test_data,
        player_data: seats.map(|seat| named_values(report, Some(seat))),
        attributes: report.tags.tags.iter().map(tag).collect(),
        tags_dropped: seats.map(|seat| report.tags.dropped[seat]),
        unprotected: seats.map(|seat| report.unprotected[seat].as_ref().map(ToString::to_string)),
        disturbed: report.disturbed.iter().map(disturbance).collect(),
        remarks: report.remarks.as_ref().map(remarks),
    }
}

fn answers(times: &AnswerTimes) -> PlayedAnswers {
    PlayedAnswers { count: times.count, worst: times.worst, mean: times.mean() }
}

/// Values of a turn stand only among the attributes.
fn named_values(report: &MatchReport, about: Option<Seat>) -> BTreeMap<String, String> {
    let tags = report.tags.tags.iter().filter(|tag| tag.seat == about && tag.turn.is_none());
    tags.map(|tag| (tag.name.clone(), tag.value.clone())).collect()
}

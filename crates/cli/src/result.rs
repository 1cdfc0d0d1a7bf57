//! The result of a match for programs: one JSON object, of which league runners that call
//! `quintain play --json` for their games need `ranks`, `errors`, `test_data`, `player_data` and
//! `attributes`.

use quintain_core::{Fault, PerSeat, Seat};
use quintain_record::Disturbance;
use quintain_registry::MatchReport;
use serde_json::{Map, Value, json};

use crate::bots::BotSpec;
use crate::output::milliseconds;

/// A match with the players in the order in which they were named, whatever seats they had.
pub(crate) struct Listed {
    /// Whether the player named first had the second seat.
    pub(crate) is_swapped: bool,
    pub(crate) report: MatchReport,
}

impl Listed {
    /// The seats of the players, in the order in which they were named.
    fn seats(&self) -> [Seat; 2] {
        if self.is_swapped { [Seat::Second, Seat::First] } else { Seat::BOTH }
    }

    /// Where the player of a seat stands in every list.
    fn player(&self, seat: Seat) -> usize {
        usize::from((seat == Seat::Second) != self.is_swapped)
    }
}

/// `bots` are in the order in which they were named, as everything listed per player is.
pub(crate) fn as_json(game: &str, bots: &PerSeat<BotSpec>, result: &Listed) -> Value {
    let report = &result.report;
    let seats = result.seats();
    let ranks = report.outcome.ranks();
    let failed = |seat: Seat| report.faults.iter().any(|(faulty, _)| *faulty == seat);
    let mut object = json!({
        "game": game,
        "ranks": seats.map(|seat| ranks[seat]),
        "scores": seats.map(|seat| report.outcome.scores[seat]),
        "errors": seats.map(|seat| u8::from(failed(seat))),
        "reason": report.outcome.reason,
        "winner": report.outcome.winner().map(|seat| result.player(seat)),
        "turns": report.turns,
        "seed": report.seed,
        "replay": report.replay,
        "bots": bots.as_ref().map(|_, bot| bot.label.clone()),
        "names": seats.map(|seat| report.wire_names[seat].clone()),
        "seats": seats.map(Seat::index),
        "answers": seats.map(|seat| answers_json(report, seat)),
        "faults": report.faults.iter().map(|fault| fault_json(result, fault)).collect::<Value>(),
        "closing": report.closing,
        "test_data": test_data(report),
        "player_data": seats.map(|seat| player_data(report, seat)),
        "attributes": attributes(result),
        "tags_dropped": seats.map(|seat| report.tags.dropped[seat]),
        "unprotected": seats.map(|seat| report.unprotected[seat].as_ref().map(ToString::to_string)),
        "disturbed": report.disturbed.iter().map(|late| disturbed_json(result, late)).collect::<Value>(),
    });
    if let Some(remarks) = &report.remarks {
        object["verification_required"] = json!(!remarks.is_empty());
        object["remarks"] = json!(remarks);
    }
    object
}

fn disturbed_json(result: &Listed, late: &Disturbance) -> Value {
    json!({
        "player": result.player(late.seat),
        "seat": late.seat.index(),
        "turn": late.turn,
        "limit_ms": milliseconds(late.limit),
        "wall_ms": milliseconds(late.wall),
        "cpu_ms": late.cpu.map(milliseconds),
        "waited_ms": late.waited.map(milliseconds),
    })
}

fn answers_json(report: &MatchReport, seat: Seat) -> Value {
    let stats = report.answers[seat];
    json!({
        "count": stats.count,
        "worst_ms": milliseconds(stats.worst),
        "mean_ms": milliseconds(stats.mean()),
    })
}

fn fault_json(result: &Listed, (seat, fault): &(Seat, Fault)) -> Value {
    json!({
        "player": result.player(*seat),
        "seat": seat.index(),
        "fault": fault.code(),
        "text": fault.to_string(),
    })
}

/// What psyleague keeps of a game: the values that were given last.
fn test_data(report: &MatchReport) -> Map<String, Value> {
    let mut data = named_values(report, None);
    data.entry("seed").or_insert_with(|| report.seed.to_string().into());
    data
}

fn player_data(report: &MatchReport, seat: Seat) -> Map<String, Value> {
    named_values(report, Some(seat))
}

/// Values of a turn stand only among the attributes.
fn named_values(report: &MatchReport, about: Option<Seat>) -> Map<String, Value> {
    let tags = report.tags.tags.iter().filter(|tag| tag.seat == about && tag.turn.is_none());
    tags.map(|tag| (tag.name.clone(), tag.value.clone().into())).collect()
}

/// What cgarena keeps of a match: all values, as text.
fn attributes(result: &Listed) -> Value {
    let attribute = |tag: &quintain_record::Tag| {
        json!({
            "name": tag.name,
            "player": tag.seat.map(|seat| result.player(seat)),
            "turn": tag.turn,
            "value": tag.value,
        })
    };
    result.report.tags.tags.iter().map(attribute).collect()
}

//! The rounds of a tournament in which they follow from results: who met whom, and who went on.

use quintain_record::BotId;
use quintain_tournament::{Form, Pairing, Round, Schedule};
use serde::Serialize;

/// One round.
#[derive(Clone, Debug, Serialize)]
pub struct RoundReport {
    /// From 1.
    pub round: u32,
    pub pairings: Vec<Meeting>,
    /// Who had no opponent and is treated as having won.
    pub byes: Vec<String>,
}

/// Two bots that met.
#[derive(Clone, Debug, Serialize)]
pub struct Meeting {
    pub bots: [String; 2],
    pub points: [f64; 2],
    /// Who goes on in a knock-out, once that is known.
    pub goes_on: Option<String>,
    #[serde(skip)]
    pub is_final: bool,
    /// Whether it is about the third place.
    #[serde(rename = "third_place")]
    pub is_for_third_place: bool,
}

/// Nothing where everybody meets everybody: there is no more to say than in the cross table.
pub(super) fn rounds_of(schedule: &Schedule, name: impl Fn(BotId) -> String) -> Vec<RoundReport> {
    if !matches!(schedule.settings().form, Form::Swiss { .. } | Form::Knockout { .. }) {
        return Vec::new();
    }
    let report = |(number, round): (u32, &Round)| RoundReport {
        round: number + 1,
        pairings: meetings(schedule, round, &name),
        byes: round.byes().iter().map(|&bot| name(bot)).collect(),
    };
    schedule.rounds().map(report).collect()
}

fn meetings(schedule: &Schedule, round: &Round, name: &impl Fn(BotId) -> String) -> Vec<Meeting> {
    let is_knockout = matches!(schedule.settings().form, Form::Knockout { .. });
    let has_third_place = round.third_place().is_some();
    let pairings = round.pairings().len() - usize::from(has_third_place);
    let is_final = is_knockout && pairings == 1 && round.byes().is_empty();
    let meeting = |(index, pairing): (usize, &Pairing)| Meeting {
        bots: pairing.bots().map(name),
        points: pairing.half_points().map(|half_points| half_points as f64 / 2.0),
        goes_on: schedule.survivor(pairing).map(name),
        is_final: is_final && index < pairings,
        is_for_third_place: index == pairings,
    };
    round.pairings().iter().enumerate().map(meeting).collect()
}

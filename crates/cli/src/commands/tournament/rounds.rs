//! The rounds of a tournament in which they follow from results: who met whom, and who went on.

use quintain_record::BotId;
use quintain_tournament::{Form, Pairing, Round, Schedule};
use serde_json::{Value, json};

pub(super) const ROUNDS_TITLE: &str = "Rounds";
pub(super) const ROUNDS_COLUMNS: [&str; 5] = ["round", "bot", "points", "opponent", ""];

/// One round.
pub(super) struct RoundReport {
    /// From 1.
    number: u32,
    meetings: Vec<Meeting>,
    /// Who had no opponent and is treated as having won.
    byes: Vec<String>,
}

/// Two bots that met.
struct Meeting {
    bots: [String; 2],
    points: [f64; 2],
    /// Who goes on in a knock-out, once that is known.
    survivor: Option<String>,
    kind: Kind,
}

/// What a pairing is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Usual,
    Final,
    ThirdPlace,
}

/// Nothing where everybody meets everybody: there is no more to say than in the cross table.
pub(super) fn rounds_of(schedule: &Schedule, name: impl Fn(BotId) -> String) -> Vec<RoundReport> {
    if !matches!(schedule.settings().form, Form::Swiss { .. } | Form::Knockout { .. }) {
        return Vec::new();
    }
    let report = |(number, round): (u32, &Round)| RoundReport {
        number: number + 1,
        meetings: meetings(schedule, round, &name),
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
        survivor: schedule.survivor(pairing).map(name),
        kind: match index {
            index if index == pairings => Kind::ThirdPlace,
            _ if is_final => Kind::Final,
            _ => Kind::Usual,
        },
    };
    round.pairings().iter().enumerate().map(meeting).collect()
}

impl RoundReport {
    /// The rows of a table with [`ROUNDS_COLUMNS`].
    pub(super) fn rows(&self) -> Vec<[String; 5]> {
        let number = self.number.to_string();
        let meetings = self.meetings.iter().map(|meeting| {
            let ([one, other], [won, lost]) = (meeting.bots.clone(), meeting.points);
            [number.clone(), one, format!("{won} : {lost}"), other, meeting.outcome()]
        });
        let byes = self.byes.iter().map(|bot| {
            let nothing = String::new();
            [number.clone(), bot.clone(), nothing.clone(), nothing, "bye".to_owned()]
        });
        meetings.chain(byes).collect()
    }

    pub(super) fn as_json(&self) -> Value {
        let meeting = |meeting: &Meeting| {
            json!({
                "bots": meeting.bots,
                "points": meeting.points,
                "goes_on": meeting.survivor,
                "third_place": meeting.kind == Kind::ThirdPlace,
            })
        };
        let pairings: Value = self.meetings.iter().map(meeting).collect();
        json!({ "round": self.number, "pairings": pairings, "byes": self.byes })
    }
}

impl Meeting {
    fn outcome(&self) -> String {
        let Some(survivor) = &self.survivor else { return String::new() };
        let what = match self.kind {
            Kind::Usual => "goes on",
            Kind::Final => "wins",
            Kind::ThirdPlace => "is third",
        };
        let [one, other] = self.points;
        let why = if one == other { ", level but seeded better" } else { "" };
        format!("{survivor} {what}{why}")
    }
}

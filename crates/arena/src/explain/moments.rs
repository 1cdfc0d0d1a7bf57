//! Where a match turned: the steps after which most was expected otherwise than before.

use std::time::Duration;

use quintain_core::scene::Eye;
use quintain_core::{PerSeat, Seat};
use quintain_registry::AnyPosition;
use quintain_replay::Replay;

use super::{ExplainPlan, Judge, Judged};

/// So many are told at most.
const MOMENTS_MAX: usize = 5;
/// Fewer than these are told only where less happened.
const MOMENTS_MIN: usize = 3;
/// What is no turn of a match, unless there are few moments.
const SWING_MIN: f64 = 0.15;
/// What nobody would notice.
const SWING_NONE: f64 = 0.02;
/// Steps that are nearer to each other are one moment.
const APART: usize = 2;
/// How many steps are told of how it could have gone on.
const LINE_STEPS: usize = 4;

/// A step after which more or less was to be expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// Counted from 1.
    pub turn: u32,
    /// Whom it is told about: who alone was to act, else whose expectations fell.
    pub seat: Seat,
    /// What that seat could expect before the step and after it, from -1 to 1.
    pub before: f64,
    pub after: f64,
    /// The position before the step, as text.
    pub board: Vec<String>,
    /// What each seat did, as the game's notation writes it.
    pub played: PerSeat<Option<String>>,
    /// What the judge would have done, and how it goes on; `None` where there is no judge's move.
    pub better: Option<Continued>,
    /// What the seat took for its answer.
    pub time: Option<Duration>,
}

/// An action and what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continued {
    pub action: String,
    /// Whether it is what was played.
    pub is_same: bool,
    /// Step by step, what each seat does, that of the action included.
    pub line: Vec<PerSeat<Option<String>>>,
}

/// A step and by how much it changed what the seat may expect.
struct Swing {
    step: usize,
    seat: Seat,
    by: f64,
}

pub(super) fn of(
    plan: &ExplainPlan,
    judge: &Judge,
    judged: &[Judged],
    replay: &Replay,
) -> Vec<Moment> {
    let mut swings: Vec<Swing> =
        judged.windows(2).enumerate().map(|(step, pair)| swing(step, pair)).collect();
    if let Some(seat) = plan.seat {
        swings.retain(|swing| swing.seat == seat && swing.by < 0.0);
    }
    swings.sort_by(|one, other| other.by.abs().total_cmp(&one.by.abs()));
    let mut chosen: Vec<Swing> = Vec::new();
    for swing in swings {
        let least = if chosen.len() < MOMENTS_MIN { SWING_NONE } else { SWING_MIN };
        let is_near = |other: &Swing| other.step.abs_diff(swing.step) < APART;
        if chosen.len() < MOMENTS_MAX && swing.by.abs() >= least && !chosen.iter().any(is_near) {
            chosen.push(swing);
        }
    }
    chosen.sort_by_key(|swing| swing.step);
    chosen.iter().map(|swing| moment(swing, judge, judged, replay)).collect()
}

fn swing(step: usize, pair: &[Judged]) -> Swing {
    let by_first = pair[1].value - pair[0].value;
    let fell = if by_first < 0.0 { Seat::First } else { Seat::Second };
    let seat = pair[0].position.to_act().single().unwrap_or(fell);
    Swing { step, seat, by: for_seat(seat, by_first) }
}

/// What is so much for the first seat, for a seat.
fn for_seat(seat: Seat, value: f64) -> f64 {
    match seat {
        Seat::First => value,
        Seat::Second => -value,
    }
}

fn moment(swing: &Swing, judge: &Judge, judged: &[Judged], replay: &Replay) -> Moment {
    let [before, after] = [&judged[swing.step], &judged[swing.step + 1]];
    let played = after.position.played();
    let record = &replay.steps[swing.step].record;
    let seat = swing.seat;
    Moment {
        turn: record.turn.saturating_add(1),
        seat,
        before: for_seat(seat, before.value),
        after: for_seat(seat, after.value),
        board: before.position.text(Eye::All).plain().lines().map(str::to_owned).collect(),
        better: continued(&*before.position, seat, judge, played[seat].as_deref()),
        played,
        time: record.answers[seat].map(|timing| timing.wall.saturating_sub(timing.given)),
    }
}

/// What the judge does in a position on a seat, and how it goes on if it plays both.
fn continued(
    position: &dyn AnyPosition,
    seat: Seat,
    judge: &Judge,
    played: Option<&str>,
) -> Option<Continued> {
    let mut seated = position.seated(judge.bot, 0)?;
    let mut line: Vec<PerSeat<Option<String>>> = Vec::new();
    while line.len() < LINE_STEPS
        && let Ok(answers) = seated.step()
    {
        // Where nobody acts there is nothing to tell.
        if answers.texts.0.iter().any(Option::is_some) {
            line.push(answers.texts);
        }
    }
    let action = line.first()?[seat].clone()?;
    Some(Continued { is_same: played == Some(&action), action, line })
}

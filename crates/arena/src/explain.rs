//! What a reader of a match needs: how it ended, what went wrong, and where it turned.
//!
//! Each position is given a value: what the house of the game thinks of it ([`AnyPosition::opinion`]). That
//! follows from the replay and a number of positions alone, so that everybody is told the same.

mod moments;

use std::time::Duration;

use quintain_core::scene::{Eye, Film};
use quintain_core::{Effort, HouseBot, PerSeat, Seat};
use quintain_registry::{AnyGame, AnyPosition, Exchange};
use quintain_replay::{Replay, RerunError};
use serde::Serialize;

pub use moments::{Continued, Moment};

/// How many positions the house looks at to judge one, unless told otherwise.
const OPINION_NODES: u64 = 4_000;

/// What is to be explained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExplainPlan {
    /// Whose mistakes are looked for; those of both unless told otherwise.
    pub seat: Option<Seat>,
    /// How many positions are looked at to judge one, and at most to say what could have been played.
    pub nodes: Option<u64>,
}

/// A match, explained.
#[derive(Clone, Debug)]
pub struct Explanation {
    pub game: &'static str,
    pub turn_name: &'static str,
    pub names: PerSeat<String>,
    /// Who won and why, in a sentence.
    pub result: String,
    pub times: PerSeat<UsedTime>,
    pub faults: Vec<ExplainedFault>,
    pub judge: Judge,
    /// What the first seat may expect before each step and after the last one, from -1 to 1.
    pub values: Vec<TurnValue>,
    /// Where it turned, in the order of the match.
    pub moments: Vec<Moment>,
}

/// The time that a seat used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsedTime {
    pub answers: u64,
    pub all: Duration,
    pub slowest: Duration,
    /// The turn of the slowest answer, counted from 1.
    pub slowest_turn: u32,
}

/// An answer that was none, with all that the bot was told before it.
#[derive(Clone, Debug)]
pub struct ExplainedFault {
    pub seat: Seat,
    pub exchange: Exchange,
}

/// Who judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Judge {
    /// Who says what could have been played: the strongest house bot that does not use the clock, and no
    /// more positions than were granted.
    pub bot: &'static str,
    /// The positions that were looked at to judge one.
    pub nodes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TurnValue {
    /// Turns completed.
    pub turn: u32,
    pub value: f64,
}

/// A position of the match with its value for the first seat.
struct Judged {
    position: Box<dyn AnyPosition>,
    value: f64,
}

/// Explains a match. `tell` hears how many of how many positions are judged.
///
/// # Errors
/// The match cannot be played again.
pub fn explain(
    game: &'static dyn AnyGame,
    replay: &Replay,
    plan: &ExplainPlan,
    tell: &mut dyn FnMut(usize, usize),
) -> Result<Explanation, RerunError> {
    let film = game.film_seen_by(Eye::All, &mut replay.playback())?;
    let (judge, judged) = judged_positions(game, replay, plan, tell)?;
    let moments = moments::of(plan, &judge, &judged, replay);
    let Film { names, ending: result, turn_name, .. } = film;
    Ok(Explanation {
        game: game.facts().id,
        turn_name,
        names,
        result,
        times: PerSeat::from_fn(|seat| used_time(replay, seat)),
        faults: faults_of(game, replay)?,
        values: judged.iter().map(Judged::turn_value).collect(),
        judge,
        moments,
    })
}

fn judged_positions(
    game: &'static dyn AnyGame,
    replay: &Replay,
    plan: &ExplainPlan,
    tell: &mut dyn FnMut(usize, usize),
) -> Result<(Judge, Vec<Judged>), RerunError> {
    let house = game.facts().house_bots;
    let all = replay.steps.len() + 1;
    let judge = Judge {
        bot: strongest(house, plan.nodes).name,
        nodes: plan.nodes.unwrap_or(OPINION_NODES),
    };
    let mut judged = Vec::with_capacity(all);
    game.positions(replay, &mut |position| {
        judged.push(Judged {
            position: position.boxed_clone(),
            value: position.opinion(judge.nodes),
        });
        tell(judged.len(), all);
    })?;
    Ok((judge, judged))
}

impl Judged {
    fn turn_value(&self) -> TurnValue {
        TurnValue { turn: self.position.turn(), value: self.value }
    }
}

/// The strongest house bot whose moves do not depend on the machine, of those that look at no more positions
/// than are granted.
fn strongest(house: &'static [HouseBot], nodes: Option<u64>) -> &'static HouseBot {
    let is_steady = |bot: &&HouseBot| match bot.effort {
        Effort::AtOnce => true,
        Effort::Nodes(needed) => nodes.is_none_or(|granted| needed <= granted),
        Effort::Clock => false,
    };
    house.iter().rev().find(is_steady).expect("a house has bots that do not think")
}

fn used_time(replay: &Replay, seat: Seat) -> UsedTime {
    let mut used = UsedTime::default();
    for step in &replay.steps {
        let Some(timing) = step.record.answers[seat] else { continue };
        let time = timing.wall.saturating_sub(timing.given);
        used.answers += 1;
        used.all += time;
        if time > used.slowest || used.slowest_turn == 0 {
            (used.slowest, used.slowest_turn) = (time, step.record.turn.saturating_add(1));
        }
    }
    used
}

/// Everything that was no answer, or one that the rules refused.
fn faults_of(
    game: &'static dyn AnyGame,
    replay: &Replay,
) -> Result<Vec<ExplainedFault>, RerunError> {
    let mut faults = Vec::new();
    game.exchanges(&mut replay.playback(), 0..replay.steps.len(), &mut |exchanges| {
        for (seat, exchange) in Seat::BOTH.into_iter().zip(exchanges.0) {
            let is_wrong = |exchange: &Exchange| {
                exchange.recorded.fault.is_some() || exchange.refusal.is_some()
            };
            let wrong = exchange.filter(is_wrong);
            faults.extend(wrong.map(|exchange| ExplainedFault { seat, exchange }));
        }
    })?;
    Ok(faults)
}

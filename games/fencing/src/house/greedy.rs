//! The bot that looks one turn ahead.

use quintain_core::{Game, NoChance, Replies, Seat};

use super::affordable;
use crate::{Action, Fencer, Fencing, View};

/// What a position is worth, in hundredths of a point.
const POINT: i32 = 100;
/// Energy up to [`ENERGY_WANTED`], enough to lunge, be parried and walk on.
const ENERGY: i32 = 6;
const ENERGY_WANTED: i16 = 12;
/// Per step of distance beyond a lunge: one must come near to score.
const DISTANCE_PER: i32 = 5;
/// Losing the match at once.
const LOSS: i32 = 10_000;

/// Plays the action that is best on average over all that the opponent can afford. Its answer
/// depends on the view alone.
pub(super) fn greedy(view: &View) -> Action {
    let answers: Vec<Action> = affordable(&view.opponent, view.league).collect();
    let position = Fencing::between(view.own, view.opponent, view.league);
    let worth = |action: Action| -> i32 {
        let after = answers.iter().map(|&answer| worth(position, [action, answer]));
        after.sum()
    };
    affordable(&view.own, view.league).max_by_key(|&action| worth(action)).unwrap_or(Action::Break)
}

/// What the first seat has from these actions.
fn worth(mut position: Fencing, actions: [Action; 2]) -> i32 {
    let [own, opponent] = actions;
    position.advance(&Replies::both(own, opponent), &mut NoChance, &mut ());
    let [own, opponent] = &position.fencers().0;
    let lead = i32::from(own.points - opponent.points) * POINT;
    let energy = |fencer: &Fencer| i32::from(fencer.energy.min(ENERGY_WANTED)) * ENERGY;
    let apart = i32::from((opponent.position - own.position).abs());
    let lost = i32::from(position.offences()[Seat::First].is_some()) * LOSS;
    lead + energy(own) - energy(opponent) / 2 - apart / DISTANCE_PER - lost
}

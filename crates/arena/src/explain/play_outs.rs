//! What a position is worth where nobody has an opinion: some steps of the house's quickest bot against itself.

use quintain_core::{Chance as _, PerSeat, Seat, SplitMix64};
use quintain_registry::{AnyPosition, Choice};

use super::value_of;

/// How many steps are played from each position, unless told otherwise.
pub(super) const PLAY_OUT_NODES: u64 = 400;

/// How far a play-out goes where the game counts something, and where it can only be won or lost.
const STEPS: u64 = 12;
const STEPS_TO_AN_END: u64 = 60;

/// One action in so many is a random one: bots without luck would play the same again and again.
const ONE_IN: u32 = 8;

/// What being ahead is worth at most before the end.
const AHEAD_MAX: f64 = 0.9;

/// What the first seat may expect: the mean of play-outs of so many steps together.
pub(super) fn value_by_play_outs(position: &dyn AnyPosition, bot: &str, nodes: u64) -> f64 {
    let steps_max = if position.standing().is_some() { STEPS } else { STEPS_TO_AN_END };
    let mut random = SplitMix64::new(u64::from(position.turn()));
    let (mut played, mut count, mut sum) = (0, 0_u32, 0.0);
    while played < nodes {
        let (value, steps) = play_out(position, bot, steps_max, &mut random);
        sum += value;
        count += 1;
        played += steps.max(1);
    }
    sum / f64::from(count.max(1))
}

/// What it came to for the first seat, and how many steps it took.
fn play_out(
    position: &dyn AnyPosition,
    bot: &str,
    steps_max: u64,
    random: &mut SplitMix64,
) -> (f64, u64) {
    let mut position = position.boxed_clone();
    let mut steps = 0;
    while steps < steps_max && position.outcome().is_none() {
        let asked = position.to_act();
        let actions = PerSeat::from_fn(|seat| {
            asked.contains(seat).then(|| action(&*position, seat, bot, random)).flatten()
        });
        let choices = actions.as_ref().map(|_, action| action.as_deref().map(Choice::Text));
        if position.advance(choices, Some(random)).is_err() {
            break;
        }
        steps += 1;
    }
    (value_by_standing(&*position), steps)
}

fn action(
    position: &dyn AnyPosition,
    seat: Seat,
    bot: &str,
    random: &mut SplitMix64,
) -> Option<String> {
    if random.below(ONE_IN) == 0 {
        return position.sample(seat, random);
    }
    position.house_move(seat, bot, random.next_u64().cast_signed())
}

/// By the outcome, or by the first seat's share of what both have.
fn value_by_standing(position: &dyn AnyPosition) -> f64 {
    if let Some(outcome) = position.outcome() {
        return value_of(&outcome);
    }
    let Some(standing) = position.standing() else { return 0.0 };
    let [own, other] = standing.0.map(|count| count as f64);
    let both = own.abs() + other.abs();
    if both == 0.0 { 0.0 } else { AHEAD_MAX * (own - other) / both }
}

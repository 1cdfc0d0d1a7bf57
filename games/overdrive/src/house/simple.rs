//! The bots that answer at once: one that does anything it may, and one that looks two rounds ahead.

use quintain_core::{Chance, SplitMix64};

use super::foresight::Foresight;
use crate::{Action, Place, Powerup, Surface, View};

/// Any command that is not invalid, each as likely as the others.
pub(crate) fn random(view: &View, chance: &mut SplitMix64) -> Action {
    let mut commands = commands(view);
    if view.own.powerups.has(Powerup::Tweet) {
        let window = &view.window;
        let lane = chance.below(window.lanes().count() as u32) as u8 + 1;
        let block = chance.below(window.width as u32) as u16 + window.first_block;
        commands.push(Action::tweet(Place::new(lane, block)));
    }
    commands[chance.below(commands.len() as u32) as usize]
}

/// Every valid command but tweets, which have too many places.
fn commands(view: &View) -> Vec<Action> {
    let lanes = view.window.lanes().count();
    let mut commands = vec![Action::Accelerate, Action::Nothing, Action::Decelerate, Action::Fix];
    if view.own.place.lane > 1 {
        commands.push(Action::TurnLeft);
    }
    if usize::from(view.own.place.lane) < lanes {
        commands.push(Action::TurnRight);
    }
    let uses = [Action::UseBoost, Action::UseLizard, Action::UseOil, Action::UseEmp];
    let is_held =
        |action: &Action| action.powerup().is_some_and(|powerup| view.own.powerups.has(powerup));
    commands.extend(uses.into_iter().filter(is_held));
    commands
}

/// Tries every pair of commands on what it sees and takes the first of the best. Its answer depends
/// on the view alone.
pub(crate) fn greedy(view: &View) -> Action {
    let mut commands = commands(view);
    commands.extend(tweet_at_rival(view));
    commands.retain(|&command| is_sensible(view, command));
    let Some(foresight) = Foresight::new(view) else {
        return Action::Accelerate;
    };
    let best = commands.iter().copied().max_by_key(|&command| {
        // Of equals the first, which a maximum would not take.
        let place = commands.iter().position(|&other| other == command);
        (foresight.worth(command, &commands), std::cmp::Reverse(place))
    });
    best.unwrap_or(Action::Accelerate)
}

/// How far in front of the other car a truck is meant to stand when it comes to stand.
const TRUCK_LEAD: u16 = 2;
/// Oil is for somebody who is near.
const OIL_REACH: u16 = 30;

/// What foresight cannot judge, since it ends before the effect: whether a command is of use at all.
fn is_sensible(view: &View, command: Action) -> bool {
    let (own, rival) = (view.own.place, view.opponent.place);
    match command {
        Action::UseOil => {
            let is_behind = rival.block < own.block && own.block - rival.block <= OIL_REACH;
            is_behind && rival.lane == own.lane
        }
        Action::UseEmp => rival.block > own.block && rival.lane.abs_diff(own.lane) <= 1,
        Action::UseBoost => !view.own.is_boosting && view.own.damage <= 1,
        Action::Fix => view.own.damage > 0,
        Action::Decelerate => false,
        _ => true,
    }
}

/// A truck where the other car will be about to drive, unless this one would drive into it first.
fn tweet_at_rival(view: &View) -> Option<Action> {
    let (own, rival) = (view.own.place, view.opponent);
    if !view.own.powerups.has(Powerup::Tweet) {
        return None;
    }
    let block = rival.place.block + u16::from(rival.speed) + TRUCK_LEAD;
    let place = Place::new(rival.place.lane, block);
    let seen = view.window.get(place)?;
    let is_in_own_way = place.lane == own.lane && own.block < block;
    let is_free = !seen.has_truck() && seen.surface() != Surface::FinishLine;
    (is_free && !is_in_own_way).then_some(Action::tweet(place))
}

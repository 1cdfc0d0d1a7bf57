//! The search: every command of the own car for some rounds, against what the other car may do now and
//! what it does without thinking later, on several tracks beyond what was seen.

use quintain_core::{Chance, Game, NoChance, Seat, SplitMix64, Thinking};

use super::memory::{Memory, Outlook, replies};
use super::reflex::{reaches, reflex};
use super::worth::Weights;
use crate::{Action, Overdrive, Place, Powerup, Surface, View};

/// Of what the other car may do now, so much is looked at.
const REPLIES_MAX: usize = 3;
/// A command that is worse than the best by so much, in hundredths of blocks, is half as likely.
const REPLY_DOUBT: f64 = 300.0;
/// The clock is asked once in so many nodes.
const NODES_PER_LOOK: u64 = 256;

/// A search for one answer.
pub(crate) struct Search<'a, 'b> {
    seat: Seat,
    weights: &'a Weights,
    to_line: Option<i32>,
    nodes_left: u64,
    uses_clock: bool,
    is_over: bool,
    thinking: &'a mut Thinking<'b>,
}

/// How much may be spent on an answer.
#[derive(Clone, Copy)]
pub(crate) struct Budget {
    pub(crate) nodes: u64,
    pub(crate) depth: u32,
    pub(crate) uses_clock: bool,
}

/// A command of the own car and what it has come to so far.
struct Candidate {
    action: Action,
    sum: f64,
}

/// What the other car may do now, and how likely that is.
struct Reply {
    action: Action,
    weight: f64,
}

/// The command that is best by what is remembered and seen.
pub(crate) fn best_command(
    memory: &Memory,
    view: &View,
    weights: &Weights,
    budget: Budget,
    thinking: &mut Thinking<'_>,
) -> Option<Action> {
    let empty = memory.present(view, &mut || Surface::Empty)?;
    let to_line = if empty.ends_with_line { None } else { Some(LINE_FAR) };
    let mut search = Search {
        seat: view.seat,
        weights,
        to_line,
        nodes_left: budget.nodes,
        uses_clock: budget.uses_clock,
        is_over: false,
        thinking,
    };
    let replies = search.likely_replies(&empty.position);
    let mut candidates: Vec<Candidate> = search
        .root_commands(&empty, &replies)
        .into_iter()
        .map(|action| Candidate { action, sum: 0.0 })
        .collect();
    let mut best = candidates.first()?.action;
    let mut chance = SplitMix64::new(u64::from(view.round));
    let mut depth = 2;
    let mut outlook = empty;
    loop {
        let Some(values) = search.pass(&outlook.position, &candidates, &replies, depth) else {
            return Some(on_track(best, &outlook));
        };
        for (candidate, value) in candidates.iter_mut().zip(values) {
            // What a lesser depth said is forgotten once a greater one has spoken.
            candidate.sum = if depth < budget.depth { value } else { candidate.sum + value };
        }
        best = best_of(&candidates);
        if depth < budget.depth {
            depth += 1;
            if depth == budget.depth {
                candidates.iter_mut().for_each(|candidate| candidate.sum = 0.0);
            }
        }
        outlook = memory.present(view, &mut || drawn(&mut chance))?;
    }
}

/// The line is so far behind the end of a position that powerups are worth what they are.
const LINE_FAR: i32 = 10_000;

/// The first of the best.
fn best_of(candidates: &[Candidate]) -> Action {
    let mut best = &candidates[0];
    for candidate in candidates {
        if candidate.sum > best.sum {
            best = candidate;
        }
    }
    best.action
}

/// What may lie on a block that nobody has seen, as often as maps have it.
fn drawn(chance: &mut SplitMix64) -> Surface {
    match chance.below(100) {
        0..5 => Surface::Mud,
        5 => Surface::Wall,
        6 => Surface::Boost,
        7 => Surface::OilItem,
        8 => Surface::Lizard,
        9 => Surface::Tweet,
        10 => Surface::Emp,
        _ => Surface::Empty,
    }
}

/// A command of a position as a command on the track.
fn on_track(action: Action, outlook: &Outlook) -> Action {
    match action {
        Action::UseTweet(tweet) => {
            let place = Place::new(tweet.lane as u8, tweet.block as u16);
            Action::tweet(outlook.on_track(place))
        }
        other => other,
    }
}

impl Search<'_, '_> {
    /// One position after another; `None` once there are enough.
    fn after(&mut self, position: &Overdrive, own: Action, rival: Action) -> Option<Overdrive> {
        if self.nodes_left == 0 || self.is_over {
            return None;
        }
        self.nodes_left -= 1;
        if self.nodes_left.is_multiple_of(NODES_PER_LOOK) {
            let is_over = self.thinking.is_over();
            self.is_over = is_over && self.uses_clock;
        }
        let mut next = position.clone();
        next.advance(&replies(self.seat, own, rival), &mut NoChance, &mut ());
        Some(next)
    }

    /// What every candidate comes to on one track; `None` if there was not enough time.
    fn pass(
        &mut self,
        position: &Overdrive,
        candidates: &[Candidate],
        replies: &[Reply],
        depth: u32,
    ) -> Option<Vec<f64>> {
        let mut values = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let mut value = 0.0;
            for reply in replies {
                let next = self.after(position, candidate.action, reply.action)?;
                value += f64::from(self.value(&next, depth - 1)?) * reply.weight;
            }
            values.push(value);
        }
        Some(values)
    }

    /// What a position is worth if the own car does its best for some rounds.
    fn value(&mut self, position: &Overdrive, depth: u32) -> Option<i32> {
        if depth == 0 || position.outcome().is_some() {
            return Some(self.weights.position(position, self.seat, self.to_line));
        }
        let rival = reflex(position, self.seat.other());
        let mut best = i32::MIN;
        let commands = Commands::of(position, self.seat);
        for &action in commands.as_slice() {
            let next = self.after(position, action, rival)?;
            best = best.max(self.value(&next, depth - 1)?);
        }
        Some(best)
    }

    /// What the other car is likely to do now, by what it comes to for it.
    fn likely_replies(&mut self, position: &Overdrive) -> Vec<Reply> {
        let rival = self.seat.other();
        let own = reflex(position, self.seat);
        let commands = Commands::of(position, rival);
        let mut found: Vec<(i32, Action)> = Vec::new();
        for &action in commands.as_slice() {
            let Some(next) = self.after(position, own, action) else { break };
            let mut best = i32::MIN;
            if next.outcome().is_none() {
                let own = reflex(&next, self.seat);
                for &second in Commands::of(&next, rival).as_slice() {
                    let Some(twice) = self.after(&next, own, second) else { break };
                    best = best.max(self.weights.position(&twice, rival, self.to_line));
                }
            } else {
                best = self.weights.position(&next, rival, self.to_line);
            }
            found.push((best, action));
        }
        // Of equals the first stays the first.
        found.sort_by_key(|&(worth, _)| std::cmp::Reverse(worth));
        found.truncate(REPLIES_MAX);
        let Some(&(most, _)) = found.first() else {
            return vec![Reply { action: Action::Nothing, weight: 1.0 }];
        };
        let likely = |worth: i32| {
            let doubt = 1.0 + f64::from(most.saturating_sub(worth)) / REPLY_DOUBT;
            1.0 / (doubt * doubt)
        };
        let sum: f64 = found.iter().map(|&(worth, _)| likely(worth)).sum();
        let reply =
            |&(worth, action): &(i32, Action)| Reply { action, weight: likely(worth) / sum };
        found.iter().map(reply).collect()
    }

    /// What the own car may do now.
    fn root_commands(&mut self, outlook: &Outlook, replies: &[Reply]) -> Vec<Action> {
        let position = &outlook.position;
        let car = &position.cars()[self.seat];
        let mut commands = Commands::of(position, self.seat).as_slice().to_vec();
        for action in [Action::Nothing, Action::Decelerate] {
            if !commands.contains(&action) {
                commands.push(action);
            }
        }
        if car.powerups.has(Powerup::Oil) {
            commands.push(Action::UseOil);
        }
        if car.powerups.has(Powerup::Tweet) {
            for reply in replies {
                let after = outlook.after(self.seat, Action::Nothing, reply.action);
                let place = after.cars()[self.seat.other()].place;
                for ahead in 1..=2 {
                    let block = place.block + ahead;
                    let tweet = Action::tweet(Place::new(place.lane, block));
                    if block < position.track().length() && !commands.contains(&tweet) {
                        commands.push(tweet);
                    }
                }
            }
        }
        commands
    }
}

const COMMANDS_MAX: usize = 8;

/// Commands that are worth a thought in any round.
struct Commands {
    list: [Action; COMMANDS_MAX],
    length: usize,
}

impl Commands {
    fn of(position: &Overdrive, seat: Seat) -> Commands {
        let course = position.course();
        let (car, other) = (&position.cars()[seat], &position.cars()[seat.other()]);
        let cap = course.cap[usize::from(car.damage)];
        let maximum = course.config.figures.maximum_speed as u8;
        let mut commands = Commands { list: [Action::Nothing; COMMANDS_MAX], length: 0 };
        let can_accelerate = car.speed < cap.min(maximum) && car.boost_counter != 1;
        commands.add(if can_accelerate { Action::Accelerate } else { Action::Nothing });
        if car.speed > 0 && car.place.lane > 1 {
            commands.add(Action::TurnLeft);
        }
        if car.speed > 0 && car.place.lane < position.track().lanes() {
            commands.add(Action::TurnRight);
        }
        if car.damage > 0 {
            commands.add(Action::Fix);
        }
        if car.powerups.has(Powerup::Boost) && cap > maximum && car.boost_counter <= 1 {
            commands.add(Action::UseBoost);
        }
        if car.powerups.has(Powerup::Lizard) && car.speed > 0 {
            commands.add(Action::UseLizard);
        }
        if car.powerups.has(Powerup::Emp) && reaches(car.place, other.place) {
            commands.add(Action::UseEmp);
        }
        commands
    }

    fn add(&mut self, action: Action) {
        self.list[self.length] = action;
        self.length += 1;
    }

    fn as_slice(&self) -> &[Action] {
        &self.list[..self.length]
    }
}

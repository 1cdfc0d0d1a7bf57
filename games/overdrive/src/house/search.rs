//! The search: every command of the own car for some rounds, against what the other car may do now and
//! what it does without thinking later, on one imagined track after another beyond what was seen.

use quintain_core::{Chance, Game, NoChance, Seat, SplitMix64, Thinking};

use super::memory::{Memory, Outlook, replies};
use super::meter::Meter;
use super::reflex::reflex;
use super::worth::{Weights, reaches};
use crate::{Action, Overdrive, Place, Powerup, Surface, View};

/// Of what the other car may do now, so much is looked at.
const REPLIES_MAX: usize = 3;
/// A reply that is worse than the best by so much, in hundredths of blocks, is a quarter as likely.
const REPLY_DOUBT: f64 = 300.0;
/// The rounds of the first pass, which any budget allows.
const DEPTH_FIRST: u32 = 2;
/// The rounds that are looked ahead at most.
const DEPTH_MAX: u32 = 4;
/// Blocks before the place that the other car reaches now where a truck may stand.
const TRUCK_LEADS: std::ops::RangeInclusive<u16> = 1..=2;

/// How much may be spent on an answer. A node is a round that is played out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// `None` goes by the clock.
    pub(crate) nodes: Option<u64>,
    /// How many rounds are looked ahead.
    pub(crate) depth: u32,
    /// Whether the end of a race is played out.
    pub(crate) plays_end: bool,
}

impl Budget {
    /// So many nodes, or as many as the clock allows, as deep as is of use with them.
    pub(crate) fn of(nodes: Option<u64>) -> Budget {
        let (depth, plays_end) = match nodes {
            Some(..1_000) => (1, false),
            Some(..10_000) => (2, false),
            Some(..100_000) => (3, true),
            Some(_) | None => (DEPTH_MAX, true),
        };
        Budget { nodes, depth, plays_end }
    }
}

/// A search for one answer.
struct Search<'a, 'b> {
    seat: Seat,
    weights: &'a Weights,
    /// How far behind the end of the position the line is, see [`Weights::position`].
    to_line: Option<i32>,
    meter: Meter<'a, 'b>,
}

/// What the other car may do now, and how likely that is.
struct Reply {
    action: Action,
    weight: f64,
}

/// The command that is best by what is remembered and seen; `None` if that cannot be a race by the usual
/// numbers.
pub(crate) fn best_command(
    memory: &Memory,
    view: &View,
    weights: &Weights,
    budget: Budget,
    thinking: &mut Thinking<'_>,
) -> Option<Action> {
    let mut outlook = memory.present(view, &mut || Surface::Empty)?;
    let (seat, to_line) = (view.seat, outlook.to_line);
    let meter = Meter::new(budget.nodes, thinking);
    let mut search = Search { seat, weights, to_line, meter };
    let replies = search.likely_replies(&outlook.position);
    let commands = search.root_commands(&outlook, &replies);
    let mut sums = vec![0.0; commands.len()];
    let mut chance = SplitMix64::new(u64::from(view.round));
    let mut depth = DEPTH_FIRST.min(budget.depth);
    let mut counts_full = false;
    while let Some(values) = search.pass(&outlook.position, &commands, &replies, depth) {
        // A shallow pass counts until a deep one is finished; from then on deep ones are added up.
        match counts_full {
            true => sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value),
            false => sums = values,
        }
        counts_full = depth == budget.depth;
        depth = (depth + 1).min(budget.depth);
        outlook = memory.present(view, &mut || drawn(&mut chance))?;
    }
    Some(on_track(commands[first_of_best(&sums)], &outlook))
}

/// What a position whose whole track is known is worth to a seat, as far ahead as so many nodes show.
pub(crate) fn best_worth(
    position: &Overdrive,
    seat: Seat,
    weights: &Weights,
    nodes: u64,
    thinking: &mut Thinking<'_>,
) -> i32 {
    let meter = Meter::new(Some(nodes), thinking);
    let mut search = Search { seat, weights, to_line: None, meter };
    let mut worth = weights.position(position, seat, None);
    for depth in 1..=DEPTH_MAX {
        match search.value(position, depth) {
            Some(deeper) => worth = deeper,
            None => break,
        }
    }
    worth
}

/// The index of the first of the best.
fn first_of_best(sums: &[f64]) -> usize {
    let mut best = 0;
    for (index, &sum) in sums.iter().enumerate() {
        if sum > sums[best] {
            best = index;
        }
    }
    best
}

/// What may lie on a block that nobody has seen, as often as maps have it.
pub(crate) fn drawn(chance: &mut SplitMix64) -> Surface {
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
pub(crate) fn on_track(action: Action, outlook: &Outlook) -> Action {
    match action {
        Action::UseTweet(tweet) => {
            let place = Place::new(tweet.lane as u8, tweet.block as u16);
            Action::tweet(outlook.on_track(place))
        }
        other => other,
    }
}

impl Search<'_, '_> {
    /// The position after a round; `None` once there were enough.
    fn after(&mut self, position: &Overdrive, own: Action, rival: Action) -> Option<Overdrive> {
        if !self.meter.allows_another() {
            return None;
        }
        let mut next = position.clone();
        next.advance(&replies(self.seat, own, rival), &mut NoChance, &mut ());
        Some(next)
    }

    /// What every command comes to on one track; `None` if there was not enough time.
    fn pass(
        &mut self,
        position: &Overdrive,
        commands: &[Action],
        replies: &[Reply],
        depth: u32,
    ) -> Option<Vec<f64>> {
        let mut values = Vec::with_capacity(commands.len());
        for &command in commands {
            let mut value = 0.0;
            for reply in replies {
                let next = self.after(position, command, reply.action)?;
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
        for &action in Commands::of(position, self.seat).as_slice() {
            let next = self.after(position, action, rival)?;
            best = best.max(self.value(&next, depth - 1)?);
        }
        Some(best)
    }

    /// What the other car is likely to do now, by what two rounds come to for it.
    fn likely_replies(&mut self, position: &Overdrive) -> Vec<Reply> {
        let commands = Commands::of(position, self.seat.other());
        // For an EMP see `reflex`.
        let commands = commands.as_slice().iter().filter(|&&action| action != Action::UseEmp);
        let mut found: Vec<(i32, Action)> = commands
            .filter_map(|&action| Some((self.worth_to_rival(position, action)?, action)))
            .collect();
        // The sort is stable: of equals the first stays the first.
        found.sort_by_key(|&(worth, _)| std::cmp::Reverse(worth));
        found.truncate(REPLIES_MAX);
        let most = found.first().map_or(0, |&(worth, _)| worth);
        let likely = |worth: i32| {
            let doubt = 1.0 + f64::from(most - worth) / REPLY_DOUBT;
            1.0 / (doubt * doubt)
        };
        let sum: f64 = found.iter().map(|&(worth, _)| likely(worth)).sum();
        let reply =
            |&(worth, action): &(i32, Action)| Reply { action, weight: likely(worth) / sum };
        found.iter().map(reply).collect()
    }

    fn worth_to_rival(&mut self, position: &Overdrive, action: Action) -> Option<i32> {
        let rival = self.seat.other();
        let next = self.after(position, reflex(position, self.seat), action)?;
        let mut best = None;
        if next.outcome().is_none() {
            let own = reflex(&next, self.seat);
            for &second in Commands::of(&next, rival).as_slice() {
                let twice = self.after(&next, own, second)?;
                best = best.max(Some(self.weights.position(&twice, rival, self.to_line)));
            }
        }
        best.or_else(|| Some(self.weights.position(&next, rival, self.to_line)))
    }

    /// What the own car may do now.
    fn root_commands(&self, outlook: &Outlook, replies: &[Reply]) -> Vec<Action> {
        let position = &outlook.position;
        let powerups = &position.cars()[self.seat].powerups;
        let mut commands = Commands::of(position, self.seat).as_slice().to_vec();
        if !commands.contains(&Action::Nothing) {
            commands.push(Action::Nothing);
        }
        if powerups.has(Powerup::Oil) {
            commands.push(Action::UseOil);
        }
        if powerups.has(Powerup::Tweet) {
            for place in replies.iter().flat_map(|reply| self.truck_places(outlook, reply)) {
                let tweet = Action::tweet(place);
                if !commands.contains(&tweet) {
                    commands.push(tweet);
                }
            }
        }
        commands
    }

    /// Right before the place to which a reply takes the other car.
    fn truck_places(
        &self,
        outlook: &Outlook,
        reply: &Reply,
    ) -> impl Iterator<Item = Place> + use<> {
        let after = outlook.after(self.seat, Action::Nothing, reply.action);
        let Place { lane, block } = after.cars()[self.seat.other()].place;
        let line = after.track().length();
        let places = TRUCK_LEADS.map(move |lead| Place::new(lane, block + lead));
        places.filter(move |place| place.block < line)
    }
}

/// As many as there can be at once.
const COMMANDS_MAX: usize = 7;

/// Commands that are worth a thought in any round.
pub(crate) struct Commands {
    list: [Action; COMMANDS_MAX],
    length: usize,
}

impl Commands {
    pub(crate) fn of(position: &Overdrive, seat: Seat) -> Commands {
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

    pub(crate) fn as_slice(&self) -> &[Action] {
        &self.list[..self.length]
    }
}

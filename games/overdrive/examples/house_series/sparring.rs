//! Sparring partners after what contestants of 2020 were seen or said to do.

use quintain_core::{Bot, Game, NoChance, PerSeat, Replies, Seat};
use quintain_overdrive::{
    Action, Car, CarSetup, Config, Figures, Overdrive, Place, Powerup, Setup, Surface, Switches,
    View,
};

/// - `rules` repairs before it boosts, takes the lane with the least on it, jumps where all are blocked, and uses
///   whatever it has against the other car as soon as that is in reach;
/// - `ahead` tries all ways of its own car for three rounds on what it sees, by weights of distance, speed, damage
///   and powerups, and attacks only where it would drive straight on anyway.
pub(crate) fn partner(name: &str) -> Option<Box<dyn Bot<Overdrive>>> {
    match name {
        "rules" => Some(Box::new(rules)),
        "ahead" => Some(Box::new(ahead)),
        _ => None,
    }
}

/// The speed without a boost.
const SPEED_MAX: u8 = 9;
/// Oil is for somebody who is near.
const OIL_REACH: u16 = 20;

fn rules(view: &View) -> Action {
    let own = &view.own;
    let has = |powerup: Powerup| own.powerups.has(powerup);
    if own.damage >= 2 || own.damage > 0 && has(Powerup::Boost) {
        return Action::Fix;
    }
    let faster = if own.speed >= SPEED_MAX { own.speed } else { own.speed + 3 };
    let here = obstacles(view, own.place.lane, faster);
    if here > 0 {
        if let Some(turn) = best_turn(view, here) {
            return turn;
        }
        if has(Powerup::Lizard) {
            return Action::UseLizard;
        }
    }
    if has(Powerup::Boost) && own.damage == 0 && !own.is_boosting && here == 0 {
        return Action::UseBoost;
    }
    if own.speed < SPEED_MAX - 1 {
        return Action::Accelerate;
    }
    attack(view).unwrap_or(Action::Accelerate)
}

/// What lies in a lane on the way of one round.
fn obstacles(view: &View, lane: u8, distance: u8) -> usize {
    let start = view.own.place.block;
    let begin = start + u16::from(lane == view.own.place.lane);
    let way = (begin..=start + u16::from(distance)).map(|block| Place::new(lane, block));
    let is_bad = |place: &Place| {
        view.window.get(*place).is_some_and(|cell| {
            let bad = [Surface::Mud, Surface::OilSpill, Surface::Wall];
            cell.has_truck() || bad.contains(&cell.surface())
        })
    };
    way.filter(is_bad).count()
}

/// The neighbouring lane with the least on it, if that is less.
fn best_turn(view: &View, here: usize) -> Option<Action> {
    let lane = view.own.place.lane;
    let lanes = view.window.lanes().count() as u8;
    let left = (lane > 1).then(|| (lane - 1, Action::TurnLeft));
    let right = (lane < lanes).then(|| (lane + 1, Action::TurnRight));
    let ways = [left, right].into_iter().flatten();
    let ways =
        ways.map(|(lane, turn)| (obstacles(view, lane, view.own.speed.saturating_sub(1)), turn));
    let (there, turn) = ways.min_by_key(|(there, _)| *there)?;
    (there < here && view.own.speed > 0).then_some(turn)
}

/// What can be used against the other car.
fn attack(view: &View) -> Option<Action> {
    let (own, rival) = (view.own.place, view.opponent);
    let has = |powerup: Powerup| view.own.powerups.has(powerup);
    let is_ahead = own.block > rival.place.block;
    if !is_ahead && has(Powerup::Emp) && own.lane.abs_diff(rival.place.lane) <= 1 {
        return (rival.place.block > own.block).then_some(Action::UseEmp);
    }
    if has(Powerup::Tweet) {
        let block = rival.place.block + u16::from(rival.speed) + 3;
        let place = Place::new(rival.place.lane, block);
        let is_on_track = i32::from(block) < Figures::default().track_length;
        if is_on_track && (is_ahead || place.lane != own.lane) {
            return Some(Action::tweet(place));
        }
    }
    let is_near = is_ahead && own.block - rival.place.block <= OIL_REACH;
    (is_near && has(Powerup::Oil)).then_some(Action::UseOil)
}

/// What a block, a step of speed, each powerup and damage are worth, and the share of the rounds after.
const SPEED: f64 = 2.3;
const HELD: [(Powerup, f64); 4] =
    [(Powerup::Boost, 10.2), (Powerup::Lizard, 3.5), (Powerup::Tweet, 4.1), (Powerup::Emp, 4.2)];
const DAMAGE: f64 = 7.6;
const LATER: f64 = 0.5;
const DEPTH: u32 = 3;
/// Empty blocks beyond what is seen.
const BEYOND: usize = 60;

fn ahead(view: &View) -> Action {
    let Some(position) = seen(view) else {
        return Action::Accelerate;
    };
    let mut best = (f64::NEG_INFINITY, Action::Accelerate);
    for action in ways(&position) {
        let value = value_after(&position, action, DEPTH);
        if value > best.0 {
            best = (value, action);
        }
    }
    let goes_straight = matches!(best.1, Action::Accelerate | Action::Nothing);
    let is_fast = view.own.speed >= SPEED_MAX - 1;
    attack(view).filter(|_| goes_straight && is_fast).unwrap_or(best.1)
}

/// What is seen as a race of its own, with the own car on the first seat and the other out of the way.
fn seen(view: &View) -> Option<Overdrive> {
    let lane = |cells: &[quintain_overdrive::Cell]| {
        let digit = |cell: &quintain_overdrive::Cell| match cell.has_truck() {
            true => char::from(b'0' + Surface::Wall as u8),
            false => char::from(b'0' + cell.surface() as u8),
        };
        let ends = cells.last().is_some_and(|cell| cell.surface() == Surface::FinishLine);
        let beyond = std::iter::repeat_n('0', if ends { 0 } else { BEYOND });
        cells.iter().map(digit).chain(beyond).collect::<String>()
    };
    let map: Vec<String> = view.window.lanes().map(lane).collect();
    let own = &view.own;
    let block = own.place.block - view.window.first_block + 1;
    let car = CarSetup {
        damage: own.damage,
        powerups: own.powerups.iter().map(|held| held.name().to_owned()).collect(),
        boosting: own.is_boosting,
        boost_counter: own.boost_counter,
        ..CarSetup::at(own.place.lane, block, own.speed)
    };
    let far_lane = if own.place.lane > 2 { 1 } else { map.len() as u8 };
    let figures = Figures {
        number_of_lanes: map.len() as i32,
        max_lane: map.len() as i32,
        track_length: map.first()?.len() as i32,
        player_two_start_lane: map.len() as i32,
        player_two_start_block: 2,
        ..Figures::default()
    };
    let config = Config { switches: Switches::DOCUMENT, figures, ..Config::default() };
    let players = PerSeat([car, CarSetup::at(far_lane, 1, 0)]);
    Overdrive::new(&config, Setup { round: 0, map, players, trucks: Vec::new() }).ok()
}

/// The commands that move the own car.
fn ways(position: &Overdrive) -> Vec<Action> {
    let car = &position.cars()[Seat::First];
    let lanes = position.track().lanes();
    let mut ways = vec![Action::Accelerate, Action::Nothing];
    let mut offer = |is_open: bool, action: Action| {
        if is_open {
            ways.push(action);
        }
    };
    offer(car.place.lane > 1 && car.speed > 0, Action::TurnLeft);
    offer(car.place.lane < lanes && car.speed > 0, Action::TurnRight);
    offer(car.damage > 0, Action::Fix);
    offer(car.powerups.has(Powerup::Boost) && !car.is_boosting, Action::UseBoost);
    offer(car.powerups.has(Powerup::Lizard) && car.speed > 0, Action::UseLizard);
    ways
}

/// The worth of a command: that of the position after it, and a share of what the best next one brings.
fn value_after(position: &Overdrive, action: Action, depth: u32) -> f64 {
    let mut next = position.clone();
    next.advance(&Replies::both(action, Action::Fix), &mut NoChance, &mut ());
    let value = worth(&next.cars()[Seat::First]);
    if depth <= 1 || next.outcome().is_some() {
        return value;
    }
    let later = ways(&next).into_iter().map(|action| value_after(&next, action, depth - 1));
    value + LATER * later.fold(f64::NEG_INFINITY, f64::max)
}

fn worth(car: &Car) -> f64 {
    let held = HELD.iter().map(|&(powerup, each)| car.powerups.count(powerup) as f64 * each);
    f64::from(car.place.block) + SPEED * f64::from(car.speed) - DAMAGE * f64::from(car.damage)
        + held.sum::<f64>()
}

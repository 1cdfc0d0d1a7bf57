//! What a bot remembers of a match: the road that it has seen, the trucks, and what is not shown of the
//! other car, as far as its driving tells.

use std::ops::RangeInclusive;

use quintain_core::{Game, NoChance, PerSeat, Replies, Seat};

use super::foresight::{own_setup, playable};
use crate::{
    Action, Car, CarSetup, Figures, Overdrive, OwnCar, Place, Powerup, Rival, State, Surface, View,
};

/// Blocks behind and ahead of the own car that are made into a position: enough for every round that is
/// searched, and small enough to be copied quickly.
const BEHIND: u16 = 30;
const AHEAD: u16 = 200;
/// A car that is further away is put this near, where it is still out of reach.
const RIVAL_AHEAD_MAX: u16 = 100;
/// A line that nobody knows is too far away to matter.
const LINE_FAR: i32 = 10_000;

/// What is not shown of the other car.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hidden {
    pub(crate) damage: u8,
    pub(crate) boost_counter: u16,
    /// How many it should have of each powerup.
    pub(crate) held: [u8; Powerup::ALL.len()],
}

/// What was known before the last command, and that command.
struct Before {
    round: u32,
    own: OwnCar,
    rival: Rival,
    hidden: Hidden,
    trucks: Vec<Place>,
    action: Action,
}

pub(crate) struct Memory {
    /// Lane by lane, block by block.
    road: Vec<Vec<Option<Surface>>>,
    /// Where the finish line is, if it is not where it usually is.
    line: Option<u16>,
    trucks: Vec<Place>,
    hidden: Hidden,
    /// Blocks that the other car drove over and that have not been seen.
    unseen: Vec<Place>,
    before: Option<Before>,
}

/// A position made of what is known.
#[derive(Clone)]
pub(crate) struct Outlook {
    pub(crate) position: Overdrive,
    /// The number of the block that is the first of the position.
    pub(crate) first_block: u16,
    /// How far behind the end of the position the finish line is; `None` if the end is the line. If it is not,
    /// nobody is there yet who is at its end.
    pub(crate) to_line: Option<i32>,
}

impl Outlook {
    /// A place of the position as a place of the track.
    pub(crate) fn on_track(&self, place: Place) -> Place {
        Place::new(place.lane, place.block + self.first_block - 1)
    }
}

impl Memory {
    pub(crate) fn new() -> Memory {
        Memory {
            road: Vec::new(),
            line: None,
            trucks: Vec::new(),
            hidden: Hidden::default(),
            unseen: Vec::new(),
            before: None,
        }
    }

    #[cfg(test)]
    pub(crate) fn hidden(&self) -> Hidden {
        self.hidden
    }

    /// Takes in what is shown before a command.
    pub(crate) fn observe(&mut self, view: &View) {
        let fresh_oil = self.look(view);
        if let Some(before) = self.before.take().filter(|before| before.round + 1 == view.round) {
            self.follow(view, &before, &fresh_oil);
        }
        self.collect_unseen();
    }

    /// Keeps what it takes to understand the next view.
    pub(crate) fn commit(&mut self, view: &View, action: Action) {
        self.before = Some(Before {
            round: view.round,
            own: view.own.clone(),
            rival: view.opponent,
            hidden: self.hidden,
            trucks: self.trucks.clone(),
            action,
        });
    }

    /// Remembers the blocks in sight and returns those with oil that was not there.
    fn look(&mut self, view: &View) -> Vec<Place> {
        let window = &view.window;
        let mut fresh_oil = Vec::new();
        self.road.resize_with(window.lanes().count(), Vec::new);
        self.trucks.retain(|&truck| window.get(truck).is_none());
        for (lane, cells) in (1..).zip(window.lanes()) {
            let row = &mut self.road[usize::from(lane) - 1];
            for (block, cell) in (window.first_block..).zip(cells) {
                let (place, index) = (Place::new(lane, block), usize::from(block));
                row.resize(row.len().max(index + 1), None);
                if cell.surface() == Surface::OilSpill
                    && row[index].is_some_and(|known| known != Surface::OilSpill)
                {
                    fresh_oil.push(place);
                }
                row[index] = Some(cell.surface());
                if cell.has_truck() {
                    self.trucks.push(place);
                }
                if cell.surface() == Surface::FinishLine {
                    self.line = Some(block);
                }
            }
        }
        fresh_oil
    }

    fn known(&self, place: Place) -> Option<Surface> {
        *self.road.get(usize::from(place.lane) - 1)?.get(usize::from(place.block))?
    }

    /// Finds the command by which the other car came to where it is, and what else that did to it.
    fn follow(&mut self, view: &View, before: &Before, fresh_oil: &[Place]) {
        let mut guessed = before.hidden;
        for held in &mut guessed.held {
            *held = (*held).max(1);
        }
        let past = Moment {
            seat: view.seat,
            round: before.round,
            rounds_max: view.rounds_max,
            own: &before.own,
            rival: before.rival,
            hidden: guessed,
            trucks: &before.trucks,
        };
        let part = self.surroundings(before.own.place.block);
        let Some(outlook) = self.outlook(&past, part, &mut || Surface::Empty) else { return };
        let found = commands_of(view, before, fresh_oil).into_iter().find_map(|command| {
            let after = outlook.after(view.seat, shifted(before.action, &outlook), command);
            let car = after.cars()[view.seat.other()].clone();
            let is_it = outlook.on_track(car.place) == view.opponent.place
                && car.speed == view.opponent.speed;
            is_it.then_some((command, car))
        });
        self.hidden = match &found {
            Some((_, car)) => explained(before.hidden, guessed, car),
            None => unexplained(before, view.opponent),
        };
        let has_jumped = matches!(found, Some((Action::UseLizard, _)));
        self.note_unseen(before.rival.place, view.opponent.place, has_jumped);
    }

    /// Notes the blocks of a way of the other car on which something unknown may have lain.
    fn note_unseen(&mut self, from: Place, to: Place, has_jumped: bool) {
        let begin = match has_jumped {
            true => to.block,
            false => from.block + u16::from(from.lane == to.lane),
        };
        let way = (begin..=to.block).map(|block| Place::new(to.lane, block));
        let unseen: Vec<Place> = way.filter(|&place| self.known(place).is_none()).collect();
        self.unseen.extend(unseen);
    }

    /// What lies where the other car has been is what it has picked up there.
    fn collect_unseen(&mut self) {
        let unseen = std::mem::take(&mut self.unseen);
        for place in unseen {
            match self.known(place).map(Surface::powerup) {
                Some(Some(powerup)) => self.hidden.held[powerup as usize] += 1,
                Some(None) => {}
                None => self.unseen.push(place),
            }
        }
    }

    /// The position around the own car as far as it is known now; `unknown` says what lies where nobody has looked.
    pub(crate) fn present(
        &self,
        view: &View,
        unknown: &mut dyn FnMut() -> Surface,
    ) -> Option<Outlook> {
        self.outlook(&self.now(view), self.surroundings(view.own.place.block), unknown)
    }

    /// The same from the rear car up to the finish line; `None` also if nobody knows where that is.
    pub(crate) fn present_to_line(
        &self,
        view: &View,
        unknown: &mut dyn FnMut() -> Surface,
    ) -> Option<Outlook> {
        let rear = view.own.place.block.min(view.opponent.place.block);
        let part = rear..=self.line_beyond(view.own.place.block)?;
        self.outlook(&self.now(view), part, unknown)
    }

    /// How far the front car is from the finish line, if anybody knows where that is.
    pub(crate) fn to_line(&self, view: &View) -> Option<u16> {
        let front = view.own.place.block.max(view.opponent.place.block);
        Some(self.line_beyond(view.own.place.block)?.saturating_sub(front))
    }

    /// The finish line: where it was seen, or where it usually is, unless somebody is there.
    fn line_beyond(&self, block: u16) -> Option<u16> {
        let usual = Figures::default().track_length as u16;
        self.line.or((block < usual).then_some(usual))
    }

    /// The blocks around the own car that matter in the next rounds.
    fn surroundings(&self, block: u16) -> RangeInclusive<u16> {
        let line = self.line_beyond(block).unwrap_or(u16::MAX);
        block.saturating_sub(BEHIND).max(1)..=line.min(block.saturating_add(AHEAD))
    }

    fn now<'a>(&'a self, view: &'a View) -> Moment<'a> {
        Moment {
            seat: view.seat,
            round: view.round,
            rounds_max: view.rounds_max,
            own: &view.own,
            rival: view.opponent,
            hidden: self.hidden,
            trucks: &self.trucks,
        }
    }

    fn outlook(
        &self,
        moment: &Moment<'_>,
        part: RangeInclusive<u16>,
        unknown: &mut dyn FnMut() -> Surface,
    ) -> Option<Outlook> {
        let own = moment.own.place;
        let (first_block, last_block) = (*part.start(), *part.end());
        let line = self.line_beyond(own.block);
        let ends_with_line = line == Some(last_block);
        let map = self.map(first_block, last_block, ends_with_line, unknown);
        let shift = |block: u16| block - first_block + 1;
        let trucks = moment.trucks.iter().filter(|truck| part.contains(&truck.block));
        let trucks = trucks.map(|truck| (truck.lane, shift(truck.block))).collect();
        let farthest = match ends_with_line {
            true => last_block,
            false => last_block.min(own.block + RIVAL_AHEAD_MAX),
        };
        let rival_block = moment.rival.place.block.clamp(first_block, farthest);
        let cars = [
            own_setup(moment.own, shift(own.block)),
            moment.hidden.setup(moment.rival, shift(rival_block)),
        ];
        let players = PerSeat::from_fn(|seat| cars[usize::from(seat != moment.seat)].clone());
        let position = playable(moment.round - 1, moment.rounds_max, map, players, trucks)?;
        let to_line = match ends_with_line {
            true => None,
            false => Some(line.map_or(LINE_FAR, |line| i32::from(line - last_block))),
        };
        Some(Outlook { position, first_block, to_line })
    }

    /// A digit for every block between two, lane by lane.
    fn map(
        &self,
        first: u16,
        last: u16,
        ends_with_line: bool,
        unknown: &mut dyn FnMut() -> Surface,
    ) -> Vec<String> {
        let lanes = 1..=self.road.len() as u8;
        let row = |lane: u8| {
            let digit = |block: u16| {
                let known = self.known(Place::new(lane, block));
                let surface = match block == last && ends_with_line {
                    true => Surface::FinishLine,
                    false => known.unwrap_or_else(&mut *unknown),
                };
                char::from(surface.digit())
            };
            (first..=last).map(digit).collect()
        };
        lanes.map(row).collect()
    }
}

/// Both cars at one time.
struct Moment<'a> {
    seat: Seat,
    round: u32,
    rounds_max: u32,
    own: &'a OwnCar,
    rival: Rival,
    hidden: Hidden,
    trucks: &'a [Place],
}

impl Hidden {
    fn setup(&self, rival: Rival, block: u16) -> CarSetup {
        let names = Powerup::ALL.into_iter().flat_map(|powerup| {
            std::iter::repeat_n(powerup.name().to_owned(), usize::from(self.held[powerup as usize]))
        });
        CarSetup {
            damage: self.damage,
            powerups: names.collect(),
            boosting: self.boost_counter > 0,
            boost_counter: self.boost_counter,
            ..CarSetup::at(rival.place.lane, block, rival.speed)
        }
    }
}

impl Outlook {
    /// The position after a round.
    pub(crate) fn after(&self, seat: Seat, own: Action, rival: Action) -> Overdrive {
        let mut position = self.position.clone();
        position.advance(&replies(seat, own, rival), &mut NoChance, &mut ());
        position
    }
}

/// What both cars are told, by the seat of the own one.
pub(crate) fn replies(seat: Seat, own: Action, rival: Action) -> Replies<Action> {
    match seat {
        Seat::First => Replies::both(own, rival),
        Seat::Second => Replies::both(rival, own),
    }
}

/// A command as it is in a position that does not begin with the first block.
fn shifted(action: Action, outlook: &Outlook) -> Action {
    match action {
        Action::UseTweet(_) => Action::tweet(Place::new(1, outlook.position.track().length())),
        other => other,
    }
}

/// The commands that the other car may have been given, the likeliest first.
fn commands_of(view: &View, before: &Before, fresh_oil: &[Place]) -> Vec<Action> {
    if view.own.states.as_slice().contains(&State::HitEmp) {
        return vec![Action::UseEmp];
    }
    if fresh_oil.contains(&before.rival.place) && before.rival.place != before.own.place {
        return vec![Action::UseOil];
    }
    vec![
        Action::Accelerate,
        Action::TurnLeft,
        Action::TurnRight,
        Action::Nothing,
        Action::UseBoost,
        Action::Fix,
        Action::UseLizard,
        Action::Decelerate,
    ]
}

/// What is known of a car after a round that is understood. The guess had one more of each powerup that
/// it was not known to have.
fn explained(before: Hidden, guessed: Hidden, car: &Car) -> Hidden {
    let held = Powerup::ALL.map(|powerup| {
        let index = powerup as usize;
        let after = i32::from(before.held[index]) + car.powerups.count(powerup) as i32
            - i32::from(guessed.held[index]);
        after.clamp(0, i32::from(u8::MAX)) as u8
    });
    let boost_counter = if car.is_boosting { car.boost_counter } else { 0 };
    Hidden { damage: car.damage, boost_counter, held }
}

/// What a round suggests that no command explains, since something unknown lay on the way.
fn unexplained(before: &Before, rival: Rival) -> Hidden {
    let figures = Figures::default();
    let mut hidden = before.hidden;
    hidden.boost_counter = hidden.boost_counter.saturating_sub(1);
    if i32::from(rival.speed) == figures.boost_speed {
        hidden.damage = 0;
        hidden.boost_counter = hidden.boost_counter.max(1);
    } else {
        hidden.boost_counter = 0;
    }
    if rival.speed < before.rival.speed {
        let is_struck = i32::from(rival.speed) <= figures.speed_state_1;
        let damage = if is_struck { figures.damage_wall } else { figures.damage_mud } as u8;
        hidden.damage = (hidden.damage + damage).min(figures.damage_max_value as u8);
    }
    hidden
}

#[cfg(test)]
mod tests {
    use quintain_testkit::house_bots;

    use super::*;
    use crate::Config;

    /// Follows races of greedy against greedy from the first seat, and asks after every round.
    fn follow(mut check: impl FnMut(&Memory, &Overdrive, &View)) {
        for seed in 0..5 {
            let mut game = Overdrive::start(&Config::default(), seed).expect("playable");
            let mut bots = house_bots::<Overdrive>(["greedy", "greedy"], seed);
            let mut memory = Memory::new();
            while game.outcome().is_none() {
                let views = PerSeat::from_fn(|seat| game.view(seat));
                memory.observe(&views[Seat::First]);
                check(&memory, &game, &views[Seat::First]);
                let actions = PerSeat::from_fn(|seat| bots[seat].act_unhurried(&views[seat]));
                memory.commit(&views[Seat::First], actions[Seat::First]);
                let replies = Replies::both(actions[Seat::First], actions[Seat::Second]);
                game.advance(&replies, &mut NoChance, &mut ());
            }
        }
    }

    #[test]
    fn what_was_seen_is_remembered_as_it_is() {
        follow(|memory, game, view| {
            let place = view.own.place;
            for lane in 1..=4 {
                for block in 1..=place.block.saturating_add(20).min(1500) {
                    let place = Place::new(lane, block);
                    // Oil may have been dropped out of sight.
                    if game.surface(place) != Surface::OilSpill && memory.known(place).is_some() {
                        assert_eq!(memory.known(place), Some(game.surface(place)), "{place:?}");
                    }
                }
            }
            let present = memory.present(view, &mut || Surface::Empty).expect("a race");
            let own = &present.position.cars()[view.seat];
            assert_eq!(present.on_track(own.place), place);
            assert_eq!(own.powerups, view.own.powerups);
        });
    }

    #[test]
    fn the_damage_of_the_other_car_is_mostly_known() {
        let (mut rounds, mut known) = (0, 0);
        follow(|memory, game, _| {
            rounds += 1;
            known += u32::from(memory.hidden().damage == game.cars()[Seat::Second].damage);
        });
        assert!(known * 100 >= rounds * 70, "damage known in {known} of {rounds} rounds");
    }
}

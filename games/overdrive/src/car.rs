//! A car, and what happened to it in the last round.

use crate::{Place, Powerups};

#[derive(Clone, Debug, PartialEq)]
pub struct Car {
    pub place: Place,
    pub speed: u8,
    pub damage: u8,
    pub is_boosting: bool,
    /// It jumped in the last round.
    pub is_lizard: bool,
    /// The truck that it placed last still stands.
    pub has_truck: bool,
    /// How many more rounds a boost lasts, the last one used included.
    pub boost_counter: u16,
    pub score: i32,
    /// Where its last tweet put a truck, which may be gone.
    pub truck: Option<Place>,
    /// Invalid commands since its last valid one.
    pub invalid_in_a_row: u32,
    pub states: States,
    pub powerups: Powerups,
}

/// What a player state can be. The document lists all but FIXED_CAR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum State {
    Ready,
    Nothing,
    TurningLeft,
    TurningRight,
    Accelerating,
    Decelerating,
    PickedUpPowerup,
    UsedBoost,
    UsedOil,
    UsedLizard,
    UsedTweet,
    UsedEmp,
    HitMud,
    HitOil,
    HitWall,
    HitCyberTruck,
    HitEmp,
    FixedCar,
    Finished,
}

impl State {
    pub const ALL: [State; 19] = [
        State::Ready,
        State::Nothing,
        State::TurningLeft,
        State::TurningRight,
        State::Accelerating,
        State::Decelerating,
        State::PickedUpPowerup,
        State::UsedBoost,
        State::UsedOil,
        State::UsedLizard,
        State::UsedTweet,
        State::UsedEmp,
        State::HitMud,
        State::HitOil,
        State::HitWall,
        State::HitCyberTruck,
        State::HitEmp,
        State::FixedCar,
        State::Finished,
    ];

    /// The word in state files.
    pub const fn name(self) -> &'static str {
        match self {
            State::Ready => "READY",
            State::Nothing => "NOTHING",
            State::TurningLeft => "TURNING_LEFT",
            State::TurningRight => "TURNING_RIGHT",
            State::Accelerating => "ACCELERATING",
            State::Decelerating => "DECELERATING",
            State::PickedUpPowerup => "PICKED_UP_POWERUP",
            State::UsedBoost => "USED_BOOST",
            State::UsedOil => "USED_OIL",
            State::UsedLizard => "USED_LIZARD",
            State::UsedTweet => "USED_TWEET",
            State::UsedEmp => "USED_EMP",
            State::HitMud => "HIT_MUD",
            State::HitOil => "HIT_OIL",
            State::HitWall => "HIT_WALL",
            State::HitCyberTruck => "HIT_CYBER_TRUCK",
            State::HitEmp => "HIT_EMP",
            State::FixedCar => "FIXED_CAR",
            State::Finished => "FINISHED",
        }
    }

    pub fn from_name(name: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.name() == name)
    }

    pub const fn is_hit(self) -> bool {
        matches!(
            self,
            State::HitMud | State::HitOil | State::HitWall | State::HitCyberTruck | State::HitEmp
        )
    }
}

/// A round adds at most one entry per block of a path of 51, two for the command, two for EMP and
/// truck and two for the finish.
pub(crate) const STATES_MAX: usize = 64;
const _: () = assert!(crate::figures::SPEED_MAX as usize + 1 + 6 <= STATES_MAX);

/// The states of one round, in order.
#[derive(Clone, Copy)]
pub struct States {
    entries: [State; STATES_MAX],
    length: u8,
}

impl States {
    pub const EMPTY: States = States { entries: [State::Ready; STATES_MAX], length: 0 };

    #[inline]
    pub fn as_slice(&self) -> &[State] {
        &self.entries[..usize::from(self.length)]
    }

    /// What state files call the player's state.
    #[inline]
    pub fn last(&self) -> Option<State> {
        self.as_slice().last().copied()
    }

    /// Its name; nothing before the first round.
    pub(crate) fn latest_name(&self) -> &'static str {
        self.last().map_or("", State::name)
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.length = 0;
    }

    #[inline]
    pub(crate) fn push(&mut self, state: State) {
        self.entries[usize::from(self.length)] = state;
        self.length += 1;
    }

    /// Moves an entry behind all others.
    pub(crate) fn put_last(&mut self, state: State) {
        let length = usize::from(self.length);
        if let Some(place) = self.as_slice().iter().position(|&entry| entry == state) {
            self.entries[place..length].rotate_left(1);
        }
    }

    /// Adds a pickup before the first hit; without one at the end.
    pub(crate) fn insert_pickup(&mut self) {
        let hit = self.as_slice().iter().position(|state| state.is_hit());
        let length = usize::from(self.length);
        let place = hit.unwrap_or(length);
        self.entries.copy_within(place..length, place + 1);
        self.entries[place] = State::PickedUpPowerup;
        self.length += 1;
    }
}

impl FromIterator<State> for States {
    /// # Panics
    /// If there are more than a round can have.
    fn from_iter<I: IntoIterator<Item = State>>(states: I) -> Self {
        let mut list = States::EMPTY;
        states.into_iter().for_each(|state| list.push(state));
        list
    }
}

impl PartialEq for States {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl std::fmt::Debug for States {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_slice().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_read_back_from_their_names() {
        for state in State::ALL {
            assert_eq!(State::from_name(state.name()), Some(state));
        }
        assert_eq!(State::from_name("READY "), None);
        assert_eq!(State::ALL.map(|state| state as usize), std::array::from_fn(|index| index));
    }

    #[test]
    fn an_entry_is_put_behind_all_others() {
        let mut states: States =
            [State::HitEmp, State::Nothing, State::UsedOil].into_iter().collect();
        states.put_last(State::HitEmp);
        let expected = [State::Nothing, State::UsedOil, State::HitEmp];
        assert_eq!(states.as_slice(), expected);
        states.put_last(State::HitEmp);
        states.put_last(State::HitMud);
        assert_eq!(states.as_slice(), expected);
    }

    #[test]
    fn a_pickup_stands_before_the_first_hit() {
        let mut states: States =
            [State::Nothing, State::HitMud, State::HitWall].into_iter().collect();
        states.insert_pickup();
        states.insert_pickup();
        let picked = State::PickedUpPowerup;
        let expected = [State::Nothing, picked, picked, State::HitMud, State::HitWall];
        assert_eq!(states.as_slice(), expected);
        let mut states: States = [State::Nothing].into_iter().collect();
        states.insert_pickup();
        assert_eq!(states.as_slice(), [State::Nothing, picked]);
    }
}

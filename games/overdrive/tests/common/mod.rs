//! What several tests of this crate need: races on an empty track, driven by commands as text.

#![allow(dead_code, reason = "each test takes what it needs")]

use quintain_core::{Edition, Fault, Game, Intake, Item, NoChance, Opening, Outbox, PerSeat};
use quintain_core::{Protocol, Reply, Seat};
use quintain_overdrive::{
    Action, Car, CarSetup, Config, Event, Overdrive, Place, Powerup, Setup, State, Surface,
    Switches, View, Wire,
};

pub(crate) const FIRST: Seat = Seat::First;
pub(crate) const SECOND: Seat = Seat::Second;

pub(crate) fn config(edition: Edition) -> Config {
    Config { switches: Switches::of(edition), ..Config::default() }
}

/// A sound car without anything.
pub(crate) fn at(lane: u8, block: u16, speed: u8) -> CarSetup {
    CarSetup::at(lane, block, speed)
}

/// A car that has these powerups.
pub(crate) fn with(car: CarSetup, powerups: &[&str]) -> CarSetup {
    CarSetup { powerups: powerups.iter().map(|name| (*name).to_owned()).collect(), ..car }
}

pub(crate) fn damaged(car: CarSetup, damage: u8) -> CarSetup {
    CarSetup { damage, ..car }
}

/// An empty track with two cars on it.
pub(crate) fn setup(first: CarSetup, second: CarSetup) -> Setup {
    let lane = "0".repeat(1499) + "4";
    Setup { round: 0, map: vec![lane; 4], players: PerSeat([first, second]), trucks: Vec::new() }
}

/// Lays something on a block.
pub(crate) fn lay(setup: &mut Setup, lane: u8, block: u16, surface: Surface) {
    let lane = &mut setup.map[usize::from(lane) - 1];
    let place = usize::from(block) - 1;
    lane.replace_range(place..=place, &(surface as u8).to_string());
}

/// The same with several.
pub(crate) fn laid(mut setup: Setup, what: &[(u8, u16, Surface)]) -> Setup {
    for &(lane, block, surface) in what {
        lay(&mut setup, lane, block, surface);
    }
    setup
}

pub(crate) struct Race {
    pub(crate) game: Overdrive,
}

impl Race {
    pub(crate) fn new(edition: Edition, setup: Setup) -> Race {
        Race { game: Overdrive::new(&config(edition), setup).expect("a playable setup") }
    }

    /// A race by the document.
    pub(crate) fn document(setup: Setup) -> Race {
        Race::new(Edition::Document, setup)
    }

    /// Plays one round; an empty text is an empty answer.
    pub(crate) fn round(&mut self, first: &str, second: &str) -> Vec<Event> {
        self.replies([first, second].map(|text| Reply::Act(Action::read(text))))
    }

    /// Plays a round in which the first car's driver does not answer.
    pub(crate) fn missing(&mut self, fault: Fault) -> Vec<Event> {
        self.replies([Reply::Fault(fault), Reply::Act(Action::Nothing)])
    }

    fn replies(&mut self, replies: [Reply<Action>; 2]) -> Vec<Event> {
        let mut events = Vec::new();
        self.game.advance(&PerSeat(replies.map(Some)), &mut NoChance, &mut events);
        events
    }

    pub(crate) fn car(&self, seat: Seat) -> &Car {
        &self.game.cars()[seat]
    }

    /// Lane and block.
    pub(crate) fn place(&self, seat: Seat) -> (u8, u16) {
        let Place { lane, block } = self.car(seat).place;
        (lane, block)
    }

    pub(crate) fn speed(&self, seat: Seat) -> u8 {
        self.car(seat).speed
    }

    pub(crate) fn scores(&self) -> [i32; 2] {
        self.game.cars().0.each_ref().map(|car| car.score)
    }

    pub(crate) fn states(&self, seat: Seat) -> Vec<&'static str> {
        self.car(seat).states.as_slice().iter().map(|state| state.name()).collect()
    }

    pub(crate) fn state(&self, seat: Seat) -> State {
        self.car(seat).states.last().expect("every round leaves a state")
    }

    pub(crate) fn powerups(&self, seat: Seat) -> Vec<&'static str> {
        self.car(seat).powerups.iter().map(Powerup::name).collect()
    }

    pub(crate) fn trucks(&self) -> Vec<(u8, u16)> {
        self.game.trucks().into_iter().map(|place| (place.lane, place.block)).collect()
    }

    pub(crate) fn winner(&self) -> Option<Seat> {
        self.game.outcome().expect("the race is over").winner()
    }

    pub(crate) fn reason(&self) -> &'static str {
        self.game.outcome().expect("the race is over").reason
    }
}

pub(crate) fn wire() -> Wire {
    Wire::new(&Opening::new(PerSeat(["Anna", "Bert"].map(str::to_owned))))
}

/// What a seat is sent before a round.
pub(crate) fn told(wire: &mut Wire, view: &View) -> Vec<Item> {
    let mut out = Outbox::default();
    wire.prompt(view.seat, view, &mut out);
    out.0.into_iter().map(|(_, item)| item).collect()
}

/// What a line means in round 1.
pub(crate) fn heard(line: &str) -> Intake<Action> {
    let game = Race::document(setup(at(1, 1, 5), at(4, 1, 5))).game;
    let mut wire = wire();
    told(&mut wire, &game.view(FIRST));
    wire.hear(FIRST, true, line, &mut Outbox::default())
}

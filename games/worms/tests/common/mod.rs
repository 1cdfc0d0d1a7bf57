//! A small match on an open map, and what happens in it.

#![allow(dead_code, reason = "each test file uses its own part of the helpers")]

use quintain_core::{
    Chance, Edition, Fault, Game, Intake, Manner, Opening, Outbox, PerSeat, Protocol, Reply, Seat,
};
use quintain_worms::{Action, Cell, Config, Event, PackSetup, Setup, Terrain, Wire, Worm, Worms};

/// Draws what it is told to.
pub(crate) struct Loaded(pub(crate) u32);

impl Chance for Loaded {
    fn below(&mut self, _n: u32) -> u32 {
        self.0
    }
}

pub(crate) const PUSHBACK: u32 = 1;
pub(crate) const SWAP: u32 = 0;

/// An open map with worms far apart: the first player's on the left, the second's on the right.
pub(crate) fn setup() -> Setup {
    let mut setup = Worms::generate(&Config::default(), 1);
    setup.map = setup.map.iter().map(|row| row.replace('#', ".")).collect();
    setup.packs.clear();
    for (column, player) in [6, 26].into_iter().zip(&mut setup.players.0) {
        for (worm, row) in player.worms.iter_mut().zip([12, 16, 20]) {
            (worm.at, worm.came_from) = (Cell::new(column, row), Cell::new(column, row));
        }
    }
    setup
}

/// Puts a worm somewhere. Ids are from 1.
pub(crate) fn put(setup: &mut Setup, seat: Seat, worm: usize, x: u8, y: u8) {
    let worm = &mut setup.players[seat].worms[worm - 1];
    (worm.at, worm.came_from) = (Cell::new(x, y), Cell::new(x, y));
}

pub(crate) fn paint(setup: &mut Setup, x: u8, y: u8, terrain: Terrain) {
    let row = &mut setup.map[usize::from(y)];
    *row = row
        .chars()
        .enumerate()
        .map(|(column, letter)| if column == usize::from(x) { terrain.letter() } else { letter })
        .collect();
}

pub(crate) fn pack(x: u8, y: u8) -> PackSetup {
    PackSetup { at: Cell::new(x, y), value: 10 }
}

pub(crate) struct Match {
    pub(crate) game: Worms,
    pub(crate) chance: Loaded,
}

impl Match {
    pub(crate) fn new(edition: Edition, setup: Setup) -> Match {
        Match::with(&Config { edition, ..Config::default() }, setup)
    }

    pub(crate) fn document(setup: Setup) -> Match {
        Match::new(Edition::Document, setup)
    }

    pub(crate) fn with(config: &Config, setup: Setup) -> Match {
        let game = Worms::new(config, setup).expect("playable");
        Match { game, chance: Loaded(PUSHBACK) }
    }

    /// Plays a round with these answers; an empty one is none.
    pub(crate) fn round(&mut self, first: &str, second: &str) -> Vec<Event> {
        let replies = PerSeat([first, second].map(|text| {
            Some(match text {
                "" => Reply::Fault(Fault::Late),
                text => Reply::Act(read(text)),
            })
        }));
        let mut events = Vec::new();
        self.game.advance(&replies, &mut self.chance, &mut events);
        events
    }

    pub(crate) fn worm(&self, seat: Seat, id: usize) -> Worm {
        self.game.players()[seat].worms()[id - 1]
    }

    pub(crate) fn at(&self, seat: Seat, id: usize) -> (u8, u8) {
        self.worm(seat, id).at.into()
    }

    /// The points for commands.
    pub(crate) fn points(&self, seat: Seat) -> i64 {
        self.game.players()[seat].command_score
    }

    pub(crate) fn do_nothings(&self, seat: Seat) -> u32 {
        self.game.players()[seat].do_nothings
    }

    pub(crate) fn terrain(&self, x: u8, y: u8) -> Terrain {
        self.game.ground().at(Cell::new(x, y))
    }

    pub(crate) fn reason(&self) -> Option<&'static str> {
        self.game.outcome().map(|outcome| outcome.reason)
    }

    pub(crate) fn winner(&self) -> Option<Seat> {
        self.game.outcome().and_then(|outcome| outcome.winner())
    }
}

/// What an answer means, through the protocol.
pub(crate) fn read(text: &str) -> Action {
    let manners = PerSeat([Manner::Inside; 2]);
    let mut wire = Wire::new(&Opening { manners, ..Opening::new(PerSeat::default()) });
    match wire.hear(Seat::First, true, &format!("C;0;{text}"), &mut Outbox::default()) {
        Intake::Action(action) => action,
        other => panic!("{text:?} is {other:?}"),
    }
}

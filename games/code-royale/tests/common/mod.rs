//! A small field for tests, and a way to play on it in the lines that bots send.

use quintain_code_royale::{
    CodeRoyale, Config, CreepKind, CreepSetup, Event, League, PlayerSetup, Setup, SiteSetup,
    StructureSetup, Wire,
};
use quintain_core::{
    Edition, Fault, Game, Intake, Item, NoChance, Opening, Outbox, PerSeat, Protocol, Replies,
    Reply, Seat,
};

pub(crate) const NOTHING: &str = "WAIT|TRAIN";

pub(crate) fn config(edition: Edition) -> Config {
    Config { edition, ..Config::default() }
}

pub(crate) fn league(edition: Edition, number: u8) -> Config {
    Config { league: League::new(number).expect("a league"), ..config(edition) }
}

pub(crate) fn site(x: f64, y: f64, radius: i32) -> SiteSetup {
    SiteSetup { x, y, radius, gold: 200, rate_max: 3, structure: None }
}

/// Six sites in a row of three above and three below. Each queen touches one: 0 and 5.
pub(crate) fn setup() -> Setup {
    let player = |x, y| PlayerSetup { gold: 100, hp: 100, queen: (x, y), creeps: Vec::new() };
    Setup {
        turn: 0,
        sites: vec![
            site(300.0, 200.0, 60),
            site(960.0, 200.0, 60),
            site(1620.0, 200.0, 60),
            site(300.0, 800.0, 60),
            site(960.0, 800.0, 60),
            site(1620.0, 800.0, 60),
        ],
        players: PerSeat([player(210.0, 200.0), player(1710.0, 800.0)]),
    }
}

pub(crate) fn mine(owner: u8, rate: u8) -> Option<StructureSetup> {
    Some(StructureSetup::Mine { owner, rate })
}

pub(crate) fn tower(owner: u8, hp: i32, range: i32) -> Option<StructureSetup> {
    Some(StructureSetup::Tower { owner, hp, range })
}

pub(crate) fn barracks(
    owner: u8,
    creep: CreepKind,
    training: Option<u8>,
) -> Option<StructureSetup> {
    Some(StructureSetup::Barracks { owner, creep, training })
}

pub(crate) fn creep(kind: CreepKind, x: f64, y: f64) -> CreepSetup {
    CreepSetup { kind, x, y, hp: kind.stats().hp }
}

pub(crate) fn wire() -> Wire {
    Wire::new(&Opening::new(PerSeat(["Anna".to_owned(), "Bert".to_owned()])))
}

/// A match in the lines that bots send, both lines of an answer in one text with `|` between.
pub(crate) struct Match {
    pub(crate) game: CodeRoyale,
}

impl Match {
    pub(crate) fn new(edition: Edition, setup: Setup) -> Match {
        Match::with(&config(edition), setup)
    }

    pub(crate) fn with(config: &Config, setup: Setup) -> Match {
        let game = CodeRoyale::new(config, setup).expect("a playable position");
        Match { game }
    }

    /// Plays a turn. An answer without `|` is one that never came.
    pub(crate) fn turn(&mut self, first: &str, second: &str) -> Vec<Event> {
        let answers = [first, second];
        let mut replies: Replies<_> = PerSeat::default();
        for seat in Seat::BOTH {
            let (mut wire, mut out) = (wire(), Outbox::default());
            let mut reply = Reply::Fault(Fault::Late);
            let lines = answers[seat.index()].split_once('|');
            for line in lines.into_iter().flat_map(|(one, two)| [one, two]) {
                if let Intake::Action(action) = wire.hear(seat, true, line, &mut out) {
                    reply = Reply::Act(action);
                }
            }
            replies[seat] = Some(reply);
        }
        let mut events = Vec::new();
        self.game.advance(&replies, &mut NoChance, &mut events);
        events
    }

    /// Turns in which nobody orders anything.
    pub(crate) fn wait(&mut self, turns: u32) {
        for _ in 0..turns {
            self.turn(NOTHING, NOTHING);
        }
    }

    pub(crate) fn gold(&self, seat: Seat) -> i32 {
        self.game.players()[seat].gold
    }

    pub(crate) fn hp(&self, seat: Seat) -> i32 {
        self.game.players()[seat].hp
    }

    pub(crate) fn queen(&self, seat: Seat) -> (f64, f64) {
        let queen = self.game.players()[seat].queen;
        (queen.x, queen.y)
    }

    /// What a seat is told this turn.
    pub(crate) fn told(&self, seat: Seat) -> Vec<String> {
        let mut out = Outbox::default();
        wire().prompt(seat, &self.game.view(seat), &mut out);
        lines(out)
    }

    /// The line of a site, without its number.
    pub(crate) fn site(&self, seat: Seat, site: usize) -> String {
        let line = self.told(seat).swap_remove(1 + site);
        line.split_once(' ').expect("seven numbers").1.to_owned()
    }
}

pub(crate) fn lines(out: Outbox) -> Vec<String> {
    out.0
        .into_iter()
        .map(|(_, item)| match item {
            Item::Line(line) => line,
            Item::File { path, .. } => panic!("no file is sent, least of all {path}"),
        })
        .collect()
}

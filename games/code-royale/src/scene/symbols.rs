//! The icons: structures, creeps, crowns. The first player's are round and solid, the second's angular and
//! hollow.

use quintain_core::Seat;
use quintain_core::scene::{Ink, Part, Symbol};

use super::stage::ink;
use crate::CreepKind;
use crate::describe::creep_name;

/// A place in the stage's list.
pub(super) const BURST: u8 = 0;
pub(super) const CROWN: u8 = 1;
pub(super) const COIN: u8 = 2;
pub(super) const MINE: u8 = 3;
const TOWERS: u8 = 4;
const HOUSES: u8 = 6;
const EMBLEMS: u8 = 8;
const CREEPS: u8 = 11;
pub(super) const STONE: u8 = 17;

pub(super) const fn tower(seat: Seat) -> u8 {
    TOWERS + seat.index() as u8
}

pub(super) const fn house(seat: Seat) -> u8 {
    HOUSES + seat.index() as u8
}

/// What a kind of creep is known by.
pub(super) const fn emblem(kind: CreepKind) -> u8 {
    EMBLEMS + kind as u8
}

pub(super) const fn creep(seat: Seat, kind: CreepKind) -> u8 {
    CREEPS + 3 * seat.index() as u8 + kind as u8
}

const DISC: &str = "M-.76 0a.76 .76 0 1 0 1.52 0a.76 .76 0 1 0-1.52 0z";
const DIAMOND: &str = "M0-.86L.86 0L0 .86L-.86 0z";
const BAR: &str = "M-.6 .84h1.2a.07 .07 0 0 1 0 .14h-1.2a.07 .07 0 0 1 0-.14z";
/// Where the health of a creep is drawn over its bar, in the units of a symbol.
pub(super) const BAR_HALF: f64 = 0.6;
pub(super) const BAR_BELOW: f64 = 0.91;

const SWORD: &str = "M0-.62L.11-.46V.1H.3V.23H.09V.46A.11 .11 0 1 1-.09 .46V.23H-.3V.1H-.11V-.46z";
const BOW: &str = "M-.12-.5C.4-.36 .4 .36-.12 .5";
const STRING: &str = "M-.12-.5L-.3 0L-.12 .5";
const ARROW: &str = "M-.46 0H.36";
const ARROW_HEAD: &str = "M.62 0L.3-.16V.16z";
const FIST: &str = "M-.44 .02V-.26A.11 .11 0 0 1-.22-.26V-.36A.11 .11 0 0 1 0-.36\
                    A.11 .11 0 0 1 .22-.36V-.27A.11 .11 0 0 1 .44-.27V.06\
                    C.44 .24 .28 .3 .26 .4V.56H-.26V.4C-.28 .28-.44 .2-.44 .02z";
const FINGERS: &str =
    "M-.22-.24V-.04M0-.3V-.04M.22-.26V-.04M-.42 .04H.02A.09 .09 0 0 1 .02 .2H-.16";

const TOWER: &str = "M-.68-.86H-.36V-.62H-.16V-.86H.16V-.62H.36V-.86H.68V-.36L.48-.18V.6L.66 .86H-.66\
                     L-.48 .6V-.18L-.68-.36z";
const TOWER_OPENINGS: &str = "M-.18 .86V.52a.18 .18 0 0 1 .36 0V.86z\
                              M-.07-.12a.07 .07 0 0 1 .14 0V.18H-.07z";
const HOUSE: &str = "M0-.92L.86-.26V.84H-.86V-.26z";

const ROCK: &str = "M-.98 .6L-.64-.08L-.4-.2L-.04-.78L.3-.44L.54-.3L.98 .6z";
const ROCK_LIGHT: &str = "M-.04-.78L.3-.44L.12-.16L-.18-.3zM-.64-.08L-.4-.2L-.34 .06L-.6 .16z";
const CAVE: &str = "M-.3 .6V.2a.3 .3 0 0 1 .6 0V.6z";
const CAVE_FRAME: &str = "M-.3 .6V.2a.3 .3 0 0 1 .6 0V.6";

const STONE_FACE: &str = "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0z";
const STONE_SHADOW: &str = "M-.94 .08a1 1 0 1 0 2 0a1 1 0 1 0-2 0z";
const STONE_SEAM: &str = "M-.86 0a.86 .86 0 1 0 1.72 0a.86 .86 0 1 0-1.72 0z";

const COIN_FACE: &str = "M-.9 0a.9 .66 0 1 0 1.8 0a.9 .66 0 1 0-1.8 0z";
const COIN_INNER: &str = "M-.52 0a.52 .34 0 1 0 1.04 0a.52 .34 0 1 0-1.04 0z";

const CROWN_BODY: &str = "M-.74 .62L-.92-.34L-.46 .06L0-.66L.46 .06L.92-.34L.74 .62z";
const CROWN_BAND: &str = "M-.72 .4H.72";
const CROWN_PEARLS: &str = "M-1-.42a.13 .13 0 1 0 .26 0a.13 .13 0 1 0-.26 0z\
                            M-.14-.76a.14 .14 0 1 0 .28 0a.14 .14 0 1 0-.28 0z\
                            M.74-.42a.13 .13 0 1 0 .26 0a.13 .13 0 1 0-.26 0z";

const STAR: &str = "M0-1L.2-.44L.7-.72L.46-.2L1 0L.46 .2L.7 .72L.2 .44L0 1L-.2 .44L-.7 .72L-.46 .2\
                    L-1 0L-.46-.2L-.7-.72L-.2-.44z";
const STAR_HEART: &str = "M0-.5L.14-.14L.5 0L.14 .14L0 .5L-.14 .14L-.5 0L-.14-.14z";

/// All of them, in the order of their places.
pub(super) fn symbols() -> Vec<Symbol> {
    let mut symbols = vec![
        Symbol::new(
            "hit",
            '*',
            vec![
                Part::fill(Ink::Accent, STAR).outlined(ink::COIN_RIM, 0.08),
                Part::fill(Ink::Ground, STAR_HEART),
            ],
        ),
        Symbol::new("crown", 'Q', crown()),
        Symbol::new("gold", '$', coin()),
        Symbol::new("mine", 'm', mine()),
    ];
    symbols.extend(Seat::BOTH.map(|seat| Symbol::new("tower", 't', tower_parts(seat))));
    symbols.extend(Seat::BOTH.map(|seat| Symbol::new("barracks", 'b', house_parts(seat))));
    let emblems = CreepKind::ALL.map(|kind| {
        Symbol::new(creep_name(kind), sign(kind), emblem_parts(kind, Ink::Tint, Ink::Ground))
    });
    symbols.extend(emblems);
    for seat in Seat::BOTH {
        let creeps = CreepKind::ALL
            .map(|kind| Symbol::new(creep_name(kind), sign(kind), creep_parts(seat, kind)));
        symbols.extend(creeps);
    }
    symbols.push(Symbol::new("site", 'o', stone()));
    symbols
}

/// As in the field of letters.
fn sign(kind: CreepKind) -> char {
    match kind {
        CreepKind::Knight => 'k',
        CreepKind::Archer => 'a',
        CreepKind::Giant => 'g',
    }
}

/// Filled for the first player, an outline for the second; then what is seen in it.
fn solid_or_hollow(seat: Seat, path: &'static str) -> (Part, Ink, Ink) {
    match seat {
        Seat::First => {
            (Part::fill(Ink::Tint, path).outlined(Ink::Ground, 0.07), Ink::Ground, Ink::Tint)
        }
        Seat::Second => {
            (Part::fill(Ink::Ground, path).outlined(Ink::Tint, 0.13), Ink::Tint, Ink::Ground)
        }
    }
}

fn emblem_parts(kind: CreepKind, ink: Ink, gaps: Ink) -> Vec<Part> {
    match kind {
        CreepKind::Knight => vec![Part::fill(ink, SWORD)],
        CreepKind::Archer => vec![
            Part::stroke(ink, 0.13, BOW),
            Part::stroke(ink, 0.05, STRING),
            Part::stroke(ink, 0.09, ARROW),
            Part::fill(ink, ARROW_HEAD),
        ],
        CreepKind::Giant => vec![Part::fill(ink, FIST), Part::stroke(gaps, 0.06, FINGERS)],
    }
}

fn creep_parts(seat: Seat, kind: CreepKind) -> Vec<Part> {
    let outline = match seat {
        Seat::First => DISC,
        Seat::Second => DIAMOND,
    };
    let (body, drawn, gaps) = solid_or_hollow(seat, outline);
    let mut parts = vec![body, Part::fill(ink::BAR, BAR)];
    parts.extend(emblem_parts(kind, drawn, gaps));
    parts
}

fn tower_parts(seat: Seat) -> Vec<Part> {
    let (body, openings, _) = solid_or_hollow(seat, TOWER);
    vec![body, Part::fill(openings, TOWER_OPENINGS)]
}

fn house_parts(seat: Seat) -> Vec<Part> {
    let (body, ..) = solid_or_hollow(seat, HOUSE);
    vec![body]
}

fn mine() -> Vec<Part> {
    vec![
        Part::fill(ink::ROCK, ROCK).outlined(Ink::Tint, 0.11),
        Part::fill(ink::ROCK_LIGHT, ROCK_LIGHT),
        Part::fill(ink::CAVE, CAVE),
        Part::stroke(ink::COIN_RIM, 0.08, CAVE_FRAME),
    ]
}

fn stone() -> Vec<Part> {
    vec![
        Part::fill(ink::SHADOW, STONE_SHADOW),
        Part::fill(ink::STONE, STONE_FACE).outlined(ink::STONE_RIM, 0.03),
        Part::stroke(ink::STONE_RIM, 0.015, STONE_SEAM).faded(0.6),
    ]
}

fn coin() -> Vec<Part> {
    vec![
        Part::fill(ink::COIN, COIN_FACE).outlined(ink::COIN_RIM, 0.14),
        Part::stroke(ink::COIN_RIM, 0.1, COIN_INNER).faded(0.55),
    ]
}

/// Gold for either queen; the band and the pearls have her colour.
fn crown() -> Vec<Part> {
    vec![
        Part::fill(ink::COIN, CROWN_BODY).outlined(ink::COIN_RIM, 0.1),
        Part::stroke(Ink::Tint, 0.16, CROWN_BAND),
        Part::fill(Ink::Tint, CROWN_PEARLS).outlined(ink::COIN_RIM, 0.06),
    ]
}

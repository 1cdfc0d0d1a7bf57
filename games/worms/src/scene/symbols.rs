//! The icons: worms by team and profession, and what they throw, take and leave.

use quintain_core::Seat;
use quintain_core::scene::{Ink, Part, Symbol};

use super::stage::ink;
use crate::rules::Worms;

/// Places in the stage's list.
pub(super) const BANANA: u8 = 0;
pub(super) const SNOWBALL: u8 = 1;
pub(super) const PACK: u8 = 2;
pub(super) const GRAVE: u8 = 3;
pub(super) const ICE: u8 = 5;
pub(super) const BURST: u8 = 6;
pub(super) const CRUMBS: u8 = 7;
pub(super) const SHARDS: u8 = 8;
const WORMS: u8 = 9;

pub(super) const fn grave(seat: Seat) -> u8 {
    GRAVE + seat.index() as u8
}

/// A worm by its index. Each has a symbol of its own, whose sign is its number.
pub(super) fn worm(game: &Worms, seat: Seat, index: usize) -> u8 {
    let count = game.players()[Seat::First].worms().len();
    WORMS + (seat.index() * count + index) as u8
}

/// The first player's worms are round and filled, the second's are angular and hollow. All look to the
/// right.
const ROUND_BODY: &str = "M-.44 .86C-.66 .3-.7-.62-.06-.66C.52-.68 .58-.2 .44 .12C.36 .32 .48 .4 .72 .42\
                          C.96 .46 .96 .8 .7 .86z";
const ROUND_RINGS: &str = "M-.5 .22C-.2 .36 .12 .34 .38 .24M-.48 .48C-.16 .6 .16 .58 .42 .5\
                           M-.42 .7C-.1 .78 .2 .78 .46 .72";
const ANGULAR_BODY: &str = "M-.5 .84V-.46L-.28-.68H.28L.48-.46V.14L.34 .34L.84 .46V.84z";
const ANGULAR_RINGS: &str = "M-.44 .22H.36M-.44 .44H.3M-.44 .64H.5";
const EYES: &str = "M-.1-.28a.17 .19 0 1 0 .34 0a.17 .19 0 1 0-.34 0z\
                    M.2-.28a.17 .19 0 1 0 .34 0a.17 .19 0 1 0-.34 0z";
const PUPILS: &str = "M.06-.26a.07 .08 0 1 0 .14 0a.07 .08 0 1 0-.14 0z\
                      M.36-.26a.07 .08 0 1 0 .14 0a.07 .08 0 1 0-.14 0z";

const BAND: &str = "M-.6-.4C-.24-.62 .24-.62 .54-.44L.52-.3C.22-.48-.22-.48-.58-.24z";
const BAND_ENDS: &str = "M-.54-.36L-.98-.58L-.9-.36L-1-.12L-.56-.26z";
const HAT: &str = "M-.46-.44C-.46-.9-.26-1 0-.9C.26-1 .46-.9 .46-.44z";
const HAT_BAND: &str = "M-.46-.62H.46V-.44H-.46z";
const BRIM: &str = "M-.86-.5C-.4-.4 .4-.4 .86-.5C.92-.4 .86-.32 .8-.32H-.8C-.86-.32-.92-.4-.86-.5z";
const CAP: &str = "M-.56-.4C-.5-.9 .36-.92 .5-.42z";
const STRAP: &str = "M-.58-.3H-.16";
const LENSES: &str = "M-.16-.28a.2 .21 0 1 0 .4 0a.2 .21 0 1 0-.4 0z\
                      M.24-.28a.19 .21 0 1 0 .38 0a.19 .21 0 1 0-.38 0z";

const BANANA_PEEL: &str =
    "M-.78-.5C-.7 .3 .1 .74 .82 .34C.9 .28 .88 .1 .8 .08C.3 .24-.36-.02-.5-.58z";
const BANANA_TIPS: &str = "M-.86-.66L-.66-.74L-.5-.56L-.78-.48zM.78 .06L.94 .12L.9 .32L.78 .34z";
const DISC: &str = "M-.72 0a.72 .72 0 1 0 1.44 0a.72 .72 0 1 0-1.44 0z";
const FLAKE: &str =
    "M0-.5V.5M-.43-.25L.43 .25M-.43 .25L.43-.25M-.12-.4L0-.3L.12-.4M-.12 .4L0 .3L.12 .4";
const CASE: &str = "M-.6-.36H.6A.16 .16 0 0 1 .76-.2V.54A.16 .16 0 0 1 .6 .7H-.6A.16 .16 0 0 1-.76 .54\
                    V-.2A.16 .16 0 0 1-.6-.36z";
const HANDLE: &str = "M-.28-.4V-.62H.28V-.4";
const CROSS: &str = "M-.13-.2H.13V.04H.38V.3H.13V.54H-.13V.3H-.38V.04H-.13z";
const ROUND_STONE: &str = "M-.56 .8V-.14A.56 .56 0 0 1 .56-.14V.8z";
const ANGULAR_STONE: &str = "M-.56 .8V-.36L-.24-.7H.24L.56-.36V.8z";
const STONE_CROSS: &str = "M0-.36V.3M-.24-.12H.24";
const MOUND: &str = "M-.86 .84C-.6 .58 .6 .58 .86 .84z";
const ICE_BLOCK: &str = "M-.86 .86L-.92-.46L-.5-.92L.34-.98L.86-.6L.94 .8L.5 .92z";
const ICE_EDGES: &str = "M-.92-.46L-.3-.52L.34-.98M-.3-.52L-.36 .84M.3-.2L.62 .2M.16 .1L.34 .32";
const STAR: &str = "M0-1L.2-.44L.7-.72L.46-.2L1 0L.46 .2L.7 .72L.2 .44L0 1L-.2 .44L-.7 .72L-.46 .2\
                    L-1 0L-.46-.2L-.7-.72L-.2-.44z";
const STAR_HEART: &str = "M0-.5L.14-.14L.5 0L.14 .14L0 .5L-.14 .14L-.5 0L-.14-.14z";
const CRUMB_STONES: &str = "M-.7 .5L-.46 .22L-.2 .46L-.34 .72zM.1 .56L.3 .3L.56 .4L.5 .7z\
                            M-.3-.3L-.1-.52L.08-.28L-.08-.1zM.44-.2L.66-.4L.8-.16L.6 0z\
                            M-.78-.22L-.62-.4L-.5-.18z";

const CORNERS: &str = "M-1-1L-.66-.66M1-1L.66-.66M1 1L.66 .66M-1 1L-.66 .66";

/// All of them, in the order of their places.
pub(super) fn symbols(game: &Worms) -> Vec<Symbol> {
    let outlined = |fill, rim, path| Part::fill(fill, path).outlined(rim, 0.1);
    let mut symbols = vec![
        Symbol::new(
            "banana",
            'b',
            vec![
                outlined(ink::BANANA, ink::BANANA_RIM, BANANA_PEEL),
                Part::fill(ink::BANANA_RIM, BANANA_TIPS),
            ],
        ),
        Symbol::new(
            "snowball",
            'o',
            vec![outlined(ink::SNOW, ink::ICE_RIM, DISC), Part::stroke(ink::ICE_RIM, 0.1, FLAKE)],
        ),
        Symbol::new(
            "health pack",
            '+',
            vec![
                Part::stroke(ink::PUPIL, 0.12, HANDLE),
                outlined(ink::EYE, ink::PUPIL, CASE),
                Part::fill(ink::BAND, CROSS),
            ],
        ),
    ];
    symbols.extend(Seat::BOTH.map(|seat| Symbol::new("grave", '†', grave_parts(seat))));
    symbols.extend([
        Symbol::new(
            "ice",
            '*',
            vec![
                outlined(ink::ICE, ink::ICE_RIM, ICE_BLOCK),
                Part::stroke(ink::SNOW, 0.08, ICE_EDGES),
            ],
        ),
        Symbol::new(
            "hit",
            '*',
            vec![
                Part::fill(Ink::Accent, STAR).outlined(ink::BANANA_RIM, 0.1),
                Part::fill(ink::EYE, STAR_HEART),
            ],
        ),
        Symbol::new("crumbs", '.', vec![outlined(ink::SOIL, ink::SOIL_LIGHT, CRUMB_STONES)]),
        Symbol::new("shards", '.', vec![Part::stroke(ink::SOIL, 0.2, CORNERS)]),
    ]);
    for (seat, player) in game.players().iter() {
        let worms = (0..player.worms().len()).map(|index| worm_symbol(game, seat, index));
        symbols.extend(worms);
    }
    symbols
}

fn worm_symbol(game: &Worms, seat: Seat, index: usize) -> Symbol {
    let class = game.class_number(index);
    let sign = char::from_digit(index as u32 + 1, 10).unwrap_or('?');
    let mut parts = match seat {
        Seat::First => vec![
            Part::fill(Ink::Tint, ROUND_BODY).outlined(ink::PUPIL, 0.08),
            Part::stroke(ink::PUPIL, 0.07, ROUND_RINGS).faded(0.55),
        ],
        Seat::Second => vec![
            Part::fill(ink::EYE, ANGULAR_BODY).outlined(Ink::Tint, 0.16),
            Part::stroke(Ink::Tint, 0.1, ANGULAR_RINGS),
        ],
    };
    parts.extend([
        Part::fill(ink::EYE, EYES).outlined(ink::PUPIL, 0.05),
        Part::fill(ink::PUPIL, PUPILS),
    ]);
    parts.extend(headwear(class));
    Symbol::new(NAMES[class], sign, parts)
}

/// By the order of professions.
const NAMES: [&str; 3] = ["commando", "agent", "technologist"];

fn headwear(class: usize) -> Vec<Part> {
    match class {
        0 => vec![Part::fill(ink::BAND, BAND_ENDS), Part::fill(ink::BAND, BAND)],
        1 => vec![
            Part::fill(ink::HAT, HAT),
            Part::fill(ink::BANANA, HAT_BAND),
            Part::fill(ink::HAT, BRIM),
        ],
        _ => vec![
            Part::fill(ink::GOGGLES, CAP),
            Part::stroke(ink::GOGGLES, 0.12, STRAP),
            Part::fill(ink::GLASS, LENSES).outlined(ink::GOGGLES, 0.1),
            Part::fill(ink::PUPIL, PUPILS),
        ],
    }
}

fn grave_parts(seat: Seat) -> Vec<Part> {
    let stone = match seat {
        Seat::First => ROUND_STONE,
        Seat::Second => ANGULAR_STONE,
    };
    vec![
        Part::fill(ink::GRAVE, stone).outlined(Ink::Tint, 0.14),
        Part::stroke(Ink::Tint, 0.14, STONE_CROSS),
        Part::fill(ink::SOIL, MOUND),
    ]
}

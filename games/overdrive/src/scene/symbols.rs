//! What stands and drives on the road, drawn once each.

use quintain_core::scene::{Ink, Part, Symbol};

use crate::{Powerup, Surface};

/// The colours of this game.
pub(super) mod ink {
    use super::Ink;

    pub(in crate::scene) const VERGE: Ink = Ink::Own(0);
    pub(in crate::scene) const TUFT: Ink = Ink::Own(1);
    pub(in crate::scene) const ASPHALT: Ink = Ink::Own(2);
    pub(in crate::scene) const KERB: Ink = Ink::Own(3);
    pub(in crate::scene) const PAINT: Ink = Ink::Own(4);
    pub(in crate::scene) const MUD: Ink = Ink::Own(5);
    pub(in crate::scene) const MUD_SPOT: Ink = Ink::Own(6);
    pub(in crate::scene) const OIL: Ink = Ink::Own(7);
    pub(in crate::scene) const SHEEN: Ink = Ink::Own(8);
    pub(in crate::scene) const BRICK: Ink = Ink::Own(9);
    pub(in crate::scene) const MORTAR: Ink = Ink::Own(10);
    pub(in crate::scene) const TRUCK: Ink = Ink::Own(11);
    pub(in crate::scene) const BLACK: Ink = Ink::Own(12);
    pub(in crate::scene) const WHITE: Ink = Ink::Own(13);
    pub(in crate::scene) const BOOST: Ink = Ink::Own(14);
    pub(in crate::scene) const LIZARD: Ink = Ink::Own(15);
    pub(in crate::scene) const EMP: Ink = Ink::Own(16);
}

pub(super) const MUD: u8 = 0;
pub(super) const OIL_SPILL: u8 = 1;
pub(super) const WALL: u8 = 2;
pub(super) const FINISH: u8 = 3;
pub(super) const BOOST: u8 = 4;
pub(super) const OIL: u8 = 5;
pub(super) const LIZARD: u8 = 6;
pub(super) const TWEET: u8 = 7;
pub(super) const EMP: u8 = 8;
pub(super) const TRUCK: u8 = 9;
pub(super) const COUPE: u8 = 10;
pub(super) const WEDGE: u8 = 11;

/// What shows a surface; nothing for bare asphalt.
pub(super) const fn of_surface(surface: Surface) -> Option<u8> {
    Some(match surface {
        Surface::Empty => return None,
        Surface::Mud => MUD,
        Surface::OilSpill => OIL_SPILL,
        Surface::Wall => WALL,
        Surface::FinishLine => FINISH,
        Surface::OilItem => OIL,
        Surface::Boost => BOOST,
        Surface::Lizard => LIZARD,
        Surface::Tweet => TWEET,
        Surface::Emp => EMP,
    })
}

pub(super) const fn of_powerup(powerup: Powerup) -> u8 {
    match powerup {
        Powerup::Oil => OIL,
        Powerup::Boost => BOOST,
        Powerup::Lizard => LIZARD,
        Powerup::Tweet => TWEET,
        Powerup::Emp => EMP,
    }
}

/// A hexagon on its point, for everything that can be picked up.
const HEXAGON: &str = "M0 -1L.87 -.5V.5L0 1L-.87 .5V-.5Z";
const CHEVRONS: &str = "M-.5 -.42L-.08 0L-.5 .42M.02 -.42L.44 0L.02 .42";
const DROP: &str = "M0 -.58C.34 -.1 .44 .06 .44 .2A.44 .44 0 0 1 -.44 .2C-.44 .06 -.34 -.1 0 -.58Z";
const REPTILE: &str = "M-.55 .12C-.3 -.3 .1 .32 .42 -.06";
const REPTILE_LEGS: &str = "M-.28 -.04L-.4 -.36M-.3 .02L-.2 .36M.16 .06L.06 .4M.2 0L.32 -.34";
const SMALL_TRUCK: &str = "M-.62 .24L-.42 -.06L-.02 -.36L.62 .04V.24Z";
const BOLT: &str = "M.14 -.62L-.36 .1H-.02L-.14 .62L.36 -.12H.02Z";
const BLOB: &str = "M-.98 .1C-1.05 -.35 -.75 -.72 -.35 -.8C.1 -.9 .55 -.85 .82 -.5\
                    C1.08 -.15 1 .35 .7 .62C.35 .95 -.2 .85 -.5 .78C-.8 .7 -.94 .45 -.98 .1Z";
const BLOB_SPOTS: &str =
    "M-.5 -.25a.16 .16 0 1 1 .02 0zM.15 .3a.2 .2 0 1 1 .02 0zM.5 -.3a.13 .13 0 1 1 .02 0z";
const BRICKS: &str = "M-.9 -.9H.9V.9H-.9Z";
const JOINTS: &str = "M-.9 -.45H.9M-.9 0H.9M-.9 .45H.9M-.3 -.9V-.45M.4 -.9V-.45M0 -.45V0M.65 -.45V0M-.6 -.45V0\
                      M-.3 0V.45M.4 0V.45M0 .45V.9M.65 .45V.9M-.6 .45V.9";
const CHEQUERS: &str = "M-1 -1H-.5V-.5H-1ZM0 -1H.5V-.5H0ZM-.5 -.5H0V0H-.5ZM.5 -.5H1V0H.5ZM-1 0H-.5V.5H-1Z\
                        M0 0H.5V.5H0ZM-.5 .5H0V1H-.5ZM.5 .5H1V1H.5Z";
const SQUARE: &str = "M-1 -1H1V1H-1Z";
const TRUCK_BODY: &str = "M-1 .5L-.86 -.1L-.1 -.62L.7 -.08L1 .14V.5Z";
const TRUCK_GLASS: &str = "M-.42 -.16L-.08 -.44L.36 -.14Z";
const WHEELS: &str =
    "M-.72 .5a.2 .2 0 1 0 .4 0a.2 .2 0 1 0 -.4 0zM.38 .5a.2 .2 0 1 0 .4 0a.2 .2 0 1 0 -.4 0z";
const TYRES: &str =
    "M-.62 -.6H-.28V-.42H-.62ZM.3 -.6H.64V-.42H.3ZM-.62 .42H-.28V.6H-.62ZM.3 .42H.64V.6H.3Z";
const COUPE_BODY: &str = "M-.98 -.2C-.98 -.42 -.86 -.5 -.62 -.5H.5C.86 -.5 1 -.28 1 0C1 .28 .86 .5 .5 .5H-.62\
                          C-.86 .5 -.98 .42 -.98 .2Z";
const COUPE_GLASS: &str = "M.3 -.36C.42 -.14 .42 .14 .3 .36L.56 .3C.64 .1 .64 -.1 .56 -.3Z\
                           M-.5 -.34C-.58 -.12 -.58 .12 -.5 .34L-.72 .28C-.78 .1 -.78 -.1 -.72 -.28Z";
const WEDGE_BODY: &str = "M-1 -.5H.3L1 -.16V.16L.3 .5H-1Z";
const WEDGE_GLASS: &str = "M.14 -.34L.5 0L.14 .34Z";

pub(super) fn all() -> Vec<Symbol> {
    let pickup = |name, sign, glyph: Part| {
        let hexagon = Part::fill(ink::WHITE, HEXAGON).outlined(Ink::Accent, 0.16);
        Symbol::new(name, sign, vec![hexagon, glyph])
    };
    let reptile = |name, sign| {
        let mut symbol = pickup(name, sign, Part::stroke(ink::LIZARD, 0.2, REPTILE));
        symbol.parts.push(Part::stroke(ink::LIZARD, 0.1, REPTILE_LEGS));
        symbol
    };
    vec![
        Symbol::new(
            "mud",
            '~',
            vec![
                Part::fill(ink::MUD, BLOB).outlined(ink::BLACK, 0.08),
                Part::fill(ink::MUD_SPOT, BLOB_SPOTS),
            ],
        ),
        Symbol::new(
            "oil spill",
            '%',
            vec![Part::fill(ink::OIL, BLOB), Part::fill(ink::SHEEN, BLOB_SPOTS).faded(0.7)],
        ),
        Symbol::new(
            "wall",
            '#',
            vec![Part::fill(ink::BRICK, BRICKS), Part::stroke(ink::MORTAR, 0.1, JOINTS)],
        ),
        Symbol::new(
            "finish line",
            '|',
            vec![Part::fill(ink::WHITE, SQUARE), Part::fill(ink::BLACK, CHEQUERS)],
        ),
        pickup("boost", 'B', Part::stroke(ink::BOOST, 0.22, CHEVRONS)),
        pickup("oil", 'O', Part::fill(ink::BLACK, DROP)),
        reptile("lizard", 'L'),
        pickup("tweet", 'T', Part::fill(ink::TRUCK, SMALL_TRUCK).outlined(ink::BLACK, 0.08)),
        pickup("EMP", 'E', Part::fill(ink::EMP, BOLT)),
        Symbol::new(
            "truck",
            'C',
            vec![
                Part::fill(ink::TRUCK, TRUCK_BODY).outlined(ink::BLACK, 0.07),
                Part::fill(ink::BLACK, TRUCK_GLASS),
                Part::fill(ink::BLACK, WHEELS),
            ],
        ),
        car(
            "first car",
            '1',
            Part::fill(Ink::Tint, COUPE_BODY).outlined(ink::WHITE, 0.1),
            COUPE_GLASS,
        ),
        car(
            "second car",
            '2',
            Part::fill(ink::WHITE, WEDGE_BODY).outlined(Ink::Tint, 0.14),
            WEDGE_GLASS,
        ),
    ]
}

fn car(name: &'static str, sign: char, body: Part, glass: &'static str) -> Symbol {
    Symbol::new(
        name,
        sign,
        vec![Part::fill(ink::BLACK, TYRES), body, Part::fill(ink::BLACK, glass)],
    )
}

//! Draws the map of a match: a function of the seed alone, cell by cell as the original draws it.
//!
//! Nothing here is random. The seed is the third coordinate of a noise field, and through one value of
//! that field it turns the circle on which the health packs lie. Worms always start at the same places.

use std::f64::consts::PI;

use quintain_core::PerSeat;

use crate::cell::{Cell, Ground, Terrain};
use crate::config::GameConfig;
use crate::noise::noise;
use crate::setup::{PackSetup, PlayerSetup, Setup, WormSetup};

/// How far apart neighbouring cells are in the noise field.
const ZOOM: f64 = 0.3;
/// Noise above this is air.
const AIR_ABOVE: f64 = 0.5;
/// How far inside the rim worms start.
const SPAWN_INSET: f64 = 1.0;
/// How far from a worm its room reaches, border included.
const ROOM_REACH: i32 = 2;
const PACK_CIRCLE_RADIUS: f64 = 2.2;
/// Where in the noise field the packs' circle gets its tilt from.
const TILT_AT: (f64, f64) = (2.0, 0.0);

/// The start of a match with this seed, which the original takes for a number of 32 bits.
pub(crate) fn generate(config: &GameConfig, seed: i64) -> Setup {
    let z = f64::from(seed as i32);
    let size = config.map_size as u8;
    let seats = worm_seats(config).expect("a checked config has room for its worms");
    let mut ground = Ground::new(size);
    draw_terrain(&mut ground, z);
    for seat in seats.0.iter().flatten() {
        draw_room(&mut ground, *seat);
    }
    // On a small map the border of one room can lie on the worm of another.
    for seat in seats.0.iter().flatten() {
        ground.set(*seat, Terrain::Air);
    }
    draw_rim(&mut ground);
    let packs = pack_seats(config, z);
    for &cell in &packs {
        ground.set(cell, Terrain::Air);
    }
    let value = config.health_pack_hp;
    Setup {
        round: 0,
        map: Setup::rows_of(&ground),
        packs: packs.into_iter().map(|cell| PackSetup { at: cell, value }).collect(),
        players: seats.map(|_, seats| player(config, &seats)),
    }
}

fn player(config: &GameConfig, seats: &[Cell]) -> PlayerSetup {
    let classes = config.classes();
    let of_worm = classes.into_iter().flat_map(|class| (0..class.count).map(move |_| class));
    let worm = |(class, &at): (&crate::WormClass, &Cell)| WormSetup {
        hp: class.initial_hp,
        at,
        came_from: at,
        frozen: 0,
        bananas: class.bananas.map(|bananas| bananas.count),
        snowballs: class.snowballs.map(|snowballs| snowballs.count),
    };
    PlayerSetup {
        command_score: 0,
        do_nothings: 0,
        tokens: config.worm_select_tokens.count,
        active: 1,
        previous: 1,
        worms: of_worm.zip(seats).map(worm).collect(),
    }
}

/// Left and right are mirror images before anything is put on the map.
fn draw_terrain(ground: &mut Ground, z: f64) {
    let size = ground.size();
    for y in 0..size {
        for x in 0..=size / 2 {
            let is_air = noise(f64::from(x) * ZOOM, f64::from(y) * ZOOM, z) > AIR_ABOVE;
            let terrain = if is_air { Terrain::Air } else { Terrain::Dirt };
            ground.set(Cell { x, y }, terrain);
            // On a map of even size the column beyond the middle one is its mirror image.
            let mirrored = size - 1 - x;
            if mirrored > size / 2 {
                ground.set(Cell { x: mirrored, y }, terrain);
            }
        }
    }
}

/// A square of air with a border of dirt; what would be off the map is left out.
fn draw_room(ground: &mut Ground, centre: Cell) {
    for dx in -ROOM_REACH..=ROOM_REACH {
        for dy in -ROOM_REACH..=ROOM_REACH {
            let (x, y) = (i32::from(centre.x) + dx, i32::from(centre.y) + dy);
            if let Some(cell) = Cell::within(ground.size(), x, y) {
                let is_border = dx.abs().max(dy.abs()) == ROOM_REACH;
                ground.set(cell, if is_border { Terrain::Dirt } else { Terrain::Air });
            }
        }
    }
}

fn draw_rim(ground: &mut Ground) {
    let centre = centre(ground.size());
    for cell in ground.cells() {
        if is_beyond_rim(centre, cell) {
            ground.set(cell, Terrain::DeepSpace);
        }
    }
}

fn is_beyond_rim(centre: Cell, cell: Cell) -> bool {
    let radius = f64::from(centre.x) + 1.0;
    f64::from(centre.square_to(cell)).sqrt() > radius
}

/// The middle of the map, by whole numbers.
pub(crate) fn centre(size: u8) -> Cell {
    Cell { x: size / 2, y: size / 2 }
}

/// Where each player's worms start, in the order of their ids; `None` if there is no room for them.
///
/// Seats on the circle go to the second and the first player in turn, each beginning with another
/// worm so that worms of one profession do not face each other.
pub(crate) fn worm_seats(config: &GameConfig) -> Option<PerSeat<Vec<Cell>>> {
    let (size, count) = (config.map_size as u8, config.worm_count());
    let radius = f64::from(size / 2) - SPAWN_INSET;
    let circle = circle_seats(size, 2 * count, radius, 0.0);
    let mut seats = PerSeat([vec![Cell::default(); count], vec![Cell::default(); count]]);
    let mut taken: Vec<Cell> = Vec::new();
    for (index, seat) in circle.into_iter().enumerate() {
        let seat = seat.filter(|&cell| !is_beyond_rim(centre(size), cell))?;
        if taken.contains(&seat) {
            return None;
        }
        taken.push(seat);
        let (round, is_second) = (index / 2, index % 2 == 0);
        let worm = if is_second { (round + count - 1) % count } else { (round + 1) % count };
        seats.0[usize::from(is_second)][worm] = seat;
    }
    Some(seats)
}

/// Where the health packs lie. Two of them in one cell are one.
fn pack_seats(config: &GameConfig, z: f64) -> Vec<Cell> {
    let tilt = noise(TILT_AT.0, TILT_AT.1, z);
    let (size, count) = (config.map_size as u8, config.total_health_packs as usize);
    let mut seats: Vec<Cell> =
        circle_seats(size, count, PACK_CIRCLE_RADIUS, tilt).into_iter().flatten().collect();
    seats.sort_by_key(|cell| (cell.y, cell.x));
    seats.dedup();
    seats
}

/// Cells at equal angles around the middle, each rounded away from it as the original does; `None`
/// for one that is off the map. Sine and cosine are a library's, the same on every machine, so that a
/// replay's map can be derived from its seed anywhere.
fn circle_seats(size: u8, count: usize, radius: f64, tilt: f64) -> Vec<Option<Cell>> {
    let middle = f64::from(size / 2);
    let seat = |index: usize| {
        let angle = 2.0 * PI * (index as f64 / count as f64) + tilt;
        let x = radius * libm::cos(angle) + middle;
        let y = radius * libm::sin(angle) + middle;
        // The remainder keeps the sign: a small negative angle counts as the first quarter.
        let quarter = angle % (2.0 * PI);
        let (x, y) = if quarter <= 0.5 * PI {
            (x.ceil(), y.floor())
        } else if quarter <= PI {
            (x.floor(), y.floor())
        } else if quarter <= 1.5 * PI {
            (x.floor(), y.ceil())
        } else {
            (x.ceil(), y.ceil())
        };
        Cell::within(size, x as i32, y as i32)
    };
    (0..count).map(seat).collect()
}

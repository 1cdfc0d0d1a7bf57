//! Draws a map from a seed, bit for bit as the original does.
//!
//! All luck of the game is here: Java's generator, drawn from in the original's order. Sites come in
//! pairs, mirrored at the centre; then they are pushed apart until there is room to walk.

mod layout;

use quintain_core::{JavaRandom, PerSeat};

use crate::field::SITES_MAX;
use crate::geometry::{HEIGHT, WIDTH};
use crate::rules::collide::{Body, RESOLVE_PASSES_MAX, resolve};
use crate::rules::{GOLD_AT_START, QUEEN_RADIUS};
use crate::setup::{PlayerSetup, SiteSetup};
use crate::{League, Point, Setup, Switches};

use layout::Layout;

const PAIRS_MIN: i32 = 6;
const PAIRS_MAX: usize = SITES_MAX / 2;
const QUEEN_HP: i32 = 100;
const SITE_RADIUS_MIN: i32 = 60;
/// Rounds of pushing sites apart.
const ROUNDS_MAX: u32 = 100;
const CENTRE: Point = Point::new(WIDTH / 2.0, HEIGHT / 2.0);
/// Within each of these distances of the centre a site is richer.
const CENTRE_DISTANCES: [f64; 2] = [500.0, 200.0];
const CENTRE_GOLD: i32 = 50;
const QUEENS: PerSeat<Point> = PerSeat([Point::new(200.0, 200.0), Point::new(1720.0, 800.0)]);

/// A site as it is drawn.
#[derive(Clone, Copy)]
struct Drawn {
    rate_max: i32,
    gold: i32,
    body: Body,
}

pub(crate) fn generate(league: League, switches: &Switches, seed: i64) -> Setup {
    let mut random = JavaRandom::new(seed);
    let pairs = if league.has_mines() {
        PAIRS_MAX
    } else {
        (random.next_int_below(7) + PAIRS_MIN) as usize
    };
    let hp = if league.has_weak_queens() { (random.next_int_below(16) + 5) * 5 } else { QUEEN_HP };
    let mut sites = draw(&mut random, pairs, switches);
    for site in &mut sites {
        site.body.place = site.body.place.rounded();
        enrich(site);
    }
    let mut bodies: Vec<Body> = QUEENS.0.map(Body::queen).to_vec();
    bodies.extend(sites.iter().map(|site| site.body));
    resolve(&mut bodies, RESOLVE_PASSES_MAX);
    let queens = [bodies[0].place, bodies[1].place];
    let sites = sites.iter().zip(&bodies[2..]);
    Setup {
        turn: 0,
        sites: sites
            .map(|(site, body)| SiteSetup {
                x: body.place.x,
                y: body.place.y,
                radius: body.radius as i32,
                gold: site.gold,
                rate_max: site.rate_max as u8,
                structure: None,
            })
            .collect(),
        players: PerSeat(queens).map(|_, queen| PlayerSetup {
            gold: GOLD_AT_START,
            hp,
            queen: (queen.x, queen.y),
            creeps: Vec::new(),
        }),
    }
}

/// Draws pairs until they can be settled, or often enough.
fn draw(random: &mut JavaRandom, pairs: usize, switches: &Switches) -> Vec<Drawn> {
    let mut redraws = 0;
    loop {
        let mut sites = Vec::with_capacity(2 * pairs);
        for _ in 0..pairs {
            sites.extend(draw_pair(random, switches));
        }
        if settle(&mut sites) || redraws == switches.map_redraws_max {
            return sites;
        }
        redraws += 1;
    }
}

fn draw_pair(random: &mut JavaRandom, switches: &Switches) -> [Drawn; 2] {
    let rate_max = random.next_int_below(3) + 1;
    let gold = random.next_int_below(51) + 200;
    let radii = switches.site_radius_max - SITE_RADIUS_MIN + 1;
    let radius = f64::from(random.next_int_below(radii) + SITE_RADIUS_MIN);
    let x = f64::from(random.next_int_below(WIDTH as i32));
    let y = f64::from(random.next_int_below(HEIGHT as i32));
    [Point::new(x, y), mirrored(Point::new(x, y))].map(|place| Drawn {
        rate_max,
        gold,
        body: Body::site(place, radius),
    })
}

fn mirrored(place: Point) -> Point {
    Point::new(WIDTH - place.x, HEIGHT - place.y)
}

/// Whether there came a round in which nothing had to be moved any more.
fn settle(sites: &mut [Drawn]) -> bool {
    let mut layout = Layout::new(sites.iter().map(|site| (site.body.place, site.body.radius)));
    let mut is_settled = false;
    for _ in 0..ROUNDS_MAX {
        layout.symmetrise();
        if !layout.pass() {
            is_settled = true;
            break;
        }
    }
    for (site, &place) in sites.iter_mut().zip(layout.places()) {
        site.body.place = place;
    }
    is_settled
}

fn enrich(site: &mut Drawn) {
    for distance in CENTRE_DISTANCES {
        if site.body.place.is_within(CENTRE, distance) {
            site.gold += CENTRE_GOLD;
            site.rate_max += 1;
        }
    }
}

const _: () = assert!(QUEEN_RADIUS < 200.0, "queens start inside the field");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::SITE_MARGIN;
    use crate::rules::collide::pass;

    /// [`settle`] without a layout.
    fn settle_plainly(sites: &mut [Drawn]) -> bool {
        let mut bodies: Vec<Body> = sites.iter().map(|site| site.body).collect();
        let has_settled = (0..ROUNDS_MAX).any(|_| {
            for pair in bodies.as_chunks_mut::<2>().0 {
                let (own, image) = (pair[0].place, mirrored(pair[1].place));
                pair[0].place = Point::new((own.x + image.x) / 2.0, (own.y + image.y) / 2.0);
                pair[1].place = mirrored(pair[0].place);
            }
            !pass(&mut bodies, SITE_MARGIN)
        });
        for (site, body) in sites.iter_mut().zip(bodies) {
            site.body = body;
        }
        has_settled
    }

    #[test]
    fn sites_settle_as_they_do_without_a_layout() {
        let mut settled = [0, 0];
        for switches in [&Switches::DOCUMENT, &Switches::ORIGINAL] {
            // As many pairs as there are in any league.
            for pairs in PAIRS_MIN as usize..=PAIRS_MAX {
                for seed in 0..60 {
                    let mut random = JavaRandom::new(seed << 32 | seed);
                    let draw = |_| draw_pair(&mut random, switches);
                    let mut sites: Vec<Drawn> = (0..pairs).flat_map(draw).collect();
                    let mut plain = sites.clone();
                    let is_settled = settle(&mut sites);
                    assert_eq!(is_settled, settle_plainly(&mut plain), "{pairs} pairs, {seed}");
                    let places = |sites: &[Drawn]| -> Vec<[u64; 2]> {
                        let place = |site: &Drawn| site.body.place;
                        let places = sites.iter().map(place);
                        places.map(|place| [place.x.to_bits(), place.y.to_bits()]).collect()
                    };
                    assert_eq!(places(&sites), places(&plain), "{pairs} pairs, {seed}");
                    settled[usize::from(is_settled)] += 1;
                }
            }
        }
        assert!(settled.iter().all(|&count| count > 100), "{settled:?} gave up or settled");
    }

    fn original(league: u8, seed: i64) -> Setup {
        let league = League::new(league).expect("a league");
        generate(league, &Switches::ORIGINAL, seed)
    }

    #[test]
    fn sites_of_a_settled_map_come_in_mirrored_pairs() {
        let league = League::new(4).expect("a league");
        let switches = Switches { map_redraws_max: 200, ..Switches::ORIGINAL };
        for seed in 0..50 {
            let setup = generate(league, &switches, seed * 1_000_003);
            assert_eq!(setup.sites.len(), SITES_MAX);
            for pair in setup.sites.chunks(2) {
                // Halves are rounded upwards on both sides.
                assert!((pair[0].x + pair[1].x - WIDTH).abs() <= 1.0);
                assert!((pair[0].y + pair[1].y - HEIGHT).abs() <= 1.0);
                assert_eq!(pair[0].radius, pair[1].radius);
            }
        }
    }

    #[test]
    fn leagues_differ_in_sites_and_health() {
        let counts: Vec<usize> = (0..40).map(|seed| original(1, seed << 40).sites.len()).collect();
        assert!(counts.iter().all(|count| (12..=24).contains(count) && count % 2 == 0));
        assert!(counts.iter().any(|&count| count != counts[0]));
        assert_eq!(original(3, 9).players.0[0].hp, QUEEN_HP);
        let healths: Vec<i32> =
            (0..40).map(|seed| original(4, seed << 40).players.0[1].hp).collect();
        assert!(healths.iter().all(|hp| (25..=100).contains(hp) && hp % 5 == 0));
        assert!(healths.iter().any(|&hp| hp != healths[0]));
    }

    #[test]
    fn the_document_redraws_crowded_maps() {
        let league = League::new(4).expect("a league");
        let unsettled = |switches: &Switches| {
            let count = |seed: &i64| {
                let mut random = JavaRandom::new(*seed);
                random.next_int_below(16);
                let mut sites = draw(&mut random, PAIRS_MAX, switches);
                !settle(&mut sites)
            };
            (0..12).map(|seed| seed * 7_919).filter(count).count()
        };
        let without = Switches { map_redraws_max: 0, ..Switches::DOCUMENT };
        assert!(unsettled(&Switches::DOCUMENT) < unsettled(&without));
        let setup = generate(league, &Switches::DOCUMENT, 5);
        assert!(setup.sites.iter().all(|site| (60..=110).contains(&site.radius)));
    }
}

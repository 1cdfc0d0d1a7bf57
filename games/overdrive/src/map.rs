//! The map of a seed, bit for bit as the original draws it.
//!
//! Each stage starts the generator anew with the seed. Mud follows a noise, everything else is
//! drawn block by block, lane after lane; at last a way is cleared wherever all lanes are blocked.

use quintain_core::JavaRandom;

use crate::noise::Noise;
use crate::{Figures, Surface};

/// How far blocks lie apart in the noise.
const NOISE_STEP: f64 = 0.1;
/// Mud follows a noise that is often near 0, so its share is cut down to what was meant.
const MUD_SCALE: f64 = 0.47;
const WALL_SCALE: f64 = 1.3;
/// A lane must be free for this many blocks.
const CLEAR_BLOCKS: usize = 16;

/// All lanes of the map, the first block first.
pub(crate) fn draw_map(figures: &Figures, seed: i64) -> Vec<Vec<Surface>> {
    let (lanes, length) = (figures.number_of_lanes as usize, figures.track_length as usize);
    let mut map = vec![vec![Surface::Empty; length]; lanes];
    let thresholds = Thresholds::new(figures);
    let first = figures.starting_block_for_generated_map_objects as usize - 1;
    let noise = Noise::new(seed);
    let mut random = JavaRandom::new(seed);
    for (lane, blocks) in (1_u32..).zip(&mut map) {
        let free = first..length - 1;
        for (block, surface) in blocks.iter_mut().enumerate().take(free.end).skip(free.start) {
            let (x, y) = ((block + 1) as f64 * NOISE_STEP, f64::from(lane) * NOISE_STEP);
            if thresholds.look(noise.at([x, y, NOISE_STEP]).abs()) == Surface::Mud {
                *surface = Surface::Mud;
            }
            match thresholds.look(random.next_double()) {
                Surface::Mud | Surface::Empty => {}
                drawn => *surface = drawn,
            }
        }
        blocks[length - 1] = Surface::FinishLine;
    }
    clear_a_way(&mut map, &mut JavaRandom::new(seed));
    map
}

/// Which object a number from 0 to 1 stands for: the one with the least key that is not below it.
struct Thresholds([(f64, Surface); 8]);

impl Thresholds {
    fn new(figures: &Figures) -> Thresholds {
        let share = |percentage: i32| f64::from(percentage) * 0.01;
        let steps = [
            (share(figures.mud_generation_percentage) * MUD_SCALE, Surface::Mud),
            (share(figures.boost_generation_percentage), Surface::Boost),
            (share(figures.oil_item_generation_percentage), Surface::OilItem),
            (share(figures.wall_generation_percentage) * WALL_SCALE, Surface::Wall),
            (share(figures.lizard_generation_percentage), Surface::Lizard),
            (share(figures.tweet_generation_percentage), Surface::Tweet),
            (share(figures.emp_generation_percentage), Surface::Emp),
        ];
        let mut keys = [(0.0, Surface::Empty); 8];
        let mut key = 0.0;
        for (entry, (step, surface)) in keys[1..].iter_mut().zip(steps) {
            key += step;
            *entry = (key, surface);
        }
        Thresholds(keys)
    }

    fn look(&self, value: f64) -> Surface {
        let found = self.0.iter().find(|&&(key, _)| key >= value);
        found.map_or(Surface::Empty, |&(_, surface)| surface)
    }
}

/// Where every lane has mud or a wall within the next blocks, one of the lanes that are free right
/// there is cleared. The original never chooses the last of several.
fn clear_a_way(map: &mut [Vec<Surface>], random: &mut JavaRandom) {
    let blocks = |surface: Surface| matches!(surface, Surface::Mud | Surface::Wall);
    let length = map[0].len();
    for start in 0..length.saturating_sub(CLEAR_BLOCKS) {
        let window = start..start + CLEAR_BLOCKS;
        let is_blocked =
            |lane: &Vec<Surface>| lane[window.clone()].iter().any(|&surface| blocks(surface));
        if !map.iter().all(is_blocked) {
            continue;
        }
        let is_free = |&lane: &usize| !blocks(map[lane][start]);
        let candidates: Vec<usize> = (0..map.len()).filter(is_free).collect();
        let chosen = match candidates.as_slice() {
            [] => continue,
            &[only] => only,
            several => several[random.next_int_below(several.len() as i32 - 1) as usize],
        };
        for surface in &mut map[chosen][window] {
            if blocks(*surface) {
                *surface = Surface::Empty;
            }
        }
    }
}

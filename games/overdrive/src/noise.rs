//! Lattice noise after Perlin (2001), with tables drawn from a seed. The mud of a map follows it.
//!
//! Everything is in double precision in a fixed order of operations, so maps come out as the
//! original's, bit for bit.

use quintain_core::JavaRandom;

const SIZE: usize = 256;

pub(crate) struct Noise {
    /// A permutation of 0 to 255, repeated so that sums of two entries need no remainder.
    table: [u8; 2 * SIZE + 2],
    gradients: [[f64; 3]; 32],
}

impl Noise {
    pub(crate) fn new(seed: i64) -> Noise {
        let mut random = JavaRandom::new(seed);
        let mut table = [0; 2 * SIZE + 2];
        for (index, entry) in table.iter_mut().take(SIZE).enumerate() {
            *entry = index as u8;
            draw_unused_gradients(&mut random);
        }
        for index in (1..SIZE).rev() {
            let other = (random.next_long() & 255) as usize;
            table.swap(index, other);
        }
        for index in SIZE..table.len() {
            table[index] = table[index - SIZE];
        }
        Noise { table, gradients: gradients() }
    }

    /// The noise at a point whose coordinates are not negative.
    pub(crate) fn at(&self, point: [f64; 3]) -> f64 {
        let [x, y, z] = point.map(f64::floor);
        let [rx, ry, rz] = [point[0] - x, point[1] - y, point[2] - z];
        let [x, y, z] = [x, y, z].map(|whole| whole as usize % SIZE);
        let entry = |index: usize| usize::from(self.table[index]);
        let (b0, b1) = (entry(x), entry(x + 1));
        let (b00, b10) = (entry(b0 + y), entry(b1 + y));
        let (b01, b11) = (entry(b0 + y + 1), entry(b1 + y + 1));
        let layer = |k: usize| {
            let c = rz - k as f64;
            let dot = |corner: usize, a: f64, b: f64| {
                let gradient = self.gradients[(corner + z + k) % 32];
                a * gradient[0] + b * gradient[1] + c * gradient[2]
            };
            let low = lerp(ease(rx), dot(b00, rx, ry), dot(b10, rx - 1.0, ry));
            let high = lerp(ease(rx), dot(b01, rx, ry - 1.0), dot(b11, rx - 1.0, ry - 1.0));
            lerp(ease(ry), low, high)
        };
        lerp(ease(rz), layer(0), layer(1))
    }
}

fn ease(t: f64) -> f64 {
    t * t * (3.0 - t - t)
}

fn lerp(t: f64, a: f64, b: f64) -> f64 {
    a + t * (b - a)
}

/// The original also draws gradients for noise in one and two dimensions and for an older one in
/// three, which no map uses. What is drawn for them must be skipped.
fn draw_unused_gradients(random: &mut JavaRandom) {
    fn coordinate(random: &mut JavaRandom) -> f64 {
        2.0 * random.next_double() - 1.0
    }
    random.next_double();
    loop {
        let (u, v) = (coordinate(random), coordinate(random));
        let [a, b] = [u.abs(), v.abs()];
        if u * u + v * v <= 1.0 && a <= 2.5 * b && b <= 2.5 * a && (a - b).abs() >= 0.4 {
            break;
        }
    }
    loop {
        let (u, v, w) = (coordinate(random), coordinate(random), coordinate(random));
        let [a, b, c] = [u.abs(), v.abs(), w.abs()];
        let (longest, shortest) = (a.max(b).max(c), a.min(b).min(c));
        let apart = (a - b).abs().min((b - c).abs()).min((a - c).abs());
        if u * u + v * v + w * w <= 1.0 && longest <= 4.0 * shortest && apart >= 0.2 {
            break;
        }
    }
}

/// Four directions in one octant, mirrored into the other seven.
fn gradients() -> [[f64; 3]; 32] {
    let half = 0.5_f64.sqrt();
    let scale = (2.0 + half + half).sqrt();
    let diagonal = (1.0_f64 / 3.0).sqrt();
    let mut octant = [[diagonal; 3]; 4];
    for (i, direction) in octant.iter_mut().take(3).enumerate() {
        *direction =
            std::array::from_fn(|j| (if i == j { 1.0 + half + half } else { half }) / scale);
    }
    std::array::from_fn(|index| {
        let (mirrored, direction) = (index / 4, octant[index % 4]);
        std::array::from_fn(|axis| match mirrored >> axis & 1 {
            0 => direction[axis],
            _ => -direction[axis],
        })
    })
}

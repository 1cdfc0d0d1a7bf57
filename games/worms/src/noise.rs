//! Simplex noise in three dimensions, in the order of operations that the original's maps come from.
//!
//! The construction is Ken Perlin's, in the variant that Stefan Gustavson published with Peter Eastman's
//! optimisations (public domain). Maps depend on its last bits: everything is evaluated in plain
//! doubles, left to right, without fused operations.

/// The reference permutation of 0 to 255, which is the same in every implementation.
const PERMUTATION: [u8; 256] = [
    151, 160, 137, 91, 90, 15, 131, 13, 201, 95, 96, 53, 194, 233, 7, 225, 140, 36, 103, 30, 69,
    142, 8, 99, 37, 240, 21, 10, 23, 190, 6, 148, 247, 120, 234, 75, 0, 26, 197, 62, 94, 252, 219,
    203, 117, 35, 11, 32, 57, 177, 33, 88, 237, 149, 56, 87, 174, 20, 125, 136, 171, 168, 68, 175,
    74, 165, 71, 134, 139, 48, 27, 166, 77, 146, 158, 231, 83, 111, 229, 122, 60, 211, 133, 230,
    220, 105, 92, 41, 55, 46, 245, 40, 244, 102, 143, 54, 65, 25, 63, 161, 1, 216, 80, 73, 209, 76,
    132, 187, 208, 89, 18, 169, 200, 196, 135, 130, 116, 188, 159, 86, 164, 100, 109, 198, 173,
    186, 3, 64, 52, 217, 226, 250, 124, 123, 5, 202, 38, 147, 118, 126, 255, 82, 85, 212, 207, 206,
    59, 227, 47, 16, 58, 17, 182, 189, 28, 42, 223, 183, 170, 213, 119, 248, 152, 2, 44, 154, 163,
    70, 221, 153, 101, 155, 167, 43, 172, 9, 129, 22, 39, 253, 19, 98, 108, 110, 79, 113, 224, 232,
    178, 185, 112, 104, 218, 246, 97, 228, 251, 34, 242, 193, 238, 210, 144, 12, 191, 179, 162,
    241, 81, 51, 145, 235, 249, 14, 239, 107, 49, 192, 214, 31, 181, 199, 106, 157, 184, 84, 204,
    176, 115, 121, 50, 45, 127, 4, 150, 254, 138, 236, 205, 93, 222, 114, 67, 29, 24, 72, 243, 141,
    128, 195, 78, 66, 215, 61, 156, 180,
];

/// Towards the middles of a cube's edges.
const GRADIENTS: [[f64; 3]; 12] = [
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [-1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [-1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [-1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, -1.0, 1.0],
    [0.0, 1.0, -1.0],
    [0.0, -1.0, -1.0],
];

const SKEW: f64 = 1.0 / 3.0;
const UNSKEW: f64 = 1.0 / 6.0;
/// These bring the sum of contributions into the range from 0 to 1.
const SUM_FACTOR: f64 = 32.0;
const SUM_OFFSET: f64 = 0.867_977_777_777_822_5;
const RANGE_FACTOR: f64 = 0.576_051_614;

type Offset = [usize; 3];

/// The noise at a point, from about 0 to 1.
pub(crate) fn noise(x: f64, y: f64, z: f64) -> f64 {
    let skew = (x + y + z) * SKEW;
    let [i, j, k] = [fast_floor(x + skew), fast_floor(y + skew), fast_floor(z + skew)];
    let unskew = f64::from(i.wrapping_add(j).wrapping_add(k)) * UNSKEW;
    let [x0, y0, z0] =
        [x - (f64::from(i) - unskew), y - (f64::from(j) - unskew), z - (f64::from(k) - unskew)];
    let (second, third) = middle_corners(x0, y0, z0);
    let from_corner = |offset: Offset, factor: f64| {
        let part = |at: f64, offset: usize| at - offset as f64 + factor * UNSKEW;
        [part(x0, offset[0]), part(y0, offset[1]), part(z0, offset[2])]
    };
    let gradient = |offset: Offset| GRADIENTS[corner_hash([i, j, k], offset) % GRADIENTS.len()];
    let sum = contribution([x0, y0, z0], gradient([0, 0, 0]))
        + contribution(from_corner(second, 1.0), gradient(second))
        + contribution(from_corner(third, 2.0), gradient(third))
        + contribution(from_corner([1, 1, 1], 3.0), gradient([1, 1, 1]));
    (SUM_FACTOR * sum + SUM_OFFSET) * RANGE_FACTOR
}

/// Towards negative infinity, within 32 bits. The conversion saturates, and so does the original's.
fn fast_floor(value: f64) -> i32 {
    let whole = value as i32;
    if value < f64::from(whole) { whole.wrapping_sub(1) } else { whole }
}

/// Which simplex of the cube the point is in, as its second and third corner.
fn middle_corners(x: f64, y: f64, z: f64) -> (Offset, Offset) {
    if x >= y {
        if y >= z {
            ([1, 0, 0], [1, 1, 0])
        } else if x >= z {
            ([1, 0, 0], [1, 0, 1])
        } else {
            ([0, 0, 1], [1, 0, 1])
        }
    } else if y < z {
        ([0, 0, 1], [0, 1, 1])
    } else if x < z {
        ([0, 1, 0], [0, 1, 1])
    } else {
        ([0, 1, 0], [1, 1, 0])
    }
}

fn corner_hash(cube: [i32; 3], offset: Offset) -> usize {
    let permuted = |index: usize| usize::from(PERMUTATION[index & 255]);
    let part = |axis: usize| (cube[axis] & 255) as usize + offset[axis];
    permuted(part(0) + permuted(part(1) + permuted(part(2))))
}

fn contribution([x, y, z]: [f64; 3], [gx, gy, gz]: [f64; 3]) -> f64 {
    let mut fade = 0.6 - x * x - y * y - z * z;
    if fade < 0.0 {
        return 0.0;
    }
    fade *= fade;
    fade * fade * (gx * x + gy * y + gz * z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_a_permutation() {
        let mut seen = [false; 256];
        for value in PERMUTATION {
            assert!(!std::mem::replace(&mut seen[usize::from(value)], true), "{value} twice");
        }
    }

    #[test]
    fn lattice_points_have_the_middle_value() {
        for seed in [0, 3, 768, -9] {
            assert_eq!(noise(0.0, 0.0, f64::from(seed)), 0.499_999_999_805_048, "seed {seed}");
        }
    }
}

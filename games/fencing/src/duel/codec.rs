//! Tables of worths as few bytes: each number as its difference from what its neighbours in energy make
//! likely, which is mostly one byte, and nothing for the mirror of a number before.

use super::solve::ENERGIES;

/// Says that two bytes follow which do not fit into one.
const WIDE: u8 = 128;

/// `mirror` names the place of the number that is the opposite of this one.
pub(super) fn encode(worths: &[i16], mirror: impl Fn(usize) -> usize, bytes: &mut Vec<u8>) {
    for (index, worth) in worths.iter().enumerate() {
        if mirror(index) <= index {
            continue;
        }
        let difference = worth.wrapping_sub(likely(worths, index));
        match i8::try_from(difference) {
            Ok(short) if short as u8 != WIDE => bytes.push(short as u8),
            _ => {
                bytes.push(WIDE);
                bytes.extend(difference.to_le_bytes());
            }
        }
    }
}

/// The inverse of [`encode`]; `None` if there are too few bytes.
pub(super) fn decode(
    count: usize,
    mirror: impl Fn(usize) -> usize,
    bytes: &mut impl Iterator<Item = u8>,
) -> Option<Vec<i16>> {
    let mut worths = vec![0i16; count];
    for index in 0..count {
        let mirrored = mirror(index);
        if mirrored <= index {
            worths[index] = worths[mirrored].wrapping_neg();
            continue;
        }
        let difference = match bytes.next()? {
            WIDE => i16::from_le_bytes([bytes.next()?, bytes.next()?]),
            short => i16::from(short as i8),
        };
        worths[index] = likely(&worths, index).wrapping_add(difference);
    }
    Some(worths)
}

/// What the worths with one less energy say of this one.
fn likely(worths: &[i16], index: usize) -> i16 {
    let (own, others) = (index / ENERGIES % ENERGIES, index % ENERGIES);
    match (own, others) {
        (0, 0) => 0,
        (0, _) => worths[index - 1],
        (_, 0) => worths[index - ENERGIES],
        _ => {
            let sides = worths[index - 1].wrapping_add(worths[index - ENERGIES]);
            sides.wrapping_sub(worths[index - ENERGIES - 1])
        }
    }
}

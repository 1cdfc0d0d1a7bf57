//! What is known of colours, quick to find: pictures have millions of pixels and thousands of colours.

use tiny_skia::PremultipliedColorU8;

/// No colour, since colours have three bytes.
const EMPTY: u32 = u32::MAX;

const SLOT_BITS_MIN: u32 = 12;

/// A value for each of many colours.
pub(crate) struct ByColour<V> {
    slots: Vec<(u32, V)>,
    /// The slots are so many powers of two.
    bits: u32,
    count: usize,
}

impl<V: Copy + Default> ByColour<V> {
    pub(crate) fn new() -> ByColour<V> {
        let slots = vec![(EMPTY, V::default()); 1 << SLOT_BITS_MIN];
        ByColour { slots, bits: SLOT_BITS_MIN, count: 0 }
    }

    /// The value of a colour, made by `make` when it is first asked for.
    pub(crate) fn get(&mut self, colour: u32, make: impl FnOnce() -> V) -> &mut V {
        if self.count * 2 > self.slots.len() {
            self.grow();
        }
        let slot = self.find(colour);
        if self.slots[slot].0 == EMPTY {
            self.slots[slot] = (colour, make());
            self.count += 1;
        }
        &mut self.slots[slot].1
    }

    /// All colours with their values, in no order.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u32, V)> {
        self.slots.iter().copied().filter(|&(colour, _)| colour != EMPTY)
    }

    /// The slot of a colour, or the empty one where it belongs.
    fn find(&self, colour: u32) -> usize {
        let mut slot = (colour.wrapping_mul(0x9e37_79b1) >> (u32::BITS - self.bits)) as usize;
        while self.slots[slot].0 != colour && self.slots[slot].0 != EMPTY {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    fn grow(&mut self) {
        self.bits += 1;
        let larger = vec![(EMPTY, V::default()); 1 << self.bits];
        for (colour, value) in std::mem::replace(&mut self.slots, larger) {
            if colour != EMPTY {
                let slot = self.find(colour);
                self.slots[slot] = (colour, value);
            }
        }
    }
}

/// The colour of an opaque pixel as a number.
pub(crate) fn number(pixel: PremultipliedColorU8) -> u32 {
    u32::from_be_bytes([0, pixel.red(), pixel.green(), pixel.blue()])
}

/// Red, green and blue of a number.
pub(crate) fn levels(number: u32) -> [u8; 3] {
    let [_, red, green, blue] = number.to_be_bytes();
    [red, green, blue]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_keeps_its_value_however_many_there_are() {
        let mut squares = ByColour::new();
        let colours = || (0..50_000_u32).map(|number| number * 331 % 0x0100_0000);
        for colour in colours() {
            *squares.get(colour, || 0) += u64::from(colour).pow(2);
        }
        for colour in colours() {
            let found = *squares.get(colour, || panic!("{colour} was there"));
            assert_eq!(found, u64::from(colour).pow(2));
        }
        assert_eq!(squares.all().count(), 50_000);
    }
}

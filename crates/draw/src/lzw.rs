//! The compression of GIF, made for frames in which little changed: a stretch of pixels that are as before
//! costs as much as a few pixels.

use crate::palette::Palette;

/// All frames have 256 places in their palette.
const PLACE_BITS: u8 = 8;
const CLEAR: u16 = 256;
const END: u16 = 257;
const WIDTH_MIN: u32 = 9;
const WIDTH_MAX: u32 = 12;
const CODES_MAX: u16 = 1 << WIDTH_MAX;
const CODE_MASK: u32 = (1 << WIDTH_MAX) - 1;

/// Twice as many slots as there can be codes.
const SLOT_BITS: u32 = 13;

/// A longer string: the code of the string that goes on (12 bits), the place with which it does (8), and its own
/// code (12).
type Slot = u32;

/// No string, since none has the code of the one that it goes on from.
const EMPTY: Slot = Slot::MAX;

/// Compresses frames one after the other.
pub(crate) struct Compressor {
    slots: Vec<Slot>,
    /// The codes of one, two, three... places that are as before.
    unchanged: Vec<u16>,
    next: u16,
    width: u32,
    bits: u64,
    bit_count: u32,
    out: Vec<u8>,
}

impl Compressor {
    pub(crate) fn new() -> Compressor {
        Compressor {
            slots: vec![EMPTY; 1 << SLOT_BITS],
            unchanged: Vec::new(),
            next: 0,
            width: WIDTH_MIN,
            bits: 0,
            bit_count: 0,
            out: Vec::new(),
        }
    }

    /// The places of a frame as the encoder wants them.
    pub(crate) fn compress(&mut self, places: &[u8]) -> Vec<u8> {
        self.out = vec![PLACE_BITS];
        (self.bits, self.bit_count) = (0, 0);
        self.width = WIDTH_MIN;
        self.write(CLEAR);
        self.clear();
        let mut at = 0;
        while at < places.len() {
            let (string, after) = self.start(places, at);
            at = self.go_on(places, string, after);
        }
        self.write(END);
        if self.bit_count > 0 {
            self.out.push(self.bits as u8);
        }
        std::mem::take(&mut self.out)
    }

    /// The string with which the places from `at` begin, and where it ends.
    fn start(&mut self, places: &[u8], mut at: usize) -> (u16, usize) {
        if places[at] != Palette::UNCHANGED {
            return (u16::from(places[at]), at + 1);
        }
        let end = at + unchanged(&places[at..]);
        loop {
            let known = self.unchanged.len();
            if end - at <= known {
                return (self.unchanged[end - at - 1], end);
            }
            at += known;
            self.write(self.unchanged[known - 1]);
            match self.add() {
                Some(code) => self.unchanged.push(code),
                None => self.clear_table(),
            }
        }
    }

    /// Writes the longest known string that begins with one and goes on with the places; says where the
    /// rest begins.
    fn go_on(&mut self, places: &[u8], mut string: u16, mut at: usize) -> usize {
        while let Some(&place) = places.get(at) {
            let longer = u32::from(string) << 8 | u32::from(place);
            let slot = self.find(longer);
            if self.slots[slot] != EMPTY {
                string = (self.slots[slot] & CODE_MASK) as u16;
                at += 1;
                continue;
            }
            self.write(string);
            match self.add() {
                Some(code) => self.slots[slot] = longer << WIDTH_MAX | u32::from(code),
                None => self.clear_table(),
            }
            return at;
        }
        self.write(string);
        at
    }

    /// The slot of a longer string, or the empty one where it belongs.
    fn find(&self, longer: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut index = (longer.wrapping_mul(0x9e37_79b1) >> (32 - SLOT_BITS)) as usize;
        loop {
            let slot = self.slots[index];
            if slot >> WIDTH_MAX == longer || slot == EMPTY {
                return index;
            }
            index = (index + 1) & mask;
        }
    }

    /// A code for a longer string; `None` if all are taken.
    fn add(&mut self) -> Option<u16> {
        let code = self.next;
        if code == CODES_MAX {
            return None;
        }
        self.next += 1;
        Some(code)
    }

    fn clear_table(&mut self) {
        self.write(CLEAR);
        self.clear();
    }

    fn clear(&mut self) {
        self.slots.fill(EMPTY);
        self.unchanged.clear();
        self.unchanged.push(u16::from(Palette::UNCHANGED));
        (self.next, self.width) = (END + 1, WIDTH_MIN);
    }

    fn write(&mut self, code: u16) {
        self.bits |= u64::from(code) << self.bit_count;
        self.bit_count += self.width;
        while self.bit_count >= 8 {
            self.out.push(self.bits as u8);
            self.bits >>= 8;
            self.bit_count -= 8;
        }
        // A reader knows one string less than the writer at this point.
        if self.next == 1 << self.width && self.width < WIDTH_MAX {
            self.width += 1;
        }
    }
}

/// With how many places that are as before some places begin.
fn unchanged(places: &[u8]) -> usize {
    // Long stretches are the rule, and eight places are compared as quickly as one.
    let blocks = places.chunks_exact(8);
    let whole = blocks.take_while(|block| **block == [Palette::UNCHANGED; 8]).count() * 8;
    let rest = places[whole..].iter().position(|&place| place != Palette::UNCHANGED);
    rest.map_or(places.len(), |length| whole + length)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use gif::{DecodeOptions, Encoder, Frame};

    use super::*;

    /// What a reader makes of compressed places.
    fn read(places: &[u8], width: u16, compressor: &mut Compressor) -> Vec<u8> {
        let height = u16::try_from(places.len() / usize::from(width)).expect("a small picture");
        let mut file = Vec::new();
        let mut encoder =
            Encoder::new(&mut file, width, height, &[7; 768]).expect("a file in memory");
        let buffer = Cow::Owned(compressor.compress(places));
        let frame = Frame { width, height, buffer, ..Frame::default() };
        encoder.write_lzw_pre_encoded_frame(&frame).expect("a file in memory");
        drop(encoder);
        let mut reader = DecodeOptions::new().read_info(file.as_slice()).expect("a GIF");
        let frame = reader.read_next_frame().expect("a whole frame").expect("a frame");
        frame.buffer.to_vec()
    }

    #[test]
    fn a_reader_finds_what_was_written() {
        let mut compressor = Compressor::new();
        let mut state = 12_345_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        let quiet = Palette::UNCHANGED;
        let noise: Vec<u8> = (0..60_000).map(|_| next() as u8).collect();
        let still = vec![quiet; 500_000];
        let mut sparse = still.clone();
        (0..3000).for_each(|_| sparse[next() as usize * 7] = (next() % 9) as u8);
        let stripes: Vec<u8> =
            (0..90_000_u32).map(|at| if at / 37 % 3 == 0 { 4 } else { quiet }).collect();
        for places in [noise, still, sparse, stripes, vec![quiet], vec![3], vec![0; 40_000]] {
            let width = if places.len() >= 500 { 500 } else { 1 };
            assert!(read(&places, width, &mut compressor) == places);
        }
    }

    #[test]
    fn a_frame_without_change_takes_next_to_nothing() {
        let bytes = Compressor::new().compress(&vec![Palette::UNCHANGED; 480_000]).len();
        assert!(bytes < 1500, "{bytes} bytes");
    }
}

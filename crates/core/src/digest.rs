//! A fingerprint of a state, the same on every machine.

use sha2::{Digest as _, Sha256};

/// What waits at most to be hashed: whole blocks of SHA-256, which takes them where they are.
const WAITING_BYTES_MAX: usize = 8 * 64;

/// Collects a state's fields in a fixed order and byte order.
#[derive(Clone)]
pub struct Digest {
    hash: Sha256,
    /// Fields are a few bytes each, and to hand over each by itself took longer than to hash it.
    waiting: [u8; WAITING_BYTES_MAX],
    waiting_bytes: usize,
}

impl Digest {
    pub fn new() -> Self {
        Digest { hash: Sha256::new(), waiting: [0; WAITING_BYTES_MAX], waiting_bytes: 0 }
    }

    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        let end = self.waiting_bytes + bytes.len();
        match self.waiting.get_mut(self.waiting_bytes..end) {
            Some(room) => {
                room.copy_from_slice(bytes);
                self.waiting_bytes = end;
            }
            None => self.hash_waiting_and(bytes),
        }
        self
    }

    /// Hashes what waits together with these, of which the last few wait again.
    fn hash_waiting_and(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(WAITING_BYTES_MAX - self.waiting_bytes);
        self.waiting[self.waiting_bytes..].copy_from_slice(first);
        self.hash.update(self.waiting);
        let (whole, rest) = rest.split_at(rest.len() - rest.len() % WAITING_BYTES_MAX);
        self.hash.update(whole);
        self.waiting[..rest.len()].copy_from_slice(rest);
        self.waiting_bytes = rest.len();
    }

    #[inline]
    pub fn u8(&mut self, value: u8) -> &mut Self {
        self.bytes(&[value])
    }

    #[inline]
    pub fn u32(&mut self, value: u32) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    #[inline]
    pub fn i64(&mut self, value: i64) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    /// By its bits: two states that differ in the sign of a zero differ here too.
    #[inline]
    pub fn f64(&mut self, value: f64) -> &mut Self {
        self.bytes(&value.to_bits().to_le_bytes())
    }

    /// With its length, so that two texts in a row cannot be taken for two others.
    #[inline]
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.i64(text.len() as i64).bytes(text.as_bytes())
    }

    /// For many bytes: their number and a checksum of them instead of themselves, an order of
    /// magnitude faster. It notices every accident; it is no defence against forgery.
    pub fn bulk(&mut self, bytes: &[u8]) -> &mut Self {
        let checksum = checksum(bytes);
        self.i64(bytes.len() as i64).bytes(&checksum.to_le_bytes())
    }

    /// All of SHA-256, in hexadecimal digits.
    pub fn finish_whole(self) -> String {
        self.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The first 64 bits of SHA-256.
    pub fn finish(self) -> u64 {
        let mut first = [0; 8];
        first.copy_from_slice(&self.finalize()[..8]);
        u64::from_be_bytes(first)
    }

    fn finalize(mut self) -> [u8; 32] {
        self.hash.update(&self.waiting[..self.waiting_bytes]);
        self.hash.finalize().into()
    }
}

/// Four lanes of multiplication and rotation, so that the processor works on all of them at once.
fn checksum(bytes: &[u8]) -> u64 {
    const FIRST: u64 = 0x9e37_79b1_85eb_ca87;
    const SECOND: u64 = 0xc2b2_ae3d_27d4_eb4f;
    let mix = |lane: u64, word: u64| {
        lane.wrapping_add(word.wrapping_mul(SECOND)).rotate_left(31).wrapping_mul(FIRST)
    };
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    let mut lanes = [FIRST, SECOND, 1, !0];
    let (blocks, rest) = bytes.as_chunks::<32>();
    for block in blocks {
        for (lane, bytes) in lanes.iter_mut().zip(block.as_chunks::<8>().0) {
            *lane = mix(*lane, u64::from_le_bytes(*bytes));
        }
    }
    for (index, bytes) in rest.chunks(8).enumerate() {
        lanes[index] = mix(lanes[index], word(bytes));
    }
    lanes.into_iter().fold(bytes.len() as u64, mix)
}

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_the_head_of_sha256() {
        let mut digest = Digest::new();
        digest.bytes(b"abc");
        assert_eq!(digest.clone().finish(), 0xba78_16bf_8f01_cfea);
        let whole = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest.finish_whole(), whole);
    }

    #[test]
    fn how_bytes_come_in_pieces_does_not_matter() {
        let all: Vec<u8> = (0..5 * WAITING_BYTES_MAX).map(|index| (index % 251) as u8).collect();
        let expected: [u8; 32] = Sha256::digest(&all).into();
        let edges = [0, 1, 63, 64, 65].map(|more| [more, WAITING_BYTES_MAX - 1 + more]).concat();
        for &first in &edges {
            for second in edges.iter().map(|more| more + WAITING_BYTES_MAX).chain(edges.clone()) {
                let mut digest = Digest::new();
                let (head, rest) = all.split_at(first);
                let (middle, tail) = rest.split_at(second);
                digest.bytes(head).bytes(middle);
                for &byte in tail {
                    digest.u8(byte);
                }
                assert_eq!(digest.finalize(), expected, "pieces of {first} and {second} bytes");
            }
        }
    }

    #[test]
    fn a_checksum_notices_every_byte_and_the_length() {
        let of = |bytes: &[u8]| {
            let mut digest = Digest::new();
            digest.bulk(bytes);
            digest.finish()
        };
        for length in [0, 1, 7, 8, 31, 32, 33, 100] {
            let bytes: Vec<u8> = (0..length).map(|index| index as u8).collect();
            let mut seen = vec![of(&bytes), of(&[&bytes[..], &[0]].concat())];
            for index in 0..bytes.len() {
                for bit in 0..8 {
                    let mut other = bytes.clone();
                    other[index] ^= 1 << bit;
                    seen.push(of(&other));
                }
            }
            let count = seen.len();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), count, "{length} bytes");
        }
    }

    #[test]
    fn texts_are_delimited() {
        let of = |texts: [&str; 2]| {
            let mut digest = Digest::new();
            digest.text(texts[0]).text(texts[1]);
            digest.finish()
        };
        assert_ne!(of(["ab", "c"]), of(["a", "bc"]));
    }
}

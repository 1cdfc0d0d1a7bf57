//! A fingerprint of a state, the same on every machine.

use sha2::{Digest as _, Sha256};

/// Collects a state's fields in a fixed order and byte order.
#[derive(Clone)]
pub struct Digest(Sha256);

impl Digest {
    pub fn new() -> Self {
        Digest(Sha256::new())
    }

    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.update(bytes);
        self
    }

    pub fn u8(&mut self, value: u8) -> &mut Self {
        self.bytes(&[value])
    }

    pub fn u32(&mut self, value: u32) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    pub fn i64(&mut self, value: i64) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    /// By its bits: two states that differ in the sign of a zero differ here too.
    pub fn f64(&mut self, value: f64) -> &mut Self {
        self.bytes(&value.to_bits().to_le_bytes())
    }

    /// With its length, so that two texts in a row cannot be taken for two others.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.i64(text.len() as i64).bytes(text.as_bytes())
    }

    /// The first 64 bits of SHA-256.
    pub fn finish(self) -> u64 {
        let hash = self.0.finalize();
        let mut first = [0; 8];
        first.copy_from_slice(&hash[..8]);
        u64::from_be_bytes(first)
    }
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
        assert_eq!(digest.finish(), 0xba78_16bf_8f01_cfea);
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

//! Bytes that were packed once and are sent many times.

use std::io::{Read as _, Write as _};

use axum::body::Bytes;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// A text, packed with gzip.
#[derive(Clone, Debug)]
pub(crate) struct Packed(pub(crate) Bytes);

impl Packed {
    pub(crate) fn new(text: &[u8]) -> Packed {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::new(7));
        let written = encoder.write_all(text).and_then(|()| encoder.finish());
        Packed(written.expect("memory takes all that is written to it").into())
    }

    /// For whoever cannot unpack it.
    pub(crate) fn unpacked(&self) -> Bytes {
        let mut text = Vec::new();
        let read = GzDecoder::new(&self.0[..]).read_to_end(&mut text);
        read.expect("what was packed here can be unpacked");
        text.into()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_again() {
        let text = b"turn after turn after turn after turn".repeat(40);
        let packed = Packed::new(&text);
        assert!(packed.len() < 200, "{}", packed.len());
        assert_eq!(packed.unpacked(), text);
    }
}

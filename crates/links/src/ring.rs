//! The end of a long text: what is kept of a bot's error output.

use quintain_referee::Capped;

use crate::limits::STDERR_BYTES_KEPT;

/// Keeps the last [`STDERR_BYTES_KEPT`] bytes of what is pushed between two takes and counts the
/// rest. The last ones, because a bot that fails says why at the end.
#[derive(Debug, Default)]
pub(crate) struct Ring {
    /// Up to twice what is kept, so that old bytes are dropped in large pieces.
    bytes: Vec<u8>,
    dropped: u64,
}

impl Ring {
    pub(crate) fn push(&mut self, piece: &[u8]) {
        let kept = &piece[piece.len().saturating_sub(STDERR_BYTES_KEPT)..];
        self.dropped += (piece.len() - kept.len()) as u64;
        if self.bytes.len() + kept.len() > 2 * STDERR_BYTES_KEPT {
            self.drop_all_but(STDERR_BYTES_KEPT - kept.len());
        }
        self.bytes.extend_from_slice(kept);
    }

    /// What is kept by now.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What was kept since the last take. Bytes that are not UTF-8 become U+FFFD.
    pub(crate) fn take(&mut self) -> Capped {
        if self.bytes.is_empty() && self.dropped == 0 {
            return Capped::default();
        }
        self.drop_all_but(STDERR_BYTES_KEPT);
        if self.dropped > 0 {
            self.drop_torn_character();
        }
        let bytes = std::mem::take(&mut self.bytes);
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Capped { text, dropped: std::mem::take(&mut self.dropped) }
    }

    fn drop_all_but(&mut self, kept: usize) {
        let excess = self.bytes.len().saturating_sub(kept);
        self.bytes.drain(..excess);
        self.dropped += excess as u64;
    }

    /// Where the text was cut, the rest of a divided character is not worth a mark.
    fn drop_torn_character(&mut self) {
        let is_continuation = |byte: &&u8| **byte & 0b1100_0000 == 0b1000_0000;
        let torn = self.bytes.iter().take(3).take_while(is_continuation).count();
        self.drop_all_but(self.bytes.len() - torn);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_is_kept_whole_and_taken_once() {
        let mut ring = Ring::default();
        ring.push("a board\n".as_bytes());
        ring.push("ÿ".as_bytes());
        assert_eq!(ring.take(), Capped { text: "a board\nÿ".into(), dropped: 0 });
        assert!(ring.take().is_empty());
    }

    #[test]
    fn the_end_of_a_long_text_is_kept_and_the_rest_is_counted() {
        for piece_length in [1, 7, 1000, STDERR_BYTES_KEPT, STDERR_BYTES_KEPT + 1, 300_000] {
            let text: Vec<u8> = (0..300_000_u32).map(|i| b'a' + (i % 23) as u8).collect();
            let mut ring = Ring::default();
            for piece in text.chunks(piece_length) {
                ring.push(piece);
                assert!(ring.bytes.len() <= 2 * STDERR_BYTES_KEPT);
            }
            let taken = ring.take();
            assert_eq!(taken.text.as_bytes(), &text[text.len() - STDERR_BYTES_KEPT..]);
            assert_eq!(taken.dropped, (text.len() - STDERR_BYTES_KEPT) as u64);
            assert!(ring.take().is_empty());
        }
    }

    #[test]
    fn a_character_divided_by_the_cut_is_dropped_and_other_wrong_bytes_are_marked() {
        let mut ring = Ring::default();
        ring.push("€".repeat(STDERR_BYTES_KEPT / 3 + 1).as_bytes());
        let taken = ring.take();
        assert!(taken.text.chars().all(|c| c == '€'));
        assert_eq!(taken.dropped, 3);
        ring.push(b"a\xffb");
        assert_eq!(ring.take(), Capped { text: "a\u{fffd}b".into(), dropped: 0 });
    }
}

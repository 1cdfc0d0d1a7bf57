//! Lines out of a stream of bytes.

use quintain_core::{Framing, LineEnds};

/// What was cut out of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// A line without its end.
    Line(Vec<u8>),
    /// A line longer than the framing allows. Nothing is cut after it.
    Overlong,
}

/// Takes bytes as they come and gives the lines in them. How the bytes were divided into pieces
/// makes no difference. Bytes after the last line end are no line, also when the stream ends.
///
/// Whoever pops everything before pushing more needs memory for the longest line and one piece.
#[derive(Clone, Debug)]
pub struct LineCutter {
    line_ends: LineEnds,
    line_bytes_max: usize,
    bytes: Vec<u8>,
    /// Where the next line begins in `bytes`.
    start: usize,
    /// There is no line end between `start` and here.
    searched: usize,
    /// The last line ended in CR, so that a LF at `start` belongs to its end.
    after_return: bool,
    head: Head,
}

/// What is known about the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Head {
    Unfinished,
    /// The line and its end: `start..line`, `line..next`.
    Line {
        line: usize,
        next: usize,
    },
    Overlong,
    /// An overlong line was popped.
    Dead,
}

impl LineCutter {
    pub fn new(framing: Framing) -> Self {
        LineCutter {
            line_ends: framing.line_ends_in,
            line_bytes_max: framing.line_bytes_max,
            bytes: Vec::new(),
            start: 0,
            searched: 0,
            after_return: false,
            head: Head::Unfinished,
        }
    }

    pub fn push(&mut self, piece: &[u8]) {
        if matches!(self.head, Head::Overlong | Head::Dead) {
            return;
        }
        self.drop_consumed();
        self.bytes.extend_from_slice(piece);
        if self.head == Head::Unfinished {
            self.find();
        }
    }

    /// Whether `pop` would give something.
    pub fn is_ready(&self) -> bool {
        matches!(self.head, Head::Line { .. } | Head::Overlong)
    }

    pub fn pop(&mut self) -> Option<Cut> {
        match self.head {
            Head::Unfinished | Head::Dead => None,
            Head::Line { line, next } => {
                let cut = self.bytes[self.start..line].to_vec();
                self.start = next;
                self.searched = next;
                self.head = Head::Unfinished;
                self.find();
                Some(Cut::Line(cut))
            }
            Head::Overlong => {
                self.bytes = Vec::new();
                self.head = Head::Dead;
                Some(Cut::Overlong)
            }
        }
    }

    fn drop_consumed(&mut self) {
        if self.start == 0 {
            return;
        }
        self.bytes.drain(..self.start);
        self.searched -= self.start;
        if let Head::Line { line, next } = &mut self.head {
            *line -= self.start;
            *next -= self.start;
        }
        self.start = 0;
    }

    /// Finds the end of the line at `start`, or that it is too long to have one.
    fn find(&mut self) {
        debug_assert_eq!(self.head, Head::Unfinished);
        self.skip_rest_of_end();
        let is_end = |byte: &u8| match self.line_ends {
            LineEnds::LfOrCrLf => *byte == b'\n',
            LineEnds::Any => matches!(*byte, b'\n' | b'\r'),
        };
        match self.bytes[self.searched..].iter().position(is_end) {
            Some(offset) => self.end_line_at(self.searched + offset),
            None => {
                self.searched = self.bytes.len();
                let unfinished = &self.bytes[self.start..];
                // A CR may still turn out to be part of the end.
                let end_bytes = match self.line_ends {
                    LineEnds::LfOrCrLf => usize::from(unfinished.last() == Some(&b'\r')),
                    LineEnds::Any => 0,
                };
                if unfinished.len() - end_bytes > self.line_bytes_max {
                    self.head = Head::Overlong;
                }
            }
        }
    }

    fn end_line_at(&mut self, end: usize) {
        let mut line = end;
        match self.line_ends {
            LineEnds::LfOrCrLf => {
                if self.bytes[self.start..end].last() == Some(&b'\r') {
                    line -= 1;
                }
            }
            LineEnds::Any => self.after_return = self.bytes[end] == b'\r',
        }
        self.head = if line - self.start > self.line_bytes_max {
            Head::Overlong
        } else {
            Head::Line { line, next: end + 1 }
        };
    }

    fn skip_rest_of_end(&mut self) {
        if !self.after_return {
            return;
        }
        if let Some(&byte) = self.bytes.get(self.start) {
            self.after_return = false;
            if byte == b'\n' {
                self.start += 1;
                self.searched = self.searched.max(self.start);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use quintain_core::{Chance, SplitMix64};

    fn cutter(line_ends_in: LineEnds, line_bytes_max: usize) -> LineCutter {
        LineCutter::new(Framing { line_ends_in, line_end_out: "\n", line_bytes_max })
    }

    fn pop_all(cutter: &mut LineCutter, to: &mut Vec<Cut>) {
        while cutter.is_ready() {
            to.push(cutter.pop().expect("a ready cutter pops"));
        }
        assert_eq!(cutter.pop(), None);
    }

    fn cut_whole(line_ends: LineEnds, max: usize, text: &[u8]) -> Vec<Cut> {
        let mut cutter = cutter(line_ends, max);
        let mut cuts = Vec::new();
        cutter.push(text);
        pop_all(&mut cutter, &mut cuts);
        cuts
    }

    fn check(line_ends: LineEnds, text: &str, expected: &[&str]) {
        let expected: Vec<Cut> = expected
            .iter()
            .map(|&line| match line {
                "OVERLONG" => Cut::Overlong,
                line => Cut::Line(line.as_bytes().to_vec()),
            })
            .collect();
        assert_eq!(cut_whole(line_ends, 4, text.as_bytes()), expected, "{text:?}");
    }

    #[test]
    fn lf_and_cr_lf_end_a_line_and_a_lone_cr_does_not() {
        check(LineEnds::LfOrCrLf, "a\nb\r\n\n\r\nc", &["a", "b", "", ""]);
        check(LineEnds::LfOrCrLf, "a\rb\n", &["a\rb"]);
        check(LineEnds::LfOrCrLf, "a\r\r\n", &["a\r"]);
    }

    #[test]
    fn any_of_cr_lf_and_both_end_a_line() {
        check(LineEnds::Any, "a\rb\nc\r\nd", &["a", "b", "c"]);
        check(LineEnds::Any, "\r\r\n\n\n\r", &["", "", "", "", ""]);
    }

    #[test]
    fn a_line_of_the_longest_length_passes_with_either_end() {
        check(LineEnds::LfOrCrLf, "abcd\nabcd\r\nx\n", &["abcd", "abcd", "x"]);
        check(LineEnds::Any, "abcd\rabcd\r\nx\n", &["abcd", "abcd", "x"]);
    }

    #[test]
    fn an_overlong_line_is_told_once_and_nothing_after_it() {
        check(LineEnds::LfOrCrLf, "a\nabcde\nb\n", &["a", "OVERLONG"]);
        check(LineEnds::LfOrCrLf, "abcde", &["OVERLONG"]);
        check(LineEnds::LfOrCrLf, "abcd\r\r\n", &["OVERLONG"]);
        check(LineEnds::Any, "abcde", &["OVERLONG"]);
        let mut cutter = cutter(LineEnds::Any, 4);
        cutter.push(b"abcdefgh");
        assert_eq!(cutter.pop(), Some(Cut::Overlong));
        cutter.push(b"\nx\n");
        assert_eq!(cutter.pop(), None);
        assert_eq!(cutter.bytes.len(), 0);
    }

    /// All texts of up to seven bytes over three letters, cut at every pair of places.
    #[test]
    fn the_places_where_a_stream_is_cut_do_not_matter() {
        let mut texts_with_lines = 0;
        for length in 0..=7_u32 {
            for number in 0..3_usize.pow(length) {
                let text: Vec<u8> =
                    (0..length).map(|place| b"a\r\n"[number / 3_usize.pow(place) % 3]).collect();
                for line_ends in [LineEnds::LfOrCrLf, LineEnds::Any] {
                    let expected = cut_whole(line_ends, 2, &text);
                    texts_with_lines += usize::from(!expected.is_empty());
                    check_all_pieces(line_ends, &text, &expected);
                }
            }
        }
        assert!(texts_with_lines > 3_000, "only {texts_with_lines} texts had a line");
    }

    fn check_all_pieces(line_ends: LineEnds, text: &[u8], expected: &[Cut]) {
        for first in 0..=text.len() {
            for second in first..=text.len() {
                for pop_between in [false, true] {
                    let mut cutter = cutter(line_ends, 2);
                    let mut cuts = Vec::new();
                    for piece in [&text[..first], &text[first..second], &text[second..]] {
                        cutter.push(piece);
                        if pop_between {
                            pop_all(&mut cutter, &mut cuts);
                        }
                    }
                    pop_all(&mut cutter, &mut cuts);
                    assert_eq!(cuts, expected, "{text:?} cut at {first} and {second}");
                }
            }
        }
    }

    #[test]
    fn memory_stays_within_one_line_and_one_piece() {
        let mut chance = SplitMix64::new(1);
        let mut cutter = cutter(LineEnds::LfOrCrLf, 100);
        let mut cuts = Vec::new();
        for _ in 0..5_000 {
            let line_length = chance.below(100) as usize;
            let mut piece = vec![b'x'; line_length];
            piece.extend_from_slice(b"\r\n");
            for part in piece.chunks(1 + chance.below(64) as usize) {
                cutter.push(part);
                pop_all(&mut cutter, &mut cuts);
                assert!(cutter.bytes.len() <= 101 + 64);
            }
        }
        assert_eq!(cuts.len(), 5_000);
        assert!(!cuts.contains(&Cut::Overlong));
    }
}

//! Sentences on a terminal, wrapped between words. In a file or a pipe lines stay as they are.

use std::io::{self, Write};
use std::os::fd::AsFd;

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// Narrower than this nothing can be read anyway.
const WIDTH_MIN: usize = 40;
/// How far the rest of a wrapped line stands behind its beginning.
const HANG: usize = 2;
/// How a command begins that whoever reads it may want to call.
const COMMANDS: [&str; 2] = [": quintain ", "  quintain "];

pub struct WrappedOutput<W: Write> {
    out: W,
    /// `None` where nobody reads.
    width: Option<usize>,
    line: Vec<u8>,
}

/// The columns of a terminal that is wide enough to read something on it.
fn width_of(stream: impl AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    Some(usize::from(size.ws_col)).filter(|width| *width >= WIDTH_MIN)
}

impl<W: Write> WrappedOutput<W> {
    /// What is written to `out` is wrapped if `stream`, where it goes, is a terminal.
    pub fn new(out: W, stream: impl AsFd) -> WrappedOutput<W> {
        WrappedOutput { out, width: width_of(stream), line: Vec::new() }
    }

    fn end_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        match (std::str::from_utf8(&line), self.width) {
            (Ok(text), Some(width)) => self.out.write_all(wrapped(text, width).as_bytes()),
            _ => self.out.write_all(&line),
        }
    }
}

impl<W: Write> Write for WrappedOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.end_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.end_line()?;
        self.out.flush()
    }
}

impl<W: Write> Drop for WrappedOutput<W> {
    fn drop(&mut self) {
        // Who wants to know whether it worked has flushed.
        let _ = self.flush();
    }
}

/// The line, broken between words where it is too long. A word that is too long itself is left to the
/// terminal, and so is a command, which is to be copied whole.
fn wrapped(line: &str, width: usize) -> String {
    if COMMANDS.iter().any(|command| line.contains(command)) {
        return line.to_owned();
    }
    let indent = line.len() - line.trim_start_matches(' ').len() + HANG;
    let indent = " ".repeat(indent);
    let options = Options::new(width)
        .subsequent_indent(&indent)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::fill(line, options)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(width: Option<usize>, text: &str) -> String {
        let mut bytes = Vec::new();
        write!(WrappedOutput { out: &mut bytes, width, line: Vec::new() }, "{text}")
            .expect("memory");
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn long_lines_break_between_words_and_hang() {
        assert_eq!(written(Some(10), "one two three\n"), "one two\n  three\n");
        assert_eq!(written(Some(10), "  - one two\nb"), "  - one\n    two\nb");
        assert_eq!(written(Some(10), "one  two three four\n"), "one  two\n  three\n  four\n");
        assert_eq!(written(None, "one two three\n"), "one two three\n");
        assert_eq!(written(Some(4), "abcdefgh ij\n"), "abcdefgh\n  ij\n");
    }

    #[test]
    fn a_command_can_be_copied_whole() {
        let line = "show it again: quintain replay a.jsonl\n";
        assert_eq!(written(Some(20), line), line);
        let line = "  quintain play hockey \"python3 mybot.py\" house:random\n";
        assert_eq!(written(Some(20), line), line);
    }

    #[test]
    fn styles_take_no_place() {
        let bold = "\u{1b}[1mone two\u{1b}[0m\n";
        assert_eq!(written(Some(7), bold), bold);
    }
}

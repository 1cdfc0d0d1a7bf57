//! A house bot on the far side of a wire: the client's half of a conversation.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Instant;

use quintain_core::entelect::compact_json;
use quintain_core::{Dialogue, Elapsed, Framing, LineEnds};

use crate::limits::{READ_BYTES, TALK_LINE_BYTES_MAX};
use crate::{Cut, LineCutter};

/// Holds a dialogue until the host closes. Lines of the host may end in LF or CR LF; answers end
/// as the framing's lines do, and those to everything that came at once leave in one write.
///
/// # Errors
/// If reading or writing fails for another reason than that the host is gone, or if the host sends
/// a line that is longer than any of ours.
pub fn speak(
    mut from: impl Read,
    mut to: impl Write,
    framing: Framing,
    dialogue: &mut dyn Dialogue,
) -> io::Result<()> {
    let mut cutter = LineCutter::new(Framing {
        line_ends_in: LineEnds::LfOrCrLf,
        line_bytes_max: TALK_LINE_BYTES_MAX,
        ..framing
    });
    let mut buffer = vec![0; READ_BYTES];
    let mut answers = Vec::new();
    let mut answer_bytes = Vec::new();
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => cutter.push(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if is_gone(&error) => return Ok(()),
            Err(error) => return Err(error),
        }
        let came_at = Instant::now();
        while let Some(cut) = cutter.pop() {
            match cut {
                Cut::Line(line) => {
                    let line = String::from_utf8_lossy(&line);
                    dialogue.hear(&line, &mut || came_at.elapsed(), &mut answers);
                }
                Cut::Overlong => {
                    let message =
                        format!("the host sent a line of more than {TALK_LINE_BYTES_MAX} bytes");
                    return Err(io::Error::new(ErrorKind::InvalidData, message));
                }
            }
        }
        for answer in answers.drain(..) {
            answer_bytes.extend_from_slice(answer.as_bytes());
            answer_bytes.extend_from_slice(framing.line_end_out.as_bytes());
        }
        if !answer_bytes.is_empty() {
            match to.write_all(&answer_bytes).and_then(|()| to.flush()) {
                Err(error) if !is_gone(&error) => return Err(error),
                // If the host is gone, its last words may still be there to be read.
                _ => answer_bytes.clear(),
            }
        }
    }
}

/// Connects to a host and holds a dialogue with it.
///
/// # Errors
/// If there is no host, naming the address and keeping the kind of the system's error, or as
/// [`speak`].
pub fn speak_over_tcp(
    address: impl ToSocketAddrs + std::fmt::Display,
    framing: Framing,
    dialogue: &mut dyn Dialogue,
) -> io::Result<()> {
    let stream = TcpStream::connect(&address).map_err(|error| {
        io::Error::new(error.kind(), format!("cannot connect to {address}: {error}"))
    })?;
    stream.set_nodelay(true)?;
    speak(&stream, &stream, framing, dialogue)
}

/// Holds a dialogue over the input and output of this process, as a bot that a host started.
///
/// # Errors
/// As [`speak`].
pub fn speak_over_stdio(framing: Framing, dialogue: &mut dyn Dialogue) -> io::Result<()> {
    speak(io::stdin().lock(), io::stdout().lock(), framing, dialogue)
}

fn is_gone(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted
    )
}

/// Reads the files that a host writes, for a bot that is told the state in lines.
pub struct StateFileReader {
    pub dialogue: Box<dyn Dialogue>,
    /// Is told of a file that cannot be read.
    pub unreadable: fn(&str, &io::Error),
}

impl Dialogue for StateFileReader {
    fn hear(&mut self, line: &str, elapsed: &mut Elapsed<'_>, out: &mut Vec<String>) {
        let path = format!("rounds/{line}/state.json");
        match std::fs::read(&path) {
            Ok(json) => {
                let mut compact = Vec::with_capacity(json.len());
                compact_json(&json, &mut compact);
                self.dialogue.hear(line, elapsed, out);
                self.dialogue.hear(&String::from_utf8_lossy(&compact), elapsed, out);
            }
            Err(error) => (self.unreadable)(&path, &error),
        }
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::Elapsed;

    use super::*;

    /// Repeats what it hears, twice if it is told so.
    struct Echo;

    impl Dialogue for Echo {
        fn hear(&mut self, line: &str, _: &mut Elapsed<'_>, out: &mut Vec<String>) {
            out.extend(std::iter::repeat_n(line.to_owned(), line.len().min(2)));
        }
    }

    const FRAMING: Framing =
        Framing { line_ends_in: LineEnds::Any, line_end_out: "\r\n", line_bytes_max: 10 };

    #[test]
    fn every_line_is_answered_in_order_until_the_end() {
        let mut said = Vec::new();
        speak(&b"a\r\n\r\nbb\ncc"[..], &mut said, FRAMING, &mut Echo).expect("nothing fails here");
        assert_eq!(said, b"a\r\nbb\r\nbb\r\n");
    }

    #[test]
    fn a_host_that_never_ends_its_line_is_left() {
        let endless = io::repeat(b'x');
        let error = speak(endless, io::sink(), FRAMING, &mut Echo).expect_err("no line ends");
        assert_eq!(error.kind(), ErrorKind::InvalidData);
    }
}

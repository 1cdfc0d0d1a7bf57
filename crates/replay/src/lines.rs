//! The lines of a replay, each within its bounds.

use std::io::{self, BufRead, Read as _};

use quintain_core::Digest;
use zstd::zstd_safe::get_error_name;
use zstd::zstd_safe::zstd_sys::ZSTD_ErrorCode;

use crate::ReplayError;
use crate::limits::{HEADER_BYTES_MAX, LINE_BYTES_MAX, TOTAL_BYTES_MAX, WINDOW_LOG_MAX};

/// Cuts a stream into lines.
pub(crate) struct Lines<'a> {
    source: Box<dyn BufRead + 'a>,
    /// Lines read, the latest included.
    pub(crate) count: usize,
    bytes: u64,
    /// Of all lines before the latest.
    before: Digest,
    /// Of all lines.
    through: Digest,
    /// Why the latest line is the last one, if it is.
    pub(crate) last: Option<Last>,
}

/// Why there is no further line.
#[derive(Debug)]
pub(crate) enum Last {
    /// The stream ended as it should.
    Ended,
    /// A compressed stream ended in its middle.
    CutOff,
    Damaged(io::Error),
}

impl<'a> Lines<'a> {
    pub(crate) fn new(source: Box<dyn BufRead + 'a>) -> Self {
        let (before, through) = (Digest::new(), Digest::new());
        Lines { source, count: 0, bytes: 0, before, through, last: None }
    }

    /// The digest of all lines before the latest.
    pub(crate) fn digest_before(&self) -> String {
        self.before.clone().finish_whole()
    }

    /// The digest of all lines.
    pub(crate) fn digest(&self) -> String {
        self.through.clone().finish_whole()
    }

    /// The next line with its line end, if that is there. To be called while there is no `last`.
    pub(crate) fn next(&mut self) -> Result<Vec<u8>, ReplayError> {
        let bytes_max = if self.count == 0 { HEADER_BYTES_MAX } else { LINE_BYTES_MAX };
        self.count += 1;
        let mut line = Vec::new();
        let mut limited = self.source.by_ref().take(bytes_max as u64 + 1);
        self.last = match limited.read_until(b'\n', &mut line) {
            Ok(_) if line.len() > bytes_max => {
                return Err(ReplayError::LongLine { line: self.count, bytes_max });
            }
            Ok(_) if line.last() == Some(&b'\n') => None,
            Ok(_) => Some(Last::Ended),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Some(Last::CutOff),
            Err(error) => Some(Last::Damaged(explained(error))),
        };
        self.before = self.through.clone();
        self.through.bytes(&line);
        self.bytes += line.len() as u64;
        if self.bytes > TOTAL_BYTES_MAX {
            return Err(ReplayError::TooLarge);
        }
        Ok(line)
    }
}

/// zstd says of a wide window only that it would take too much memory. Its errors come as their names, so
/// they are told apart by these.
fn explained(error: io::Error) -> io::Error {
    let code = ZSTD_ErrorCode::ZSTD_error_frameParameter_windowTooLarge as usize;
    if error.to_string() == get_error_name(code.wrapping_neg()) {
        let bytes = 1_u64 << WINDOW_LOG_MAX;
        return io::Error::other(format!("it needs a window of more than {bytes} bytes"));
    }
    error
}

//! Addresses of pages.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What may stand in a path as it is.
const PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');
/// The address of something of a replay: `/match/` and its like, and the replay's id.
pub(crate) fn of_replay(prefix: &str, id: &str) -> String {
    format!("{prefix}{}", utf8_percent_encode(id, PATH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_file_is_called_its_address_is_one_path() {
        assert_eq!(of_replay("/match/", "a/b c.jsonl"), "/match/a/b%20c.jsonl");
        assert_eq!(of_replay("/match/", "<b>\"?#&%"), "/match/%3Cb%3E%22%3F%23%26%25");
    }
}

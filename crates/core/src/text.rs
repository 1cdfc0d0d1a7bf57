//! Text of strangers, made safe to show.

use std::borrow::Cow;

/// Replaces control characters, so that a bot's text can neither steer a terminal nor break a
/// line of a report. Text without them is returned as it is.
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_unsafe) {
        Cow::Owned(text.chars().map(|c| if is_unsafe(c) { '\u{fffd}' } else { c }).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Control characters, and the invisible ones that turn the direction of the text around them.
fn is_unsafe(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_replaced_and_the_rest_is_kept() {
        assert_eq!(printable("d'équipe  1"), "d'équipe  1");
        assert_eq!(printable("a\u{1b}[31mb\r\n"), "a\u{fffd}[31mb\u{fffd}\u{fffd}");
        assert_eq!(printable("a\u{202e}b"), "a\u{fffd}b");
    }
}

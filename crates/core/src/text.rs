//! Text of strangers, made safe to show.

use std::borrow::Cow;

use unicode_security::skeleton;

/// Replaces control characters, so that a bot's text can neither steer a terminal nor break a
/// line of a report. Text without them is returned as it is.
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_unsafe) {
        Cow::Owned(text.chars().map(|c| if is_unsafe(c) { '\u{fffd}' } else { c }).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// The text without the characters that leave nothing to be seen: two texts that are equal without them
/// look the same.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_invisible) {
        Cow::Owned(text.chars().filter(|c| !is_invisible(*c)).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether hardly anybody could tell two texts apart: what cannot be seen does not count, and letters of
/// different scripts that look alike, such as the Latin and the Cyrillic a, count as one (the skeletons
/// of Unicode's Technical Standard 39). Texts of ASCII alone are told apart letter by letter, as the
/// originals do: `l` and `1` are two letters.
pub fn look_alike(one: &str, other: &str) -> bool {
    let (one, other) = (visible(one), visible(other));
    let are_ascii = one.is_ascii() && other.is_ascii();
    one == other || (!are_ascii && skeleton(&one).eq(skeleton(&other)))
}

/// Control characters, other ends of lines, and the invisible ones that turn the direction of the text
/// around them.
fn is_unsafe(c: char) -> bool {
    let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// The property Default_Ignorable_Code_Point of Unicode 16: joiners, selectors, fillers, marks.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_shape_is_left_out() {
        assert_eq!(visible("B\u{200b}o\u{2060}b\u{feff}\u{fe0f}"), "Bob");
        assert_eq!(visible("d'équipe  1"), "d'équipe  1");
    }

    #[test]
    fn letters_of_other_scripts_are_those_that_they_look_like() {
        assert!(look_alike("Bob", "B\u{43e}b"), "a Cyrillic o");
        assert!(look_alike("Bob", "\u{392}ob"), "a Greek B");
        assert!(look_alike("B\u{200b}ob", "\u{ff22}ob"), "a wide B, and nothing");
        assert!(look_alike("\u{e9}quipe", "e\u{301}quipe"), "an accent in one piece or two");
        assert!(look_alike("\u{440}\u{430}\u{441}\u{435}", "pace"), "a whole word");
        for other in ["bob", "B0b", "Bob ", "B\u{f6}b", "\u{411}ob"] {
            assert!(!look_alike("Bob", other), "{other}");
        }
        assert!(!look_alike("team 1", "team l"), "letters of ASCII are what they are");
    }

    #[test]
    fn control_characters_are_replaced_and_the_rest_is_kept() {
        assert_eq!(printable("d'équipe  1"), "d'équipe  1");
        assert_eq!(printable("a\u{1b}[31mb\r\n"), "a\u{fffd}[31mb\u{fffd}\u{fffd}");
        assert_eq!(printable("a\u{202e}b\u{2028}"), "a\u{fffd}b\u{fffd}");
    }
}

//! Text made safe for XML, and short enough for its place.

use std::borrow::Cow;

use quintain_core::printable;

use crate::fonts::{self, Weight};

const ELLIPSIS: char = '…';

/// Text of anyone as it may stand in XML: what would be markup is escaped, and what XML or a
/// terminal cannot bear is replaced.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in printable(text).chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

/// How wide a text is at the given size.
pub(crate) fn width(text: &str, size: f64, weight: Weight) -> f64 {
    text.chars().map(|letter| fonts::advance(letter, weight)).sum::<f64>() * size
}

/// The text, or as much of its beginning as fits with an ellipsis behind it.
pub(crate) fn shortened(text: &str, size: f64, weight: Weight, width_max: f64) -> Cow<'_, str> {
    let room = width_max / size;
    let room_before_ellipsis = room - fonts::advance(ELLIPSIS, weight);
    let mut used = 0.0;
    let mut cut = 0;
    for (start, letter) in text.char_indices() {
        used += fonts::advance(letter, weight);
        if used > room {
            return Cow::Owned(format!("{}{ELLIPSIS}", text[..cut].trim_end()));
        }
        if used <= room_before_ellipsis {
            cut = start + letter.len_utf8();
        }
    }
    Cow::Borrowed(text)
}

/// The text in lines of at most this width, divided at blanks; the last of them is shortened if there are
/// more words than lines.
pub(crate) fn wrapped(
    text: &str,
    size: f64,
    weight: Weight,
    width_max: f64,
    lines_max: usize,
) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let is_full = lines.len() >= lines_max;
        match lines.last_mut() {
            Some(line)
                if is_full || width(&format!("{line} {word}"), size, weight) <= width_max =>
            {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| shortened(line, size, weight, width_max).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_control_characters_do_not_get_through() {
        assert_eq!(escaped("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
        assert_eq!(escaped("a\0b\u{1b}c\u{ffff}d"), "a\u{fffd}b\u{fffd}c\u{fffd}d");
        assert_eq!(escaped("é漢🤖"), "é漢🤖");
    }

    #[test]
    fn a_text_that_fits_is_left_alone() {
        let wide = width("Rusty", 20.0, Weight::Bold);
        assert_eq!(shortened("Rusty", 20.0, Weight::Bold, wide + 0.01), "Rusty");
        assert_eq!(shortened("", 20.0, Weight::Bold, 0.0), "");
    }

    #[test]
    fn a_text_that_does_not_fit_ends_in_an_ellipsis_and_fits_then() {
        let long = "wide names ".repeat(1000);
        for width_max in [30.0, 100.0, 333.3] {
            let short = shortened(&long, 20.0, Weight::Regular, width_max);
            assert!(short.ends_with('…') && !short.ends_with(" …"), "{short}");
            assert!(width(&short, 20.0, Weight::Regular) <= width_max);
        }
    }

    #[test]
    fn a_long_text_is_divided_at_blanks_and_shortened_at_its_end() {
        let wrap = |text, lines_max| wrapped(text, 10.0, Weight::Regular, 100.0, lines_max);
        assert_eq!(wrap("short", 3), ["short"]);
        assert_eq!(wrap("", 3), [""; 0]);
        let lines = wrap("a text of so many words that it needs several lines of them and more", 3);
        assert_eq!(lines.len(), 3);
        assert!(lines[2].ends_with('…'), "{lines:?}");
        assert!(lines.iter().all(|line| width(line, 10.0, Weight::Regular) <= 100.0));
    }
}

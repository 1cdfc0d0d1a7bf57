//! Rows of text in a place that may be too small for them: wrapped between words, and cut with a sign only.

use quintain_core::printable;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::inks;

/// The text in rows of at most `width` columns.
pub(crate) fn wrapped(text: &str, width: usize, style: Style) -> Vec<Line<'static>> {
    let text = printable(text);
    let rows = textwrap::wrap(&text, width.max(1)).into_iter();
    rows.map(|row| Line::styled(row.into_owned(), style)).collect()
}

/// As many rows as there is room for, from the first on. The last one says how many are left out.
pub(crate) fn first_rows(mut rows: Vec<Line<'static>>, room: usize) -> Vec<Line<'static>> {
    if rows.len() > room && room > 0 {
        let more = rows.len() - (room - 1);
        rows.truncate(room - 1);
        rows.push(Line::styled(format!("… +{more} more"), inks::MUTED));
    }
    rows
}

/// As many rows as there is room for, up to the last one. The first one has a sign if some are left out.
pub(crate) fn last_rows(mut rows: Vec<Line<'static>>, room: usize) -> Vec<Line<'static>> {
    if rows.len() > room {
        rows.drain(..rows.len() - room);
        if let Some(first) = rows.first_mut() {
            let text: String = first.spans.iter().map(|span| &*span.content).collect();
            let width = columns(&text);
            *first =
                Line::styled(format!("… {}", shortened(&text, width - 2.min(width))), first.style);
        }
    }
    rows
}

/// The text, or its beginning and an ellipsis, in at most `width` columns.
pub(crate) fn shortened(text: &str, width: usize) -> String {
    // A letter may have no width, but a name of very many of those need not be shown whole.
    let mut short: String = text.chars().take(4 * width).collect();
    if short.len() == text.len() && columns(text) <= width {
        return short;
    }
    while !short.is_empty() && columns(&short) + 1 > width {
        short.pop();
    }
    short.push('…');
    short
}

/// The text, or an ellipsis and its end, in at most `width` columns: for what somebody is typing.
pub(crate) fn end_of(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let fits = |(at, _): &(usize, char)| columns(&text[*at..]) < width;
    let start = text.char_indices().find(fits).map_or(text.len(), |(at, _)| at);
    format!("…{}", &text[start..])
}

fn columns(text: &str) -> usize {
    Span::raw(text).width()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(texts: &[&str]) -> Vec<Line<'static>> {
        texts.iter().map(|text| Line::raw((*text).to_owned())).collect()
    }

    fn texts(rows: &[Line<'_>]) -> Vec<String> {
        rows.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn rows_are_cut_with_a_sign_at_either_end() {
        let all = rows(&["one", "two", "three", "four"]);
        assert_eq!(texts(&first_rows(all.clone(), 4)), ["one", "two", "three", "four"]);
        assert_eq!(texts(&first_rows(all.clone(), 3)), ["one", "two", "… +2 more"]);
        assert_eq!(texts(&last_rows(all.clone(), 4)), ["one", "two", "three", "four"]);
        assert_eq!(texts(&last_rows(all.clone(), 2)), ["… th…", "four"]);
        assert_eq!(texts(&last_rows(all, 0)), [""; 0]);
    }

    #[test]
    fn texts_are_shortened_by_columns_at_either_end() {
        assert_eq!((shortened("abcd", 4), shortened("abcde", 4)), ("abcd".into(), "abc…".into()));
        assert_eq!((end_of("abcd", 4), end_of("abcde", 4)), ("abcd".into(), "…cde".into()));
        // Each of these takes two places.
        assert_eq!(end_of("\u{68cb}\u{68cb}\u{68cb}", 4), "…\u{68cb}");
    }
}

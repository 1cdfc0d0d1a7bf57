//! Positions as coloured text.

use super::Ink;

/// A position as lines of coloured text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextScene {
    pub lines: Vec<Vec<Span>>,
    /// What to look at where there is no room for all of it.
    pub focus: Option<Focus>,
}

/// The part of a text that somebody wants to see first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    pub row: usize,
    pub column: usize,
    /// Rows at the top that stay in sight, such as the numbers of columns.
    pub frozen_rows: usize,
    /// Columns at the left that stay in sight.
    pub frozen_columns: usize,
    /// The rows below the board, such as a legend, begin here. They are not moved sideways to the focus.
    pub legend: Option<usize>,
}

/// A piece of one line in one colour; `None` is the terminal's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub text: String,
    pub ink: Option<Ink>,
}

impl Span {
    pub fn new(text: impl Into<String>, ink: impl Into<Option<Ink>>) -> Self {
        Span { text: text.into(), ink: ink.into() }
    }
}

impl TextScene {
    /// The text without its colours, each line without blanks at its end.
    pub fn plain(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            let whole: String = line.iter().map(|span| span.text.as_str()).collect();
            text.push_str(whole.trim_end());
            text.push('\n');
        }
        text
    }
}

/// A row of letters as a line: neighbours of one colour become one span, and a blank takes any colour.
pub fn spans(row: &[(char, Option<Ink>)]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for &(letter, ink) in row {
        match spans.last_mut() {
            Some(span) if span.ink == ink || letter == ' ' => span.text.push(letter),
            _ => spans.push(Span::new(letter, ink)),
        }
    }
    spans
}

/// Adds a text to a line, in one span with what stands before it if that has the same colour.
pub fn join(line: &mut Vec<Span>, text: &str, ink: Option<Ink>) {
    match line.last_mut() {
        Some(last) if last.ink == ink => last.text.push_str(text),
        _ => line.push(Span::new(text, ink)),
    }
}

/// A name of at most so many letters; a longer one ends with dots.
pub fn shortened(name: &str, letters_max: usize) -> String {
    if name.chars().count() <= letters_max {
        return name.to_owned();
    }
    let mut short: String = name.chars().take(letters_max - 1).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_shortened_to_its_last_letter_but_no_further() {
        for (name, expected) in [("", ""), ("Anna", "Anna"), ("Annas", "Ann…"), ("äöüßé", "äöü…")]
        {
            assert_eq!(shortened(name, 4), expected);
        }
    }

    #[test]
    fn spans_join_neighbours_of_one_colour_and_blanks() {
        let (first, second) = (Some(Ink::First), Some(Ink::Second));
        let row = [('a', first), (' ', None), ('b', first), ('c', second), ('d', None)];
        let expected = [Span::new("a b", Ink::First), Span::new("c", Ink::Second)];
        assert_eq!(spans(&row)[..2], expected);
        assert_eq!(spans(&row)[2..], [Span::new("d", None)]);
        assert!(spans(&[]).is_empty());
    }
}

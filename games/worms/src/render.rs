//! Numbers and texts as the state files have them.

use crate::command;
use crate::rules::{Deed, Echo, Selection};

pub(crate) fn push(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

/// A JSON string, with those characters escaped that the original's library escapes: it makes texts
/// that are safe inside HTML.
pub(crate) fn push_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    for letter in text.chars() {
        match letter {
            '"' => push(out, "\\\""),
            '\\' => push(out, "\\\\"),
            '\t' => push(out, "\\t"),
            '\u{8}' => push(out, "\\b"),
            '\n' => push(out, "\\n"),
            '\r' => push(out, "\\r"),
            '\u{c}' => push(out, "\\f"),
            '<' | '>' | '&' | '=' | '\'' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                push(out, &format!("\\u{:04x}", letter as u32));
            }
            letter => out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    out.push(b'"');
}

/// What the engine made of a player's last answer, as both players are shown it.
pub(crate) fn previous_command(deed: &Deed) -> String {
    match deed.selection() {
        Selection::None => echo(deed),
        Selection::Worm(id) => format!("select {id}; {}", echo(deed)),
        Selection::Refused => "nothing; invalid".to_owned(),
    }
}

fn echo(deed: &Deed) -> String {
    match deed.echo() {
        Echo::Start => "nothing".to_owned(),
        Echo::Invalid => "invalid".to_owned(),
        Echo::Order(order) => command::echo(&order),
    }
}

/// The last command as the CSV file has it: its kind and its text. A refused select hides what
/// followed it.
pub(crate) fn csv_command(deed: &Deed) -> (&'static str, String) {
    match (deed.echo(), deed.selection()) {
        (Echo::Start, _) => ("null", "null".to_owned()),
        (Echo::Invalid, _) | (_, Selection::Refused) => ("invalid", "invalid".to_owned()),
        (Echo::Order(order), _) => (command::kind(&order), command::echo(&order)),
    }
}

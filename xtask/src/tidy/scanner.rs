//! Just enough of Rust's grammar to tell code from comments and literals.

use std::ops::Range;

/// The source with every comment and every literal of characters turned to blanks. Offsets and
/// line ends stay where they were, so a place found in the result is a place in the source.
pub(super) fn code_only(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    for no_code in no_code(source) {
        code.push_str(&source[code.len()..no_code.start]);
        let blank = |&byte: &u8| if byte == b'\n' { '\n' } else { ' ' };
        code.extend(source.as_bytes()[no_code].iter().map(blank));
    }
    code.push_str(&source[code.len()..]);
    debug_assert_eq!(code.len(), source.len(), "offsets must not move");
    code
}

/// Every literal of characters, as it is written, with its offset.
pub(super) fn literals(source: &str) -> impl Iterator<Item = (usize, &str)> {
    no_code(source)
        .map(|no_code| (no_code.start, &source[no_code]))
        .filter(|(_, text)| !text.starts_with('/'))
}

/// The places of comments and literals of characters.
fn no_code(source: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = source.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at;
            let end = match bytes[at] {
                b'/' if bytes[at..].starts_with(b"//") => line_comment_end(bytes, at),
                b'/' if bytes[at..].starts_with(b"/*") => block_comment_end(bytes, at),
                b'"' => string_end(bytes, at),
                b'r' => raw_string_end(bytes, at),
                b'\'' => character_end(source, at),
                _ => at,
            };
            at = end.max(start + 1);
            if end > start {
                return Some(start..end);
            }
        }
        None
    })
}

/// Every word (identifier, keyword, number) of the code with its offset.
pub(super) fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + code[rest..].find(is_word_character)?;
        let length = code[start..].find(|c| !is_word_character(c)).unwrap_or(code.len() - start);
        rest = start + length;
        Some((start, &code[start..rest]))
    })
}

/// Every path of the code (`std::fs::read`, also a single word) with its offset. What a `use`
/// imports as a group is listed one by one, with the offset of the `use`.
pub(super) fn paths(code: &str) -> Vec<(usize, String)> {
    let mut paths = Vec::new();
    let mut end_of_last = 0;
    for (start, word) in words(code) {
        let after_use = start + word.len();
        if word == "use" {
            let tree = code[after_use..].split(';').next().unwrap_or_default();
            let mut imported = Vec::new();
            expand_use("", tree, &mut imported);
            let imported = imported.iter().map(|path| path.trim_start_matches(':').to_owned());
            paths.extend(imported.map(|path| (start, path)));
        }
        let continues = start > 0 && code[end_of_last..start] == *"::";
        match paths.last_mut() {
            Some((_, path)) if continues => {
                path.push_str("::");
                path.push_str(word);
            }
            _ => paths.push((start, word.to_owned())),
        }
        end_of_last = after_use;
    }
    paths
}

/// The line of an offset, counted from 1.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

fn is_word_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// `a::{b, c::{d, e}}` as `a::b`, `a::c::d`, `a::c::e`; a new name after `as` is dropped.
fn expand_use(prefix: &str, tree: &str, out: &mut Vec<String>) {
    let tree = tree.trim();
    match (tree.find('{'), tree.rfind('}')) {
        (Some(open), Some(close)) if open < close => {
            let prefix = format!("{prefix}{}", tree[..open].trim());
            for part in split_outside_braces(&tree[open + 1..close]) {
                expand_use(&prefix, part, out);
            }
        }
        _ => {
            if let Some(path) = tree.split_whitespace().next() {
                out.push(format!("{prefix}{path}"));
            }
        }
    }
}

fn split_outside_braces(list: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

fn line_comment_end(bytes: &[u8], start: usize) -> usize {
    bytes[start..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |length| start + length)
}

/// Block comments nest.
fn block_comment_end(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0);
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    bytes.len()
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The end of a raw string whose `r` is at `start`; `start` itself if it is no such string.
fn raw_string_end(bytes: &[u8], start: usize) -> usize {
    let is_word = |at: usize| bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_';
    let mut word = start;
    while word > 0 && is_word(word - 1) {
        word -= 1;
    }
    if !matches!(&bytes[word..start], b"" | b"b" | b"c") {
        return start;
    }
    let hashes = bytes[start + 1..].iter().take_while(|&&b| b == b'#').count();
    let quote = start + 1 + hashes;
    if bytes.get(quote) != Some(&b'"') {
        return start;
    }
    let closing = [b"\"".as_slice(), &vec![b'#'; hashes]].concat();
    bytes[quote + 1..]
        .windows(closing.len())
        .position(|window| window == closing)
        .map_or(bytes.len(), |length| quote + 1 + length + closing.len())
}

/// The end of a character literal whose quote is at `start`; `start` itself for a lifetime.
fn character_end(source: &str, start: usize) -> usize {
    let rest = &source[start + 1..];
    let mut characters = rest.chars();
    match characters.next() {
        Some('\\') => {
            let escaped = characters.next().map_or(0, char::len_utf8);
            let body = start + 2 + escaped;
            source[body..].find('\'').map_or(source.len(), |length| body + length + 1)
        }
        Some(c) if characters.next() == Some('\'') => start + 1 + c.len_utf8() + 1,
        _ => start,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `expected` writes `_` for each blank that replaces something.
    fn check_code(source: &str, expected: &str) {
        assert_eq!(code_only(source), expected.replace('_', " "), "of {source}");
    }

    #[test]
    fn comments_become_blanks() {
        check_code("a // {\nb", "a_____\nb");
        check_code("a /* { /* } */ \n */ b", "a______________\n____b");
        check_code("//! \"open\nlet", "_________\nlet");
    }

    #[test]
    fn literals_become_blanks_and_escapes_do_not_end_them() {
        check_code(r#"f("a\"{", b"}")"#, "f(______,_b___)");
        check_code(r"['{', '\'', '\\', '\u{7d}', b'}']", "[___,_____,_____,_________,_b___]");
        check_code("'é' é", "____ é");
    }

    #[test]
    fn raw_strings_end_at_their_own_number_of_hashes() {
        check_code(r###"x(r#"a"{"#) }"###, "x(________)_}");
        check_code(r#"x(br"\") }"#, "x(b____)_}");
        check_code("r#type { number\"{\" }", "r#type_{_number____}");
    }

    #[test]
    fn literals_are_found_with_their_place() {
        let found: Vec<_> = literals("// \"a\"\nf(\"b\", r#\"c\"#, 'd'); /* \"e\" */").collect();
        assert_eq!(found, [(9, "\"b\""), (14, "r#\"c\"#"), (22, "'d'")]);
    }

    #[test]
    fn lifetimes_are_code() {
        check_code("fn f<'a>(x: &'a str) {", "fn_f<'a>(x:_&'a_str)_{");
        check_code("'outer: loop { break 'outer; }", "'outer:_loop_{_break_'outer;_}");
    }

    #[test]
    fn an_open_literal_reaches_to_the_end() {
        check_code("a \"b", "a___");
        check_code("a /* b", "a_____");
        check_code("a r#\"b", "a_____");
        check_code("a '\\", "a___");
    }

    #[test]
    fn paths_are_whole_and_groups_are_taken_apart() {
        let code = "use std::{collections::BTreeMap, fs::{self, File as F}};\nstd::net::x(y)";
        let paths: Vec<String> = paths(code).into_iter().map(|(_, path)| path).collect();
        for expected in ["std::collections::BTreeMap", "std::fs::self", "std::fs::File"] {
            assert!(paths.iter().any(|path| path == expected), "{expected} in {paths:?}");
        }
        assert_eq!(paths[paths.len() - 2..], ["std::net::x", "y"]);
    }

    #[test]
    fn lines_count_from_one() {
        assert_eq!(line_of("a\nb", 0), 1);
        assert_eq!(line_of("a\nb", 2), 2);
    }
}

//! What a shell script shows: whether bash can read it at all, and which files it may read. Enough of its
//! language to tell the program of a bot, whose change is another bot, from a log, whose change is nothing.

use std::path::Path;

use quintain_links::read_within;

/// A script of more bytes is none that anybody wrote.
const SCRIPT_BYTES_MAX: u64 = 1024 * 1024;

/// Whether a script in a bot's folder has line ends that bash cannot read.
pub fn has_windows_line_ends(folder: &Path, script: &str) -> bool {
    let text = read_within(folder, Path::new(script), SCRIPT_BYTES_MAX);
    text.is_ok_and(|text| text.windows(2).any(|pair| pair == b"\r\n"))
}

/// The words of a script without comments, and without what it writes: `> FILE`, `-o FILE`. That a word
/// names a file is for the caller to find out.
pub(crate) fn words_read(script: &str) -> impl Iterator<Item = &str> {
    let lines = script.lines().filter(|line| !line.trim_start().starts_with('#'));
    let words: Vec<&str> = lines.flat_map(words_of).collect();
    let is_target = |place: usize| {
        place.checked_sub(1).is_some_and(|before| matches!(words[before], ">" | "-o"))
    };
    let targets: Vec<&str> = (0..words.len())
        .filter(|&place| is_target(place))
        .map(|place| plain(words[place]))
        .collect();
    words.into_iter().filter(move |&word| word != ">" && !targets.contains(&plain(word)))
}

/// Words as a shell divides them, as far as it matters here; `>` is one of its own.
fn words_of(line: &str) -> impl Iterator<Item = &str> {
    let is_border = |c: char| c.is_whitespace() || "\"';()&|<`".contains(c);
    line.split(is_border).flat_map(|part| part.split_inclusive('>')).flat_map(|part| {
        let (word, arrow) = match part.strip_suffix('>') {
            // The number before an arrow is a stream.
            Some(word) => (word.trim_end_matches(|c: char| c.is_ascii_digit()), Some(">")),
            None => (part, None),
        };
        [Some(word).filter(|word| !word.is_empty()), arrow].into_iter().flatten()
    })
}

/// `./bot` is the same file as `bot`.
fn plain(word: &str) -> &str {
    word.strip_prefix("./").unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_script_writes_is_not_read() {
        let check = |script: &str, expected: &[&str]| {
            assert_eq!(words_read(script).collect::<Vec<_>>(), expected, "{script}");
        };
        check("#!/bin/sh\nexec python3 bot.py \"$@\"\n", &["exec", "python3", "bot.py", "$@"]);
        check("exec './bot' 2>log.txt\n", &["exec", "./bot"]);
        check("./bot >> log.txt; cat log.txt", &["./bot", "cat"]);
        check("g++ -O2 -o bot bot.cpp && ./bot", &["g++", "-O2", "-o", "bot.cpp"]);
        check("(cd src;java Bot|tee x)<in", &["cd", "src", "java", "Bot", "tee", "x", "in"]);
        check("", &[]);
    }
}

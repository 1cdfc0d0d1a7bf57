//! Commands of bots that were written without quotes: what was meant, as it could be typed.

use std::ffi::OsString;
use std::path::Path;

use clap::error::ErrorKind;
use clap::{Arg, Command, CommandFactory as _};
use quintain_core::nearest;
use quintain_registry::find;

use super::Arguments;
use crate::output::shell_word;

/// A command that takes bots, and what stands around them.
struct Shape {
    name: &'static str,
    /// The words before the bots and behind them.
    before: usize,
    behind: usize,
    bots: usize,
}

const SHAPES: [Shape; 5] = [
    Shape { name: "play", before: 1, behind: 0, bots: 2 },
    Shape { name: "compare", before: 1, behind: 0, bots: 2 },
    Shape { name: "check", before: 0, behind: 1, bots: 1 },
    Shape { name: "check", before: 1, behind: 0, bots: 1 },
    Shape { name: "feed", before: 1, behind: 0, bots: 1 },
];

impl Shape {
    /// What stands before the bots, their words, and what stands behind them; `None` if it is not of this
    /// shape, since something else than a game or a replay stands around the bots.
    fn parts<'a, 'w>(&self, words: &'a [&'w str]) -> Option<[&'a [&'w str]; 3]> {
        let end = words.len().checked_sub(self.behind).filter(|end| *end > self.before)?;
        let (before, behind) = (&words[..self.before], &words[end..]);
        let is_game = |word: &&str| find(word).is_some();
        let fits = self.name == "feed" || before.iter().chain(behind).all(is_game);
        fits.then_some([before, &words[self.before..end], behind])
    }
}

/// What to say of a call with more words than bots, if some of them make one command together.
pub(crate) fn unquoted(args: &[OsString], error: &clap::Error) -> Option<String> {
    if ![ErrorKind::UnknownArgument, ErrorKind::TooManyValues].contains(&error.kind()) {
        return None;
    }
    let args: Vec<&str> = args.iter().map(|arg| arg.to_str()).collect::<Option<_>>()?;
    let (name, rest) = (args.get(1)?, args.get(2..)?);
    let command = Arguments::command();
    let command = command.find_subcommand(name)?;
    let (words, options) = parted(command, rest);
    let is_named = |shape: &&Shape| shape.name == *name;
    let (shape, [before, bots, behind]) =
        SHAPES.iter().filter(is_named).find_map(|shape| Some((shape, shape.parts(&words)?)))?;
    let found = bots.len();
    let bots = grouped(bots);
    let has_unknown_option = bots.iter().any(|words| words[0].starts_with('-'));
    let has_misspelt_option = words.iter().any(|word| is_misspelt(command, word));
    if has_unknown_option || has_misspelt_option || bots.iter().all(|words| words.len() == 1) {
        return None;
    }
    let expected = if shape.bots == 1 { "one bot" } else { "two bots" };
    let quotes = format!(
        "expected {expected}, found {found} words: a command of several words is written in quotes"
    );
    if bots.len() != shape.bots {
        return Some(format!("{quotes}, for instance \"python3 bot.py\""));
    }
    let bots = bots.iter().map(|words| quoted(&words.join(" ")));
    let around = |words: &[&str]| words.iter().map(|word| quoted(word)).collect::<Vec<_>>();
    let mut call = vec!["quintain".to_owned(), (*name).to_owned()];
    call.extend(around(before));
    call.extend(bots);
    call.extend(around(behind));
    call.extend(around(&options));
    Some(format!("{quotes}\n\n  {}", call.join(" ")))
}

/// The words of a call, and its options with their values. What is no option of ours belongs to the word
/// before it.
pub(super) fn parted<'a>(command: &Command, args: &[&'a str]) -> (Vec<&'a str>, Vec<&'a str>) {
    let (mut words, mut options) = (Vec::new(), Vec::new());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match option(command, arg) {
            _ if !arg.starts_with('-') => words.push(*arg),
            None if !words.is_empty() => words.push(*arg),
            None => options.push(*arg),
            Some(known) => {
                options.push(*arg);
                let has_value = known.get_action().takes_values() && !arg.contains('=');
                options.extend(args.next().filter(|_| has_value));
            }
        }
    }
    (words, options)
}

fn option<'a>(command: &'a Command, arg: &str) -> Option<&'a Arg> {
    let name = arg.split_once('=').map_or(arg, |(name, _)| name);
    command.get_arguments().find(|known| {
        let is_long = known.get_long().is_some_and(|long| name == format!("--{long}"));
        is_long || known.get_short().is_some_and(|short| name == format!("-{short}"))
    })
}

/// Whether a word is nearly an option of ours.
fn is_misspelt(command: &Command, word: &str) -> bool {
    let known = command.get_arguments().filter_map(Arg::get_long);
    word.strip_prefix("--").is_some_and(|option| nearest(option, known).is_some())
}

/// The words of each bot: a house bot, a folder and the like stand for themselves, and everything else goes
/// on with the command before it, unless it begins as that one does. An option behind a bot that stands for
/// itself is one that nobody has.
fn grouped<'a>(words: &[&'a str]) -> Vec<Vec<&'a str>> {
    let mut bots: Vec<Vec<&str>> = Vec::new();
    for &word in words {
        match bots.last_mut() {
            Some(bot) if !is_whole(word) && !is_whole(bot[0]) && bot[0] != word => bot.push(word),
            _ => bots.push(vec![word]),
        }
    }
    bots
}

/// Whether a word is a bot by itself. One with a blank in it was written in quotes.
fn is_whole(word: &str) -> bool {
    let bot = word.split_once('=').map_or(word, |(_, bot)| bot);
    let is_quoted = bot.contains(' ');
    let is_known = bot.starts_with("house:") || ["human", "tcp"].contains(&bot);
    is_quoted || is_known || Path::new(bot).is_dir()
}

/// A word as it is typed, in the quotes of the help where they will do.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || " ./:=_,+@%-".contains(letter);
    match word.contains(' ') && word.chars().all(is_plain) {
        true => format!("\"{word}\""),
        false => shell_word(Path::new(word)).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The call that was meant, if one can be named; an empty one if not even a hint is given.
    fn meant(call: &str) -> String {
        let args: Vec<OsString> =
            ["quintain"].into_iter().chain(call.split(' ')).map(OsString::from).collect();
        let error = <Arguments as clap::Parser>::try_parse_from(&args).expect_err("a wrong call");
        let said = unquoted(&args, &error).unwrap_or_default();
        said.rsplit_once("  ").map_or(said.clone(), |(_, call)| call.to_owned())
    }

    #[test]
    fn the_call_that_was_meant_is_named() {
        for (call, expected) in [
            (
                "play hockey python3 mybot.py house:random",
                "quintain play hockey \"python3 mybot.py\" house:random",
            ),
            (
                "play hockey house:random --seed 3 python3 -u mybot.py -q",
                "quintain play hockey house:random \"python3 -u mybot.py\" --seed 3 -q",
            ),
            (
                "play fencing python3 a.py python3 b.py",
                "quintain play fencing \"python3 a.py\" \"python3 b.py\"",
            ),
            (
                "play hockey me=java -jar it's.jar tcp",
                "quintain play hockey 'me=java -jar it'\\''s.jar' tcp",
            ),
            (
                "compare hockey house:greedy ./bot --fast --games=4",
                "quintain compare hockey house:greedy \"./bot --fast\" --games=4",
            ),
            (
                "check python3 mybot.py hockey --turns 1",
                "quintain check \"python3 mybot.py\" hockey --turns 1",
            ),
            ("check hockey python3 mybot.py", "quintain check hockey \"python3 mybot.py\""),
            (
                "feed a.jsonl python3 mybot.py --turn 3 --seat 1",
                "quintain feed a.jsonl \"python3 mybot.py\" --turn 3 --seat 1",
            ),
        ] {
            assert_eq!(meant(call), expected, "{call}");
        }
    }

    #[test]
    fn an_option_that_nobody_has_is_told_as_such() {
        for call in [
            "play hockey house:greedy house:random --sed 5",
            "play hockey house:greedy house:random --hurry 5",
            "play hockey ./a ./b --sed 5",
        ] {
            assert_eq!(meant(call), "", "{call}");
        }
    }

    #[test]
    fn where_it_is_not_clear_what_was_meant_no_call_is_made_up() {
        let said = meant("play hockey python3 a.py java b");
        assert!(said.ends_with("is written in quotes, for instance \"python3 bot.py\""), "{said}");
        for call in
            ["play hockey house:random tcp house:greedy", "play chess a b c", "play hockey --x"]
        {
            assert_eq!(meant(call), "", "{call}");
        }
    }
}

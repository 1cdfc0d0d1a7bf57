//! A tournament that is asked for as a match is, by the game and its bots: the call that was meant.

use std::ffi::OsString;

use clap::CommandFactory as _;
use quintain_registry::find;

use super::Arguments;
use super::unquoted::{parted, quoted};

/// What to say of `tournament GAME BOT BOT ...`.
pub(crate) fn tournament_words(args: &[OsString], error: &clap::Error) -> Option<String> {
    if !error.use_stderr() {
        return None;
    }
    let args: Vec<&str> = args.iter().map(|arg| arg.to_str()).collect::<Option<_>>()?;
    let ["tournament", rest @ ..] = args.get(1..)? else {
        return None;
    };
    let command = Arguments::command();
    let (words, options) = parted(command.find_subcommand("tournament")?, rest);
    let (game, bots) = words.split_first()?;
    if find(game).is_none() || bots.is_empty() {
        return None;
    }
    let bots = bots.iter().map(|bot| format!(" --bot {}", quoted(bot)));
    let options = options.iter().map(|option| format!(" {}", quoted(option)));
    let rest: String = bots.chain(options).collect();
    Some(format!(
        "expected a tournament file, found the name of a game and more: without a file, each bot has its \
         option\n\n  quintain tournament --game {game}{rest}"
    ))
}

//! What can be done after a match that was broken off or in which somebody failed, as commands that can be
//! pasted into a shell.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::ValueEnum as _;
use quintain_arena::plan::MatchPlan;
use quintain_core::Seat;
use quintain_record::Occupant;
use quintain_registry::{MatchReport, find};
use quintain_replay::{Reader, Recording as _};

use crate::args::PlayArgs;
use crate::output::shell_word;
use crate::words::this_command;

/// What is left to play of a match.
pub(super) struct Remainder {
    /// The turns that were played, if they are anywhere.
    pub(super) replay: Option<PathBuf>,
    pub(super) turns: u32,
    /// Whether the bot named first had the second seat.
    pub(super) swapped: bool,
}

/// Where the replay is and how to go on. Without a remainder the match had not begun.
pub(super) fn broken_off_in_words(
    args: &PlayArgs,
    plan: &MatchPlan,
    remainder: Option<&Remainder>,
) -> String {
    let again = || format!("to begin again: {}", this_command());
    match remainder {
        None | Some(Remainder { turns: 0, .. }) => {
            format!("stopped before the first turn\n{}", again())
        }
        Some(Remainder { replay: None, turns, .. }) => {
            format!(
                "stopped after turn {turns}; nothing of it is kept with --no-replay\n{}",
                again()
            )
        }
        Some(Remainder { replay: Some(replay), turns, swapped }) => {
            let word = shell_word(replay);
            let command = go_on(args, plan, replay, turns.saturating_add(1), *swapped);
            format!("stopped after turn {turns}\nreplay so far: {word}\nto go on: {command}")
        }
    }
}

/// For a program that failed, how to find out why; for a person who left, how to go on.
pub(super) fn hints(
    args: &PlayArgs,
    plan: &MatchPlan,
    swapped: bool,
    report: &MatchReport,
) -> Vec<String> {
    let hint = |seat: Seat| {
        let named = if swapped { seat.other() } else { seat };
        match &plan.seats[named] {
            Occupant::Contestant(bot) if bot.launch().is_some() => {
                let word = shell_word(Path::new(&bot.written));
                Some(format!("find out why: quintain check {word} {}", plan.settings.game))
            }
            Occupant::Person { .. } => {
                let replay = report.whole_replay()?;
                let turn = turn_of_leaving(replay, seat)?;
                Some(format!("to go on: {}", go_on(args, plan, replay, turn, swapped)))
            }
            _ => None,
        }
    };
    let is_faulty = |seat: &Seat| report.faults.iter().any(|(faulty, _)| faulty == seat);
    Seat::BOTH.into_iter().filter(is_faulty).filter_map(hint).collect()
}

/// The turn, counted from 1, from which on a seat was empty.
fn turn_of_leaving(replay: &Path, seat: Seat) -> Option<u32> {
    let mut replay = Reader::open(replay).ok()?;
    while let Some(step) = replay.next_step().ok()? {
        let mut faults = step.record.faults();
        if faults.any(|(faulty, fault)| faulty == seat && fault.is_lasting()) {
            return Some(step.record.turn.saturating_add(1));
        }
    }
    None
}

/// The same call from a turn of the replay on. What the replay settles is left out, and files get another
/// name if there are such by now.
fn go_on(args: &PlayArgs, plan: &MatchPlan, replay: &Path, turn: u32, swapped: bool) -> String {
    let mut words = vec!["quintain".to_owned(), "play".to_owned(), plan.settings.game.clone()];
    let (_, mut bots) = args.words(|word| find(word).is_some());
    if swapped {
        bots.reverse();
    }
    words.extend(bots.iter().map(|bot| shell_word(Path::new(bot))));
    let mut option = |name: &str, value: Option<String>| {
        words.extend(value.into_iter().flat_map(|value| [name.to_owned(), value]));
    };
    option("--from", Some(shell_word(replay)));
    option("--turn", Some(turn.to_string()));
    let scale = args.rules.time_scale;
    option("--time-scale", (scale != 1.0).then(|| scale.to_string()));
    option("--start-limit", args.start_limit.map(|limit| format!("{}s", limit.as_secs_f64())));
    let listen = (args.listen != quintain_arena::run::LISTEN).then_some(Path::new(&args.listen));
    option("--listen", listen.map(shell_word));
    let state = args.state.and_then(|state| state.to_possible_value());
    option("--state", state.map(|state| state.get_name().to_owned()));
    option("--keep-rounds", args.keep_rounds.map(|rounds| rounds.to_string()));
    for name in &args.pass_env.names {
        option("--pass-env", Some(shell_word(Path::new(name))));
    }
    option("--sign", args.sign.as_deref().map(shell_word));
    option("--log-dir", args.log_dir.as_deref().map(shell_word));
    option("--replay", args.replay.as_deref().map(beside).as_deref().map(shell_word));
    option("--match-log", args.match_log.as_deref().map(beside).as_deref().map(shell_word));
    for (name, value) in args.sandbox.words() {
        option(name, Some(value));
    }
    let flags = [
        ("--no-clock", args.rules.no_clock),
        ("--human-clock", args.human_clock),
        ("--json", args.json),
        ("--quiet", args.quiet),
    ];
    words
        .extend(flags.iter().filter(|(_, is_given)| *is_given).map(|(flag, _)| (*flag).to_owned()));
    words.join(" ")
}

/// The first of `a-2.jsonl`, `a-3.jsonl` and so on that is free, for `a.jsonl`.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (stem, ending) = name.split_at(name.find('.').unwrap_or(name.len()));
    let numbered = |number: u32| {
        let name = OsString::from(format!("{stem}-{number}{ending}"));
        path.with_file_name(name)
    };
    let is_free = |path: &PathBuf| !path.exists();
    (2..=u32::MAX).map(numbered).find(is_free).unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_file_keeps_the_whole_ending() {
        let names = ["no/a.replay.jsonl.zst", "no/log"].map(|name| beside(Path::new(name)));
        assert_eq!(names, ["no/a-2.replay.jsonl.zst", "no/log-2"].map(PathBuf::from));
    }
}

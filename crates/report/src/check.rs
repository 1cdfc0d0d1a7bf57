//! What is wrong with a bot and what usually is behind it, in sentences. A line of a bot is shortened in them.

use quintain_arena::check::{
    Cause, Complaint, EndCause, Language, StartCause, Warning, Wrong, command_line,
};
use quintain_core::Fault;
use quintain_record::Launch;

use crate::words::{WINDOWS_LINE_ENDS, shortened};

/// What a cause is told with.
#[derive(Clone, Copy, Debug)]
pub struct Telling<'a> {
    /// What an answer is in the game.
    pub answers: &'a str,
    /// How the bot was started, if it was.
    pub launch: Option<&'a Launch>,
    /// What to do about a bot that may be slow.
    pub on_slowness: &'a str,
}

/// How programs of a language empty their buffer.
const FLUSHES: [(Option<Language>, &str); 6] = [
    (Some(Language::Python), "in Python, print(..., flush=True) or start it with `python3 -u`"),
    (Some(Language::Java), "in Java, System.out.flush() after every answer"),
    (Some(Language::JavaScript), "in JavaScript, console.log(...) and no process.exit() behind it"),
    (Some(Language::CSharp), "in C#, Console.Out.Flush() after every answer"),
    (Some(Language::Ruby), "in Ruby, $stdout.sync = true at the start"),
    (
        None,
        "in C, fflush(stdout) after every answer or setvbuf(stdout, NULL, _IONBF, 0) at the start; \
         in C++, std::endl or std::flush",
    ),
];

/// What is wrong.
pub fn wrong(complaint: &Complaint) -> String {
    match &complaint.wrong {
        Wrong::Unstartable(words) | Wrong::Offence(words) => words.clone(),
        Wrong::Fault(fault @ Fault::Malformed(_)) => fault.to_string(),
        Wrong::Fault(fault) => format!("it {fault}"),
    }
}

/// What is worth a warning.
pub fn warning(warning: &Warning) -> String {
    match warning {
        Warning::Early { turns, first, line } => format!(
            "it answered before it was asked in {}, the first time in turn {first}: `{}`; perhaps it \
             prints a line too many",
            count(*turns, "turn"),
            shortened(line)
        ),
        Warning::Meaningless { lines, first, line } => format!(
            "{} meant nothing, the first in turn {first}: `{}`",
            count(*lines, "line"),
            shortened(line)
        ),
        Warning::Refused { answers, first, note } => {
            let total = count(*answers, "answer");
            format!("{total} not allowed by the rules, the first in turn {first}: {note}")
        }
    }
}

/// A usual cause of a complaint, and what helps.
pub fn cause(cause: &Cause, telling: &Telling<'_>) -> String {
    let Telling { answers, launch, on_slowness } = *telling;
    let words = match cause {
        Cause::BufferedOutput { said, languages } => {
            let only_then = said
                .as_deref()
                .map(|said| format!("it said `{}` only when its input ended: ", shortened(said)));
            return only_then.unwrap_or_default() + &flush(languages);
        }
        Cause::Meaningless(line) => {
            return format!("what it said means nothing here: `{}`", shortened(line));
        }
        Cause::Incomplete { lines } => {
            let lines = count(*lines, "line");
            return format!(
                "its answer is not complete: {lines} came, and more lines were awaited"
            );
        }
        Cause::Form => return format!("an answer is {answers}"),
        Cause::Forfeit(help) => help,
        Cause::WrittenWrong => {
            return format!("it is not written as the game expects: an answer is {answers}");
        }
        Cause::Start(cause) => start(*cause),
        Cause::End(cause) => return end(*cause, launch),
        Cause::Slow => return format!("it takes longer than the limit: {on_slowness}"),
        Cause::Computes => {
            "it computes without a word, and went on when it had seconds more: a loop that does not end, \
             or far too much to compute"
        }
        Cause::WaitsForMoreInput { from_the_start: true } => {
            "it waits for a line that does not come: it reads more than it is sent"
        }
        Cause::WaitsForMoreInput { from_the_start: false } => {
            "it waits for a line that does not come"
        }
        Cause::FormOfRounds => "an answer has the form C;N;COMMAND with the number of the round",
        Cause::LineTooMany => "it had said more lines than it was asked for: one line too many",
        Cause::NotUtf8 => "its output is not UTF-8",
        Cause::BlanksAround => "there are blanks or other line ends around the answer",
        Cause::NotesTakenForAnswers => {
            "notes on standard output are taken for answers: they belong on standard error"
        }
        Cause::NotesOnOutput => {
            "it prints its notes to standard output: they belong on standard error"
        }
        Cause::NoLineEnds => "it prints without line ends: every answer ends with a newline",
        Cause::NameNotSaid => "it does not read the question for its name, or does not answer it",
        Cause::SpokeBeforeName => {
            "it prints something before it is asked for its name: notes belong on standard error"
        }
        Cause::NameUnreadable => "its name is not UTF-8, or far too long",
        Cause::NotAllowed => "it is not allowed in this position: see the rules of the game",
    };
    words.to_owned()
}

/// What helps against output that waits in a buffer: for all languages if none was recognised.
fn flush(languages: &[Language]) -> String {
    let is_asked_for = |language: &Option<Language>| {
        languages.is_empty() || language.is_some_and(|language| languages.contains(&language))
    };
    let helps = FLUSHES.iter().filter(|(language, _)| is_asked_for(language));
    let helps: Vec<&str> = helps.map(|(_, help)| *help).collect();
    format!("its output waits in a buffer; flush it: {}", helps.join("; "))
}

fn start(cause: StartCause) -> &'static str {
    match cause {
        StartCause::FolderWithoutStart { may_be_manifest: true } => {
            "a folder needs a bot.json or a run.sh in it, and bot.json a botLocation that exists"
        }
        StartCause::FolderWithoutStart { may_be_manifest: false } => {
            "a folder needs a run.sh in it"
        }
        StartCause::NotExecutable => {
            "a program must be executable (chmod +x) or be named with its interpreter, as \
             \"python3 bot.py\""
        }
        StartCause::NotOnSearchPath => {
            "a name without a slash is looked up on the search path: write ./bot for one in this \
             folder"
        }
    }
}

fn end(cause: EndCause, launch: Option<&Launch>) -> String {
    let words = match cause {
        EndCause::OwnError { has_said_why: false } => {
            let by_hand = launch.map(|launch| format!(" with {}", command_line(launch)));
            return format!(
                "an error of its own, of which it wrote nothing to stderr: start it by hand{}",
                by_hand.unwrap_or_default()
            );
        }
        EndCause::OwnError { has_said_why: true } => {
            "an error of its own: see what it wrote to stderr"
        }
        EndCause::WindowsLineEnds => WINDOWS_LINE_ENDS,
        EndCause::ScriptStartsNothing => {
            "run.sh starts a program that is not there or may not be run"
        }
        EndCause::BeforeFirstAnswer => {
            "it ended before its first answer: it has to read what it is sent and to answer, in a loop"
        }
        EndCause::PlaysOneTurn => "it plays one turn and ends: it has to read and answer in a loop",
        EndCause::SeesTheEnd => "it takes a line for the end of the match",
        EndCause::Limit(limit) => {
            return format!("it wanted {limit}: use less, or give it a higher limit");
        }
        EndCause::Killed => "it was killed: perhaps there was no memory left",
        EndCause::Crashed => {
            "it crashed: run it in a debugger on what it was sent, with quintain feed"
        }
        EndCause::Signalled => "something sent it a signal",
        EndCause::ClosedOutput => "it closed its standard output and lives on",
    };
    words.to_owned()
}

/// `1 line`, `2000 lines`.
pub fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_is_for_the_language_of_the_bot() {
        assert!(flush(&[Language::Python]).contains("flush=True"));
        assert!(!flush(&[Language::Python]).contains("fflush"));
        for word in ["flush=True", "fflush(stdout)", "std::endl", "System.out.flush()"] {
            assert!(flush(&[]).contains(word), "{word}");
        }
    }
}

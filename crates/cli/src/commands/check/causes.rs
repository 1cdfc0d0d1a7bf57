//! What usually is behind a fault, and what helps.

use quintain_core::{Absence, Exit, Fault};
use quintain_links::Launch;
use quintain_registry::{Exchange, Facts};

use crate::bots::{WINDOWS_LINE_ENDS, has_windows_line_ends};
use crate::commands::feed::shortened;

/// How a language is recognised in a command, and how its programs empty their buffer.
const FLUSHES: [(&[&str], &str); 6] = [
    (&["python", ".py"], "in Python, print(..., flush=True) or start it with `python3 -u`"),
    (&["java", ".jar"], "in Java, System.out.flush() after every answer"),
    (&["node", ".js"], "in JavaScript, console.log(...) and no process.exit() behind it"),
    (&[".cs", "dotnet", "mono"], "in C#, Console.Out.Flush() after every answer"),
    (&[".rb", "ruby"], "in Ruby, $stdout.sync = true at the start"),
    (
        &["\0"],
        "in C, fflush(stdout) after every answer or setvbuf(stdout, NULL, _IONBF, 0) at the start; \
         in C++, std::endl or std::flush",
    ),
];

/// What helps against output that waits in a buffer, for the language if it can be recognised.
pub(super) fn flush(launch: Option<&Launch>) -> String {
    let command = launch.map(command_of).unwrap_or_default();
    let own: Vec<&str> = FLUSHES
        .iter()
        .filter(|(signs, _)| signs.iter().any(|sign| command.contains(sign)))
        .map(|(_, help)| *help)
        .collect();
    let all = || FLUSHES.iter().map(|(_, help)| *help).collect();
    let helps: Vec<&str> = if own.is_empty() { all() } else { own };
    format!("its output waits in a buffer; flush it: {}", helps.join("; "))
}

/// The command line, for messages.
pub(super) fn command_of(launch: &Launch) -> String {
    let words: Vec<&str> = [launch.program.as_str()]
        .into_iter()
        .chain(launch.args.iter().map(String::as_str))
        .collect();
    words.join(" ")
}

/// The usual causes of a fault, likeliest first.
pub(super) fn of(
    fault: &Fault,
    exchange: Option<&Exchange>,
    facts: &Facts,
    launch: Option<&Launch>,
) -> Vec<String> {
    match fault {
        Fault::Late => late(exchange, facts, launch),
        Fault::Malformed(_) => malformed(exchange, facts),
        Fault::Flooded => vec![
            "it prints without line ends: every answer ends with a newline".to_owned(),
            "it prints its notes to standard output: they belong on standard error".to_owned(),
        ],
        Fault::Gone(exit) | Fault::NotStarted(Absence::Left(exit)) => {
            gone(*exit, launch, Last { has_answered: true, has_said_why: true })
        }
        Fault::NotStarted(Absence::Silent) => vec![
            flush(launch),
            "it does not read the question for its name, or does not answer it".to_owned(),
        ],
        Fault::NotStarted(Absence::Refused) => vec![
            "it prints something before it is asked for its name: notes belong on standard error"
                .to_owned(),
            "its name is not UTF-8, or far too long".to_owned(),
        ],
        Fault::NotStarted(Absence::Unstartable) => unstarted(facts),
    }
}

pub(super) fn unstarted(facts: &Facts) -> Vec<String> {
    let folder = if facts.abilities.state_files {
        "a folder needs a bot.json or a run.sh in it, and bot.json a botLocation that exists"
    } else {
        "a folder needs a run.sh in it"
    };
    vec![
        folder.to_owned(),
        "a program must be executable (chmod +x) or be named with its interpreter, as \
         \"python3 bot.py\""
            .to_owned(),
        "a name without a slash is looked up on the search path: write ./bot for one in this folder"
            .to_owned(),
    ]
}

fn late(exchange: Option<&Exchange>, facts: &Facts, launch: Option<&Launch>) -> Vec<String> {
    let said = exchange.map(|exchange| &exchange.recorded);
    if let Some(line) = said.and_then(|said| said.ignored.first()) {
        let mut causes = vec![format!("what it said means nothing here: `{}`", shortened(line))];
        if facts.abilities.state_files {
            causes
                .push("an answer has the form C;N;COMMAND with the number of the round".to_owned());
        } else {
            causes.push(format!("an answer is {}", facts.answers));
        }
        return causes;
    }
    if let Some(said) = said.filter(|said| !said.lines.is_empty()) {
        return vec![format!(
            "its answer is not complete: {} came, and more lines were awaited",
            count(said.lines.len(), "line")
        )];
    }
    let is_first = exchange.is_none_or(|exchange| exchange.turn <= 2);
    let slow =
        "it takes longer than the limit: try --time-scale 10 to see whether it answers at all";
    if !is_first {
        return vec![slow.to_owned(), "it waits for a line that does not come".to_owned()];
    }
    vec![
        flush(launch),
        "it waits for a line that does not come: it reads more than it is sent".to_owned(),
        slow.to_owned(),
    ]
}

fn malformed(exchange: Option<&Exchange>, facts: &Facts) -> Vec<String> {
    let mut causes = Vec::new();
    if let Some(exchange) = exchange {
        if !exchange.recorded.early.is_empty() {
            causes
                .push("it had said more lines than it was asked for: one line too many".to_owned());
        }
        if exchange.recorded.lines.iter().any(|line| line.contains('\u{fffd}')) {
            causes.push("its output is not UTF-8".to_owned());
        }
        if exchange.recorded.lines.iter().any(|line| line.trim() != line) {
            causes.push("there are blanks or other line ends around the answer".to_owned());
        }
    }
    causes.push(
        "notes on standard output are taken for answers: they belong on standard error".to_owned(),
    );
    causes.push(format!("an answer is {}", facts.answers));
    causes
}

/// What was heard of a bot before it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Last {
    /// It gave at least one answer.
    pub(super) has_answered: bool,
    /// It wrote something to its error output.
    pub(super) has_said_why: bool,
}

/// Why a process ended.
pub(super) fn gone(exit: Exit, launch: Option<&Launch>, last: Last) -> Vec<String> {
    let is_script = launch.is_some_and(|launch| launch.program == "bash");
    let script = launch.and_then(|launch| Some(launch.folder.as_ref()?.join("run.sh")));
    if is_script && script.is_some_and(|script| has_windows_line_ends(&script)) {
        return vec![WINDOWS_LINE_ENDS.to_owned()];
    }
    match exit {
        Exit::Code(126 | 127) if is_script => {
            vec!["run.sh starts a program that is not there or may not be run".to_owned()]
        }
        Exit::Code(0) if !last.has_answered => vec![
            "it ended before its first answer: it has to read what it is sent and to answer, in a \
             loop"
                .to_owned(),
        ],
        Exit::Code(0) => vec![
            "it plays one turn and ends: it has to read and answer in a loop".to_owned(),
            "it takes a line for the end of the match".to_owned(),
        ],
        Exit::Code(_) if last.has_said_why => {
            vec!["an error of its own: see what it wrote to stderr".to_owned()]
        }
        Exit::Code(_) => vec![format!(
            "an error of its own, of which it wrote nothing to stderr: start it by hand{}",
            launch.map_or(String::new(), |launch| format!(" with {}", command_of(launch)))
        )],
        Exit::Signal(9) => vec!["it was killed: perhaps there was no memory left".to_owned()],
        Exit::Signal(6 | 8 | 11) => {
            vec![
                "it crashed: run it in a debugger on what it was sent, with quintain feed"
                    .to_owned(),
            ]
        }
        Exit::Signal(_) => vec!["something sent it a signal".to_owned()],
        Exit::Closed => vec!["it closed its standard output and lives on".to_owned()],
    }
}

pub(super) fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_is_for_the_language_of_the_bot() {
        let help = |command: &str| flush(Launch::parse(command).ok().as_ref());
        assert!(help("python3 bot.py").contains("flush=True"));
        assert!(!help("python3 bot.py").contains("fflush"));
        for word in ["flush=True", "fflush(stdout)", "std::endl", "System.out.flush()"] {
            assert!(help("cat").contains(word), "{word}");
        }
    }
}

//! What usually is behind a fault.

use quintain_core::{Absence, Exit, Fault};
use quintain_record::Launch;
use quintain_registry::{Exchange, Facts};

use crate::script::has_windows_line_ends;

/// What may be behind a fault. Whoever tells it to a person says what helps, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Its output waits in a buffer. `said` is what it said only when its input ended, if it was seen to.
    BufferedOutput {
        said: Option<String>,
        /// Those that its command points to; none if it points to none.
        languages: Vec<Language>,
    },
    /// It takes longer than the limit.
    Slow,
    /// It computes, for far longer than it may, and says nothing.
    Computes,
    /// It waits for a line that does not come: from the start it reads more than it is sent, or only later.
    WaitsForMoreInput {
        from_the_start: bool,
    },
    /// A line that means nothing.
    Meaningless(String),
    /// It does not have the form of an answer, in a game that counts its rounds.
    FormOfRounds,
    /// It does not have the form of an answer.
    Form,
    /// So many lines came, and more were awaited.
    Incomplete {
        lines: usize,
    },
    /// It had said more lines than it was asked for.
    LineTooMany,
    NotUtf8,
    /// Blanks or other line ends around the answer.
    BlanksAround,
    /// Notes on standard output are taken for answers.
    NotesTakenForAnswers,
    /// Notes are printed to standard output.
    NotesOnOutput,
    NoLineEnds,
    /// The question for its name is not read, or not answered.
    NameNotSaid,
    /// It prints something before it is asked for its name.
    SpokeBeforeName,
    /// Its name is not UTF-8, or far too long.
    NameUnreadable,
    Start(StartCause),
    End(EndCause),
    /// What the game says of the way in which the match was lost.
    Forfeit(&'static str),
    /// Its answer is not written as the game expects.
    WrittenWrong,
    /// Its answer is not allowed in this position.
    NotAllowed,
}

/// Why a bot cannot be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartCause {
    /// A folder without what starts a bot, which may be a manifest in games with state files.
    FolderWithoutStart {
        may_be_manifest: bool,
    },
    NotExecutable,
    /// A name without a slash is looked up on the search path.
    NotOnSearchPath,
}

/// Why a bot ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndCause {
    WindowsLineEnds,
    /// The script starts a program that is not there or may not be run.
    ScriptStartsNothing,
    BeforeFirstAnswer,
    PlaysOneTurn,
    /// It takes a line for the end of the match.
    SeesTheEnd,
    /// An error of its own, of which it may have said something.
    OwnError {
        has_said_why: bool,
    },
    Killed,
    Crashed,
    Signalled,
    /// It closed its standard output and lives on.
    ClosedOutput,
    /// It wanted more of the machine than its sandbox allows.
    Limit(quintain_core::Limit),
}

/// What a bot is written in, as far as a command shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
    Java,
    JavaScript,
    CSharp,
    Ruby,
}

/// How a language is recognised in a command.
const SIGNS: [(Language, &[&str]); 5] = [
    (Language::Python, &["python", ".py"]),
    (Language::Java, &["java", ".jar"]),
    (Language::JavaScript, &["node", ".js"]),
    (Language::CSharp, &[".cs", "dotnet", "mono"]),
    (Language::Ruby, &[".rb", "ruby"]),
];

/// What was heard of a bot before it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Last {
    /// It gave at least one answer.
    pub(super) has_answered: bool,
    /// It wrote something to its error output.
    pub(super) has_said_why: bool,
}

/// What starts a bot, as it could be typed.
pub fn command_line(launch: &Launch) -> String {
    let words: Vec<&str> = [launch.program.as_str()]
        .into_iter()
        .chain(launch.args.iter().map(String::as_str))
        .collect();
    words.join(" ")
}

/// Output that waits in a buffer.
pub(super) fn buffered(said: Option<String>, launch: Option<&Launch>) -> Cause {
    let command = launch.map(command_line).unwrap_or_default();
    let is_seen = |signs: &[&str]| signs.iter().any(|sign| command.contains(sign));
    let languages = SIGNS.iter().filter(|(_, signs)| is_seen(signs)).map(|(language, _)| *language);
    Cause::BufferedOutput { said, languages: languages.collect() }
}

/// The usual causes of a fault, likeliest first.
pub(super) fn of(
    fault: &Fault,
    exchange: Option<&Exchange>,
    facts: &Facts,
    launch: Option<&Launch>,
    last: Last,
) -> Vec<Cause> {
    match fault {
        Fault::Late => late(exchange, facts, launch),
        Fault::Malformed(_) => malformed(exchange),
        Fault::Flooded => vec![Cause::NoLineEnds, Cause::NotesOnOutput],
        Fault::Gone(exit) | Fault::NotStarted(Absence::Left(exit)) => {
            gone(*exit, launch, last).into_iter().map(Cause::End).collect()
        }
        Fault::NotStarted(Absence::Silent) => {
            vec![buffered(None, launch), Cause::NoLineEnds, Cause::NameNotSaid]
        }
        Fault::NotStarted(Absence::Refused) => vec![Cause::SpokeBeforeName, Cause::NameUnreadable],
        Fault::NotStarted(Absence::Unstartable) => unstarted(facts),
    }
}

pub(super) fn unstarted(facts: &Facts) -> Vec<Cause> {
    let may_be_manifest = facts.abilities.state_files;
    let folder = StartCause::FolderWithoutStart { may_be_manifest };
    [folder, StartCause::NotExecutable, StartCause::NotOnSearchPath].map(Cause::Start).to_vec()
}

fn late(exchange: Option<&Exchange>, facts: &Facts, launch: Option<&Launch>) -> Vec<Cause> {
    let said = exchange.map(|exchange| &exchange.recorded);
    if let Some(line) = said.and_then(|said| said.ignored.first()) {
        let has_rounds = facts.abilities.state_files;
        let form = if has_rounds { Cause::FormOfRounds } else { Cause::Form };
        return vec![Cause::Meaningless(line.clone()), form, Cause::NotesOnOutput];
    }
    if let Some(said) = said.filter(|said| !said.lines.is_empty()) {
        return vec![Cause::Incomplete { lines: said.lines.len() }];
    }
    let from_the_start = exchange.is_none_or(|exchange| exchange.turn <= 2);
    let waits = Cause::WaitsForMoreInput { from_the_start };
    match from_the_start {
        true => vec![buffered(None, launch), Cause::NoLineEnds, waits, Cause::Slow],
        false => vec![Cause::Slow, waits],
    }
}

fn malformed(exchange: Option<&Exchange>) -> Vec<Cause> {
    let mut causes = Vec::new();
    if let Some(exchange) = exchange {
        let said = &exchange.recorded;
        if !said.early.is_empty() {
            causes.push(Cause::LineTooMany);
        }
        if said.lines.iter().any(|line| line.contains('\u{fffd}')) {
            causes.push(Cause::NotUtf8);
        }
        if said.lines.iter().any(|line| line.trim() != line) {
            causes.push(Cause::BlanksAround);
        }
    }
    causes.extend([Cause::NotesTakenForAnswers, Cause::Form]);
    causes
}

/// Why a process ended.
fn gone(exit: Exit, launch: Option<&Launch>, last: Last) -> Vec<EndCause> {
    let is_script = launch.is_some_and(|launch| launch.program == "bash");
    let folder = launch.and_then(|launch| launch.folder.as_ref());
    if is_script && folder.is_some_and(|folder| has_windows_line_ends(folder, "run.sh")) {
        return vec![EndCause::WindowsLineEnds];
    }
    match exit {
        Exit::Code(126 | 127) if is_script => vec![EndCause::ScriptStartsNothing],
        Exit::Code(0) if !last.has_answered => vec![EndCause::BeforeFirstAnswer],
        Exit::Code(0) => vec![EndCause::PlaysOneTurn, EndCause::SeesTheEnd],
        Exit::Code(_) => vec![EndCause::OwnError { has_said_why: last.has_said_why }],
        Exit::Signal(9) => vec![EndCause::Killed],
        Exit::Signal(6 | 8 | 11) => vec![EndCause::Crashed],
        Exit::Signal(_) => vec![EndCause::Signalled],
        Exit::Closed => vec![EndCause::ClosedOutput],
        Exit::Limit(limit) => vec![EndCause::Limit(limit)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_seen_in_the_command() {
        let languages = |command: &str| match buffered(
            None,
            quintain_links::read_launch(command).ok().as_ref(),
        ) {
            Cause::BufferedOutput { languages, .. } => languages,
            cause => panic!("{cause:?}"),
        };
        assert_eq!(languages("python3 bot.py"), [Language::Python]);
        assert_eq!(languages("java -jar bot.jar"), [Language::Java]);
        assert_eq!(languages("cat"), []);
    }
}

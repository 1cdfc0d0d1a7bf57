//! A bot that does on purpose what bots do by accident, for tests with real processes.
//!
//! Usage: `misbehave [FLAG]...`. A flag takes effect with the first line that is not the question
//! for a name, so that the bot is seated before it fails; with `early-` in front of it, at once.
//! The question itself is answered with the variable `QUINTAIN_NAME`, or `misbehave`.

mod escape;
mod meddle;

use std::fmt;
use std::io::{self, BufRead as _, Write as _};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nix::sys::signal::{SigSet, Signal};
use nix::time::ClockId;

use meddle::Meddling;

const HELP: &str = "\
exit-at-once[=CODE]  ends, with code 0 if none is given
never-read           reads nothing any more
never-answer         reads everything and says nothing
late=MS              answers, each time so many milliseconds late
busy=MS              answers after so many milliseconds of processor time
helpers=N            keeps so many threads beside it busy while it thinks
chatter              writes lines all the time, whether it was asked or not
second-thread        does all of it on a second thread, as a Java machine does
flood-stdout         writes 100 MB without a line end
flood-lines          writes short lines for ever
flood-stderr         writes 100 MB to its error output, then plays
close-stdout         closes its output and lives on
fork-holder          ends, and leaves a process behind that holds its output open
ignore-sigterm       says nothing, and stays when it is asked to end
join-parent          moves into the group of the process that started it, says nothing and stays
scatter              leaves a process in each of three other groups, says nothing and stays
leave-daemon         ends, and leaves a process in another session that holds its output open
end-first-thread     closes its output and ends its first thread, and lives on in another
pipe-in-the-way      has a pipe where a state file is to be, and answers every round; the same for
folder-in-the-way    a folder, and
link-in-the-way=FILE a link to a file of somebody else
round-as-link=FOLDER has a link to a folder where that of a round is to be, and answers every round
rounds-as-link=FOLDER  the same for all rounds
rounds-as-pipe       has a pipe there, and answers every round
rounds-gone          removes that folder, and answers every round
deep-folders         makes folders in folders, 3000 levels deep, and answers every round
locked-files         makes files that nobody may change or remove, and answers every round
not-utf8             answers every line with bytes that are no text
echo=LINE            answers every line with LINE
play[=A,B,..]        answers its turn with A, then B, and so on, and from A again; this is what it
                     does without flags, with `north`
";

const QUESTION: &str = "What's your name?";
const FLOOD_BYTES: usize = 100_000_000;
const CHAT_PAUSE: Duration = Duration::from_micros(200);

/// Even a bot that stays for ever must not outlive a test run in which it was forgotten.
const FOR_EVER: Duration = Duration::from_secs(600);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Deed {
    ExitAtOnce(u8),
    NeverRead,
    NeverAnswer,
    FloodStdout,
    FloodLines,
    FloodStderr,
    CloseStdout,
    ForkHolder,
    IgnoreSigterm,
    JoinParent,
    Scatter,
    LeaveDaemon,
    EndFirstThread,
    Meddle(Meddling),
    NotUtf8,
    Echo(String),
    Play,
    /// What others leave behind.
    Sleep,
    /// The same in a session of its own.
    SleepApart,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Plan {
    deed: Deed,
    is_early: bool,
    late: Duration,
    busy: Duration,
    helpers: usize,
    chats: bool,
    on_second_thread: bool,
    answers: Vec<String>,
}

/// A flag that is not in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
struct UnknownFlag(String);

impl fmt::Display for UnknownFlag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected one of the flags below, got `{}`\n{HELP}", self.0)
    }
}

impl Plan {
    fn parse(flags: impl Iterator<Item = String>) -> Result<Plan, UnknownFlag> {
        let mut plan = Plan {
            deed: Deed::Play,
            is_early: false,
            late: Duration::ZERO,
            busy: Duration::ZERO,
            helpers: 0,
            chats: false,
            on_second_thread: false,
            answers: vec!["north".to_owned()],
        };
        for flag in flags {
            plan.add(&flag).ok_or(UnknownFlag(flag))?;
        }
        Ok(plan)
    }

    fn add(&mut self, flag: &str) -> Option<()> {
        let (flag, is_early) = match flag.strip_prefix("early-") {
            Some(flag) => (flag, true),
            None => (flag, false),
        };
        let (name, value) = match flag.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (flag, None),
        };
        self.is_early |= is_early;
        match (name, value) {
            ("late", Some(value)) => self.late = Duration::from_millis(value.parse().ok()?),
            ("busy", Some(value)) => self.busy = Duration::from_millis(value.parse().ok()?),
            ("helpers", Some(value)) => self.helpers = value.parse().ok()?,
            ("chatter", None) => self.chats = true,
            ("second-thread", None) => self.on_second_thread = true,
            ("play", Some(value)) => self.answers = value.split(',').map(str::to_owned).collect(),
            _ => self.deed = Deed::parse(name, value)?,
        }
        Some(())
    }
}

impl Deed {
    fn parse(name: &str, value: Option<&str>) -> Option<Deed> {
        Some(match (name, value) {
            ("exit-at-once", Some(code)) => Deed::ExitAtOnce(code.parse().ok()?),
            ("echo", Some(line)) => Deed::Echo(line.to_owned()),
            (name, value) => match Meddling::named(name, value) {
                Some(meddling) => Deed::Meddle(meddling),
                None if value.is_none() => Deed::named(name)?,
                None => return None,
            },
        })
    }

    fn named(name: &str) -> Option<Deed> {
        Some(match name {
            "exit-at-once" => Deed::ExitAtOnce(0),
            "never-read" => Deed::NeverRead,
            "never-answer" => Deed::NeverAnswer,
            "flood-stdout" => Deed::FloodStdout,
            "flood-lines" => Deed::FloodLines,
            "flood-stderr" => Deed::FloodStderr,
            "close-stdout" => Deed::CloseStdout,
            "fork-holder" => Deed::ForkHolder,
            "ignore-sigterm" => Deed::IgnoreSigterm,
            "join-parent" => Deed::JoinParent,
            "scatter" => Deed::Scatter,
            "leave-daemon" => Deed::LeaveDaemon,
            "end-first-thread" => Deed::EndFirstThread,
            "not-utf8" => Deed::NotUtf8,
            "play" => Deed::Play,
            "sleep" => Deed::Sleep,
            "sleep-apart" => Deed::SleepApart,
            _ => return None,
        })
    }
}

fn main() -> ExitCode {
    let plan = match Plan::parse(std::env::args().skip(1)) {
        Ok(plan) => plan,
        Err(error) => {
            eprint!("misbehave: {error}");
            return ExitCode::from(2);
        }
    };
    let on_second_thread = plan.on_second_thread;
    // The other side is gone when this fails, which is how a match ends.
    let run = move || Bot::new(plan).run().unwrap_or(ExitCode::SUCCESS);
    match on_second_thread {
        true => std::thread::spawn(run).join().expect("the second thread does not panic"),
        false => run(),
    }
}

struct Bot {
    plan: Plan,
    /// The deed that is done when something happens for the first time has been done.
    is_done: bool,
    names_given: u32,
    answers_given: usize,
}

impl Bot {
    fn new(plan: Plan) -> Bot {
        Bot { plan, is_done: false, names_given: 0, answers_given: 0 }
    }

    fn run(&mut self) -> io::Result<ExitCode> {
        if self.plan.is_early
            && let Some(code) = self.begin_deed()?
        {
            return Ok(code);
        }
        if self.plan.chats {
            std::thread::spawn(chat);
        }
        let mut input = io::stdin().lock();
        let mut line = Vec::new();
        while input.read_until(b'\n', &mut line)? > 0 {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            line.clear();
            if text == QUESTION && !self.is_done {
                self.give_name()?;
                continue;
            }
            if let Some(code) = self.begin_deed()? {
                return Ok(code);
            }
            self.answer(&text)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn give_name(&mut self) -> io::Result<()> {
        let name = std::env::var("QUINTAIN_NAME").unwrap_or_else(|_| "misbehave".to_owned());
        self.names_given += 1;
        match self.names_given {
            1 => say(name.as_bytes()),
            number => say(format!("{name} {number}").as_bytes()),
        }
    }

    /// Does what is done once. Some code if the bot ends by it.
    fn begin_deed(&mut self) -> io::Result<Option<ExitCode>> {
        if std::mem::replace(&mut self.is_done, true) {
            return Ok(None);
        }
        match &self.plan.deed {
            Deed::ExitAtOnce(code) => return Ok(Some(ExitCode::from(*code))),
            Deed::NeverRead | Deed::Sleep => std::thread::sleep(FOR_EVER),
            Deed::FloodStdout => flood(io::stdout().lock(), FLOOD_BYTES)?,
            Deed::FloodLines => loop {
                say(b"x")?;
            },
            Deed::FloodStderr => flood(io::stderr().lock(), FLOOD_BYTES)?,
            Deed::CloseStdout => {
                nix::unistd::dup2_stdout(std::fs::File::open("/dev/null")?)?;
                std::thread::sleep(FOR_EVER);
            }
            Deed::ForkHolder => {
                let itself = std::env::current_exe()?;
                Command::new(itself).arg("early-sleep").stdin(Stdio::null()).spawn()?;
                return Ok(Some(ExitCode::SUCCESS));
            }
            Deed::IgnoreSigterm => {
                let mut signals = SigSet::empty();
                signals.add(Signal::SIGTERM);
                signals.thread_block()?;
                std::thread::sleep(FOR_EVER);
            }
            Deed::JoinParent => {
                escape::join_parent()?;
                std::thread::sleep(FOR_EVER);
            }
            Deed::Scatter => {
                escape::scatter()?;
                std::thread::sleep(FOR_EVER);
            }
            Deed::LeaveDaemon => {
                escape::leave_daemon()?;
                return Ok(Some(ExitCode::SUCCESS));
            }
            Deed::EndFirstThread => escape::end_first_thread()?,
            Deed::Meddle(meddling) => meddling.begin()?,
            Deed::SleepApart => {
                nix::unistd::setsid()?;
                std::thread::sleep(FOR_EVER);
            }
            Deed::NeverAnswer | Deed::NotUtf8 | Deed::Echo(_) | Deed::Play => {}
        }
        Ok(None)
    }

    fn answer(&mut self, line: &str) -> io::Result<()> {
        match &self.plan.deed {
            Deed::NotUtf8 => say(b"\xff\xfe\xfd"),
            Deed::Echo(answer) => say(answer.as_bytes()),
            Deed::Meddle(_) => say(format!("C;{line};nothing").as_bytes()),
            Deed::Play | Deed::FloodStderr if is_own_turn(line) => {
                let helpers = Helpers::start(self.plan.helpers);
                std::thread::sleep(self.plan.late);
                compute(self.plan.busy)?;
                drop(helpers);
                let answer = &self.plan.answers[self.answers_given % self.plan.answers.len()];
                self.answers_given += 1;
                say(answer.as_bytes())
            }
            _ => Ok(()),
        }
    }
}

/// Writes lines that nobody asked for.
fn chat() -> io::Result<()> {
    loop {
        say(b"x")?;
        std::thread::sleep(CHAT_PAUSE);
    }
}

/// Threads that do nothing but run. They end soon after this value is dropped.
struct Helpers(Arc<AtomicBool>);

impl Helpers {
    fn start(count: usize) -> Helpers {
        let is_over = Arc::new(AtomicBool::new(false));
        for _ in 0..count {
            let is_over = Arc::clone(&is_over);
            std::thread::spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        Helpers(is_over)
    }
}

impl Drop for Helpers {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Keeps the processor busy until so much of its time is used up.
fn compute(time: Duration) -> io::Result<()> {
    let clock = ClockId::CLOCK_PROCESS_CPUTIME_ID;
    let begun = Duration::from(clock.now()?);
    while Duration::from(clock.now()?).saturating_sub(begun) < time {}
    Ok(())
}

/// Hockey asks with one of two lines, each with the number of the message behind it.
fn is_own_turn(line: &str) -> bool {
    let text = line.rsplit_once(" - ").map_or(line, |(text, _)| text);
    text.ends_with("is active player") || text == "invalid move"
}

fn say(line: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(&[line, b"\r\n"].concat())?;
    output.flush()
}

fn flood(mut output: impl io::Write, bytes: usize) -> io::Result<()> {
    let piece = [b'f'; 1000];
    for _ in 0..bytes / piece.len() {
        output.write_all(&piece)?;
    }
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(flags: &[&str]) -> Result<Plan, UnknownFlag> {
        Plan::parse(flags.iter().map(|&flag| flag.to_owned()))
    }

    #[test]
    fn flags_are_read_whole_or_refused() {
        let late = plan(&["late=30", "play=south,north east"]).expect("both are flags");
        assert_eq!(late.late, Duration::from_millis(30));
        assert_eq!(late.answers, ["south", "north east"]);
        assert_eq!(late.deed, Deed::Play);
        let early = plan(&["early-exit-at-once=3"]).expect("it is a flag");
        assert_eq!((early.deed, early.is_early), (Deed::ExitAtOnce(3), true));
        for wrong in ["late", "late=soon", "busy", "never-read=1", "exit-at-once=300", "early", ""]
        {
            assert_eq!(plan(&[wrong]), Err(UnknownFlag(wrong.to_owned())), "{wrong}");
        }
    }

    #[test]
    fn every_flag_of_the_help_is_a_flag() {
        let names = HELP.lines().filter(|line| !line.starts_with(' '));
        let mut count = 0;
        for name in names.map(|line| line.split([' ', '[', '=']).next().unwrap_or_default()) {
            let known = plan(&[name]).is_ok() || plan(&[&format!("{name}=1")]).is_ok();
            assert!(known, "{name}");
            count += 1;
        }
        assert_eq!(count, 30);
    }

    #[test]
    fn only_the_own_turn_is_answered() {
        assert!(is_own_turn("misbehave is active player - 12"));
        assert!(is_own_turn("invalid move - 13"));
        assert!(!is_own_turn("other did go north - 14"));
    }
}

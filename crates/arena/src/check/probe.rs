//! Finds out whether a silent bot has something to say: one whose output waits in a buffer says it
//! when its input ends.
//!
//! How long that takes depends on how busy the machine is. So what is waited for is not a time but a
//! bot that has nothing to do any more.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use quintain_links::{Activity, Child, Sandbox, Starter};
use quintain_record::Launch;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// A bot that sleeps this long without a word waits for something.
const IDLE_MAX: Duration = Duration::from_secs(1);
/// A bot that computes this long without a word has none.
const CPU_MAX: Duration = Duration::from_secs(5);
/// Nobody waits longer for a check, however busy the machine is.
const WAIT_MAX: Duration = Duration::from_secs(60);
/// How often it is looked what a bot does.
const LOOK_EVERY: Duration = Duration::from_millis(50);
const PIECE_BYTES: usize = 4096;

/// What a bot does when its input ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AtEndOfInput {
    /// What it says; empty if that is nothing.
    pub said: String,
    /// Whether it ends.
    pub has_ended: bool,
    /// Whether it computed without a word, for longer than any answer may take.
    pub computes: bool,
}

/// How a bot is started once more.
#[derive(Clone, Copy, Debug)]
pub(super) struct StartedAgain<'a> {
    pub(super) launch: &'a Launch,
    /// `None`: it is trusted.
    pub(super) sandbox: Option<&'a Sandbox>,
}

/// What the bot does when it is sent these lines and then nothing more; `None` if it cannot be
/// started again.
pub(super) fn at_end_of_input(
    again: StartedAgain<'_>,
    lines: &[String],
    line_end: &str,
) -> Option<AtEndOfInput> {
    let text = lines.iter().map(|line| format!("{line}{line_end}")).collect();
    let mut probe = Probe::start(again, text).ok()?;
    // What it says while its input is open waits in no buffer, and then neither does the rest.
    let before = probe.listen();
    probe.close_input();
    let said = match before {
        Heard::Nothing(_) => probe.listen(),
        Heard::Text(_) | Heard::End => Heard::End,
    };
    let computes = matches!(said, Heard::Nothing(Silence::Computes));
    let said = if let Heard::Text(text) = said { text } else { String::new() };
    Some(AtEndOfInput { said, has_ended: probe.ends(), computes })
}

/// What came of listening.
enum Heard {
    Text(String),
    /// Its output ended.
    End,
    Nothing(Silence),
}

/// Why a bot is not waited for any longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Silence {
    /// It sleeps, or this machine is too busy to tell.
    Waits,
    Computes,
}

/// A bot that is looked at. It is ended with all that it started when this is dropped.
struct Probe {
    child: Child,
    output: File,
    /// Writes the input and gives it back open.
    writer: Option<JoinHandle<File>>,
}

/// How long a bot has been waited for.
struct Patience {
    begun: Instant,
    cpu_before: Duration,
    idle_since: Option<Instant>,
}

impl Probe {
    fn start(again: StartedAgain<'_>, text: String) -> io::Result<Probe> {
        let starter = Starter { sandbox: again.sandbox, seclusion: None };
        let mut child = starter.spawn(again.launch).map_err(io::Error::other)?;
        let [mut input, output, mut error] = child.take_pipes()?;
        let writer = std::thread::spawn(move || {
            // A bot that does not read is as silent as one that does.
            let _ = input.write_all(text.as_bytes());
            input
        });
        // A bot whose notes nobody reads would wait for that. It ends with the bot.
        std::thread::spawn(move || io::copy(&mut error, &mut io::sink()));
        Ok(Probe { child, output, writer: Some(writer) })
    }

    /// Ends the input, unless the bot has not read all of it yet: then it has no use for more.
    fn close_input(&mut self) {
        if let Some(writer) = self.writer.take_if(|writer| writer.is_finished()) {
            drop(writer.join());
        }
    }

    /// Waits until the bot says something, or has nothing to do any more.
    fn listen(&mut self) -> Heard {
        let mut patience = Patience::new(self.activity());
        loop {
            if self.is_readable() {
                let mut piece = [0; PIECE_BYTES];
                return match self.output.read(&mut piece) {
                    Ok(count @ 1..) => {
                        Heard::Text(String::from_utf8_lossy(&piece[..count]).into_owned())
                    }
                    _ => Heard::End,
                };
            }
            if let Some(silence) = patience.is_over(self.activity()) {
                return Heard::Nothing(silence);
            }
        }
    }

    /// Whether the bot ends by itself, whatever it says before that.
    fn ends(&mut self) -> bool {
        let mut patience = Patience::new(self.activity());
        loop {
            if self.child.exit().is_some() {
                return true;
            }
            if self.is_readable() {
                // The end of its output comes a moment before its own.
                let mut piece = [0; PIECE_BYTES];
                if !matches!(self.output.read(&mut piece), Ok(1..)) {
                    std::thread::sleep(LOOK_EVERY);
                }
            }
            if patience.is_over(self.activity()).is_some() {
                return false;
            }
        }
    }

    fn is_readable(&self) -> bool {
        let timeout = Timespec { tv_sec: 0, tv_nsec: LOOK_EVERY.subsec_nanos().into() };
        let mut polled = [PollFd::new(&self.output, PollFlags::IN)];
        matches!(poll(&mut polled, Some(&timeout)), Ok(1..))
    }

    fn activity(&mut self) -> Activity {
        self.child.activity()
    }
}

impl Patience {
    fn new(now: Activity) -> Patience {
        Patience { begun: Instant::now(), cpu_before: now.cpu, idle_since: None }
    }

    fn is_over(&mut self, now: Activity) -> Option<Silence> {
        self.idle_since = match now.is_busy {
            true => None,
            false => self.idle_since.or_else(|| Some(Instant::now())),
        };
        let is_idle = self.idle_since.is_some_and(|since| since.elapsed() >= IDLE_MAX);
        if now.cpu.saturating_sub(self.cpu_before) >= CPU_MAX {
            return Some(Silence::Computes);
        }
        (is_idle || self.begun.elapsed() >= WAIT_MAX).then_some(Silence::Waits)
    }
}

//! Finds out whether a silent bot has something to say: one whose output waits in a buffer says it
//! when its input ends.
//!
//! How long that takes depends on how busy the machine is. So what is waited for is not a time but a
//! bot that has nothing to do any more.

use std::io::{Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use quintain_links::{Activity, activity_of_group, inherited};
use quintain_record::Launch;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

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
}

/// What the bot does when it is sent these lines and then nothing more; `None` if it cannot be
/// started again.
pub(super) fn at_end_of_input(
    launch: &Launch,
    lines: &[String],
    line_end: &str,
) -> Option<AtEndOfInput> {
    let text = lines.iter().map(|line| format!("{line}{line_end}")).collect();
    let mut probe = Probe::start(launch, text)?;
    // What it says while its input is open waits in no buffer, and then neither does the rest.
    let before = probe.listen();
    probe.close_input();
    let said = match before {
        Heard::Silence => probe.listen(),
        Heard::Text(_) | Heard::End => Heard::Silence,
    };
    let said = if let Heard::Text(text) = said { text } else { String::new() };
    Some(AtEndOfInput { said, has_ended: probe.ends() })
}

/// What came of listening.
enum Heard {
    Text(String),
    /// Its output ended.
    End,
    /// It has nothing to say.
    Silence,
}

/// A bot that is looked at. It is ended with its whole group when this is dropped.
struct Probe {
    child: Child,
    output: ChildStdout,
    /// Writes the input and gives it back open.
    writer: Option<JoinHandle<ChildStdin>>,
}

/// How long a bot has been waited for.
struct Patience {
    begun: Instant,
    cpu_before: Duration,
    idle_since: Option<Instant>,
}

impl Probe {
    fn start(launch: &Launch, text: String) -> Option<Probe> {
        let mut command = Command::new(&launch.program);
        command.args(&launch.args).process_group(0);
        command.env_clear().envs(inherited()).envs(launch.env.iter().cloned());
        if let Some(folder) = &launch.folder {
            command.current_dir(folder);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().ok()?;
        let (mut input, output) = (child.stdin.take()?, child.stdout.take()?);
        let writer = std::thread::spawn(move || {
            // A bot that does not read is as silent as one that does.
            let _ = input.write_all(text.as_bytes());
            input
        });
        Some(Probe { child, output, writer: Some(writer) })
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
            if patience.is_over(self.activity()) {
                return Heard::Silence;
            }
        }
    }

    /// Whether the bot ends by itself, whatever it says before that.
    fn ends(&mut self) -> bool {
        let mut patience = Patience::new(self.activity());
        loop {
            if self.has_ended() {
                return true;
            }
            if self.is_readable() {
                // The end of its output comes a moment before its own.
                let mut piece = [0; PIECE_BYTES];
                if !matches!(self.output.read(&mut piece), Ok(1..)) {
                    std::thread::sleep(LOOK_EVERY);
                }
            }
            if patience.is_over(self.activity()) {
                return false;
            }
        }
    }

    /// Its entry in the process table stays: while it exists, the group's number is nobody else's.
    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.group().is_some_and(|id| matches!(waitid(WaitId::Pid(id), options), Ok(Some(_))))
    }

    fn group(&self) -> Option<Pid> {
        i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
    }

    fn is_readable(&self) -> bool {
        let timeout = Timespec { tv_sec: 0, tv_nsec: LOOK_EVERY.subsec_nanos().into() };
        let mut polled = [PollFd::new(&self.output, PollFlags::IN)];
        matches!(poll(&mut polled, Some(&timeout)), Ok(1..))
    }

    fn activity(&self) -> Activity {
        activity_of_group(self.child.id())
    }
}

impl Patience {
    fn new(now: Activity) -> Patience {
        Patience { begun: Instant::now(), cpu_before: now.cpu, idle_since: None }
    }

    fn is_over(&mut self, now: Activity) -> bool {
        self.idle_since = match now.is_busy {
            true => None,
            false => self.idle_since.or_else(|| Some(Instant::now())),
        };
        self.idle_since.is_some_and(|since| since.elapsed() >= IDLE_MAX)
            || now.cpu.saturating_sub(self.cpu_before) >= CPU_MAX
            || self.begun.elapsed() >= WAIT_MAX
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        if let Some(group) = self.group() {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

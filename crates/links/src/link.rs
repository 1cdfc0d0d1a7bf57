//! One seat's way to its bot: what is heard from it, what is on its way to it, how it left.
//!
//! This file is the machine that all of them share; what only one kind of way has is in the file of that kind.

mod connecting;
mod process;
mod stream;
mod terminal;

use std::io::ErrorKind;
use std::net::{Shutdown, TcpStream};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use quintain_core::{Exit, Framing, LineEnds};
use quintain_referee::{Capped, Departure, Heard, Unprotected};

use crate::limits::{
    EXIT_STATUS_WAIT, EXIT_STATUS_WAIT_MAX, LAST_BYTES_MAX, PENDING_BYTES_MAX, PROCESS_GRACE,
    READ_BYTES, STREAM_LINGER, TERMINAL_WRITE_BYTES,
};
use crate::pending::Pending;
use crate::ring::Ring;
use crate::{Child, Cut, LineCutter};
use connecting::Arrival;
pub use connecting::{ConnectingBot, Listener};
pub use stream::Connection;

/// The parts of a link that can be waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    Input,
    Errors,
    Output,
    Process,
}

impl Wire {
    /// In the order in which what is ready must be handled: the end of a process comes last, so
    /// that what it wrote before is seen.
    pub(crate) const ALL: [Wire; 4] = [Wire::Input, Wire::Errors, Wire::Output, Wire::Process];
}

#[derive(Debug)]
enum Wires {
    Inside,
    Process(Child),
    Stream(TcpStream),
    /// To be started when it is spoken to.
    Idle(ConnectingBot),
    /// Started; it has a stream once it has come.
    Called(Child, Arrival),
    /// Where a person reads and writes: what is read from, and what is written to.
    Terminal(OwnedFd, OwnedFd),
}

/// How far a bot's output has been followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hearing {
    Open,
    /// The output was closed at a moment; until another it is awaited that the process ends.
    Ending {
        at: Duration,
        until: Duration,
    },
    /// The process ended; this much of what it wrote is left in the pipe. There may be more later
    /// from processes that it started: they are not the bot.
    Draining {
        bytes_left: u64,
        exit: Exit,
    },
    /// `Closed` comes after the lines that are left.
    Ended {
        at: Duration,
        exit: Exit,
    },
    /// The match is over; what comes is thrown away until the other side closes.
    Discarding {
        bytes_left: usize,
    },
    Over,
}

/// What lines are before the world of a match has said so: there are none.
const NO_LINES: Framing =
    Framing { line_ends_in: LineEnds::LfOrCrLf, line_end_out: "", line_bytes_max: 0 };

/// One seat's way to its bot. Each kind of way has a constructor of its own, and a match sees no
/// difference.
#[derive(Debug)]
pub struct Link {
    wires: Wires,
    cutter: LineCutter,
    /// When the newest bytes in the cutter were read. It is fed only when no line is left in it,
    /// so this is the moment of each line that it gives.
    read_at: Duration,
    hearing: Hearing,
    pending: Pending,
    /// Something was read and nothing written since, which would have acknowledged it.
    is_unacknowledged: bool,
    stderr: Ring,
    /// What the bot did to its state files and nobody has taken yet.
    meddling: Vec<String>,
    /// How the bot left by itself, as far as it is known.
    exit: Option<Exit>,
    process_ended: bool,
    /// Whatever the bot does now, it does because its input was closed.
    ended_by_host: bool,
    is_absent: bool,
    /// Bytes of error output in all.
    said: u64,
    /// How the bot ended, once its sandbox was asked.
    judged: Option<Exit>,
    /// Why a late answer could not be excused, as it was known when the host ended the bot's part.
    unprotected: Option<Unprotected>,
}

impl Link {
    /// For a bot in this process: nothing is sent to it and nothing is heard from it.
    pub fn inside() -> Link {
        Link { hearing: Hearing::Over, ..Self::over(Wires::Inside) }
    }

    /// To nobody: the bot could not be started.
    pub fn absent() -> Link {
        Link { is_absent: true, ..Self::inside() }
    }

    fn over(wires: Wires) -> Link {
        Link {
            wires,
            cutter: LineCutter::new(NO_LINES),
            read_at: Duration::ZERO,
            hearing: Hearing::Open,
            pending: Pending::default(),
            is_unacknowledged: false,
            stderr: Ring::default(),
            meddling: Vec::new(),
            exit: None,
            process_ended: false,
            ended_by_host: false,
            is_absent: false,
            said: 0,
            judged: None,
            unprotected: None,
        }
    }

    /// The same link, on which these are lines. A stream has been heard before and knows.
    pub(crate) fn framed(self, framing: Framing) -> Link {
        match self.wires {
            Wires::Stream(_) => self,
            _ => Link { cutter: LineCutter::new(framing), ..self },
        }
    }

    /// Whether the bot could not be started.
    pub(crate) fn is_absent(&self) -> bool {
        self.is_absent
    }

    /// Queues a line. A bot that lets too much pile up counts as closed.
    pub(crate) fn push(&mut self, line: &str, line_end: &str, clock: impl FnOnce() -> Duration) {
        self.call();
        if self.output().is_none() && !self.is_expected() {
            return;
        }
        self.pending.push(line, line_end);
        // A terminal may block, so that it is asked first.
        self.pending.blocked |= matches!(self.wires, Wires::Terminal(..));
        if self.pending.len() > PENDING_BYTES_MAX {
            self.close_output();
            if self.hearing == Hearing::Open {
                self.close_input();
                self.hearing = Hearing::Ended { at: clock(), exit: Exit::Closed };
            }
        }
    }

    pub(crate) fn has_output_to_try(&self) -> bool {
        !self.pending.is_empty() && !self.pending.blocked && !self.is_expected()
    }

    pub(crate) fn write(&mut self) {
        let bytes_max = match self.wires {
            Wires::Terminal(..) => TERMINAL_WRITE_BYTES,
            _ => usize::MAX,
        };
        let mut pending = std::mem::take(&mut self.pending);
        match self.output() {
            Some(output) => {
                // A broken way to the bot is noticed by what it no longer says.
                pending.write(output, bytes_max);
            }
            None => pending.clear(),
        }
        self.pending = pending;
        self.is_unacknowledged = false;
    }

    /// The wire's descriptor, if something is to be expected of it.
    pub(crate) fn interest(&self, wire: Wire) -> Option<BorrowedFd<'_>> {
        let child = self.child();
        match wire {
            Wire::Input => self.wants_input().then(|| self.input()).flatten(),
            Wire::Output => (!self.pending.is_empty()).then(|| self.output()).flatten(),
            Wire::Errors => child?.stderr.as_ref().map(AsFd::as_fd),
            Wire::Process => (!self.process_ended).then_some(child?.end_told()),
        }
    }

    /// Whether a read can give something new.
    pub(crate) fn wants_input(&self) -> bool {
        match self.hearing {
            Hearing::Open | Hearing::Draining { .. } => !self.cutter.is_ready(),
            Hearing::Discarding { .. } => true,
            Hearing::Ending { .. } | Hearing::Ended { .. } | Hearing::Over => false,
        }
    }

    /// Reads once.
    pub(crate) fn read(&mut self, buffer: &mut [u8], clock: impl Fn() -> Duration) {
        let bytes_max = match self.hearing {
            Hearing::Draining { bytes_left, .. } => {
                usize::try_from(bytes_left).map_or(READ_BYTES, |left| left.min(READ_BYTES))
            }
            _ => READ_BYTES,
        };
        if self.is_awaited() {
            return self.let_in();
        }
        let Some(input) = self.input() else { return };
        match rustix::io::read(input, &mut buffer[..bytes_max]) {
            Ok(0) => self.input_closed(clock()),
            Ok(count) => self.bytes_came(&buffer[..count], clock()),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                if let Hearing::Draining { exit, .. } = self.hearing {
                    self.hearing = Hearing::Ended { at: clock(), exit };
                }
            }
            Err(_) => self.input_closed(clock()),
        }
    }

    fn bytes_came(&mut self, bytes: &[u8], now: Duration) {
        match &mut self.hearing {
            Hearing::Discarding { bytes_left } => {
                *bytes_left = bytes_left.saturating_sub(bytes.len());
                if *bytes_left == 0 {
                    self.hearing = Hearing::Over;
                }
                return;
            }
            Hearing::Draining { bytes_left, exit } => {
                *bytes_left = bytes_left.saturating_sub(bytes.len() as u64);
                if *bytes_left == 0 {
                    self.hearing = Hearing::Ended { at: now, exit: *exit };
                }
            }
            _ => {}
        }
        self.read_at = now;
        self.is_unacknowledged = true;
        self.cutter.push(bytes);
    }

    /// Nothing more comes. If it is a process, how it ended will be known in a moment.
    fn input_closed(&mut self, now: Duration) {
        self.hearing = match self.hearing {
            Hearing::Draining { exit, .. } => Hearing::Ended { at: now, exit },
            Hearing::Discarding { .. } | Hearing::Over => Hearing::Over,
            _ => match self.child().map(Child::exit) {
                Some(Some(exit)) => Hearing::Ended { at: now, exit: self.exit_in_sandbox(exit) },
                Some(None) => Hearing::Ending { at: now, until: now + EXIT_STATUS_WAIT },
                None => Hearing::Ended { at: now, exit: Exit::Closed },
            },
        };
        self.close_input();
    }

    pub(crate) fn take_stderr(&mut self) -> Capped {
        self.stderr.take()
    }

    pub(crate) fn take_meddling(&mut self) -> Vec<String> {
        std::mem::take(&mut self.meddling)
    }

    /// The moment of the next thing to be heard, if there is one.
    pub(crate) fn ready_at(&self) -> Option<Duration> {
        match self.hearing {
            Hearing::Over | Hearing::Discarding { .. } => None,
            _ if self.cutter.is_ready() => Some(self.read_at),
            Hearing::Ended { at, .. } => Some(at),
            _ => None,
        }
    }

    pub(crate) fn take_heard(&mut self, clock: impl FnOnce() -> Duration) -> Option<Heard> {
        match self.cutter.pop() {
            Some(Cut::Line(line)) => return Some(Heard::Line(line)),
            Some(Cut::Overlong) => {
                if matches!(self.hearing, Hearing::Open | Hearing::Draining { .. }) {
                    self.input_closed(clock());
                    self.await_broken_pipe();
                }
                return Some(Heard::Overlong);
            }
            None => {}
        }
        let Hearing::Ended { exit, .. } = self.hearing else {
            return None;
        };
        self.hearing = Hearing::Over;
        self.exit = Some(exit);
        Some(Heard::Closed(exit))
    }

    /// The system ends a bot at its next write to a pipe that was closed before it, and on a busy machine
    /// that write can be long in coming.
    fn await_broken_pipe(&mut self) {
        if let Hearing::Ending { at, .. } = self.hearing {
            self.hearing = Hearing::Ending { at, until: at + EXIT_STATUS_WAIT_MAX };
        }
    }

    /// Until when something may still change without anything becoming ready.
    pub(crate) fn waits_until(&self) -> Option<Duration> {
        match self.hearing {
            Hearing::Ending { until, .. } => Some(until),
            _ => None,
        }
    }

    /// Until when it is awaited how the bot ended that closed its output by a moment.
    pub(crate) fn waits_for_end_of(&self, moment: Duration) -> Option<Duration> {
        match self.hearing {
            Hearing::Ending { at, until } if at <= moment => Some(until),
            _ => None,
        }
    }

    pub(crate) fn time_passed(&mut self, now: Duration) {
        let Hearing::Ending { at, until } = self.hearing else { return };
        if now >= until {
            self.hearing = match self.child().is_some_and(Child::is_ending) {
                // On a busy machine the last steps of a process can take a while.
                true if now < at + EXIT_STATUS_WAIT_MAX => {
                    Hearing::Ending { at, until: now + EXIT_STATUS_WAIT }
                }
                _ => Hearing::Ended { at, exit: Exit::Closed },
            };
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.hearing == Hearing::Over
    }

    pub(crate) fn hang_up(&mut self) {
        if self.has_output_to_try() {
            self.write();
        }
        self.host_ends_it();
        self.hearing = Hearing::Over;
        self.close_output();
        self.close_input();
    }

    /// Begins the end: what comes from now on is thrown away.
    pub(crate) fn begin_leaving(&mut self) {
        self.host_ends_it();
        let listens = self.input().is_some() && !matches!(self.wires, Wires::Terminal(..));
        self.hearing = match listens {
            true => Hearing::Discarding { bytes_left: LAST_BYTES_MAX },
            false => Hearing::Over,
        };
    }

    /// Notes whether the bot is still there, for afterwards nobody can tell. The exit status of a
    /// bot that leaves because its input was closed says nothing: healthy bots leave with any.
    fn host_ends_it(&mut self) {
        if let (Some(exit), false) = (self.child().and_then(Child::exit), self.ended_by_host) {
            self.exit = Some(self.exit_in_sandbox(exit));
        }
        if !self.ended_by_host {
            self.unprotected = self.child_mut().and_then(Child::unprotected_to_the_end);
        }
        self.ended_by_host = true;
    }

    /// How long the end may take.
    pub(crate) fn leaving_time_max(&self) -> Duration {
        match self.wires {
            Wires::Process(_) => PROCESS_GRACE,
            _ => STREAM_LINGER,
        }
    }

    /// Tells the other side that nothing more comes, once it has taken everything. True when there
    /// is nothing left to wait for.
    pub(crate) fn has_left(&mut self) -> bool {
        if !self.pending.is_empty() && self.output().is_some() {
            return false;
        }
        match &self.wires {
            Wires::Inside | Wires::Idle(_) | Wires::Terminal(..) => return true,
            Wires::Process(child) if child.stdin.is_none() => {}
            Wires::Called(_, Arrival::Awaited(..)) => return true,
            Wires::Stream(_) if self.exit == Some(Exit::Closed) => return true,
            _ => self.close_output(),
        }
        match self.wires {
            Wires::Process(_) => self.process_ended,
            Wires::Called(..) => self.process_ended && self.is_over(),
            _ => self.is_over(),
        }
    }

    /// Ends whatever is left of the bot and says how it went.
    pub(crate) fn leave(&mut self, buffer: &mut [u8]) -> Departure {
        if let Wires::Process(child) | Wires::Called(child, _) = &mut self.wires {
            if let Some(remains) = child.end() {
                self.stderr.push(format!("quintain: {remains}\n").as_bytes());
            }
            self.drain_stderr(buffer);
        }
        self.wires = Wires::Inside;
        self.hearing = Hearing::Over;
        self.pending.clear();
        Departure {
            exit: self.exit.take(),
            stderr: self.stderr.take(),
            unprotected: self.unprotected.take(),
        }
    }

    fn input(&self) -> Option<BorrowedFd<'_>> {
        match &self.wires {
            Wires::Inside | Wires::Idle(_) => None,
            Wires::Process(child) => child.stdout.as_ref().map(AsFd::as_fd),
            Wires::Stream(stream) => Some(stream.as_fd()),
            Wires::Called(_, arrival) => Some(arrival.as_fd()),
            Wires::Terminal(input, _) => Some(input.as_fd()),
        }
    }

    fn output(&self) -> Option<BorrowedFd<'_>> {
        match &self.wires {
            Wires::Inside | Wires::Idle(_) | Wires::Called(_, Arrival::Awaited(..)) => None,
            Wires::Process(child) => child.stdin.as_ref().map(AsFd::as_fd),
            Wires::Stream(stream) | Wires::Called(_, Arrival::Came(stream)) => Some(stream.as_fd()),
            Wires::Terminal(_, output) => Some(output.as_fd()),
        }
    }

    /// A bot that goes on writing to a closed pipe is ended by the system.
    fn close_input(&mut self) {
        if let Wires::Process(child) = &mut self.wires {
            child.stdout = None;
        }
    }

    fn close_output(&mut self) {
        self.pending.clear();
        match &mut self.wires {
            Wires::Process(child) => child.stdin = None,
            Wires::Stream(stream) | Wires::Called(_, Arrival::Came(stream)) => {
                // It fails if the other side is gone, and then there is nobody to tell.
                let _ = stream.shutdown(Shutdown::Write);
            }
            Wires::Inside | Wires::Idle(_) | Wires::Called(..) | Wires::Terminal(..) => {}
        }
    }
}

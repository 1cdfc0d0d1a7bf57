//! The way to a process: its pipes, its state files, its error output, its end.

use std::io::ErrorKind;
use std::time::Duration;

use quintain_core::{Exit, Limit};
use quintain_referee::{Counts, Unprotected};

use super::{Hearing, Link, Wires};
use crate::Child;
use crate::last_words;
use crate::limits::{LAST_BYTES_MAX, READ_BYTES};
use crate::state_folder::Due;

impl Link {
    /// To a process, on its standard input and output.
    pub fn process(child: Child) -> Link {
        Link::over(Wires::Process(child))
    }

    /// Writes a file below the folder of a process that has one of its own, and is still there.
    /// Others get no files. A failure, and what the bot did in that place, is told where its own
    /// complaint about a missing file will be.
    pub(crate) fn put_file(&mut self, due: Due, path: &str, bytes: &[u8]) {
        let Wires::Process(child) = &mut self.wires else {
            return;
        };
        let (Some(state_folder), Some(_)) = (&mut child.state_folder, &child.stdin) else {
            return;
        };
        let written = state_folder.put(due, path, bytes);
        for finding in state_folder.take_findings() {
            self.stderr.push(format!("quintain: the bot {finding}\n").as_bytes());
            self.meddling.push(finding.to_string());
        }
        if let Err(error) = written {
            let note = format!("quintain: cannot write {path}: {error}\n");
            self.stderr.push(note.as_bytes());
        }
    }

    /// The process is known to have ended. Who holds a connection is there as long as that is open:
    /// a script may have ended before the bot that it started.
    pub(crate) fn process_ended(&mut self, now: Duration) {
        let is_expected = self.is_expected();
        let Some(child) = self.child() else { return };
        let Some(exit) = child.exit() else { return };
        let exit = self.exit_in_sandbox(exit);
        let Some(child) = self.child() else { return };
        let may_come = is_expected && !child.is_alone();
        self.process_ended = true;
        if !self.ended_by_host {
            self.exit = Some(exit);
        }
        let Some(child) = self.child() else { return };
        if matches!(self.wires, Wires::Called(..)) && self.hearing == Hearing::Open {
            if is_expected && !may_come {
                self.hearing = Hearing::Ended { at: now, exit };
            }
            return;
        }
        let left = |child: &Child| {
            child
                .stdout
                .as_ref()
                .and_then(|pipe| rustix::io::ioctl_fionread(pipe).ok())
                .unwrap_or(0)
        };
        match self.hearing {
            Hearing::Open => {
                self.hearing = match left(child) {
                    0 => Hearing::Ended { at: now, exit },
                    bytes_left => Hearing::Draining { bytes_left, exit },
                }
            }
            Hearing::Ending { at, .. } => self.hearing = Hearing::Ended { at, exit },
            _ => {}
        }
        self.close_output();
    }

    /// How the bot ended, with what its error output says about its sandbox.
    pub(super) fn exit_in_sandbox(&mut self, exit: Exit) -> Exit {
        if self.child().and_then(Child::plan).is_none() || self.ended_by_host {
            return exit;
        }
        if let Some(judged) = self.judged {
            return judged;
        }
        let judged = self.judge(exit);
        self.judged = Some(judged);
        judged
    }

    fn judge(&mut self, exit: Exit) -> Exit {
        if self.is_over_output() {
            return Exit::Limit(Limit::Output);
        }
        self.drain_stderr(&mut [0; READ_BYTES]);
        let Some(plan) = self.child().and_then(Child::plan) else { return exit };
        let refused = match exit {
            Exit::Code(0) => None,
            _ => last_words::refused_file(self.stderr.bytes(), plan),
        };
        let exit = last_words::exit_behind(exit, self.stderr.bytes());
        if let Some(path) = refused {
            let path = path.display();
            let note = format!(
                "quintain: the sandbox does not let it read or change {path}: put it into the bot's own folder, \
                 let it write to $TMPDIR, or turn the sandbox off\n"
            );
            self.stderr.push(note.as_bytes());
        }
        exit
    }

    /// Whether the bot has written more error output than its sandbox allows.
    fn is_over_output(&self) -> bool {
        let limit = self.child().and_then(Child::plan).map(|plan| plan.limits.output);
        limit.is_some_and(|limit| self.said > limit)
    }

    /// Reads the error output that is there. Whatever a bot wrote before something that was read is
    /// there by then. One that writes faster than it is read does not hold anybody up.
    pub(crate) fn drain_stderr(&mut self, buffer: &mut [u8]) {
        for _ in 0..=LAST_BYTES_MAX / buffer.len() {
            if !self.read_stderr(buffer) {
                break;
            }
        }
    }

    /// Reads error output once and keeps the end of it. False if nothing is left.
    pub(crate) fn read_stderr(&mut self, buffer: &mut [u8]) -> bool {
        let (Wires::Process(child) | Wires::Called(child, _)) = &mut self.wires else {
            return false;
        };
        let Some(pipe) = &child.stderr else {
            return false;
        };
        match rustix::io::read(pipe, &mut *buffer) {
            Ok(count) if count > 0 => {
                self.stderr.push(&buffer[..count]);
                self.said += count as u64;
                if child.plan().is_some_and(|plan| self.said > plan.limits.output) {
                    child.kill();
                }
                return count == buffer.len();
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(rustix::io::Errno::INTR) => {}
            Ok(_) | Err(_) => child.stderr = None,
        }
        false
    }

    pub(crate) fn cpu(&self) -> Option<Duration> {
        self.child()?.cpu()
    }

    pub(crate) fn counts(&mut self) -> Option<Counts> {
        self.child_mut()?.counts()
    }

    pub(crate) fn wants_to_run(&mut self) -> bool {
        self.child_mut().is_some_and(Child::wants_to_run)
    }

    pub(crate) fn unprotected(&mut self) -> Option<&Unprotected> {
        self.child_mut()?.unprotected()
    }

    pub(super) fn child(&self) -> Option<&Child> {
        match &self.wires {
            Wires::Process(child) | Wires::Called(child, _) => Some(child),
            _ => None,
        }
    }

    pub(super) fn child_mut(&mut self) -> Option<&mut Child> {
        match &mut self.wires {
            Wires::Process(child) | Wires::Called(child, _) => Some(child),
            _ => None,
        }
    }
}

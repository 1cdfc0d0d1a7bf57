//! Finds out whether a silent bot has something to say: one whose output waits in a buffer says it
//! when its input ends.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use quintain_links::Launch;

/// A bot that has not said anything by then will not.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long its input stays open after the last line.
const HOLD: Duration = Duration::from_secs(1);
const GRACE: Duration = Duration::from_millis(20);
const PIECE_BYTES: usize = 4096;

/// What a bot does when its input ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Finale {
    /// What it says; empty if that is nothing.
    pub(super) said: String,
    /// Whether it ends.
    pub(super) has_ended: bool,
}

/// What the bot does when it is sent these lines and then nothing more; `None` if it cannot be
/// started again.
pub(super) fn at_the_end(launch: &Launch, lines: &[String], line_end: &str) -> Option<Finale> {
    let mut command = Command::new(&launch.program);
    command.args(&launch.args).envs(launch.env.iter().cloned());
    if let Some(folder) = &launch.folder {
        command.current_dir(folder);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let (mut input, mut output) = (child.stdin.take()?, child.stdout.take()?);
    let text: String = lines.iter().map(|line| format!("{line}{line_end}")).collect();
    let (sender, receiver) = mpsc::channel();
    let is_closing = Arc::new(AtomicBool::new(false));
    let writer = std::thread::spawn({
        let is_closing = Arc::clone(&is_closing);
        move || {
            // A bot that does not read is as silent as one that does.
            let _ = input.write_all(text.as_bytes());
            std::thread::sleep(HOLD);
            is_closing.store(true, Ordering::SeqCst);
            drop(input);
        }
    });
    std::thread::spawn(move || {
        let mut piece = [0; PIECE_BYTES];
        while let Ok(count @ 1..) = output.read(&mut piece) {
            let text = String::from_utf8_lossy(&piece[..count]).into_owned();
            if sender.send((text, is_closing.load(Ordering::SeqCst))).is_err() {
                return;
            }
        }
    });
    // What it says while its input is open waits in no buffer, and then neither does the rest.
    let first = receiver.recv_timeout(HOLD + PATIENCE).ok();
    let said = first.and_then(|(text, is_at_the_end)| is_at_the_end.then_some(text));
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE && !(writer.is_finished() && has_ended(&mut child)) {
        std::thread::sleep(GRACE);
    }
    let has_ended = has_ended(&mut child);
    let _ = child.kill();
    let _ = child.wait();
    Some(Finale { said: said.unwrap_or_default(), has_ended })
}

fn has_ended(child: &mut Child) -> bool {
    child.try_wait().is_ok_and(|status| status.is_some())
}

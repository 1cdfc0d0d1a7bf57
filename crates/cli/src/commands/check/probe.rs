//! Finds out whether a silent bot has something to say: one whose output waits in a buffer says it
//! when its input ends.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use quintain_links::Launch;

/// A bot that has not said anything by then will not.
const PATIENCE: Duration = Duration::from_secs(3);
const GRACE: Duration = Duration::from_millis(100);
const BYTES_MAX: u64 = 64 * 1024;

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
    let (mut input, output) = (child.stdin.take()?, child.stdout.take()?);
    let text: String = lines.iter().map(|line| format!("{line}{line_end}")).collect();
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        // A bot that does not read is as silent as one that does.
        let _ = input.write_all(text.as_bytes());
        drop(input);
        let mut said = String::new();
        let _ = output.take(BYTES_MAX).read_to_string(&mut said);
        let _ = sender.send(said);
    });
    let said = receiver.recv_timeout(PATIENCE);
    // Its output was closed just now; the rest of it needs a moment too.
    std::thread::sleep(GRACE);
    let has_ended = child.try_wait().is_ok_and(|status| status.is_some());
    let _ = child.kill();
    let _ = child.wait();
    Some(Finale { said: said.unwrap_or_default(), has_ended })
}

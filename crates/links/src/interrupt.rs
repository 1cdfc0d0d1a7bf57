//! Ctrl-C as a request to stop.

use std::io;

use nix::sys::signal::{SigSet, Signal};

use crate::StopSign;

/// What a shell reports for a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// From here on the first Ctrl-C (or SIGTERM) only raises `stop`; the second one ends the process.
/// To be called before other threads are started, since these inherit it.
///
/// # Errors
/// If the system refuses a thread.
pub fn stop_on_interrupt(stop: &StopSign) -> io::Result<()> {
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGINT);
    signals.add(Signal::SIGTERM);
    signals.thread_block()?;
    let stop = stop.clone();
    std::thread::Builder::new().name("interrupt".to_owned()).spawn(move || {
        if signals.wait().is_ok() {
            stop.request();
        }
        if signals.wait().is_ok() {
            std::process::exit(INTERRUPTED);
        }
    })?;
    Ok(())
}

//! Ctrl-C as a request to stop.

use std::io;

use nix::sys::signal::{SigSet, Signal};
use quintain_referee::Stop;

use crate::Quarters;

/// What a shell reports for a program that was interrupted.
pub const INTERRUPTED: u8 = 130;

/// From here on the first Ctrl-C (or SIGTERM) only asks for no more matches; the second one ends the
/// process. To be called as [`tell_interrupts`].
///
/// # Errors
/// If the system refuses a thread.
pub fn stop_on_interrupt(stop: &Stop) -> io::Result<()> {
    let stop = stop.clone();
    tell_interrupts(move |times| match times {
        1 => stop.no_more_matches(),
        _ => end_interrupted(),
    })
}

/// From here on Ctrl-C (or SIGTERM) only calls `told`, with 1 for the first time, on a thread of its
/// own. To be called before other threads are started, since these inherit it.
///
/// # Errors
/// If the system refuses a thread.
pub fn tell_interrupts(mut told: impl FnMut(u32) + Send + 'static) -> io::Result<()> {
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGINT);
    signals.add(Signal::SIGTERM);
    signals.thread_block()?;
    std::thread::Builder::new().name("interrupt".to_owned()).spawn(move || {
        for times in 1.. {
            if signals.wait().is_ok() {
                told(times);
            }
        }
    })?;
    Ok(())
}

/// From here on Ctrl-C (or SIGTERM) ends the process as before, but the folders that were made for
/// bots are removed first. To be called as [`tell_interrupts`].
///
/// # Errors
/// If the system refuses a thread.
pub fn tidy_up_on_interrupt() -> io::Result<()> {
    tell_interrupts(|_| {
        Quarters::remove_all();
        end_interrupted();
    })
}

/// Ends the process as one that was interrupted.
pub fn end_interrupted() -> ! {
    std::process::exit(INTERRUPTED.into())
}

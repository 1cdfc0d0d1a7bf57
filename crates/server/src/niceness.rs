//! Threads that yield to bots.

/// About a tenth of a processor that others want too.
const LEAST: i32 = 10;

/// From here on this thread runs where nobody else wants to: on the machine that plays, bots are timed.
/// Where the system does not let it, it runs as before.
pub(crate) fn yield_to_others() {
    let _ = rustix::process::setpriority_process(None, LEAST);
}

//! Every bound of this crate, by name, with the reason for its size.

use std::time::Duration;

/// Error output kept per bot between two takes. Enough for a stack trace or a printed board; bots
/// that write more than this in a turn are printing for nobody.
pub const STDERR_BYTES_KEPT: usize = 64 * 1024;

/// Error output read per bot and wake, so that one that writes for ever leaves room for the rest.
pub const STDERR_BYTES_PER_WAKE: usize = 64 * 1024;

/// Output waiting for a bot that does not read. The largest prompt of the games is far below one
/// mebibyte; a bot that is this far behind will not catch up and counts as closed.
pub const PENDING_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Bytes taken from a bot by one read. An answer is a few dozen bytes; a flood is met in pieces
/// small enough to stay fair to the other bot and to the deadline.
pub const READ_BYTES: usize = 16 * 1024;

/// Bytes written at once to a terminal, whose writes may block: a pipe that is ready for writing
/// takes this many (`PIPE_BUF`).
pub const TERMINAL_WRITE_BYTES: usize = 4096;

/// Lines handed out from what was already read before the other bot is looked at again.
pub const LINES_PER_LOOK: u32 = 32;

/// How long the exit status of a process is awaited after its output was closed. A process that
/// ends closes its pipes a few microseconds before it can be waited for.
pub const EXIT_STATUS_WAIT: Duration = Duration::from_millis(5);

/// How long the exit status is awaited in all while the process is on its way out; then it counts as one
/// that closed its output.
pub const EXIT_STATUS_WAIT_MAX: Duration = Duration::from_secs(2);

/// How long processes that were killed are awaited. They end within microseconds; only giving back
/// gigabytes of memory takes longer, or a disk that does not answer. Who is still there then is told and
/// left to the system.
pub const KILLED_WAIT: Duration = Duration::from_secs(5);

/// How often it is looked whether processes have ended that are not this one's own to wait for.
pub const ENDING_LOOK: Duration = Duration::from_millis(1);

/// Looks for processes that a bot started, until none is new. More than two find something only if it goes
/// on to start others.
pub const FAMILY_LOOKS_MAX: usize = 8;

/// How long a process may take to leave by itself at the end of a match. Many bots never leave,
/// so every match against such a bot takes this much longer.
pub const PROCESS_GRACE: Duration = Duration::from_millis(20);

/// How long a connection is kept at its end, so that the last message arrives: the other side has
/// this long to read it and to close. Local clients need a fraction of a millisecond.
pub const STREAM_LINGER: Duration = Duration::from_millis(200);

/// What is still read and thrown away from a pipe or a connection after the end. A pipe holds at
/// most this much without privileges, so all that a bot itself wrote is seen.
pub const LAST_BYTES_MAX: usize = 1024 * 1024;

/// Connections of a host, seated or not. Below the usual limit of 1024 open files per process.
pub const CONNECTIONS_MAX: usize = 512;

/// Connections accepted in a row before those that exist are looked at.
pub const ACCEPTS_PER_WAKE: usize = 32;

/// Bytes taken per wake from a client that waits for its match. A name has a few dozen bytes.
pub const CLIENT_READ_BYTES: usize = 4 * 1024;

/// Output waiting for a client that has no match yet. The dialogue before a match has a few lines,
/// so whoever is this far behind does not read.
pub const CLIENT_PENDING_BYTES_MAX: usize = 64 * 1024;

/// How long no connection is accepted when the system has no room for one, so that the host does
/// not spin until there is.
pub const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// A line that a host says to a house bot. Longer than any line of the games, and a bound against
/// a server that is none of ours.
pub const TALK_LINE_BYTES_MAX: usize = 1024 * 1024;

/// Folders looked into for a `bot.json`. Enough for a bot with all of its libraries beside it.
pub const MANIFEST_SEARCH_MAX: usize = 20_000;

/// Bytes of a `bot.json`. Real ones have a few hundred.
pub const MANIFEST_BYTES_MAX: u64 = 64 * 1024;

/// Characters of the name that a bot gives itself, which becomes part of tables and of names of files.
pub const NICK_NAME_CHARS_MAX: usize = 64;

/// Files and folders in a private copy of a bot's folder. Libraries of a script language have tens
/// of thousands.
pub const COPY_ENTRIES_MAX: usize = 500_000;

/// Bytes in a private copy.
pub const COPY_BYTES_MAX: u64 = 4 * 1024 * 1024 * 1024;

/// Bytes in a private copy that is kept in memory.
pub const MEMORY_COPY_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Files and folders that are removed with a bot's folder, so that one that fills its storage with empty
/// files does not hold up the arena. What is left is removed by later runs.
pub const REMOVED_ENTRIES_MAX: usize = 4 * COPY_ENTRIES_MAX;

/// Free space that memory-backed storage must have to be used for state files: several matches at
/// the same time, of 25 MB for each bot.
pub const ROUNDS_ROOM: u64 = 256 * 1024 * 1024;

/// Folders inside each other in what a build has made.
pub const HARVEST_DEPTH_MAX: usize = 128;

/// Bytes of the log of a build.
pub const BUILD_LOG_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Processes and threads of a build. Compilers start one for each core and file.
pub const BUILD_PROCESSES_MAX: u64 = 512;

/// A folder that was made for a bot and is not held yet is removed when it is this old.
pub const STALE_AFTER: Duration = Duration::from_secs(60);

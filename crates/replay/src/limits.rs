//! Every bound of a replay. The writer keeps to them, so that the reader can insist on them: what a
//! stranger's file can cost is known before it is opened.

/// The first line: names, the config and the setup. The largest map of the games takes 70 kB.
pub const HEADER_BYTES_MAX: usize = 1024 * 1024;

/// Any other line. The most that the referee hears and keeps in one step, every character of it
/// escaped, takes two thirds of it.
pub const LINE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Steps of a match. The longest match of the games with all lines refused that are heard in a turn
/// takes less.
pub const STEPS_MAX: usize = 1_000_000;

/// All lines together, unpacked. A match of Overdrive whose bots fill their error output in each of
/// its 600 rounds takes a fifth of it.
pub const TOTAL_BYTES_MAX: u64 = 512 * 1024 * 1024;

/// The window of a compressed file, as a power of two: what the reader must keep of what it has
/// unpacked. `zstd -19` takes as much.
pub const WINDOW_LOG_MAX: u32 = 23;

/// What the frames of a film take in memory at most.
pub const FILM_BYTES_MAX: usize = 128 * 1024 * 1024;

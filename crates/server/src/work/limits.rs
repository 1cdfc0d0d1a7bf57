//! Every bound that a worker or an organiser could reach.

use std::time::Duration;

/// Anything that is neither a report nor an archive.
pub(super) const WORDS_BYTES_MAX: usize = 4 * 1024 * 1024;
/// An archive of a bot, or what a worker reports of a job: replays are most of it.
pub(super) const BODY_BYTES_MAX: usize = 64 * 1024 * 1024;
/// How long a request may take, its body included.
pub(super) const REQUEST_TIME_MAX: Duration = Duration::from_secs(60);
/// How long a worker is kept waiting for a job.
pub(super) const CLAIM_TIME_MAX: Duration = Duration::from_secs(8);
/// After which time it is looked again, since leases run out without a word.
pub(super) const CLAIM_PAUSE: Duration = Duration::from_secs(2);
/// How long an organiser is kept waiting for results.
pub(super) const COLLECT_TIME_MAX: Duration = Duration::from_secs(20);
/// Games of one answer, and where it ends before that.
pub(super) const COLLECT_GAMES_MAX: u32 = 200;
pub(super) const COLLECT_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Games of one job.
pub(super) const JOB_GAMES_MAX: usize = 64;
/// What is kept of a worker's log.
pub(super) const LOG_CHARS_MAX: usize = 4000;
/// What is kept of the word by which a worker calls its start.
pub(super) const SESSION_CHARS_MAX: usize = 64;
/// Games that a worker may say it plays at a time.
pub(super) const SLOTS_MAX: u32 = 1024;
/// How often it is looked for orders and files that nobody will ask for any more.
pub(super) const SWEEP_PAUSE: Duration = Duration::from_secs(3600);
/// An archive of no order is kept for so long after it was last sent or asked for.
pub(super) const BOT_TIME_MAX: Duration = Duration::from_secs(30 * 24 * 3600);
/// What all of them may take together.
pub(super) const BOTS_BYTES_MAX: u64 = 20 * 1024 * 1024 * 1024;
/// Jobs that were given up, and canaries, of one page.
pub(super) const LISTED_MAX: usize = 50;

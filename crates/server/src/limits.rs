//! Every bound that a stranger could reach.

use std::time::Duration;

/// Connections at a time; further ones wait until one of these has ended.
pub(crate) const CONNECTIONS_MAX: usize = 256;
/// How long a client may take to say what it wants, and how long it may say nothing.
pub(crate) const HEADER_TIME_MAX: Duration = Duration::from_secs(10);
/// How long an answer may take to be made.
pub(crate) const REQUEST_TIME_MAX: Duration = Duration::from_secs(60);
/// How long a connection lives, however busy or slow it is.
pub(crate) const CONNECTION_TIME_MAX: Duration = Duration::from_secs(120);
/// What a request's head may take.
pub(crate) const HEAD_BYTES_MAX: usize = 16 * 1024;
pub(crate) const HEADERS_MAX: usize = 64;

/// Films, explanations and pictures that are made at the same time.
pub(crate) const MAKERS_MAX: usize = 2;
/// Threads that read files and make pages.
pub(crate) const THREADS_MAX: usize = 8;
/// What is kept of what was made.
pub(crate) const CACHE_BYTES_MAX: usize = 24 * 1024 * 1024;
/// What is kept of replays that were only glanced at.
pub(crate) const GLANCES_MAX: usize = 4096;

/// Folders below the opened one.
pub(crate) const DEPTH_MAX: usize = 6;
/// Files and folders that are looked at for a list.
pub(crate) const ENTRIES_MAX: usize = 20_000;
/// Matches on one page of a list.
pub(crate) const LISTED_MAX: usize = 25;
/// A replay that is sent as it is.
pub(crate) const DOWNLOAD_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Steps whose explanations are sent together.
pub(crate) const STEPS_OF_CHUNK: usize = 20;
/// What is told of a state file.
pub(crate) const FILE_LETTERS_MAX: usize = 512 * 1024;

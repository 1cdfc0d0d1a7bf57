//! Every bound that a stranger could reach.

use std::time::Duration;

/// Connections at a time; further ones wait until one of these has ended.
pub(crate) const CONNECTIONS_MAX: usize = 1024;
/// Of these, those by which events are sent; so that there is always a way to a page.
pub(crate) const STREAMS_MAX: usize = 768;
/// How long a client may take to say what it wants, and how long it may say nothing.
pub(crate) const HEADER_TIME_MAX: Duration = Duration::from_secs(10);
/// How long an answer may take to be made.
pub(crate) const REQUEST_TIME_MAX: Duration = Duration::from_secs(60);
/// How long a client may take to send what follows the head of its request.
pub(crate) const BODY_TIME_MAX: Duration = Duration::from_secs(20);
/// How long a connection lives, however busy or slow it is, if no events are sent by it. For the time of a request before
/// that it is asked for no further one.
pub(crate) const CONNECTION_TIME_MAX: Duration = Duration::from_secs(120);
/// How long events are sent by one connection; a browser asks for the next ones by itself.
pub(crate) const STREAM_TIME_MAX: Duration = Duration::from_secs(600);
/// What the system keeps for a client that does not read. Without it a crowd of them would take gigabytes.
pub(crate) const SEND_BUFFER_BYTES: usize = 256 * 1024;
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

/// Matches of one run that are filmed at the same time, and that are begun to be filmed in one period.
pub(crate) const FILMED_MAX: usize = 4;
pub(crate) const FILMED_PERIOD: Duration = Duration::from_secs(2);
/// Matches that are over and can still be asked for as they were sent.
pub(crate) const LIVE_KEPT_MAX: usize = 4;
/// What frames take that wait to be made into lines; beyond it some are left out.
pub(crate) const LIVE_QUEUE_BYTES_MAX: usize = 8 * 1024 * 1024;
/// What is kept of the lines of one match; beyond it the first ones go.
pub(crate) const LIVE_LOG_BYTES_MAX: usize = 8 * 1024 * 1024;
/// About how much a viewer is sent at a time.
pub(crate) const LIVE_CHUNK_BYTES: usize = 64 * 1024;
/// A viewer is sent something no more often than this: several turns at once if there are that many.
pub(crate) const LIVE_PACE: Duration = Duration::from_millis(40);
/// Whoever is further behind skips to the latest turn.
pub(crate) const LIVE_LAG_MAX: Duration = Duration::from_secs(2);
/// How often something is sent at least, so that both sides see whether the other is there.
pub(crate) const LIVE_SILENCE_MAX: Duration = Duration::from_secs(15);
/// How often it is looked whether the page of a run would say something else.
pub(crate) const PAGE_LOOK: Duration = Duration::from_secs(1);
/// Looks of a film that grows; beyond it the list begins anew.
pub(crate) const LOOKS_MAX: usize = 10_000;

/// Games of persons that are played at a time.
pub(crate) const ROOMS_MAX: usize = 16;
/// Games of persons that are remembered, those that are over included.
pub(crate) const ROOMS_KEPT_MAX: usize = 64;
/// How long a game waits for a person who does nothing, and how long one is remembered that is over.
pub(crate) const IDLE_TIME_MAX: Duration = Duration::from_secs(30 * 60);
/// How long a page waits for news before it asks again.
pub(crate) const NEWS_TIME_MAX: Duration = Duration::from_secs(20);
/// How many pages of one person may wait for news at a time.
pub(crate) const LISTENERS_MAX: usize = 4;
/// Frames that a page may be behind before it skips to the latest.
pub(crate) const FRAMES_KEPT: usize = 64;
/// How often a person may take back in one game.
pub(crate) const TAKE_BACKS_MAX: u32 = 200;
/// What a person may send at once.
pub(crate) const SENT_BYTES_MAX: usize = 4096;
pub(crate) const NAME_LETTERS_MAX: usize = 24;

/// Matches of house bots that programs ask for: played at a time, waiting for that, and remembered.
pub(crate) const HOUSE_MATCHES_PLAYED_MAX: usize = 2;
pub(crate) const HOUSE_MATCHES_WAITING_MAX: usize = 16;
pub(crate) const HOUSE_MATCHES_KEPT_MAX: usize = 64;
/// How long one of them may take.
pub(crate) const HOUSE_MATCH_TIME_MAX: Duration = Duration::from_secs(5 * 60);
/// After how many seconds somebody may try again whom no room was left for.
pub(crate) const RETRY_SECONDS: u16 = 10;

/// Folders below the opened one.
pub(crate) const DEPTH_MAX: usize = 6;
/// Files and folders that are looked at for a list.
pub(crate) const ENTRIES_MAX: usize = 20_000;
/// Matches on one page of a list.
pub(crate) const LISTED_MAX: usize = 25;
/// Matches of a store on one page.
pub(crate) const MATCHES_MAX: usize = 50;
/// Games that are looked at for such a page, where no index leads to those that are wanted.
pub(crate) const SEARCHED_MAX: u64 = 60_000;
/// Names that a form offers.
pub(crate) const NAMES_OFFERED_MAX: usize = 500;
/// Tags of a match in a list.
pub(crate) const TAGS_SHOWN: usize = 4;
/// Bots of a run in a list.
pub(crate) const RUN_BOTS_NAMED: usize = 6;
/// Runs of a bot that its page looks at.
pub(crate) const BOT_RUNS_MAX: usize = 20;
/// Late answers and void games on a page.
pub(crate) const TROUBLES_SHOWN: usize = 50;
/// Rows of a table beside a curve.
pub(crate) const EVIDENCE_ROWS: usize = 20;
/// Matches and rows of a table that are shown at a time by a projector.
pub(crate) const PROJECTED_MATCHES: usize = 3;
pub(crate) const PROJECTED_ROWS: usize = 8;
/// As many rows have room for larger letters.
pub(crate) const PROJECTED_FEW: usize = 5;
/// Bots whose cross table, and rounds that can be read on it from far away.
pub(crate) const PROJECTED_CROSS: usize = 10;
pub(crate) const PROJECTED_ROUNDS: usize = 4;
/// Comparisons whose games are kept in mind.
pub(crate) const WATCHED_MAX: usize = 16;
/// A replay that is sent as it is.
pub(crate) const DOWNLOAD_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Steps whose explanations are sent together.
pub(crate) const STEPS_OF_CHUNK: usize = 20;
/// What is told of a state file.
pub(crate) const FILE_LETTERS_MAX: usize = 512 * 1024;

//! Plays many matches at a time and keeps what came out of them.
//!
//! An [`Arena`] says how every match is played, a `Schedule` of `quintain-tournament` which ones.
//! [`play_all`] brings both together: slots, one thread each, play one match after the other; a
//! finished game is committed to the store before its slot is given the next one, so that whoever is
//! killed loses only the games that were running. A match that the machine disturbed is played
//! again, at most [`REPEATS_MAX`] times, and is void then.
//!
//! *Not here:* what results mean (`quintain-tournament`), where they are kept (`quintain-store`), the
//! rules of any game, and everything that is shown to a person.
//!
//! Reading order: `occupant.rs` (who plays, from a text to a link), `files.rs` (what a bot consists of;
//! `script.rs` goes with it), `builds.rs` (what is built first), `arena.rs` (how), `one_match.rs` (one game with its repetitions), `slots.rs`
//! (many), `plan/` (what a run is), `run/` (what plays it), `results/` (what came of runs, as data),
//! `cores.rs` (how many at a time), `password.rs` (how that of a store is kept out of sight). Apart from these:
//! [`work`] (games that other machines play), [`scale`] (how strong house bots are), [`explain`] (where a match turned), [`check`] (what is wrong with a bot), [`audit`] (with a replay) and [`machine`] (with a computer).

mod arena;
pub mod audit;
mod builds;
pub mod check;
mod cores;
pub mod explain;
mod feed;
mod files;
mod forgiveness;
mod key_file;
pub mod machine;
mod occupant;
mod one_match;
mod open_replay;
mod password;
pub mod plan;
mod replay_folder;
pub mod results;
pub mod run;
pub mod scale;
mod script;
mod slots;
mod whole_file;
pub mod work;

pub use arena::{Arena, ArenaError, Replays, file_name_part};
pub use builds::{BUILDS_FOLDER, Built, Unbuildable, build_folders, folder_of};
pub use cores::{Concurrency, CoresError, cores, cores_of_a_match};
pub use feed::{FEED_START_LIMIT, FeedFailure, FeedPlan, FeedReport, feed};
pub use files::{BotFile, digests_of, digests_of_seats, files_of};
pub use forgiveness::{Forgiveness, GAMES_PER_VOID, VOIDS_FREE};
pub use key_file::{KeyFileError, make_key, public_key, read_key};
pub use occupant::{
    LINK_VARIABLE, OccupantError, STATE_VARIABLE, SeatNeeds, SeatNews, Seating, SeatingError,
    StartWhen, addresses_in_words, parse, parse_contestant, parse_pair, split_name, take_seat,
    take_seats, try_start,
};
pub use one_match::{PlayedGame, REPEATS_MAX};
pub use open_replay::{OpenReplayError, open_replay};
pub use password::{address_with_password, hide_password};
pub use replay_folder::{REPLAY_EXTENSION, REPLAYS_FOLDER, free_path};
pub use results::{book_of, path_in_store, replay_path};
pub use script::has_windows_line_ends;
pub use slots::{RunEnd, Supervisor, Wish, play_all};
pub use whole_file::write_whole;

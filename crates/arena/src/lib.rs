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
//! Reading order: `contestant.rs` (who plays; `script.rs` goes with it), `arena.rs` (how), `one_match.rs`
//! (one game with its repetitions), `slots.rs` (many), `results/` (what came of runs, as data),
//! `cores.rs` (how many at a time). Apart from these: [`check`] (what is wrong with a bot) and [`machine`]
//! (what is wrong with a computer).

mod arena;
mod audit;
pub mod check;
mod contestant;
mod cores;
mod forgiveness;
pub mod machine;
mod one_match;
pub mod results;
mod script;
mod slots;

pub use arena::{Arena, ArenaError, Replays, file_name_part};
pub use audit::check_against_replay;
pub use contestant::{
    BotError, Contestant, ContestantKind, STATE_VARIABLE, StartError, StateFiles, digests_of,
    split_name, start, state_name,
};
pub use cores::{Concurrency, CoresError, cores, cores_of_a_match};
pub use forgiveness::{Forgiveness, GAMES_PER_VOID, VOIDS_FREE};
pub use one_match::{PlayedGame, REPEATS_MAX};
pub use results::{book_of, path_in_store, replay_path};
pub use script::has_windows_line_ends;
pub use slots::{Ended, Watcher, Wish, play_all};

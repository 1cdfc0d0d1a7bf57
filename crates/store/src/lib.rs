//! Where compare, tournament and evaluate keep their games: SQLite in a file by default, PostgreSQL
//! when that is outgrown, through the same code and the same statements.
//!
//! A [`Store`] holds runs, a run holds games. [`Store::begin`] begins a run or goes on with it and
//! gives a [`Run`], which is the right to add games: no second process has it at the same time, and
//! a process that is killed loses it at once. [`Run::record`] returns when the game can survive a
//! power cut. [`Run::finished`] says what need not be played again. Everything else reads: standings
//! come from [`Store::tally`], lists from [`Store::games`].
//!
//! ```no_run
//! use quintain_record::{MatchId, MatchRecord};
//! use quintain_store::{BotEntry, RunPlan, Store};
//! # fn play(_: MatchId) -> MatchRecord { unimplemented!() }
//! # fn schedule() -> Vec<MatchId> { Vec::new() }
//! # fn main() -> Result<(), quintain_store::StoreError> {
//! let store = Store::open("final.db")?;
//! let run = store.begin(&RunPlan {
//!     name: "final".to_owned(),
//!     kind: "round-robin".to_owned(),
//!     game: "fencing".to_owned(),
//!     settings: r#"{"league":2,"first_seed":1}"#.to_owned(),
//!     bots: vec![BotEntry::new("ada", "./ada"), BotEntry::new("bob", "./bob")],
//! })?;
//! let finished = run.finished()?;
//! for id in schedule().into_iter().filter(|id| !finished.contains(*id)) {
//!     run.record(&play(id))?;
//! }
//! for pair in store.tally(run.id())? {
//!     println!("{:?}: {:?}", pair.bots, pair.pairs);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Async code stays inside: every function here blocks, and none may be called from a task of an
//! async runtime (use a thread that may block). All types can be shared between threads.
//!
//! *Not here:* schedules, ratings and what a result means (`quintain-tournament`), playing, and the
//! contents of replays, which are files beside the store that are named here.
//!
//! Reading order: `store.rs` (the door), `writer.rs` (how a game becomes
//! durable), `tally.rs` and `sums.rs` (standings), `migrations/` (the tables). Apart from these [`work`]: games that
//! other machines play, on the same engines.

pub mod address;
mod engine;
mod error;
mod examine;
mod filter;
mod finished;
mod insert;
mod layout;
mod list;
mod lock;
mod pages;
mod plan;
mod results;
mod run;
mod schema;
mod spread;
mod statement;
mod store;
mod store_address;
mod sums;
mod tally;
mod whole;
pub mod work;
mod writer;

pub use error::StoreError;
pub use examine::{Examination, Finding};
pub use filter::{Errors, Filter, TagFilter, TagFilterError, TagTest};
pub use finished::Finished;
pub use pages::{Games, WholeGames};
pub use plan::{BotEntry, FILES, RunInfo, RunPlan, digest, digest_read};
pub use results::ResultRows;
pub use run::{Recorded, Run};
pub use spread::TagSpread;
pub use store::{RunId, Store, now_ms};
pub use tally::{Copies, FaultTally, PairTally, Results};

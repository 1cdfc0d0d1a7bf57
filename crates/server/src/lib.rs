//! Matches and results in the browser: the pages of `quintain serve`, the films that its player shows, and pages
//! to mail.
//!
//! A page is a struct with its template (`pages/`); how long it may be kept and what it may do stand
//! beside it (`page.rs`). The player is plain ES modules below `web/`, sent as they are. It
//! knows shapes and no game: what a match looks like is said by the scenes of its game, once, and comes
//! as a film whose frames say only what changed (`film_text.rs`).
//!
//! Persons play here against house bots and each other (`people.rs`), and their replays are written as all are.
//! House bots play whom programs want to see (`house_matches.rs`). Who may begin either is said by `permission.rs`.
//! Otherwise nothing plays a match and no page changes a file: a request only looks. Matches that are played now
//! are told of by whoever plays them (`live.rs`). What other machines play for whoever asks for it goes through
//! `work/`, by tokens. What strangers can ask for is bounded in `limits.rs`, what they may name in `served_replays.rs`, who
//! may ask in `guard.rs`. What programs ask for is in `api.rs`.
//!
//! Where to start reading: `app.rs` is the list of addresses, `listen.rs` how connections are kept
//! within bounds, `mailed.rs` the page that needs no server.

mod api;
mod app;
mod assets;
mod cache;
mod demo;
mod error;
mod expected;
mod explain;
mod exposition;
mod film_text;
mod guard;
mod house_matches;
mod limits;
mod listen;
mod live;
mod mailed;
mod manual;
mod niceness;
mod operations;
mod packed;
mod page;
mod pages;
mod people;
mod permission;
mod results;
mod scene_text;
mod schemas;
mod served_replays;
mod studio;
mod tls;
mod url;
mod work;

pub use error::ServeError;
pub use guard::Neighbours;
pub use listen::{Plan, Server};
pub use live::{Hub, Showing, ShowingPlan, Watched, WatchedRun};
pub use mailed::mailed_page;
pub use results::{evaluation_page, tournament_page};
pub use schemas::{SCHEMA_NAMES, schema};
pub use served_replays::ServedReplays;
pub use tls::{Tls, TlsError};
pub use work::{ScaleLimits, Work};

/// The address of a match on its server, by its id.
pub fn match_address(id: &str) -> String {
    url::of_replay("/match/", id)
}

/// The address of a match that is played now, by its number among those of its run.
pub fn live_address(number: u64) -> String {
    format!("/live/{number}")
}

//! Matches in the browser: the pages of `quintain serve`, the films that its player shows, and pages
//! to mail.
//!
//! A page is a struct with its template (`pages/`); how long it may be kept and what it may do stand
//! beside it (`page.rs`). The player is plain ES modules below `web/`, sent as they are. It
//! knows shapes and no game: what a match looks like is said by the scenes of its game, once, and comes
//! as a film whose frames say only what changed (`film_text.rs`).
//!
//! Nothing here plays a match, and nothing changes a file: every request only looks. What strangers
//! can ask for is bounded in `limits.rs`, what they may name in `shelf.rs`, who may ask in `guard.rs`.
//!
//! Where to start reading: `app.rs` is the list of addresses, `listen.rs` how connections are kept
//! within bounds, `mailed.rs` the page that needs no server.

mod app;
mod assets;
mod cache;
mod error;
mod explain;
mod film_text;
mod guard;
mod limits;
mod listen;
mod mailed;
mod packed;
mod page;
mod pages;
mod shelf;
mod studio;
mod url;

pub use error::ServeError;
pub use guard::Neighbours;
pub use listen::{Plan, Server};
pub use mailed::mailed_page;
pub use shelf::Shelf;

/// The address of a match on its server, by its id.
pub fn match_address(id: &str) -> String {
    url::of_replay("/match/", id)
}

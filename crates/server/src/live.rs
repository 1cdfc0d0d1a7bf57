//! Matches while they are played. Whoever plays tells a [`Hub`], by way of [`Watched`]; whoever looks on is sent
//! events. The match waits for nobody: its frames go to a thread that makes lines of them (`filming.rs`), the lines
//! into a log that all viewers share (`live_match.rs`), and each viewer takes from it what he has not seen yet, at
//! his own pace (`stream.rs`).

mod filming;
mod hub;
mod live_match;
mod showing;
mod stream;
mod watched;

pub use hub::Hub;
pub(crate) use live_match::{LiveMatch, MatchAbout, event};
pub use showing::{Showing, ShowingPlan};
pub(crate) use stream::{Lease, Streams, event_stream, events_of, last_seen};
pub use watched::{Watched, WatchedRun};

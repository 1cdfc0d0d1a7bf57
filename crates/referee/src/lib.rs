//! Plays one match: asks the seats that must act, judges lateness, passes faults to the rules and
//! records every line heard.
//!
//! [`Table`] is the pure part, a machine without clock or input that takes lines and faults; the
//! live match ([`play()`]) and the replayed one drive the same machine. [`World`] is the door for
//! time and bots, with [`SimWorld`] as its simulated twin.
//!
//! What is deliberately absent: processes, sockets and files (`quintain-links`, `quintain-replay`).

mod chance;
mod follower;
mod meet;
mod noise;
mod play;
mod record;
mod sim;
mod stop;
mod table;
mod world;

pub use chance::Recorder;
pub use follower::{Follower, Step};
pub use meet::{IntroductionLine, Meeting, meet};
pub use noise::{Counts, LateAnswer, ThreadCounts};
pub use play::{LINES_PER_TURN_MAX, MatchEnd, MatchRules, Player, play};
pub use record::{Input, Message, StepRecord, Timing};
pub use sim::{Actor, SimWorld};
pub use stop::Stop;
pub use table::{Ask, Table};
pub use world::{Capped, Departure, Heard, Incoming, Unprotected, Wait, World};

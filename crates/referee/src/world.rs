//! The door through which everything uncertain enters a match: time, and what bots send.

use std::fmt;
use std::time::Duration;

use quintain_core::{Absence, Exit, Item, PerSeat, Seat};

use crate::Counts;

/// What came from a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line without its line end, as the bytes that came.
    Line(Vec<u8>),
    /// A line longer than the framing allows. Nothing more is heard from this seat but `Closed`.
    Overlong,
    /// The bot will not say anything any more. Heard once, after its last line.
    Closed(Exit),
}

/// Something heard, stamped with the moment at which its last byte was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incoming {
    pub seat: Seat,
    pub at: Duration,
    pub heard: Heard,
}

/// Text of which only a bounded part was kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capped {
    pub text: String,
    /// Bytes that came and were not kept.
    pub dropped: u64,
}

impl Capped {
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.dropped == 0
    }
}

/// Why nobody can tell whether a bot was kept waiting by the machine, so that late is late for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unprotected {
    /// The system does not count how long programs wait for a processor.
    NotCounted,
    /// Several processes work for it at a time; these are their names.
    SeveralProcesses(Vec<String>),
    /// It was excused too often: so many of its games are void.
    UsedUp { voids: u64 },
}

impl fmt::Display for Unprotected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unprotected::NotCounted => {
                f.write_str("this system does not count how long a program waits for a processor")
            }
            Unprotected::SeveralProcesses(names) => write!(
                f,
                "it consists of several processes that work at the same time ({})",
                names.join(", ")
            ),
            Unprotected::UsedUp { voids } => {
                write!(f, "{voids} of its games are void already because it was late")
            }
        }
    }
}

/// How a bot's part ended: measurements that only the real world has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Departure {
    /// How it left by itself; `None` if it was still there and was ended by the host.
    pub exit: Option<Exit>,
    /// What it wrote to its error output and nobody has taken yet.
    pub stderr: Capped,
    /// Why a late answer of it could not be excused, whoever was at fault, if that was so.
    pub unprotected: Option<Unprotected>,
}

/// What came of waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    Came(Incoming),
    /// The moment that was waited for.
    TimeUp,
    /// Nothing can be heard ever again.
    Silent,
    /// The match is to end where it is.
    Stopped,
}

impl Wait {
    /// What was heard, if that is all that matters.
    pub fn incoming(self) -> Option<Incoming> {
        match self {
            Wait::Came(incoming) => Some(incoming),
            Wait::TimeUp | Wait::Silent | Wait::Stopped => None,
        }
    }
}

/// Both bots of one match and the clock, behind one inbox. No method has a default, so that a world
/// which wraps another cannot lose one.
pub trait World {
    /// Time since the world was made.
    fn now(&self) -> Duration;

    /// Queues something for a bot. Never blocks and never fails: a bot that does not read, or is
    /// gone, is noticed by what it says or no longer says.
    fn send(&mut self, seat: Seat, item: &Item);

    /// Does what can be done of a message before it is sent: a file can be written, a line must wait.
    /// The same is sent later, before anything else for this bot, or never.
    fn prepare(&mut self, seat: Seat, item: &Item);

    /// Has what was queued leave soon, without waiting for anything. [`World::next`] does that too.
    fn flush(&mut self);

    /// The next thing heard, or [`Wait::TimeUp`] once `now() >= until`. What was queued by `send` is on
    /// its way before this waits. Without `until` it waits until something is heard, or
    /// [`Wait::Silent`]. Once it is [`Wait::Stopped`] it stays so.
    fn next(&mut self, until: Option<Duration>) -> Wait;

    /// Whether the match is to end where it is. [`World::next`] says so too; this is for matches that
    /// never wait.
    fn is_stopped(&self) -> bool;

    /// Why a bot will never be ready, if that is known before the match.
    fn absence(&self, seat: Seat) -> Option<Absence>;

    /// Stops listening to a bot and closes the way to it. `Closed` is not heard for it.
    fn hang_up(&mut self, seat: Seat);

    /// The processor time that the bot has used so far, where that can be known: of all its threads, and
    /// of all its processes that the last call of [`World::counts`] found.
    fn cpu(&mut self, seat: Seat) -> Option<Duration>;

    /// What the system has counted for each thread of the bot so far, where that can be known. To read
    /// them takes a while.
    fn counts(&mut self, seat: Seat) -> Option<Counts>;

    /// How long the calling thread was ready to run and had to wait for a processor, so far.
    fn referee_waited(&mut self) -> Duration;

    /// Whether the bot wants to run right now, or runs: one of its threads waits for nothing but a
    /// processor.
    fn wants_to_run(&mut self, seat: Seat) -> bool;

    /// Whether something that the bot has said is here by now: [`World::next`] will give it.
    fn has_said(&mut self, seat: Seat) -> bool;

    /// Why the counts of the bot do not tell whether it was kept waiting; `None` if they do.
    fn unprotected(&mut self, seat: Seat) -> Option<Unprotected>;

    /// Takes what the bot wrote to its error output since the last call: at least all that it wrote
    /// before whatever was heard from it last.
    fn stderr(&mut self, seat: Seat) -> Capped;

    /// What the bot did to its state files since the last call, in words; it was put right.
    fn meddling(&mut self, seat: Seat) -> Vec<String>;

    /// Ends the match for both bots, the first seat's first: what is queued is given a short time
    /// to leave, then connections are closed and processes ended. Nothing is heard after this.
    fn finish(&mut self) -> PerSeat<Departure>;
}

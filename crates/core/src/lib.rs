//! The vocabulary that games, referee and tools share: seats, replies, outcomes, chance, and the
//! traits that a game implements.
//!
//! What is deliberately absent: input and output, clocks, threads, text of any particular game.
//! Everything here is a plain value or a trait over plain values, so that the rules of a game can
//! be played by a referee, searched by a bot and replayed by a verifier without change.
//!
//! Where to start reading: [`Game`] (the rules), [`Protocol`] (the text around the rules), then
//! [`Seat`], [`Reply`] and [`Outcome`].

mod chance;
mod code;
pub mod codingame;
mod conform;
pub mod decimal;
mod digest;
pub mod entelect;
mod error_kind;
mod field;
mod game;
mod house;
mod java;
mod java_case;
mod java_int;
mod kotlin;
mod lobby;
pub mod measure;
mod nearest;
mod notation;
mod opinion;
mod outcome;
mod perft;
mod plain;
mod protocol;
mod reply;
pub mod scene;
mod seat;
mod settings;
mod setup;
mod text;
mod thinking;

pub use chance::{Chance, Luck, NoChance, SEED_BITS_USUAL, SeededChance, SplitMix64, drawn_seed};
pub use code::{CodeError, decode};
pub use conform::{
    Conform, Difference, Mismatch, RecordedHeader, Rest, Transcript, recorded_answer, same,
    stops_early, wanted,
};
pub use digest::Digest;
pub use error_kind::{ErrorKind, ErrorKinds, FaultCause};
pub use field::{Field, FieldError};
pub use game::{Edition, Enumerate, Forfeit, Game, Gone, Sample, Sink};
pub use house::{Bot, Coin, Effort, House, HouseBot, HouseClient, Level, Mixture, RandomBot};
pub use java::JavaRandom;
pub use java_case::java_upper_is;
pub use java_int::java_int;
pub use kotlin::KotlinRandom;
pub use lobby::{Client, Lobby, LobbyStep, TableId};
pub use nearest::{did_you_mean, nearest};
pub use notation::{Arrow, Notation, Suggestion};
pub use opinion::{Opine, expectation};
pub use outcome::{Outcome, Verdict};
pub use perft::perft;
pub use plain::{AnswerTime, Consequence, Plain, PlainEvent, PlainWire, plain_turn, plain_words};
pub use protocol::{
    Dialogue, Framing, Intake, Item, LineEnds, Manner, Opening, Outbox, Protocol, Spoken,
};
pub use reply::{Absence, Excerpt, Exit, Fault, Limit, ParseError, Replies, Reply};
pub use scene::Spectate;
pub use seat::{PerSeat, Seat, Seats};
pub use settings::{
    ConfigChoice, ConfigText, ReadConfig, ReadsConfigFile, Setting, Unit, configure, paths_of,
    read_duration,
};
pub use setup::{SetupError, require, require_within};
pub use text::{look_alike, printable, visible};
pub use thinking::{Elapsed, Thinking, no_time, unhurried};

//! The one list of all games, and the one place where their types are erased.
//!
//! Inside a match everything is generic over the game; outside, command line and tools see
//! [`AnyGame`]. To add a game, write its crate and add one line to [`GAMES`].
//!
//! What is deliberately absent: processes and sockets. A match is played on any
//! [`World`](quintain_referee::World); `quintain-links` makes the real one.

mod answer_reader;
mod any;
mod branch;
mod config;
mod entry;
mod errors;
mod feed;
mod feeder;
mod followers;
mod play;
mod position;
mod question;
mod report;
mod retold;
mod roots;
mod selfplay;
mod spec;
mod spectator;
mod tags;
mod vectors;
mod workloads;

pub use any::{
    Abilities, AnyGame, Facts, MakeClient, Perft, Playable, ReplayRecording, WriteMatchLog,
};
pub use branch::{Branch, CATCH_UP};
pub use config::ReadyConfig;
pub use entry::Entry;
pub use feed::{Answered, Exchange, FeedError, FeedSpec};
pub use position::{
    AdvanceError, Answers, AnyPosition, Choice, Happened, LoadError, SaveError, Seated,
};
pub use question::Question;
pub use quintain_replay::PrivateKey;
pub use report::MatchReport;
pub use retold::Retold;
pub use spec::{MatchError, MatchLogError, MatchSpec};
pub use spectator::{Both, Decided, FilmHead, NoSpectator, Spectator};
pub use vectors::{VectorError, conform_file};
pub use workloads::{WorkloadError, prepare};

use quintain_code_royale::CodeRoyale;
use quintain_fencing::Fencing;
use quintain_hockey::Hockey;
use quintain_overdrive::Overdrive;
use quintain_worms::Worms;

/// Every game of this project. A static and not a constant: a constant's methods are compiled anew in
/// every crate that looks at it, and not as carefully as here.
pub static GAMES: &[&dyn AnyGame] = &[
    &Entry::<Hockey>::GAME
        .listed()
        .recorded()
        .with_client()
        .with_scale(include_str!("../scales/hockey.toml"))
        .with_manual(include_str!("../../../games/hockey/README.md")),
    &Entry::<Fencing>::GAME
        .listed()
        .recorded()
        .with_client()
        .measured_by(&quintain_fencing::WORKLOADS)
        .with_scale(include_str!("../scales/fencing.toml"))
        .with_manual(include_str!("../../../games/fencing/README.md"))
        .with_stub(quintain_fencing::STUB),
    &Entry::<CodeRoyale>::GAME
        .recorded()
        .with_client()
        .measured_by(&quintain_code_royale::WORKLOADS)
        .with_scale(include_str!("../scales/code-royale.toml"))
        .with_manual(include_str!("../../../games/code-royale/README.md")),
    &Entry::<Worms>::GAME
        .logged()
        .recorded()
        .with_config_file()
        .with_client()
        .measured_by(&quintain_worms::WORKLOADS)
        .with_scale(include_str!("../scales/worms.toml"))
        .with_manual(include_str!("../../../games/worms/README.md")),
    &Entry::<Overdrive>::GAME
        .logged()
        .recorded()
        .with_config_file()
        .with_client()
        .measured_by(&quintain_overdrive::WORKLOADS)
        .with_scale(include_str!("../scales/overdrive.toml"))
        .with_manual(include_str!("../../../games/overdrive/README.md")),
];

/// The game of that name.
pub fn find(id: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|game| game.facts().id == id)
}

/// The names of all games, for messages: "hockey, fencing".
pub fn known_games() -> String {
    GAMES.iter().map(|game| game.facts().id).collect::<Vec<_>>().join(", ")
}

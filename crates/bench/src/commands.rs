//! How many games a second the commands play, as whoever waits for them sees it.

use std::path::Path;
use std::process::Command;

use anyhow::Context as _;
use quintain_core::measure::Stub;
use quintain_registry::AnyGame;

use crate::program::report_of;
use crate::{Call, Means, Row, smallest_of};

const TRIES: u32 = 3;
const GAMES: u32 = 200;

/// Of `tournament` between two stubs, every game with its replay and committed to a file.
pub(crate) fn tournament_games(
    means: &Means<'_>,
    game: &dyn AnyGame,
    stub: Stub,
) -> anyhow::Result<Row> {
    let id = game.facts().id;
    let [a, b] = two_bots(means, ["a", "b"], stub);
    games_per_second(&format!("{id}-tournament-games"), |folder| {
        let store = &folder.join("games.db");
        let call = Call::Tournament { game: id, bots: [&a, &b], games: GAMES, store };
        means.program.command(&call)
    })
}

/// Of `compare` between two stubs, every game with its replay.
pub(crate) fn compare_games(
    means: &Means<'_>,
    game: &dyn AnyGame,
    stub: Stub,
) -> anyhow::Result<Row> {
    let id = game.facts().id;
    let [old, new] = two_bots(means, ["old", "new"], stub);
    games_per_second(&format!("{id}-compare-games"), |folder| {
        let replays = &folder.join("replays");
        let call = Call::Compare { game: id, bots: [&old, &new], games: GAMES, replays };
        means.program.command(&call)
    })
}

fn two_bots(means: &Means<'_>, names: [&str; 2], stub: Stub) -> [String; 2] {
    let line = means.program.line(&Call::Say(stub));
    names.map(|name| format!("{name}={line}"))
}

/// The most of several tries, each in a folder of its own.
fn games_per_second(name: &str, command: impl Fn(&Path) -> Command) -> anyhow::Result<Row> {
    let [seconds, _] = smallest_of(TRIES, || {
        let folder = tempfile::tempdir()?;
        let report = report_of(command(folder.path()).current_dir(folder.path()))?;
        anyhow::ensure!(report["games"] == GAMES, "{name}: not all games were played: {report}");
        Ok([report["seconds"].as_f64().context("a report tells the seconds")?, 0.0])
    })?;
    Ok(Row::plain(name, f64::from(GAMES) / seconds, "games/s"))
}

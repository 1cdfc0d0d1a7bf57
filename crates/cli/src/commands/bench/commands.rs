//! How many games a second the commands play, as whoever waits for them sees it.

use std::path::Path;
use std::process::Command;

use anyhow::Context as _;
use quintain_core::measure::Stub;
use quintain_registry::AnyGame;

use super::{Row, report_of, smallest_of, stub_words, this_program};

const TRIES: u32 = 3;
const GAMES: u32 = 200;

/// Of `tournament` between two stubs, every game with its replay and committed to a file.
pub(super) fn tournament_games(game: &dyn AnyGame, stub: Stub) -> anyhow::Result<Row> {
    let program = this_program()?;
    let stub = stub_words(stub);
    games_per_second(&format!("{}-tournament-games", game.facts().id), |folder| {
        let mut command = Command::new(&program);
        command.args(["tournament", "--game", game.facts().id, "--output", "json", "--quiet"]);
        for name in ["a", "b"] {
            command.args(["--bot", &format!("{name}='{program}' {stub}")]);
        }
        command.args(["--games-per-pair", &GAMES.to_string()]);
        command.arg("--store").arg(folder.join("games.db"));
        command
    })
}

/// Of `compare` between two stubs, every game with its replay.
pub(super) fn compare_games(game: &dyn AnyGame, stub: Stub) -> anyhow::Result<Row> {
    let program = this_program()?;
    let stub = stub_words(stub);
    games_per_second(&format!("{}-compare-games", game.facts().id), |folder| {
        let mut command = Command::new(&program);
        command.args(["compare", game.facts().id]);
        command.args(["old", "new"].map(|name| format!("{name}='{program}' {stub}")));
        command.args(["--json", "--quiet", "--games", &GAMES.to_string()]);
        command.arg("--replays").arg(folder.join("replays"));
        command
    })
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

//! How fast a pairing of an evaluation is, beside starting and playing without any of it.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::Context as _;
use quintain_core::PerSeat;
use quintain_links::{Link, RealWorld};
use quintain_record::Contestant;
use quintain_registry::{AnyGame, MatchSpec, NoSpectator};
use tempfile::TempDir;

use crate::bare::Client;
use crate::matches::{QUICK_BOT, spec};
use crate::program::{Program, report_of};
use crate::{Beside, Call, Means, Row, smallest_of};

const TRIES: u32 = 3;
const GAMES: u32 = 60;
const REHEARSALS: i64 = 50;

/// Games a second of two native clients that are started by their scripts for every game, beside two
/// scripts that are started alike and exchange as many lines.
pub(crate) fn games_per_second(means: &Means<'_>, game: &dyn AnyGame) -> anyhow::Result<Row> {
    let folder = make_folder(means, game.facts().id)?;
    let exchanges = answers_of_a_game(game)?;
    let [evaluated, bare] = smallest_of(TRIES, || {
        let evaluated = evaluate(means, game.facts().id, folder.path())?;
        Ok([evaluated, start_and_exchange(folder.path(), exchanges)?])
    })?;
    let row = Row::plain(format!("{}-evaluate", game.facts().id), 1.0 / evaluated, "games/s");
    Ok(row.beside(Beside {
        what: "bare start and exchange",
        value: 1.0 / bare,
        ratio: evaluated / bare,
        ratio_max: 2.0,
    }))
}

/// Two teams, and a script for the bare counterpart. Each has a program of its own, since the sandbox shows a team
/// nothing beside its folder.
fn make_folder(means: &Means<'_>, game: &str) -> anyhow::Result<TempDir> {
    let folder = tempfile::tempdir()?;
    let address = "$QUINTAIN_HOST:$QUINTAIN_PORT";
    let own = Program { path: Path::new("./quintain"), ..means.program };
    let client = |name| Call::Client { game, bot: QUICK_BOT, name, address, games: 1 };
    let echo = Call::EchoTo { address };
    for (name, call) in [("teams/a", client("a")), ("teams/b", client("b")), ("echo", echo)] {
        let home = folder.path().join(name);
        std::fs::create_dir_all(&home)?;
        std::fs::copy(means.program.path, home.join(own.path))?;
        std::fs::write(home.join("run.sh"), format!("exec {}\n", own.line(&call)))?;
    }
    Ok(folder)
}

/// How many answers both bots of a game give, on average.
fn answers_of_a_game(game: &dyn AnyGame) -> anyhow::Result<u32> {
    let mut answers = 0;
    for seed in 0..REHEARSALS {
        let links = PerSeat([Link::inside(), Link::inside()]);
        let mut world = RealWorld::new(game.framing(), links);
        let seats = PerSeat::from_fn(|_| Contestant::house(QUICK_BOT).into());
        let spec = MatchSpec { seats, ..spec(game, seed, None) };
        answers += i64::from(game.play(&spec, &mut world, &mut NoSpectator)?.turns);
    }
    Ok(u32::try_from(answers / REHEARSALS)?)
}

/// Seconds per game.
fn evaluate(means: &Means<'_>, game: &str, folder: &Path) -> anyhow::Result<f64> {
    let call = Call::Evaluate { game, teams: "teams", games: GAMES };
    let report = report_of(means.program.command(&call).current_dir(folder))?;
    let pairing = &report["pairings"][0];
    anyhow::ensure!(pairing["games"] == GAMES, "a bench team failed: {pairing}");
    let seconds = pairing["seconds"].as_f64().context("a report tells the seconds")?;
    Ok(seconds / f64::from(GAMES))
}

/// Seconds for starting two scripts, one after the other, so many exchanges, and their end.
fn start_and_exchange(folder: &Path, exchanges: u32) -> anyhow::Result<f64> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port().to_string();
    let started = Instant::now();
    for _ in 0..GAMES {
        let start = || {
            let mut script = Command::new("bash");
            script.arg("run.sh").current_dir(folder.join("echo"));
            script.envs([("QUINTAIN_HOST", "127.0.0.1"), ("QUINTAIN_PORT", port.as_str())]);
            script.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            Client::start(&mut script, &listener)
        };
        let mut clients = [start()?, start()?];
        for exchange in 0..exchanges as usize {
            clients[exchange % 2].exchange()?;
        }
    }
    Ok(started.elapsed().as_secs_f64() / f64::from(GAMES))
}

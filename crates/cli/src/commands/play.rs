//! `quintain play`

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quintain_arena::open_replay;
use quintain_arena::results::played_match;
use quintain_arena::{REPLAY_EXTENSION, digests_of_seats, parse_pair};
use quintain_core::{PerSeat, Seat};
use quintain_record::{Occupant, State};
use quintain_registry::{
    AnyGame, Branch, CATCH_UP, FeedError, MatchError, MatchReport, MatchSpec, NoSpectator,
    ReadyConfig, Spectator, find,
};
use quintain_replay::{PrivateKey, Reader, Recording as _, check_match_log_folder};
use quintain_report::played::{self, MatchTelling};
use serde_json::{Value, json};

use super::config::config_of;
use crate::args::{PlayArgs, StateArg};
use crate::failure::Failure;
use crate::live_screen::{LiveScreen, TextView};
use crate::output::{file_name_part, free_path, print_lines, remark};
use crate::seating::{Absent, nobody, take_seats};
use crate::words::MORE_TIME;
use crate::wrapped_output::wrapped_output;

const REPLAY_FOLDER: &str = "replays";

pub(super) fn run(args: &PlayArgs) -> Result<(), Failure> {
    let (name, words) = args.words(|word| find(word).is_some());
    let past = args.from.as_deref().map(open_replay).transpose()?;
    let game = match &past {
        Some((_, game)) => check_same_game(name, *game)?,
        None => super::game_named(name.unwrap_or_default())?,
    };
    let mut bots = parse_pair(&words, game, state_of(args)).map_err(nobody)?;
    let passed_on = args.pass_env.variables()?;
    bots.0.iter_mut().for_each(|bot| bot.give(&passed_on));
    let config = config_of(game, &args.rules, Some(args.start_limit))?;
    let seed = match &past {
        Some((replay, _)) => replay.header().seed,
        None => args.seed.unwrap_or_else(|| super::seed_from_clock(game)),
    };
    game.check_seed(seed).map_err(Failure::field)?;
    check_files(args, game)?;
    let mut past = past.map(|(replay, _)| replay);
    let signer = super::key::signer(args.sign.as_deref())?;
    if bots.0.iter().any(Occupant::is_person) {
        greet_human(args, game)?;
    }
    let mut play = |bots: &PerSeat<Occupant>| {
        let mut branch = past.as_mut().map(|replay| branch_of(args, replay, bots));
        let spec = match_spec(args, game, bots, &config, seed, signer.as_ref());
        play_once(args, game, bots, &spec, branch.as_mut())
    };
    let mut reports = vec![play(&bots)?];
    if args.swap {
        reports.push(play(&swapped(&bots))?);
    }
    print_results(args, game, &bots, &reports)
}

/// A game that is named beside a replay must be the replay's.
fn check_same_game(
    name: Option<&str>,
    game: &'static dyn AnyGame,
) -> Result<&'static dyn AnyGame, Failure> {
    let id = game.facts().id;
    match name {
        Some(name) if name != id => {
            Err(Failure::usage(format!("--from: expected a replay of {name}, found one of {id}")))
        }
        _ => Ok(game),
    }
}

/// Programs live through the turns before, a person just joins.
fn branch_of<'a>(
    args: &PlayArgs,
    recording: &'a mut Reader<'static>,
    bots: &PerSeat<Occupant>,
) -> Branch<'a> {
    let path = args.from.as_deref().unwrap_or(Path::new(""));
    let source = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_fed = PerSeat::from_fn(|seat| !bots[seat].is_person());
    Branch { recording, source, turn: args.turn.unwrap_or_default(), is_fed }
}

fn swapped(bots: &PerSeat<Occupant>) -> PerSeat<Occupant> {
    PerSeat::from_fn(|seat| bots[seat.other()].clone())
}

fn play_once(
    args: &PlayArgs,
    game: &dyn AnyGame,
    bots: &PerSeat<Occupant>,
    spec: &MatchSpec,
    mut branch: Option<&mut Branch<'_>>,
) -> Result<MatchReport, Failure> {
    let mut world = take_seats(game, bots, &args.listen, Absent::PlaysOn)?;
    let mut play = |spectator: &mut dyn Spectator| match &mut branch {
        Some(branch) => game.play_on(spec, branch, &mut world, spectator),
        None => game.play(spec, &mut world, spectator),
    };
    let report = match screen_of(args, game, bots) {
        Screen::Drawn => {
            let mut screen = LiveScreen::new();
            let report = play(&mut screen);
            screen.close()?;
            report
        }
        Screen::Text => play(&mut TextView),
        Screen::None => play(&mut NoSpectator),
    };
    report.map_err(|error| match (error, &args.from) {
        (MatchError::Field(error) | MatchError::Branch(FeedError::NoTurn(error)), _) => {
            Failure::field(error)
        }
        (MatchError::Rerun(error) | MatchError::Branch(FeedError::Rerun(error)), Some(replay)) => {
            super::not_the_same(replay, &error)
        }
        (MatchError::Branch(error), _) => Failure::usage(error.to_string()),
        (error, _) => Failure::Failed(error.into()),
    })
}

/// A person shares the terminal with the boards, so there is no room for a single object on it.
fn greet_human(args: &PlayArgs, game: &dyn AnyGame) -> Result<(), Failure> {
    if args.json {
        return Err(Failure::usage("--json: expected two bots, found a human at the terminal"));
    }
    remark(format!("When it is your turn, answer {}", game.facts().answers));
    Ok(())
}

enum Screen {
    Drawn,
    Text,
    None,
}

fn state_of(args: &PlayArgs) -> State {
    args.state.unwrap_or(StateArg::Files).state(args.keep_rounds)
}

/// What is said about files must be meant for a game that has some.
fn check_files(args: &PlayArgs, game: &dyn AnyGame) -> Result<(), Failure> {
    super::check_has_files(game, "state", args.state.is_some())?;
    super::check_has_files(game, "keep-rounds", args.keep_rounds.is_some())?;
    let Some(folder) = &args.match_log else {
        return Ok(());
    };
    let facts = game.facts();
    if facts.abilities.match_log.is_none() {
        let id = facts.id;
        return Err(Failure::usage(format!(
            "--match-log: expected a game with a match log, found {id}"
        )));
    }
    check_match_log_folder(folder).map_err(|error| Failure::usage(format!("--match-log: {error}")))
}

fn screen_of(args: &PlayArgs, game: &dyn AnyGame, bots: &PerSeat<Occupant>) -> Screen {
    if bots.0.iter().any(Occupant::is_person) {
        // With state files comes a picture for people, sent as to everyone.
        if game.facts().abilities.state_files { Screen::None } else { Screen::Text }
    } else if std::io::stdout().is_terminal() && !args.quiet && !args.json {
        Screen::Drawn
    } else {
        Screen::None
    }
}

fn match_spec(
    args: &PlayArgs,
    game: &dyn AnyGame,
    bots: &PerSeat<Occupant>,
    config: &ReadyConfig,
    seed: i64,
    signer: Option<&Arc<PrivateKey>>,
) -> MatchSpec {
    let mut rules = args.rules.rules().match_rules();
    for seat in Seat::BOTH {
        rules.clock[seat] &= bots[seat].is_timed();
    }
    let usual = args.start_limit.mul_f64(args.rules.time_scale);
    let start_limit = bots.as_ref().map(|_, bot| bot.start_limit(usual));
    let start_limit = start_limit.map(|_, limit| limit.filter(|_| !args.rules.no_clock));
    MatchSpec {
        config: config.clone(),
        seed,
        seats: bots.clone(),
        files: digests_of_seats(bots),
        rules,
        ask: args.ask,
        start_limit,
        opening: None,
        replay: replay_path(args, game, bots, seed),
        match_log: args.match_log.clone(),
        signer: signer.cloned(),
    }
}

fn replay_path(
    args: &PlayArgs,
    game: &dyn AnyGame,
    bots: &PerSeat<Occupant>,
    seed: i64,
) -> Option<PathBuf> {
    if args.no_replay {
        return None;
    }
    Some(args.replay.clone().unwrap_or_else(|| {
        let [first, second] = bots.as_ref().0.map(|bot| file_name_part(bot.name()));
        let stem = format!("{}-{first}-vs-{second}-{seed}", game.facts().id);
        let folder = args.log_dir.as_deref().unwrap_or(Path::new(REPLAY_FOLDER));
        free_path(folder, &stem, REPLAY_EXTENSION)
    }))
}

/// `bots` as they were named; in the second match, if there is one, their seats were swapped.
fn print_results(
    args: &PlayArgs,
    game: &dyn AnyGame,
    bots: &PerSeat<Occupant>,
    reports: &[MatchReport],
) -> Result<(), Failure> {
    let labels = bots.as_ref().map(|_, bot| bot.name()).0;
    let object =
        |(number, report)| json!(played_match(game.facts().id, labels, number == 1, report));
    let objects: Vec<Value> = reports.iter().enumerate().map(object).collect();
    if args.log_dir.is_some() {
        for (report, object) in reports.iter().zip(&objects) {
            write_log(report, object)?;
        }
    }
    let mut out = wrapped_output();
    match &objects[..] {
        [object] if args.json => writeln!(out, "{object}")?,
        objects if args.json => writeln!(out, "{}", serde_json::to_string(objects)?)?,
        _ => {
            for report in reports {
                print_report(args, report, &mut out)?;
            }
        }
    }
    match reports.iter().find_map(unwritten) {
        Some(error) => Err(Failure::Failed(anyhow::anyhow!("the match was played, but: {error}"))),
        None => Ok(()),
    }
}

/// Why something about the match could not be written.
fn unwritten(report: &MatchReport) -> Option<String> {
    let replay_error = report.replay_error.as_ref().map(ToString::to_string);
    replay_error.or_else(|| report.match_log_error.as_ref().map(ToString::to_string))
}

/// Writes the result beside its replay.
fn write_log(report: &MatchReport, object: &Value) -> Result<(), Failure> {
    let replay = report.replay.as_deref().expect("--log-dir always leaves a replay");
    let name = replay.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(REPLAY_EXTENSION).unwrap_or(&name);
    let path = replay.with_file_name(format!("{stem}json"));
    std::fs::write(&path, format!("{object}\n"))
        .map_err(|error| anyhow::anyhow!("cannot write {}: {error}", path.display()).into())
}

fn print_report(
    args: &PlayArgs,
    report: &MatchReport,
    out: &mut impl std::io::Write,
) -> std::io::Result<()> {
    let telling = MatchTelling {
        waited: CATCH_UP * args.start_limit,
        more_time: MORE_TIME,
        match_log: args.match_log.as_deref(),
    };
    let shown = if args.quiet { 1 } else { usize::MAX };
    print_lines(played::lines(report, &telling).into_iter().take(shown), out)
}

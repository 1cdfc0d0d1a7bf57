//! `quintain check`: a match against a random opponent, told step by step, and what went wrong in
//! it.

mod causes;
mod probe;
mod story;
mod waiting;

use std::path::{Path, PathBuf};
use std::time::Instant;

use quintain_core::PerSeat;
use quintain_links::Housing;
use quintain_referee::Ask;
use quintain_registry::{AnyGame, MatchError, MatchSpec, Nobody, ReadyConfig, find};
use quintain_replay::{Reader, Recording as _};

use super::config::config_of;
use crate::args::{CheckArgs, StateArg};
use crate::bots::{BotKind, BotSpec, Seating, Unstartable, as_program, seat_specs, take_seats};
use crate::failure::Failure;
use crate::wrapped_output::wrapped_output;
use story::{Played, Story};
use waiting::Waiting;

const OPPONENT: &str = "random";

pub(super) fn run(args: &CheckArgs) -> Result<(), Failure> {
    let (game, word) = game_and_bot(args)?;
    let config = config_of(game, &args.rules, Some(args.start_limit))?;
    game.check_seed(args.seed).map_err(Failure::field)?;
    super::check_has_files(game, "state", args.state.is_some())?;
    let mut story = Story::new(game.facts(), word);
    match BotSpec::parse(word, game) {
        Ok(bot) => {
            let mut bot = as_program(bot, game)?;
            bot.give(&args.pass_env.variables()?);
            observe(args, game, &bot, &config, &mut story)?;
        }
        // A bot that cannot be found is the first thing that can be wrong with it.
        Err(Failure::Usage(message)) => story.unstarted = Some(message),
        Err(failure) => return Err(failure),
    }
    story.judge();
    let mut out = wrapped_output();
    if args.json {
        story.print_json(&mut out)?;
    } else {
        story.print(args.turns, &mut out)?;
    }
    if story.complaint.is_some() { Err(Failure::Told) } else { Ok(()) }
}

/// The words in either order: nobody remembers which comes first.
fn game_and_bot(args: &CheckArgs) -> Result<(&'static dyn AnyGame, &str), Failure> {
    match (find(&args.game), find(&args.bot)) {
        (Some(game), _) => Ok((game, &args.bot)),
        (None, Some(game)) => Ok((game, &args.game)),
        (None, None) => super::game_named(&args.game).map(|game| (game, args.bot.as_str())),
    }
}

/// Plays the match and notes what happened in it.
fn observe(
    args: &CheckArgs,
    game: &dyn AnyGame,
    bot: &BotSpec,
    config: &ReadyConfig,
    story: &mut Story,
) -> Result<(), Failure> {
    if let BotKind::Program(launch) = &bot.kind {
        story.launch = Some(launch.clone());
    }
    let opponent =
        BotSpec { label: "opponent".to_owned(), kind: BotKind::House(OPPONENT.to_owned()) };
    let bots = PerSeat::from_fn(|seat| if seat == args.seat { bot } else { &opponent }.clone());
    let state = args.state.unwrap_or(StateArg::Files);
    let seating = Seating {
        game,
        address: &args.listen,
        state,
        housing: Housing::default(),
        unstartable: Unstartable::Fails,
    };
    let begun = Instant::now();
    let mut world = match take_seats(&bots, &seating) {
        Ok(world) => world,
        Err(Failure::Failed(error)) => {
            story.unstarted = Some(format!("{error:#}"));
            return Ok(());
        }
        Err(failure) => return Err(failure),
    };
    story.started_in = begun.elapsed();
    let replay = Kept::new(args.replay.as_deref());
    let spec = match_spec(args, &bots, state, config, &replay.path);
    let waiting = Waiting::begin();
    let played = game.play(&spec, &mut world, &mut Nobody);
    waiting.end();
    let report = played.map_err(|error| match error {
        MatchError::Field(error) => Failure::field(error),
        error => Failure::Failed(error.into()),
    })?;
    story.introduction.clone_from(&report.introduction);
    story.introduction.retain(|line| line.seat() == args.seat);
    let mut replay = Reader::open(&replay.path)?;
    let exchanges = game.transcript(&mut replay, args.seat)?;
    let exit = replay.tail().end.as_ref().and_then(|end| end.exits[args.seat]);
    let rules = &args.rules;
    let time_scale = (!rules.no_clock).then_some(rules.time_scale);
    story.played = Some(Played { report, exchanges, exit, seat: args.seat, time_scale });
    Ok(())
}

fn match_spec(
    args: &CheckArgs,
    bots: &PerSeat<BotSpec>,
    state: StateArg,
    config: &ReadyConfig,
    replay: &Path,
) -> MatchSpec {
    let start_limit = args.start_limit.mul_f64(args.rules.time_scale);
    MatchSpec {
        config: config.clone(),
        seed: args.seed,
        seats: seat_specs(bots, state),
        rules: super::match_rules(&args.rules),
        ask: Ask::InTurn,
        start_limit: PerSeat([(!args.rules.no_clock).then_some(start_limit); 2]),
        opening: None,
        replay: Some(replay.to_owned()),
        match_log: None,
        signer: None,
    }
}

/// Where the replay of the match is, which goes with this unless somebody wants to keep it.
struct Kept {
    path: PathBuf,
    is_wanted: bool,
}

impl Kept {
    fn new(path: Option<&Path>) -> Kept {
        let own = || {
            let name = format!("quintain-check-{}.replay.jsonl.zst", std::process::id());
            std::env::temp_dir().join(name)
        };
        Kept { path: path.map_or_else(own, Path::to_owned), is_wanted: path.is_some() }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if !self.is_wanted {
            // It may not have come to be.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

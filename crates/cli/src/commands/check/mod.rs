//! `quintain check`: a match against a random opponent, told step by step, and what went wrong in
//! it.

mod waiting;

use std::io::Write as _;
use std::time::{Duration, Instant};

use quintain_arena::check::{CheckError, CheckPlan, CheckReport, check, occupants};
use quintain_arena::plan::MatchSettings;
use quintain_arena::{digests_of_seats, parse};
use quintain_core::PerSeat;
use quintain_record::{CLIENT_START_LIMIT, Contestant, Launch, Occupant};
use quintain_referee::Ask;
use quintain_registry::{AnyGame, MatchError, MatchSpec, ReadyConfig, find};
use quintain_report::checked::Checked;

use super::config::config_of;
use crate::args::{CheckArgs, StateArg, build_bots};
use crate::failure::Failure;
use crate::output::print_lines;
use crate::seating::{as_program, take_seats};
use crate::words::CHECK;
use crate::wrapped_output::wrapped_output;
use waiting::Waiting;

pub(super) fn run(args: &CheckArgs) -> Result<(), Failure> {
    let (game, word) = game_and_bot(args)?;
    let config = config_of(game, &args.rules, Some(start_limit(args)))?;
    game.check_seed(args.seed).map_err(Failure::field)?;
    super::check_has_files(game, "state", args.state.is_some())?;
    let state = args.state.unwrap_or(StateArg::Files).state(None);
    let Seen { launch, started_in, report } = match parse(word, game, state) {
        Ok(bot) => {
            let mut bot = as_program(bot, game, state)?;
            bot.give(&args.pass_env.variables()?);
            observe(args, game, &bot, &config)?
        }
        // A bot that cannot be found is the first thing that can be wrong with it.
        Err(error) => Seen::nothing(game, None, error.to_string()),
    };
    let (facts, launch) = (game.facts(), launch.as_ref());
    let checked = Checked { facts, word, launch, started_in, report: &report };
    let mut out = wrapped_output();
    if args.json {
        writeln!(out, "{}", checked.json(&CHECK))?;
    } else {
        print_lines(checked.lines(args.turns, &CHECK), &mut out)?;
    }
    if report.complaint.is_some() { Err(Failure::Told) } else { Ok(()) }
}

/// The words in either order: nobody remembers which comes first.
fn game_and_bot(args: &CheckArgs) -> Result<(&'static dyn AnyGame, &str), Failure> {
    match (find(&args.game), find(&args.bot)) {
        (Some(game), _) => Ok((game, &args.bot)),
        (None, Some(game)) => Ok((game, &args.game)),
        (None, None) => super::game_named(&args.game).map(|game| (game, args.bot.as_str())),
    }
}

/// What came of starting a bot and letting it play.
struct Seen {
    launch: Option<Launch>,
    /// `None` if it could not be started.
    started_in: Option<Duration>,
    report: CheckReport,
}

impl Seen {
    fn nothing(game: &dyn AnyGame, launch: Option<Launch>, why: String) -> Seen {
        Seen { launch, started_in: None, report: CheckReport::unstartable(game, why) }
    }
}

fn observe(
    args: &CheckArgs,
    game: &dyn AnyGame,
    bot: &Occupant,
    config: &ReadyConfig,
) -> Result<Seen, Failure> {
    let launch = bot.contestant().and_then(Contestant::launch).cloned();
    let bots = occupants(bot, args.seat);
    let client_limit = scaled(args, client_limit(args));
    let sandbox = args.sandbox.sandbox(&[args.replay.as_deref()])?;
    let built = build_bots(&args.build.wish(), bot.contestant(), sandbox.as_deref());
    let begun = Instant::now();
    let seated = || take_seats(game, &bots, &args.listen, client_limit, sandbox.clone());
    let mut world = match built.and_then(|()| seated()) {
        Ok(world) => world,
        Err(Failure::Failed(error)) => {
            return Ok(Seen::nothing(game, launch, format!("{error:#}")));
        }
        Err(failure) => return Err(failure),
    };
    let started_in = Some(begun.elapsed());
    let spec = match_spec(args, &bots, config);
    let (launched, sandbox) = (launch.as_ref(), sandbox.as_deref());
    let plan = CheckPlan { game, seat: args.seat, launch: launched, sandbox, spec };
    let mut waiting = Waiting::new();
    let checked = check(plan, &mut world, &mut |stage| waiting.go_on(stage));
    waiting.end();
    let report = checked.map_err(|error| match error {
        CheckError::Match(MatchError::Field(error)) => Failure::field(error),
        error => Failure::Failed(error.into()),
    })?;
    Ok(Seen { launch, started_in, report })
}

/// How long a program may take to become ready.
fn start_limit(args: &CheckArgs) -> Duration {
    args.start_limit.unwrap_or(MatchSettings::START_LIMIT)
}

/// How long a client may take to connect, and then to become ready.
fn client_limit(args: &CheckArgs) -> Duration {
    args.start_limit.unwrap_or(CLIENT_START_LIMIT)
}

/// How long something is really waited for; `None`: for ever.
fn scaled(args: &CheckArgs, limit: Duration) -> Option<Duration> {
    (!args.rules.no_clock).then(|| limit.mul_f64(args.rules.time_scale))
}

fn match_spec(args: &CheckArgs, bots: &PerSeat<Occupant>, config: &ReadyConfig) -> MatchSpec {
    let limit = |bot: &Occupant| {
        let limit = bot.start_limit(start_limit(args), client_limit(args));
        limit.and_then(|limit| scaled(args, limit))
    };
    MatchSpec {
        config: config.clone(),
        seed: args.seed,
        seats: bots.clone(),
        files: digests_of_seats(bots),
        rules: args.rules.rules().match_rules(),
        ask: Ask::InTurn,
        start_limit: bots.as_ref().map(|_, bot| limit(bot)),
        opening: None,
        replay: args.replay.clone(),
        match_log: None,
        sandbox: None,
        signer: None,
    }
}

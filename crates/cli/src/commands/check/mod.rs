//! `quintain check`: a match against a random opponent, told step by step, and what went wrong in
//! it.

mod waiting;

use std::io::Write as _;
use std::time::Duration;

use quintain_arena::check::{CheckError, CheckNews, CheckPlan, CheckReport, check};
use quintain_arena::parse;
use quintain_arena::plan::MatchSettings;
use quintain_links::tidy_up_on_interrupt;
use quintain_record::{CLIENT_START_LIMIT, Contestant, Occupant};
use quintain_registry::{AnyGame, MatchError, ReadyConfig, find};
use quintain_report::checked::Checked;

use super::config::config_of;
use crate::args::{CheckArgs, StateArg, build_bots};
use crate::failure::Failure;
use crate::output::{print_lines, wrapped_output};
use crate::seating::{as_program, tell};
use crate::words::{CHECK, seating_failure};
use waiting::Waiting;

pub(super) fn run(args: &CheckArgs) -> Result<(), Failure> {
    let (game, word) = game_and_bot(args)?;
    let config = config_of(game, &args.rules, Some(start_limit(args)))?;
    game.check_seed(args.seed).map_err(Failure::field)?;
    super::check_has_files(game, "state", args.state.is_some())?;
    let state = args.state.unwrap_or(StateArg::Files).state(None);
    let (launch, report) = match parse(word, game, state) {
        Ok(bot) => {
            let mut bot = as_program(bot, game, state)?;
            bot.give(&args.pass_env.variables()?);
            let launch = bot.contestant().and_then(Contestant::launch).cloned();
            (launch, observe(args, game, &bot, config)?)
        }
        // A bot that cannot be found is the first thing that can be wrong with it.
        Err(error) => (None, CheckReport::unstartable(game, error.to_string())),
    };
    let checked = Checked { facts: game.facts(), word, launch: launch.as_ref(), report: &report };
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

/// What came of starting a bot and letting it play, and how it was started.
fn observe(
    args: &CheckArgs,
    game: &'static dyn AnyGame,
    bot: &Occupant,
    config: ReadyConfig,
) -> Result<CheckReport, Failure> {
    let sandbox = args.sandbox.sandbox(&[args.replay.as_deref()])?;
    let plan = CheckPlan {
        game,
        settings: MatchSettings {
            rules: args.rules.rules(),
            start_limit: start_limit(args),
            seed: args.seed,
            ..MatchSettings::of(game.facts().id)
        },
        config,
        bot,
        seat: args.seat,
        client_limit: args.start_limit.unwrap_or(CLIENT_START_LIMIT),
        listen: &args.listen,
        sandbox,
        replay: args.replay.clone(),
    };
    match checked(args, &plan) {
        // A bot that cannot be built or started is no failure of the check.
        Err(Unchecked::Unstartable(Failure::Failed(error))) => {
            Ok(CheckReport::unstartable(game, format!("{error:#}")))
        }
        Err(Unchecked::Unstartable(failure) | Unchecked::Other(failure)) => Err(failure),
        Ok(report) => Ok(report),
    }
}

/// Why a check says nothing about how a bot plays.
enum Unchecked {
    Unstartable(Failure),
    Other(Failure),
}

fn checked(args: &CheckArgs, plan: &CheckPlan<'_>) -> Result<CheckReport, Unchecked> {
    build_bots(&args.build.wish(), plan.bot.contestant(), plan.sandbox.as_deref())
        .map_err(Unchecked::Unstartable)?;
    tidy_up_on_interrupt().map_err(|error| Unchecked::Unstartable(error.into()))?;
    let mut waiting = Waiting::new();
    let checked = check(plan, &mut |news| match news {
        CheckNews::Seating(news) => tell(&news),
        CheckNews::Match => waiting.match_begins(),
        CheckNews::EndOfInput => waiting.input_ends(),
    });
    waiting.end();
    checked.map_err(|error| match error {
        CheckError::Seating(error) => Unchecked::Unstartable(seating_failure(error)),
        CheckError::Match(MatchError::Field(error)) => Unchecked::Other(Failure::field(error)),
        error => Unchecked::Other(Failure::Failed(error.into())),
    })
}

/// How long a program may take to become ready.
fn start_limit(args: &CheckArgs) -> Duration {
    args.start_limit.unwrap_or(MatchSettings::START_LIMIT)
}

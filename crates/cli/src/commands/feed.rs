//! `quintain feed`

use std::io;

use quintain_arena::{FEED_START_LIMIT, FeedFailure, FeedPlan, FeedReport, feed, parse};
use quintain_core::Manner;
use quintain_registry::{AnyGame, Exchange, FeedError};
use quintain_replay::{Header, Reader, Recording as _};
use quintain_report::exchange::stderr;
use quintain_report::fed::{self, JsonWriter};
use serde_json::json;

use crate::args::{FeedArgs, StateArg, build_bots};
use crate::failure::Failure;
use crate::output::{print_lines, remark, wrapped_output};
use crate::seating::{as_program, nobody, take_seats};
use crate::words::ELSEWHERE;

pub(super) fn run(args: &FeedArgs) -> Result<(), Failure> {
    let (mut replay, game) = super::open_replay(&args.replay)?;
    let state = state_of(args, replay.header()).state(None);
    let bot = parse(&args.bot, game, state).map_err(nobody)?;
    let mut bot = as_program(bot, game, state)?;
    bot.give(&args.pass_env.variables()?);
    super::check_has_files(game, "state", args.state.is_some())?;
    let plan = FeedPlan {
        game,
        bot: &bot,
        seat: args.seat,
        turn: args.turn,
        all: args.all,
        start_limit: args.start_limit.unwrap_or(FEED_START_LIMIT),
    };
    let mut shown = Shown::new(args, game, bot.name());
    let report = ask(args, &plan, &mut replay, &mut shown)?;
    let lines = match shown {
        Shown::Written { writer, result } => {
            result.and_then(|()| writer.end(&report))?;
            Vec::new()
        }
        Shown::Rows(rows) => fed::table(rows, &report),
        Shown::One(Some(exchange)) => {
            let names = [&replay.header().shown_names()[args.seat], bot.name()];
            fed::lines(&exchange, args.seat, names, ELSEWHERE)
        }
        Shown::One(None) => fed::gone(bot.name(), &report),
    };
    print_lines(lines, &mut wrapped_output())?;
    if report.has_failed { Err(Failure::Told) } else { Ok(()) }
}

/// What the exchanges become.
enum Shown {
    /// The one of the turn that was asked for.
    One(Option<Box<Exchange>>),
    Rows(Vec<[String; 5]>),
    /// Programs are given each of them at once.
    Written {
        writer: JsonWriter<io::Stdout>,
        /// How it went so far.
        result: io::Result<()>,
    },
}

impl Shown {
    fn new(args: &FeedArgs, game: &dyn AnyGame, label: &str) -> Shown {
        let head = || {
            json!({
                "game": game.facts().id,
                "replay": args.replay,
                "seat": args.seat.index(),
                "bot": label,
            })
        };
        match (args.json, args.all) {
            (true, _) => {
                Shown::Written { writer: JsonWriter::new(&head(), io::stdout()), result: Ok(()) }
            }
            (false, true) => Shown::Rows(Vec::new()),
            (false, false) => Shown::One(None),
        }
    }

    fn take(&mut self, exchange: Exchange) {
        match self {
            Shown::One(one) => *one = Some(Box::new(exchange)),
            Shown::Rows(rows) => rows.push(fed::row(&exchange, ELSEWHERE)),
            Shown::Written { writer, result } => {
                if result.is_ok() {
                    *result = writer.write(&exchange);
                }
            }
        }
    }
}

/// How the bot is told the state: as it was recorded, unless somebody wants it otherwise.
fn state_of(args: &FeedArgs, header: &Header) -> StateArg {
    args.state.unwrap_or(match header.manners[args.seat] {
        Manner::Lines => StateArg::Stdin,
        _ => StateArg::Files,
    })
}

fn ask(
    args: &FeedArgs,
    plan: &FeedPlan<'_>,
    replay: &mut Reader<'_>,
    shown: &mut Shown,
) -> Result<FeedReport, Failure> {
    let bots = plan.occupants(replay.header());
    let sandbox = args.sandbox.sandbox(&[Some(&args.replay)])?;
    build_bots(&args.build.wish(), plan.bot.contestant(), sandbox.as_deref())?;
    let mut world = take_seats(plan.game, &bots, &args.listen, Some(plan.start_limit), sandbox)?;
    let mut waiting = |turn: u32| {
        remark(format_args!(
            "waiting for the answer in turn {turn}; the clock is off, Ctrl-C stops"
        ));
    };
    let fed = feed(plan, replay, &mut world, &mut waiting, &mut |exchange| shown.take(exchange));
    fed.map_err(|FeedFailure { error, last_words }| match error {
        FeedError::NoTurn(error) => Failure::field(error),
        error @ FeedError::NotAsked { .. } => {
            Failure::Field { field: "turn".into(), wrong: error.to_string() }
        }
        FeedError::Rerun(error) => super::not_the_same(&args.replay, &error),
        error => {
            for line in stderr(&last_words) {
                remark(line);
            }
            error.into()
        }
    })
}

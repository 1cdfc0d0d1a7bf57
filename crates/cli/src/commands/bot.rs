//! `quintain bot`

use std::io;

use clap::ValueEnum as _;
use quintain_arena::STATE_VARIABLE;
use quintain_core::{ConfigChoice, Dialogue, HouseBot};
use quintain_links::{StateFileReader, speak_over_stdio, speak_over_tcp};
use quintain_registry::AnyGame;

use crate::args::{BotArgs, StateArg};
use crate::failure::Failure;
use crate::output::remark;

pub(super) fn run(args: &BotArgs) -> Result<(), Failure> {
    let game = super::game_named(&args.game)?;
    if let Some(league) = args.league {
        let choice = ConfigChoice::default().with("league", league);
        game.configure(&choice).map_err(Failure::field)?;
    }
    let offered = args.name.clone().or_else(|| std::env::var("QUINTAIN_NAME").ok());
    let name = offered.unwrap_or_else(|| args.bot.clone());
    let seed = args.seed.unwrap_or_else(|| super::seed_from_clock(game));
    let make = game.facts().abilities.client.ok_or_else(|| {
        let game = &args.game;
        Failure::usage(format!("expected a game whose house bots can connect, found {game}"))
    })?;
    let dialogue = |number: u64| -> Result<Box<dyn Dialogue>, Failure> {
        let made = make(&args.bot, &name, seed.wrapping_add(number as i64), args.league);
        made.ok_or_else(|| {
            let known = HouseBot::list(game.facts().house_bots);
            let (game, bot) = (&args.game, &args.bot);
            Failure::usage(format!("expected a house bot of {game} ({known}), found `{bot}`"))
        })
    };
    let Some(address) = &args.connect else {
        let mut dialogue = dialogue(0)?;
        if state_of(args, game)? == StateArg::Files {
            dialogue = Box::new(StateFileReader { dialogue, unreadable });
        }
        return Ok(speak_over_stdio(game.framing(), &mut *dialogue)?);
    };
    for number in 0..args.games {
        speak_over_tcp(address.as_str(), game.framing(), &mut *dialogue(number)?)?;
    }
    Ok(())
}

fn unreadable(path: &str, error: &io::Error) {
    remark(format_args!("cannot read {path}: {error}"));
}

/// How the bot is told the state. Games without state files say everything in lines.
fn state_of(args: &BotArgs, game: &dyn AnyGame) -> Result<StateArg, Failure> {
    super::check_has_files(game, "state", args.state.is_some())?;
    match (args.state, std::env::var(STATE_VARIABLE).ok()) {
        (Some(state), _) => Ok(state),
        _ if !game.facts().abilities.state_files => Ok(StateArg::Stdin),
        (None, Some(text)) => StateArg::from_str(&text, false).map_err(|_| {
            Failure::usage(format!("{STATE_VARIABLE}: expected files or stdin, found `{text}`"))
        }),
        (None, None) => Ok(StateArg::Files),
    }
}

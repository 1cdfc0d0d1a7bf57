//! `quintain bot`

use quintain_core::{Dialogue, Options};
use quintain_links::{talk_over_stdio, talk_over_tcp};

use crate::args::BotArgs;
use crate::failure::Failure;

pub(super) fn run(args: &BotArgs) -> Result<(), Failure> {
    let game = super::game_named(&args.game)?;
    let options = Options { league: args.league, ..Options::default() };
    game.check_options(&options).map_err(|error| Failure::usage(error.to_string()))?;
    let offered = args.name.clone().or_else(|| std::env::var("QUINTAIN_NAME").ok());
    let name = offered.unwrap_or_else(|| args.bot.clone());
    let seed = args.seed.unwrap_or_else(super::seed_from_clock);
    let dialogue = |number: u64| -> Result<Box<dyn Dialogue>, Failure> {
        let made = game.dialogue(&args.bot, &name, seed.wrapping_add(number as i64), args.league);
        made.ok_or_else(|| {
            let known = game.facts().house_bots.join(", ");
            let (game, bot) = (&args.game, &args.bot);
            Failure::usage(format!("expected a house bot of {game} ({known}), found `{bot}`"))
        })
    };
    let Some(address) = &args.connect else {
        return Ok(talk_over_stdio(game.framing(), &mut *dialogue(0)?)?);
    };
    for number in 0..args.games {
        talk_over_tcp(address.as_str(), game.framing(), &mut *dialogue(number)?)?;
    }
    Ok(())
}

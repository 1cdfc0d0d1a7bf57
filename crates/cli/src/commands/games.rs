//! `quintain games`

use std::io::Write as _;

use quintain_arena::results::{ListedGame, bots_of, settings_of};
use quintain_registry::GAMES;
use quintain_report::games;
use serde_json::json;

use crate::args::GamesArgs;
use crate::failure::Failure;

const MORE: &str = "\
house:NAME plays as one of the house bots
all of them, and all settings: quintain games GAME";

pub(super) fn run(args: &GamesArgs) -> Result<(), Failure> {
    let text = match &args.game {
        Some(id) => {
            let game = super::game_named(id)?;
            let bots = bots_of(game);
            let settings = settings_of(game).map_err(Failure::field)?;
            match args.json {
                true => {
                    format!("{:#}", games::settings_json(&ListedGame::of(game), &bots, &settings))
                }
                false => {
                    format!("{}\n\n{}", games::bots_table(&bots), games::settings_table(settings))
                }
            }
        }
        None => {
            let list: Vec<ListedGame> = GAMES.iter().map(|&game| ListedGame::of(game)).collect();
            match args.json {
                true => format!("{:#}", json!(list)),
                false => format!("{}\n{MORE}", games::table(&list)),
            }
        }
    };
    Ok(writeln!(std::io::stdout(), "{text}")?)
}

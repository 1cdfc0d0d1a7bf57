//! A game: its rules in short, what can be chosen, its house bots, and what to type next.

use askama::Template;
use quintain_arena::results::{ListedBot, ListedGame, ListedSetting, bots_of, settings_of};
use quintain_registry::AnyGame;

use crate::error::Refusal;
use crate::manual::{Section, sections};
use crate::page::{CachePolicy, Page};

#[derive(Template)]
#[template(path = "game.html")]
pub(crate) struct GamePage {
    game: ListedGame,
    lead: String,
    sections: Vec<Section>,
    bots: Vec<ListedBot>,
    settings: Vec<ListedSetting>,
    /// Who is a good first opponent.
    opponent: &'static str,
}

impl GamePage {
    pub(crate) fn new(game: &dyn AnyGame) -> Result<GamePage, Refusal> {
        let facts = game.facts();
        let (lead, sections) = sections(facts.abilities.manual.unwrap_or_default());
        let settings = settings_of(game).map_err(|error| Refusal::Unplayable(error.to_string()))?;
        Ok(GamePage {
            game: ListedGame::of(game),
            lead,
            sections,
            bots: bots_of(game),
            settings: settings.into_iter().filter(|setting| !setting.help.is_empty()).collect(),
            opponent: facts.quick_house_bot(),
        })
    }

    fn leagues(&self) -> String {
        self.game.leagues.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
    }
}

impl Page for GamePage {
    const CACHE: CachePolicy = CachePolicy::Fresh;
}

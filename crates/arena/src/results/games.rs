//! The games that there are, as data.

use quintain_core::{ConfigChoice, Effort, FieldError, HouseBot, Unit, paths_of};
use quintain_registry::AnyGame;
use serde::Serialize;

/// A game of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedGame {
    pub game: &'static str,
    pub title: &'static str,
    pub origin: &'static str,
    pub editions: Vec<&'static str>,
    /// The values of the setting `league`, for games that have it.
    pub leagues: Vec<i64>,
    /// Weakest first.
    pub house_bots: Vec<&'static str>,
    /// Whether strangers can be seated.
    pub hosted: bool,
}

/// A house bot of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedBot {
    pub name: &'static str,
    pub about: &'static str,
    /// The most positions that it looks at for an answer, where that is what bounds it.
    pub nodes: Option<u64>,
    /// Whether it takes what the time limit allows.
    pub uses_clock: bool,
}

impl ListedBot {
    fn of(&HouseBot { name, about, effort }: &HouseBot) -> ListedBot {
        let nodes = match effort {
            Effort::Nodes(nodes) => Some(nodes),
            Effort::AtOnce | Effort::Clock => None,
        };
        ListedBot { name, about, nodes, uses_clock: effort == Effort::Clock }
    }
}

/// A field of a config that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedSetting {
    pub key: String,
    pub default: String,
    pub values: String,
    pub help: &'static str,
}

impl ListedGame {
    pub fn of(game: &dyn AnyGame) -> ListedGame {
        let facts = game.facts();
        let league = facts.settings.iter().find(|setting| setting.name == "league");
        ListedGame {
            game: facts.id,
            title: facts.title,
            origin: facts.origin,
            editions: facts.editions.iter().map(|edition| edition.name()).collect(),
            leagues: match league.map(|setting| setting.unit) {
                Some(Unit::OneOf(words)) => words.iter().filter_map(|w| w.parse().ok()).collect(),
                Some(Unit::Whole { from, to }) => (from..=to).collect(),
                Some(Unit::Time { .. }) | None => Vec::new(),
            },
            house_bots: facts.house_bots.iter().map(|bot| bot.name).collect(),
            hosted: facts.abilities.lobby,
        }
    }
}

/// The house bots of a game, weakest first.
pub fn bots_of(game: &dyn AnyGame) -> Vec<ListedBot> {
    game.facts().house_bots.iter().map(ListedBot::of).collect()
}

/// What can be chosen about a game: the settings, then the paths that have no name.
///
/// # Errors
/// The game refuses its own usual config.
pub fn settings_of(game: &dyn AnyGame) -> Result<Vec<ListedSetting>, FieldError> {
    let paths = paths_of(&game.configure(&ConfigChoice::default())?.value);
    let settings = game.facts().settings;
    let named = settings.iter().filter_map(|setting| {
        let (_, value) = paths.iter().find(|(path, _)| path == setting.path)?;
        Some(ListedSetting {
            key: setting.name.to_owned(),
            default: setting.unit.show(value),
            values: setting.unit.values(),
            help: setting.help,
        })
    });
    let is_nameless = |path: &str| settings.iter().all(|setting| setting.path != path);
    let nameless = paths.iter().filter(|(path, _)| is_nameless(path)).map(|(path, value)| {
        let default = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        ListedSetting { key: path.clone(), default, values: String::new(), help: "" }
    });
    Ok(named.chain(nameless).collect())
}

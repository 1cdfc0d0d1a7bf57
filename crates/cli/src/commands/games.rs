//! `quintain games`

use std::io::Write as _;

use comfy_table::{ContentArrangement, Table, presets};
use quintain_core::{ConfigChoice, Unit, paths_of};
use quintain_registry::{AnyGame, Facts, GAMES};
use serde_json::json;

use crate::args::GamesArgs;
use crate::failure::Failure;

pub(super) fn run(args: &GamesArgs) -> Result<(), Failure> {
    if let Some(id) = &args.game {
        return tell_settings(super::game_named(id)?, args.json);
    }
    let mut out = std::io::stdout().lock();
    let facts = GAMES.iter().map(|game| game.facts());
    if args.json {
        let list: Vec<_> = facts.map(|facts| as_json(&facts)).collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&list)?)?;
    } else {
        writeln!(out, "{}", as_table(facts))?;
    }
    Ok(())
}

fn editions(facts: &Facts) -> Vec<&'static str> {
    facts.editions.iter().map(|edition| edition.name()).collect()
}

/// The values of the setting `league`, for games that have it.
fn leagues(facts: &Facts) -> Vec<i64> {
    match facts.settings.iter().find(|setting| setting.name == "league").map(|row| row.unit) {
        Some(Unit::OneOf(words)) => words.iter().filter_map(|word| word.parse().ok()).collect(),
        Some(Unit::Whole { from, to }) => (from..=to).collect(),
        Some(Unit::Time { .. }) | None => Vec::new(),
    }
}

/// A field of a config that can be chosen.
struct Choosable {
    key: String,
    default: String,
    values: String,
    help: &'static str,
}

/// What can be chosen about a game: the settings, then the paths that have no name.
fn choosables(game: &dyn AnyGame) -> Result<Vec<Choosable>, Failure> {
    let config = game.configure(&ConfigChoice::default()).map_err(Failure::field)?;
    let paths = paths_of(&config.value);
    let settings = game.facts().settings;
    let named = settings.iter().filter_map(|setting| {
        let (_, value) = paths.iter().find(|(path, _)| path == setting.path)?;
        Some(Choosable {
            key: setting.name.to_owned(),
            default: setting.unit.show(value),
            values: setting.unit.values(),
            help: setting.help,
        })
    });
    let is_nameless = |path: &str| settings.iter().all(|setting| setting.path != path);
    let nameless = paths.iter().filter(|(path, _)| is_nameless(path)).map(|(path, value)| {
        let default = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Choosable { key: path.clone(), default, values: String::new(), help: "" }
    });
    Ok(named.chain(nameless).collect())
}

fn tell_settings(game: &dyn AnyGame, is_json: bool) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let rows = choosables(game)?;
    if is_json {
        let list = rows.iter().map(|row| {
            json!({
                "key": row.key, "default": row.default, "values": row.values, "help": row.help,
            })
        });
        let mut object = as_json(&game.facts());
        object["settings"] = list.collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&object)?)?;
        return Ok(());
    }
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["setting", "default", "values", "what it is"]);
    for Choosable { key, default, values, help } in rows {
        table.add_row([key.as_str(), &default, &values, help]);
    }
    Ok(writeln!(out, "{table}")?)
}

fn as_json(facts: &Facts) -> serde_json::Value {
    json!({
        "game": facts.id,
        "title": facts.title,
        "origin": facts.origin,
        "editions": editions(facts),
        "leagues": leagues(facts),
        "house_bots": facts.house_bots,
        "hosted": facts.abilities.lobby,
    })
}

fn as_table(facts: impl Iterator<Item = Facts>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["game", "", "from", "editions", "leagues", "house bots"]);
    for facts in facts {
        let leagues: Vec<String> = leagues(&facts).iter().map(i64::to_string).collect();
        let leagues = if leagues.is_empty() { "none".to_owned() } else { leagues.join(", ") };
        let bots: Vec<String> = facts.house_bots.iter().map(|bot| format!("house:{bot}")).collect();
        table.add_row([
            facts.id.to_owned(),
            facts.title.to_owned(),
            facts.origin.to_owned(),
            editions(&facts).join(", "),
            leagues,
            bots.join(", "),
        ]);
    }
    table
}

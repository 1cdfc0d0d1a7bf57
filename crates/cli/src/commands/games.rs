//! `quintain games`

use std::io::Write as _;

use comfy_table::{ContentArrangement, Table, presets};
use quintain_core::Edition;
use quintain_registry::{Facts, GAMES};
use serde_json::json;

use crate::args::GamesArgs;
use crate::failure::Failure;

pub(super) fn run(args: &GamesArgs) -> Result<(), Failure> {
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

fn editions() -> Vec<&'static str> {
    Edition::ALL.iter().map(|edition| edition.name()).collect()
}

fn as_json(facts: &Facts) -> serde_json::Value {
    json!({
        "game": facts.id,
        "title": facts.title,
        "origin": facts.origin,
        "editions": editions(),
        "leagues": facts.leagues,
        "house_bots": facts.house_bots,
        "hosted": facts.has_lobby,
    })
}

fn as_table(facts: impl Iterator<Item = Facts>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["game", "", "from", "editions", "leagues", "house bots"]);
    for facts in facts {
        let leagues: Vec<String> = facts.leagues.iter().map(u8::to_string).collect();
        let leagues = if leagues.is_empty() { "none".to_owned() } else { leagues.join(", ") };
        let bots: Vec<String> = facts.house_bots.iter().map(|bot| format!("house:{bot}")).collect();
        table.add_row([
            facts.id.to_owned(),
            facts.title.to_owned(),
            facts.origin.to_owned(),
            editions().join(", "),
            leagues,
            bots.join(", "),
        ]);
    }
    table
}

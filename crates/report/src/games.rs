//! The games that there are, and what can be chosen about one.

use comfy_table::Table;
use quintain_arena::results::{ListedBot, ListedGame, ListedSetting};
use serde_json::{Value, json};

use crate::table::lined_rows;

pub fn table(games: &[ListedGame]) -> Table {
    let header = ["game", "", "from", "editions", "leagues", "house bots"];
    let row = |game: &ListedGame| {
        let leagues: Vec<String> = game.leagues.iter().map(i64::to_string).collect();
        [
            game.game.to_owned(),
            game.title.to_owned(),
            game.origin.to_owned(),
            game.editions.join(", "),
            if leagues.is_empty() { "none".to_owned() } else { leagues.join(", ") },
            bots_in_words(&game.house_bots),
        ]
    };
    lined_rows(header, games.iter().map(row))
}

/// A ladder has many rungs between its landmarks, and these are called after them: `greedy-30` after `greedy`.
fn bots_in_words(names: &[&str]) -> String {
    let landmarks = names.iter().copied().filter(|name| !name.contains('-'));
    let landmarks: Vec<&str> = landmarks.collect();
    let others = names.len() - landmarks.len();
    let more = if others > 0 { format!(", {others} more") } else { String::new() };
    landmarks.join(", ") + &more
}

pub fn settings_table(settings: Vec<ListedSetting>) -> Table {
    let row = |ListedSetting { key, default, values, help }: ListedSetting| {
        [key, default, values, help.to_owned()]
    };
    lined_rows(["setting", "default", "values", "what it is"], settings.into_iter().map(row))
}

pub fn bots_table(bots: &[ListedBot]) -> Table {
    let row = |bot: &ListedBot| {
        let effort = match (bot.nodes, bot.uses_clock) {
            (Some(nodes), _) => format!("{nodes} positions"),
            (None, true) => "the time limit".to_owned(),
            (None, false) => "none".to_owned(),
        };
        [format!("house:{}", bot.name), bot.about.to_owned(), effort]
    };
    lined_rows(["house bot", "what it does", "its limit"], bots.iter().map(row))
}

pub fn settings_json(game: &ListedGame, bots: &[ListedBot], settings: &[ListedSetting]) -> Value {
    let mut object = json!(game);
    object["bots"] = json!(bots);
    object["settings"] = json!(settings);
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn landmarks_are_named_and_the_rungs_between_them_counted() {
        let names = ["random", "greedy-30", "greedy", "search-1k", "champion"];
        assert_eq!(bots_in_words(&names), "random, greedy, champion, 2 more");
        assert_eq!(bots_in_words(&["random"]), "random");
    }
}

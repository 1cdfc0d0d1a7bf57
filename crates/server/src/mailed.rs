//! A match as one page that needs no server and no network: the player, the film and what both bots said
//! are inside of it.
//!
//! The player's modules are put together into one script, whose digest the policy of the page names:
//! nothing else that stands in the page can run.

use std::path::Path;

use askama::Template;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quintain_core::PerSeat;
use quintain_core::scene::Eye;

use sha2::{Digest as _, Sha256};

use crate::assets::{asset, text_asset};
use crate::error::{Refusal, ServeError};
use crate::explain::{Detail, explain};
use crate::film_text::film_text;
use crate::packed::Packed;
use crate::served_replays::ServedReplays;

/// The module that starts the player of such a page.
const ENTRY: &str = "mailed.js";
/// What the style of the pages has its letters from.
const FONTS: [&str; 2] = ["NotoSans-Regular.woff2", "NotoSans-Bold.woff2"];

#[derive(Template)]
#[template(path = "mailed.html")]
struct MailedPage {
    names: PerSeat<String>,
    line: String,
    policy: String,
    style: String,
    script: String,
    film: String,
    explanations: String,
}

/// A replay's page. Its seek bar has a line of what the first seat may expect at the start and after each step,
/// from -1 to 1, if that is known.
///
/// # Errors
/// It is no replay, or one that cannot be played again.
pub fn mailed_page(replay: &Path, expected: &[f64]) -> Result<String, ServeError> {
    let replays = ServedReplays::of_replay(replay)?;
    let id = replays.only().unwrap_or_default();
    let page = mailed_replay(&replays, id, expected);
    page.map_err(|refusal| ServeError::Replay(refusal.to_string()))
}

pub(crate) fn mailed_replay(
    replays: &ServedReplays,
    id: &str,
    expected: &[f64],
) -> Result<String, Refusal> {
    let (_, glance) = replays.glance(id)?;
    let (mut replay, game) = replays.find(id)?.reader()?;
    let film = game.film(&mut replay)?;
    let line = format!("{} · {}", film.title, film.ending);
    let film = Packed::new(&film_text(film, Eye::All, expected));
    let (mut replay, _) = replays.find(id)?.reader()?;
    let steps = explain(game, Eye::All, Detail::SHORT, &mut replay)?;
    let steps = serde_json::to_vec(&steps).expect("explanations have keys of text");
    let (style, script) = (one_style(), one_script());
    let page = MailedPage {
        names: glance.names.clone(),
        line,
        policy: policy(&style, &script),
        style,
        script,
        film: STANDARD.encode(&film.0),
        explanations: STANDARD.encode(&Packed::new(&steps).0),
    };
    page.render().map_err(|error| Refusal::Unplayable(format!("no page can be made: {error}")))
}

/// Nothing runs but the script, and nothing is fetched.
fn policy(style: &str, script: &str) -> String {
    let digest = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; font-src data:; style-src 'sha256-{}'; script-src 'sha256-{}'; \
         base-uri 'none'; form-action 'none'",
        digest(style),
        digest(script)
    )
}

/// Nothing runs at all, and nothing is fetched.
pub(crate) fn still_policy(style: &str) -> String {
    let digest = STANDARD.encode(Sha256::digest(style.as_bytes()));
    format!(
        "default-src 'none'; font-src data:; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
}

/// The style with its fonts inside of it.
pub(crate) fn one_style() -> String {
    FONTS.iter().fold(text_asset("look.css").unwrap_or_default(), |style, font| {
        let bytes = STANDARD.encode(asset(font).unwrap_or_default());
        style.replace(&format!("\"{font}\""), &format!("\"data:font/woff2;base64,{bytes}\""))
    })
}

/// The modules of the player in one script, each behind those that it imports.
fn one_script() -> String {
    let mut names = Vec::new();
    list_modules(ENTRY, &mut names);
    let modules: String = names.iter().map(|name| without_borders(&module(name))).collect();
    format!("\"use strict\";(()=>{{\n{modules}}})();")
}

fn module(name: &str) -> String {
    text_asset(name).unwrap_or_default()
}

fn list_modules(name: &str, names: &mut Vec<String>) {
    for imported in module(name).lines().filter_map(imported_by) {
        if !names.iter().any(|known| known == imported) && imported != name {
            list_modules(imported, names);
        }
    }
    if !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
}

/// The module that a line imports. Imports stand on one line each.
fn imported_by(line: &str) -> Option<&str> {
    let (_, from) = line.strip_prefix("import ")?.split_once("\"./")?;
    from.split_once('"').map(|(name, _)| name)
}

/// A module's text without imports, exports and the comments above its parts.
fn without_borders(text: &str) -> String {
    let mut is_comment = false;
    let mut kept = String::new();
    for line in text.lines() {
        let trimmed = line.trim_start();
        is_comment |= trimmed.starts_with("/**");
        let is_left_out = is_comment || imported_by(line).is_some() || trimmed.starts_with("// ");
        if !is_left_out && !trimmed.is_empty() {
            kept.push_str(trimmed.strip_prefix("export ").unwrap_or(trimmed));
            kept.push('\n');
        }
        is_comment &= !trimmed.ends_with("*/");
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_module_stands_behind_what_it_imports() {
        let mut names = Vec::new();
        list_modules(ENTRY, &mut names);
        assert_eq!(names.last().map(String::as_str), Some(ENTRY));
        for (place, name) in names.iter().enumerate() {
            for imported in module(name).lines().filter_map(imported_by) {
                let at = names.iter().position(|known| known == imported);
                assert!(at.is_some_and(|at| at < place), "{name} imports {imported}");
            }
        }
    }

    #[test]
    fn no_two_modules_of_one_script_call_something_the_same() {
        let mut names = Vec::new();
        list_modules(ENTRY, &mut names);
        let mut owners: BTreeMap<String, String> = BTreeMap::new();
        for name in names {
            for line in module(&name).lines() {
                let line = line.strip_prefix("export ").unwrap_or(line);
                let line = line.strip_prefix("async ").unwrap_or(line);
                let word = ["function ", "const ", "let ", "class "]
                    .iter()
                    .find_map(|keyword| line.strip_prefix(keyword));
                let Some(word) = word else { continue };
                let end =
                    word.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(word.len());
                let other = owners.insert(word[..end].to_owned(), name.clone());
                assert_eq!(other, None, "{} is also in {name}", &word[..end]);
            }
        }
        assert!(owners.len() > 40, "{}", owners.len());
    }

    #[test]
    fn the_style_fetches_nothing() {
        let style = one_style();
        let sources: Vec<&str> = style.split("url(\"").skip(1).collect();
        assert_eq!(sources.len(), FONTS.len());
        assert!(sources.iter().all(|source| source.starts_with("data:font/woff2;base64,d09GMg")));
    }

    #[test]
    fn nothing_of_a_module_is_left_that_only_modules_have() {
        for line in one_script().lines() {
            assert!(!line.starts_with("import ") && !line.starts_with("export "), "{line}");
        }
    }
}

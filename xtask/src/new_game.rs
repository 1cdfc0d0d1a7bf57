//! A game to start from: a copy of `xtask/templates/game` under another name, and its three places outside
//! of its folder.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::workspace;

const TEMPLATE: &str = "xtask/templates/game";
/// What the template's game is called.
const TEMPLATE_NAME: &str = "take-away";

/// Writes a small complete game that plays, is drawn, has two bots and passes its tests.
pub(crate) fn run(name: &str) -> Result<()> {
    check_name(name)?;
    let root = workspace::root();
    let folder = format!("games/{name}");
    ensure!(!root.join(&folder).exists(), "{folder} is there already");
    // Everything is read before anything is written.
    let places = places(name);
    let changed = places.iter().map(|place| place.changed(&root)).collect::<Result<Vec<_>>>()?;
    copy(&root.join(TEMPLATE), &root.join(&folder), name)?;
    for (place, text) in places.iter().zip(changed) {
        let path = root.join(place.path);
        fs::write(&path, text).with_context(|| format!("cannot write {}", place.path))?;
    }
    format(name)?;
    println!("{folder} is a game with rules, lines, pictures, two bots and tests. It is named in");
    for place in &places {
        println!("  {}", place.path);
    }
    println!("Try it, then make it yours; games/README.md tells the steps:");
    println!("  cargo test -p quintain-{name}");
    println!("  QUINTAIN_GAME={name} cargo test -p quintain-registry --test games");
    println!("  cargo run -- play {name} house:greedy house:random");
    Ok(())
}

/// A name is a word on the command line, a folder and a part of names in Rust.
fn check_name(name: &str) -> Result<()> {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase());
    if !name.split('-').all(is_word) {
        bail!("expected a name of small letters and dashes such as connect-four, got `{name}`");
    }
    Ok(())
}

/// A line outside of the game's folder.
struct Place {
    path: &'static str,
    /// It is put before the first line that begins with this...
    before: &'static str,
    /// ...after the last one that does with this.
    after: &'static str,
    line: String,
}

fn places(name: &str) -> [Place; 3] {
    let [snake, camel] = [name.replace('-', "_"), capitals(name).concat()];
    [
        Place {
            path: "Cargo.toml",
            after: "quintain-",
            before: "",
            line: format!("quintain-{name} = {{ path = \"games/{name}\" }}"),
        },
        Place {
            path: "crates/registry/Cargo.toml",
            after: "[dependencies]",
            before: "serde",
            line: format!("quintain-{name}.workspace = true"),
        },
        Place {
            path: "crates/registry/src/lib.rs",
            after: "pub static GAMES",
            before: "];",
            line: format!("    &Entry::<quintain_{snake}::{camel}>::GAME.listed(),"),
        },
    ]
}

impl Place {
    /// The text of its file with the line in it.
    fn changed(&self, root: &Path) -> Result<String> {
        let path = root.join(self.path);
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", self.path))?;
        self.with_line(&text).with_context(|| format!("{} has no place for a game", self.path))
    }

    fn with_line(&self, text: &str) -> Option<String> {
        let mut lines: Vec<&str> = text.lines().collect();
        let from = lines.iter().rposition(|line| line.starts_with(self.after))? + 1;
        let at = from + lines[from..].iter().position(|line| line.starts_with(self.before))?;
        lines.insert(at, &self.line);
        Some(lines.join("\n") + "\n")
    }
}

/// The parts of a name, each with a capital letter.
fn capitals(name: &str) -> Vec<String> {
    let capital = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    };
    name.split('-').map(capital).collect()
}

/// A text of the template with another name in all its forms: `take-away`, `take_away`, `TakeAway` and
/// `Take Away`.
fn renamed(text: &str, name: &str) -> String {
    let forms = |name: &str| {
        let words = capitals(name);
        [name.to_owned(), name.replace('-', "_"), words.concat(), words.join(" ")]
    };
    let pairs = forms(TEMPLATE_NAME).into_iter().zip(forms(name));
    pairs.fold(text.to_owned(), |text, (from, to)| text.replace(&from, &to))
}

fn copy(from: &Path, to: &Path, name: &str) -> Result<()> {
    fs::create_dir(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot list {}", from.display()))? {
        let path = entry.with_context(|| format!("cannot list {}", from.display()))?.path();
        let target = to.join(path.file_name().context("an entry of a folder has a name")?);
        if path.is_dir() {
            copy(&path, &target, name)?;
        } else {
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            fs::write(&target, renamed(&text, name))
                .with_context(|| format!("cannot write {}", target.display()))?;
        }
    }
    Ok(())
}

/// Another name makes lines longer or shorter, and sorts elsewhere.
fn format(name: &str) -> Result<()> {
    let package = format!("quintain-{name}");
    let status = workspace::cargo().args(["fmt", "--package", &package]).status();
    ensure!(status.context("cannot start cargo")?.success(), "`cargo fmt` could not format it");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_words_with_dashes() {
        for name in ["go", "connect-four"] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        for name in ["", "Go", "connect4", "-go", "go-", "a--b", "../go", "tic tac"] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_name_is_taken_over_in_every_form() {
        let text = "take-away take_away TakeAway Take Away, take away";
        let expected = "connect-four connect_four ConnectFour Connect Four, take away";
        assert_eq!(renamed(text, "connect-four"), expected);
    }

    #[test]
    fn every_place_is_found_in_this_workspace() {
        for place in places("connect-four") {
            let text = place.changed(&workspace::root()).expect(place.path);
            assert_eq!(text.lines().filter(|line| *line == place.line).count(), 1);
        }
    }
}

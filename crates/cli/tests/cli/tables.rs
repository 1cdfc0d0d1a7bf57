//! What is printed on a terminal of 80 columns has no broken word.

use std::collections::BTreeSet;

use crate::support::Folder;
use crate::terminal::{OnTerminal, Reads, USUAL};

/// As wide as a usual terminal, and higher than anything that is printed on it.
const HIGH: (u16, u16) = (80, 400);

/// What a call prints on a terminal; no row goes on in the next by itself.
fn printed(folder: &Folder, call: &str) -> String {
    let mut terminal = OnTerminal::start(folder, call, HIGH, Reads::Nothing);
    terminal.end();
    let screen = terminal.screen();
    let overlong = (0..HIGH.1).find(|row| screen.row_wrapped(*row));
    assert_eq!(overlong, None, "{call}: row of\n{}", terminal.contents());
    terminal.contents()
}

/// The words of a text, and what is left of them if they are broken behind a sign.
fn unbroken(text: &str) -> BTreeSet<String> {
    let mut parts = BTreeSet::new();
    for word in text.split_whitespace() {
        let pieces: Vec<&str> = word.split_inclusive(['/', '-', '_', '.', ':', ',']).collect();
        for first in 0..pieces.len() {
            parts.extend((first + 1..=pieces.len()).map(|end| pieces[first..end].concat()));
        }
    }
    parts
}

/// Compares what is printed on a terminal with what is printed into a pipe.
fn check(folder: &Folder, call: &str) {
    let expected = unbroken(&folder.ok(call));
    let screen = printed(folder, call);
    let is_rule = |word: &str| word.chars().all(|c| "─═".contains(c));
    let broken: Vec<&str> = screen
        .split_whitespace()
        .filter(|word| !is_rule(word) && !expected.contains(*word))
        .collect();
    assert!(broken.is_empty(), "{call}: {broken:?} in\n{screen}");
    assert!(screen.lines().count() > 3, "{call}: {screen}");
}

#[test]
fn tables_of_games_and_their_settings_have_no_broken_word() {
    let folder = Folder::new();
    for call in ["games", "games hockey", "games fencing", "games code-royale", "games worms"] {
        check(&folder, call);
    }
}

#[test]
fn the_list_of_games_fits_a_terminal_and_names_house_bots_whole() {
    let screen = printed(&Folder::new(), "games");
    assert!(screen.lines().count() < 40, "{screen}");
    let words: Vec<&str> =
        screen.split_whitespace().map(|word| word.trim_end_matches(',')).collect();
    for bot in ["random", "greedy", "champion"] {
        assert_eq!(words.iter().filter(|word| **word == bot).count(), 5, "{bot}: {screen}");
    }
}

#[test]
fn messages_on_a_terminal_break_between_words_and_leave_commands_whole() {
    let folder = Folder::new();
    let said = |call: &str| {
        let mut terminal = OnTerminal::start(&folder, call, USUAL, Reads::Nothing);
        terminal.end_with(2);
        terminal.screen().clone()
    };
    for call in ["play hockey house:best house:random", "play hockey --limit 500"] {
        let screen = said(call);
        let overlong = (0..USUAL.1).find(|row| screen.row_wrapped(*row));
        assert_eq!(overlong, None, "{call}:\n{}", screen.contents());
        assert!(screen.contents().lines().count() > 3, "{}", screen.contents());
    }
    let screen =
        said("play hockey python3 a/very/long/path/to/the/folder/of/mybot.py house:random");
    let command =
        "quintain play hockey \"python3 a/very/long/path/to/the/folder/of/mybot.py\" house:random";
    assert!(screen.contents().contains(command), "{}", screen.contents());
}

#[test]
fn standings_and_lists_of_games_have_no_broken_word() {
    let folder = Folder::new();
    let bots = ["alpha-and-omega", "b", "c"].map(|name| format!("--bot {name}=house:random"));
    let call = format!(
        "tournament --game hockey {} --games-per-pair 2 --store cup.db -q -j 1",
        bots.join(" ")
    );
    folder.ok(&call);
    check(&folder, &call);
    check(&folder, &format!("{call} --standings"));
    // Paths are one word: those of games between these two fit.
    check(&folder, "stats --store cup.db --bot b --opponent c");
}

#[test]
fn what_the_doctor_finds_has_no_broken_row() {
    let text = printed(&Folder::new(), "doctor");
    // A quiet machine is fit, a busy one needs care: both sentences name it.
    assert!(text.contains("cores") && text.contains("this machine"), "{text}");
}

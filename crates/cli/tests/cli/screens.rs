//! Every game on terminals of two sizes, with colours and without, as a replay and while it is played: screens
//! as text. How a person's screens look is in `human_screen`.

use vt100::{Cell, Color};

use crate::support::Folder;
use crate::terminal::{OnTerminal, Reads, SIZES, USUAL, rows_of};

const FIRST: Color = Color::Idx(36);
const SECOND: Color = Color::Idx(202);

/// Every game, with options that make a match short, and what its turns are called.
const MATCHES: [(&str, &str, &str); 5] = [
    ("hockey", "", "throw"),
    ("fencing", "--league 1", "turn"),
    ("code-royale", "", "turn"),
    ("worms", "--set game.maxRounds=40", "round"),
    ("overdrive", "--set figures.MAX_ROUNDS=40", "round"),
];

const HOME: &str = "\x1b[H";
const DOWN: &str = "\x1b[B";
/// With shift: ten rows.
const DOWN_FAR: &str = "\x1b[1;2B";
const UP: &str = "\x1b[A";

/// A bot of Worms that writes a lot and does nothing.
const WORDY: &str = "#!/bin/bash
while read round; do
    for line in {1..40}; do echo \"thought $line\" >&2; done
    echo \"C;$round;nothing\"
done
";

/// A replay of a game between two house bots.
fn film(game: &str, options: &str) -> Folder {
    let folder = Folder::new();
    let bots = "Ann=house:random Bob=house:greedy";
    folder.ok(&format!("play {game} {bots} {options} --seed 3 --quiet --replay match.jsonl"));
    folder
}

fn cells(terminal: &OnTerminal) -> Vec<Cell> {
    let screen = terminal.screen();
    let (rows, columns) = screen.size();
    let places =
        (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |column| (row, column)));
    places.filter_map(|(row, column)| screen.cell(row, column).cloned()).collect()
}

fn is_coloured(cell: &Cell) -> bool {
    [cell.fgcolor(), cell.bgcolor()].iter().any(|colour| *colour != Color::Default)
}

/// What both teams have on a screen is told apart: by colours, or without them by bold and underlined letters.
pub(crate) fn check_teams(terminal: &OnTerminal, is_plain: bool, what: &str) {
    let cells = cells(terminal);
    let has = |is_so: &dyn Fn(&Cell) -> bool| cells.iter().any(is_so);
    let screen = terminal.contents();
    assert_eq!(has(&is_coloured), !is_plain, "{what}: colours:\n{screen}");
    let of = |colour| move |cell: &Cell| [cell.fgcolor(), cell.bgcolor()].contains(&colour);
    let is_first = |cell: &Cell| if is_plain { cell.bold() } else { of(FIRST)(cell) };
    let is_second = |cell: &Cell| if is_plain { cell.underline() } else { of(SECOND)(cell) };
    assert!(has(&is_first) && has(&is_second), "{what}: both teams are seen:\n{screen}");
}

pub(crate) fn environment(is_plain: bool) -> &'static [(&'static str, &'static str)] {
    if is_plain { &[("NO_COLOR", "1")] } else { &[] }
}

/// The player of `match.jsonl` at the first frame.
fn player(folder: &Folder, turn_name: &str, size: (u16, u16), is_plain: bool) -> OnTerminal {
    let mut player = OnTerminal::start_with(
        folder,
        "replay match.jsonl",
        size,
        Reads::Terminal,
        environment(is_plain),
    );
    player.until_shown(&["▶", "q quit"]);
    player.press(HOME);
    let start = format!("‖ {turn_name} 0 of ");
    player.until_settled(|screen| screen.contains(&start));
    player
}

#[test]
fn replays_of_every_game_at_their_first_mark() {
    for (game, options, turn_name) in MATCHES {
        let folder = film(game, options);
        for (size, size_name) in SIZES {
            let texts = [false, true].map(|is_plain| {
                let mut player = player(&folder, turn_name, size, is_plain);
                player.press("n");
                let start = format!("‖ {turn_name} 0 of ");
                player.until_settled(|screen| screen.contains('‖') && !screen.contains(&start));
                check_teams(&player, is_plain, &format!("{game} {size_name}"));
                rows_of(&player)
            });
            assert_eq!(texts[0], texts[1], "{game} {size_name}: colours change no letter");
            insta::assert_snapshot!(format!("replay-{game}-{size_name}"), texts[0]);
        }
    }
}

#[test]
fn what_was_sent_and_answered_in_every_game() {
    for (game, options, turn_name) in MATCHES {
        let folder = film(game, options);
        for (size, size_name) in SIZES {
            let mut player = player(&folder, turn_name, size, false);
            player.press("s");
            player.until_settled(|screen| screen.contains("nothing yet"));
            player.press("2\r");
            let second = format!("‖ {turn_name} 2 of ");
            player.until_settled(|screen| {
                screen.contains(&second) && screen.contains("answered after")
            });
            let text = without_times(&rows_of(&player));
            insta::assert_snapshot!(format!("said-{game}-{size_name}"), text);
            player.press("s");
            player.until_settled(|screen| !screen.contains("answered after"));
        }
    }
}

/// How long an answer took is another time in every match, and moves what stands behind it.
fn without_times(screen: &str) -> String {
    let row = |row: &str| match row.contains("answered after") {
        false => row.to_owned(),
        true => {
            let words = row.split_whitespace();
            let is_time = |word: &str| word.parse::<f64>().is_ok();
            words.map(|word| if is_time(word) { "*" } else { word }).collect::<Vec<_>>().join(" ")
        }
    };
    screen.lines().map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn long_states_are_scrolled_and_notes_are_cut_with_a_sign() {
    let folder = Folder::new();
    folder.write("bot.sh", WORDY);
    let bots = ["Ann=bash bot.sh", "Bob=house:random"];
    let rest = ["--set", "game.maxRounds=3", "--limit", "300s", "--replay", "match.jsonl", "-q"];
    let words = [&["play", "worms"][..], &bots, &rest].concat();
    let finished = folder.run_words(&words, "");
    assert_eq!(finished.code, 0, "{finished:?}");
    let mut player = player(&folder, "round", USUAL, false);
    player.press("l");
    player.until_settled(|screen| screen.contains("‖ round 1 of 3"));
    let screen = player.contents();
    assert!(!screen.contains("thought 40") && screen.contains("… +"), "{screen}");
    player.press("s");
    player.until_settled(|screen| screen.contains("C;1;nothing") && screen.contains("▼"));
    assert!(player.contents().contains("it plays inside this program"), "{}", player.contents());
    // Behind what it wrote are its files.
    player.press(&DOWN.repeat(45));
    player.until_settled(|screen| {
        screen.contains("▲") && screen.contains("mapSize") && screen.contains("▼")
    });
    player.press(&DOWN_FAR.repeat(200));
    player.until_settled(|screen| screen.contains("▲") && !screen.contains("▼"));
    player.press(UP);
    player.until_settled(|screen| screen.contains("▼"));
    // Another turn is looked at from its beginning.
    player.press("l");
    player.until_settled(|screen| {
        screen.contains("‖ round 2 of 3") && screen.contains("C;2;nothing")
    });
    player.press("q");
    player.end();
}

#[test]
fn worms_are_their_numbers_in_the_colours_of_their_teams() {
    for is_plain in [false, true] {
        let folder = film("worms", "--set game.maxRounds=3");
        let player = player(&folder, "round", USUAL, is_plain);
        for (colour, is_first) in [(FIRST, true), (SECOND, false)] {
            let is_its = |cell: &Cell| match (is_plain, is_first) {
                (false, _) => cell.fgcolor() == colour,
                (true, true) => cell.bold() && !cell.underline(),
                (true, false) => cell.underline(),
            };
            // The board ends before the figures and above the bar.
            let places = (1..20).flat_map(|row| (0..55).map(move |column| (row, column)));
            let screen = player.screen();
            let cells = places.filter_map(|(row, column)| screen.cell(row, column));
            let mut numbers: Vec<&str> =
                cells.filter(|cell| is_its(cell)).map(Cell::contents).collect();
            numbers.retain(|text| text.parse::<u8>().is_ok());
            numbers.sort_unstable();
            assert_eq!(numbers, ["1", "2", "3"], "{}", player.contents());
        }
    }
}

#[test]
fn the_last_position_says_once_how_it_ended_and_what_both_did() {
    for (game, options, turn_name) in MATCHES {
        let folder = film(game, options);
        let mut player = player(&folder, turn_name, USUAL, false);
        player.press("\x1b[F");
        player.until_settled(|screen| screen.contains("Bob beat Ann"));
        let screen = player.contents();
        let side = screen.lines().filter_map(|row| row.get(row.char_indices().nth(56)?.0..));
        let side = side.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
        let (figures, told) = side.split_once("Bob beat Ann").expect("it is on the side");
        assert!(!figures.contains("Bob wins"), "{game}: {screen}");
        assert!(told.contains(" Ann: ") && told.contains("; Bob: "), "{game}: {screen}");
    }
}

#[test]
fn matches_of_every_game_while_they_are_played() {
    for (game, options, _) in MATCHES {
        for (size, size_name) in SIZES {
            let texts = [false, true].map(|is_plain| {
                let folder = Folder::new();
                let bots = "Ann=house:random Bob=house:greedy";
                let call = format!("play {game} {bots} {options} --seed 3 --no-replay");
                let reads = Reads::Answering;
                let mut live =
                    OnTerminal::start_with(&folder, &call, size, reads, environment(is_plain));
                live.end();
                check_teams(&live, is_plain, &format!("{game} {size_name}"));
                rows_of(&live)
            });
            assert_eq!(texts[0], texts[1], "{game} {size_name}: colours change no letter");
            insta::assert_snapshot!(format!("live-{game}-{size_name}"), texts[0]);
        }
    }
}

//! `quintain replay` on a real terminal: what a person finds on it, and what keys do.

use vt100::{Color, Screen};

use crate::support::{Folder, counted_again, games, join_lines, replay_lines};
use crate::terminal::{OnTerminal, Reads, USUAL};

const FIRST: Color = Color::Idx(36);
const SECOND: Color = Color::Idx(202);
const WALL: Color = Color::Idx(245);

const HOME: &str = "\x1b[H";
const END: &str = "\x1b[F";
const ESCAPE: &str = "\x1b";

/// A match of twelve throws, between bots that somebody called so.
fn film(names: [&str; 2]) -> Folder {
    let folder = Folder::new();
    folder.ok("play hockey Ann=house:greedy Bob=house:random --seed 3 --replay a.jsonl");
    let mut lines = replay_lines(&folder.read("a.jsonl"));
    lines[0]["bots"] = names.to_vec().into();
    folder.write("a.jsonl", join_lines(&counted_again(lines)));
    folder
}

/// The player at the start of the film.
fn player(folder: &Folder, size: (u16, u16)) -> OnTerminal {
    let mut player = OnTerminal::start(folder, "replay a.jsonl", size, Reads::Terminal);
    player.until_shown(&["▶ throw "]);
    player.press(HOME);
    player.until_shown(&["‖ throw 0 of 12"]);
    player
}

/// Where there are braille dots of a colour.
fn dots(screen: &Screen, colour: Color) -> Vec<(u16, u16)> {
    let (rows, columns) = screen.size();
    let columns = 0..columns.get();
    let cells = (0..rows.get()).flat_map(|row| columns.clone().map(move |column| (row, column)));
    let is_dotted = |&(row, column): &(u16, u16)| {
        screen.cell(row, column).is_some_and(|cell| {
            let letter = cell.contents().chars().next();
            cell.fgcolor() == colour && matches!(letter, Some('\u{2801}'..='\u{28ff}'))
        })
    };
    cells.filter(is_dotted).collect()
}

#[test]
fn a_frame_has_names_figures_caption_notes_and_the_board() {
    let folder = film(["An\u{1b}n", "Bob"]);
    for size in [USUAL, (120, 40), (200, 60)] {
        let mut player = player(&folder, size);
        player.until_shown(&["Paper Hockey", "○ Bob", "throw 0 of 12  1x", "q quit", "▾"]);
        assert!(player.text().contains("An\u{fffd}n"), "{}", player.text());
        let lines =
            |player: &OnTerminal| [FIRST, SECOND].map(|colour| dots(player.screen(), colour).len());
        let at_start = lines(&player);
        assert!(!player.contents().contains("beat Bob"));
        player.press(END);
        player.until_shown(&["throws north", "beat Bob: a", "‖ throw 12 of 12  1x  goal"]);
        // The goals have the colours of the seats, too.
        let at_end = lines(&player);
        let has_grown = at_start.iter().zip(&at_end).all(|(before, after)| after > before);
        assert!(has_grown, "{at_start:?}, {at_end:?}: {}", player.contents());
        player.press("q");
        player.end();
    }
}

#[test]
fn the_board_has_the_shape_of_the_world() {
    let player = player(&film(["Ann", "Bob"]), USUAL);
    let walls = dots(player.screen(), WALL);
    let extent = |places: Vec<u16>| {
        let (least, most) = (places.iter().min(), places.iter().max());
        most.zip(least).map_or(0, |(most, least)| most - least + 1)
    };
    let down = extent(walls.iter().map(|wall| wall.0).collect());
    let across = extent(walls.iter().map(|wall| wall.1).collect());
    // Five dots to a unit, two to a column and four to a row: ten units both ways. The nets are not walls.
    assert_eq!((across, down), (26, 13), "{}", player.contents());
}

#[test]
fn keys_lead_through_the_film() {
    let mut player = player(&film(["Ann", "Bob"]), USUAL);
    let (right, left) = ("\x1b[C", "\x1b[D");
    let (shift_right, shift_left) = ("\x1b[1;2C", "\x1b[1;2D");
    let (page_down, page_up, delete) = ("\x1b[6~", "\x1b[5~", "\x7f");
    for (keys, expected) in [
        (vec![right], 1),
        (vec![left, left, "l", "l"], 2),
        (vec![shift_right], 12),
        (vec![shift_left], 2),
        (vec![page_down, right, left], 11),
        (vec![page_up, "h"], 0),
        (vec!["L"], 10),
        (vec!["H", "z", "l"], 1),
        (vec!["3", "\r"], 3),
        (vec!["g", "4", "\r"], 4),
        (vec!["4", "2", "\r"], 12),
        (vec!["4", "2", delete, "\r"], 4),
        (vec!["g", "\r", "l"], 5),
        (vec!["n"], 12),
        (vec!["p"], 0),
        (vec!["4", "\r", "l"], 5),
    ] {
        player.press(&keys.concat());
        player.until_shown(&[&format!("‖ throw {expected} of 12")]);
    }
    player.press(&"9".repeat(50));
    player.until_shown(&["Jump to throw 999999999▏"]);
    player.press(ESCAPE);
    player.until_shown(&["‖ throw 5 of 12"]);
}

#[test]
fn a_film_runs_as_fast_as_it_is_told_and_stops_at_its_end() {
    let mut player = player(&film(["Ann", "Bob"]), USUAL);
    player.press(&"-".repeat(20));
    player.until_shown(&["throw 0 of 12  0.25x"]);
    player.press(" ");
    player.until_shown(&["▶ throw 0 of 12  0.25x"]);
    player.press(&"+".repeat(20));
    player.until_shown(&["‖ throw 12 of 12  64x"]);
    player.press("-- ");
    player.until_shown(&["▶ throw", "16x"]);
}

#[test]
fn leaving_closes_the_help_first_and_then_quits() {
    let folder = film(["Ann", "Bob"]);
    for quit in [ESCAPE, "q", "\x03"] {
        let mut player = player(&folder, USUAL);
        player.press("?");
        player.until_shown(&["Keys", "space", "ten steps", "jump to a turn", "leave"]);
        player.press(ESCAPE);
        player.until(|screen| !screen.contains("ten steps"));
        player.press(quit);
        player.end();
    }
}

#[test]
fn narrow_windows_keep_the_board_and_the_names_shortened_by_columns() {
    let long = "x".repeat(10_000);
    for (names, shown) in [
        (["Ann", "Bob"], "Ann : Bob"),
        (["漢字漢字漢字漢字", &long], "漢字漢字漢字… : xxxxxxxxxxxx…"),
    ] {
        let mut player = player(&film(names), (40, 12));
        player.press(END);
        player.until_shown(&[shown, "throw 12 of 12"]);
        assert!(!dots(player.screen(), FIRST).is_empty(), "{}", player.contents());
        player.press("?");
        player.until_shown(&["Keys"]);
    }
}

#[test]
fn windows_that_are_too_small_say_so() {
    let folder = film(["Ann", "Bob"]);
    for size in [(39, 24), (80, 11), (20, 5)] {
        let mut player = OnTerminal::start(&folder, "replay a.jsonl", size, Reads::Terminal);
        player.until_shown(&["small"]);
        player.press("q");
        player.end();
    }
    let mut player = OnTerminal::start(&folder, "replay a.jsonl", (1, 1), Reads::Terminal);
    player.press("q");
    player.end();
}

#[test]
fn plain_text_has_the_transcript_the_position_and_the_ending() {
    let text = film(["An\u{1b}n", "Bob"]).ok("replay a.jsonl");
    assert!(text.starts_with("Paper Hockey: An\u{fffd}n (Ann) against Bob\n\n 1  "), "{text}");
    let parts = [
        "\n12  An\u{fffd}n (Ann) wins: a goal was made\n\n",
        "goal\n\nAn\u{fffd}n (Ann) beat Bob: ",
    ];
    for part in parts {
        assert!(text.contains(part), "{part:?} in {text}");
    }
}

/// The teams are told apart by colours, and without them by bold and underlined letters and by two signs.
#[test]
fn teams_differ_with_and_without_colours_in_every_game() {
    for game in games() {
        for is_plain in [false, true] {
            let folder = Folder::new();
            let play = "--seed 3 --quiet --replay match.replay.jsonl.zst";
            folder.ok(&format!("play {game} Ann=house:random Bob=house:greedy {play}"));
            let environment: &[(&str, &str)] = if is_plain { &[("NO_COLOR", "1")] } else { &[] };
            let words = "replay match.replay.jsonl.zst";
            let mut player =
                OnTerminal::start_with(&folder, words, USUAL, Reads::Terminal, environment);
            player.until_shown(&["● Ann", "○ Bob", "q quit"]);
            player.press(END);
            player.until_shown(&["● Ann", "○ Bob", "‖", "Bob"]);
            let screen = player.screen();
            let cells = (0..USUAL.1).flat_map(|row| (0..USUAL.0).map(move |column| (row, column)));
            let cells: Vec<_> =
                cells.filter_map(|(row, column)| screen.cell(row, column)).collect();
            let is_coloured = |cell: &&vt100::Cell| cell.fgcolor() != vt100::Color::Default;
            assert_eq!(cells.iter().any(is_coloured), !is_plain, "{game}: {}", player.contents());
            let style = |name: &str| {
                let (row, column) = (0..USUAL.1)
                    .find_map(|row| {
                        let text = screen.rows(0, USUAL.0).nth(usize::from(row))?;
                        let at = text.find(name)?;
                        Some((row, text[..at].chars().count() as u16))
                    })
                    .expect("the name is on the screen");
                let cell = screen.cell(row, column).expect("a cell");
                (cell.fgcolor(), cell.underline())
            };
            assert_ne!(style("Ann"), style("Bob"), "{game}");
            player.press("q");
            player.end();
        }
    }
}

//! Screens drawn into memory, and what a person would find on them.

use quintain_core::PerSeat;
use quintain_core::Seat;
use quintain_core::scene::{
    Anchor, Area, Film, Form, Frame, Ink, Panel, Point, Scene, Shape, Span, Stage, Style, TextScene,
};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::Color;

use super::controls::draw_player;
use super::picture::shortened;
use super::player::{Command, Player};
use super::print_film;

/// A line of each seat across a small field, with figures, notes and a goal at the end.
fn film() -> Film {
    let point = |x, y| Point::new(x, y);
    let line = |id, ink, from, to| {
        let form = Form::Line { points: vec![from, to] };
        Shape::new(id, 1, form, Style::stroke(ink, 0.1))
    };
    let corner = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)];
    let rim = Form::Polygon { points: corner.map(|(x, y)| point(x, y)).to_vec() };
    let rim_style = Style { fill: Some(Ink::Field), ..Style::stroke(Ink::Wall, 0.1) };
    let letters = Form::Text {
        at: point(5.0, 0.9),
        size: 0.8,
        anchor: Anchor::Middle,
        text: "NORTH".to_owned(),
    };
    let background =
        vec![Shape::new(0, 0, rim, rim_style), Shape::new(1, 0, letters, Style::fill(Ink::Text))];
    let lines = [
        line(2, Ink::First, point(2.0, 5.0), point(5.0, 5.0)),
        line(3, Ink::Second, point(5.0, 5.0), point(5.0, 8.0)),
    ];
    let frame = |turn: usize, mark| Frame {
        turn: turn as u32,
        scene: Scene {
            shapes: lines[..turn].to_vec(),
            panels: vec![
                Panel { seat: Some(Seat::First), name: "Energy", value: format!("{}", 10 - turn) },
                Panel { seat: None, name: "Round", value: format!("{turn}/2") },
            ],
            caption: format!("caption {turn}"),
        },
        text: TextScene { lines: vec![vec![Span { text: format!("position {turn}"), ink: None }]] },
        notes: vec![format!("note of step {turn}")],
        mark,
    };
    Film {
        title: "Rink",
        turn_name: "throw",
        names: PerSeat(["Ann\u{1b}".to_owned(), "Bob".to_owned()]),
        stage: Stage {
            world: Area { x: -1.0, y: -1.0, width: 12.0, height: 12.0 },
            background,
            palette: Vec::new(),
        },
        frames: vec![frame(0, None), frame(1, None), frame(2, Some("goal"))],
        ending: "Ann wins by a goal".to_owned(),
    }
}

fn screen(film: &Film, commands: &[Command], width: u16, height: u16) -> Buffer {
    let turns = film.frames.iter().map(|frame| frame.turn).collect();
    let mut player = Player::new(turns).expect("the film has frames");
    commands.iter().for_each(|&command| player.obey(command));
    let mut terminal =
        Terminal::new(TestBackend::new(width, height)).expect("memory is a terminal");
    terminal
        .draw(|target| draw_player(film, &player, target.area(), target.buffer_mut()))
        .expect("memory can be drawn on");
    terminal.backend().buffer().clone()
}

fn rows(buffer: &Buffer) -> Vec<String> {
    let width = usize::from(buffer.area.width);
    let row = |cells: &[ratatui::buffer::Cell]| cells.iter().map(|cell| cell.symbol()).collect();
    buffer.content.chunks(width).map(row).collect()
}

fn assert_shows(buffer: &Buffer, expected: &[&str]) {
    let text = rows(buffer).join("\n");
    for part in expected {
        assert!(text.contains(part), "{part:?} is not on the screen:\n{text}");
    }
}

/// Braille cells of a colour.
fn dots(buffer: &Buffer, colour: Color) -> usize {
    let is_braille = |symbol: &str| matches!(symbol.chars().next(), Some('\u{2801}'..='\u{28ff}'));
    let content = buffer.content.iter();
    content.filter(|cell| cell.fg == colour && is_braille(cell.symbol())).count()
}

#[test]
fn a_frame_has_names_figures_caption_notes_and_the_board() {
    let film = film();
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        let start = screen(&film, &[], width, height);
        let parts = [
            "Rink",
            "● Ann\u{fffd}",
            "● Bob",
            "Energy 10",
            "Round 0/2",
            "caption 0",
            "NORTH",
            "note of step 0",
            "▶ throw 0 of 2  1x",
            "q quit",
            "▾",
        ];
        assert_shows(&start, &parts);
        assert_eq!(dots(&start, Color::Indexed(36)), 0, "nobody has drawn a line yet");
        assert!(!rows(&start).join("").contains("Ann wins"));
        let end = screen(&film, &[Command::ToEnd], width, height);
        assert_shows(&end, &["caption 2", "Ann wins by a goal", "‖ throw 2 of 2  1x  goal"]);
        assert!(dots(&end, Color::Indexed(36)) > 2 && dots(&end, Color::Indexed(202)) > 1);
    }
}

#[test]
fn the_board_has_the_shape_of_the_world() {
    let buffer = screen(&film(), &[], 80, 24);
    let wall = |cell: &ratatui::buffer::Cell| {
        cell.fg == Color::Indexed(245) && cell.symbol().starts_with(|c| c >= '\u{2800}')
    };
    let walls: Vec<_> = (0..21)
        .flat_map(|y| (0..56).map(move |x| (x, y)))
        .filter(|&position| wall(&buffer[position]))
        .collect();
    let across = walls.iter().map(|wall| wall.0).max().zip(walls.iter().map(|wall| wall.0).min());
    let down = walls.iter().map(|wall| wall.1).max().zip(walls.iter().map(|wall| wall.1).min());
    let extent = |bounds: Option<(u16, u16)>| bounds.map_or(0, |(most, least)| most - least + 1);
    // Six dots to a unit: a side of ten units is 60 dots, two to a column and four to a row.
    assert_eq!((extent(across), extent(down)), (31, 16), "{walls:?}");
}

#[test]
fn help_and_the_question_for_a_turn_are_shown() {
    let film = film();
    let parts = ["Keys", "space", "ten steps", "jump to a turn", "leave"];
    assert_shows(&screen(&film, &[Command::Help], 80, 24), &parts);
    assert_shows(&screen(&film, &[Command::Help], 40, 12), &["Keys"]);
    let asked = [Command::AskTurn, Command::Digit('1')];
    assert_shows(&screen(&film, &asked, 80, 24), &["Jump to throw 1"]);
}

#[test]
fn narrow_windows_keep_the_board_and_the_names() {
    let buffer = screen(&film(), &[Command::ToEnd], 40, 12);
    assert_shows(&buffer, &["Ann\u{fffd} : Bob", "throw 2 of 2"]);
    assert!(dots(&buffer, Color::Indexed(36)) > 0);
}

#[test]
fn windows_that_are_too_small_say_so() {
    for (width, height) in [(39, 24), (80, 11), (20, 5)] {
        assert_shows(&screen(&film(), &[], width, height), &["small"]);
    }
    screen(&film(), &[], 1, 1);
}

#[test]
fn long_names_are_shortened_by_columns() {
    assert_eq!(shortened("Ann", 3), "Ann");
    assert_eq!(shortened("Anne", 3), "An…");
    assert_eq!(shortened("漢字漢字", 5), "漢字…");
    assert_eq!(shortened(&"x".repeat(10_000), 4), "xxx…");
}

#[test]
fn plain_text_has_the_transcript_the_position_and_the_ending() {
    let mut out = Vec::new();
    print_film(&film(), &mut out).expect("memory can be written");
    let text = String::from_utf8(out).expect("text is UTF-8");
    let expected = "\
Rink: Ann\u{fffd} against Bob

0  note of step 0
1  note of step 1
2  note of step 2

position 2

Ann wins by a goal
";
    assert_eq!(text, expected);
}

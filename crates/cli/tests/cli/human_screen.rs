//! A person plays whole matches on a real terminal: keys are pressed, screens are read.

use crate::screens::{check_teams, environment};
use crate::support::Folder;
use crate::terminal::{OnTerminal, Reads, SIZES, USUAL, rows_of};

const ENTER: &str = "\r";
const ESCAPE: &str = "\x1b";

/// Every game, with options that make a match short.
const MATCHES: [(&str, &str); 5] = [
    ("hockey", ""),
    ("fencing", "--league 1"),
    ("code-royale", ""),
    ("worms", "--set game.maxRounds=12"),
    ("overdrive", "--set figures.MAX_ROUNDS=40"),
];

/// The last row is drawn last.
fn is_asked(screen: &str) -> bool {
    screen.contains("Your answer:") && screen.contains("\n > ")
}

fn is_over(screen: &str) -> bool {
    screen.ends_with("The match is over. q leaves.")
}

/// The turn at the top, and what was typed at the bottom.
fn place(screen: &str) -> (String, String) {
    let last = screen.lines().last().unwrap_or_default().to_owned();
    let turn = screen
        .lines()
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .last()
        .unwrap_or_default()
        .to_owned();
    (turn, last)
}

fn start(folder: &Folder, game: &str, options: &str, size: (u16, u16)) -> OnTerminal {
    start_with(folder, game, options, size, &[])
}

fn start_with(
    folder: &Folder,
    game: &str,
    options: &str,
    size: (u16, u16),
    environment: &[(&str, &str)],
) -> OnTerminal {
    let words = format!("play {game} human house:random --seed 3 {options}");
    let mut terminal = OnTerminal::start_with(folder, &words, size, Reads::Terminal, environment);
    if game == "hockey" {
        terminal.until_settled(|screen| {
            screen.contains("What's your name?") && screen.contains("human")
        });
        terminal.press(ENTER);
    }
    terminal.until_settled(is_asked);
    terminal
}

/// Answers with the first of all that is offered until the match is over. Returns the last screen.
fn play_on(terminal: &mut OnTerminal, mut before_each: impl FnMut(&mut OnTerminal)) -> String {
    loop {
        terminal.until_settled(|screen| is_asked(screen) || is_over(screen));
        let screen = terminal.contents();
        if is_over(&screen) {
            return screen;
        }
        before_each(terminal);
        // A key for each part of the answer.
        let asked = terminal.contents();
        terminal.press(ENTER);
        terminal.until(|screen| place(screen) != place(&asked) || is_over(screen));
    }
}

/// What is on the screen when the program has ended.
fn end(terminal: &mut OnTerminal) -> String {
    terminal.end();
    terminal.contents()
}

fn whole_match(game: &str, options: &str) {
    let folder = Folder::new();
    let mut terminal = start(&folder, game, options, USUAL);
    let last = play_on(&mut terminal, |_| {});
    assert!(last.contains(" after "), "{game}: how it ended is told:\n{last}");
    terminal.press("q");
    let text = end(&mut terminal);
    assert!(text.contains("show it again: quintain replay"), "{game}: {text}");
    let replays = folder.list("replays");
    let verified = folder.ok(&format!("verify replays/{}", replays[0]));
    assert!(verified.contains("1 verified"), "{game}: {verified}");
}

#[test]
fn what_is_typed_is_the_name_and_enter_alone_takes_the_usual_one() {
    for (typed, name) in [("Zoe", "Zoe"), ("", "human")] {
        let folder = Folder::new();
        let words = "play hockey human house:random --seed 3";
        let mut terminal = OnTerminal::start(&folder, words, USUAL, Reads::Terminal);
        terminal.until_settled(|screen| screen.contains("Answer: ▏ (enter alone: human)"));
        terminal.press(typed);
        terminal.until_settled(|screen| screen.contains(&format!("Answer: {typed}▏")));
        terminal.press(ENTER);
        terminal.until_settled(is_asked);
        assert!(terminal.contents().contains(name), "{}", terminal.contents());
    }
}

#[test]
fn a_person_plays_a_whole_match_of_hockey() {
    whole_match("hockey", "");
}

#[test]
fn a_person_plays_a_whole_match_of_fencing() {
    whole_match("fencing", "--league 1");
}

#[test]
fn a_person_plays_a_whole_match_of_code_royale() {
    whole_match("code-royale", "");
}

#[test]
fn a_person_plays_a_whole_match_of_worms() {
    whole_match("worms", "--set game.maxRounds=12");
}

#[test]
fn a_person_plays_a_whole_match_of_overdrive() {
    whole_match("overdrive", "--set figures.MAX_ROUNDS=40");
}

#[test]
fn a_mistake_in_every_turn_costs_nothing() {
    let folder = Folder::new();
    let mut terminal = start(&folder, "hockey", "", USUAL);
    let mut mistakes = 0;
    play_on(&mut terminal, |terminal| {
        terminal.press("upwards");
        terminal.until_settled(|screen| screen.contains("> upwards"));
        terminal.press(ENTER);
        terminal
            .until(|screen| screen.contains("Not possible: expected one of the eight directions"));
        terminal.press(ESCAPE);
        terminal.until_settled(is_asked);
        mistakes += 1;
    });
    assert!(mistakes > 2, "{mistakes}");
    terminal.press("q");
    let text = end(&mut terminal);
    assert!(text.contains(" after "), "{text}");
    let replay = String::from_utf8(
        zstd::decode_all(&folder.read(&format!("replays/{}", folder.list("replays")[0]))[..])
            .expect("it is packed"),
    )
    .expect("it is text");
    assert!(!replay.contains("upwards"), "what was wrong never left the screen");
}

#[test]
fn digits_play_what_they_stand_before_and_are_typed_elsewhere() {
    let folder = Folder::new();
    let mut terminal = start(&folder, "code-royale", "", USUAL);
    terminal.press("1");
    terminal.until_settled(|screen| screen.contains("1 BUILD ") && screen.contains(" MINE …"));
    terminal.press("2");
    terminal.until_settled(|screen| screen.contains(" TOWER ; ▏"));
    terminal.press(ESCAPE);
    terminal.until_settled(|screen| screen.contains("\n > ▏"));
    terminal.press("move ");
    terminal.until_settled(|screen| screen.contains("  MOVE ") && !screen.contains("1 MOVE "));
    terminal.press("1");
    terminal.until_settled(|screen| screen.contains("\n > move 1▏"));
}

#[test]
fn small_letters_are_meant_where_the_game_wants_capitals() {
    let folder = Folder::new();
    let mut terminal = start(&folder, "code-royale", "", USUAL);
    terminal.press("move 700 500");
    terminal.until_settled(|screen| screen.contains("\n > move 700 500▏"));
    terminal.press(ENTER);
    terminal.until_settled(|screen| screen.contains("TRAIN"));
    terminal.press(ENTER);
    terminal.until_settled(|screen| {
        is_asked(screen) && screen.contains("human's queen walks towards 700")
    });
}

#[test]
fn what_was_wrong_is_told_whole() {
    let folder = Folder::new();
    let mut terminal = start(&folder, "hockey", "", USUAL);
    let wrong = ["upwards"; 5].join(" ");
    terminal.press(&wrong);
    terminal.press(ENTER);
    let whole = format!("got `{wrong}`");
    terminal.until_settled(|screen| {
        let told: Vec<&str> = screen.split_whitespace().collect();
        screen.contains("Not possible: ") && told.join(" ").contains(&whole)
    });
}

#[test]
fn what_is_pasted_is_typed_and_not_played() {
    let folder = Folder::new();
    let mut terminal = start(&folder, "hockey", "", USUAL);
    terminal.press("\x1b[200~north\rnorth\r\x1b[201~");
    terminal.until_settled(|screen| {
        screen.contains("\n > north ; north▏") && screen.contains("throw 0")
    });
    terminal.press(ENTER);
    terminal.until_settled(|screen| screen.contains("Not possible: "));
    terminal.press(ESCAPE);
    terminal.until_settled(is_asked);
    terminal.press("\x1b[200~north\n\x1b[201~");
    terminal.until_settled(|screen| screen.contains("\n > north▏"));
    terminal.press(ENTER);
    terminal.until_settled(|screen| is_asked(screen) && screen.contains("human throws north"));
}

#[test]
fn what_stands_below_a_map_is_read_from_its_beginning() {
    let folder = Folder::new();
    let mut terminal = start(&folder, "worms", "", USUAL);
    // Shift and the arrow down.
    terminal.press(&"\x1b[1;2B".repeat(30));
    terminal.until_settled(|screen| {
        ["▓▓ dirt  ·· air  ≈≈ lava", "player 1: score ", "player 2: score "]
            .iter()
            .all(|part| screen.lines().any(|row| row.trim_start_matches('▲').starts_with(part)))
    });
}

#[test]
fn help_is_a_key_and_leaving_is_asked_for() {
    let folder = Folder::new();
    let mut terminal = start(&folder, "fencing", "", USUAL);
    terminal.press("?");
    terminal.until_settled(|screen| {
        screen.contains("Keys") && screen.contains("complete what was typed")
    });
    terminal.press(" ");
    terminal.until_settled(is_asked);
    terminal.press(ESCAPE);
    terminal.until_settled(|screen| screen.contains("Leave the match and lose it?"));
    terminal.press("n");
    terminal.until_settled(|screen| is_asked(screen) && !screen.contains("Leave the match"));
    terminal.press("\x03");
    terminal.until_settled(|screen| screen.contains("Leave the match and lose it?"));
    terminal.press("y");
    assert!(end(&mut terminal).contains("random beat human"));
}

#[test]
fn a_person_with_a_clock_sees_it_and_loses_by_it() {
    let folder = Folder::new();
    let words = "play fencing human house:random --seed 3 --human-clock --time-scale 40";
    let mut terminal = OnTerminal::start(&folder, words, USUAL, Reads::Terminal);
    terminal.until(|screen| screen.contains(" s left"));
    terminal.until_settled(is_over);
    let last = terminal.contents();
    assert!(last.contains("random beat human"), "{last}");
    terminal.press("q");
    end(&mut terminal);
}

#[test]
fn the_first_screen_of_every_game_has_the_board_and_what_can_be_answered() {
    for (game, options) in MATCHES {
        for (size, name) in SIZES {
            let texts = [false, true].map(|is_plain| {
                let folder = Folder::new();
                let environment = environment(is_plain);
                let mut terminal = start_with(&folder, game, options, size, environment);
                terminal.until_settled(is_asked);
                check_teams(&terminal, is_plain, &format!("{game} {name}"));
                let text = rows_of(&terminal);
                terminal.press("\x03");
                terminal.until_settled(|screen| screen.contains("Leave the match"));
                terminal.press("y");
                end(&mut terminal);
                text
            });
            assert_eq!(texts[0], texts[1], "{game} {name}: colours change no letter");
            insta::assert_snapshot!(format!("{game}-{name}"), texts[0]);
        }
    }
}

//! Pictures and films.

use std::fs::File;

use crate::support::{Folder, replay_lines, workspace};

fn played() -> Folder {
    let folder = Folder::new();
    folder.ok("play hockey house:greedy house:random --seed 3 --replay a.jsonl");
    folder
}

/// Width and height as the file says.
fn png_size(bytes: &[u8]) -> (u32, u32) {
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(&bytes[12..16], b"IHDR");
    let number = |at: usize| {
        let bytes: [u8; 4] = bytes[at..at + 4].try_into().expect("four bytes");
        u32::from_be_bytes(bytes)
    };
    (number(16), number(20))
}

#[test]
fn a_picture_has_the_size_that_was_asked_for() {
    let folder = played();
    let told = folder.export("a.jsonl --png a.png --size 800x600");
    let bytes = folder.read("a.png").len();
    let bytes = format!("{},{:03}", bytes / 1000, bytes % 1000);
    assert_eq!(told, format!("wrote a.png: throw 12, 800 x 600, {bytes} bytes\n"));
    assert_eq!(png_size(&folder.read("a.png")), (800, 600));
    folder.export("a.jsonl --png small.png --size 320x240");
    assert_eq!(png_size(&folder.read("small.png")), (320, 240));
    for wrong in ["80", "0x0", "100000x600", "axb", "800x"] {
        let finished = folder.run(&format!("export a.jsonl --png b.png --size {wrong}"));
        let expected = "expected a width from 160 to 4096, such as 800, or with a height";
        assert_eq!(finished.code, 2, "{wrong}");
        assert!(finished.stderr.contains(expected), "{wrong}: {}", finished.stderr);
    }
}

#[test]
fn a_picture_without_a_height_is_as_high_as_its_game_wants_it() {
    let folder = played();
    let heights = ["400", "800", "1400"].map(|width| {
        folder.export(&format!("a.jsonl --png a.png --size {width}"));
        let (found, height) = png_size(&folder.read("a.png"));
        assert_eq!(found.to_string(), width);
        height
    });
    assert!(heights[0] > 400, "on a narrow sheet everything is stacked: {heights:?}");
    assert!(heights[1] < 800 && heights[2] < 1400, "columns stand beside the rink: {heights:?}");
}

#[test]
fn a_picture_is_for_a_light_room_unless_a_dark_one_is_asked_for() {
    let folder = played();
    folder.export("a.jsonl --svg usual.svg");
    folder.export("a.jsonl --svg light.svg --theme light");
    folder.export("a.jsonl --svg dark.svg --theme dark");
    assert_eq!(folder.read("usual.svg"), folder.read("light.svg"));
    let dark = String::from_utf8(folder.read("dark.svg")).expect("SVG is text");
    assert!(dark.contains("#0f131a") && !dark.contains("#f4f2ec"), "the page is dark");
}

#[test]
fn a_picture_shows_the_turn_that_was_asked_for() {
    let folder = played();
    for turn in [0, 3, 12] {
        folder.export(&format!("a.jsonl --svg {turn}.svg --turn {turn}"));
    }
    folder.export("a.jsonl --svg last.svg");
    assert_eq!(folder.read("12.svg"), folder.read("last.svg"));
    assert_ne!(folder.read("0.svg"), folder.read("3.svg"));
    let finished = folder.run("export a.jsonl --png b.png --turn 999");
    assert_eq!(finished.code, 2);
    let expected = "--turn: expected a turn from 0 to 12, found 999";
    assert!(finished.stderr.contains(expected), "{}", finished.stderr);
    assert!(!folder.path("b.png").exists());
}

#[test]
fn a_film_has_a_frame_for_the_start_and_for_every_step() {
    let folder = played();
    folder.export("a.jsonl --gif a.gif --png a.png --size 800x600");
    assert!(folder.read("a.gif").starts_with(b"GIF89a"));
    let file = File::open(folder.path("a.gif")).expect("the film");
    let mut decoder = gif::DecodeOptions::new().read_info(file).expect("a film");
    assert_eq!((decoder.width(), decoder.height()), (800, 600));
    let mut frames = 0;
    while decoder.next_frame_info().expect("a frame").is_some() {
        frames += 1;
    }
    let lines = replay_lines(&folder.read("a.jsonl"));
    let steps = lines.iter().filter(|line| line["kind"] == "step").count();
    assert_eq!((frames, steps), (13, 12));
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let folder = played();
    for kind in ["png", "svg", "gif"] {
        let finished = folder.run(&format!("export a.jsonl --{kind} no/such/folder/x.{kind}"));
        assert_eq!((finished.code, finished.stdout.as_str()), (1, ""));
        let expected = format!("cannot write no/such/folder/x.{kind}: ");
        assert!(finished.stderr.contains(&expected), "{}", finished.stderr);
    }
}

/// A match between names of which one has letters that the fonts of the program lack.
fn played_by_strangers() -> Folder {
    let folder = Folder::new();
    let bots = ["漢字=house:greedy", "Žofie-Ω-Я=house:random"];
    let words = [&["play", "hockey"], &bots[..], &["--seed", "3", "--replay", "a.jsonl"]].concat();
    assert_eq!(folder.run_words(&words, "").code, 0);
    folder
}

#[test]
fn letters_that_no_font_has_are_spelled_and_told_of() {
    let folder = played_by_strangers();
    let words = ["export", "a.jsonl", "--png", "a.png"];
    let finished = folder.run_with(&words, "", &[("QUINTAIN_FONTS", "")]);
    assert_eq!(finished.code, 0, "{finished:?}");
    let told = "these letters of the names are spelled in Latin ones, since no font here has them: 字漢; \
                --svg shows them";
    assert!(finished.stderr.contains(told), "{}", finished.stderr);
    folder.export("a.jsonl --svg a.svg");
    let picture = String::from_utf8(folder.read("a.svg")).expect("text");
    assert!(picture.contains("漢字"));
}

#[test]
fn letters_that_a_font_of_the_machine_has_are_taken_from_it() {
    let folder = played_by_strangers();
    let fonts = workspace().join("crates/draw/tests/fonts");
    let fonts = fonts.to_str().expect("the path is text");
    let export = |name: &str, fonts: &str| {
        let words = ["export", "a.jsonl", "--png", name];
        let finished = folder.run_with(&words, "", &[("QUINTAIN_FONTS", fonts)]);
        assert_eq!(finished.code, 0, "{finished:?}");
        finished.stderr
    };
    let told = export("drawn.png", fonts);
    let expected = "these letters of the names come from a font of this machine";
    assert!(told.contains(expected) && told.contains("字漢") && !told.contains("Latin"), "{told}");
    export("spelled.png", "");
    assert_ne!(folder.read("drawn.png"), folder.read("spelled.png"));
}

/// How long each picture of a film is shown, in hundredths of a second.
pub(crate) fn delays(folder: &Folder, name: &str) -> Vec<u16> {
    let file = File::open(folder.path(name)).expect("the film");
    let mut decoder = gif::DecodeOptions::new().read_info(file).expect("a film");
    let mut delays = Vec::new();
    while let Some(frame) = decoder.next_frame_info().expect("a frame") {
        delays.push(frame.delay);
    }
    delays
}

#[test]
fn a_film_runs_as_fast_as_was_asked_for() {
    let folder = played();
    let usual = [vec![40; 12], vec![400]].concat();
    for (speed, delay) in [("1x", 40), ("2x", 20), ("0.5", 80), ("20x", 2)] {
        folder.export(&format!("a.jsonl --gif a.gif --speed {speed}"));
        assert_eq!(delays(&folder, "a.gif"), [vec![delay; 12], vec![400]].concat(), "{speed}");
    }
    folder.export("a.jsonl --gif a.gif --png a.png --size 320x240");
    assert_eq!(delays(&folder, "a.gif"), usual);
    for wrong in ["0", "-1", "fast", "21x", "NaN", "2fps"] {
        let finished = folder.run(&format!("export a.jsonl --gif b.gif --speed={wrong}"));
        let expected = "expected a speed from 0.1x to 20x, such as 2x";
        assert_eq!(finished.code, 2, "{wrong}");
        assert!(finished.stderr.contains(expected), "{wrong}: {}", finished.stderr);
    }
}

#[test]
fn a_film_shows_the_turns_that_were_asked_for() {
    let folder = played();
    for (turns, frames) in [("3..5", 3), ("10..", 3), ("..4", 5), ("7..7", 1), ("10..999", 3)] {
        let told = folder.export(&format!("a.jsonl --gif a.gif --turns {turns}"));
        let plural = if frames == 1 { "" } else { "s" };
        assert!(told.contains(&format!(": {frames} frame{plural}, 800 x 468, ")), "{told}");
        assert_eq!(delays(&folder, "a.gif").len(), frames, "{turns}");
    }
    let cases = [
        (
            "--gif b.gif --turns 13..20",
            "--turns: expected some of the turns from 0 to 12, found 13..20",
        ),
        (
            "--gif b.gif --turns 5",
            "expected the first and the last turn, such as 10..40, 10.. or ..40",
        ),
        ("--gif b.gif --turns 5..x", "expected the first and the last turn"),
        ("--gif b.gif --turns 5..3", "found a first turn after the last one"),
        ("--png b.png --turns 1..2", "--gif"),
        ("--png b.png --speed 2x", "--gif"),
    ];
    for (words, expected) in cases {
        let finished = folder.run(&format!("export a.jsonl {words}"));
        assert_eq!(finished.code, 2, "{words}: {finished:?}");
        assert!(finished.stderr.contains(expected), "{words}: {}", finished.stderr);
        assert!(!folder.path("b.gif").exists() && !folder.path("b.png").exists(), "{words}");
    }
}

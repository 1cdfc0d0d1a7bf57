//! Pictures and films.

use std::fs::File;

use crate::support::{Folder, replay_lines};

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
    let told = folder.export("a.jsonl --png a.png");
    let bytes = folder.read("a.png").len();
    let bytes = format!("{},{:03}", bytes / 1000, bytes % 1000);
    assert_eq!(told, format!("wrote a.png: throw 12, 800 x 600, {bytes} bytes\n"));
    assert_eq!(png_size(&folder.read("a.png")), (800, 600));
    folder.export("a.jsonl --png small.png --size 320x240");
    assert_eq!(png_size(&folder.read("small.png")), (320, 240));
    for wrong in ["800", "0x0", "100000x600", "axb"] {
        let finished = folder.run(&format!("export a.jsonl --png b.png --size {wrong}"));
        let expected = "expected width and height from 160 to 4096, such as 800x600";
        assert_eq!(finished.code, 2, "{wrong}");
        assert!(finished.stderr.contains(expected), "{wrong}: {}", finished.stderr);
    }
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
    folder.export("a.jsonl --gif a.gif --png a.png");
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

#[test]
fn letters_that_no_font_has_are_told_of() {
    let folder = Folder::new();
    let bots = ["漢字=house:greedy", "Žofie-Ω-Я=house:random"];
    let words = [&["play", "hockey"], &bots[..], &["--seed", "3", "--replay", "a.jsonl"]].concat();
    assert_eq!(folder.run_words(&words, "").code, 0);
    let finished = folder.run("export a.jsonl --png a.png");
    let told = "these letters of the names are boxes: 字漢; --svg shows them";
    assert!(finished.stderr.contains(told), "{}", finished.stderr);
    folder.export("a.jsonl --svg a.svg");
    let picture = String::from_utf8(folder.read("a.svg")).expect("text");
    assert!(picture.contains("漢字"));
}

//! What stands in the SVG document, and that nobody's name can break it.

use std::path::Path;

use quintain_core::Seat;
use quintain_core::scene::{Film, Panel, Theme};
use quintain_draw::{Sheet, svg};
use quintain_testkit::check_golden_file;
use resvg::usvg::roxmltree::Document;

use crate::films::{rink, rink_with_panels, sized};
use crate::gallery::gallery;

#[test]
fn a_film_with_every_form_looks_as_it_did_in_both_themes() {
    for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        let sheet = Sheet { width: 1000, height: None, theme };
        let drawn = svg(&gallery(96.0, 50.0, 6), 4, sheet);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
        check_golden_file(&folder.join(format!("gallery-{name}.svg")), &drawn);
    }
}

#[test]
fn the_last_frame_has_the_ending_and_the_others_have_their_caption() {
    let film = rink(["Ann", "Bob"], 3);
    for frame in 0..3 {
        let texts = texts(&svg(&film, frame, Sheet::default())).join(" ");
        assert!(texts.contains("is to throw"), "{texts:?}");
        assert!(!texts.contains("wins"), "{texts:?}");
    }
    let last = texts(&svg(&film, 3, Sheet::default())).join(" ");
    assert!(last.contains(&film.ending) && last.contains("Throw 3 of 3"), "{last:?}");
    let beyond = texts(&svg(&film, 99, Sheet::default())).join(" ");
    assert_eq!(beyond, last, "beyond the last is the last");
}

#[test]
fn what_each_player_did_stands_on_its_side_and_replaces_the_caption() {
    for (width, height) in [(96.0, 50.0), (60.0, 60.0)] {
        for sheet_width in [1400, 800, 400] {
            let film = gallery(width, height, 3);
            let sheet = Sheet { width: sheet_width, ..Sheet::default() };
            let texts = texts(&svg(&film, 2, sheet));
            assert_eq!(texts.iter().filter(|text| *text == "LOOK 2").count(), 2, "{texts:?}");
            assert!(!texts.iter().any(|text| text.contains("Grace waits")), "{texts:?}");
        }
    }
}

#[test]
fn a_film_without_frames_is_its_empty_stage() {
    let bare = Film { frames: Vec::new(), ..rink(["Ann", "Bob"], 0) };
    let texts = texts(&svg(&bare, 0, Sheet::default()));
    assert_eq!(texts, ["Paper Hockey", "1", "Ann", "2", "Bob", "NW", "NE", "SW", "SE"]);
}

#[test]
fn long_names_of_many_figures_are_whole() {
    const NAMES: [&str; 6] = [
        "drugs",
        "retreat skill",
        "break skill",
        "double retreat skill",
        "walk skill",
        "double walk skill",
    ];
    let mut film = gallery(96.0, 50.0, 2);
    for frame in &mut film.frames {
        frame.scene.panels =
            NAMES.map(|name| Panel::new(Some(Seat::Second), name, "+10".to_owned())).into();
    }
    for width in [1400, 900, 800] {
        let texts = texts(&svg(&film, 1, Sheet { width, ..Sheet::default() }));
        let missing: Vec<_> =
            NAMES.iter().filter(|name| !texts.iter().any(|text| text == *name)).collect();
        assert!(missing.is_empty(), "{missing:?} at {width}: {texts:?}");
    }
}

#[test]
fn figures_are_shown_with_their_names() {
    let film = rink_with_panels(4);
    for (sheet, expected) in [
        (Sheet::default(), vec!["Energy", "17", "15", "Score", "Round", "3", "Distance"]),
        (
            Sheet { width: 400, ..Sheet::default() },
            vec!["Round 3  ·  Distance 4", "15 Energy, 1 Score"],
        ),
    ] {
        let texts = texts(&svg(&film, 3, sheet));
        for expected in expected {
            assert!(texts.iter().any(|text| text == expected), "{expected} in {texts:?}");
        }
    }
}

#[test]
fn a_narrow_sheet_has_the_windows_for_it_and_leaves_out_what_needs_room() {
    let film = gallery(96.0, 50.0, 3);
    let shown = |width| texts(&svg(&film, 1, Sheet { width, ..Sheet::default() }));
    let (wide, narrow) = (shown(800), shown(400));
    let count = |texts: &[String], text: &str| texts.iter().filter(|one| *one == text).count();
    assert_eq!(count(&wide, "in the corner"), 1);
    assert_eq!(count(&narrow, "in the corner"), 0);
    assert_eq!(count(&wide, "Ada 52"), 2, "in the world and in the lens");
    assert_eq!(count(&narrow, "Ada 52"), 1);
    assert_eq!(count(&wide, "a blast"), 1, "in the legend");
    assert_eq!(count(&narrow, "a blast"), 0);
}

#[test]
fn hostile_names_stay_text() {
    let long = "x".repeat(10_000);
    for name in [
        "<script>alert(1)</script>&\"'",
        "]]><!-- -->&#0;",
        "a\0b\u{1}c\u{1b}[31m\r\n\u{85}",
        "\u{202e}reversed\u{2066}",
        "שלום مرحبا",
        "🤖👨‍👩‍👧 e\u{301}\u{301}\u{301}",
        "\u{fffe}\u{ffff}\u{feff}",
        "",
        &long,
    ] {
        let mut film = rink([name, name], 1);
        for frame in &mut film.frames {
            frame.scene.caption = name.to_owned();
            frame.scene.deeds = quintain_core::PerSeat([vec![name.to_owned(); 9], Vec::new()]);
            frame.scene.shapes[0].label = Some(name.to_owned());
        }
        for sheet in [Sheet::default(), sized(400, 700), sized(1, 1)] {
            let document = svg(&film, 1, sheet);
            let tree =
                Document::parse(&document).unwrap_or_else(|error| panic!("{name:?}: {error}"));
            let known = [
                "svg", "defs", "clipPath", "g", "rect", "circle", "polyline", "polygon", "path",
                "text", "title",
            ];
            for node in tree.root().descendants().filter(|node| node.is_element()) {
                assert!(known.contains(&node.tag_name().name()), "{:?}", node.tag_name());
            }
            assert!(document.len() < 50_000, "a long name is shortened: {}", document.len());
            quintain_draw::png(&film, 1, sheet).expect("a valid picture can be painted");
        }
    }
}

#[test]
fn a_long_name_ends_in_an_ellipsis_and_a_short_one_is_whole() {
    let film = rink(["A name that is by far too long for its half of the header", "Bob"], 1);
    let texts = texts(&svg(&film, 0, Sheet::default()));
    let long = texts.iter().find(|text| text.starts_with("A name")).expect("it is there");
    assert!(long.ends_with('…'), "{long}");
    assert!(texts.contains(&"Bob".to_owned()));
}

fn texts(document: &str) -> Vec<String> {
    let tree = Document::parse(document).expect("the document is XML");
    let texts = tree.root().descendants().filter(|node| node.has_tag_name("text"));
    texts.map(|node| node.text().unwrap_or_default().to_owned()).collect()
}

//! What stands in the SVG document, and that nobody's name can break it.

use quintain_draw::{Sheet, svg};
use resvg::usvg::roxmltree::Document;

use crate::films::{rink, rink_with_panels};

/// Set to any value, it makes the test write the file that it would compare with.
const UPDATE: &str = "UPDATE_GOLDEN";

#[test]
fn a_small_film_looks_as_it_did() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/rink.svg");
    let drawn = svg(&rink(["Ann", "Bob"], 2), 1, Sheet::default());
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(path, &drawn).expect("the golden file is writable");
    }
    let golden = std::fs::read_to_string(path).expect("the golden file is there");
    assert_eq!(drawn, golden, "set {UPDATE}=1 to take over the new picture, and look at it");
}

#[test]
fn the_last_frame_has_the_ending_and_the_others_have_their_caption() {
    let film = rink(["Ann", "Bob"], 3);
    for frame in 0..3 {
        let texts = texts(&svg(&film, frame, Sheet::default()));
        assert!(texts.iter().any(|text| text.ends_with("is to throw")), "{texts:?}");
        assert!(!texts.contains(&film.ending));
    }
    let last = texts(&svg(&film, 3, Sheet::default()));
    assert!(last.contains(&film.ending) && last.contains(&"Throw 3 of 3".to_owned()), "{last:?}");
    assert_eq!(texts(&svg(&film, 99, Sheet::default())), last, "beyond the last is the last");
}

#[test]
fn a_film_without_frames_is_its_empty_stage() {
    let film = rink(["Ann", "Bob"], 0);
    let bare = quintain_core::scene::Film { frames: Vec::new(), ..film };
    let texts = texts(&svg(&bare, 0, Sheet::default()));
    assert_eq!(texts, ["Ann", "Bob", "Paper Hockey", "NW", "NE", "SW", "SE"]);
}

#[test]
fn figures_are_shown_with_their_names() {
    let texts = texts(&svg(&rink_with_panels(4), 3, Sheet::default()));
    for expected in ["Energy", "17", "15", "Score", "Round 3   ·   Distance 4"] {
        assert!(texts.iter().any(|text| text == expected), "{expected} in {texts:?}");
    }
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
        let film = rink([name, name], 1);
        for sheet in [Sheet::default(), Sheet { width: 1, height: 1 }] {
            let document = svg(&film, 1, sheet);
            let tree =
                Document::parse(&document).unwrap_or_else(|error| panic!("{name:?}: {error}"));
            let known =
                ["svg", "clipPath", "g", "rect", "circle", "polyline", "polygon", "text", "title"];
            for node in tree.root().descendants().filter(|node| node.is_element()) {
                assert!(known.contains(&node.tag_name().name()), "{:?}", node.tag_name());
            }
            assert!(document.len() < 50_000, "a long name is shortened");
            quintain_draw::png(&film, 1, sheet).expect("a valid document can be painted");
        }
    }
}

#[test]
fn a_long_name_ends_in_an_ellipsis_and_a_short_one_is_whole() {
    let film = rink(["A name that is by far too long for its half of the header", "Bob"], 1);
    let texts = texts(&svg(&film, 0, Sheet::default()));
    assert!(texts[0].starts_with("A name") && texts[0].ends_with('…'), "{}", texts[0]);
    assert_eq!(texts[1], "Bob");
}

fn texts(document: &str) -> Vec<String> {
    let tree = Document::parse(document).expect("the document is XML");
    let texts = tree.root().descendants().filter(|node| node.has_tag_name("text"));
    texts.map(|node| node.text().unwrap_or_default().to_owned()).collect()
}

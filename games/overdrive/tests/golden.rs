//! One match between the house bots as readable text, compared whole: what happened, and how the track
//! looks. `QUINTAIN_UPDATE=1` writes the file anew; read the change before keeping it.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use quintain_core::scene::{Eye, Scene, TextScene, Watch};
use quintain_core::{Game, House, NoChance, PerSeat, Reply, Seat, Spectate};
use quintain_overdrive::{Config, Event, Overdrive};

const SEED: i64 = 2020;
/// The track is shown after every so many rounds.
const FIELD_EVERY: u32 = 20;

fn show(game: &Overdrive, names: &PerSeat<String>, last: &[Event], text: &mut String) {
    let (mut picture, mut scene) = (TextScene::default(), Scene::default());
    game.text(Eye::All, &mut picture);
    let watch = Watch { eye: Eye::All, names, trail: &(), last };
    game.draw(&watch, &mut scene);
    let panels: Vec<String> =
        scene.panels.iter().map(|panel| format!("{} {}", panel.name, panel.value)).collect();
    writeln!(text, "\n{}", picture.plain()).expect("a string takes any text");
    let (shapes, digest) = (scene.shapes.len(), game.fingerprint());
    let panels = panels.join(", ");
    writeln!(text, "{} ({panels}; {shapes} shapes, state {digest:016x})\n", scene.caption)
        .expect("a string takes any text");
}

fn playthrough() -> String {
    let names = PerSeat(["Anna", "Bert"].map(str::to_owned));
    let config = Config::default();
    let mut game = Overdrive::new(&config, Overdrive::generate(&config, SEED)).expect("playable");
    let mut bots =
        PerSeat(["greedy", "random"].map(|name| Overdrive::bot(name, 1).expect("a bot")));
    let mut text = String::new();
    show(&game, &names, &[], &mut text);
    while game.outcome().is_none() {
        let mut replies = PerSeat::default();
        writeln!(text, "{}", game.turn() + 1).expect("a string takes any text");
        for seat in Seat::BOTH {
            let action = bots[seat].act(&game.view(seat));
            replies[seat] = Some(Reply::Act(action));
        }
        let mut events = Vec::new();
        game.advance(&replies, &mut NoChance, &mut events);
        for event in &events {
            let sentence = Overdrive::describe(event, &names);
            let mark = Overdrive::mark(event).map_or_else(String::new, |mark| format!(" [{mark}]"));
            if !sentence.is_empty() {
                writeln!(text, "  {sentence}{mark}").expect("a string takes any text");
            }
        }
        if game.turn().is_multiple_of(FIELD_EVERY) || game.outcome().is_some() {
            show(&game, &names, &events, &mut text);
        }
    }
    let outcome = game.outcome().expect("the loop ends with the game");
    writeln!(text, "scores {:?}, reason `{}`", outcome.scores.0, outcome.reason)
        .expect("a string takes any text");
    text
}

#[test]
fn a_match_of_the_house_is_what_it_was() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/house.txt");
    let got = playthrough();
    if env::var_os("QUINTAIN_UPDATE").is_some() {
        fs::write(&path, &got).expect("the golden file can be written");
    }
    let expected = fs::read_to_string(&path).expect("the golden file is there");
    for (number, (expected, got)) in expected.lines().zip(got.lines()).enumerate() {
        assert_eq!(got, expected, "line {} of {}", number + 1, path.display());
    }
    assert_eq!(got.lines().count(), expected.lines().count());
}

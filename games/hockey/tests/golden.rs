//! One random game as readable text, compared whole: what each player is sent, what happened, and
//! how the board looks. `QUINTAIN_UPDATE=1` writes the file anew; read the change before keeping it.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use quintain_core::scene::{Eye, Scene, TextScene, Watch};
use quintain_core::{
    Game, Intake, Item, NoChance, Opening, Outbox, PerSeat, Protocol, Reply, Sample, Seat,
    Spectate, SplitMix64,
};
use quintain_hockey::{Config, Event, Hockey, Setup, Trail, Wire};

const SEED: u64 = 2017;
/// A board is shown after every so many throws.
const BOARD_EVERY: u32 = 8;

struct Playthrough {
    game: Hockey,
    wire: Wire,
    names: PerSeat<String>,
    trail: Trail,
    text: String,
}

impl Playthrough {
    fn new() -> Self {
        let names = PerSeat(["Bob", "Malory"].map(str::to_owned));
        let opening = Opening::new(names.clone());
        Playthrough {
            game: Hockey::new(&Config::default(), Setup::default()).expect("playable"),
            wire: Wire::new(&opening),
            names,
            trail: Trail::default(),
            text: String::new(),
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn send(&mut self, out: Outbox) {
        for (seat, item) in out.0 {
            let Item::Line(line) = item else { panic!("hockey sends lines only") };
            let name = &self.names[seat];
            writeln!(self.text, "  to {name}: {line}").expect("a string takes any text");
        }
    }

    fn ask(&mut self) {
        let mut out = Outbox::default();
        for seat in self.game.to_act().iter() {
            self.wire.prompt(seat, &self.game.view(seat), &mut out);
        }
        self.send(out);
    }

    fn show(&mut self, last: &[Event]) {
        let (mut text, mut scene) = (TextScene::default(), Scene::default());
        self.game.text(Eye::All, &mut text);
        let watch = Watch { eye: Eye::All, names: &self.names, trail: &self.trail, last };
        self.game.draw(&watch, &mut scene);
        let digest = self.game.fingerprint();
        let shapes = scene.shapes.len();
        writeln!(self.text, "\n{}", text.plain()).expect("a string takes any text");
        self.line(&format!("{} ({shapes} shapes, state {digest:016x})\n", scene.caption));
    }

    fn step(&mut self, seat: Seat, chance: &mut SplitMix64) -> Vec<Event> {
        let direction = self.game.sample(seat, chance);
        let said = self.wire.say(&self.game.view(seat), &direction).concat();
        self.line(&format!("{}: {said}", self.names[seat]));
        let mut out = Outbox::default();
        let intake = self.wire.hear(seat, true, &said, &mut out);
        assert_eq!(intake, Intake::Action(direction));
        let mut replies = PerSeat::default();
        replies[seat] = Some(Reply::Act(direction));
        let mut events = Vec::new();
        self.game.advance(&replies, &mut NoChance, &mut events);
        Hockey::follow(&mut self.trail, &events);
        for event in &events {
            let sentence = Hockey::describe(event, &self.names);
            let mark = Hockey::mark(event).map_or_else(String::new, |mark| format!(" [{mark}]"));
            self.line(&format!("  {sentence}{mark}"));
        }
        self.wire.tell(&events, self.game.outcome().as_ref(), &mut out);
        self.send(out);
        events
    }
}

fn playthrough() -> String {
    let mut play = Playthrough::new();
    let mut chance = SplitMix64::new(SEED);
    let mut out = Outbox::default();
    play.wire.start(&play.game.views(), &mut out);
    play.send(out);
    play.ask();
    play.show(&[]);
    while let Some(seat) = play.game.to_act().iter().next() {
        let events = play.step(seat, &mut chance);
        play.ask();
        if play.game.turn().is_multiple_of(BOARD_EVERY) || play.game.outcome().is_some() {
            play.show(&events);
        }
    }
    let outcome = play.game.outcome().expect("the loop ends with the game");
    play.line(&format!("scores {:?}, reason `{}`", outcome.scores.0, outcome.reason));
    play.text
}

#[test]
fn a_random_game_is_what_it_was() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/random.txt");
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

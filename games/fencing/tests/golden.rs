//! One match of the house bots as readable text, compared whole: what each is sent, what happened,
//! and how the piste looks. The bots sit on the far side of the wire and know nothing but their
//! lines. `QUINTAIN_UPDATE=1` writes the file anew; read the change before keeping it.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use quintain_core::scene::{Eye, Scene, TextScene, Watch};
use quintain_core::{
    Dialogue, Game, House, Intake, Item, NoChance, Opening, Outbox, PerSeat, Protocol, Reply, Seat,
    Spectate,
};
use quintain_fencing::{Action, Config, Event, Fencing, Setup, Wire};

/// The piste is shown after every so many turns.
const SHOW_EVERY: u32 = 10;
const TURNS_SHOWN: u32 = 40;

struct Playthrough {
    game: Fencing,
    wire: Wire,
    names: PerSeat<String>,
    bots: PerSeat<Box<dyn Dialogue>>,
    text: String,
}

impl Playthrough {
    fn new(bots: [&str; 2], seed: i64) -> Self {
        let names = PerSeat(["Bob", "Malory"].map(str::to_owned));
        let opening = Opening::new(names.clone());
        let bot = |name| Fencing::dialogue(name, "any", seed, None).expect("a house bot");
        Playthrough {
            game: Fencing::new(&Config::default(), Setup::default()).expect("playable"),
            wire: Wire::new(&opening),
            names,
            bots: PerSeat(bots.map(bot)),
            text: String::new(),
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Sends the seat its lines and hears its answer.
    fn ask(&mut self, seat: Seat) -> Action {
        let mut out = Outbox::default();
        self.wire.prompt(seat, &self.game.view(seat), &mut out);
        let mut answers = Vec::new();
        for (to, item) in out.0 {
            let Item::Line(line) = item else { panic!("fencing sends lines only") };
            assert_eq!(to, seat);
            self.bots[seat].hear(&line, &mut answers);
            let name = self.names[seat].clone();
            self.line(&format!("  to {name}: {line}"));
        }
        assert_eq!(answers.len(), 1, "one answer a turn");
        let heard = self.wire.hear(seat, true, &answers[0], &mut Outbox::default());
        match heard {
            Intake::Action(action) => action,
            other => panic!("{} is {other:?}", answers[0]),
        }
    }

    fn step(&mut self) -> Vec<Event> {
        let asked = self.game.to_act();
        let replies =
            PerSeat::from_fn(|seat| asked.contains(seat).then(|| Reply::Act(self.ask(seat))));
        let mut events = Vec::new();
        self.game.advance(&replies, &mut NoChance, &mut events);
        for event in &events {
            let text = Fencing::describe(event, &self.names);
            let mark = Fencing::mark(event).map_or_else(String::new, |mark| format!(" [{mark}]"));
            self.line(&format!("{text}{mark}"));
        }
        events
    }

    fn show(&mut self, last: &[Event]) {
        let (mut text, mut scene) = (TextScene::default(), Scene::default());
        self.game.text(Eye::All, &mut text);
        let watch = Watch { eye: Eye::All, names: &self.names, trail: &(), last };
        self.game.draw(&watch, &mut scene);
        let digest = self.game.fingerprint();
        let shapes = scene.shapes.len();
        writeln!(self.text, "\n{}", text.plain()).expect("a string takes any text");
        self.line(&format!("{} ({shapes} shapes, state {digest:016x})\n", scene.caption));
    }

    /// Plays to the end; only the first turns and the last are written down in full.
    fn play(mut self) -> Self {
        self.show(&[]);
        while self.game.outcome().is_none() {
            let length = self.text.len();
            let events = self.step();
            let turn = self.game.turn();
            if turn > TURNS_SHOWN && self.game.outcome().is_none() {
                self.text.truncate(length);
            } else if turn.is_multiple_of(SHOW_EVERY) || self.game.outcome().is_some() {
                self.show(&events);
            }
        }
        self
    }
}

#[test]
fn a_match_of_the_house_bots_is_as_it_was() {
    let text = Playthrough::new(["greedy", "random"], 2020).play().text;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/house.txt");
    if env::var_os("QUINTAIN_UPDATE").is_some() {
        fs::write(&path, &text).expect("the golden file can be written");
    }
    let expected = fs::read_to_string(&path).expect("the golden file is there");
    assert!(text == expected, "the match differs from tests/golden/house.txt:\n{text}");
}

#[test]
fn house_bots_play_whole_matches_over_the_wire_without_an_offence() {
    for seed in 0..5 {
        for bots in [["greedy", "random"], ["random", "greedy"], ["greedy", "greedy"]] {
            let game = Playthrough::new(bots, seed).play().game;
            assert_eq!(game.offences().0, [None, None], "{bots:?}, seed {seed}");
        }
    }
}

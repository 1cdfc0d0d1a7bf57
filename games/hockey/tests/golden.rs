//! One random game as readable text, compared whole: what each player is sent, what happened, and
//! how the board looks. `QUINTAIN_UPDATE=1` writes the file anew; read the change before keeping it.

use std::fmt::Write as _;

use quintain_core::{
    Game, Intake, Item, NoChance, Opening, Outbox, PerSeat, Protocol, Replies, Sample, Seat,
    Spectate, SplitMix64,
};
use quintain_hockey::{Config, Event, Hockey, Setup, Trail, Wire};
use quintain_testkit::{Look, check_golden, happenings};

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
        // A throw that was played stands in the trail.
        let replies = Replies::default();
        let look = Look::new(&self.game, &self.names, &self.trail, &replies, last);
        self.line(&format!("\n{}\n{}\n", look.text, look.outline()));
    }

    fn step(&mut self, seat: Seat, chance: &mut SplitMix64) -> Vec<Event> {
        let direction = self.game.sample(seat, chance);
        let said = self.wire.say(&self.game.view(seat), &direction).concat();
        self.line(&format!("{}: {said}", self.names[seat]));
        let mut out = Outbox::default();
        let intake = self.wire.hear(seat, true, &said, &mut out);
        assert_eq!(intake, Intake::Action(direction));
        let replies = Replies::only(seat, direction);
        let mut events = Vec::new();
        self.game.advance(&replies, &mut NoChance, &mut events);
        Hockey::follow(&mut self.trail, &events);
        for sentence in happenings::<Hockey>(&events, &self.names) {
            self.line(&format!("  {sentence}"));
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
    check_golden(env!("CARGO_MANIFEST_DIR"), "random", &playthrough());
}

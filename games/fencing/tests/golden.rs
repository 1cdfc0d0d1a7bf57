//! One match of the house bots as readable text, compared whole: what each is sent, what happened,
//! and how the piste looks. The bots sit on the far side of the wire and know nothing but their
//! lines. `QUINTAIN_UPDATE=1` writes the file anew; read the change before keeping it.

use quintain_core::{
    Dialogue, Game, HouseClient, NoChance, Opening, PerSeat, Protocol, Replies, Reply, Seat,
};
use quintain_fencing::{Action, Config, Event, Fencing, Setup, Wire};
use quintain_testkit::{Look, check_golden, exchange, happenings};

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
        let exchange = exchange(&mut self.wire, &self.game, seat, &mut *self.bots[seat]);
        for line in exchange.told {
            let name = self.names[seat].clone();
            self.line(&format!("  to {name}: {line}"));
        }
        exchange.action
    }

    fn step(&mut self) -> (Replies<Action>, Vec<Event>) {
        let asked = self.game.to_act();
        let replies =
            PerSeat::from_fn(|seat| asked.contains(seat).then(|| Reply::Act(self.ask(seat))));
        let mut events = Vec::new();
        self.game.advance(&replies, &mut NoChance, &mut events);
        for sentence in happenings::<Fencing>(&events, &self.names) {
            self.line(&sentence);
        }
        (replies, events)
    }

    fn show(&mut self, replies: &Replies<Action>, last: &[Event]) {
        let look = Look::new(&self.game, &self.names, &(), replies, last);
        self.line(&format!("\n{}\n{}\n", look.text, look.outline()));
    }

    /// Plays to the end; only the first turns and the last are written down in full.
    fn play(mut self) -> Self {
        self.show(&Replies::default(), &[]);
        while self.game.outcome().is_none() {
            let length = self.text.len();
            let (replies, events) = self.step();
            let turn = self.game.turn();
            if turn > TURNS_SHOWN && self.game.outcome().is_none() {
                self.text.truncate(length);
            } else if turn.is_multiple_of(SHOW_EVERY) || self.game.outcome().is_some() {
                self.show(&replies, &events);
            }
        }
        self
    }
}

#[test]
fn a_match_of_the_house_bots_is_as_it_was() {
    let text = Playthrough::new(["greedy", "random"], 2020).play().text;
    check_golden(env!("CARGO_MANIFEST_DIR"), "house", &text);
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

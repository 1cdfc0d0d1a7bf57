//! The workload by which the original was measured: recorded whole races, played through the rules
//! with their commands already read, and once more with everything rendered that bots are shown.

use quintain_core::entelect::Rendering;
use quintain_core::{Fault, Game, NoChance, PerSeat, Replies, Reply, Seat};
use serde::Deserialize;

use crate::render::{BlockTexts, Sheet};
use crate::view::Numbers;
use crate::{Action, Config, Overdrive, Switches};

/// A recorded race with its commands already read.
#[derive(Clone, Debug)]
pub struct Recorded {
    start: Overdrive,
    replies: Vec<Replies<Action>>,
}

#[derive(Deserialize)]
struct Header {
    game: String,
    seed: i64,
}

#[derive(Deserialize)]
struct Initial {
    generated: bool,
}

#[derive(Deserialize)]
struct Round {
    commands: PerSeat<Option<String>>,
}

impl Recorded {
    /// Reads the lines of a recording; `None` if it is not one of a whole race.
    pub fn read(lines: &[String]) -> Option<Recorded> {
        let header: Header = serde_json::from_str(lines.first()?).ok()?;
        let initial: Initial = serde_json::from_str(lines.get(1)?).ok()?;
        if header.game != Overdrive::ID || !initial.generated {
            return None;
        }
        let rounds = lines.iter().filter_map(|line| serde_json::from_str::<Round>(line).ok());
        let config = Config { switches: Switches::ORIGINAL, ..Config::default() };
        let setup = Overdrive::generate(&config, header.seed);
        Some(Recorded {
            start: Overdrive::new(&config, setup).ok()?,
            replies: rounds
                .map(|round| PerSeat::from_fn(|seat| Some(reply(seat, &round))))
                .collect(),
        })
    }

    pub fn rounds(&self) -> usize {
        self.replies.len()
    }

    /// Plays the race and returns its last position.
    pub fn play(&self) -> Overdrive {
        let mut game = self.start.clone();
        for replies in &self.replies {
            game.advance(replies, &mut NoChance, &mut ());
        }
        game
    }

    /// Plays the race and renders both players' `state.json` and text map before each round. Returns
    /// the last position and the number of bytes.
    pub fn play_and_render(&self) -> (Overdrive, usize) {
        let mut game = self.start.clone();
        let texts = BlockTexts::new(Numbers::USUAL);
        let (mut out, mut bytes) = (Vec::new(), 0);
        for replies in &self.replies {
            for seat in Seat::BOTH {
                let view = game.view(seat);
                let sheet = Sheet { view: &view, texts: &texts };
                out.clear();
                sheet.json(&mut out);
                sheet.text(&mut out);
                bytes += out.len();
            }
            game.advance(replies, &mut NoChance, &mut ());
        }
        (game, bytes)
    }
}

fn reply(seat: Seat, round: &Round) -> Reply<Action> {
    match &round.commands[seat] {
        Some(command) => Reply::Act(Action::read(command)),
        None => Reply::Fault(Fault::Late),
    }
}

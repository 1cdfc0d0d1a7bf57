//! The workload by which the original was measured, for measuring: recorded matches, from the drawing
//! of the map to the end.

use quintain_core::{
    Edition, Fault, Game, Intake, NoChance, Outbox, PerSeat, Protocol, Replies, Reply, Seat,
};
use serde::Deserialize;

use crate::{Action, CodeRoyale, Config, League, Wire};

/// A recorded match with its answers already read.
#[derive(Clone, Debug)]
pub struct Recorded {
    config: Config,
    seed: i64,
    answers: Vec<Replies<Action>>,
}

#[derive(Deserialize)]
struct Header {
    league: League,
    seed: i64,
}

#[derive(Deserialize)]
struct Turn {
    from: PerSeat<Option<Vec<String>>>,
}

impl Recorded {
    /// Reads the lines of a recording; `None` if it is not one of a match.
    pub fn read(lines: &[String]) -> Option<Recorded> {
        let header: Header = serde_json::from_str(lines.first()?).ok()?;
        let turns = lines.iter().filter_map(|line| serde_json::from_str::<Turn>(line).ok());
        Some(Recorded {
            config: Config {
                edition: Edition::Original,
                league: header.league,
                ..Config::default()
            },
            seed: header.seed,
            answers: turns.map(|turn| PerSeat::from_fn(|seat| Some(reply(seat, &turn)))).collect(),
        })
        .filter(|recorded| !recorded.answers.is_empty())
    }

    pub fn league(&self) -> League {
        self.config.league
    }

    /// Plays the match and returns its last position.
    pub fn play(&self) -> CodeRoyale {
        let setup = CodeRoyale::generate(&self.config, self.seed);
        let mut game = CodeRoyale::new(&self.config, setup).expect("a generated setup is valid");
        for replies in &self.answers {
            game.advance(replies, &mut NoChance, &mut ());
        }
        game
    }
}

fn reply(seat: Seat, turn: &Turn) -> Reply<Action> {
    let (mut wire, mut out) = (Wire::default(), Outbox::default());
    for line in turn.from[seat].iter().flatten() {
        if let Intake::Action(action) = wire.hear(seat, true, line, &mut out) {
            return Reply::Act(action);
        }
    }
    Reply::Fault(Fault::Late)
}

//! The workload by which the original was measured, for measuring: recorded whole matches, with their
//! commands read beforehand.

use std::cell::RefCell;

use quintain_core::entelect::Rendering;
use quintain_core::{Edition, Fault, Game, KotlinRandom, PerSeat, Replies, Reply, Seat};
use serde::Deserialize;

use crate::action::Action;
use crate::command;
use crate::config::{Config, GameConfig};
use crate::json::RowTexts;
use crate::rules::Worms;
use crate::sheet::Sheet;

/// A recorded match with its map already drawn and its commands already read.
#[derive(Clone, Debug)]
pub struct Recorded {
    start: Worms,
    chance: KotlinRandom,
    commands: Vec<Replies<Action>>,
}

#[derive(Deserialize)]
struct Header {
    seed: i32,
    config: serde_json::Value,
}

#[derive(Deserialize)]
struct Initial {
    generated: bool,
}

#[derive(Deserialize)]
struct Round {
    commands: PerSeat<String>,
}

impl Recorded {
    /// Reads the lines of a recording; `None` if it is not one of a match on a generated map.
    pub fn read(lines: &[String]) -> Option<Recorded> {
        let header: Header = serde_json::from_str(lines.first()?).ok()?;
        let initial: Initial = serde_json::from_str(lines.get(1)?).ok()?;
        let game = GameConfig::from_json(&header.config.to_string()).ok()?;
        let config = Config { edition: Edition::Original, game, ..Config::default() };
        let setup = Worms::generate(&config, i64::from(header.seed));
        let rounds = lines.iter().filter_map(|line| serde_json::from_str::<Round>(line).ok());
        let commands: Vec<_> = rounds.map(|round| replies(&round)).collect();
        (initial.generated && !commands.is_empty()).then_some(Recorded {
            start: Worms::new(&config, setup).ok()?,
            chance: KotlinRandom::new(header.seed),
            commands,
        })
    }

    pub fn rounds(&self) -> usize {
        self.commands.len()
    }

    /// Plays the match and returns its last position.
    pub fn play(&self) -> Worms {
        let (mut game, mut chance) = (self.start.clone(), self.chance);
        for replies in &self.commands {
            game.advance(replies, &mut chance, &mut ());
        }
        game
    }

    /// Plays the match and renders both players' `state.json` before each round, into the same memory.
    /// Returns the last position and how many bytes were written.
    pub fn play_rendered(&self) -> (Worms, u64) {
        let (mut game, mut chance) = (self.start.clone(), self.chance);
        let rows = RefCell::new(RowTexts::default());
        let (mut text, mut written) = (Vec::new(), 0);
        for replies in &self.commands {
            for seat in Seat::BOTH {
                text.clear();
                Sheet { view: game.view(seat), rows: &rows }.json(&mut text);
                written += text.len() as u64;
            }
            game.advance(replies, &mut chance, &mut ());
        }
        (game, written)
    }
}

fn replies(round: &Round) -> Replies<Action> {
    round.commands.as_ref().map(|_, text| {
        Some(match text.as_str() {
            "" => Reply::Fault(Fault::Late),
            text => Reply::Act(command::read(text)),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_match_is_played_to_its_end() {
        let lines = [
            r#"{"kind":"match","game":"worms","seed":7,"config":{"maxRounds":2}}"#,
            r#"{"kind":"initial","generated":true}"#,
            r#"{"kind":"round","commands":["move 23 4","shoot N"]}"#,
            r#"{"kind":"round","commands":["","nothing"]}"#,
            r#"{"kind":"result"}"#,
        ];
        let recorded = Recorded::read(&lines.map(str::to_owned)).expect("a recording");
        assert_eq!(recorded.rounds(), 2);
        let end = recorded.play();
        assert!(end.outcome().is_some());
        let (rendered, bytes) = recorded.play_rendered();
        assert_eq!(rendered.fingerprint(), end.fingerprint());
        assert!(bytes > 4 * 30_000);
        assert!(Recorded::read(&[]).is_none());
    }
}

//! The workload by which the original was measured: recorded whole matches, with their commands read
//! beforehand, played through the rules alone and with both players' `state.json`.

use std::cell::RefCell;

use quintain_core::entelect::Rendering;
use quintain_core::measure::{
    NamedWorkload, PrepareError, Prepared, RecordedMatch, RecordedMatches, Recording, Show,
    ShownMatches, Source, select_matches,
};
use quintain_core::{Edition, Fault, Game, KotlinRandom, PerSeat, Replies, Reply, Seat};
use serde::Deserialize;

use crate::action::Action;
use crate::command;
use crate::config::{Config, GameConfig};
use crate::rows::RowTexts;
use crate::rules::Worms;
use crate::sheet::Sheet;

/// The same matches twice: the rules alone, and with what bots are shown.
pub static WORKLOADS: [NamedWorkload; 2] = [
    NamedWorkload { name: "recorded", source: Source::Recordings(recorded) },
    NamedWorkload { name: "recorded-json", source: Source::Recordings(recorded_json) },
];

fn recorded(recordings: &mut dyn Iterator<Item = Recording>) -> Result<Prepared, PrepareError> {
    Ok(Prepared::new(RecordedMatches(whole_matches(recordings)?)))
}

fn recorded_json(
    recordings: &mut dyn Iterator<Item = Recording>,
) -> Result<Prepared, PrepareError> {
    let matches = whole_matches(recordings)?;
    Ok(Prepared::new(ShownMatches { matches, shows: Rows::default }))
}

type Match = RecordedMatch<Worms, KotlinRandom>;

fn whole_matches(
    recordings: &mut dyn Iterator<Item = Recording>,
) -> Result<Vec<Match>, PrepareError> {
    select_matches(recordings, "a whole match on a generated map", read)
}

/// The rows of the map that stay as they are, as a match keeps them.
#[derive(Default)]
struct Rows(RefCell<RowTexts>);

impl Show<Worms> for Rows {
    fn append(&mut self, game: &Worms, out: &mut Vec<u8>) {
        for seat in Seat::BOTH {
            Sheet { view: game.view(seat), rows: &self.0 }.json(out);
        }
    }
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

#[derive(Deserialize)]
struct Closing {
    complete: bool,
    scores: PerSeat<i64>,
}

/// Reads the lines of a recording and plays it once; `None` if it is not one of a whole match on a
/// generated map.
fn read(lines: &[String]) -> Result<Option<Match>, String> {
    let [first, second, .., last] = lines else {
        return Ok(None);
    };
    let header = serde_json::from_str::<Header>(first).ok();
    let initial = serde_json::from_str::<Initial>(second).ok();
    let closing = serde_json::from_str::<Closing>(last).ok();
    let (Some(header), Some(initial), Some(closing)) = (header, initial, closing) else {
        return Ok(None);
    };
    if !initial.generated || !closing.complete {
        return Ok(None);
    }
    let game =
        GameConfig::from_json(&header.config.to_string()).map_err(|error| format!("{error:?}"))?;
    let config = Config { edition: Edition::Original, game, ..Config::default() };
    let setup = Worms::generate(&config, i64::from(header.seed));
    let rounds = lines.iter().filter_map(|line| serde_json::from_str::<Round>(line).ok());
    let recorded = RecordedMatch {
        start: Worms::new(&config, setup).map_err(|error| error.to_string())?,
        chance: KotlinRandom::new(header.seed),
        replies: rounds.map(|round| replies(&round)).collect(),
    };
    recorded.scored(closing.scores).map(Some)
}

fn replies(round: &Round) -> Replies<Action> {
    round.commands.as_ref().map(|_, text| {
        Some(match text.as_str() {
            "" => Reply::Fault(Fault::Late),
            text => Reply::Act(command::read(text)),
        })
    })
}

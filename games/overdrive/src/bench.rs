//! The workload by which the original was measured: recorded whole races, played through the rules
//! with their commands already read, and once more with everything rendered that bots are shown.

use quintain_core::entelect::Rendering;
use quintain_core::measure::{
    NamedWorkload, PrepareError, Prepared, RecordedMatch, RecordedMatches, Recording, Show,
    ShownMatches, Source, select_matches,
};
use quintain_core::{Fault, Game, NoChance, PerSeat, Reply, Seat};
use serde::Deserialize;

use crate::render::{BlockTexts, Sheet};
use crate::view::Numbers;
use crate::{Action, Config, Overdrive, Switches};

/// The same races twice: the rules alone, and with both players' `state.json` and text map.
pub static WORKLOADS: [NamedWorkload; 2] = [
    NamedWorkload { name: "recorded", source: Source::Recordings(recorded) },
    NamedWorkload { name: "recorded-state", source: Source::Recordings(recorded_state) },
];

fn recorded(recordings: &mut dyn Iterator<Item = Recording>) -> Result<Prepared, PrepareError> {
    Ok(Prepared::new(RecordedMatches(whole_races(recordings)?)))
}

fn recorded_state(
    recordings: &mut dyn Iterator<Item = Recording>,
) -> Result<Prepared, PrepareError> {
    let matches = whole_races(recordings)?;
    Ok(Prepared::new(ShownMatches { matches, shows: || Blocks(BlockTexts::new(Numbers::USUAL)) }))
}

type Race = RecordedMatch<Overdrive, NoChance>;

fn whole_races(recordings: &mut dyn Iterator<Item = Recording>) -> Result<Vec<Race>, PrepareError> {
    select_matches(recordings, "a whole race on a generated map", read)
}

/// The texts of the blocks, as a match keeps them.
struct Blocks(BlockTexts);

impl Show<Overdrive> for Blocks {
    fn append(&mut self, game: &Overdrive, out: &mut Vec<u8>) {
        for seat in Seat::BOTH {
            let view = game.view(seat);
            let sheet = Sheet { view: &view, texts: &self.0 };
            sheet.json(out);
            sheet.text(out);
        }
    }
}

#[derive(Deserialize)]
struct Header {
    game: String,
    seed: i64,
    #[serde(default)]
    note: String,
}

/// The note of races whose commands are noise, which say nothing about what racing costs.
const NOISE_NOTE: &str = "fuzz";

#[derive(Deserialize)]
struct Initial {
    generated: bool,
}

#[derive(Deserialize)]
struct Round {
    commands: PerSeat<Option<String>>,
}

#[derive(Deserialize)]
struct Closing {
    scores: PerSeat<i64>,
}

/// Reads the lines of a recording and plays it once; `None` if it is not one of a whole race.
fn read(lines: &[String]) -> Result<Option<Race>, String> {
    let [first, second, .., last] = lines else {
        return Ok(None);
    };
    let header = serde_json::from_str::<Header>(first).ok();
    let initial = serde_json::from_str::<Initial>(second).ok();
    let closing = serde_json::from_str::<Closing>(last).ok();
    let (Some(header), Some(initial), Some(closing)) = (header, initial, closing) else {
        return Ok(None);
    };
    if header.game != Overdrive::ID || !initial.generated || header.note == NOISE_NOTE {
        return Ok(None);
    }
    let config = Config { switches: Switches::ORIGINAL, ..Config::default() };
    let setup = Overdrive::generate(&config, header.seed);
    let rounds = lines.iter().filter_map(|line| serde_json::from_str::<Round>(line).ok());
    let recorded = RecordedMatch {
        start: Overdrive::new(&config, setup).map_err(|error| error.to_string())?,
        chance: NoChance,
        replies: rounds.map(|round| PerSeat::from_fn(|seat| Some(reply(seat, &round)))).collect(),
    };
    recorded.scored(closing.scores).map(Some)
}

fn reply(seat: Seat, round: &Round) -> Reply<Action> {
    match &round.commands[seat] {
        Some(command) => Reply::Act(Action::read(command)),
        None => Reply::Fault(Fault::Late),
    }
}

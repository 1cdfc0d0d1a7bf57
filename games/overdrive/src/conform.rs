//! Replays a recorded match of the original engine and names the first difference.
//!
//! The recording's commands go through the same protocol and rules as in a match; what these show,
//! and the position after each round, must be what the recording has.

use quintain_core::entelect::{Rounds, RunnerLog, prefixed};
use quintain_core::{
    ConfigText, Conform, Difference, Game, Mismatch, NoChance, Opening, Outbox, PerSeat, Protocol,
    ReadsConfigFile, RecordedHeader, Reply, Rest, Seat, Transcript, recorded_answer, same,
    stops_early, wanted,
};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    Action, Car, CarSetup, Config, Event, Overdrive, Place, Setup, Surface, Switches, Wire,
};

impl Conform for Overdrive {
    fn conform(lines: &[String]) -> Result<(), Difference> {
        Difference::first::<Overdrive, Recording>(lines)
    }
}

/// One line of a recording.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum Line {
    Match(RecordedHeader),
    Initial(Initial),
    Round(Box<Round>),
    Result(Closing),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Initial {
    /// Whether all of this also follows from the seed.
    generated: bool,
    round: u32,
    lanes: i32,
    track_length: i32,
    map: Vec<String>,
    players: [Player; 2],
    trucks: Vec<(u8, u16)>,
}

/// A whole car.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Player {
    id: usize,
    lane: u8,
    block: u16,
    speed: u8,
    damage: u8,
    score: i32,
    powerups: Vec<String>,
    boosting: bool,
    boost_counter: u16,
    lizarding: bool,
    states: Vec<String>,
    truck: Option<(u8, u16)>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Round {
    round: u32,
    /// What each seat's `state.json` held, in most rounds.
    state: Option<[Value; 2]>,
    text: Option<[String; 2]>,
    csv: Option<[String; 2]>,
    raw: Option<[String; 2]>,
    console: Option<[String; 2]>,
    /// What followed the prefix; nothing if no answer came in time.
    commands: [Option<String>; 2],
    random: Vec<Value>,
    full: Full,
}

/// The position after the round.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Full {
    players: [Player; 2],
    trucks: Vec<(u8, u16)>,
    /// Lane, block and number of each surface that changed.
    changed: Vec<(u8, u16, u8)>,
    staged_trucks: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Closing {
    winner: Option<u8>,
    scores: [i64; 2],
    /// The recorder's label.
    reason: String,
    rounds: u32,
    referee_valid: bool,
}

/// The recording as far as it has been compared.
#[derive(Default)]
enum Recording {
    #[default]
    Nothing,
    Opened(Box<Config>, i64),
    Running(Box<Table>),
}

impl Transcript for Recording {
    type Line = Line;

    fn compare(&mut self, line: Line) -> Result<Option<Rest>, Mismatch> {
        match (&mut *self, line) {
            (Recording::Nothing, Line::Match(header)) => *self = open(&header)?,
            (Recording::Opened(config, seed), Line::Initial(initial)) => {
                *self = Recording::Running(Box::new(Table::new(config, *seed, initial)?));
            }
            (Recording::Running(table), Line::Round(round)) => table.compare_round(&round)?,
            (Recording::Running(table), Line::Result(closing)) => {
                table.compare_result(&closing)?;
                return Ok(Some(Rest::None));
            }
            _ => return Ok(None),
        }
        Ok(Some(Rest::Some))
    }
}

/// Every recording is of the original's edition. Its config says what differs from the usual.
fn open(header: &RecordedHeader) -> Result<Recording, Mismatch> {
    header.check_game::<Overdrive>()?;
    same(&header.league, &None)?;
    let mut config = Config { switches: Switches::ORIGINAL, ..Config::default() };
    let text = Value::Object(header.config.clone()).to_string();
    let file = ConfigText { path: "the header".to_owned(), text };
    wanted("a config of Overdrive", Overdrive::read_config(&file, &mut config))?;
    wanted("a seed of Overdrive", Overdrive::check_seed(header.seed))?;
    Ok(Recording::Opened(Box::new(config), header.seed))
}

/// The match that is played along.
struct Table {
    game: Overdrive,
    before: Overdrive,
    wire: Wire,
}

impl Table {
    fn new(config: &Config, seed: i64, initial: Initial) -> Result<Table, Mismatch> {
        same(&initial.lanes, &config.figures.number_of_lanes)?;
        same(&initial.track_length, &config.figures.track_length)?;
        for (index, player) in initial.players.iter().enumerate() {
            same(&player.id, &(index + 1))?;
        }
        let setup = Setup {
            round: initial.round,
            map: initial.map,
            players: PerSeat(initial.players.map(Player::into_setup)),
            trucks: initial.trucks,
        };
        if initial.generated {
            compare_generated(&setup, &Overdrive::generate(config, seed))?;
        }
        let game = wanted("a playable position", Overdrive::new(config, setup))?;
        let wire = Wire::new(&Opening::new(PerSeat::default()));
        Ok(Table { before: game.clone(), game, wire })
    }

    fn compare_round(&mut self, recorded: &Round) -> Result<(), Mismatch> {
        if self.game.outcome().is_some() {
            let over = format!("a match that is over after round {}", self.game.turn());
            return Err((format!("round {}", recorded.round), over));
        }
        same(&recorded.round, &(self.game.turn() + 1))?;
        same(&recorded.random, &Vec::new())?;
        for seat in Seat::BOTH {
            self.compare_shown(recorded, seat)?;
        }
        let mut out = Outbox::default();
        for seat in Seat::BOTH {
            self.wire.prompt(seat, &self.game.view(seat), &mut out);
        }
        let replies = PerSeat::from_fn(|seat| Some(self.reply(recorded, seat)));
        let mut events = Vec::new();
        self.before = self.game.clone();
        self.game.advance(&replies, &mut NoChance, &mut events);
        same(&recorded.full, &self.full(&events))
    }

    /// Everything that a seat was shown before the round.
    fn compare_shown(&self, recorded: &Round, seat: Seat) -> Result<(), Mismatch> {
        let of = |texts: &Option<[String; 2]>| texts.as_ref().map(|t| t[seat.index()].clone());
        let json = self.game.shown(seat, |sheet, out| sheet.json(out));
        if let Some(states) = &recorded.state {
            let shown: Value = wanted("a state that can be read", serde_json::from_str(&json))?;
            same(&states[seat.index()], &shown)?;
        }
        if let Some(raw) = of(&recorded.raw) {
            same(&raw, &json)?;
        }
        if let Some(text) = of(&recorded.text) {
            same(&text, &self.game.shown(seat, |sheet, out| sheet.text(out)))?;
        }
        if let Some(console) = of(&recorded.console) {
            same(&console, &self.game.shown(seat, |sheet, out| sheet.console(out)))?;
        }
        if let Some(csv) = of(&recorded.csv) {
            same(&csv, &self.game.csv(seat, recorded.round == 1))?;
        }
        Ok(())
    }

    fn reply(&mut self, recorded: &Round, seat: Seat) -> Reply<Action> {
        let command = recorded.commands[seat.index()].iter();
        let mut lines = command.map(|command| prefixed(recorded.round, command)).collect();
        recorded_answer(&mut self.wire, seat, &mut lines).1
    }

    fn full(&self, events: &[Event]) -> Full {
        let numbers = self.game.view(Seat::First).numbers;
        let oiled = events.iter().filter_map(|event| match *event {
            Event::Oiled { place, .. } => Some(place),
            _ => None,
        });
        let is_new = |&place: &Place| self.before.surface(place) != Surface::OilSpill;
        let mut places: Vec<Place> = oiled.filter(is_new).collect();
        places.sort();
        places.dedup();
        let changed = places.into_iter().map(|place| {
            (place.lane, place.block, numbers.surfaces[self.game.surface(place) as usize])
        });
        Full {
            players: Seat::BOTH.map(|seat| player(seat, &self.game.cars()[seat])),
            trucks: self.game.trucks().into_iter().map(pair).collect(),
            changed: changed.collect(),
            staged_trucks: self.game.tweets_left_over(),
        }
    }

    fn compare_result(&self, closing: &Closing) -> Result<(), Mismatch> {
        let scores = Seat::BOTH.map(|seat| i64::from(self.game.cars()[seat].score));
        same(&closing.scores, &scores)?;
        same(&closing.rounds, &self.game.turn())?;
        let mut remarks = Vec::new();
        self.game.remarks(&mut remarks);
        same(&closing.referee_valid, &remarks.is_empty())?;
        if stops_early(&closing.reason) {
            return Ok(());
        }
        let Some(outcome) = self.game.outcome() else {
            return Err(("a finished match".to_owned(), "a match that goes on".to_owned()));
        };
        same(&closing.winner, &outcome.winner().map(|seat| seat.index() as u8))
    }
}

/// Lane by lane, so that a difference is short enough to be read.
fn compare_generated(recorded: &Setup, generated: &Setup) -> Result<(), Mismatch> {
    for (number, (recorded, generated)) in recorded.map.iter().zip(&generated.map).enumerate() {
        let differs = recorded.bytes().zip(generated.bytes()).position(|(a, b)| a != b);
        if let Some(block) = differs {
            let at = format!("in lane {} at block {}", number + 1, block + 1);
            let digit = |lane: &str| format!("{} {at}", &lane[block..=block]);
            return Err((digit(recorded), digit(generated)));
        }
    }
    same(&recorded.map.len(), &generated.map.len())?;
    same(&recorded.players, &generated.players)?;
    same(&(recorded.round, &recorded.trucks), &(generated.round, &generated.trucks))
}

impl Player {
    fn into_setup(self) -> CarSetup {
        CarSetup {
            lane: self.lane,
            block: self.block,
            speed: self.speed,
            damage: self.damage,
            score: self.score,
            powerups: self.powerups,
            boosting: self.boosting,
            boost_counter: self.boost_counter,
            lizarding: self.lizarding,
            states: self.states,
            truck: self.truck,
        }
    }
}

fn player(seat: Seat, car: &Car) -> Player {
    Player {
        id: seat.index() + 1,
        lane: car.place.lane,
        block: car.place.block,
        speed: car.speed,
        damage: car.damage,
        score: car.score,
        powerups: car.powerups.iter().map(|powerup| powerup.name().to_owned()).collect(),
        boosting: car.is_boosting,
        boost_counter: car.boost_counter,
        lizarding: car.is_lizard,
        states: car.states.as_slice().iter().map(|state| state.name().to_owned()).collect(),
        truck: car.truck.map(pair),
    }
}

fn pair(place: Place) -> (u8, u16) {
    (place.lane, place.block)
}

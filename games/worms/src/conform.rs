//! Replays a recorded match of the original engine and names the first difference.
//!
//! A match file holds the position it started from; where it says that it was generated, the seed must
//! give that very position. The recorded answers, heard through the protocol, must lead to every state,
//! every text, every line of the log and every position. A file of maps holds one per line.

mod feedback;
mod lines;

use quintain_core::entelect::{Rounds, RunnerLog, prefixed};
use quintain_core::{
    Conform, Difference, Digest, Edition, Game, Item, KotlinRandom, Mismatch, Opening, Outbox,
    PerSeat, Protocol, Reply, Rest, Seat, Transcript, recorded_answer, stops_early, wanted,
};
use serde_json::Value;

use crate::action::Action;
use crate::cell::Cell;
use crate::config::{Config, GameConfig};
use crate::event::Event;
use crate::protocol::Wire;
use crate::rules::Worms;
use crate::setup::{PackSetup, PlayerSetup, Setup, WormSetup};
use lines::{End, Header, Initial, Line, Map, Player, Position, Round, States, Worm};

impl Conform for Worms {
    fn conform(lines: &[String]) -> Result<(), Difference> {
        Difference::first::<Worms, Recording>(lines)
    }
}

/// The recording as far as it has been compared.
#[derive(Default)]
enum Recording {
    #[default]
    Nothing,
    Maps,
    Opened(Box<Config>, Header),
    Running(Box<Replay>),
}

impl Transcript for Recording {
    type Line = Line;

    fn compare(&mut self, line: Line) -> Result<Option<Rest>, Mismatch> {
        match (&mut *self, line) {
            (Recording::Nothing | Recording::Maps, Line::Map(map)) => {
                compare_map(&map)?;
                *self = Recording::Maps;
                return Ok(Some(Rest::Any));
            }
            (Recording::Nothing, Line::Match(header)) => {
                same("game", &header.game.as_str(), &Worms::ID)?;
                let game = GameConfig::from_json(&header.config.to_string());
                let game = wanted("a config of Worms", game)?;
                let config = Config { edition: Edition::Original, game, ..Config::default() };
                *self = Recording::Opened(Box::new(config), header);
            }
            (Recording::Opened(config, header), Line::Initial(initial)) => {
                *self = Recording::Running(Box::new(Replay::new(config, header, &initial)?));
            }
            (Recording::Running(replay), Line::Round(round)) => replay.compare_round(&round)?,
            (Recording::Running(replay), Line::Result(end)) => {
                replay.compare_end(&end)?;
                return Ok(Some(Rest::None));
            }
            _ => return Ok(None),
        }
        Ok(Some(Rest::Some))
    }
}

fn compare_map(map: &Map) -> Result<(), Mismatch> {
    if let Some(game) = &map.game {
        same("game", &game.as_str(), &Worms::ID)?;
    }
    let config = Config { edition: Edition::Original, ..Config::default() };
    let setup = Worms::generate(&config, i64::from(map.seed));
    same("map", &map.map, &setup.map)?;
    let packs = setup.packs.iter().map(|pack| (pack.at.x, pack.at.y, pack.value)).collect();
    same("packs", &map.packs, &packs)?;
    let game = Worms::new(&config, setup).expect("a generated setup is valid");
    same("worms", &map.worms, &occupied(&game))?;
    let mut random = KotlinRandom::new(map.seed);
    let draw = |_| if random.next_boolean() { 'p' } else { 's' };
    same("collisions", &map.collisions, &map.collisions.chars().map(draw).collect())
}

/// A match that is played again.
struct Replay {
    game: Worms,
    wire: Wire,
    chance: KotlinRandom,
    states: States,
    remarks: Vec<String>,
}

impl Replay {
    fn new(config: &Config, header: &Header, initial: &Initial) -> Result<Replay, Mismatch> {
        same("size", &initial.size, &config.game.map_size)?;
        let names = config.game.classes().into_iter();
        let names = names.flat_map(|class| (0..class.count).map(|_| class.profession_name.clone()));
        same("professions", &initial.professions, &names.collect())?;
        let setup = recorded_setup(initial);
        if initial.generated {
            let generated = Worms::generate(config, i64::from(header.seed));
            same("the generated map", &setup.map, &generated.map)?;
            same("the generated setup", &setup, &generated)?;
        }
        let game = wanted("a playable position", Worms::new(config, setup))?;
        let players = PerSeat::from_fn(|seat| player(&game, seat));
        same("initial.players", &initial.players, &players)?;
        let wire = Wire::new(&Opening::new(PerSeat::default()));
        let chance = KotlinRandom::new(header.seed);
        Ok(Replay { game, wire, chance, states: header.states, remarks: Vec::new() })
    }

    fn compare_round(&mut self, recorded: &Round) -> Result<(), Mismatch> {
        if self.game.outcome().is_some() {
            return Err(("another round".to_owned(), "the match is over".to_owned()));
        }
        same("round", &recorded.round, &(self.game.turn() + 1))?;
        for seat in Seat::BOTH {
            self.compare_told(seat, recorded)?;
        }
        let replies = PerSeat::from_fn(|seat| Some(self.heard(seat, recorded)));
        let before = self.game.clone();
        let mut events = Vec::new();
        self.game.advance(&replies, &mut self.chance, &mut events);
        same("random", &recorded.random, &draws(&events))?;
        let (feedback, errors) = feedback::log(&events, recorded.round);
        same("feedback", &recorded.feedback, &feedback)?;
        same("errors", &recorded.errors, &errors)?;
        same("full", &recorded.full, &position(&before, &self.game))?;
        let mut global = Vec::new();
        Worms::global_state(&before, &self.game, &events, &mut global);
        if let Some(recorded) = &recorded.global {
            // Recorders leave its map out; the hash has it.
            same_json("global", recorded, &global, States::NoMap)?;
        }
        same("sha.global", &recorded.sha.global, &hash(&global))?;
        self.game.remarks(&mut self.remarks);
        Ok(())
    }

    /// All that the seat, or the log, is told before the round.
    fn compare_told(&mut self, seat: Seat, recorded: &Round) -> Result<(), Mismatch> {
        let mut out = Outbox::default();
        self.wire.prompt(seat, &self.game.view(seat), &mut out);
        let [state, text] = files(seat, recorded.round, out)?;
        same_json("state", &recorded.state[seat], &state, self.states)?;
        let console = self.game.shown(seat, |sheet, out| sheet.console(out)).into_bytes();
        let csv = self.game.csv(seat, recorded.round == 1);
        for (name, text, given, digest) in [
            ("text", &text, &recorded.text, &recorded.sha.text),
            ("console", &console, &recorded.console, &recorded.sha.console),
            ("csv", &csv.into_bytes(), &recorded.csv, &recorded.sha.csv),
        ] {
            if let Some(given) = given {
                same(name, &given[seat], &String::from_utf8_lossy(text).into_owned())?;
            }
            same(&format!("sha.{name}"), &digest[seat], &hash(text))?;
        }
        same("sha.state", &recorded.sha.state[seat], &hash(&state))
    }

    /// The recorder writes an empty command where none came.
    fn heard(&mut self, seat: Seat, recorded: &Round) -> Reply<Action> {
        let command = Some(&recorded.commands[seat]).filter(|command| !command.is_empty());
        let line = command.map(|command| prefixed(recorded.round, command));
        recorded_answer(&mut self.wire, seat, &mut line.into_iter().collect()).1
    }

    fn compare_end(&self, end: &End) -> Result<(), Mismatch> {
        let players = self.game.players();
        same("rounds", &end.rounds, &self.game.turn())?;
        same("scores", &end.scores, &players.as_ref().map(|_, player| player.score()).0)?;
        same("health", &end.health, &players.as_ref().map(|_, player| player.health()).0)?;
        same("referee", &end.referee, &self.remarks)?;
        let outcome = self.game.outcome();
        same("complete", &end.complete, &outcome.is_some())?;
        let Some(outcome) = outcome else {
            return same("the end", &stops_early(&end.reason), &true);
        };
        let winner = outcome.winner().map(Seat::index);
        same("winner", &end.winner, &winner)?;
        same("tie", &end.tie, &winner.is_none())
    }
}

/// `state.json` and `textMap.txt`, out of what a bot is sent before a round.
fn files(seat: Seat, round: u32, out: Outbox) -> Result<[Vec<u8>; 2], Mismatch> {
    let expected = vec![
        format!("rounds/{round}/state.json"),
        format!("rounds/{round}/textMap.txt"),
        format!("rounds/{round}/state.txt"),
        round.to_string(),
    ];
    let (mut names, mut contents) = (Vec::new(), Vec::new());
    for (to, item) in out.0 {
        same("receiver", &seat, &to)?;
        match item {
            Item::File { path, bytes } => {
                names.push(path);
                contents.push(bytes);
            }
            Item::Line(line) => names.push(line),
        }
    }
    same("what is sent", &expected, &names)?;
    let contents: [Vec<u8>; 3] = contents.try_into().expect("three of the names are files");
    let [state, text, again] = contents;
    same("state.txt", &text, &again)?;
    Ok([state, text])
}

fn recorded_setup(initial: &Initial) -> Setup {
    let armed = |count: i32| (count >= 0).then_some(count);
    let worm = |worm: &Worm| WormSetup {
        hp: worm.hp,
        at: Cell::from(worm.pos),
        came_from: Cell::from(worm.prev),
        frozen: worm.frozen,
        bananas: armed(worm.bananas),
        snowballs: armed(worm.snowballs),
    };
    Setup {
        round: initial.round,
        map: initial.map.clone(),
        packs: recorded_packs(&initial.packs),
        players: initial.players.as_ref().map(|_, player| PlayerSetup {
            command_score: player.command_score,
            do_nothings: player.do_nothings as i32,
            tokens: player.tokens,
            active: player.current,
            previous: player.previous,
            worms: player.worms.iter().map(worm).collect(),
        }),
    }
}

fn recorded_packs(packs: &[(u8, u8, i32)]) -> Vec<PackSetup> {
    packs.iter().map(|&(x, y, value)| PackSetup { at: Cell { x, y }, value }).collect()
}

/// A position of ours in the words of a recording.
fn position(before: &Worms, after: &Worms) -> Position {
    let changed =
        after.ground().cells().filter(|&cell| before.ground().at(cell) != after.ground().at(cell));
    let mut packs: Vec<(u8, u8, i32)> =
        after.packs().iter().map(|pack| (pack.at.x, pack.at.y, pack.value)).collect();
    packs.sort_by_key(|&(x, y, _)| (y, x));
    Position {
        players: PerSeat::from_fn(|seat| player(after, seat)),
        cells: changed.map(|cell| (cell.x, cell.y, after.ground().at(cell).letter())).collect(),
        packs,
        occupied: occupied(after),
    }
}

fn player(game: &Worms, seat: Seat) -> Player {
    let player = &game.players()[seat];
    let classes = game.game_config().classes();
    let worm = |(index, worm): (usize, &crate::Worm)| {
        let class = classes[usize::from(game.field().class_of[index])];
        Worm {
            id: index as u8 + 1,
            hp: worm.hp,
            pos: worm.at.into(),
            prev: worm.came_from.into(),
            frozen: worm.frozen,
            bananas: class.bananas.map_or(-1, |_| worm.bananas),
            snowballs: class.snowballs.map_or(-1, |_| worm.snowballs),
        }
    };
    Player {
        command_score: player.command_score,
        score: player.score(),
        do_nothings: player.do_nothings,
        tokens: player.tokens,
        current: player.active_id(),
        previous: player.previous_id(),
        disqualified: game.is_disqualified(seat),
        worms: player.worms().iter().enumerate().map(worm).collect(),
    }
}

/// Who stands where, row by row.
fn occupied(game: &Worms) -> Vec<(u8, u8, u8, u8)> {
    let mut all = Vec::new();
    for (seat, player) in game.players().iter() {
        for (worm, id) in player.worms().iter().zip(1..).filter(|(worm, _)| worm.is_on_map) {
            all.push((worm.at.x, worm.at.y, seat.index() as u8 + 1, id));
        }
    }
    all.sort_by_key(|&(x, y, ..)| (y, x));
    all
}

fn draws(events: &[Event]) -> Vec<String> {
    let draws = events.iter().filter_map(|event| match event {
        Event::Collided { is_swap: true, .. } => Some("swap"),
        Event::Collided { is_swap: false, .. } => Some("pushback"),
        _ => None,
    });
    draws.map(str::to_owned).collect()
}

fn hash(bytes: &[u8]) -> String {
    let mut digest = Digest::new();
    digest.bytes(bytes);
    format!("{:016x}", digest.finish())
}

/// Compares a part of a line by its name.
fn same<T: PartialEq + std::fmt::Debug>(
    name: &str,
    recorded: &T,
    ours: &T,
) -> Result<(), Mismatch> {
    quintain_core::same(recorded, ours)
        .map_err(|(recorded, ours)| (format!("{name} {recorded}"), ours))
}

/// The object without its member `map`, cut out as text: it is most of the object.
fn without_map(json: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(json).expect("what is written is UTF-8");
    let (start, end) = (text.find(",\"map\":"), text.find(",\"visualizerEvents\":"));
    let (start, end) = start.zip(end).expect("every state has these members");
    [&json[..start], &json[end..]].concat()
}

/// Compares an object member by member, so that a difference can be read.
fn same_json(name: &str, recorded: &Value, ours: &[u8], states: States) -> Result<(), Mismatch> {
    let ours = match states {
        States::Full => ours.to_vec(),
        States::NoMap => without_map(ours),
    };
    let ours: Value = serde_json::from_slice(&ours).expect("what is written is JSON");
    let members = ours.as_object().expect("what is written is an object");
    let Some(recorded) = recorded.as_object() else {
        return Err((format!("{name} {recorded}"), "an object".to_owned()));
    };
    for key in recorded.keys().chain(members.keys()) {
        let shown = |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
        if recorded.get(key) != members.get(key) {
            let name = format!("{name}.{key}");
            return Err((format!("{name} {}", shown(recorded.get(key))), shown(members.get(key))));
        }
    }
    Ok(())
}

//! The byte writer of `state.json` against a plain one by serde; the other texts; and that nothing is
//! shown that a seat may not know.

mod common;

use common::*;
use quintain_core::entelect::{Rounds, RunnerLog};
use quintain_core::{
    ConfigText, Edition, Game, NoChance, ReadsConfigFile, Replies, Sample, Seat, SplitMix64,
};
use quintain_overdrive::{Cell, Config, Numbers, Overdrive, Place, Powerup, Surface, View};
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};

/// `state.json` as a plain structure.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StateFile {
    current_round: u32,
    max_rounds: u32,
    player: Player,
    opponent: Opponent,
    world_map: Vec<Vec<Block>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Player {
    id: usize,
    position: Position,
    speed: u8,
    state: &'static str,
    states_that_occurred_this_round: Vec<&'static str>,
    powerups: Vec<&'static str>,
    boosting: bool,
    boost_counter: u16,
    damage: u8,
    score: i32,
}

#[derive(Serialize)]
struct Opponent {
    id: usize,
    position: Position,
    speed: u8,
}

#[derive(Serialize)]
struct Position {
    y: u8,
    x: u16,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Block {
    position: Position,
    surface_object: u8,
    occupied_by_player_id: usize,
    is_occupied_by_cyber_truck: bool,
}

fn position(place: Place) -> Position {
    Position { y: place.lane, x: place.block }
}

/// Built from the position, not from the window, so that the window is checked too.
fn plain(game: &Overdrive, seat: Seat) -> StateFile {
    let (own, other) = (&game.cars()[seat], &game.cars()[seat.other()]);
    let figures = &game.config().figures;
    let first = (i32::from(own.place.block) - figures.backward_visibility).max(1) as u16;
    let last = (i32::from(own.place.block) + figures.forward_visibility)
        .min(i32::from(game.track().length())) as u16;
    let trucks = game.trucks();
    let block = |place: Place| {
        let mut standing = Seat::BOTH.into_iter().filter(|&seat| game.cars()[seat].place == place);
        let no_car = figures.empty_player as usize;
        Block {
            position: position(place),
            surface_object: number(figures, game.surface(place)),
            occupied_by_player_id: standing.next_back().map_or(no_car, |seat| seat.index() + 1),
            is_occupied_by_cyber_truck: trucks.contains(&place),
        }
    };
    let lanes = 1..=game.track().lanes();
    StateFile {
        current_round: game.turn() + 1,
        max_rounds: figures.max_rounds as u32,
        player: Player {
            id: seat.index() + 1,
            position: position(own.place),
            speed: own.speed,
            state: own.states.last().expect("a state").name(),
            states_that_occurred_this_round: own
                .states
                .as_slice()
                .iter()
                .map(|s| s.name())
                .collect(),
            powerups: own.powerups.iter().map(Powerup::name).collect(),
            boosting: own.is_boosting,
            boost_counter: own.boost_counter,
            damage: own.damage,
            score: own.score,
        },
        opponent: Opponent {
            id: seat.other().index() + 1,
            position: position(other.place),
            speed: other.speed,
        },
        world_map: lanes
            .map(|lane| (first..=last).map(|x| block(Place::new(lane, x))).collect())
            .collect(),
    }
}

fn number(figures: &quintain_overdrive::Figures, surface: Surface) -> u8 {
    let number = match surface {
        Surface::Empty => figures.empty_map_object,
        Surface::Mud => figures.mud_map_object,
        Surface::OilSpill => figures.oil_spill_map_object,
        Surface::OilItem => figures.oil_item_map_object,
        Surface::FinishLine => figures.finish_line_map_object,
        Surface::Boost => figures.boost_map_object,
        Surface::Wall => figures.wall_map_object,
        Surface::Lizard => figures.lizard_map_object,
        Surface::Tweet => figures.tweet_map_object,
        Surface::Emp => figures.emp_map_object,
    };
    number as u8
}

/// Two blanks of indentation and nothing after a colon.
struct NoBlankAfterColon(PrettyFormatter<'static>);

impl Formatter for NoBlankAfterColon {
    fn begin_array<W: std::io::Write + ?Sized>(&mut self, w: &mut W) -> std::io::Result<()> {
        self.0.begin_array(w)
    }
    fn end_array<W: std::io::Write + ?Sized>(&mut self, w: &mut W) -> std::io::Result<()> {
        self.0.end_array(w)
    }
    fn begin_array_value<W: std::io::Write + ?Sized>(
        &mut self,
        w: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        self.0.begin_array_value(w, first)
    }
    fn end_array_value<W: std::io::Write + ?Sized>(&mut self, w: &mut W) -> std::io::Result<()> {
        self.0.end_array_value(w)
    }
    fn begin_object<W: std::io::Write + ?Sized>(&mut self, w: &mut W) -> std::io::Result<()> {
        self.0.begin_object(w)
    }
    fn end_object<W: std::io::Write + ?Sized>(&mut self, w: &mut W) -> std::io::Result<()> {
        self.0.end_object(w)
    }
    fn begin_object_key<W: std::io::Write + ?Sized>(
        &mut self,
        w: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        self.0.begin_object_key(w, first)
    }
    fn begin_object_value<W: std::io::Write + ?Sized>(&mut self, w: &mut W) -> std::io::Result<()> {
        w.write_all(b":")
    }
    fn end_object_value<W: std::io::Write + ?Sized>(&mut self, w: &mut W) -> std::io::Result<()> {
        self.0.end_object_value(w)
    }
}

fn by_serde(game: &Overdrive, seat: Seat) -> String {
    let mut bytes = Vec::new();
    let formatter = NoBlankAfterColon(PrettyFormatter::new());
    let mut serializer = Serializer::with_formatter(&mut bytes, formatter);
    plain(game, seat).serialize(&mut serializer).expect("plain data");
    String::from_utf8(bytes).expect("JSON is text")
}

fn json(game: &Overdrive, seat: Seat) -> String {
    game.shown(seat, |sheet, out| sheet.json(out))
}

/// Random races, with a check before each round.
fn walk(config: &Config, seeds: std::ops::Range<i64>, check: impl Fn(&Overdrive)) {
    for seed in seeds {
        let setup = Overdrive::generate(config, seed);
        let mut game = Overdrive::new(config, setup).expect("a generated setup is valid");
        let mut luck = SplitMix64::new(seed as u64);
        while game.outcome().is_none() {
            check(&game);
            let replies = Replies::of(game.to_act(), |seat| game.sample(seat, &mut luck));
            game.advance(&replies, &mut NoChance, &mut ());
        }
        check(&game);
    }
}

#[test]
fn the_byte_writer_writes_what_serde_would() {
    for edition in Edition::ALL {
        walk(&config(edition), 0..3, |game| {
            for seat in Seat::BOTH {
                assert_eq!(json(game, seat), by_serde(game, seat));
            }
        });
    }
}

#[test]
fn other_numbers_lanes_and_visibilities_are_written_as_well() {
    let text = r#"{"NUMBER_OF_LANES": 6, "MAX_LANE": 6, "TRACK_LENGTH": 130, "MUD_MAP_OBJECT": 42,
        "EMPTY_PLAYER": 7, "BACKWARD_VISIBILITY": 40, "FORWARD_VISIBILITY": 70, "DEFAULT_SCORE": -12}"#;
    let file = ConfigText { path: "f".to_owned(), text: text.to_owned() };
    let mut config = Config::default();
    Overdrive::read_config(&file, &mut config).expect("a good file");
    walk(&config, 0..3, |game| {
        for seat in Seat::BOTH {
            assert_eq!(json(game, seat), by_serde(game, seat));
        }
    });
}

#[test]
fn one_line_of_json_is_the_same_object() {
    walk(&Config::default(), 7..8, |game| {
        let line = game.shown(FIRST, |sheet, out| sheet.json_line(out));
        assert!(!line.contains('\n'));
        let value: Value = serde_json::from_str(&line).expect("readable");
        assert_eq!(value, serde_json::from_str::<Value>(&json(game, FIRST)).expect("readable"));
    });
}

#[test]
fn powerups_stand_in_the_text_in_the_originals_order() {
    let text = |powerups: &[&str]| {
        let game = Race::document(setup(with(at(1, 1, 5), powerups), at(4, 1, 5))).game;
        let text = game.shown(FIRST, |sheet, out| sheet.text(out));
        let line = text.lines().nth(2).expect("the player's line").to_owned();
        line.split("powerups: ").nth(1).expect("powerups").to_owned()
    };
    assert_eq!(text(&[]), "");
    assert_eq!(text(&["TWEET", "EMP", "TWEET"]), "EMP:1, TWEET:2");
    assert_eq!(text(&["EMP", "LIZARD", "BOOST", "OIL"]), "OIL:1, BOOST:1, LIZARD:1, EMP:1");
    let all = text(&["EMP", "LIZARD", "BOOST", "OIL", "TWEET", "OIL"]);
    assert_eq!(all, "LIZARD:1, TWEET:1, EMP:1, OIL:2, BOOST:1");
}

/// Everything that a seat may not know is changed, and its view must not.
#[test]
fn a_view_hides_what_is_out_of_sight_and_what_the_opponent_keeps_to_itself() {
    let seen = |change: &dyn Fn(&mut quintain_overdrive::Setup)| -> View {
        let mut start = setup(at(2, 100, 5), at(3, 110, 5));
        change(&mut start);
        Race::document(start).game.view(FIRST)
    };
    let usual = seen(&|_| {});
    for block in [94, 121, 1499] {
        assert_eq!(seen(&|start| lay(start, 2, block, Surface::Wall)), usual);
        assert_eq!(seen(&|start| start.trucks = vec![(2, block)]), usual);
    }
    for block in [95, 100, 120] {
        assert_ne!(seen(&|start| lay(start, 2, block, Surface::Wall)), usual);
        assert_ne!(seen(&|start| start.trucks = vec![(2, block)]), usual);
    }
    let hidden: [&dyn Fn(&mut quintain_overdrive::CarSetup); 6] = [
        &|car| car.damage = 1,
        &|car| car.score = 40,
        &|car| car.powerups = vec!["EMP".to_owned()],
        &|car| (car.boosting, car.boost_counter) = (true, 3),
        &|car| car.states = vec!["HIT_MUD".to_owned()],
        &|car| car.truck = Some((1, 900)),
    ];
    for (number, change) in hidden.iter().enumerate() {
        let view = seen(&|start| change(&mut start.players.0[1]));
        assert_eq!(view, usual, "member {number} of the opponent");
    }
    assert_ne!(seen(&|start| start.players.0[1].speed = 6), usual);
    assert_ne!(seen(&|start| start.players.0[1].block = 900), usual, "seen at any distance");
}

#[test]
fn cells_keep_what_they_are_made_of() {
    for surface in Surface::ALL {
        let cell = Cell::new(surface);
        assert_eq!((cell.surface(), cell.has_truck(), cell.car()), (surface, false, None));
        let full = cell.with_car(FIRST).with_truck().with_car(SECOND);
        assert_eq!((full.surface(), full.has_truck(), full.car()), (surface, true, Some(SECOND)));
        assert_eq!(Numbers::USUAL.surface(surface as u64), Some(surface));
    }
    assert_eq!(Numbers::USUAL.surface(10), None);
}

#[test]
fn the_global_state_has_both_cars_and_every_block() {
    let mut start =
        laid(setup(with(at(2, 100, 5), &["OIL"]), at(4, 7, 5)), &[(1, 9, Surface::Mud)]);
    start.trucks = vec![(3, 700)];
    let mut race = Race::document(start);
    let before = race.game.clone();
    let events = race.round("USE_OIL", "NOTHING");
    let mut bytes = Vec::new();
    Overdrive::global_state(&before, &race.game, &events, &mut bytes);
    let state: Value = serde_json::from_slice(&bytes).expect("readable");
    let blocks = state["blocks"].as_array().expect("blocks");
    assert_eq!(blocks.len(), 6000);
    let block = |lane: usize, block: usize| &blocks[(lane - 1) * 1500 + block - 1];
    assert_eq!(block(1, 9)["surfaceObject"], 1);
    assert_eq!(block(2, 100)["surfaceObject"], 2);
    assert_eq!(block(2, 105)["occupiedByPlayerWithId"], 1);
    assert_eq!(block(3, 700)["isOccupiedByCyberTruck"], true);
    assert_eq!(block(4, 12)["position"]["blockNumber"], 12);
    assert_eq!(state["players"][0]["statesThatOccurredThisRound"][0], "USED_OIL");
    assert_eq!(state["players"][0]["position"]["lane"], 2);
    assert_eq!(state["players"][1]["score"], 0);
}

#[test]
fn the_global_state_is_printed_as_the_original_prints_it() {
    let mut race = Race::document(setup(with(at(2, 100, 5), &["OIL"]), at(4, 7, 5)));
    let before = race.game.clone();
    let events = race.round("USE_OIL", "NOTHING");
    let mut bytes = Vec::new();
    Overdrive::global_state(&before, &race.game, &events, &mut bytes);
    let text = String::from_utf8(bytes).expect("UTF-8");
    let start = r#"{
  "players":[
    {
      "id":1,
      "position":{
        "lane":2,
        "blockNumber":105
      },
      "speed":5,
      "state":"USED_OIL",
      "statesThatOccurredThisRound":[
        "USED_OIL"
      ],
      "powerups":[],
      "boosting":false,
      "boostCounter":0,
      "damage":0,
      "score":4
    },
    {
      "id":2,"#;
    assert!(text.starts_with(start), "{}", &text[..start.len()]);
    let end = r#"
    {
      "position":{
        "lane":4,
        "blockNumber":1500
      },
      "surfaceObject":4,
      "occupiedByPlayerWithId":0,
      "isOccupiedByCyberTruck":false
    }
  ]
}"#;
    assert!(text.ends_with(end), "{}", &text[text.len() - end.len()..]);
}

#[test]
fn the_end_of_the_log_names_score_and_health() {
    let race = Race::document(setup(at(2, 100, 5), at(4, 7, 5)));
    assert_eq!(race.game.end_line(FIRST, "A - nick"), "A - nick - score:0 health:0");
}

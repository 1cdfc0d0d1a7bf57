//! What a seat is shown, as `state.json` and as the text map, byte for byte as the original has it.
//!
//! Nearly all of `state.json` is blocks, and there are few kinds of blocks. Their texts are made once
//! per match and copied.

use quintain_core::Seat;
use quintain_core::decimal::{push_field, push_number};
use quintain_core::entelect::Rendering;

use crate::figures::LANES_MAX;
use crate::view::{Cell, Numbers};
use crate::{Powerup, Surface, View};

/// A view with the texts of its blocks.
pub(crate) struct Sheet<'a> {
    pub(crate) view: &'a View,
    pub(crate) texts: &'a BlockTexts,
}

/// The texts of blocks in `state.json`, for one set of numbers.
#[derive(Clone, Debug)]
pub struct BlockTexts {
    numbers: Numbers,
    /// What stands before the number of a block, by lane from 0, the comma of its predecessor
    /// included.
    heads: [Vec<u8>; LANES_MAX as usize],
    /// What stands after it, by the index of the cell.
    tails: [Vec<u8>; Cell::INDEX_END],
}

impl Default for BlockTexts {
    fn default() -> Self {
        BlockTexts::new(Numbers::USUAL)
    }
}

impl BlockTexts {
    fn new(numbers: Numbers) -> BlockTexts {
        const NONE: Vec<u8> = Vec::new();
        let mut tails = [NONE; Cell::INDEX_END];
        for cell in Cell::all() {
            tails[cell.index()] = tail(&numbers, cell).into_bytes();
        }
        let head = |lane: usize| {
            let lane = lane + 1;
            format!(
                ",\n      {{\n        \"position\":{{\n          \"y\":{lane},\n          \"x\":"
            )
        };
        BlockTexts { numbers, heads: std::array::from_fn(|lane| head(lane).into_bytes()), tails }
    }

    /// Makes the texts anew if they are for other numbers.
    pub(crate) fn suit(&mut self, numbers: Numbers) {
        if self.numbers != numbers {
            *self = BlockTexts::new(numbers);
        }
    }
}

fn tail(numbers: &Numbers, cell: Cell) -> String {
    let surface = numbers.surfaces[cell.surface() as usize];
    let player = cell.car().map_or(usize::from(numbers.no_car), |seat| seat.index() + 1);
    let truck = cell.has_truck();
    format!(
        "\n        }},\n        \"surfaceObject\":{surface},\n        \
         \"occupiedByPlayerId\":{player},\n        \"isOccupiedByCyberTruck\":{truck}\n      }}"
    )
}

impl Rendering for Sheet<'_> {
    fn json(&mut self, out: &mut Vec<u8>) {
        let view = self.view;
        const BLOCK_BYTES: usize = 180;
        out.reserve(1024 + view.window.cells.len() * BLOCK_BYTES);
        push_field(out, "{\n  \"currentRound\":", view.round);
        push_field(out, ",\n  \"maxRounds\":", view.rounds_max);
        json_player(view, out);
        json_opponent(view, out);
        json_blocks(view, self.texts, out);
        out.extend_from_slice(b"\n}");
    }

    fn text(&mut self, out: &mut Vec<u8>) {
        let view = self.view;
        out.extend_from_slice(&RULE);
        push_field(out, "\r\nround:", view.round);
        text_player(view, out);
        text_opponent(view, out);
        for lane in view.window.lanes() {
            out.push(b'[');
            for &cell in lane {
                out.extend_from_slice(LETTERS[cell.index()].as_bytes());
            }
            out.extend_from_slice(b"]\r\n");
        }
        out.extend_from_slice(&RULE);
    }

    /// The original's two renderers give the same.
    fn console(&mut self, out: &mut Vec<u8>) {
        self.text(out);
    }

    fn console_prompt(&mut self, out: &mut Vec<u8>) {
        push_word(out, "Your command (", ANSWERS);
        out.extend_from_slice(b"):");
    }
}

/// What a person can type.
pub(crate) const ANSWERS: &str = "NOTHING, ACCELERATE, DECELERATE, TURN_LEFT, TURN_RIGHT, USE_BOOST, \
     USE_OIL, USE_LIZARD, USE_TWEET lane block, USE_EMP, FIX";

fn json_player(view: &View, out: &mut Vec<u8>) {
    let own = &view.own;
    push_field(out, ",\n  \"player\":{\n    \"id\":", view.seat.index() as u32 + 1);
    json_position(own.place.lane, own.place.block, out);
    push_field(out, ",\n    \"speed\":", own.speed);
    push_word(out, ",\n    \"state\":\"", own.states.latest_name());
    out.extend_from_slice(b"\",\n    \"statesThatOccurredThisRound\":");
    json_words(own.states.as_slice().iter().map(|state| state.name()), out);
    out.extend_from_slice(b",\n    \"powerups\":");
    json_words(own.powerups.iter().map(Powerup::name), out);
    push_word(out, ",\n    \"boosting\":", truth(own.is_boosting));
    push_field(out, ",\n    \"boostCounter\":", own.boost_counter);
    push_field(out, ",\n    \"damage\":", own.damage);
    push_field(out, ",\n    \"score\":", own.score);
    out.extend_from_slice(b"\n  }");
}

fn json_opponent(view: &View, out: &mut Vec<u8>) {
    let other = &view.opponent;
    push_field(out, ",\n  \"opponent\":{\n    \"id\":", view.seat.other().index() as u32 + 1);
    json_position(other.place.lane, other.place.block, out);
    push_field(out, ",\n    \"speed\":", other.speed);
    out.extend_from_slice(b"\n  }");
}

fn json_position(lane: u8, block: u16, out: &mut Vec<u8>) {
    push_field(out, ",\n    \"position\":{\n      \"y\":", lane);
    push_field(out, ",\n      \"x\":", block);
    out.extend_from_slice(b"\n    }");
}

fn json_words<'a>(words: impl Iterator<Item = &'a str>, out: &mut Vec<u8>) {
    let mut is_empty = true;
    for word in words {
        let before: &[u8] = if is_empty { b"[\n      \"" } else { b",\n      \"" };
        out.extend_from_slice(before);
        out.extend_from_slice(word.as_bytes());
        out.push(b'"');
        is_empty = false;
    }
    out.extend_from_slice(if is_empty { b"[]" } else { b"\n    ]" });
}

fn json_blocks(view: &View, texts: &BlockTexts, out: &mut Vec<u8>) {
    let window = &view.window;
    out.extend_from_slice(b",\n  \"worldMap\":[");
    for (lane, cells) in window.lanes().enumerate() {
        let before: &[u8] = if lane == 0 { b"\n    [" } else { b",\n    [" };
        out.extend_from_slice(before);
        // The first block has no predecessor, so no comma.
        let mut head = &texts.heads[lane][1..];
        for (&cell, block) in cells.iter().zip(window.first_block..) {
            out.extend_from_slice(head);
            push_number(out, block);
            out.extend_from_slice(&texts.tails[cell.index()]);
            head = &texts.heads[lane];
        }
        out.extend_from_slice(b"\n    ]");
    }
    out.extend_from_slice(b"\n  ]");
}

/// The line above and below the text map.
const RULE: [u8; 102] = [b'='; 102];

fn text_player(view: &View, out: &mut Vec<u8>) {
    let own = &view.own;
    push_field(out, "\r\nplayer: id:", view.seat.index() as u32 + 1);
    push_field(out, " position: y:", own.place.lane);
    push_field(out, " x:", own.place.block);
    push_field(out, " speed:", own.speed);
    push_word(out, " state:", own.states.latest_name());
    out.extend_from_slice(b" statesThatOccurredThisRound:");
    for (index, state) in own.states.as_slice().iter().enumerate() {
        out.extend_from_slice(if index == 0 { b"" } else { b", " });
        out.extend_from_slice(state.name().as_bytes());
    }
    push_word(out, " boosting:", truth(own.is_boosting));
    push_field(out, " boost-counter:", own.boost_counter);
    push_field(out, " damage:", own.damage);
    push_field(out, " score:", own.score);
    out.extend_from_slice(b" powerups: ");
    text_powerups(view, out);
}

/// Kinds with their counts. The order is an accident of the original's hash maps, and stable.
fn text_powerups(view: &View, out: &mut Vec<u8>) {
    use Powerup::{Boost, Emp, Lizard, Oil, Tweet};
    let powerups = &view.own.powerups;
    let has_all = Powerup::ALL.into_iter().all(|powerup| powerups.has(powerup));
    let order =
        if has_all { [Lizard, Tweet, Emp, Oil, Boost] } else { [Oil, Boost, Lizard, Emp, Tweet] };
    let held = order.into_iter().filter(|&powerup| powerups.has(powerup));
    for (index, powerup) in held.enumerate() {
        out.extend_from_slice(if index == 0 { b"" } else { b", " });
        out.extend_from_slice(powerup.name().as_bytes());
        out.push(b':');
        push_number(out, powerups.count(powerup) as u32);
    }
}

/// Its line ends in LF and then again in CR LF.
fn text_opponent(view: &View, out: &mut Vec<u8>) {
    let other = &view.opponent;
    push_field(out, "\r\nopponent: id:", view.seat.other().index() as u32 + 1);
    push_field(out, " position: y:", other.place.lane);
    push_field(out, " x:", other.place.block);
    push_field(out, " speed:", other.speed);
    out.extend_from_slice(b"\n\r\n");
}

/// The letter of a block in the text map, by the index of its cell.
static LETTERS: [&str; Cell::INDEX_END] = {
    let mut letters = [""; Cell::INDEX_END];
    let mut surface = 0;
    while surface < Surface::ALL.len() {
        let bare = Cell::new(Surface::ALL[surface]);
        let truck = bare.with_truck();
        letters[bare.index()] = surface_letter(Surface::ALL[surface]);
        letters[truck.index()] = "C";
        letters[bare.with_car(Seat::First).index()] = "1";
        letters[bare.with_car(Seat::Second).index()] = "2";
        letters[truck.with_car(Seat::First).index()] = "1";
        letters[truck.with_car(Seat::Second).index()] = "2";
        surface += 1;
    }
    letters
};

/// The letter of a block in the text map: the car, else the truck, else what lies there.
pub(crate) fn letter(cell: Cell) -> &'static str {
    LETTERS[cell.index()]
}

const fn surface_letter(surface: Surface) -> &'static str {
    match surface {
        Surface::Empty => "░",
        Surface::Mud => "▓",
        Surface::OilSpill => "█",
        Surface::OilItem => "Φ",
        Surface::FinishLine => "║",
        Surface::Boost => "»",
        Surface::Wall => "#",
        Surface::Lizard => "∱",
        Surface::Tweet => "T",
        Surface::Emp => "*",
    }
}

fn truth(is_so: bool) -> &'static str {
    if is_so { "true" } else { "false" }
}

/// Appends a word after what stands before it.
fn push_word(out: &mut Vec<u8>, label: &str, word: &str) {
    out.extend_from_slice(label.as_bytes());
    out.extend_from_slice(word.as_bytes());
}

//! `state.json` and `GlobalState.json`, byte for byte as the original writes them: no blanks, keys in
//! its order, what is absent left out.

use quintain_core::Seat;
use quintain_core::decimal::push_field;

use crate::cell::{Cell, Ground};
use crate::config::{GameConfig, WORMS_MAX};
use crate::render::{previous_command, push, push_string};
use crate::rows::{Row, Rows};
use crate::rules::Pack;
use crate::view::{Side, View, WormView};

/// More than a usual state takes.
const BYTES_USUAL: usize = 64 * 1024;

/// A row of the map; something can be put into each cell before its closing brace.
fn write_row(ground: &Ground, y: u8, row: &mut Row) {
    let text = &mut row.text;
    text.push(b'[');
    for x in 0..ground.size() {
        if x > 0 {
            text.push(b',');
        }
        push_cell_head(text, ground, Cell { x, y });
        row.ends.push(text.len() as u32);
        text.push(b'}');
    }
    text.push(b']');
}

/// A cell without its closing brace.
fn push_cell_head(out: &mut Vec<u8>, ground: &Ground, cell: Cell) {
    push_field(out, "{\"x\":", cell.x);
    push_field(out, ",\"y\":", cell.y);
    push(out, ",\"type\":\"");
    push(out, ground.at(cell).name());
    out.push(b'"');
}

/// What is on the map besides terrain, in the order of the rows.
pub(crate) struct Guest<'a> {
    pub(crate) at: Cell,
    worm: Option<(Seat, &'a WormView)>,
    pub(crate) pack: Option<Pack>,
}

pub(crate) fn state(view: &View, rows: &mut Rows, out: &mut Vec<u8>) {
    out.reserve(BYTES_USUAL);
    push_match(out, view.config(), view.round);
    push_field(out, ",\"currentWormId\":", view.own.active_id);
    push_field(out, ",\"consecutiveDoNothingCount\":", view.do_nothings);
    push(out, ",\"myPlayer\":");
    push_side(out, view.config(), &view.own, true);
    push(out, ",\"opponents\":[");
    push_side(out, view.config(), &view.opponent, false);
    push(out, "],\"map\":");
    let sides = [&view.own, &view.opponent];
    push_map(out, view.config(), &view.ground, sides, view.packs(), rows);
    push(out, ",\"visualizerEvents\":[]}");
}

/// The members that both files begin with.
pub(crate) fn push_match(out: &mut Vec<u8>, config: &GameConfig, round: u32) {
    push_field(out, "{\"currentRound\":", round);
    push_field(out, ",\"maxRounds\":", config.max_rounds);
    push_field(out, ",\"pushbackDamage\":", config.pushback_damage);
    push_field(out, ",\"lavaDamage\":", config.lava_damage);
    push_field(out, ",\"mapSize\":", config.map_size);
}

/// `is_whole`: with the sum of health, which is not shown of an opponent.
pub(crate) fn push_side(out: &mut Vec<u8>, config: &GameConfig, side: &Side, is_whole: bool) {
    push_field(out, "{\"id\":", side.seat.index() as i64 + 1);
    push_field(out, ",\"score\":", side.score);
    if is_whole {
        push_field(out, ",\"health\":", side.health);
    }
    push_field(out, ",\"currentWormId\":", side.active_id);
    push_field(out, ",\"remainingWormSelections\":", side.tokens);
    push(out, ",\"previousCommand\":");
    push_string(out, &previous_command(&side.last));
    push(out, ",\"worms\":[");
    for (index, worm) in side.worms().iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        push_worm(out, config, worm, None);
    }
    push(out, "]}");
}

/// `owner`: only in a cell of the map.
fn push_worm(out: &mut Vec<u8>, config: &GameConfig, worm: &WormView, owner: Option<Seat>) {
    let class = worm.class(config);
    push_field(out, "{\"id\":", worm.id);
    if let Some(seat) = owner {
        push_field(out, ",\"playerId\":", seat.index() as i64 + 1);
    }
    push_field(out, ",\"health\":", worm.hp);
    push_field(out, ",\"position\":{\"x\":", worm.at.x);
    push_field(out, ",\"y\":", worm.at.y);
    out.push(b'}');
    if let Some(arsenal) = worm.arsenal {
        push_field(out, ",\"weapon\":{\"damage\":", class.weapon.damage);
        push_field(out, ",\"range\":", class.weapon.range);
        out.push(b'}');
        if let Some(bananas) = class.bananas {
            push_field(out, ",\"bananaBombs\":{\"damage\":", bananas.damage);
            push_field(out, ",\"range\":", bananas.range);
            push_field(out, ",\"count\":", arsenal.bananas);
            push_field(out, ",\"damageRadius\":", bananas.damage_radius);
            out.push(b'}');
        }
        if let Some(snowballs) = class.snowballs {
            push_field(out, ",\"snowballs\":{\"freezeDuration\":", snowballs.freeze_duration);
            push_field(out, ",\"range\":", snowballs.range);
            push_field(out, ",\"count\":", arsenal.snowballs);
            push_field(out, ",\"freezeRadius\":", snowballs.freeze_radius);
            out.push(b'}');
        }
    }
    push_field(out, ",\"diggingRange\":", class.digging_range);
    push_field(out, ",\"movementRange\":", class.movement_range);
    push_field(out, ",\"roundsUntilUnfrozen\":", worm.frozen);
    push(out, ",\"profession\":");
    push_string(out, &class.profession_name);
    out.push(b'}');
}

pub(crate) fn push_map(
    out: &mut Vec<u8>,
    config: &GameConfig,
    ground: &Ground,
    sides: [&Side; 2],
    packs: &[Pack],
    rows: &mut Rows,
) {
    let rows = rows.of(ground, write_row);
    let guests = guests(sides, packs);
    let mut guests = guests.iter().peekable();
    out.push(b'[');
    for (row, y) in rows.iter().zip(0..) {
        if y > 0 {
            out.push(b',');
        }
        let mut written = 0;
        while let Some(guest) = guests.next_if(|guest| guest.at.y == y) {
            let end = row.ends[usize::from(guest.at.x)] as usize;
            out.extend_from_slice(&row.text[written..end]);
            written = end;
            if let Some((seat, worm)) = guest.worm {
                push(out, ",\"occupier\":");
                push_worm(out, config, worm, Some(seat));
            }
            push_pack(out, guest.pack);
        }
        out.extend_from_slice(&row.text[written..]);
    }
    out.push(b']');
}

fn push_pack(out: &mut Vec<u8>, pack: Option<Pack>) {
    if let Some(pack) = pack {
        push_field(out, ",\"powerup\":{\"type\":\"HEALTH_PACK\",\"value\":", pack.value);
        out.push(b'}');
    }
}

/// A cell as events show it: without whoever stands there.
pub(crate) fn push_bare_cell(out: &mut Vec<u8>, ground: &Ground, packs: &[Pack], cell: Cell) {
    push_cell_head(out, ground, cell);
    push_pack(out, packs.iter().find(|pack| pack.at == cell).copied());
    out.push(b'}');
}

pub(crate) fn guests<'a>(sides: [&'a Side; 2], packs: &[Pack]) -> Vec<Guest<'a>> {
    let mut guests: Vec<Guest<'a>> = Vec::with_capacity(2 * WORMS_MAX + packs.len());
    for side in sides {
        for worm in side.worms().iter().filter(|worm| worm.is_on_map) {
            let pack = packs.iter().find(|pack| pack.at == worm.at).copied();
            guests.push(Guest { at: worm.at, worm: Some((side.seat, worm)), pack });
        }
    }
    for pack in packs {
        if guests.iter().all(|guest| guest.at != pack.at) {
            guests.push(Guest { at: pack.at, worm: None, pack: Some(*pack) });
        }
    }
    guests.sort_unstable_by_key(|guest| (guest.at.y, guest.at.x));
    guests
}

//! The other forms of the state: the text file, and what a person sees at the terminal.

use quintain_core::decimal::{push_field, push_signed};
use quintain_core::entelect::Rendering;

use crate::cell::{Cell, Ground, Terrain};
use crate::json::{self, Guest};
use crate::render::{previous_command, push};
use crate::rows::{Row, RowTexts, Rows};
use crate::view::{Side, View, WormView};

/// A view in every form that a player can be told it. The texts of the map's rows are kept for the
/// next sheet.
pub(crate) struct Sheet<'a> {
    pub(crate) view: &'a View,
    pub(crate) rows: &'a mut RowTexts,
}

impl Rendering for Sheet<'_> {
    fn json(&mut self, out: &mut Vec<u8>) {
        json::state(self.view, &mut self.rows.json, out);
    }

    fn json_line(&mut self, out: &mut Vec<u8>) {
        self.json(out);
    }

    fn text(&mut self, out: &mut Vec<u8>) {
        text(self.view, &mut self.rows.glyphs, out);
    }

    fn console(&mut self, out: &mut Vec<u8>) {
        console(self.view, &mut self.rows.glyphs, out);
    }

    fn console_prompt(&mut self, out: &mut Vec<u8>) {
        push_field(out, "Player ", self.view.seat.index() as i64 + 1);
        push(out, ", enter a command (move x y)/(dig x y)/(shoot N, NE, E, SE, S, SW, W, NW)");
        // The original's question names no more than these and `nothing`.
        push(out, "/(banana x y)/(snowball x y)/(select n;command)/(nothing)");
    }
}

/// The glyphs of a cell, two columns wide.
const fn glyphs(terrain: Terrain) -> &'static str {
    match terrain {
        Terrain::DeepSpace => "██",
        Terrain::Dirt => "▓▓",
        Terrain::Air => "░░",
        Terrain::Lava => "XX",
    }
}

const PACK_GLYPHS: &str = "╠╣";

fn text(view: &View, rows: &mut Rows, out: &mut Vec<u8>) {
    let config = view.config();
    let worms = view.own.worms().len() as i64;
    push(out, "@01 Match Details\nSection lines count: 11\n");
    for (name, number) in [
        ("Current round", i64::from(view.round)),
        ("Max rounds", i64::from(config.max_rounds)),
        ("Map size", i64::from(config.map_size)),
        ("Current worm id", i64::from(view.own.active_id)),
        ("Consecutive do nothing count", i64::from(view.do_nothings)),
        ("Players count", 2),
        ("Worms per player", worms),
        ("Pushback damage", i64::from(config.pushback_damage)),
        ("Lava damage", i64::from(config.lava_damage)),
    ] {
        line(out, name, Some(number));
    }
    // Nine lines, and for each worm an empty one and eighteen.
    section(out, "\n@02 My Player", 9 + 19 * worms);
    side_lines(out, view, &view.own, true);
    // Eight lines, for each worm an empty one and eight, and two empty ones at the end.
    section(out, "\n@03 Opponents", 10 + 9 * worms);
    side_lines(out, view, &view.opponent, false);
    section(out, "\n\n@04 Special Items", 3);
    line(out, "HEALTH_PACK", Some(i64::from(config.health_pack_hp)));
    section(out, "\n@05 Legend", 8);
    push(out, "DEEP_SPACE: ██ ASCII:219\nDIRT: ▓▓ ASCII:178\nAIR: ░░ ASCII:176\nLAVA: XX\n");
    push(out, "HEALTH_PACK: ╠╣ ASCII:204, 185\nWORM_MARKER: 13 Example for:Player1, Worm3\n");
    section(out, "\n@06 World Map", 2 + i64::from(config.map_size));
    map(view, rows, out);
}

fn section(out: &mut Vec<u8>, title: &str, lines: i64) {
    push(out, title);
    push(out, "\n");
    line(out, "Section lines count", Some(lines));
}

/// `name: number`, or `null` for what does not apply.
fn line(out: &mut Vec<u8>, name: &str, number: Option<i64>) {
    push(out, name);
    push(out, ": ");
    match number {
        Some(number) => push_signed(out, number),
        None => push(out, "null"),
    }
    out.push(b'\n');
}

fn side_lines(out: &mut Vec<u8>, view: &View, side: &Side, is_own: bool) {
    line(out, "Player id", Some(side.seat.index() as i64 + 1));
    line(out, "Score", Some(side.score));
    line(out, "Selection Tokens", Some(i64::from(side.tokens)));
    push(out, "Previous Command: ");
    push(out, &previous_command(&side.last));
    out.push(b'\n');
    if is_own {
        line(out, "Health", Some(side.health));
    }
    line(out, "Current Worm", Some(i64::from(side.active_id)));
    push(out, "Worms: \n");
    for worm in side.worms() {
        worm_lines(out, view, worm);
    }
}

fn worm_lines(out: &mut Vec<u8>, view: &View, worm: &WormView) {
    let class = view.class(worm);
    out.push(b'\n');
    line(out, "Worm id", Some(i64::from(worm.id)));
    line(out, "Health", Some(i64::from(worm.hp)));
    line(out, "Position x", Some(i64::from(worm.at.x)));
    line(out, "Position y", Some(i64::from(worm.at.y)));
    line(out, "Digging range", Some(i64::from(class.digging_range)));
    line(out, "Movement range", Some(i64::from(class.movement_range)));
    line(out, "Rounds until unfrozen", Some(i64::from(worm.frozen)));
    push(out, "Profession: ");
    push(out, &class.profession_name);
    out.push(b'\n');
    let Some(arsenal) = worm.arsenal else {
        return;
    };
    let bananas = class.bananas;
    let snowballs = class.snowballs;
    for (name, number) in [
        ("Weapon damage", Some(class.weapon.damage)),
        ("Weapon range", Some(class.weapon.range)),
        ("Banana bomb damage", bananas.map(|bananas| bananas.damage)),
        ("Banana bomb range", bananas.map(|bananas| bananas.range)),
        ("Banana bombs count", bananas.map(|_| arsenal.bananas)),
        ("Banana bomb damage radius", bananas.map(|bananas| bananas.damage_radius)),
        ("Snowballs freeze duration", snowballs.map(|snowballs| snowballs.freeze_duration)),
        ("Snowballs range", snowballs.map(|snowballs| snowballs.range)),
        ("Snowballs count", snowballs.map(|_| arsenal.snowballs)),
        ("Snowballs freeze radius", snowballs.map(|snowballs| snowballs.freeze_radius)),
    ] {
        line(out, name, number.map(i64::from));
    }
}

/// Lines of cells, without a line end after the last. A pack hides who stands on it.
fn map(view: &View, rows: &mut Rows, out: &mut Vec<u8>) {
    let guests = json::guests([&view.own, &view.opponent], view.packs());
    let mut guests = guests.iter().peekable();
    for (row, y) in rows.of(&view.ground, write_row).iter().zip(0..) {
        if y > 0 {
            out.push(b'\n');
        }
        let mut written = 0;
        while let Some(guest) = guests.next_if(|guest| guest.at.y == y) {
            let x = usize::from(guest.at.x);
            let start = x.checked_sub(1).map_or(0, |before| row.ends[before] as usize);
            out.extend_from_slice(&row.text[written..start]);
            push_guest(out, view, guest);
            written = row.ends[x] as usize;
        }
        out.extend_from_slice(&row.text[written..]);
    }
}

fn write_row(ground: &Ground, y: u8, row: &mut Row) {
    for x in 0..ground.size() {
        push(&mut row.text, glyphs(ground.at(Cell { x, y })));
        row.ends.push(row.text.len() as u32);
    }
}

fn push_guest(out: &mut Vec<u8>, view: &View, guest: &Guest<'_>) {
    if guest.pack.is_some() {
        push(out, PACK_GLYPHS);
    } else if let Some((seat, worm)) = view.occupant(guest.at) {
        push_signed(out, seat.index() as i64 + 1);
        push_signed(out, worm.id);
    }
}

fn console(view: &View, rows: &mut Rows, out: &mut Vec<u8>) {
    let (own, opponent, active) = (&view.own, &view.opponent, view.active());
    push_field(out, "My Player:H=", own.health);
    push_field(out, " S=", own.score);
    push_field(out, " W=", own.active_id);
    push_field(out, " X,Y=", active.at.x);
    push_field(out, ",", active.at.y);
    push_field(out, "\nPlayer ", opponent.seat.index() as i64 + 1);
    push_field(out, " :H=", opponent.health);
    push_field(out, " S=", opponent.score);
    push(out, "\n\n");
    map(view, rows, out);
}

//! The map as lines of coloured text, two columns a cell, and below it a line for each worm.

use quintain_core::Seat;
use quintain_core::scene::{Eye, Focus, Ink, Span, TextScene, join};

use crate::cell::{Cell, Terrain};
use crate::rules::Worms;
use crate::scene::ink;

/// Columns before the map that hold the number of a row.
const RULER: usize = 3;

const LEGEND: [&str; 2] = ["12 worm 2 of player 1  ++ health pack", "▓▓ dirt  ·· air  ≈≈ lava"];

/// Worms show player and worm, as in the text map; `++` is a health pack. Who plays has to name cells and is
/// shown the numbers of rows and columns.
pub(crate) fn map_text(game: &Worms, eye: Eye, out: &mut TextScene) {
    let size = game.ground().size();
    if let Eye::Seat(seat) = eye {
        let player = &game.players()[seat];
        let at = player.worms()[usize::from(player.active)].at;
        let (row, column) = (1 + usize::from(at.y), RULER + 2 * usize::from(at.x));
        let legend = Some(1 + usize::from(size));
        out.focus = Some(Focus { row, column, frozen_rows: 1, frozen_columns: RULER, legend });
        // A number has the room of two cells.
        let columns: String = (0..size).step_by(2).map(|x| format!("{x:2}  ")).collect();
        out.lines.push(vec![Span::new(format!("{:RULER$}{columns}", ""), Ink::Faint)]);
    }
    for y in 0..size {
        let mut line: Vec<Span> = Vec::new();
        if eye != Eye::All {
            line.push(Span::new(format!("{y:2} "), Ink::Faint));
        }
        for x in 0..size {
            let (text, ink) = cell_text(game, Cell { x, y });
            join(&mut line, &text, ink);
        }
        out.lines.push(line);
    }
    if eye != Eye::All {
        out.lines.extend(LEGEND.map(|row| vec![Span::new(row, Ink::Faint)]));
    }
    for seat in Seat::BOTH {
        player_text(game, seat, eye, out);
    }
}

fn cell_text(game: &Worms, cell: Cell) -> (String, Option<Ink>) {
    for (seat, player) in game.players().iter() {
        let is_here = |worm: &crate::Worm| worm.is_on_map && worm.at == cell;
        if let Some(index) = player.worms().iter().position(is_here) {
            return (format!("{}{}", seat.index() + 1, index + 1), Some(Ink::of(seat)));
        }
    }
    if game.packs().iter().any(|pack| pack.at == cell) {
        return ("++".to_owned(), Some(ink::PACK));
    }
    let (text, ink) = match game.ground().at(cell) {
        Terrain::DeepSpace => ("  ", None),
        Terrain::Dirt => ("▓▓", Some(ink::DIRT)),
        Terrain::Air => ("··", Some(Ink::Faint)),
        Terrain::Lava => ("≈≈", Some(ink::LAVA)),
    };
    (text.to_owned(), ink)
}

/// `*` is before the worm whose turn it is. What the other has left to throw is not shown to a player.
fn player_text(game: &Worms, seat: Seat, eye: Eye, out: &mut TextScene) {
    let player = &game.players()[seat];
    let head = format!(
        "player {}: score {}, health {}, tokens {}",
        seat.index() + 1,
        player.score(),
        player.health(),
        player.tokens
    );
    out.lines.push(vec![Span::new(head, Ink::of(seat))]);
    for (index, worm) in player.worms().iter().enumerate() {
        let class = game.class_of(index);
        let mark = if usize::from(player.active) == index { '*' } else { ' ' };
        let mut text =
            format!("{mark} {} {}: health {}", index + 1, class.profession_name, worm.hp);
        if worm.is_on_map {
            text.push_str(&format!(" at {} {}", worm.at.x, worm.at.y));
        }
        if eye != Eye::Seat(seat.other()) {
            if class.bananas.is_some() {
                text.push_str(&format!(", bananas {}", worm.bananas));
            }
            if class.snowballs.is_some() {
                text.push_str(&format!(", snowballs {}", worm.snowballs));
            }
        }
        if worm.frozen > 0 {
            text.push_str(&format!(", frozen {}", worm.frozen));
        }
        out.lines.push(vec![Span::new(text, worm.is_on_map.then_some(Ink::of(seat)))]);
    }
}

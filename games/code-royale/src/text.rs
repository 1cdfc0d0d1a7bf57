//! The field as lines of coloured text: 80 columns and 25 rows.

use quintain_core::Seat;
use quintain_core::scene::{Ink, TextScene, spans};

use crate::geometry::{HEIGHT, WIDTH};
use crate::scene::structure_figure;
use crate::{CodeRoyale, CreepKind, Point, SiteView, StructureView};

const COLUMNS: usize = 80;
const ROWS: usize = 25;

type Cell = (char, Option<Ink>);

/// Sites show their number, or what stands on them: `m` a mine with its rate, `t` a tower with its
/// health, `b` barracks with the kind of creep. `k`, `a`, `g` are creeps, `Q` queens.
pub(crate) fn field_text(game: &CodeRoyale, sites: &[SiteView], out: &mut TextScene) {
    let mut sheet = Sheet { cells: [[(' ', None); COLUMNS]; ROWS] };
    for (number, site) in sites.iter().enumerate() {
        let place = Point::new(f64::from(site.x), f64::from(site.y));
        sheet.circle(place, f64::from(site.radius));
        match &site.structure {
            None => sheet.write(place, &number.to_string(), Ink::Wall),
            Some(structure) => {
                sheet.write(place, &sign(structure), Ink::of(structure.owner()));
            }
        }
    }
    for seat in Seat::BOTH {
        for creep in game.creeps()[seat].as_slice() {
            let letter = match creep.kind {
                CreepKind::Knight => "k",
                CreepKind::Archer => "a",
                CreepKind::Giant => "g",
            };
            sheet.write(creep.place, letter, Ink::of(seat));
        }
    }
    for (seat, player) in game.players().iter() {
        sheet.write(player.queen, "Q", Ink::of(seat));
    }
    out.lines.extend(sheet.cells.iter().map(|row| spans(row)));
}

fn sign(structure: &StructureView) -> String {
    let letter = match structure {
        StructureView::Mine { .. } => 'm',
        StructureView::Tower { .. } => 't',
        StructureView::Barracks { .. } => 'b',
    };
    format!("{letter}{}", structure_figure(structure))
}

struct Sheet {
    cells: [[Cell; COLUMNS]; ROWS],
}

impl Sheet {
    /// Dots wherever the middle of a cell lies inside.
    fn circle(&mut self, place: Point, radius: f64) {
        for (row, cells) in self.cells.iter_mut().enumerate() {
            for (column, cell) in cells.iter_mut().enumerate() {
                let middle = Point::new(
                    (column as f64 + 0.5) * WIDTH / COLUMNS as f64,
                    (row as f64 + 0.5) * HEIGHT / ROWS as f64,
                );
                if middle.is_within(place, radius) {
                    *cell = ('·', Some(Ink::Faint));
                }
            }
        }
    }

    /// With its middle at a place, as far as it fits.
    fn write(&mut self, place: Point, text: &str, ink: Ink) {
        let column = (place.x * COLUMNS as f64 / WIDTH) as usize;
        let row = ((place.y * ROWS as f64 / HEIGHT) as usize).min(ROWS - 1);
        let start = column.min(COLUMNS - 1).saturating_sub(text.len() / 2);
        for (cell, letter) in self.cells[row][start..].iter_mut().zip(text.chars()) {
            *cell = (letter, Some(ink));
        }
    }
}

//! The field as lines of coloured text: 80 columns and 25 rows.

use quintain_core::Seat;
use quintain_core::scene::{Eye, Focus, Ink, Span, TextScene, spans};

use crate::geometry::{HEIGHT, WIDTH};
use crate::scene::structure_figure;
use crate::{CodeRoyale, CreepKind, Point, StructureView};

const COLUMNS: usize = 80;
const ROWS: usize = 25;

type Cell = (char, Option<Ink>);

/// Columns before the field that hold the y of a row, and those between two x above it.
const RULER: usize = 4;
const RULER_STEP: usize = 10;

const LEGEND: [&str; 2] =
    ["Q queen  k knight  a archer  g giant", "m mine: rate  t tower: health  b barracks"];

/// Sites show their number, or what stands on them: `m` a mine with its rate, `t` a tower with its
/// health, `b` barracks with the kind of creep. `k`, `a`, `g` are creeps, `Q` queens. Who plays has to name
/// sites and places and is shown every number, with x above the field and y beside it.
pub(crate) fn field_text(game: &CodeRoyale, eye: Eye, out: &mut TextScene) {
    let sites = game.seen(eye);
    let mut sheet = Sheet { cells: [[(' ', None); COLUMNS]; ROWS] };
    for (number, site) in sites.iter().enumerate() {
        let place = Point::new(f64::from(site.x), f64::from(site.y));
        sheet.circle(place, f64::from(site.radius));
        match &site.structure {
            None => sheet.write(place, &number.to_string(), Ink::Wall),
            Some(structure) => {
                let number = if eye == Eye::All { String::new() } else { number.to_string() };
                let sign = number + &sign(structure);
                sheet.write(place, &sign, Ink::of(structure.owner()));
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
    match eye {
        Eye::All => out.lines.extend(sheet.cells.iter().map(|row| spans(row))),
        Eye::Seat(seat) => sheet.write_with_rulers(game.players()[seat].queen, out),
    }
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
    /// The field with the numbers of its places, and the place to look at first.
    fn write_with_rulers(&self, queen: Point, out: &mut TextScene) {
        let step = |cell: usize, length: f64, cells: usize| cell as f64 * length / cells as f64;
        let x = |column| format!("{:<RULER_STEP$}", step(column, WIDTH, COLUMNS));
        let columns: String = (0..COLUMNS).step_by(RULER_STEP).map(x).collect();
        out.lines.push(vec![Span::new(format!("{:RULER$}{columns}", ""), Ink::Faint)]);
        for (number, row) in self.cells.iter().enumerate() {
            let y = format!("{:3} ", step(number, HEIGHT, ROWS));
            let mut line = vec![Span::new(y, Ink::Faint)];
            line.extend(spans(row));
            out.lines.push(line);
        }
        out.focus = Some(Focus {
            row: 1 + (queen.y * ROWS as f64 / HEIGHT) as usize,
            column: RULER + (queen.x * COLUMNS as f64 / WIDTH) as usize,
            frozen_rows: 1,
            frozen_columns: RULER,
            legend: Some(out.lines.len()),
        });
        out.lines.extend(LEGEND.map(|row| vec![Span::new(row, Ink::Faint)]));
    }

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

//! What goes where on a sheet: names above, board in the middle, figures at its sides, the
//! caption below.

use quintain_core::scene::{Area, Film, Panel, Point};
use quintain_core::{PerSeat, Seat};

/// The sheet on which lengths are meant as written; other sheets scale them.
const DESIGN_WIDTH: f64 = 800.0;
const DESIGN_HEIGHT: f64 = 600.0;

const HEADER_HEIGHT: f64 = 66.0;
const FOOTER_HEIGHT: f64 = 48.0;
const STRIP_HEIGHT: f64 = 34.0;
const COLUMN_WIDTH: f64 = 132.0;
const BOARD_MARGIN: f64 = 8.0;

/// The size of a picture in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sheet {
    pub width: u32,
    pub height: u32,
}

impl Default for Sheet {
    fn default() -> Self {
        Sheet { width: 800, height: 600 }
    }
}

/// Where everything goes. The same for all frames of a film, so that nothing jumps.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// What a length of 1 in the design measures on this sheet.
    pub(crate) unit: f64,
    pub(crate) header: Area,
    pub(crate) footer: Area,
    /// The figures of the match, if it has any.
    pub(crate) strip: Option<Area>,
    /// The figures of each seat, if the game has any.
    pub(crate) columns: PerSeat<Option<Area>>,
    /// Where the stage's world is shown.
    pub(crate) board: Area,
    pub(crate) view: View,
}

/// From the game's coordinates to the sheet's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    pub(crate) scale: f64,
    shift: Point,
}

impl View {
    pub(crate) fn place(&self, point: Point) -> Point {
        Point::new(point.x * self.scale + self.shift.x, point.y * self.scale + self.shift.y)
    }
}

impl Layout {
    pub(crate) fn of(film: &Film, sheet: Sheet) -> Layout {
        let (width, height) = (f64::from(sheet.width), f64::from(sheet.height));
        let unit = (width / DESIGN_WIDTH).min(height / DESIGN_HEIGHT);
        let header = Area { x: 0.0, y: 0.0, width, height: HEADER_HEIGHT * unit };
        let footer_height = FOOTER_HEIGHT * unit;
        let footer = Area { x: 0.0, y: height - footer_height, width, height: footer_height };
        let middle = Area { x: 0.0, y: header.height, width, height: footer.y - header.height };

        let strip_height = STRIP_HEIGHT * unit;
        let strip = has_panel(film, |panel| panel.seat.is_none())
            .then_some(Area { height: strip_height, ..middle });
        let taken = strip.map_or(0.0, |strip| strip.height);
        let middle = Area { y: middle.y + taken, height: middle.height - taken, ..middle };

        let column_width = COLUMN_WIDTH * unit;
        let columns = PerSeat::from_fn(|seat| {
            let x = match seat {
                Seat::First => 0.0,
                Seat::Second => width - column_width,
            };
            has_panel(film, |panel| panel.seat == Some(seat)).then_some(Area {
                x,
                width: column_width,
                ..middle
            })
        });
        // Both sides give way even if one seat alone has figures: the board stays in the centre.
        let side = if columns.0.iter().any(Option::is_some) { column_width } else { 0.0 };
        let room =
            inset(Area { x: side, width: width - 2.0 * side, ..middle }, BOARD_MARGIN * unit);
        let (board, view) = fitted(film.stage.world, room);
        Layout { width, height, unit, header, footer, strip, columns, board, view }
    }
}

fn has_panel(film: &Film, wanted: impl Fn(&Panel) -> bool) -> bool {
    film.frames.iter().flat_map(|frame| &frame.scene.panels).any(wanted)
}

fn inset(area: Area, margin: f64) -> Area {
    Area {
        x: area.x + margin,
        y: area.y + margin,
        width: (area.width - 2.0 * margin).max(1.0),
        height: (area.height - 2.0 * margin).max(1.0),
    }
}

/// The largest place within `room` that has the proportions of `world`.
fn fitted(world: Area, room: Area) -> (Area, View) {
    let usable = |length: f64| {
        if length.is_finite() && length > 0.0 { length } else { 1.0 }
    };
    let (world_width, world_height) = (usable(world.width), usable(world.height));
    let scale = (room.width / world_width).min(room.height / world_height);
    let (width, height) = (world_width * scale, world_height * scale);
    let board = Area {
        x: room.x + (room.width - width) / 2.0,
        y: room.y + (room.height - height) / 2.0,
        width,
        height,
    };
    let shift = Point::new(board.x - world.x * scale, board.y - world.y * scale);
    (board, View { scale, shift })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_keeps_its_proportions_and_is_centred() {
        let world = Area { x: -1.0, y: -2.0, width: 4.0, height: 2.0 };
        let room = Area { x: 10.0, y: 20.0, width: 100.0, height: 100.0 };
        let (board, view) = fitted(world, room);
        assert_eq!(board, Area { x: 10.0, y: 45.0, width: 100.0, height: 50.0 });
        assert_eq!(view.place(Point::new(-1.0, -2.0)), Point::new(10.0, 45.0));
        assert_eq!(view.place(Point::new(3.0, 0.0)), Point::new(110.0, 95.0));
    }

    #[test]
    fn a_world_without_extent_does_not_divide_by_zero() {
        let room = Area { x: 0.0, y: 0.0, width: 10.0, height: 10.0 };
        let (board, view) = fitted(Area { x: 0.0, y: 0.0, width: 0.0, height: f64::NAN }, room);
        assert!(board.width.is_finite() && board.height.is_finite() && view.scale.is_finite());
    }
}

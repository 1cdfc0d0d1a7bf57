//! What a game draws, as items of the sheet.

use quintain_core::printable;
use quintain_core::scene::{
    Area, Form, Ink, Label, Part, Plate, Point, Presence, Scene, Shape, Size, Stage, Style, Tone,
    Window, shortened,
};

use crate::fonts::Weight;
use crate::layout::Measures;
use crate::matrix::{Matrix, tame};
use crate::outline::{Outline, PathBook};
use crate::picture::{Clip, Filling, Item, Letters, Piece, Stroke, grown};
use crate::shades::Shades;

/// Thinner lines would all but vanish in a picture.
const STROKE_WIDTH_MIN: f64 = 0.7;
/// Symbols have finer lines, which only shade.
const PART_WIDTH_MIN: f64 = 0.4;
/// As long as a line on the widest screen.
const LETTERS_MAX: usize = 300;

const PLATE_RIM: f64 = 2.0;
const PLATE_CORNER: f64 = 2.0;
const LEADER_WIDTH: f64 = 2.0;
const LENS_RIM: f64 = 6.0;
/// The keys of rims, beyond those of shapes.
const RIM: u32 = u32::MAX;
/// What scenes, stages and lenses draw has keys of its own.
const ACTORS: u64 = 0;
const SCENERY: u64 = 1;
const RIMS: u64 = 2;

/// Puts the shapes of stages and scenes where they are seen.
pub(crate) struct Drawer<'a> {
    pub(crate) stage: &'a Stage,
    pub(crate) shades: Shades<'a>,
    pub(crate) measures: Measures,
    /// Where the stage is on the sheet.
    pub(crate) area: Area,
    pub(crate) book: PathBook,
}

/// One window as it is on the sheet.
#[derive(Clone, Copy)]
struct View {
    window: Window,
    clip: Clip,
    /// From the coordinates of its plane to the sheet.
    matrix: Matrix,
}

impl Drawer<'_> {
    /// Adds the stage and, if there is one, a scene on it.
    pub(crate) fn draw(&mut self, scene: Option<&Scene>, out: &mut Vec<Item>) {
        for view in self.views(scene) {
            self.draw_shapes(&self.stage.background, &view, SCENERY, out);
            if let Some(scene) = scene {
                self.draw_shapes(&scene.shapes, &view, ACTORS, out);
            }
            if view.window.is_round {
                out.push(self.rim(&view));
            }
        }
    }

    fn views(&self, scene: Option<&Scene>) -> Vec<View> {
        let whole = [Window::whole(0, self.stage.world)];
        let windows = match scene.map(|scene| &scene.windows) {
            Some(all) if self.measures.is_narrow && !all.narrow.is_empty() => &all.narrow[..],
            Some(all) if !all.wide.is_empty() => &all.wide[..],
            _ => &whole[..],
        };
        windows.iter().map(|&window| self.view(window)).collect()
    }

    fn view(&self, window: Window) -> View {
        let Area { x, y, width, height } = self.area;
        let share = |share: f64| if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        let left = (x + share(window.place.x) * width).round();
        let top = (y + share(window.place.y) * height).round();
        let right = (x + share(window.place.x + window.place.width) * width).round();
        let bottom = (y + share(window.place.y + window.place.height) * height).round();
        let area = Area::new(left, top, (right - left).max(0.0), (bottom - top).max(0.0));
        let clip = Clip { area, is_round: window.is_round };
        View { window, clip, matrix: fitting(window.view, area) }
    }

    fn draw_shapes(&mut self, shapes: &[Shape], view: &View, group: u64, out: &mut Vec<Item>) {
        let mut ordered: Vec<&Shape> =
            shapes.iter().filter(|shape| self.shows(shape, view)).collect();
        ordered.sort_by_key(|shape| shape.layer);
        for shape in ordered {
            let pieces = match &shape.form {
                Form::Text(label) => {
                    self.label(label, &shape.style, &view.matrix, Some(view.clip.area))
                }
                form => self.pieces(form, &shape.style, &view.matrix),
            };
            let key = key(view, group, shape.id);
            let mut item = Item::new(key, pieces).clipped(view.clip);
            item.opacity = share_of_one(shape.style.opacity);
            item.is_scenery = group == SCENERY;
            if !item.pieces.is_empty() && item.is_seen() {
                item.tip = shape.label.as_deref().map(|label| printable(label).into_owned());
                out.push(item);
            }
        }
    }

    fn shows(&self, shape: &Shape, view: &View) -> bool {
        let has_room = shape.presence != Presence::Roomy || !self.measures.is_narrow;
        shape.plane == view.window.plane && has_room
    }

    /// What a form is made of where `matrix` puts it.
    pub(crate) fn pieces(&mut self, form: &Form, style: &Style, matrix: &Matrix) -> Vec<Piece> {
        match form {
            Form::Circle { centre, radius } => {
                let radius = tame(radius * matrix.scale());
                let outline = Outline::Circle { centre: matrix.place(*centre), radius };
                if radius > 0.0 { self.shape(outline, style, matrix) } else { Vec::new() }
            }
            Form::Line { points } if points.len() >= 2 => {
                let outline = Outline::Chain { points: placed(points, matrix), is_closed: false };
                self.shape(outline, &Style { fill: None, ..*style }, matrix)
            }
            Form::Polygon { points } if points.len() >= 3 => {
                let outline = Outline::Chain { points: placed(points, matrix), is_closed: true };
                self.shape(outline, style, matrix)
            }
            Form::Line { .. } | Form::Polygon { .. } => Vec::new(),
            Form::Path { path } => {
                let path = self.book.get(path);
                let outline = path.map(|path| Outline::Path { path, placed: *matrix });
                outline.map_or_else(Vec::new, |outline| self.shape(outline, style, matrix))
            }
            Form::Symbol { symbol, at, size, turned, is_mirrored } => {
                let own = Matrix::symbol(*at, *size, *turned, *is_mirrored);
                self.symbol(*symbol, style.fill, &own.then(matrix))
            }
            Form::Text(label) => self.label(label, style, matrix, None),
        }
    }

    fn shape(&self, outline: Outline, style: &Style, matrix: &Matrix) -> Vec<Piece> {
        let reach = match &outline {
            Outline::Path { .. } => Matrix::onto(self.stage.world).then(matrix),
            other => Matrix::onto(other.bounds()),
        };
        let filling = |ink| Filling { tone: self.shades.tone(ink), reach };
        let stroke = style.stroke.map(|ink| Stroke {
            filling: filling(ink),
            width: tame(style.stroke_width * matrix.scale()).max(STROKE_WIDTH_MIN),
            dash: style.dash.map(|length| tame(length * matrix.scale())),
        });
        let fill = style.fill.map(filling);
        if fill.is_none() && stroke.is_none() {
            return Vec::new();
        }
        vec![Piece::Shape { outline, fill, stroke }]
    }

    fn symbol(&mut self, number: u8, tint: Option<Ink>, placed: &Matrix) -> Vec<Piece> {
        let Some(symbol) = self.stage.symbols.get(usize::from(number)) else { return Vec::new() };
        symbol.parts.iter().filter_map(|part| self.part(part, tint, placed)).collect()
    }

    fn part(&mut self, part: &Part, tint: Option<Ink>, placed: &Matrix) -> Option<Piece> {
        let path = self.book.get(part.path)?;
        let filling = |ink| {
            let ink = if ink == Ink::Tint { tint.unwrap_or(Ink::Text) } else { ink };
            let tone = faded(self.shades.tone(ink), part.opacity);
            Filling { tone, reach: *placed }
        };
        let stroke = part.stroke.map(|ink| Stroke {
            filling: filling(ink),
            width: tame(part.width * placed.scale()).max(PART_WIDTH_MIN),
            dash: None,
        });
        let fill = part.fill.map(filling);
        let outline = Outline::Path { path, placed: *placed };
        (fill.is_some() || stroke.is_some()).then_some(Piece::Shape { outline, fill, stroke })
    }

    /// A text, whose plate stays whole in its room if it belongs to a place in there.
    fn label(
        &self,
        label: &Label,
        style: &Style,
        matrix: &Matrix,
        room: Option<Area>,
    ) -> Vec<Piece> {
        let size = match label.size {
            Size::World(units) => tame(units * matrix.scale()),
            Size::Screen(pixels) => self.measures.letters(tame(pixels)),
        };
        let Some(ink) = style.fill.or(style.stroke) else { return Vec::new() };
        if label.text.is_empty() || size <= 0.0 {
            return Vec::new();
        }
        let target = matrix.place(label.at);
        let unit = self.measures.unit;
        let (right, down) = (tame(label.shift.x) * unit, tame(label.shift.y) * unit);
        let rim = if style.fill.is_some() { style.stroke } else { None };
        let halo = style.halo.or(rim).map(|ink| self.shades.tone(ink).plain());
        let mut letters = Letters {
            at: Point::new(tame(target.x + right), tame(target.y + down)),
            size,
            weight: if label.is_bold { Weight::Bold } else { Weight::Regular },
            anchor: label.anchor,
            text: shortened(&printable(&label.text), LETTERS_MAX),
            filling: Filling { tone: self.shades.letters(ink), reach: Matrix::IDENTITY },
            halo,
        };
        let mut pieces = Vec::new();
        if let Some(plate) = &label.plate {
            if let Some(room) = room.filter(|&room| is_within(target, room)) {
                let rim = PLATE_RIM * unit / 2.0;
                let (right, down) = shift_into(grown(plate_area(&letters), rim), room);
                letters.at = Point::new(letters.at.x + right, letters.at.y + down);
            }
            self.plate(plate, &letters, target, &mut pieces);
        }
        letters.filling.reach = Matrix::onto(letters.area());
        pieces.push(Piece::Letters(letters));
        pieces
    }

    fn plate(&self, plate: &Plate, letters: &Letters, target: Point, out: &mut Vec<Piece>) {
        let unit = self.measures.unit;
        let area = plate_area(letters);
        let rim = self.shades.tone(plate.rim).plain();
        if plate.has_leader {
            let middle = Point::new(area.x + area.width / 2.0, area.y + area.height / 2.0);
            let line = Outline::Chain { points: vec![middle, target], is_closed: false };
            let stroke = Some(Stroke::plain(rim, LEADER_WIDTH * unit));
            out.push(Piece::Shape { outline: line, fill: None, stroke });
            let dot = Outline::Circle { centre: target, radius: 1.6 * LEADER_WIDTH * unit };
            out.push(Piece::Shape { outline: dot, fill: Some(Filling::flat(rim)), stroke: None });
        }
        let radius = if plate.is_round { area.height / 2.0 } else { PLATE_CORNER * unit };
        let tone = self.shades.tone(plate.fill);
        out.push(Piece::Shape {
            outline: Outline::Rectangle { area, radius },
            fill: Some(Filling { tone, reach: Matrix::onto(area) }),
            stroke: Some(Stroke::plain(rim, PLATE_RIM * unit)),
        });
    }

    /// The rim of a lens: light around dark, so that it is seen on anything.
    fn rim(&self, view: &View) -> Item {
        let width = LENS_RIM * self.measures.unit;
        let (light, dark) = self.shades.light_and_dark();
        let ring = |inwards: f64, colour, width| {
            let circle = Clip { area: grown(view.clip.area, -inwards), ..view.clip }.circle();
            let stroke = Some(Stroke::plain(colour, width));
            Piece::Shape { outline: circle, fill: None, stroke }
        };
        let pieces = vec![ring(width / 2.0, light, width), ring(width, dark, width / 4.0)];
        let whole = Clip { area: self.area, is_round: false };
        Item::new(key(view, RIMS, RIM), pieces).clipped(whole)
    }
}

/// The plate around a text.
fn plate_area(letters: &Letters) -> Area {
    let text = letters.area();
    let (aside, above) = (letters.size * 0.55, letters.size * 0.3);
    Area::new(text.x - aside, text.y - above, text.width + 2.0 * aside, text.height + 2.0 * above)
}

fn is_within(Point { x, y }: Point, area: Area) -> bool {
    let (right, bottom) = (area.x + area.width, area.y + area.height);
    (area.x..=right).contains(&x) && (area.y..=bottom).contains(&y)
}

/// How far an area has to go, right and down, to be within a room; one that is too large begins where the
/// room does.
fn shift_into(area: Area, room: Area) -> (f64, f64) {
    let along = |from: f64, length: f64, start: f64, space: f64| {
        from.min(start + space - length).max(start) - from
    };
    (along(area.x, area.width, room.x, room.width), along(area.y, area.height, room.y, room.height))
}

fn key(view: &View, group: u64, id: u32) -> u64 {
    u64::from(view.window.id) << 40 | group << 32 | u64::from(id)
}

/// The scale and the shift with which all of `shown` is seen in the middle of `place`, as large as
/// possible.
fn fitting(shown: Area, place: Area) -> Matrix {
    let usable = |length: f64| {
        if length.is_finite() && length > 0.0 { length } else { 1.0 }
    };
    let (width, height) = (usable(shown.width), usable(shown.height));
    let scale = tame((place.width / width).min(place.height / height));
    let x = place.x + (place.width - width * scale) / 2.0 - tame(shown.x) * scale;
    let y = place.y + (place.height - height * scale) / 2.0 - tame(shown.y) * scale;
    Matrix::scaled(scale, Point::new(x, y))
}

fn placed(points: &[Point], matrix: &Matrix) -> Vec<Point> {
    points.iter().map(|&point| matrix.place(point)).collect()
}

fn share_of_one(share: f64) -> f64 {
    if share.is_nan() { 1.0 } else { share.clamp(0.0, 1.0) }
}

pub(crate) fn faded(tone: Tone, opacity: f64) -> Tone {
    let share = share_of_one(opacity);
    if share == 1.0 {
        return tone;
    }
    let fade = |colour: quintain_core::scene::Colour| {
        colour.with_alpha((f64::from(colour.alpha) * share).round() as u8)
    };
    match tone {
        Tone::Flat(colour) => Tone::Flat(fade(colour)),
        Tone::Down(from, to) => Tone::Down(fade(from), fade(to)),
        Tone::Out(from, to) => Tone::Out(fade(from), fade(to)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_keeps_its_proportions_and_is_centred() {
        let matrix = fitting(Area::new(-1.0, -2.0, 4.0, 2.0), Area::new(10.0, 20.0, 100.0, 100.0));
        assert_eq!(matrix.place(Point::new(-1.0, -2.0)), Point::new(10.0, 45.0));
        assert_eq!(matrix.place(Point::new(3.0, 0.0)), Point::new(110.0, 95.0));
    }

    #[test]
    fn what_is_beyond_a_room_is_brought_into_it_the_shortest_way() {
        let room = Area::new(10.0, 20.0, 100.0, 50.0);
        let shift = |x, y, width| shift_into(Area::new(x, y, width, 10.0), room);
        assert_eq!(shift(50.0, 30.0, 20.0), (0.0, 0.0));
        assert_eq!(shift(4.0, 15.0, 20.0), (6.0, 5.0));
        assert_eq!(shift(95.0, 65.0, 20.0), (-5.0, -5.0));
        assert_eq!(shift(30.0, 30.0, 200.0), (-20.0, 0.0));
    }

    #[test]
    fn a_view_without_extent_does_not_divide_by_zero() {
        for length in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let matrix =
                fitting(Area::new(0.0, 0.0, length, length), Area::new(0.0, 0.0, 10.0, 10.0));
            assert!(matrix.numbers().iter().all(|number| number.is_finite()));
        }
    }
}

//! Items as pixels.
//!
//! Every item is painted for itself, on a canvas that depends on nothing but the item and the size of the
//! sheet, and laid over what is below it. So a part of a picture has the same pixels as the whole has there.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use quintain_core::scene::{Area, Colour, Tone};
use tiny_skia::{
    Color, FillRule, GradientStop, LineCap, LineJoin, LinearGradient, Mask, Paint, Path,
    PathBuilder, Pixmap, Point, RadialGradient, Shader, SpreadMode, StrokeDash, Transform,
};

use crate::dashes::dashed;
use crate::fonts::{self, Weight};
use crate::outline::Outline;
use crate::picture::{Clip, Filling, HALO, Item, Letters, Piece, Stroke, grown};
use crate::rectangle::Rectangle;
use crate::sprite::Sprite;
use crate::tiles::Tiles;

/// Thin lines are left out on a canvas that is hardly wider than they are.
const SIDE_MIN: f64 = 4.0;

/// How much memory sprites may take before they are forgotten.
const BYTES_MAX: usize = 64 << 20;

/// More dashes than anyone could tell apart; a line of more of them is drawn without gaps.
const DASHES_MAX: f64 = 5000.0;

/// The pixels of a part of the sheet.
#[derive(Clone)]
pub(crate) struct Canvas {
    pub(crate) left: i32,
    pub(crate) top: i32,
    pub(crate) pixels: Pixmap,
}

impl Canvas {
    /// Transparent pixels; `None` for an area without any.
    pub(crate) fn transparent(area: Area) -> Option<Canvas> {
        let (left, top) = (area.x.floor(), area.y.floor());
        let width = ((area.x + area.width).ceil() - left) as u32;
        let height = ((area.y + area.height).ceil() - top) as u32;
        let pixels = Pixmap::new(width, height)?;
        Some(Canvas { left: left as i32, top: top as i32, pixels })
    }

    pub(crate) fn area(&self) -> Area {
        let (width, height) = (f64::from(self.pixels.width()), f64::from(self.pixels.height()));
        Area::new(f64::from(self.left), f64::from(self.top), width, height)
    }

    /// The pixels of a canvas that is a whole sheet.
    pub(crate) fn sheet(&self) -> Rectangle {
        Rectangle::sheet(self.pixels.width() as usize, self.pixels.height() as usize)
    }

    /// Makes some tiles of a canvas that is a whole sheet transparent.
    pub(crate) fn clear(&mut self, tiles: &Tiles) {
        let sheet = self.sheet();
        let pixels = self.pixels.data_mut();
        tiles.parts(sheet).flat_map(|part| part.rows(sheet)).for_each(|row| pixels[row].fill(0));
    }

    /// Copies some tiles of a sheet.
    pub(crate) fn copy(&mut self, tiles: &Tiles, from: &Canvas) {
        let sheet = self.sheet();
        let (pixels, from) = (self.pixels.data_mut(), from.pixels.data());
        for row in tiles.parts(sheet).flat_map(|part| part.rows(sheet)) {
            pixels[row.clone()].copy_from_slice(&from[row]);
        }
    }

    /// From the sheet to this canvas.
    fn shift(&self) -> Transform {
        Transform::from_translate(-self.left as f32, -self.top as f32)
    }
}

/// Paints items, and remembers the outlines of what it wrote.
#[derive(Default)]
pub(crate) struct Painter {
    glyphs: HashMap<(Weight, char), (Option<Path>, f64)>,
    runs: HashMap<(Weight, String), Rc<Run>>,
    /// By the keys and the bounds of their items.
    sprites: HashMap<(u64, [u64; 4]), (Item, Rc<Sprite>)>,
    /// What they take, or more.
    bytes: usize,
}

/// A text at size 1, from its left end on its base line.
struct Run {
    letters: Option<Path>,
    /// The line around the letters, made when it is needed first.
    halo: OnceCell<Option<Path>>,
}

impl Painter {
    /// Paints all items on a whole sheet.
    pub(crate) fn paint(&mut self, items: &[Item], canvas: &mut Canvas) {
        let sheet = canvas.sheet();
        for sprite in items.iter().filter_map(|item| self.sprite(item, sheet)) {
            sprite.lay(sprite.place, &mut canvas.pixels);
        }
    }

    /// Paints an item for itself; `None` if nothing of it is on the sheet.
    pub(crate) fn sprite(&mut self, item: &Item, sheet: Rectangle) -> Option<Sprite> {
        let place = Rectangle::touched(item.bounds, sheet)?;
        let mut canvas = Canvas::transparent(roomy(place))?;
        item.pieces.iter().for_each(|piece| self.paint_piece(piece, &mut canvas));
        if let Some(clip) = item.clip.filter(|clip| clip.is_round)
            && let Some(mask) = round_mask(clip, &canvas)
        {
            canvas.pixels.apply_mask(&mask);
        }
        Some(Sprite::new(place, canvas.pixels, item.opacity))
    }

    /// As [`sprite`](Painter::sprite), from memory if the same item was painted before at the same place:
    /// fencers come back to where they were, and figures to what they were.
    pub(crate) fn remembered(&mut self, item: &Item, sheet: Rectangle) -> Option<Rc<Sprite>> {
        let Area { x, y, width, height } = item.bounds;
        let memory = (item.key, [x, y, width, height].map(f64::to_bits));
        if let Some((same, sprite)) = self.sprites.get(&memory)
            && same == item
        {
            return Some(Rc::clone(sprite));
        }
        let sprite = Rc::new(self.sprite(item, sheet)?);
        self.bytes += sprite.bytes();
        if self.bytes > BYTES_MAX {
            self.sprites.clear();
            self.bytes = sprite.bytes();
        }
        self.sprites.insert(memory, (item.clone(), Rc::clone(&sprite)));
        Some(sprite)
    }

    fn paint_piece(&mut self, piece: &Piece, canvas: &mut Canvas) {
        match piece {
            Piece::Shape { outline, fill, stroke } => {
                let (width, dash) =
                    stroke.map_or((0.0, None), |stroke| (stroke.width, stroke.dash));
                // Dashes are counted along all of it.
                let path = match dash {
                    None => outline.path_within(grown(canvas.area(), width + 1.0)),
                    Some(_) => outline.path(),
                };
                let Some(path) = path else { return };
                if let Some(filling) = fill {
                    canvas.fill(&path, filling);
                }
                if let Some(stroke) = stroke {
                    canvas.stroke(outline, &path, stroke);
                }
            }
            Piece::Letters(letters) => self.paint_letters(letters, canvas),
        }
    }

    fn paint_letters(&mut self, letters: &Letters, canvas: &mut Canvas) {
        let run = self.run(&letters.text, letters.weight);
        let Some(outline) = &run.letters else { return };
        let size = letters.size as f32;
        let (x, y) = (letters.area().x as f32, letters.base_line() as f32);
        let placed = Transform::from_row(size, 0.0, 0.0, size, x, y);
        if let Some(colour) = letters.halo {
            let halo = run.halo.get_or_init(|| {
                let line = tiny_skia::Stroke {
                    width: HALO as f32,
                    line_join: LineJoin::Round,
                    ..tiny_skia::Stroke::default()
                };
                // At the size of an ordinary line of text, so that round corners have enough parts.
                outline.stroke(&line, 16.0)
            });
            if let Some(halo) = halo.clone().and_then(|halo| halo.transform(placed)) {
                canvas.fill(&halo, &Filling::flat(colour));
            }
        }
        if let Some(outline) = outline.clone().transform(placed) {
            canvas.fill(&outline, &letters.filling);
        }
    }

    fn run(&mut self, text: &str, weight: Weight) -> Rc<Run> {
        let key = (weight, text.to_owned());
        if let Some(run) = self.runs.get(&key) {
            return Rc::clone(run);
        }
        let mut builder = PathBuilder::new();
        let mut x = 0.0;
        for letter in text.chars() {
            let drawn = self.glyphs.entry((weight, letter));
            let (outline, advance) = drawn.or_insert_with(|| fonts::drawn(letter, weight));
            let shift = Transform::from_translate(x as f32, 0.0);
            if let Some(outline) = outline.clone().and_then(|outline| outline.transform(shift)) {
                builder.push_path(&outline);
            }
            x += *advance;
        }
        let run = Rc::new(Run { letters: builder.finish(), halo: OnceCell::new() });
        self.runs.insert(key, Rc::clone(&run));
        run
    }
}

impl Canvas {
    fn fill(&mut self, path: &Path, filling: &Filling) {
        let (shift, paint) = (self.shift(), paint(filling));
        self.pixels.fill_path(path, &paint, FillRule::Winding, shift, None);
    }

    fn stroke(&mut self, outline: &Outline, path: &Path, stroke: &Stroke) {
        let paint = paint(&stroke.filling);
        let mut line = tiny_skia::Stroke {
            width: stroke.width as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..tiny_skia::Stroke::default()
        };
        let shift = self.shift();
        let dash = stroke.dash.filter(|&dash| dash > 0.0);
        let Some(dash) = dash else {
            self.pixels.stroke_path(path, &paint, &line, shift, None);
            return;
        };
        line.line_cap = LineCap::Butt;
        if let Outline::Chain { points, is_closed: false } = outline {
            let visible = grown(self.area(), stroke.width);
            if let Some(path) = dashed(points, dash, visible) {
                self.pixels.stroke_path(&path, &paint, &line, shift, None);
            }
            return;
        }
        let bounds = outline.bounds();
        if (bounds.width + bounds.height) * 4.0 / dash < DASHES_MAX {
            line.dash = StrokeDash::new(vec![dash as f32, dash as f32], 0.0);
        }
        self.pixels.stroke_path(path, &paint, &line, shift, None);
    }
}

/// A place with room for thin lines at its right and its bottom.
fn roomy(place: Rectangle) -> Area {
    let [x, y, width, height] =
        [place.left, place.top, place.width(), place.height()].map(|length| length as f64);
    Area::new(x, y, width.max(SIDE_MIN), height.max(SIDE_MIN))
}

fn paint(filling: &Filling) -> Paint<'static> {
    let colour = |colour: Colour| {
        let Colour { red, green, blue, alpha } = colour;
        Color::from_rgba8(red, green, blue, alpha)
    };
    let stops =
        |from, to| vec![GradientStop::new(0.0, colour(from)), GradientStop::new(1.0, colour(to))];
    let (reach, pad) = (filling.reach.transform(), SpreadMode::Pad);
    let shader = match filling.tone {
        Tone::Flat(flat) => Some(Shader::SolidColor(colour(flat))),
        Tone::Down(from, to) => {
            let (top, bottom) = (Point::from_xy(0.0, -1.0), Point::from_xy(0.0, 1.0));
            LinearGradient::new(top, bottom, stops(from, to), pad, reach)
        }
        Tone::Out(from, to) => {
            let middle = Point::from_xy(0.0, 0.0);
            RadialGradient::new(middle, 0.0, middle, 1.0, stops(from, to), pad, reach)
        }
    };
    // What has no extent has no gradient.
    let shader = shader.unwrap_or_else(|| Shader::SolidColor(colour(filling.tone.plain())));
    Paint { shader, anti_alias: true, ..Paint::default() }
}

fn round_mask(clip: Clip, canvas: &Canvas) -> Option<Mask> {
    let mut mask = Mask::new(canvas.pixels.width(), canvas.pixels.height())?;
    let circle = clip.circle().path()?;
    mask.fill_path(&circle, FillRule::Winding, true, canvas.shift());
    Some(mask)
}

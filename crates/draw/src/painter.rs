//! Items as pixels.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use quintain_core::scene::{Area, Colour, Tone};
use tiny_skia::{
    Color, FillRule, FilterQuality, GradientStop, IntRect, LineCap, LineJoin, LinearGradient, Mask,
    Paint, Path, PathBuilder, Pixmap, PixmapPaint, Point, RadialGradient, Shader, SpreadMode,
    StrokeDash, Transform,
};

use crate::dashes::dashed;
use crate::fonts::{self, Weight};
use crate::outline::Outline;
use crate::picture::{Clip, Filling, HALO, Item, Letters, Piece, Stroke, common, grown};

/// More dashes than anyone could tell apart; a line of more of them is drawn without gaps.
const DASHES_MAX: f64 = 5000.0;

/// The pixels of a part of the sheet.
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

    /// A copy of the part that lies in an area of whole pixels; `None` if nothing does.
    pub(crate) fn part(&self, area: Area) -> Option<Canvas> {
        let shared = common(self.area(), area);
        let (left, top) = (shared.x as i32, shared.y as i32);
        let (width, height) = (shared.width as u32, shared.height as u32);
        let rectangle = IntRect::from_xywh(left - self.left, top - self.top, width, height)?;
        Some(Canvas { left, top, pixels: self.pixels.clone_rect(rectangle)? })
    }

    /// The place at which a part of this canvas differs from it; `None` if it does not.
    pub(crate) fn difference(&self, part: &Canvas) -> Option<Area> {
        let (x, y) = ((part.left - self.left) as usize, (part.top - self.top) as usize);
        let (own_width, width) = (self.pixels.width() as usize, part.pixels.width() as usize);
        let (mut left, mut right) = (width, 0);
        let (mut top, mut bottom) = (usize::MAX, 0);
        for (row, new) in part.pixels.pixels().chunks_exact(width).enumerate() {
            let start = (y + row) * own_width + x;
            let old = &self.pixels.pixels()[start..start + width];
            // Most rows are the same, and whole rows are compared much quicker than pixels.
            if old == new {
                continue;
            }
            let differs = |(a, b)| a != b;
            let first = old.iter().zip(new).position(differs).unwrap_or(0);
            let last = old.iter().zip(new).rposition(differs).unwrap_or(0);
            (left, right) = (left.min(first), right.max(last + 1));
            (top, bottom) = (top.min(row), row + 1);
        }
        let (x, y) = (f64::from(part.left) + left as f64, f64::from(part.top) + top as f64);
        let is_same = top == usize::MAX;
        (!is_same).then(|| Area::new(x, y, (right - left) as f64, (bottom - top) as f64))
    }

    /// Puts the pixels of a part of this canvas over those that are there.
    pub(crate) fn put(&mut self, part: &Canvas) {
        let (x, y) = ((part.left - self.left) as usize, (part.top - self.top) as usize);
        let (own_width, width) = (self.pixels.width() as usize, part.pixels.width() as usize);
        let own = self.pixels.data_mut();
        for (row, source) in part.pixels.data().chunks_exact(width * 4).enumerate() {
            let start = ((y + row) * own_width + x) * 4;
            own[start..start + width * 4].copy_from_slice(source);
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
}

/// A text at size 1, from its left end on its base line.
struct Run {
    letters: Option<Path>,
    /// The line around the letters, made when it is needed first.
    halo: OnceCell<Option<Path>>,
}

impl Painter {
    /// Paints all items that touch a canvas.
    pub(crate) fn paint(&mut self, items: &[&Item], canvas: &mut Canvas) {
        let area = canvas.area();
        for run in items.chunk_by(|one, next| one.clip == next.clip) {
            let clip = run[0].clip.unwrap_or(Clip { area, is_round: false });
            if common(clip.area, area) == area && !clip.is_round {
                self.paint_run(run, canvas, None);
            } else if let Some(mut part) = canvas.part(clip.area) {
                let mask = clip.is_round.then(|| round_mask(clip, &part)).flatten();
                self.paint_run(run, &mut part, mask.as_ref());
                canvas.put(&part);
            }
        }
    }

    fn paint_run(&mut self, items: &[&Item], canvas: &mut Canvas, mask: Option<&Mask>) {
        let area = canvas.area();
        for item in items {
            let touched = common(item.bounds, area);
            if touched.width <= 0.0 || touched.height <= 0.0 {
                continue;
            }
            if !item.is_group() {
                let mut brush = Brush { canvas, mask, opacity: item.opacity };
                item.pieces.iter().for_each(|piece| self.paint_piece(piece, &mut brush));
            } else if let Some(mut layer) = Canvas::transparent(touched) {
                let mut brush = Brush { canvas: &mut layer, mask: None, opacity: 1.0 };
                item.pieces.iter().for_each(|piece| self.paint_piece(piece, &mut brush));
                let paint = PixmapPaint {
                    opacity: item.opacity as f32,
                    quality: FilterQuality::Nearest,
                    ..PixmapPaint::default()
                };
                let (x, y) = (layer.left - canvas.left, layer.top - canvas.top);
                let layer = layer.pixels.as_ref();
                canvas.pixels.draw_pixmap(x, y, layer, &paint, Transform::identity(), mask);
            }
        }
    }

    fn paint_piece(&mut self, piece: &Piece, brush: &mut Brush<'_>) {
        match piece {
            Piece::Shape { outline, fill, stroke } => {
                let Some(path) = outline.path() else { return };
                if let Some(filling) = fill {
                    brush.fill(&path, filling);
                }
                if let Some(stroke) = stroke {
                    brush.stroke(outline, &path, stroke);
                }
            }
            Piece::Letters(letters) => self.paint_letters(letters, brush),
        }
    }

    fn paint_letters(&mut self, letters: &Letters, brush: &mut Brush<'_>) {
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
                brush.fill(&halo, &Filling::flat(colour));
            }
        }
        if let Some(outline) = outline.clone().transform(placed) {
            brush.fill(&outline, &letters.filling);
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

/// Where and how strongly something is painted.
struct Brush<'a> {
    canvas: &'a mut Canvas,
    mask: Option<&'a Mask>,
    opacity: f64,
}

impl Brush<'_> {
    fn fill(&mut self, path: &Path, filling: &Filling) {
        let shift = self.canvas.shift();
        let paint = paint(filling, self.opacity);
        self.canvas.pixels.fill_path(path, &paint, FillRule::Winding, shift, self.mask);
    }

    fn stroke(&mut self, outline: &Outline, path: &Path, stroke: &Stroke) {
        let paint = paint(&stroke.filling, self.opacity);
        let mut line = tiny_skia::Stroke {
            width: stroke.width as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..tiny_skia::Stroke::default()
        };
        let shift = self.canvas.shift();
        let dash = stroke.dash.filter(|&dash| dash > 0.0);
        let Some(dash) = dash else {
            self.canvas.pixels.stroke_path(path, &paint, &line, shift, self.mask);
            return;
        };
        line.line_cap = LineCap::Butt;
        if let Outline::Chain { points, is_closed: false } = outline {
            let visible = grown(self.canvas.area(), stroke.width);
            if let Some(path) = dashed(points, dash, visible) {
                self.canvas.pixels.stroke_path(&path, &paint, &line, shift, self.mask);
            }
            return;
        }
        let bounds = outline.bounds();
        if (bounds.width + bounds.height) * 4.0 / dash < DASHES_MAX {
            line.dash = StrokeDash::new(vec![dash as f32, dash as f32], 0.0);
        }
        self.canvas.pixels.stroke_path(path, &paint, &line, shift, self.mask);
    }
}

fn paint(filling: &Filling, opacity: f64) -> Paint<'static> {
    let colour = |colour: Colour| {
        let Colour { red, green, blue, alpha } = colour;
        let alpha = (f64::from(alpha) * opacity).round() as u8;
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

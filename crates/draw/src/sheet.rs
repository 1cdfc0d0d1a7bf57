//! A whole sheet: names, title, stage, figures, deeds, legend, curve.

use quintain_core::Seat;
use quintain_core::scene::{Anchor, Area, Film, Frame, Legend, Panel, Point, Theme};

use crate::layout::{Kind, LEGEND_LETTERS, Layout, Sheet, legend_width};
use crate::matrix::Matrix;
use crate::outline::PathBook;
use crate::pen::{LINE, Pen, Words};
use crate::picture::Item;
use crate::shades::Shades;
use crate::stage::Drawer;

/// Puts the pictures of a film together.
pub(crate) struct Compositor<'a> {
    film: &'a Film,
    pub(crate) layout: Layout,
    drawer: Drawer<'a>,
    theme: Theme,
}

impl<'a> Compositor<'a> {
    pub(crate) fn new(film: &'a Film, sheet: Sheet) -> Compositor<'a> {
        Compositor::on(film, Layout::of(film, sheet), sheet.theme)
    }

    /// Of the stage alone.
    pub(crate) fn bare(film: &'a Film, sheet: Sheet) -> Compositor<'a> {
        Compositor::on(film, Layout::bare(film, sheet), sheet.theme)
    }

    fn on(film: &'a Film, layout: Layout, theme: Theme) -> Compositor<'a> {
        let drawer = Drawer {
            stage: &film.stage,
            shades: Shades::new(&film.stage.palette, theme),
            measures: layout.measures,
            area: layout.stage,
            book: PathBook::default(),
        };
        Compositor { film, layout, drawer, theme }
    }

    pub(crate) fn theme(&self) -> Theme {
        self.theme
    }

    /// Everything on the sheet of one frame. A frame beyond the last is the last; a film without frames
    /// is its empty stage.
    pub(crate) fn items(&mut self, frame: usize) -> Vec<Item> {
        let index = crate::clamped(self.film, frame);
        let frame = index.map(|index| &self.film.frames[index]);
        let mut out = Vec::new();
        let table = self.drawer.shades.table;
        let mut pen = Pen { out: &mut out, table, measures: self.layout.measures };
        let whole = Area::new(0.0, 0.0, self.layout.width, self.layout.height);
        pen.rectangle(whole, 0.0, table.page);
        let writer = SheetWriter { film: self.film, layout: &self.layout, frame, index };
        match self.layout.kind {
            Kind::Bands => writer.bands(&mut pen),
            Kind::Columns => writer.columns(&mut pen),
            Kind::Narrow => writer.narrow(&mut pen),
            Kind::Bare => {}
        }
        self.legend(&mut out);
        self.drawer.draw(frame.map(|frame| &frame.scene), &mut out);
        out
    }

    /// What is what, in rows below a wide stage or in a list beside a high one.
    fn legend(&mut self, out: &mut Vec<Item>) {
        let (area, measures) = (self.layout.legend, self.layout.measures);
        let unit = measures.unit;
        if area.height <= 0.0 {
            return;
        }
        let is_list = self.layout.kind == Kind::Columns;
        let room = (area.height - 34.0 * unit) / self.film.stage.legend.len().max(1) as f64;
        let row = if is_list { room.clamp(25.0 * unit, 32.0 * unit) } else { 36.0 * unit };
        let margin = if is_list { 4.0 * unit } else { 24.0 * unit };
        let table = self.drawer.shades.table;
        let (mut x, mut y) = (area.x + margin, area.y + row * 0.5 + 5.0 * unit);
        if is_list {
            let words = Words::bold(14.0, table.muted);
            let mut pen = Pen { out, table, measures };
            pen.write(words, x, area.y + 10.0 * unit, "Legend", area.width);
            y += 22.0 * unit;
        }
        for entry in &self.film.stage.legend {
            let width = legend_width(entry, &measures);
            if !is_list && x > area.x + margin && x + width > area.x + area.width {
                (x, y) = (area.x + margin, y + row);
            }
            if y + row * 0.4 > area.y + area.height {
                break;
            }
            self.legend_entry(entry, Point::new(x, y), area.width - margin - 40.0 * unit, out);
            if is_list {
                y += row;
            } else {
                x += width;
            }
        }
    }

    fn legend_entry(&mut self, entry: &Legend, at: Point, room: f64, out: &mut Vec<Item>) {
        let unit = self.layout.measures.unit;
        let centre = Point::new(at.x + 14.0 * unit, at.y);
        let placed = Matrix::scaled(13.0 * unit, centre);
        for (form, style) in &entry.looks {
            let pieces = self.drawer.pieces(form, style, &placed);
            let mut item = Item::fixed(pieces);
            item.opacity = style.opacity.clamp(0.0, 1.0);
            if !item.pieces.is_empty() && item.is_seen() {
                out.push(item);
            }
        }
        let table = self.drawer.shades.table;
        let mut pen = Pen { out, table, measures: self.layout.measures };
        let words = Words::regular(LEGEND_LETTERS, table.text);
        pen.write(words, at.x + 38.0 * unit, at.y, entry.text, room);
    }
}

/// Writes what is around the stage of one frame.
pub(crate) struct SheetWriter<'a> {
    pub(crate) film: &'a Film,
    pub(crate) layout: &'a Layout,
    frame: Option<&'a Frame>,
    pub(crate) index: Option<usize>,
}

impl SheetWriter<'_> {
    pub(crate) fn panels(&self) -> &[Panel] {
        self.frame.map_or(&[], |frame| &frame.scene.panels)
    }

    pub(crate) fn deeds(&self, seat: Seat) -> &[String] {
        self.frame.map_or(&[], |frame| &frame.scene.deeds[seat])
    }

    pub(crate) fn turn(&self) -> String {
        let Some(frame) = self.frame else { return String::new() };
        let last = self.film.frames.last().map_or(frame.turn, |last| last.turn);
        match frame.turn {
            0 => "Start".to_owned(),
            turn => format!("{} {turn} of {last}", capitalised(self.film.turn_name)),
        }
    }

    /// How the match ended below the last frame; else the caption, unless the deeds say it already.
    pub(crate) fn caption(&self) -> (&str, bool) {
        let Some((index, frame)) = self.index.zip(self.frame) else { return ("", false) };
        let is_last = index + 1 == self.film.frames.len();
        if is_last && !self.film.ending.is_empty() {
            return (&self.film.ending, true);
        }
        let has_deeds = Seat::BOTH.iter().any(|&seat| !self.deeds(seat).is_empty());
        (if has_deeds { "" } else { &frame.scene.caption }, false)
    }

    pub(crate) fn shared_line(&self) -> String {
        let panels = self.layout.slots.shared.iter().filter_map(|slot| slot.find(self.panels()));
        let words: Vec<String> =
            panels.map(|panel| format!("{} {}", panel.name, panel.value)).collect();
        words.join("  ·  ")
    }

    /// Lines of text in the middle of a place.
    pub(crate) fn centred(&self, pen: &mut Pen<'_>, words: Words, place: Area, text: &str) {
        let size = pen.measures.letters(words.size);
        let lines_max = (place.height / (size * LINE)).floor().max(1.0) as usize;
        let room = place.width - 16.0 * pen.unit();
        let lines = crate::text::wrapped(text, size, words.weight, room, lines_max).len();
        let top = place.y + place.height / 2.0 - (lines.max(1) - 1) as f64 * size * LINE / 2.0;
        let x = place.x + place.width / 2.0;
        pen.write_lines(words.anchored(Anchor::Middle), (x, top), text, room, lines_max);
    }

    /// How far the match has come, at the foot of sheets without a curve.
    pub(crate) fn progress(&self, pen: &mut Pen<'_>) {
        let Some(index) = self.index else { return };
        if self.layout.curve.height > 0.0 {
            return;
        }
        let height = (3.0 * pen.unit()).round().max(1.0);
        let bar = Area::new(0.0, self.layout.height - height, self.layout.width, height);
        pen.rectangle(bar, 0.0, pen.table.line);
        let steps = self.film.frames.len().saturating_sub(1).max(1);
        let done = Area { width: bar.width * index as f64 / steps as f64, ..bar };
        pen.rectangle(done, 0.0, pen.table.muted);
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

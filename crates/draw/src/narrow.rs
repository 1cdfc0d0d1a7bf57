//! What is around a stage on a narrow sheet: two lines of each seat above it, two orders below.

use quintain_core::Seat;
use quintain_core::scene::{Anchor, Area, Point};

use crate::figures::outer;
use crate::layout::{NARROW_FIGURES, NARROW_LINE_HEIGHT, narrow_figures};
use crate::pen::{Pen, Words};
use crate::sheet::SheetWriter;

impl SheetWriter<'_> {
    pub(crate) fn narrow(&self, pen: &mut Pen<'_>) {
        let (unit, layout) = (pen.unit(), self.layout);
        let above = Area { height: layout.gauges.y + layout.gauges.height, ..layout.header };
        pen.rectangle(above, 0.0, pen.table.card);
        let middle = layout.width / 2.0;
        let title = match self.turn() {
            turn if turn.is_empty() => self.film.title.to_owned(),
            turn => format!("{} · {}", self.film.title, turn.to_lowercase()),
        };
        let words = Words::bold(13.5, pen.table.muted).anchored(Anchor::Middle);
        pen.write(words, middle, 16.0 * unit, &title, layout.width - 32.0 * unit);
        for seat in Seat::BOTH {
            self.narrow_seat(pen, seat);
        }
        let shared = Words::regular(13.0, pen.table.muted).anchored(Anchor::Middle);
        let y = layout.figures.y + layout.figures.height - 11.0 * unit;
        pen.write(shared, middle, y, &self.shared_line(), layout.width - 32.0 * unit);
        pen.narrow_gauges(layout, self.panels());
        let below = Area { y: layout.deeds[Seat::First].y, height: layout.height, ..layout.header };
        pen.rectangle(below, 0.0, pen.table.card);
        Seat::BOTH.iter().for_each(|&seat| self.narrow_deeds(pen, seat));
        let (text, is_ending) = self.caption();
        let words = if is_ending {
            Words::bold(13.5, pen.table.text)
        } else {
            Words::regular(13.5, pen.table.text)
        };
        self.centred(pen, words, layout.caption, text);
        self.progress(pen);
    }

    fn narrow_seat(&self, pen: &mut Pen<'_>, seat: Seat) {
        let (unit, layout) = (pen.unit(), self.layout);
        let above = Area { height: layout.figures.y + layout.figures.height, ..layout.header };
        self.edge_narrow(pen, seat, above);
        let middle = layout.width / 2.0;
        let (sign, ..) = outer(layout.header, seat, 27.0 * unit);
        let (x, anchor, way) = outer(layout.header, seat, 46.0 * unit);
        let y = 48.0 * unit;
        pen.sign(seat, Point::new(sign, y), 12.0 * unit);
        let decisive = layout.slots.decisive(seat).and_then(|slot| slot.find(self.panels()));
        let taken = if decisive.is_some() { 66.0 * unit } else { 8.0 * unit };
        let name = Words::bold(17.0, pen.table.text).anchored(anchor);
        pen.write(name, x, y, &self.film.names[seat], middle - 46.0 * unit - taken);
        if let Some(panel) = decisive {
            let at = Point::new(middle - way * taken / 2.0, y);
            pen.decisive(panel, at, 20.0, seat, taken);
        }
        let (x, anchor, _) = outer(layout.header, seat, 16.0 * unit);
        let words = Words::regular(NARROW_FIGURES, pen.table.text).anchored(anchor);
        let lines = narrow_figures(&layout.slots, seat, &layout.measures, layout.width);
        for (number, line) in lines.iter().enumerate() {
            let panels = line.iter().filter_map(|slot| slot.find(self.panels()));
            let figures: Vec<String> =
                panels.map(|panel| format!("{} {}", panel.value, panel.name)).collect();
            let y = layout.figures.y + (9.0 + NARROW_LINE_HEIGHT * number as f64) * unit;
            pen.write(words, x, y, &figures.join(", "), middle - 22.0 * unit);
        }
    }

    fn edge_narrow(&self, pen: &mut Pen<'_>, seat: Seat, place: Area) {
        let width = 4.0 * pen.unit();
        let x = if seat == Seat::First { 0.0 } else { self.layout.width - width };
        pen.rectangle(Area { x, width, ..place }, 0.0, pen.table.seat(seat));
    }

    fn narrow_deeds(&self, pen: &mut Pen<'_>, seat: Seat) {
        let unit = pen.unit();
        let place = self.layout.deeds[seat];
        if place.height <= 0.0 {
            return;
        }
        pen.sign(seat, Point::new(24.0 * unit, place.y + place.height / 2.0), 9.0 * unit);
        let room = place.width - 52.0 * unit;
        let deeds = self.deeds(seat);
        let lines = deeds.len().clamp(1, 2);
        let top = place.y + place.height / 2.0 - (lines - 1) as f64 * 9.5 * unit;
        for (index, deed) in deeds.iter().take(2).enumerate() {
            let words = match index {
                0 => Words::bold(14.5, pen.table.text),
                _ => Words::regular(12.5, pen.table.muted),
            };
            pen.write(words, 42.0 * unit, top + index as f64 * 19.0 * unit, deed, room);
        }
    }
}

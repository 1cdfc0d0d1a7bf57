//! What is around a wide stage: names and figures above it, what was done below.

use quintain_core::Seat;
use quintain_core::scene::{Anchor, Area, Point};

use crate::figures::{half, outer};
use crate::layout::{DECISIVE_WIDTH, NAME_X, TITLE_WIDTH};
use crate::pen::{Pen, Words};
use crate::sheet::SheetWriter;

impl SheetWriter<'_> {
    pub(crate) fn bands(&self, pen: &mut Pen<'_>) {
        let layout = self.layout;
        let above = Area { height: layout.gauges.y + layout.gauges.height, ..layout.header };
        pen.rectangle(above, 0.0, pen.table.card);
        self.wide_header(pen);
        pen.blocks(layout, self.panels());
        let below = Area { x: 0.0, width: layout.width, ..layout.deeds[Seat::First] };
        pen.rectangle(below, 0.0, pen.table.card);
        Seat::BOTH.iter().for_each(|&seat| self.wide_deeds(pen, seat));
        let (text, is_ending) = self.caption();
        let size = 14.5;
        let words = if is_ending {
            Words::bold(size, pen.table.text)
        } else {
            Words::regular(size, pen.table.text)
        };
        self.centred(pen, words, layout.caption, text);
        let unit = pen.unit();
        let curve = layout.curve;
        let inner =
            Area::new(24.0 * unit, curve.y, curve.width - 48.0 * unit, curve.height - 8.0 * unit);
        pen.curve(self.film, self.index.unwrap_or(0), inner);
        self.progress(pen);
    }

    fn wide_header(&self, pen: &mut Pen<'_>) {
        let (unit, layout) = (pen.unit(), self.layout);
        let header = layout.header;
        let middle = header.width / 2.0;
        for seat in Seat::BOTH {
            let (x, anchor, way) = outer(header, seat, NAME_X * unit);
            let (edge, ..) = outer(header, seat, 50.0 * unit);
            self.edge(pen, seat, header);
            pen.sign(seat, Point::new(edge, 52.0 * unit), 21.0 * unit);
            let title = TITLE_WIDTH / 2.0 * unit;
            let decisive = layout.slots.decisive(seat);
            let taken = if decisive.is_some() { DECISIVE_WIDTH * unit } else { 0.0 };
            let room = middle - NAME_X * unit - title - taken;
            let name = Words::bold(25.0, pen.table.text).anchored(anchor);
            pen.write(name, x, 37.0 * unit, &self.film.names[seat], room);
            let shown = layout.slots.plain(seat).take(layout.in_header[seat]);
            pen.figures_line(shown, self.panels(), (x, 74.0 * unit), seat);
            if let Some(panel) = decisive.and_then(|slot| slot.find(self.panels())) {
                let at = Point::new(middle - way * (title + taken / 2.0), 40.0 * unit);
                pen.decisive(panel, at, 42.0, seat, taken);
                if let Some(gauge) = &panel.gauge {
                    let (width, y) = (taken * 0.7, 92.0 * unit);
                    let bar = Area::new(at.x - width / 2.0, y, width, 6.0 * unit);
                    pen.gauge(gauge, bar, seat, seat);
                }
                let name = Words::regular(13.0, pen.table.muted).anchored(Anchor::Middle);
                let below = match &panel.change {
                    Some(change) => format!("{} {change}", panel.name),
                    None => panel.name.to_owned(),
                };
                pen.write(name, at.x, 79.0 * unit, &below, taken);
            }
            let line =
                Area { y: header.height - 2.0 * unit, height: 2.0 * unit, ..half(header, seat) };
            pen.rectangle(line, 0.0, pen.table.seat(seat));
        }
        let room = TITLE_WIDTH * unit;
        let shared = self.shared_line();
        let ys = if shared.is_empty() { [40.0, 66.0, 0.0] } else { [28.0, 53.0, 78.0] };
        let title = Words::bold(20.0, pen.table.text).anchored(Anchor::Middle);
        let turn = Words::regular(15.0, pen.table.muted).anchored(Anchor::Middle);
        pen.write(title, middle, ys[0] * unit, self.film.title, room);
        pen.write(turn, middle, ys[1] * unit, &self.turn(), room);
        let line = Words::bold(13.5, pen.table.text).anchored(Anchor::Middle);
        pen.write(line, middle, ys[2] * unit, &shared, room + 20.0 * unit);
    }

    /// The edge of the sheet on a seat's side: one stripe for the first, two for the second.
    fn edge(&self, pen: &mut Pen<'_>, seat: Seat, place: Area) {
        let width = 8.0 * pen.unit();
        let colour = pen.table.seat(seat);
        let x = if seat == Seat::First { 0.0 } else { self.layout.width - width };
        let stripe = Area { x, width, ..place };
        pen.rectangle(stripe, 0.0, colour);
        if seat == Seat::Second {
            let gap = Area { x: x + width * 0.375, width: width * 0.25, ..place };
            pen.rectangle(gap, 0.0, pen.table.card);
        }
    }

    fn wide_deeds(&self, pen: &mut Pen<'_>, seat: Seat) {
        let unit = pen.unit();
        let place = self.layout.deeds[seat];
        let deeds = self.deeds(seat);
        let (sign, ..) = outer(place, seat, 34.0 * unit);
        let (x, anchor, _) = outer(place, seat, 56.0 * unit);
        pen.sign(seat, Point::new(sign, place.y + place.height / 2.0), 11.0 * unit);
        let room = place.width - 64.0 * unit;
        let lines = deeds.len().min(((place.height - 18.0 * unit) / (20.0 * unit)) as usize).max(1);
        let step = 21.0 * unit;
        let top = place.y + place.height / 2.0 - (lines - 1) as f64 * step / 2.0;
        for (index, deed) in deeds.iter().take(lines).enumerate() {
            let words = match index {
                0 => Words::bold(17.0, pen.table.text),
                _ => Words::regular(14.0, pen.table.muted),
            };
            pen.write(words.anchored(anchor), x, top + index as f64 * step, deed, room);
        }
    }
}

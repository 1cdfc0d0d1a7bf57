//! What is around a stage that is about as wide as high: a column for each seat at its sides.

use quintain_core::Seat;
use quintain_core::scene::{Anchor, Area, Point};

use crate::layout::{CARD_HEADER_HEIGHT, COLUMN_DEED_LINES_MAX};
use crate::outline::Outline;
use crate::pen::{LINE, Pen, Words};
use crate::picture::Stroke;
use crate::sheet::SheetWriter;

impl SheetWriter<'_> {
    pub(crate) fn columns(&self, pen: &mut Pen<'_>) {
        let (unit, layout) = (pen.unit(), self.layout);
        let header = layout.header;
        let x = header.x + 4.0 * unit;
        let title = Words::bold(26.0, pen.table.text);
        let turn = Words::regular(16.0, pen.table.muted);
        pen.write(title, x, header.y + 34.0 * unit, self.film.title, header.width);
        pen.write(turn, x, header.y + 64.0 * unit, &self.turn(), header.width);
        let (text, is_ending) = self.caption();
        let words = if is_ending {
            Words::bold(15.0, pen.table.text)
        } else {
            Words::regular(15.0, pen.table.text)
        };
        let caption = layout.caption;
        pen.write_lines(words, (caption.x + 4.0 * unit, 24.0 * unit), text, caption.width, 3);
        for seat in Seat::BOTH {
            self.card(pen, seat);
            self.column_deeds(pen, seat);
        }
        self.shared_rows(pen);
        pen.curve(self.film, self.index.unwrap_or(0), layout.curve);
        self.progress(pen);
    }

    fn card(&self, pen: &mut Pen<'_>, seat: Seat) {
        let (unit, layout) = (pen.unit(), self.layout);
        let card = layout.cards[seat];
        let rim = Stroke::plain(pen.table.line, unit.max(1.0));
        let outline = Outline::Rectangle { area: card, radius: 16.0 * unit };
        pen.shape(outline, Some(pen.table.card), Some(rim));
        let stripe = Area::new(
            card.x + 14.0 * unit,
            card.y - 2.0 * unit,
            card.width - 28.0 * unit,
            5.0 * unit,
        );
        pen.rectangle(stripe, 2.5 * unit, pen.table.seat(seat));
        if seat == Seat::Second {
            let gap = Area {
                x: stripe.x + 2.0 * unit,
                y: stripe.y + 1.7 * unit,
                width: stripe.width - 4.0 * unit,
                height: 1.6 * unit,
            };
            pen.rectangle(gap, 0.0, pen.table.card);
        }
        let header = CARD_HEADER_HEIGHT * unit;
        pen.sign(seat, Point::new(card.x + 38.0 * unit, card.y + header / 2.0), 18.0 * unit);
        let x = card.x + 70.0 * unit;
        let room = card.x + card.width - 14.0 * unit - x;
        let decisive = layout.slots.decisive(seat).and_then(|slot| slot.find(self.panels()));
        let name = Words::bold(22.0, pen.table.text);
        let Some(panel) = decisive else {
            pen.write(name, x, card.y + header / 2.0, &self.film.names[seat], room);
            pen.card_rows(layout, seat, self.panels());
            return;
        };
        pen.write(name, x, card.y + header * 0.34, &self.film.names[seat], room);
        let y = card.y + header * 0.68;
        let words = Words::regular(13.5, pen.table.muted);
        pen.write(words, x, y, panel.name, room);
        let mut at = x + pen.width(words, panel.name) + 6.0 * unit;
        let value = Words::bold(24.0, pen.table.seat_letters(seat));
        pen.write(value, at, y, &panel.value, room - (at - x));
        at += pen.width(value, &panel.value) + 8.0 * unit;
        if let Some(change) = &panel.change {
            let words = Words::bold(14.0, pen.change_colour(change));
            pen.write_change(words, at, y, change, room - (at - x));
        }
        pen.card_rows(layout, seat, self.panels());
    }

    fn column_deeds(&self, pen: &mut Pen<'_>, seat: Seat) {
        let unit = pen.unit();
        let place = self.layout.deeds[seat];
        let deeds = self.deeds(seat);
        if deeds.is_empty() || place.height < 40.0 * unit {
            return;
        }
        let (x, room) = (place.x + 4.0 * unit, place.width - 4.0 * unit);
        let label = format!("This {}", self.film.turn_name);
        pen.write(Words::bold(14.0, pen.table.muted), x, place.y + 8.0 * unit, &label, room);
        let order = Words::bold(20.0, pen.table.seat_letters(seat));
        let mut y = place.y + 36.0 * unit;
        let bottom = place.y + place.height;
        for (index, deed) in deeds.iter().take(COLUMN_DEED_LINES_MAX).enumerate() {
            let words = if index == 0 { order } else { Words::regular(15.0, pen.table.text) };
            let step = pen.measures.letters(words.size) * LINE;
            if y + step / 2.0 > bottom {
                break;
            }
            let lines_max = if index == 0 { 1 } else { 2 };
            let lines_max = lines_max.min((((bottom - y) / step) + 0.6) as usize).max(1);
            y += pen.write_lines(words, (x, y), deed, room, lines_max) as f64 * step;
        }
    }

    fn shared_rows(&self, pen: &mut Pen<'_>) {
        let place = self.layout.shared;
        let slots = &self.layout.slots.shared;
        let step = place.height / slots.len().max(1) as f64;
        for (index, slot) in slots.iter().enumerate() {
            let Some(panel) = slot.find(self.panels()) else { continue };
            let y = place.y + step * (index as f64 + 0.5);
            let x = place.x + 4.0 * pen.unit();
            let name = Words::regular(15.0, pen.table.muted);
            let value = Words::bold(15.0, pen.table.text).anchored(Anchor::End);
            pen.write(name, x, y, panel.name, place.width * 0.55);
            let taken = pen.width(name, panel.name).min(place.width * 0.55);
            let room = place.width - taken - 12.0 * pen.unit();
            pen.write(value, place.x + place.width - 4.0 * pen.unit(), y, &panel.value, room);
        }
    }
}

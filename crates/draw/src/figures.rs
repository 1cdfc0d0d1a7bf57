//! Figures on the sheet: numbers with names, bars, cells.

use quintain_core::Seat;
use quintain_core::scene::{Anchor, Area, Colour, Gauge, Panel, Point};

use crate::layout::{
    BLOCK_GAP, BLOCK_NAME, BLOCK_VALUE, BLOCK_WORD_GAP, BLOCKS_MARGIN, CARD_HEADER_HEIGHT,
    FIGURE_NAME, FIGURE_VALUE, Layout, NARROW_GAUGE_HEIGHT, figure_width, row_height,
};
use crate::outline::Outline;
use crate::pen::{Pen, Words};
use crate::picture::Stroke;
use crate::slots::Slot;

const CELLS_MAX: u8 = 60;

/// The half of an area that belongs to a seat.
pub(crate) fn half(area: Area, seat: Seat) -> Area {
    let width = area.width / 2.0;
    let x = if seat == Seat::First { area.x } else { area.x + width };
    Area { x, width, ..area }
}

/// Where a line of text of a seat begins, and to which side it goes.
pub(crate) fn outer(area: Area, seat: Seat, margin: f64) -> (f64, Anchor, f64) {
    match seat {
        Seat::First => (area.x + margin, Anchor::Start, 1.0),
        Seat::Second => (area.x + area.width - margin, Anchor::End, -1.0),
    }
}

impl Pen<'_> {
    /// The colour of what became of a figure: red for a loss, gold for anything else of this turn.
    pub(crate) fn change_colour(&self, change: &str) -> Colour {
        let is_loss = change.starts_with(['-', '−', '–']);
        if is_loss { self.table.loss } else { self.table.gold_words() }
    }

    /// Writes what became of a figure; where there is little room only its first word, which is the number.
    pub(crate) fn write_change(&mut self, words: Words, x: f64, y: f64, change: &str, room: f64) {
        let number = change.split_whitespace().next().unwrap_or_default();
        let text = if self.width(words, change) > room { number } else { change };
        self.write(words, x, y, text, room);
    }

    /// Figures beside each other, from the side of their seat inwards.
    pub(crate) fn figures_line<'s>(
        &mut self,
        slots: impl Iterator<Item = &'s Slot>,
        panels: &[Panel],
        (x, y): (f64, f64),
        seat: Seat,
    ) {
        let (anchor, way) = match seat {
            Seat::First => (Anchor::Start, 1.0),
            Seat::Second => (Anchor::End, -1.0),
        };
        let gap = 0.45 * self.measures.letters(FIGURE_NAME);
        let mut left = x;
        for slot in slots {
            if let Some(panel) = slot.find(panels) {
                let value = Words::bold(FIGURE_VALUE, self.table.text).anchored(anchor);
                let name = Words::regular(FIGURE_NAME, self.table.muted).anchored(anchor);
                // Read from left to right at both sides: the number, then its name.
                let order: [(Words, &str); 2] = match seat {
                    Seat::First => [(value, &panel.value), (name, panel.name)],
                    Seat::Second => [(name, panel.name), (value, &panel.value)],
                };
                let mut at = left;
                for (words, text) in order {
                    self.write(words, at, y, text, f64::INFINITY);
                    at += way * (self.width(words, text) + gap);
                }
                if let Some(change) = &panel.change {
                    let colour = self.change_colour(change);
                    let words = Words::bold(FIGURE_NAME, colour).anchored(anchor);
                    self.write(words, at, y, change, f64::INFINITY);
                }
            }
            left += way * figure_width(slot, &self.measures);
        }
    }

    /// The figures of both seats that stand in blocks above a wide stage.
    pub(crate) fn blocks(&mut self, layout: &Layout, panels: &[Panel]) {
        let (unit, area) = (self.unit(), layout.gauges);
        let counts =
            Seat::BOTH.map(|seat| layout.slots.blocks(seat, layout.in_header[seat]).count());
        let rows = counts[0].max(counts[1]).div_ceil(layout.blocks_per_row).max(1);
        let height = area.height / rows as f64;
        for seat in Seat::BOTH {
            let slots: Vec<&Slot> = layout.slots.blocks(seat, layout.in_header[seat]).collect();
            for (row, slots) in slots.chunks(layout.blocks_per_row).enumerate() {
                let half = half(area, seat);
                let room = half.width - BLOCKS_MARGIN * unit;
                let width = room / slots.len() as f64;
                for (index, slot) in slots.iter().enumerate() {
                    let from_side = BLOCK_GAP * unit + width * index as f64;
                    let x = match seat {
                        Seat::First => half.x + from_side,
                        Seat::Second => half.x + half.width - from_side - width,
                    };
                    let y = area.y + height * row as f64;
                    let place = Area::new(x, y, width - BLOCK_GAP * unit, height);
                    let x = if seat == Seat::Second { x + BLOCK_GAP * unit } else { x };
                    if let Some(panel) = slot.find(panels) {
                        self.block(panel, Area { x, ..place }, seat);
                    }
                }
            }
        }
    }

    /// A figure, and its bar below it if it has one.
    fn block(&mut self, panel: &Panel, place: Area, seat: Seat) {
        let unit = self.unit();
        let (x, anchor, way) = outer(place, seat, 0.0);
        let y = place.y + 20.0 * unit;
        let gap = BLOCK_WORD_GAP * unit;
        let name = Words::regular(BLOCK_NAME, self.table.muted).anchored(anchor);
        let value = Words::bold(BLOCK_VALUE, self.table.text).anchored(anchor);
        let mut at = x;
        for (words, text) in [(name, panel.name), (value, panel.value.as_str())] {
            self.write(words, at, y, text, place.width);
            at += way * (self.width(words, text) + gap);
        }
        if let Some(change) = &panel.change {
            let words = Words::bold(14.0, self.change_colour(change)).anchored(anchor);
            let room = place.width - (at - x).abs();
            self.write_change(words, at + way * gap, y, change, room);
        }
        if let Some(gauge) = &panel.gauge {
            let bar = Area::new(place.x, place.y + 38.0 * unit, place.width, 16.0 * unit);
            self.gauge(gauge, bar, seat, seat);
        }
    }

    /// A bar or a row of cells. The first seat's are full and the second's hollow; it begins at the side of
    /// `from`.
    pub(crate) fn gauge(&mut self, gauge: &Gauge, place: Area, seat: Seat, from: Seat) {
        let share = gauge.value / gauge.max;
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        let cells = gauge.cells.min(CELLS_MAX);
        if cells == 0 {
            let radius = place.height / 2.0;
            self.rectangle(place, radius, self.table.line);
            if share > 0.0 {
                let width = (place.width * share).max(place.height);
                let x = match from {
                    Seat::First => place.x,
                    Seat::Second => place.x + place.width - width,
                };
                self.level(Area { x, width, ..place }, radius, seat);
            }
            return;
        }
        let full = (share * f64::from(cells)).round() as u8;
        let step = (place.width / f64::from(cells)).min(place.height * 1.6);
        let gap = (step * 0.12).min(3.0 * self.unit());
        for cell in 0..cells {
            let from_side = step * f64::from(cell);
            let x = match from {
                Seat::First => place.x + from_side,
                Seat::Second => place.x + place.width - from_side - step + gap,
            };
            let area = Area { x, width: step - gap, ..place };
            if cell < full {
                self.level(area, 1.5 * self.unit(), seat);
            } else {
                self.rectangle(area, 1.5 * self.unit(), self.table.line);
            }
        }
    }

    /// The part of a bar that is there.
    fn level(&mut self, area: Area, radius: f64, seat: Seat) {
        let colour = self.table.seat(seat);
        match seat {
            Seat::First => self.rectangle(area, radius, colour),
            Seat::Second => {
                let rim = (area.height * 0.22).min(3.0 * self.unit()).min(area.width * 0.3);
                let inner = crate::picture::grown(area, -rim / 2.0);
                let outline = Outline::Rectangle { area: inner, radius: radius - rim / 2.0 };
                self.shape(outline, Some(self.table.card), Some(Stroke::plain(colour, rim)));
            }
        }
    }

    /// The rows of a card below its header, closer together if the card is too low for them.
    pub(crate) fn card_rows(&mut self, layout: &Layout, seat: Seat, panels: &[Panel]) {
        let unit = self.unit();
        let card = layout.cards[seat];
        let top = card.y + CARD_HEADER_HEIGHT * unit;
        let slots: Vec<&Slot> = layout.slots.rows(seat).collect();
        let wanted: f64 = slots.iter().map(|slot| row_height(slot)).sum::<f64>() * unit;
        let squeeze = ((card.y + card.height - 8.0 * unit - top) / wanted).min(1.0);
        let mut y = top;
        for slot in slots {
            let height = row_height(slot) * unit * squeeze;
            let inner = Area::new(card.x + 20.0 * unit, y, card.width - 40.0 * unit, height);
            self.rectangle(Area { height: unit.max(1.0), ..inner }, 0.0, self.table.line);
            if let Some(panel) = slot.find(panels) {
                self.row(panel, inner, seat, slot.has_gauge);
            }
            y += height;
        }
    }

    fn row(&mut self, panel: &Panel, place: Area, seat: Seat, has_gauge: bool) {
        let middle =
            if has_gauge { place.y + place.height * 0.34 } else { place.y + place.height * 0.52 };
        let right = place.x + place.width;
        let gap = 8.0 * self.unit();
        let name = Words::regular(15.0, self.table.muted);
        let value = Words::bold(17.0, self.table.text).anchored(Anchor::End);
        let name_width = self.width(name, panel.name).min(place.width * 0.6);
        self.write(name, place.x, middle, panel.name, name_width + 0.5);
        let room = place.width - name_width - gap;
        self.write(value, right, middle, &panel.value, room);
        if let Some(change) = &panel.change {
            let words = Words::bold(13.5, self.change_colour(change)).anchored(Anchor::End);
            let value_width = self.width(value, &panel.value).min(room);
            let room = room - value_width - gap;
            self.write_change(words, right - value_width - gap, middle, change, room);
        }
        if let Some(gauge) = &panel.gauge {
            let height = 9.0 * self.unit();
            let y = place.y + place.height * 0.72 - height / 2.0;
            self.gauge(gauge, Area { y, height, ..place }, seat, Seat::First);
        }
    }

    /// The number that decides, large.
    pub(crate) fn decisive(&mut self, panel: &Panel, at: Point, size: f64, seat: Seat, room: f64) {
        let words = Words::bold(size, self.table.seat_letters(seat)).anchored(Anchor::Middle);
        self.write(words, at.x, at.y, &panel.value, room);
    }

    /// The figures with bars of both seats, stacked in two halves of a narrow sheet.
    pub(crate) fn narrow_gauges(&mut self, layout: &Layout, panels: &[Panel]) {
        let unit = self.unit();
        for seat in Seat::BOTH {
            let half = half(layout.gauges, seat);
            for (index, slot) in layout.slots.gauges(seat).enumerate() {
                let Some(panel) = slot.find(panels) else { continue };
                let y = half.y + index as f64 * NARROW_GAUGE_HEIGHT * unit;
                let place =
                    Area::new(half.x + 16.0 * unit, y, half.width - 24.0 * unit, 10.0 * unit);
                let name = Words::regular(13.0, self.table.muted);
                self.write(name, place.x, y + 9.0 * unit, panel.name, place.width);
                let after = self.width(name, panel.name) + 6.0 * unit;
                let value = Words::bold(13.5, self.table.text);
                self.write(
                    value,
                    place.x + after,
                    y + 9.0 * unit,
                    &panel.value,
                    place.width - after,
                );
                if let Some(gauge) = &panel.gauge {
                    let bar = Area { y: y + 20.0 * unit, ..place };
                    self.gauge(gauge, bar, seat, Seat::First);
                }
            }
        }
    }
}

//! The seek curve: the whole match as one picture, with what has not been played yet veiled.

use quintain_core::Seat;
use quintain_core::scene::{Anchor, Area, Colour, Curve, CurveKind, Film, Mark, MarkKind, Point};

use crate::outline::Outline;
use crate::pen::{Pen, Words};
use crate::picture::{Filling, Item, Piece, Stroke};

/// The veil is laid in stripes of this width, so that a film repaints only those that change.
const STRIPE: f64 = 16.0;
/// More marks than this of one match are too close together to be told apart.
const MARKS_MAX: usize = 400;

/// The places of a curve and its marks.
struct Chart<'a> {
    film: &'a Film,
    curve: Curve,
    plot: Area,
    marks_y: f64,
}

impl Chart<'_> {
    /// The height of the plot at a frame, from its left to its right end.
    fn x(&self, frame: usize) -> f64 {
        let steps = self.film.frames.len().saturating_sub(1).max(1);
        self.plot.x + self.plot.width * frame as f64 / steps as f64
    }

    fn middle(&self) -> f64 {
        self.plot.y + self.plot.height / 2.0
    }

    /// One frame for each pixel at most.
    fn frames(&self) -> Vec<usize> {
        let last = self.film.frames.len() - 1;
        let step = (last as f64 / self.plot.width.max(1.0)).ceil().max(1.0) as usize;
        let mut frames: Vec<usize> = (0..=last).step_by(step).collect();
        if frames.last() != Some(&last) {
            frames.push(last);
        }
        frames
    }

    fn value(&self, frame: usize, seat: Seat) -> f64 {
        let value = self.film.frames[frame].scene.curve[seat];
        if value.is_finite() { value } else { 0.0 }
    }

    fn difference(&self, frame: usize) -> f64 {
        self.value(frame, Seat::First) - self.value(frame, Seat::Second)
    }

    /// What fills half of the plot.
    fn max(&self) -> f64 {
        if self.curve.max.is_finite() && self.curve.max > 0.0 {
            return self.curve.max;
        }
        let frames = 0..self.film.frames.len();
        let values = frames.map(|frame| match self.curve.kind {
            CurveKind::Both => self.value(frame, Seat::First).max(self.value(frame, Seat::Second)),
            CurveKind::Difference => self.difference(frame).abs(),
        });
        let greatest = values.fold(0.0, f64::max);
        if greatest > 0.0 && greatest.is_finite() { greatest } else { 1.0 }
    }
}

impl Pen<'_> {
    /// Draws the curve of a film with the head at a frame. Does nothing if the stage has no curve or there
    /// is no room.
    pub(crate) fn curve(&mut self, film: &Film, index: usize, place: Area) {
        let unit = self.unit();
        let Some(curve) = film.stage.curve else { return };
        if place.height <= 30.0 * unit || film.frames.len() < 2 {
            return;
        }
        let letters = 18.0 * unit;
        let marks = 14.0 * unit;
        let plot = Area { y: place.y + letters, height: place.height - letters - marks, ..place };
        let chart = Chart { film, curve, plot, marks_y: plot.y + plot.height + marks * 0.55 };
        let words = Words::regular(12.0, self.table.muted);
        self.write(words, place.x, place.y + letters * 0.4, curve.name, place.width);
        let (turn, last) = (film.frames[index].turn, film.frames[film.frames.len() - 1].turn);
        let count = format!("{turn} of {last}");
        let right = place.x + place.width;
        let counter = words.anchored(Anchor::End);
        // The turn stands in the header as well, so that the name goes first.
        let taken = self.width(words, curve.name) + self.width(words, &count) + letters;
        if taken <= place.width {
            self.write(counter, right, place.y + letters * 0.4, &count, place.width);
        }
        self.rectangle(plot, 4.0 * unit, self.table.sunk);
        match curve.kind {
            CurveKind::Both => self.both(&chart),
            CurveKind::Difference => self.difference(&chart),
        }
        self.marks(&chart);
        self.veil(&chart, index);
    }

    fn both(&mut self, chart: &Chart<'_>) {
        let max = chart.max();
        for (seat, up) in [(Seat::First, -1.0), (Seat::Second, 1.0)] {
            let half = chart.plot.height / 2.0;
            let mut points = vec![Point::new(chart.plot.x, chart.middle())];
            for frame in chart.frames() {
                let share = (chart.value(frame, seat) / max).clamp(0.0, 1.0);
                points.push(Point::new(chart.x(frame), chart.middle() + up * half * share));
            }
            points.push(Point::new(chart.plot.x + chart.plot.width, chart.middle()));
            let outline = Outline::Chain { points, is_closed: true };
            self.shape(outline, Some(self.table.seat(seat)), None);
        }
        self.middle_line(chart, self.table.card);
    }

    fn difference(&mut self, chart: &Chart<'_>) {
        self.middle_line(chart, self.table.line);
        let max = chart.max();
        let half = chart.plot.height / 2.0;
        let points = chart.frames().into_iter().map(|frame| {
            let share = (chart.difference(frame) / max).clamp(-1.0, 1.0);
            Point::new(chart.x(frame), chart.middle() - half * share)
        });
        let outline = Outline::Chain { points: points.collect(), is_closed: false };
        let stroke = Stroke::plain(self.table.text, 2.0 * self.unit());
        self.shape(outline, None, Some(stroke));
        for (seat, y) in [(Seat::First, 0.14), (Seat::Second, 0.86)] {
            let centre =
                Point::new(chart.plot.x + 10.0 * self.unit(), chart.plot.y + chart.plot.height * y);
            self.sign(seat, centre, 6.0 * self.unit());
        }
    }

    fn middle_line(&mut self, chart: &Chart<'_>, colour: Colour) {
        let height = self.unit().max(1.0);
        let line = Area { y: chart.middle() - height / 2.0, height, ..chart.plot };
        self.rectangle(line, 0.0, colour);
    }

    fn marks(&mut self, chart: &Chart<'_>) {
        let frames = chart.film.frames.iter().enumerate();
        let marks =
            frames.flat_map(|(index, frame)| frame.marks.iter().map(move |mark| (index, mark)));
        let mut last: Option<(f64, MarkKind, Option<Seat>)> = None;
        for (index, mark) in marks.take(MARKS_MAX) {
            let x = chart.x(index);
            let is_near = last.is_some_and(|(before, kind, seat)| {
                (x - before).abs() < 2.0 && kind == mark.kind && seat == mark.seat
            });
            if !is_near {
                self.mark(mark, Point::new(x, chart.marks_y));
                last = Some((x, mark.kind, mark.seat));
            }
        }
    }

    fn mark(&mut self, mark: &Mark, at: Point) {
        let unit = self.unit();
        let r = 3.6 * unit;
        let seat_colour = mark.seat.map_or(self.table.muted, |seat| self.table.seat(seat));
        let polygon = |corners: &[(f64, f64)]| {
            let points = corners.iter().map(|(x, y)| Point::new(at.x + x * r, at.y + y * r));
            Outline::Chain { points: points.collect(), is_closed: true }
        };
        let diamond = [(0.0, -1.2), (1.2, 0.0), (0.0, 1.2), (-1.2, 0.0)];
        match mark.kind {
            MarkKind::Event if mark.seat == Some(Seat::Second) => {
                self.shape(polygon(&diamond), Some(seat_colour), None);
            }
            MarkKind::Event => {
                self.shape(Outline::Circle { centre: at, radius: r }, Some(seat_colour), None);
            }
            MarkKind::Loss => {
                let triangle = [(0.0, -1.1), (1.2, 1.0), (-1.2, 1.0)];
                self.shape(polygon(&triangle), Some(seat_colour), None);
            }
            MarkKind::Warning => {
                let dash = Area::new(at.x - r, at.y + r, 2.0 * r, 1.5 * unit);
                self.rectangle(dash, 0.0, self.table.gold);
            }
            MarkKind::Fault => {
                let bar = Area::new(at.x - 1.2 * unit, at.y - 1.4 * r, 2.4 * unit, 2.8 * r);
                self.rectangle(bar, 0.0, self.table.loss);
            }
            MarkKind::Own => {
                let flag = [(-0.6, -1.3), (1.2, -0.6), (-0.2, 0.1), (-0.2, 1.4), (-0.6, 1.4)];
                self.shape(polygon(&flag), Some(seat_colour), None);
            }
        }
    }

    /// Veils what comes after a frame, and marks the frame itself.
    fn veil(&mut self, chart: &Chart<'_>, index: usize) {
        let (head, right) = (chart.x(index), chart.plot.x + chart.plot.width);
        let veil = self.table.card.with_alpha(150);
        let mut x = chart.plot.x;
        while x < right {
            let end = (x + STRIPE).min(right);
            let left = head.clamp(x, end);
            let area = Area { x: left, width: end - left, ..chart.plot };
            let outline = Outline::Rectangle { area, radius: 0.0 };
            if area.width > 0.0 {
                let piece = Piece::Shape { outline, fill: Some(Filling::flat(veil)), stroke: None };
                self.add(Item::fixed(vec![piece]));
            }
            x = end;
        }
        let width = (2.5 * self.unit()).max(1.5);
        let bar = Area { x: head - width / 2.0, width, ..chart.plot };
        self.rectangle(bar, 0.0, self.table.text);
    }
}

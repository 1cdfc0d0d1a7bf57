//! The planes beside the road: the strip of the whole race.

use quintain_core::scene::{
    Anchor, Area, Form, Ink, Label, Point, Scene, Shape, Style, Window, id_of,
};
use quintain_core::{PerSeat, Seat};

use super::symbols::ink;
use crate::{Overdrive, Track};

/// The race as a strip that is so long, whatever the track's length.
#[derive(Clone, Copy)]
pub(super) struct Strip {
    plane: u8,
    length: f64,
}

pub(super) const STRIP: Strip = Strip { plane: 1, length: 1000.0 };
/// The same for narrow stages, on which everything is as large.
pub(super) const STRIP_NARROW: Strip = Strip { plane: 3, length: 350.0 };
const STRIP_MARGIN: f64 = 25.0;
const STRIP_HEIGHT: f64 = 66.0;
const ROAD_Y: f64 = 40.0;
const MARKERS_APART: f64 = 25.0;

/// Ids of what is on the boards. What each seat has is followed by its number.
mod id {
    pub(super) const GROUND: u32 = 100;
    pub(super) const ROAD: u32 = 101;
    pub(super) const MIDDLE: u32 = 102;
    pub(super) const CHEQUERS: u32 = 103;
    pub(super) const SHOULDER: u32 = 104;
    /// Plus the quarter's number.
    pub(super) const QUARTER: u32 = 110;
    pub(super) const STEM: u32 = 120;
    pub(super) const MARKER: u32 = 122;
    pub(super) const NUMBER: u32 = 124;
    /// Plus the window's number.
    pub(super) const FRAME: u32 = 130;
}

mod layer {
    pub(super) const GROUND: u8 = 20;
    pub(super) const ROAD: u8 = 21;
    pub(super) const MARKER: u8 = 22;
    pub(super) const WORDS: u8 = 23;
}

impl Strip {
    pub(super) const fn window(self, share: f64) -> Window {
        let width = self.length + 2.0 * STRIP_MARGIN;
        let view = Area::new(-STRIP_MARGIN, 0.0, width, STRIP_HEIGHT);
        Window::whole(self.plane, view).placed(0, Area::new(0.0, 0.0, 1.0, share))
    }

    /// Ids of what is on it.
    const fn id(self, id: u32) -> u32 {
        id + 2000 * self.plane as u32
    }
}

/// What stays of the strips.
pub(super) fn background(track: &Track) -> Vec<Shape> {
    [STRIP, STRIP_NARROW].into_iter().flat_map(|strip| empty_strip(strip, track)).collect()
}

fn empty_strip(strip: Strip, track: &Track) -> Vec<Shape> {
    let Strip { plane, length } = strip;
    let far = Form::rectangle(-2000.0, -500.0, length + 4000.0, 1200.0);
    let road = Form::line((0.0, ROAD_Y), (length, ROAD_Y));
    let line = Form::line((0.0, ROAD_Y), (length, ROAD_Y));
    let finish = length - 6.0;
    let chequers = Form::path(format!("M{finish} 34h6v4h-6zm6 4h6v4h-6zm-6 4h6v4h-6z"));
    let new = |id, layer, form, style| Shape::new(strip.id(id), layer, form, style);
    let mut shapes = vec![
        new(id::GROUND, layer::GROUND, far, Style::fill(Ink::Ground)),
        new(id::SHOULDER, layer::ROAD, road.clone(), Style::stroke(Ink::Faint, 14.0)),
        new(id::ROAD, layer::ROAD, road, Style::stroke(ink::ASPHALT, 12.0)),
        new(id::MIDDLE, layer::ROAD, line, Style::stroke(ink::PAINT, 1.0).dashed(9.0)),
        new(id::CHEQUERS, layer::MARKER, chequers, Style::fill(ink::WHITE)),
    ];
    for quarter in 0..=4_u32 {
        let block = (u32::from(track.length()) * quarter / 4).max(1);
        let x = length * f64::from(quarter) / 4.0;
        // The first and the last number end where the road does, so that no edge cuts them.
        let anchor = match quarter {
            0 => Anchor::Start,
            4 => Anchor::End,
            _ => Anchor::Middle,
        };
        let label = Label::new((x, ROAD_Y + 17.0), 13.0, block.to_string()).anchored(anchor);
        let style = Style::fill(Ink::Muted);
        shapes.push(new(id::QUARTER + quarter, layer::WORDS, label.into(), style));
    }
    shapes.into_iter().map(|shape| shape.on_plane(plane)).collect()
}

impl Overdrive {
    /// How far both cars have come, and what part of the road is shown.
    pub(super) fn draw_race(&self, scene: &mut Scene) {
        for (strip, windows) in
            [(STRIP, scene.windows.wide.clone()), (STRIP_NARROW, scene.windows.narrow.clone())]
        {
            self.draw_strip(strip, &windows, scene);
        }
    }

    fn draw_strip(&self, strip: Strip, windows: &[Window], scene: &mut Scene) {
        let length = f64::from(self.track().length());
        let place = |block: f64| (block / length).clamp(0.0, 1.0) * strip.length;
        let frames: Vec<(u8, f64, f64)> = windows
            .iter()
            .filter(|window| window.plane == 0)
            .map(|window| {
                let Area { x, width, .. } = window.view;
                (window.id, place(x), place(x + width))
            })
            .collect();
        for (window, from, to) in frames {
            let form = Form::rectangle(from, ROAD_Y - 10.0, to - from, 20.0);
            let style = Style::stroke(Ink::Accent, 2.0);
            let id = strip.id(id::FRAME + u32::from(window));
            let shape = Shape::new(id, layer::MARKER, form, style);
            scene.shapes.push(shape.on_plane(strip.plane));
        }
        let places = self.cars().as_ref().map(|_, car| place(f64::from(car.place.block)));
        let markers = apart(places);
        for (seat, car) in self.cars().iter() {
            let (x, marker) = (places[seat], markers[seat]);
            let mut add = |id, layer, form, style| {
                let shape = Shape::new(id_of(strip.id(id), seat), layer, form, style);
                let shape = shape.on_plane(strip.plane);
                let label = format!("block {} of {length}", car.place.block);
                scene.shapes.push(shape.labelled(label));
            };
            let ink = Ink::of(seat);
            let stem = Form::line((marker, 20.0), (x, ROAD_Y));
            add(id::STEM, layer::ROAD, stem, Style::stroke(ink, 2.0));
            let (style, words) = match seat {
                Seat::First => (Style::fill(ink), Ink::Ground),
                Seat::Second => (Style::fill(Ink::Ground).outlined(ink, 2.5), ink),
            };
            add(id::MARKER, layer::MARKER, sign(seat, Point::new(marker, 13.0)), style);
            let number = (seat.index() + 1).to_string();
            let label = Label::new((marker, 13.0), 12.0, number).sized(13.0).bold();
            add(id::NUMBER, layer::WORDS, label.into(), Style::fill(words));
        }
    }
}

/// Where the markers of both cars stand, so that none covers the other.
fn apart(places: PerSeat<f64>) -> PerSeat<f64> {
    let PerSeat([first, second]) = places;
    let push = ((MARKERS_APART - (first - second).abs()) / 2.0).max(0.0);
    let side = if first <= second { -push } else { push };
    PerSeat([first + side, second - side])
}

/// A disc of the first seat, a diamond of the second.
fn sign(seat: Seat, at: Point) -> Form {
    let Point { x, y } = at;
    match seat {
        Seat::First => Form::circle(at, 10.0),
        Seat::Second => Form::polygon([(x, y - 12.0), (x + 12.0, y), (x, y + 12.0), (x - 12.0, y)]),
    }
}

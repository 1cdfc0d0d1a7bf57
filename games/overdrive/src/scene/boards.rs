//! The planes beside the road: the strip of the whole race, and buttons for a person at play.

use quintain_core::Seat;
use quintain_core::scene::{
    Anchor, Area, Form, Ink, Label, Point, Scene, Shape, Style, Window, id_of,
};

use super::symbols::ink;
use crate::{Action, Overdrive, Track};

const STRIP: u8 = 1;
const BUTTONS: u8 = 2;
/// The share of the stage that buttons take.
pub(super) const BUTTONS_SHARE: f64 = 0.2;

/// The strip is so long, whatever the track's length.
const LENGTH: f64 = 1000.0;
const STRIP_VIEW: Area = Area::new(-30.0, 0.0, LENGTH + 60.0, 66.0);
const ROAD_Y: f64 = 40.0;
const BUTTONS_VIEW: Area = Area::new(0.0, 0.0, 500.0, 46.0);
const BUTTON_COLUMNS: usize = 5;

/// Ids of what is on the boards. What each seat has is followed by its number.
mod id {
    pub(super) const GROUND: u32 = 100;
    pub(super) const ROAD: u32 = 101;
    pub(super) const MIDDLE: u32 = 102;
    pub(super) const CHEQUERS: u32 = 103;
    /// Plus the quarter's number.
    pub(super) const QUARTER: u32 = 110;
    pub(super) const STEM: u32 = 120;
    pub(super) const MARKER: u32 = 122;
    pub(super) const NUMBER: u32 = 124;
    /// Plus the window's number.
    pub(super) const FRAME: u32 = 130;
    /// Plus the command's number.
    pub(super) const BUTTON: u32 = 150;
    pub(super) const BUTTON_TEXT: u32 = 170;
}

mod layer {
    pub(super) const GROUND: u8 = 20;
    pub(super) const ROAD: u8 = 21;
    pub(super) const MARKER: u8 = 22;
    pub(super) const WORDS: u8 = 23;
}

const COMMANDS: [Action; 10] = [
    Action::Accelerate,
    Action::Decelerate,
    Action::TurnLeft,
    Action::TurnRight,
    Action::Nothing,
    Action::UseBoost,
    Action::UseOil,
    Action::UseLizard,
    Action::UseEmp,
    Action::Fix,
];

pub(super) const fn strip_window(share: f64) -> Window {
    Window::whole(STRIP, STRIP_VIEW).placed(0, Area::new(0.0, 0.0, 1.0, share))
}

pub(super) const fn buttons_window() -> Window {
    let place = Area::new(0.0, 1.0 - BUTTONS_SHARE, 1.0, BUTTONS_SHARE);
    Window::whole(BUTTONS, BUTTONS_VIEW).placed(9, place)
}

/// What stays of the strip.
pub(super) fn background(track: &Track) -> Vec<Shape> {
    let far = Form::rectangle(-2000.0, -500.0, LENGTH + 4000.0, 1200.0);
    let road = Form::line((0.0, ROAD_Y), (LENGTH, ROAD_Y));
    let line = Form::line((0.0, ROAD_Y), (LENGTH, ROAD_Y));
    let chequers = Form::path("M994 34h6v4h-6zM1000 38h6v4h-6zM994 42h6v4h-6z");
    let mut shapes = vec![
        Shape::new(id::GROUND, layer::GROUND, far, Style::fill(Ink::Ground)),
        Shape::new(id::ROAD, layer::ROAD, road, Style::stroke(ink::ASPHALT, 12.0)),
        Shape::new(id::MIDDLE, layer::ROAD, line, Style::stroke(ink::PAINT, 1.0).dashed(9.0)),
        Shape::new(id::CHEQUERS, layer::MARKER, chequers, Style::fill(ink::WHITE)),
    ];
    for quarter in 0..=4_u32 {
        let block = (u32::from(track.length()) * quarter / 4).max(1);
        let x = LENGTH * f64::from(quarter) / 4.0;
        // The first and the last number end where the road does, so that no edge cuts them.
        let anchor = match quarter {
            0 => Anchor::Start,
            4 => Anchor::End,
            _ => Anchor::Middle,
        };
        let label = Label::new((x, ROAD_Y + 17.0), 13.0, block.to_string()).anchored(anchor);
        let style = Style::fill(Ink::Muted);
        shapes.push(Shape::new(id::QUARTER + quarter, layer::WORDS, label.into(), style));
    }
    shapes.into_iter().map(|shape| shape.on_plane(STRIP)).collect()
}

impl Overdrive {
    /// How far both cars have come, and what part of the road is shown.
    pub(super) fn draw_race(&self, scene: &mut Scene) {
        let length = f64::from(self.track().length());
        let place = |block: f64| (block / length).clamp(0.0, 1.0) * LENGTH;
        let windows = scene.windows.wide.iter().filter(|window| window.plane == 0);
        let frames: Vec<(u8, f64, f64)> = windows
            .map(|window| {
                let Area { x, width, .. } = window.view;
                (window.id, place(x), place(x + width))
            })
            .collect();
        for (window, from, to) in frames {
            let form = Form::rectangle(from, ROAD_Y - 10.0, to - from, 20.0);
            let style = Style::stroke(Ink::Accent, 2.0);
            let shape = Shape::new(id::FRAME + u32::from(window), layer::MARKER, form, style);
            scene.shapes.push(shape.on_plane(STRIP));
        }
        for (seat, car) in self.cars().iter() {
            let x = place(f64::from(car.place.block));
            let mut add = |id, layer, form, style| {
                let shape = Shape::new(id_of(id, seat), layer, form, style).on_plane(STRIP);
                let label = format!("block {} of {length}", car.place.block);
                scene.shapes.push(shape.labelled(label));
            };
            let ink = Ink::of(seat);
            let stem = Form::line((x, 20.0), (x, ROAD_Y));
            add(id::STEM, layer::ROAD, stem, Style::stroke(ink, 2.0));
            let (style, words) = match seat {
                Seat::First => (Style::fill(ink), Ink::Ground),
                Seat::Second => (Style::fill(Ink::Ground).outlined(ink, 2.5), ink),
            };
            add(id::MARKER, layer::MARKER, sign(seat, Point::new(x, 13.0)), style);
            let number = (seat.index() + 1).to_string();
            let label = Label::new((x, 13.0), 12.0, number).sized(13.0).bold();
            add(id::NUMBER, layer::WORDS, label.into(), Style::fill(words));
        }
    }

    /// What can be clicked. A tweet must be typed, since it needs a place.
    pub(super) fn draw_buttons(&self, seat: Seat, scene: &mut Scene) {
        let width = BUTTONS_VIEW.width / BUTTON_COLUMNS as f64;
        for (number, action) in COMMANDS.into_iter().enumerate() {
            let held = |powerup| self.cars()[seat].powerups.has(powerup);
            if !action.powerup().is_none_or(held) {
                continue;
            }
            let (column, row) = (number % BUTTON_COLUMNS, number / BUTTON_COLUMNS);
            let (x, y) = (column as f64 * width, row as f64 * 23.0);
            let style = Style::fill(Ink::Ground).outlined(Ink::Accent, 1.5);
            let form = Form::rectangle(x + 2.0, y + 2.0, width - 4.0, 18.0);
            let id = number as u32;
            let button = Shape::new(id::BUTTON + id, layer::MARKER, form, style);
            let button = button.labelled(action.to_string()).sending(action.to_string());
            scene.shapes.push(button.on_plane(BUTTONS));
            let form = Form::text((x + width / 2.0, y + 11.0), 9.0, action.to_string());
            let style = Style::fill(Ink::Text);
            let text = Shape::new(id::BUTTON_TEXT + id, layer::WORDS, form, style);
            scene.shapes.push(text.on_plane(BUTTONS));
        }
    }
}

/// A disc of the first seat, a diamond of the second.
fn sign(seat: Seat, at: Point) -> Form {
    let Point { x, y } = at;
    match seat {
        Seat::First => Form::circle(at, 10.0),
        Seat::Second => Form::polygon([(x, y - 12.0), (x + 12.0, y), (x, y + 12.0), (x - 12.0, y)]),
    }
}

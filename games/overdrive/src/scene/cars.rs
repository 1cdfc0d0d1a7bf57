//! The cars, the ways that they went in this round, and what happened to them.

use quintain_core::Seat;
use quintain_core::scene::{
    Enter, Eye, Form, Ink, Label, Leave, Motion, Plate, Point, Scene, Shape, Style, Viewing, id_of,
};

use super::symbols::{self, ink};
use crate::describe::{at, counted};
use crate::{Action, Event, Obstacle, Overdrive, Place};

/// Ids of shapes. What each seat has is followed by its number.
mod id {
    pub(super) const CAR: u32 = 500;
    pub(super) const NUMBER: u32 = 502;
    pub(super) const GHOST: u32 = 504;
    pub(super) const WAY: u32 = 506;
    pub(super) const OTHER_WAY: u32 = 508;
    pub(super) const ORDER: u32 = 510;
    pub(super) const WORDS: u32 = 512;
    pub(super) const WAVE: u32 = 514;
    pub(super) const FLAME: u32 = 516;
    /// Plus the event's number in the round.
    pub(super) const RING: u32 = 600;
    pub(super) const PICKUP: u32 = 700;
}

mod layer {
    pub(super) const WAVE: u8 = 3;
    pub(super) const WAY: u8 = 5;
    pub(super) const CAR: u8 = 8;
    pub(super) const EFFECT: u8 = 9;
    pub(super) const WORDS: u8 = 13;
}

const CAR_SIZE: f64 = 0.72;

impl Overdrive {
    /// Cars within sight. Nobody at play is shown what the other did.
    pub(super) fn draw_cars(&self, watch: &Viewing<'_, Overdrive>, scene: &mut Scene) {
        let blocks = self.blocks_in_sight(watch.eye, scene);
        for (seat, car) in self.cars().iter() {
            if blocks.binary_search(&car.place.block).is_err() {
                continue;
            }
            let before = watch.trail.before[seat].filter(|_| !watch.last.is_empty());
            self.draw_car(seat, before, scene);
            if watch.eye != Eye::Seat(seat.other()) {
                if let Some(before) = before.filter(|&before| before != car.place) {
                    self.draw_way(seat, before, watch.last, scene);
                }
                self.draw_order(seat, watch.last, scene);
                self.draw_happenings(seat, before, watch.last, scene);
            }
        }
    }

    fn draw_car(&self, seat: Seat, before: Option<Place>, scene: &mut Scene) {
        let car = &self.cars()[seat];
        let centre = middle(car.place);
        let motion = if car.is_lizard && before.is_some() { Motion::Arc } else { Motion::Glide };
        if car.is_boosting {
            let flame = [(-0.95, 0.0), (-0.6, -0.18), (-0.6, 0.18)];
            let form = Form::polygon(flame.map(|(x, y)| (centre.x + x * 1.4, centre.y + y)));
            let style = Style::fill(Ink::Accent);
            let shape = Shape::new(id_of(id::FLAME, seat), layer::CAR, form, style);
            scene.shapes.push(shape.moving(motion).ornamental());
        }
        let symbol = if seat == Seat::First { symbols::COUPE } else { symbols::WEDGE };
        let form = Form::symbol(symbol, centre, CAR_SIZE);
        let shape = Shape::new(id_of(id::CAR, seat), layer::CAR, form, Style::fill(Ink::of(seat)));
        let label = format!("speed {}, damage {}, {}", car.speed, car.damage, at(car.place));
        scene.shapes.push(shape.moving(motion).labelled(label));
        let number = (seat.index() + 1).to_string();
        let label = Label::new((centre.x - 0.08, centre.y), 12.0, number).sized(0.34).bold();
        let words = if seat == Seat::First { ink::WHITE } else { Ink::Second };
        let shape =
            Shape::new(id_of(id::NUMBER, seat), layer::CAR, label.into(), Style::fill(words));
        scene.shapes.push(shape.moving(motion).ornamental());
    }

    /// Where the car was, and how it came from there: one line of the first, two of the second, an arc of
    /// one that jumped.
    fn draw_way(&self, seat: Seat, before: Place, last: &[Event], scene: &mut Scene) {
        let (from, to) = (middle(before), middle(self.cars()[seat].place));
        let symbol = if seat == Seat::First { symbols::COUPE } else { symbols::WEDGE };
        let style = Style::fill(Ink::of(seat)).faded(0.35);
        let form = Form::symbol(symbol, from, CAR_SIZE);
        let ghost = Shape::new(id_of(id::GHOST, seat), layer::WAY, form, style);
        scene.shapes.push(ghost.jumping().leaving(Leave::SLOWLY).ornamental());
        let ink = Ink::of(seat);
        let mut add = |id, form, style| {
            let shape = Shape::new(id_of(id, seat), layer::WAY, form, style);
            let shape = shape.jumping().entering(Enter::TRAIL).leaving(Leave::SLOWLY);
            scene.shapes.push(shape.ornamental());
        };
        let has_jumped =
            last.contains(&Event::Commanded { seat, action: Action::UseLizard }) && to.x > from.x;
        if has_jumped {
            let (top, half) = (from.y.min(to.y) - 1.1, (from.x + to.x) / 2.0);
            let arc = format!("M{} {}Q{half} {top} {} {}", from.x, from.y, to.x, to.y);
            add(id::WAY, Form::path(arc), Style::stroke(ink, 0.1).dashed(0.22));
        } else if seat == Seat::First {
            add(id::WAY, Form::line(from, to), Style::stroke(ink, 0.14).faded(0.7));
        } else {
            for (id, shift) in [(id::WAY, -0.12), (id::OTHER_WAY, 0.12)] {
                let form = Form::line((from.x, from.y + shift), (to.x, to.y + shift));
                add(id, form, Style::stroke(ink, 0.06).dashed(0.5).faded(0.85));
            }
        }
    }

    /// The command, beside the car.
    fn draw_order(&self, seat: Seat, last: &[Event], scene: &mut Scene) {
        let Some(action) = commanded(seat, last) else {
            return;
        };
        let label = Label::new(self.beside(seat), 14.0, action.to_string());
        let label = label.bold().shifted(0.0, 17.0 * self.inwards(seat)).on(Plate::of(seat));
        let style = Style::fill(Ink::of(seat));
        let shape = Shape::new(id_of(id::ORDER, seat), layer::WORDS, label.into(), style);
        scene.shapes.push(shape.entering(Enter::ORDER).roomy());
        if action == Action::UseEmp {
            self.draw_wave(seat, scene);
        }
    }

    /// The edge of a car from which words go on.
    fn beside(&self, seat: Seat) -> Point {
        let Point { x, y } = middle(self.cars()[seat].place);
        Point::new(x, y + 0.42 * self.inwards(seat))
    }

    /// Downwards from the upper lanes and upwards from the lower ones: words stay within the window.
    fn inwards(&self, seat: Seat) -> f64 {
        if self.cars()[seat].place.lane * 2 <= self.track().lanes() { 1.0 } else { -1.0 }
    }

    /// The lanes that an EMP reaches, ahead of the car.
    fn draw_wave(&self, seat: Seat, scene: &mut Scene) {
        let place = self.cars()[seat].place;
        let top = f64::from(place.lane.saturating_sub(1).max(1)) - 0.5;
        let bottom = f64::from((place.lane + 1).min(self.track().lanes())) + 0.5;
        let ahead = f64::from(self.config().figures.forward_visibility);
        let form = Form::rectangle(f64::from(place.block) + 0.5, top, ahead, bottom - top);
        let style = Style::fill(ink::EMP).faded(0.25);
        let shape = Shape::new(id_of(id::WAVE, seat), layer::WAVE, form, style);
        scene.shapes.push(shape.jumping().entering(Enter::SHOT).ornamental());
    }

    /// What the car hit and picked up, in words beside it, and rings where it left something.
    fn draw_happenings(
        &self,
        seat: Seat,
        before: Option<Place>,
        last: &[Event],
        scene: &mut Scene,
    ) {
        let car = middle(self.cars()[seat].place);
        for (event, number) in last.iter().zip(0..) {
            match *event {
                Event::PickedUp { seat: who, powerup } if who == seat => {
                    let symbol = symbols::of_powerup(powerup);
                    let from = before.map_or(car, middle);
                    let form = Form::symbol(symbol, (car.x, car.y - 0.7), 0.3);
                    let style = Style::fill(Ink::Accent);
                    let shape = Shape::new(id::PICKUP + number, layer::EFFECT, form, style);
                    let way = Point::new((from.x + car.x) / 2.0, car.y);
                    scene.shapes.push(shape.jumping().entering(Enter::flying(way)).ornamental());
                }
                Event::Oiled { seat: who, place } | Event::TruckPlaced { seat: who, place }
                    if who == seat =>
                {
                    let form = Form::circle(middle(place), 0.62);
                    let style = Style::stroke(Ink::Accent, 0.08);
                    let shape = Shape::new(id::RING + number, layer::EFFECT, form, style);
                    scene.shapes.push(shape.jumping().entering(Enter::IMPACT).ornamental());
                }
                _ => {}
            }
        }
        let words = counted(last.iter().filter_map(|event| happened(event, seat)));
        if !words.is_empty() {
            let label = Label::new(self.beside(seat), 14.0, words.join(", ")).bold();
            let label = label.shifted(0.0, 40.0 * self.inwards(seat));
            let style = Style::fill(ink::WHITE).with_halo(ink::BLACK);
            let shape = Shape::new(id_of(id::WORDS, seat), layer::WORDS, label.into(), style);
            scene.shapes.push(shape.jumping().entering(Enter::IMPACT).roomy());
        }
    }
}

fn commanded(seat: Seat, last: &[Event]) -> Option<Action> {
    last.iter().find_map(|event| match *event {
        Event::Commanded { action: Action::Unreadable(_), .. } => None,
        Event::Commanded { seat: who, action } if who == seat => Some(action),
        _ => None,
    })
}

/// In a word, what an event was for a car.
fn happened(event: &Event, seat: Seat) -> Option<String> {
    let word = match *event {
        Event::Hit { seat: who, what } if who == seat => match what {
            Obstacle::Mud => "mud",
            Obstacle::Oil => "oil",
            Obstacle::Wall => "wall",
        },
        Event::HitTruck { seat: who, .. } if who == seat => "truck",
        Event::HitEmp { seat: who } if who == seat => "EMP",
        Event::PickedUp { seat: who, powerup } if who == seat => {
            return Some(format!("+{}", powerup.name().to_lowercase()));
        }
        Event::RearEnded { seat: who } if who == seat => "stuck",
        Event::PutBack { seat: who } if who == seat => "put back",
        Event::SideCollision => "collision",
        Event::Finished { seat: who } if who == seat => "finished",
        Event::Disqualified { seat: who } if who == seat => "disqualified",
        Event::Invalid { seat: who, .. } if who == seat => "invalid",
        _ => return None,
    };
    Some(word.to_owned())
}

fn middle(place: Place) -> Point {
    Point::new(f64::from(place.block), f64::from(place.lane))
}

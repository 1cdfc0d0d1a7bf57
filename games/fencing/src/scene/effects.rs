//! What the turn did: orders on plates, the ways that were walked, touches, parries, collisions.

use quintain_core::Seat;
use quintain_core::scene::{
    Anchor, Enter, Form, Ink, Label, Leave, Plate, Point, Scene, Shape, Style, id_of,
};

use super::figure::lunge_reach;
use super::hall::{STRIP_END, ink};
use super::{facing, played};
use crate::{Event, Fencing};

/// Ids of effects. What each seat has is followed by its number.
mod id {
    pub(super) const ORDER: u32 = 200;
    pub(super) const WAY: u32 = 202;
    pub(super) const WAY_HEAD: u32 = 204;
    pub(super) const GLOW: u32 = 206;
    pub(super) const STAR: u32 = 208;
    pub(super) const WORDS: u32 = 210;
    pub(super) const DISTANCE: u32 = 220;
    pub(super) const DISTANCE_TEXT: u32 = 221;
    pub(super) const COLLISION: u32 = 222;
}

mod layer {
    pub(super) const WAY: u8 = 5;
    pub(super) const GLOW: u8 = 10;
    pub(super) const STAR: u8 = 11;
    pub(super) const WORDS: u8 = 12;
}

/// Above the heads.
const ORDER_Y: f64 = -60.5;
const CHEST_Y: f64 = -32.0;
const WORDS_Y: f64 = -20.0;

impl Fencing {
    pub(super) fn draw_effects(&self, last: &[Event], scene: &mut Scene) {
        for seat in Seat::BOTH {
            self.draw_order(seat, last, scene);
            self.draw_way(seat, last, scene);
        }
        self.draw_distance(scene);
        for event in last {
            self.draw_event(*event, scene);
        }
    }

    /// What a fencer played, above its head.
    fn draw_order(&self, seat: Seat, last: &[Event], scene: &mut Scene) {
        let Some(action) = played(seat, last) else {
            return;
        };
        let [first, second] = self.fencers().0.map(|fencer| f64::from(fencer.position));
        // Both plates grow outwards from between the heads, so that none covers the other.
        let inwards = ((second - first).abs() / 2.0 - 6.0).clamp(0.0, 10.0);
        let (x, anchor) = match seat {
            Seat::First => (first + inwards, Anchor::End),
            Seat::Second => (second - inwards, Anchor::Start),
        };
        let text = format!("{} {:+}", action.code(), action.row().energy);
        let label = Label::new((x, ORDER_Y), 17.0, text).anchored(anchor);
        let label = label.bold().on(Plate::of(seat));
        let shape = Shape::new(
            id_of(id::ORDER, seat),
            layer::WORDS,
            label.into(),
            Style::fill(Ink::of(seat)),
        );
        scene.shapes.push(shape.jumping().entering(Enter::ORDER));
    }

    /// An arrow on the strip from where a fencer came.
    fn draw_way(&self, seat: Seat, last: &[Event], scene: &mut Scene) {
        let Some(action) = played(seat, last).filter(|action| action.row().step != 0) else {
            return;
        };
        if last.contains(&Event::Respawned) {
            return;
        }
        let fencer = &self.fencers()[seat];
        let row = action.row();
        let skill = f64::from(fencer.abilities[row.ability]) * f64::from(row.step.signum());
        let moved = (f64::from(row.step) + skill) * facing(seat);
        let to = f64::from(fencer.position);
        let y = if seat == Seat::First { 2.6 } else { 6.8 };
        let style = Style::stroke(Ink::of(seat), 0.9);
        let line = Shape::new(
            id_of(id::WAY, seat),
            layer::WAY,
            Form::line((to - moved, y), (to, y)),
            style,
        );
        scene
            .shapes
            .push(line.jumping().entering(Enter::TRAIL).leaving(Leave::SLOWLY).ornamental());
        let back = 2.6 * moved.signum();
        let head = Form::chain([(to - back, y - 1.8), (to, y), (to - back, y + 1.8)]);
        let head = Shape::new(id_of(id::WAY_HEAD, seat), layer::WAY, head, style);
        scene
            .shapes
            .push(head.jumping().entering(Enter::TRAIL).leaving(Leave::SLOWLY).ornamental());
    }

    /// How far they stand apart, against how far each one reaches.
    fn draw_distance(&self, scene: &mut Scene) {
        let [first, second] = self.fencers().0;
        let (left, right) = (f64::from(first.position), f64::from(second.position));
        let y = -4.5;
        let bracket =
            Form::path(format!("M{left} {}v3M{left} {y}H{right}M{right} {}v3", y - 1.5, y - 1.5));
        let shape = Shape::new(id::DISTANCE, layer::WAY, bracket, Style::stroke(Ink::Text, 0.35));
        scene.shapes.push(shape.jumping().ornamental());
        let reach = [first, second].map(|fencer| lunge_reach(&fencer));
        let text = if reach[0] == reach[1] {
            format!("distance {}, reach {}", right - left, reach[0])
        } else {
            format!("distance {}, reach {} and {}", right - left, reach[0], reach[1])
        };
        let plate = Plate { fill: Ink::Ground, rim: Ink::Text, is_round: true, has_leader: false };
        let label = Label::new(((left + right) / 2.0, y), 14.0, text).bold().on(plate);
        let shape =
            Shape::new(id::DISTANCE_TEXT, layer::WORDS, label.into(), Style::fill(Ink::Text));
        scene.shapes.push(shape.roomy());
    }

    fn draw_event(&self, event: Event, scene: &mut Scene) {
        let x = |seat: Seat| f64::from(self.fencers()[seat].position);
        match event {
            Event::Touched { striker } => {
                let at = (x(striker.other()), CHEST_Y);
                draw_star(striker, at, scene);
                let words = ((x(striker) + at.0) / 2.0, WORDS_Y);
                draw_words(striker, words, "touch +1", Ink::of(striker), scene);
            }
            Event::Parried { defender } => {
                let at = (x(defender) + 12.0 * facing(defender), ORDER_Y + 12.0);
                draw_words(defender, at, "parry, energy +2", Ink::of(defender), scene);
            }
            Event::Outside { seat } => {
                draw_words(seat, (x(seat), STRIP_END + 8.0), "outside", Ink::Loss, scene);
            }
            Event::Exhausted { seat } => {
                draw_words(seat, (x(seat), WORDS_Y), "out of energy", Ink::Loss, scene);
            }
            Event::Doped { seat } => {
                draw_words(seat, (x(seat), WORDS_Y), "doping", Ink::Loss, scene)
            }
            Event::Refused { seat, .. } => {
                draw_words(seat, (x(seat), WORDS_Y), "disqualified", Ink::Loss, scene);
            }
            Event::Collided => {
                let at = ((x(Seat::First) + x(Seat::Second)) / 2.0, CHEST_Y);
                let label = Label::new(at, 20.0, "collision").bold();
                let style = Style::fill(Ink::Loss).with_halo(ink::WHITE);
                let shape = Shape::new(id::COLLISION, layer::WORDS, label.into(), style);
                scene.shapes.push(shape.jumping().entering(Enter::IMPACT));
            }
            Event::Played { .. } | Event::Respawned | Event::Ended { .. } => {}
        }
    }
}

/// A flash where a blade hits.
fn draw_star(seat: Seat, at: (f64, f64), scene: &mut Scene) {
    let glow = Shape::new(
        id_of(id::GLOW, seat),
        layer::GLOW,
        Form::circle(at, 13.0),
        Style::fill(ink::GLOW),
    );
    scene.shapes.push(glow.jumping().entering(Enter::IMPACT).ornamental());
    let style = Style::fill(ink::WHITE).outlined(Ink::Accent, 1.0);
    let shape = Shape::new(id_of(id::STAR, seat), layer::STAR, star(at, 7.5), style);
    scene.shapes.push(shape.jumping().entering(Enter::IMPACT));
}

/// Eight rays of two lengths.
pub(super) fn star(at: (f64, f64), size: f64) -> Form {
    const RAYS: [(f64, f64); 16] = [
        (0.0, -1.0),
        (0.16, -0.4),
        (0.6, -0.6),
        (0.4, -0.16),
        (1.0, 0.0),
        (0.4, 0.16),
        (0.6, 0.6),
        (0.16, 0.4),
        (0.0, 1.0),
        (-0.16, 0.4),
        (-0.6, 0.6),
        (-0.4, 0.16),
        (-1.0, 0.0),
        (-0.4, -0.16),
        (-0.6, -0.6),
        (-0.16, -0.4),
    ];
    Form::polygon(RAYS.map(|(x, y)| Point::new(at.0 + x * size, at.1 + y * size)))
}

fn draw_words(seat: Seat, at: (f64, f64), words: &str, ink: Ink, scene: &mut Scene) {
    let label = Label::new(at, 20.0, words).bold();
    let style = Style::fill(ink).with_halo(ink::WHITE);
    let shape = Shape::new(id_of(id::WORDS, seat), layer::WORDS, label.into(), style);
    scene.shapes.push(shape.jumping().entering(Enter::IMPACT));
}

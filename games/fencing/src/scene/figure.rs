//! A fencer, drawn from its joints: solid and round the first, hollow and angular the second.

use quintain_core::scene::{Form, Ink, Label, Motion, Point, Scene, Shape, Style, id_of};
use quintain_core::{PerSeat, Seat};

use super::hall::ink;
use super::pose::{Joint, Pose, pose};
use super::{END, facing, played};
use crate::{Action, Event, Fencer, Fencing};

/// Ids of the parts of a fencer. Each is followed by the seat's number.
mod id {
    pub(super) const SHADOW: u32 = 100;
    pub(super) const REACH: u32 = 102;
    pub(super) const LIMB: u32 = 110;
    pub(super) const CLOTH: u32 = 130;
    pub(super) const SHOE: u32 = 150;
    pub(super) const HAND: u32 = 160;
    pub(super) const HEAD: u32 = 170;
    pub(super) const MASK: u32 = 172;
    pub(super) const MESH: u32 = 180;
    pub(super) const GUARD: u32 = 174;
    pub(super) const BLADE: u32 = 176;
    pub(super) const SIGN: u32 = 178;
}

mod layer {
    pub(super) const REACH: u8 = 4;
    pub(super) const SHADOW: u8 = 5;
    pub(super) const BACK: u8 = 6;
    pub(super) const BODY: u8 = 7;
    pub(super) const FRONT: u8 = 8;
    pub(super) const BLADE: u8 = 9;
}

/// How thick a limb, the trunk and a head are.
const LIMB: f64 = 5.2;
const TRUNK: f64 = 9.0;
const HEAD: f64 = 5.0;
/// The rims of both: the hollow one is seen by it.
const RIMS: PerSeat<f64> = PerSeat([0.55, 1.1]);

/// One fencer at one place.
struct Figure {
    seat: Seat,
    x: f64,
    pose: Pose,
    motion: Motion,
}

impl Figure {
    fn place(&self, (ahead, above): Joint) -> Point {
        Point::new(self.x + ahead * facing(self.seat), -above)
    }

    fn add(&self, id: u32, layer: u8, form: Form, style: Style, scene: &mut Scene) {
        let shape = Shape::new(id_of(id, self.seat), layer, form, style).moving(self.motion);
        scene.shapes.push(shape);
    }

    /// A part of the body of some thickness, through joints.
    fn limb(&self, number: u32, layer: u8, joints: &[Joint], width: f64, scene: &mut Scene) {
        let form = || Form::chain(joints.iter().map(|&joint| self.place(joint)));
        let (rim, cloth) = (self.rim(), self.cloth(layer == layer::BACK));
        self.add(id::LIMB + 2 * number, layer, form(), Style::stroke(rim, width), scene);
        let style = Style::stroke(cloth, width - 2.0 * RIMS[self.seat]);
        let shape = Shape::new(id_of(id::CLOTH + 2 * number, self.seat), layer, form(), style);
        scene.shapes.push(shape.moving(self.motion).ornamental());
    }

    fn rim(&self) -> Ink {
        match self.seat {
            Seat::First => ink::RIM_FIRST,
            Seat::Second => Ink::Second,
        }
    }

    /// What the figure is filled with: less bright behind, as if in its own shadow.
    fn cloth(&self, is_behind: bool) -> Ink {
        match (self.seat, is_behind) {
            (Seat::First, false) => Ink::First,
            (Seat::First, true) => ink::BEHIND_FIRST,
            (Seat::Second, false) => ink::WHITE,
            (Seat::Second, true) => ink::BEHIND_SECOND,
        }
    }

    fn leather(&self, id: u32, layer: u8, form: Form, width: f64, scene: &mut Scene) {
        let shape =
            Shape::new(id_of(id, self.seat), layer, form, Style::stroke(ink::LEATHER, width));
        scene.shapes.push(shape.moving(self.motion).ornamental());
    }

    fn shoe(&self, number: u32, layer: u8, (ahead, above): Joint, scene: &mut Scene) {
        let form = Form::line(
            self.place((ahead - 1.5, above + 0.2)),
            self.place((ahead + 3.0, above - 0.4)),
        );
        self.leather(id::SHOE + 2 * number, layer, form, 3.4, scene);
    }

    fn body(&self, scene: &mut Scene) {
        let pose = &self.pose;
        self.limb(0, layer::BACK, &pose.back_arm, LIMB, scene);
        self.limb(1, layer::BACK, &ending_above(pose.back_leg), LIMB + 0.6, scene);
        self.shoe(0, layer::BACK, pose.back_leg[2], scene);
        self.limb(2, layer::BODY, &pose.trunk, TRUNK, scene);
        self.limb(3, layer::BODY, &ending_above(pose.front_leg), LIMB + 0.6, scene);
        self.shoe(1, layer::BODY, pose.front_leg[2], scene);
        self.limb(4, layer::FRONT, &pose.front_arm, LIMB, scene);
        let [_, _, hand] = pose.front_arm;
        let (from, to) = (self.place(hand), self.place((hand.0 + 0.4, hand.1)));
        self.leather(id::HAND, layer::FRONT, Form::line(from, to), 4.6, scene);
        let middle = |a: Joint, b: Joint| ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
        let at = self.place(middle(pose.trunk[0], pose.trunk[1]));
        let number = if self.seat == Seat::First { "1" } else { "2" };
        let label = Label::new(at, 12.0, number).sized(5.0).bold();
        let words = if self.seat == Seat::First { ink::WHITE } else { Ink::Second };
        let shape =
            Shape::new(id_of(id::SIGN, self.seat), layer::FRONT, label.into(), Style::fill(words));
        scene.shapes.push(shape.moving(self.motion).ornamental());
    }

    /// The head with its mask: round of the first, with corners of the second.
    fn head(&self, fencer: &Fencer, scene: &mut Scene) {
        let (ahead, above) = self.pose.head;
        let at = |(right, up): Joint| self.place((ahead + right, above + up));
        let form = match self.seat {
            Seat::First => Form::circle(at((0.0, 0.0)), HEAD),
            Seat::Second => {
                let corners =
                    [(-3.2, 5.0), (2.4, 5.0), (4.8, 1.0), (2.4, -5.0), (-2.4, -5.0), (-4.8, 0.0)];
                Form::polygon(corners.map(at))
            }
        };
        let style = Style::fill(self.cloth(false)).outlined(self.rim(), RIMS[self.seat]);
        let shape = Shape::new(id_of(id::HEAD, self.seat), layer::FRONT, form, style);
        let label = format!("at {}, energy {}", fencer.position, fencer.energy);
        scene.shapes.push(shape.moving(self.motion).labelled(label));
        let mask = [(0.2, 4.0), (3.2, 2.8), (4.4, 0.4), (3.6, -2.2), (1.2, -4.2), (-0.6, 0.0)];
        let form = Form::polygon(mask.map(at));
        let shape = Shape::new(
            id_of(id::MASK, self.seat),
            layer::FRONT,
            form,
            Style::fill(ink::LEATHER).outlined(ink::STEEL, 0.3),
        );
        scene.shapes.push(shape.moving(self.motion).ornamental());
        let threads = [
            (0.6, 3.2),
            (3.4, 1.9),
            (0.0, 1.6),
            (4.0, 0.3),
            (-0.2, 0.0),
            (3.6, -1.3),
            (0.4, -1.7),
            (2.6, -3.0),
        ];
        let mesh = Form::chain(threads.map(at));
        let style = Style::stroke(ink::STEEL, 0.25);
        let shape = Shape::new(id_of(id::MESH, self.seat), layer::FRONT, mesh, style);
        scene.shapes.push(shape.moving(self.motion).ornamental());
    }

    fn blade(&self, scene: &mut Scene) {
        let [_, _, hand] = self.pose.front_arm;
        let point = (hand.0 + self.pose.point.0, hand.1 + self.pose.point.1);
        let tip = self.place(point);
        // Near an end of the piste a long blade would leave the picture.
        let tip = Point::new(tip.x.clamp(-20.0, END + 20.0), tip.y);
        let form = Form::line(self.place(hand), tip);
        self.add(id::BLADE, layer::BLADE, form, Style::stroke(ink::STEEL, 0.9), scene);
        let bell = [(1.4, -3.4), (2.7, -1.8), (3.1, 0.0), (2.7, 1.8), (1.4, 3.4)];
        let guard = Form::chain(bell.map(|(on, up)| self.place((hand.0 + on, hand.1 + up))));
        let shape = Shape::new(
            id_of(id::GUARD, self.seat),
            layer::BLADE,
            guard,
            Style::stroke(ink::STEEL, 1.5),
        );
        scene.shapes.push(shape.moving(self.motion).ornamental());
    }

    fn shadow(&self, scene: &mut Scene) {
        let (behind, ahead) = (self.pose.back_leg[2].0, self.pose.front_leg[2].0);
        let form = Form::line(self.place((behind - 2.0, -2.5)), self.place((ahead + 5.0, -2.5)));
        let style = Style::stroke(ink::SHADOW, 4.0).faded(0.22);
        let shape = Shape::new(id_of(id::SHADOW, self.seat), layer::SHADOW, form, style);
        scene.shapes.push(shape.moving(self.motion).ornamental());
    }
}

/// A leg that ends in its shoe and not below it, thick as it is.
fn ending_above([hip, knee, (ahead, above)]: [Joint; 3]) -> [Joint; 3] {
    [hip, knee, (ahead, above + 2.2)]
}

impl Fencing {
    pub(super) fn draw_fencer(&self, seat: Seat, last: &[Event], scene: &mut Scene) {
        let fencer = &self.fencers()[seat];
        let action = played(seat, last);
        let is_touched = last.contains(&Event::Touched { striker: seat.other() });
        let mut pose = pose(action, is_touched);
        if action == Some(Action::Lunge) {
            let [_, _, hand] = pose.front_arm;
            pose.point = (lunge_reach(fencer) - hand.0, 1.0);
        }
        // Nobody walks back to the place of the start.
        let motion = match last.contains(&Event::Respawned) {
            true => Motion::Jump,
            false => Motion::Glide,
        };
        let figure = Figure { seat, x: f64::from(fencer.position), pose, motion };
        draw_reach(&figure, fencer, scene);
        figure.shadow(scene);
        figure.body(scene);
        figure.head(fencer, scene);
        figure.blade(scene);
    }
}

/// How far a lunge of this fencer reaches.
pub(super) fn lunge_reach(fencer: &Fencer) -> f64 {
    let row = Action::Lunge.row();
    f64::from(row.distance) + f64::from(fencer.abilities[row.ability])
}

/// On the strip, how far a lunge would reach: the first fencer's on the far half, the second's on the
/// near one, so that both can be seen.
fn draw_reach(figure: &Figure, fencer: &Fencer, scene: &mut Scene) {
    let (top, bottom) = match figure.seat {
        Seat::First => (0.8, 4.4),
        Seat::Second => (5.0, 8.6),
    };
    let to = (figure.x + lunge_reach(fencer) * facing(figure.seat)).clamp(0.0, END);
    let (left, right) = (figure.x.min(to), figure.x.max(to));
    let form = Form::rectangle(left, top, right - left, bottom - top);
    let style = Style::fill(Ink::of(figure.seat)).faded(0.35);
    let shape = Shape::new(id_of(id::REACH, figure.seat), layer::REACH, form, style);
    let label = format!("a lunge reaches {}", lunge_reach(fencer));
    scene.shapes.push(shape.moving(figure.motion).labelled(label).ornamental());
}

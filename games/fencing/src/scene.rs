//! What is drawn: the piste, two fencers with their blades, energy as bars, and the score.
//!
//! One unit is one step of the piste, whose left end is the origin. The second seat is drawn on the
//! right, whoever looks. The position does not remember the last actions: the events of the step
//! tell them, so a blade is stretched only while its lunge is shown.

use quintain_core::scene::{
    Area, Eye, Form, Ink, Motion, Point, Scene, Shape, Stage, Style, TextScene, Viewing, ending,
    id_of,
};
use quintain_core::{Game, PerSeat, Seat, Spectate};

use crate::fencer::PISTE_END;
use crate::setup::SPAWN;
use crate::text::piste_text;
use crate::{Action, Ending, Event, Fencer, Fencing};

/// Ids of shapes. What each seat has is followed by its number.
mod id {
    pub(super) const PISTE: u32 = 0;
    pub(super) const END: u32 = 1;
    pub(super) const SPAWN: u32 = 3;
    /// Plus the mark's number.
    pub(super) const MARK: u32 = 5;
    pub(super) const SCORE: u32 = 22;
    pub(super) const GAUGE: u32 = 24;
    pub(super) const ENERGY: u32 = 26;
    pub(super) const BODY: u32 = 28;
    pub(super) const HEAD: u32 = 30;
    pub(super) const BLADE: u32 = 32;
    pub(super) const NOTE: u32 = 34;
    /// Plus the action's number.
    pub(super) const BUTTON: u32 = 40;
    pub(super) const BUTTON_TEXT: u32 = 60;
}

mod layer {
    pub(super) const PISTE: u8 = 0;
    pub(super) const MARK: u8 = 1;
    pub(super) const FENCER: u8 = 2;
    pub(super) const BLADE: u8 = 3;
    pub(super) const TEXT: u8 = 4;
}

/// Longer names would make the caption too long.
const NAME_LETTERS_MAX: usize = 16;
const END: f64 = PISTE_END as f64;
/// The floor, and what stands on it.
const FLOOR_Y: f64 = 0.0;
const SHOULDER_Y: f64 = -32.0;
const HEAD_Y: f64 = -46.0;
/// A blade at rest.
const BLADE_LENGTH: f64 = 24.0;
const GAUGE_Y: f64 = -133.0;
/// Width of a bar per unit of energy: the largest gauge, 55, still fits into half of the width.
const ENERGY_WIDTH: f64 = 4.0;

impl Spectate for Fencing {
    type Trail = ();

    fn stage(&self) -> Stage {
        let floor = Form::rectangle(0.0, FLOOR_Y, END, 12.0);
        let mut background =
            vec![Shape::new(id::PISTE, layer::PISTE, floor, Style::fill(Ink::Field))];
        for (number, x) in [0.0, END].into_iter().enumerate() {
            let form = Form::line((x, FLOOR_Y - 12.0), (x, FLOOR_Y + 12.0));
            let id = id::END + number as u32;
            background.push(Shape::new(id, layer::MARK, form, Style::stroke(Ink::Wall, 4.0)));
        }
        for (seat, &x) in SPAWN.iter() {
            let form = Form::line((f64::from(x), FLOOR_Y), (f64::from(x), FLOOR_Y + 12.0));
            let style = Style::stroke(Ink::of(seat), 2.0).faded(0.6);
            background.push(Shape::new(id_of(id::SPAWN, seat), layer::MARK, form, style));
        }
        for number in 1..10 {
            let x = f64::from(number) * 50.0;
            let form = Form::line((x, FLOOR_Y + 8.0), (x, FLOOR_Y + 12.0));
            let style = Style::stroke(Ink::Faint, 1.0);
            background.push(Shape::new(id::MARK + number, layer::MARK, form, style));
        }
        let world = Area { x: -20.0, y: -150.0, width: END + 40.0, height: 240.0 };
        Stage { world, background, palette: Vec::new() }
    }

    fn draw(&self, watch: &Viewing<'_, Self>, scene: &mut Scene) {
        let names = watch.short_names(NAME_LETTERS_MAX);
        for seat in Seat::BOTH {
            self.draw_board(seat, scene);
            self.draw_fencer(seat, watch.last, scene);
            self.add_panels(seat, scene);
        }
        if let Eye::Seat(seat) = watch.eye
            && self.to_act().contains(seat)
        {
            draw_buttons(Action::of_league(self.league()), scene);
        }
        scene.caption = self.caption(&names);
    }

    fn text(&self, _eye: Eye, out: &mut TextScene) {
        piste_text(self.fencers(), out);
    }

    fn describe(event: &Event, names: &PerSeat<String>) -> String {
        match *event {
            Event::Played { seat, action } => format!("{} plays {action}", names[seat]),
            Event::Refused { seat, why } => format!("{} is disqualified: {why}", names[seat]),
            Event::Exhausted { seat } => format!("{} has no energy left for it", names[seat]),
            Event::Doped { seat } => format!("{} takes one drug too many", names[seat]),
            Event::Touched { striker } => format!("{} touches", names[striker]),
            Event::Parried { defender } => format!("{} parries", names[defender]),
            Event::Outside { seat } => format!("{} is outside", names[seat]),
            Event::Collided => "the fencers collide".to_owned(),
            Event::Respawned => "both return to their places".to_owned(),
            Event::Ended { ending } => format!("the match is over: {}", ending.reason()),
        }
    }

    fn mark(event: &Event) -> Option<&'static str> {
        match event {
            Event::Touched { .. } => Some("touch"),
            Event::Outside { .. } => Some("outside"),
            Event::Refused { .. } => Some("disqualified"),
            Event::Exhausted { .. } => Some("exhausted"),
            Event::Doped { .. } => Some("doping"),
            Event::Ended { ending } => match ending {
                Ending::Offence(_) => None,
                Ending::Decisive | Ending::TurnLimit | Ending::NonCombativity => {
                    Some(ending.reason())
                }
            },
            Event::Played { .. } | Event::Parried { .. } | Event::Collided | Event::Respawned => {
                None
            }
        }
    }
}

impl Fencing {
    fn caption(&self, names: &PerSeat<String>) -> String {
        match self.outcome() {
            Some(outcome) => ending(&outcome, names, "nobody wins"),
            None if self.is_respawn_due() => "both return to their places".to_owned(),
            None => {
                let [first, second] = self.fencers().0.map(|fencer| fencer.points);
                let PerSeat([left, right]) = names;
                format!("{left} {first} : {second} {right}")
            }
        }
    }

    /// Score and energy, each seat on its side. Whoever shows the scene names the players.
    fn draw_board(&self, seat: Seat, scene: &mut Scene) {
        let fencer = &self.fencers()[seat];
        let style = Style::fill(Ink::of(seat));
        let centre = END / 2.0 - 24.0 * facing(seat);
        let score = Form::text((centre, -128.0), 28.0, fencer.points.to_string());
        scene.shapes.push(Shape::new(id_of(id::SCORE, seat), layer::TEXT, score, style));
        let bar = |energy: i16| {
            let width = f64::from(energy.max(0)) * ENERGY_WIDTH;
            let left = if seat == Seat::First { 0.0 } else { END - width };
            Form::rectangle(left, GAUGE_Y, width, 10.0)
        };
        let gauge = Shape::new(
            id_of(id::GAUGE, seat),
            layer::MARK,
            bar(fencer.energy_max()),
            Style::fill(Ink::Faint),
        );
        let energy = Shape::new(id_of(id::ENERGY, seat), layer::FENCER, bar(fencer.energy), style);
        let label = format!("energy {} of {}", fencer.energy, fencer.energy_max());
        scene.shapes.push(gauge);
        scene.shapes.push(energy.labelled(label));
    }

    fn draw_fencer(&self, seat: Seat, last: &[Event], scene: &mut Scene) {
        let fencer = &self.fencers()[seat];
        let x = f64::from(fencer.position);
        let played = last.iter().find_map(|event| match *event {
            Event::Played { seat: who, action } if who == seat => Some(action),
            _ => None,
        });
        // Nobody walks back to the place of the start.
        let motion = match last.contains(&Event::Respawned) {
            true => Motion::Jump,
            false => Motion::Glide,
        };
        let style = Style::stroke(Ink::of(seat), 4.0);
        let legs = vec![
            Point::new(x - 10.0, FLOOR_Y),
            Point::new(x, SHOULDER_Y + 14.0),
            Point::new(x + 10.0, FLOOR_Y),
            Point::new(x, SHOULDER_Y + 14.0),
            Point::new(x, SHOULDER_Y - 6.0),
        ];
        let body = Form::Line { points: legs };
        let head = Form::circle((x, HEAD_Y), 8.0);
        let blade = blade(fencer, seat, played);
        let shapes = [
            Shape::new(id_of(id::BODY, seat), layer::FENCER, body, style),
            Shape::new(id_of(id::HEAD, seat), layer::FENCER, head, Style::fill(Ink::of(seat)))
                .labelled(format!("at {}", fencer.position)),
            Shape::new(id_of(id::BLADE, seat), layer::BLADE, blade, Style::stroke(Ink::Text, 2.0)),
        ];
        scene.shapes.extend(shapes.map(|shape| Shape { motion, ..shape }));
        if let Some(action) = played {
            let form = Form::text((x, HEAD_Y - 18.0), 9.0, action.code());
            let style = Style::fill(Ink::Text);
            scene.shapes.push(Shape::new(id_of(id::NOTE, seat), layer::TEXT, form, style));
        }
    }

    fn add_panels(&self, seat: Seat, scene: &mut Scene) {
        let fencer = &self.fencers()[seat];
        scene.add_panel(seat, "score", fencer.points);
        let energy = format!("{} / {}", fencer.energy, fencer.energy_max());
        scene.add_panel(seat, "energy", energy);
        scene.add_panel(seat, "drugs", fencer.drugs);
    }
}

/// Stretched as far as a lunge reaches, upright for a parry.
fn blade(fencer: &Fencer, seat: Seat, played: Option<Action>) -> Form {
    let (x, ahead) = (f64::from(fencer.position), facing(seat));
    let from = (x + 4.0 * ahead, SHOULDER_Y);
    match played {
        Some(Action::Lunge) => {
            let ability = fencer.abilities[Action::Lunge.row().ability];
            let reach = f64::from(Action::Lunge.row().distance) + f64::from(ability);
            // Near an end of the piste a long blade would leave the picture.
            Form::line(from, ((x + reach * ahead).clamp(-20.0, END + 20.0), SHOULDER_Y))
        }
        Some(Action::Parry) => Form::line(from, (x + 8.0 * ahead, SHOULDER_Y - BLADE_LENGTH)),
        _ => Form::line(from, (x + BLADE_LENGTH * ahead * 0.7, SHOULDER_Y - 10.0)),
    }
}

/// Where a person can click to act, five in a row.
fn draw_buttons(actions: &[Action], scene: &mut Scene) {
    for &action in actions {
        let number = action as u32;
        let (column, row) = (f64::from(number % 5), f64::from(number / 5));
        let (x, y) = (column * 100.0 + 2.0, 24.0 + row * 20.0);
        let style = Style::fill(Ink::Accent).faded(0.35).outlined(Ink::Accent, 1.0);
        let form = Form::rectangle(x, y, 96.0, 16.0);
        let button = Shape::new(id::BUTTON + number, layer::MARK, form, style);
        scene.shapes.push(button.labelled(action.code()).sending(action.code()));
        let form = Form::text((x + 48.0, y + 8.0), 7.0, action.code());
        let style = Style::fill(Ink::Text);
        scene.shapes.push(Shape::new(id::BUTTON_TEXT + number, layer::TEXT, form, style));
    }
}

fn facing(seat: Seat) -> f64 {
    match seat {
        Seat::First => 1.0,
        Seat::Second => -1.0,
    }
}

//! What is drawn: the piste, two fencers with their blades, energy as bars, and the score.
//!
//! One unit is one step of the piste, whose left end is the origin. The second seat is drawn on the
//! right, whoever looks. The position does not remember the last actions: the events of the step
//! tell them, so a blade is stretched only while its lunge is shown.

use quintain_core::scene::{
    Anchor, Area, Eye, Form, Ink, Motion, Panel, Point, Scene, Shape, Stage, Style, TextScene,
    Watch,
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
        let floor = rectangle(0.0, FLOOR_Y, END, 12.0);
        let mut background =
            vec![Shape::new(id::PISTE, layer::PISTE, floor, Style::fill(Ink::Field))];
        for (number, x) in [0.0, END].into_iter().enumerate() {
            let form = line((x, FLOOR_Y - 12.0), (x, FLOOR_Y + 12.0));
            let id = id::END + number as u32;
            background.push(Shape::new(id, layer::MARK, form, Style::stroke(Ink::Wall, 4.0)));
        }
        for (seat, &x) in SPAWN.iter() {
            let form = line((f64::from(x), FLOOR_Y), (f64::from(x), FLOOR_Y + 12.0));
            let style = Style::stroke(Ink::of(seat), 2.0).faded(0.6);
            background.push(Shape::new(of(id::SPAWN, seat), layer::MARK, form, style));
        }
        for number in 1..10 {
            let x = f64::from(number) * 50.0;
            let form = line((x, FLOOR_Y + 8.0), (x, FLOOR_Y + 12.0));
            let style = Style::stroke(Ink::Faint, 1.0);
            background.push(Shape::new(id::MARK + number, layer::MARK, form, style));
        }
        let world = Area { x: -20.0, y: -150.0, width: END + 40.0, height: 240.0 };
        Stage { world, background, palette: Vec::new() }
    }

    fn follow(_trail: &mut (), _events: &[Event]) {}

    fn draw(&self, watch: &Watch<'_, Self>, scene: &mut Scene) {
        let names = watch.names.as_ref().map(|_, name| shortened(name));
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
            Some(outcome) => match outcome.winner() {
                Some(winner) => format!("{} wins: {}", names[winner], outcome.reason),
                None => format!("nobody wins: {}", outcome.reason),
            },
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
        let score = text(centre, -128.0, 28.0, Anchor::Middle, fencer.points.to_string());
        scene.shapes.push(Shape::new(of(id::SCORE, seat), layer::TEXT, score, style));
        let bar = |energy: i16| {
            let width = f64::from(energy.max(0)) * ENERGY_WIDTH;
            let left = if seat == Seat::First { 0.0 } else { END - width };
            rectangle(left, GAUGE_Y, width, 10.0)
        };
        let gauge = Shape::new(
            of(id::GAUGE, seat),
            layer::MARK,
            bar(fencer.energy_max()),
            Style::fill(Ink::Faint),
        );
        let energy = Shape::new(of(id::ENERGY, seat), layer::FENCER, bar(fencer.energy), style);
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
        let head = Form::Circle { centre: Point::new(x, HEAD_Y), radius: 8.0 };
        let blade = blade(fencer, seat, played);
        let shapes = [
            Shape::new(of(id::BODY, seat), layer::FENCER, body, style),
            Shape::new(of(id::HEAD, seat), layer::FENCER, head, Style::fill(Ink::of(seat)))
                .labelled(format!("at {}", fencer.position)),
            Shape::new(of(id::BLADE, seat), layer::BLADE, blade, Style::stroke(Ink::Text, 2.0)),
        ];
        scene.shapes.extend(shapes.map(|shape| Shape { motion, ..shape }));
        if let Some(action) = played {
            let form = text(x, HEAD_Y - 18.0, 9.0, Anchor::Middle, action.code().to_owned());
            let style = Style::fill(Ink::Text);
            scene.shapes.push(Shape::new(of(id::NOTE, seat), layer::TEXT, form, style));
        }
    }

    fn add_panels(&self, seat: Seat, scene: &mut Scene) {
        let fencer = &self.fencers()[seat];
        let mut add = |name, value: String| {
            scene.panels.push(Panel { seat: Some(seat), name, value });
        };
        add("score", fencer.points.to_string());
        add("energy", format!("{} / {}", fencer.energy, fencer.energy_max()));
        add("drugs", fencer.drugs.to_string());
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
            line(from, ((x + reach * ahead).clamp(-20.0, END + 20.0), SHOULDER_Y))
        }
        Some(Action::Parry) => line(from, (x + 8.0 * ahead, SHOULDER_Y - BLADE_LENGTH)),
        _ => line(from, (x + BLADE_LENGTH * ahead * 0.7, SHOULDER_Y - 10.0)),
    }
}

/// Where a person can click to act, five in a row.
fn draw_buttons(actions: &[Action], scene: &mut Scene) {
    for &action in actions {
        let number = action as u32;
        let (column, row) = (f64::from(number % 5), f64::from(number / 5));
        let (x, y) = (column * 100.0 + 2.0, 24.0 + row * 20.0);
        let mut style = Style::fill(Ink::Accent).faded(0.35);
        (style.stroke, style.stroke_width) = (Some(Ink::Accent), 1.0);
        let form = rectangle(x, y, 96.0, 16.0);
        let mut button = Shape::new(id::BUTTON + number, layer::MARK, form, style);
        button.sends = Some(action.code().to_owned());
        scene.shapes.push(button.labelled(action.code()));
        let form = text(x + 48.0, y + 8.0, 7.0, Anchor::Middle, action.code().to_owned());
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

fn of(id: u32, seat: Seat) -> u32 {
    id + seat.index() as u32
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= NAME_LETTERS_MAX {
        return name.to_owned();
    }
    let mut short: String = name.chars().take(NAME_LETTERS_MAX - 1).collect();
    short.push('…');
    short
}

fn line(from: (f64, f64), to: (f64, f64)) -> Form {
    let points = vec![Point::new(from.0, from.1), Point::new(to.0, to.1)];
    Form::Line { points }
}

fn text(x: f64, y: f64, size: f64, anchor: Anchor, text: String) -> Form {
    Form::Text { at: Point::new(x, y), size, anchor, text }
}

fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Form {
    let points = vec![
        Point::new(x, y),
        Point::new(x + width, y),
        Point::new(x + width, y + height),
        Point::new(x, y + height),
    ];
    Form::Polygon { points }
}

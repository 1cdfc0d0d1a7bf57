//! What is drawn: a hall with a piste, two fencers in the pose of what they just did, the lamps with
//! the score, and the whole piste in small.
//!
//! One unit is one step of the piste, whose left end is the origin. The second seat is drawn on the
//! right, whoever looks. The position does not remember the last actions: the events of the step
//! tell them, so a blade is stretched only while its lunge is shown. The camera keeps both fencers in
//! sight; lamps, small piste and buttons are on planes of their own.

mod boards;
mod effects;
mod figure;
mod hall;
mod pose;

use quintain_core::scene::{
    Area, CAPTION_LETTERS_MAX, Eye, Gauge, Mark, Panel, Point, Scene, Stage, TextScene, Viewing,
    Window, Windows, deeds_line, ending,
};
use quintain_core::{Game, PerSeat, Seat, Spectate};

use crate::deeds::deeds;
use crate::fencer::{DRUGS_MAX, PISTE_END};
use crate::text::piste_text;
use crate::{Ability, Action, Ending, Event, Fencing};

/// Longer names would make the caption too long.
const NAME_LETTERS_MAX: usize = 16;
const END: f64 = PISTE_END as f64;
/// The proportions of the stage, and of one that is narrow: there, all room is the fencers'.
const PROPORTIONS: (f64, f64) = (35.0, 16.0);
const PROPORTIONS_NARROW: (f64, f64) = (16.0, 10.0);
/// How much of the piste a camera shows at least, and how much beside both fencers.
const SIGHT_MIN: f64 = 240.0;
const SIGHT_MIN_NARROW: f64 = 140.0;
const SIGHT_AROUND: f64 = 120.0;
/// Where the floor is in the picture, from its top.
const FLOOR_SHARE: f64 = 0.76;

impl Spectate for Fencing {
    type Trail = ();

    const TURN_MS: u32 = 700;

    fn stage(&self) -> Stage {
        hall::stage()
    }

    fn draw(&self, watch: &Viewing<'_, Self>, scene: &mut Scene) {
        let names = watch.short_names(NAME_LETTERS_MAX);
        for seat in Seat::BOTH {
            self.draw_fencer(seat, watch.last, scene);
            self.add_panels(seat, watch.last, scene);
        }
        self.draw_effects(watch.last, scene);
        self.draw_lamps(watch.last, scene);
        self.draw_small_piste(scene);
        scene.windows = self.windows();
        scene.curve = self.fencers().as_ref().map(|_, fencer| f64::from(fencer.energy.max(0)));
        scene.deeds = deeds(watch);
        scene.caption = self.caption(&names, scene);
    }

    /// The second fencer is told the piste from its own end.
    fn place_named_by(seat: Seat, point: Point) -> Point {
        match seat {
            Seat::First => point,
            Seat::Second => Point::new(END - point.x, point.y),
        }
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

    fn standing(&self) -> Option<PerSeat<i64>> {
        Some(self.fencers().as_ref().map(|_, fencer| i64::from(fencer.points)))
    }

    fn mark(event: &Event) -> Option<Mark> {
        match *event {
            Event::Touched { striker } => Some(Mark::event(striker, "touch")),
            Event::Outside { seat } => Some(Mark::loss(seat, "outside")),
            Event::Refused { seat, .. } => Some(Mark::fault(seat, "disqualified")),
            Event::Exhausted { seat } => Some(Mark::fault(seat, "exhausted")),
            Event::Doped { seat } => Some(Mark::fault(seat, "doping")),
            Event::Ended { ending } => match ending {
                Ending::Offence(_) => None,
                Ending::Decisive | Ending::TurnLimit | Ending::NonCombativity => {
                    Some(Mark::common(ending.reason()))
                }
            },
            Event::Played { .. } | Event::Parried { .. } | Event::Collided | Event::Respawned => {
                None
            }
        }
    }
}

impl Fencing {
    fn caption(&self, names: &PerSeat<String>, scene: &Scene) -> String {
        let done = deeds_line(&scene.deeds, names, CAPTION_LETTERS_MAX);
        match self.outcome() {
            Some(outcome) => ending(self, &outcome, names, "nobody wins"),
            None if !done.is_empty() => done,
            None if self.is_respawn_due() => "both return to their places".to_owned(),
            None => {
                let [first, second] = self.fencers().0.map(|fencer| fencer.points);
                let PerSeat([left, right]) = names;
                format!("{left} {first} : {second} {right}")
            }
        }
    }

    /// The camera with both fencers in the middle, and the boards.
    fn windows(&self) -> Windows {
        let camera = |sight_min: f64, (across, down): (f64, f64)| {
            let [first, second] = self.fencers().0.map(|fencer| f64::from(fencer.position));
            let wanted = (second - first).abs() + SIGHT_AROUND * sight_min / SIGHT_MIN;
            let width = (wanted.max(sight_min) / hall::NUMBERED).ceil() * hall::NUMBERED;
            let height = width * down / across;
            // The edges lie between two numbers of the piste, so that they cut none.
            let number = ((first + second - width) / 2.0 / hall::NUMBERED + 0.5).round();
            let left = (number - 0.5) * hall::NUMBERED;
            Window::whole(0, Area::new(left, -height * FLOOR_SHARE, width, height))
        };
        let with_boards = |camera: Window, boards: &[Window]| {
            [camera].into_iter().chain(boards.iter().copied()).collect()
        };
        Windows {
            wide: with_boards(camera(SIGHT_MIN, PROPORTIONS), &boards::WINDOWS),
            narrow: with_boards(camera(SIGHT_MIN_NARROW, PROPORTIONS_NARROW), &[]),
        }
    }

    fn add_panels(&self, seat: Seat, last: &[Event], scene: &mut Scene) {
        let fencer = &self.fencers()[seat];
        scene.panels.push(Panel::new(seat, "score", fencer.points).decisive());
        let gauge = Gauge {
            value: f64::from(fencer.energy.max(0)),
            max: f64::from(fencer.energy_max()),
            cells: u8::try_from(fencer.energy_max()).unwrap_or(0),
        };
        let energy = format!("{} / {}", fencer.energy, fencer.energy_max());
        let energy = Panel::new(seat, "energy", energy).with_gauge(gauge);
        scene.panels.push(match played(seat, last) {
            Some(action) => energy.changed(format!("{:+} this turn", action.row().energy)),
            None => energy,
        });
        let drugs = Gauge { value: fencer.drugs.into(), max: DRUGS_MAX.into(), cells: DRUGS_MAX };
        scene.panels.push(Panel::new(seat, "drugs", fencer.drugs).with_gauge(drugs));
        scene.add_panel(seat, "position", fencer.position);
        for (ability, name) in SKILLS {
            let skill = fencer.abilities[ability];
            if skill != 0 {
                scene.add_panel(seat, name, format!("{skill:+}"));
            }
        }
    }
}

const SKILLS: [(Ability, &str); 7] = [
    (Ability::Break, "break skill"),
    (Ability::Walk, "walk skill"),
    (Ability::DoubleWalk, "double walk skill"),
    (Ability::Retreat, "retreat skill"),
    (Ability::DoubleRetreat, "double retreat skill"),
    (Ability::LungeDistance, "lunge skill"),
    (Ability::ParryDistance, "parry skill"),
];

/// What a seat did in the latest step.
fn played(seat: Seat, last: &[Event]) -> Option<Action> {
    last.iter().find_map(|event| match *event {
        Event::Played { seat: who, action } if who == seat => Some(action),
        _ => None,
    })
}

fn facing(seat: Seat) -> f64 {
    match seat {
        Seat::First => 1.0,
        Seat::Second => -1.0,
    }
}

//! What is drawn: the road around the cars, one window for both while they are near and one for each
//! when they are apart, and above it how far the race has come.
//!
//! One unit is a block, both ways: block 7 of lane 2 has its middle at (7, 2). A person at play sees the
//! road around the own car only, as far as a bot would be told.

mod blocks;
mod boards;
mod cars;
mod panels;
mod road;
mod symbols;

use quintain_core::scene::{
    Area, CAPTION_LETTERS_MAX, Eye, Mark, Scene, Stage, TextScene, Viewing, Window, Windows,
    deeds_line, ending,
};
use quintain_core::{Game, PerSeat, Seat, Spectate};

use crate::describe::describe;
use crate::text::race_text;
use crate::{Event, Obstacle, Overdrive, Place, Powerup, Powerups};

/// Where the cars were a round before.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    before: PerSeat<Option<Place>>,
}

/// Longer names would make the caption too long.
const NAME_LETTERS_MAX: usize = 16;
/// How many blocks a window shows, how many of them behind the car, and the proportions of the stage.
#[derive(Clone, Copy)]
struct Lens {
    sight: f64,
    behind: f64,
    proportions: (f64, f64),
}

const WIDE: Lens = Lens { sight: 30.0, behind: 6.0, proportions: (35.0, 14.0) };
/// Of both cars in one window.
const NEAR: Lens = Lens { sight: 18.0, behind: 4.0, ..WIDE };
const NARROW: Lens = Lens { sight: 14.0, behind: 3.0, proportions: (35.0, 32.0) };
/// Cars that are no further apart share a window.
const GAP_MAX: u16 = 12;
/// The share of the stage's height that the strip of the race takes.
const STRIP_SHARE: f64 = 0.16;
/// Places of windows are numbered from here on; the strip has the number before.
const CAMERA: u8 = 1;

impl Spectate for Overdrive {
    type Trail = Trail;

    const TURN_MS: u32 = 600;

    fn stage(&self) -> Stage {
        road::stage(self.track())
    }

    fn remember(&self, trail: &mut Trail) {
        trail.before = self.cars().as_ref().map(|_, car| Some(car.place));
    }

    fn draw(&self, watch: &Viewing<'_, Self>, scene: &mut Scene) {
        let names = watch.short_names(NAME_LETTERS_MAX);
        scene.windows = self.windows(watch.eye);
        self.draw_road(watch.eye, scene);
        self.draw_cars(watch, scene);
        self.draw_race(scene);
        for seat in Seat::BOTH {
            self.add_panels(seat, watch.eye, scene);
        }
        scene.curve = self.cars().as_ref().map(|_, car| f64::from(car.place.block));
        scene.deeds = self.deeds(watch);
        scene.caption = self.caption(&names, scene);
    }

    fn text(&self, eye: Eye, out: &mut TextScene) {
        race_text(self, eye, out);
    }

    fn describe(event: &Event, names: &PerSeat<String>) -> String {
        describe(event, names)
    }

    fn standing(&self) -> Option<PerSeat<i64>> {
        Some(self.cars().as_ref().map(|_, car| i64::from(car.score)))
    }

    fn mark(event: &Event) -> Option<Mark> {
        match *event {
            Event::HitTruck { seat, .. } => Some(Mark::loss(seat, "truck")),
            Event::HitEmp { seat } => Some(Mark::loss(seat, "EMP")),
            Event::Hit { seat, what: Obstacle::Wall } => Some(Mark::loss(seat, "wall")),
            Event::RearEnded { seat } | Event::PutBack { seat } => {
                Some(Mark::event(seat, "collision"))
            }
            Event::SideCollision => Some(Mark::common("collision")),
            Event::Disqualified { seat } => Some(Mark::fault(seat, "disqualified")),
            Event::Finished { seat } => Some(Mark::event(seat, "finished")),
            _ => None,
        }
    }
}

impl Overdrive {
    fn caption(&self, names: &PerSeat<String>, scene: &Scene) -> String {
        let done = deeds_line(&scene.deeds, names, CAPTION_LETTERS_MAX);
        match self.outcome() {
            Some(outcome) => ending(self, &outcome, names, "nobody wins"),
            None if !done.is_empty() => done,
            None => {
                let [first, second] = self.cars().0.each_ref().map(|car| car.place.block);
                let PerSeat([left, right]) = names;
                format!("{left} at block {first}, {right} at block {second}")
            }
        }
    }

    /// The strip of the race, and below it the road around the cars that are looked at.
    fn windows(&self, eye: Eye) -> Windows {
        let [first, second] = self.cars().0.each_ref().map(|car| car.place.block);
        let apart = match eye {
            Eye::Seat(seat) => vec![self.cars()[seat].place.block],
            Eye::All => vec![first, second],
        };
        let (seen, lens) = match eye {
            Eye::All if first.abs_diff(second) <= GAP_MAX => (vec![first.min(second)], NEAR),
            _ => (apart.clone(), WIDE),
        };
        Windows {
            wide: self.cameras(boards::STRIP, &seen, lens),
            narrow: self.cameras(boards::STRIP_NARROW, &apart, NARROW),
        }
    }

    /// One window below the other, each around a block.
    fn cameras(
        &self,
        strip: boards::Strip,
        blocks: &[u16],
        Lens { sight, behind, proportions }: Lens,
    ) -> Vec<Window> {
        let height = (1.0 - STRIP_SHARE) / blocks.len() as f64;
        let rows = sight * height * proportions.1 / proportions.0;
        let rows = rows.max(f64::from(self.track().lanes()) + 1.0);
        let top = (f64::from(self.track().lanes()) + 1.0 - rows) / 2.0;
        let camera = |(number, &block): (usize, &u16)| {
            let view = Area::new(f64::from(block) - behind, top, sight, rows);
            let y = STRIP_SHARE + height * number as f64;
            let place = Area::new(0.0, y, 1.0, height);
            Window::whole(0, view).placed(CAMERA + number as u8, place)
        };
        let cameras = blocks.iter().enumerate().map(camera);
        [strip.window(STRIP_SHARE)].into_iter().chain(cameras).collect()
    }

    /// The blocks that anybody who looks may see: those around the own car, or all that a window shows.
    fn blocks_in_sight(&self, eye: Eye, scene: &Scene) -> Vec<u16> {
        let length = i32::from(self.track().length());
        let mut blocks: Vec<u16> = Vec::new();
        let mut add = |first: i32, last: i32| {
            blocks.extend((first.max(1)..=last.min(length)).map(|block| block as u16));
        };
        match eye {
            Eye::Seat(seat) => {
                let centre = i32::from(self.cars()[seat].place.block);
                let figures = &self.config().figures;
                add(centre - figures.backward_visibility, centre + figures.forward_visibility);
            }
            Eye::All => {
                let windows = scene.windows.wide.iter().chain(&scene.windows.narrow);
                for Window { view, .. } in windows.filter(|window| window.plane == 0) {
                    add(view.x.floor() as i32, (view.x + view.width).ceil() as i32);
                }
            }
        }
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    }
}

/// Kinds with their counts, in words.
pub(crate) fn powerup_list(powerups: &Powerups) -> String {
    let held = Powerup::ALL.into_iter().filter(|&powerup| powerups.has(powerup));
    let counted = held.map(|powerup| format!("{} {}", powerups.count(powerup), powerup.name()));
    let list: Vec<String> = counted.collect();
    if list.is_empty() { "none".to_owned() } else { list.join(", ") }
}

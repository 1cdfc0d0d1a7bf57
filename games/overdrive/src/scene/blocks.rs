//! What lies on the road where it is seen, and the numbers of blocks and lanes.

use quintain_core::scene::{Enter, Eye, Form, Ink, Label, Leave, Scene, Shape, Style, Window};

use super::symbols::{self, ink};
use crate::describe::at;
use crate::{Overdrive, Place, Surface};

/// Ids of shapes, with room for every block of every lane.
mod id {
    pub(super) const BLOCK_NUMBER: u32 = 10_000;
    pub(super) const LANE_NUMBER: u32 = 9_000;
    pub(super) const SURFACE: u32 = 1_000_000;
    pub(super) const TRUCK: u32 = 2_000_000;
}

mod layer {
    pub(super) const SURFACE: u8 = 4;
    pub(super) const TRUCK: u8 = 6;
    pub(super) const WORDS: u8 = 12;
}

/// Every so many blocks have their number.
const NUMBERED: u16 = 5;
/// How far from the edge of a window a number is whole, in blocks.
const NUMBER_ROOM: f64 = 0.8;

impl Overdrive {
    pub(super) fn draw_road(&self, eye: Eye, scene: &mut Scene) {
        let lanes = self.track().lanes();
        for block in self.blocks_in_sight(eye, scene) {
            for lane in 1..=lanes {
                self.draw_block(Place::new(lane, block), scene);
            }
            if block.is_multiple_of(NUMBERED) && has_room_for_number(block, scene) {
                let place = (f64::from(block), f64::from(lanes) + 0.8);
                let label = Label::new(place, 13.0, block.to_string()).bold();
                let style = Style::fill(Ink::Text).with_halo(ink::VERGE);
                let id = id::BLOCK_NUMBER + u32::from(block);
                scene.shapes.push(Shape::new(id, layer::WORDS, label.into(), style).roomy());
            }
        }
        self.draw_lane_numbers(scene);
    }

    fn draw_block(&self, place: Place, scene: &mut Scene) {
        let cell = self.block(place);
        let number =
            u32::from(place.lane - 1) * u32::from(self.track().length()) + u32::from(place.block);
        let centre = (f64::from(place.block), f64::from(place.lane));
        let surface = cell.surface();
        if let Some(symbol) = symbols::of_surface(surface) {
            let size = match surface {
                Surface::FinishLine | Surface::Wall => 0.5,
                Surface::Mud | Surface::OilSpill => 0.44,
                _ => 0.36,
            };
            let form = Form::symbol(symbol, centre, size);
            let style = Style::fill(tint(surface));
            let shape = Shape::new(id::SURFACE + number, layer::SURFACE, form, style);
            let label = format!("{} at {}", name(surface), at(place));
            scene.shapes.push(shape.jumping().labelled(label).leaving(Leave::AT_IMPACT));
        }
        if cell.has_truck() {
            let form = Form::symbol(symbols::TRUCK, centre, 0.5);
            let style = Style::fill(Ink::Wall);
            let shape = Shape::new(id::TRUCK + number, layer::TRUCK, form, style);
            let shape = shape.jumping().entering(Enter::IMPACT).leaving(Leave::DYING);
            scene.shapes.push(shape.labelled(format!("truck at {}", at(place))));
        }
    }

    /// At the left of every window, unless they would stand in the midst of another one.
    fn draw_lane_numbers(&self, scene: &mut Scene) {
        let windows: Vec<Window> =
            scene.windows.wide.iter().filter(|window| window.plane == 0).copied().collect();
        let is_within =
            |x: f64, Window { view, .. }: &Window| view.x < x && x < view.x + view.width;
        let edges = windows.iter().map(|window| (u32::from(window.id), window.view.x));
        let edges = edges.filter(|(_, x)| !windows.iter().any(|window| is_within(*x, window)));
        for (window, x) in edges {
            for lane in 1..=self.track().lanes() {
                let label = Label::new((x + 0.4, f64::from(lane)), 15.0, lane.to_string()).bold();
                let style = Style::fill(ink::WHITE).with_halo(ink::BLACK);
                let id = id::LANE_NUMBER + 100 * window + u32::from(lane);
                let shape = Shape::new(id, layer::WORDS, label.into(), style);
                scene.shapes.push(shape.roomy());
            }
        }
    }
}

/// Whether no window cuts the number of a block.
fn has_room_for_number(block: u16, scene: &Scene) -> bool {
    let x = f64::from(block);
    let mut windows = scene.windows.wide.iter().filter(|window| window.plane == 0);
    windows.all(|Window { view, .. }| {
        let edges = [view.x, view.x + view.width];
        edges.iter().all(|edge| (x - edge).abs() > NUMBER_ROOM)
    })
}

/// Where there are only letters, what hurts and what helps have different colours.
fn tint(surface: Surface) -> Ink {
    match surface {
        Surface::Mud => ink::MUD,
        Surface::OilSpill => ink::SHEEN,
        Surface::Wall => ink::BRICK,
        Surface::Empty | Surface::FinishLine => Ink::Text,
        _ => Ink::Accent,
    }
}

fn name(surface: Surface) -> &'static str {
    match surface {
        Surface::Empty => "nothing",
        Surface::Mud => "mud",
        Surface::OilSpill => "oil spill",
        Surface::OilItem => "oil",
        Surface::FinishLine => "finish line",
        Surface::Boost => "boost",
        Surface::Wall => "wall",
        Surface::Lizard => "lizard",
        Surface::Tweet => "tweet",
        Surface::Emp => "EMP",
    }
}

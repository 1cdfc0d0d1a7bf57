//! What lives for one turn.

use super::{Scene, Shape};

/// Adds shapes that show what a turn did. Their ids differ from those of the turn before, so that a shot is
/// never taken for the last one that has moved.
pub struct Effects<'a> {
    pub scene: &'a mut Scene,
    next: u32,
}

impl<'a> Effects<'a> {
    /// How many ids a turn has; from `first` on there are two times as many.
    pub const IDS: u32 = 10_000;

    pub fn new(scene: &'a mut Scene, first: u32, turn: u32) -> Effects<'a> {
        Effects { scene, next: first + turn % 2 * Effects::IDS }
    }

    /// Adds a shape with the next id, whatever it had.
    pub fn show(&mut self, mut shape: Shape) {
        shape.id = self.next;
        self.next += 1;
        self.scene.shapes.push(shape);
    }
}

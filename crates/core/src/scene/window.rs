//! What part of a drawing is shown where on a stage.

use serde::Serialize;

use super::Area;

/// A part of a plane, shown at a place of the stage. Shapes name the plane that they are drawn on:
/// plane 0 is the world, others are boards and maps with coordinates of their own. A plane may be shown
/// by several windows, for instance by one for each car and by a small map.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Window {
    /// The same for the same window in consecutive scenes, so that its view glides.
    pub id: u8,
    pub plane: u8,
    /// What it shows. If the proportions differ from those of its place, more is shown, never less.
    pub view: Area,
    /// Where it is, in shares of the stage: 0 to 1 from its left and from its top.
    pub place: Area,
    /// A lens: round, with a rim.
    pub is_round: bool,
}

impl Window {
    /// A whole stage that shows a part of a plane.
    pub const fn whole(plane: u8, view: Area) -> Window {
        let place = Area { x: 0.0, y: 0.0, width: 1.0, height: 1.0 };
        Window { id: 0, plane, view, place, is_round: false }
    }

    /// At a place of the stage.
    pub const fn placed(mut self, id: u8, place: Area) -> Window {
        (self.id, self.place) = (id, place);
        self
    }

    pub const fn round(mut self) -> Window {
        self.is_round = true;
        self
    }
}

/// The windows of a scene, in the order in which they are drawn. A scene without any shows the whole
/// world of its stage.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Windows {
    pub wide: Vec<Window>,
    /// On a narrow screen, such as that of a telephone; if there are none, those of a wide one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub narrow: Vec<Window>,
}

impl Windows {
    pub fn is_empty(&self) -> bool {
        self.wide.is_empty() && self.narrow.is_empty()
    }
}

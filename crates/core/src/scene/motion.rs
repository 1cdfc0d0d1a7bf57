//! How shapes move, come and go between two scenes.
//!
//! A picture shows the end of a turn with everything that the turn did at full strength. Whoever plays
//! a film goes from one scene to the next in the time of a turn, whose parts are told here in
//! hundredths.

use serde::Serialize;

use super::Point;

/// How a shape that was in the scene before comes to its new place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Motion {
    /// Evenly, in the first part of the turn.
    #[default]
    Glide,
    /// At once, at the beginning of the turn.
    Jump,
    /// As something that is pushed: a little too far, and back.
    Push,
    /// On an arc, as something that leaps or is thrown.
    Arc,
}

/// How a shape that was not in the scene before appears, and when.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Enter {
    pub how: Entrance,
    /// In hundredths of the turn.
    pub from: u8,
    pub to: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entrance {
    /// It becomes visible little by little.
    Fade,
    /// From its middle to its size.
    Grow,
    /// From a little below its place, as the number of a loss does; it is gone at the end of the turn.
    Rise,
    /// A line is drawn from its first point to its last.
    Trace,
    /// It flies from a place to its own, and is gone when it has arrived.
    Fly(Point),
    /// As `Fly`, on an arc.
    Throw(Point),
}

impl Enter {
    /// An order that is shown.
    pub const ORDER: Enter = Enter { how: Entrance::Fade, from: 0, to: 15 };
    /// A shot, a beam, a wave.
    pub const SHOT: Enter = Enter { how: Entrance::Trace, from: 50, to: 72 };
    /// What something does where it hits.
    pub const IMPACT: Enter = Enter { how: Entrance::Grow, from: 72, to: 90 };
    /// The number of a loss or a gain.
    pub const NUMBER: Enter = Enter { how: Entrance::Rise, from: 72, to: 100 };
    /// What was left behind by somebody who moved.
    pub const TRAIL: Enter = Enter { how: Entrance::Trace, from: 0, to: 60 };
    /// What stands where something died.
    pub const GRAVE: Enter = Enter { how: Entrance::Fade, from: 80, to: 100 };

    /// Something that flies from a place to where it is shown.
    pub const fn flying(from: Point) -> Enter {
        Enter { how: Entrance::Fly(from), from: 60, to: 90 }
    }

    /// Something that is thrown from a place to where it is shown.
    pub const fn thrown(from: Point) -> Enter {
        Enter { how: Entrance::Throw(from), from: 50, to: 72 }
    }
}

/// How a shape goes that is not in the next scene, in hundredths of the turn that leads there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Leave {
    /// At a moment.
    Cut(u8),
    /// It becomes fainter from a moment to another one.
    Fade(u8, u8),
    /// It becomes smaller and fainter, as what dies.
    Shrink(u8, u8),
}

impl Leave {
    /// With the first moment of the next turn.
    pub const AT_ONCE: Leave = Leave::Cut(0);
    /// When what flies hits: dirt that is blown away, a pack that is taken.
    pub const AT_IMPACT: Leave = Leave::Cut(72);
    /// Ghosts and trails.
    pub const SLOWLY: Leave = Leave::Fade(0, 100);
    /// Somebody who dies.
    pub const DYING: Leave = Leave::Shrink(80, 100);

    pub(super) fn is_at_once(&self) -> bool {
        *self == Leave::AT_ONCE
    }
}

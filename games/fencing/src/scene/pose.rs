//! How a fencer stands: its joints, ahead of and above the place where it is.

use crate::Action;

/// Ahead (negative: behind) and above the floor, in steps of the piste.
pub(super) type Joint = (f64, f64);

#[derive(Clone, Copy, Debug)]
pub(super) struct Pose {
    pub(super) front_leg: [Joint; 3],
    pub(super) back_leg: [Joint; 3],
    /// From the hip to the neck.
    pub(super) trunk: [Joint; 2],
    pub(super) head: Joint,
    /// From the shoulder to the hand with the blade.
    pub(super) front_arm: [Joint; 3],
    pub(super) back_arm: [Joint; 3],
    /// The end of the blade, from the hand.
    pub(super) point: Joint,
}

/// Ready, after nothing was played.
pub(super) const ON_GUARD: Pose = Pose {
    front_leg: [(1.0, 23.0), (9.5, 15.0), (11.5, 1.5)],
    back_leg: [(-1.0, 23.0), (-9.0, 14.0), (-12.0, 1.5)],
    trunk: [(0.0, 24.0), (2.5, 38.0)],
    head: (4.5, 46.0),
    front_arm: [(3.5, 36.5), (9.0, 31.0), (15.0, 33.5)],
    back_arm: [(1.0, 37.0), (-6.5, 36.0), (-9.5, 43.5)],
    point: (18.0, 3.0),
};

const WALKING: Pose = Pose {
    front_leg: [(1.0, 23.5), (11.5, 16.0), (15.0, 2.5)],
    back_leg: [(-1.0, 23.5), (-6.0, 12.5), (-13.5, 1.5)],
    trunk: [(0.5, 24.0), (5.0, 37.5)],
    head: (8.0, 45.0),
    ..ON_GUARD
};

const RETREATING: Pose = Pose {
    front_leg: [(1.0, 23.0), (8.0, 13.0), (12.5, 1.5)],
    back_leg: [(-1.5, 23.0), (-11.0, 15.5), (-16.0, 2.5)],
    trunk: [(-1.0, 24.0), (-1.5, 38.5)],
    head: (-1.0, 46.5),
    front_arm: [(0.0, 37.0), (7.0, 32.0), (13.0, 35.0)],
    back_arm: [(-2.5, 37.0), (-9.5, 35.0), (-12.0, 42.5)],
    ..ON_GUARD
};

const LUNGING: Pose = Pose {
    front_leg: [(7.5, 17.0), (20.0, 16.0), (20.5, 1.5)],
    back_leg: [(4.5, 17.0), (-6.0, 10.0), (-17.5, 1.5)],
    trunk: [(6.0, 18.0), (12.5, 30.5)],
    head: (17.0, 38.0),
    front_arm: [(13.5, 30.0), (20.0, 30.5), (26.0, 31.5)],
    back_arm: [(11.5, 30.0), (3.0, 28.0), (-4.5, 24.5)],
    // As long as it reaches: set when the reach is known.
    point: (14.0, 0.0),
};

const PARRYING: Pose = Pose {
    front_arm: [(3.0, 36.5), (8.0, 30.0), (12.5, 33.0)],
    trunk: [(-0.5, 24.0), (1.0, 38.0)],
    head: (2.5, 46.0),
    point: (3.5, 19.0),
    ..ON_GUARD
};

const RESTING: Pose = Pose {
    front_leg: [(0.5, 26.0), (3.0, 14.0), (4.0, 1.5)],
    back_leg: [(-0.5, 26.0), (-3.0, 14.0), (-4.5, 1.5)],
    trunk: [(0.0, 27.0), (0.0, 41.5)],
    head: (1.0, 49.5),
    front_arm: [(1.0, 40.0), (4.5, 32.0), (8.5, 26.0)],
    back_arm: [(-1.0, 40.0), (-4.5, 32.5), (-5.5, 25.0)],
    point: (10.0, -18.0),
};

const DRINKING: Pose = Pose {
    back_arm: [(1.0, 40.0), (8.5, 38.5), (6.0, 46.5)],
    front_arm: [(1.0, 40.0), (-3.0, 33.0), (3.5, 28.0)],
    point: (13.0, -14.0),
    ..RESTING
};

const STRUCK: Pose = Pose {
    trunk: [(-1.0, 23.5), (-4.0, 37.5)],
    head: (-5.5, 45.5),
    front_arm: [(-2.5, 36.5), (4.5, 33.5), (9.0, 39.0)],
    back_arm: [(-5.0, 37.0), (-12.0, 38.5), (-15.5, 45.0)],
    point: (9.0, 15.0),
    ..RETREATING
};

/// The pose of what was played; of whoever is touched by it, that of being struck.
pub(super) fn pose(played: Option<Action>, is_touched: bool) -> Pose {
    match played {
        _ if is_touched && played != Some(Action::Lunge) => STRUCK,
        None => ON_GUARD,
        Some(Action::Break) => RESTING,
        Some(Action::Walk | Action::DoubleWalk) => WALKING,
        Some(Action::Retreat | Action::DoubleRetreat) => RETREATING,
        Some(Action::Lunge) => LUNGING,
        Some(Action::Parry) => PARRYING,
        Some(_) => DRINKING,
    }
}

//! What must hold of every scene, and what tests ask of one.

use quintain_core::scene::{Eye, Form, Point, Presence, Scene, Shape, Stage, Viewing};
use quintain_core::{Chance, Fault, Notation, PerSeat, Reply, Spectate};

/// Checks that no two shapes of a picture have the same id.
///
/// # Panics
/// If two have; the message has all ids in order.
pub fn check_ids_are_unique(stage: &Stage, scene: &Scene) {
    let mut ids: Vec<u32> =
        stage.background.iter().chain(&scene.shapes).map(|shape| shape.id).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "{ids:?}");
}

/// Checks that every point of what a picture must show lies inside its world. What only makes it
/// pleasant may reach beyond, and other planes have their own places.
///
/// # Panics
/// If one does not; the message has its shape.
pub fn check_inside(stage: &Stage, scene: &Scene) {
    let world = stage.world;
    let must_show = |shape: &&Shape| shape.plane == 0 && shape.presence == Presence::Always;
    for shape in stage.background.iter().chain(&scene.shapes).filter(must_show) {
        for point in points(shape) {
            assert!((world.x..=world.x + world.width).contains(&point.x), "{shape:?}");
            assert!((world.y..=world.y + world.height).contains(&point.y), "{shape:?}");
        }
    }
}

/// The points by which a shape is placed.
pub fn points(shape: &Shape) -> Vec<Point> {
    match &shape.form {
        Form::Line { points } | Form::Polygon { points } => points.clone(),
        Form::Circle { centre, .. } => vec![*centre],
        Form::Text(label) => vec![label.at],
        Form::Symbol { at, .. } => vec![*at],
        // Curves are not followed.
        Form::Path { .. } => Vec::new(),
    }
}

/// Plays a step of Anna and Bert with these orders, an empty one for no answer in time, and draws what came of
/// it for a spectator and for both at play.
pub fn scenes_after<G: Spectate + Notation>(
    game: &mut G,
    orders: [&str; 2],
    chance: &mut dyn Chance,
) -> (Scene, PerSeat<Scene>) {
    let replies = PerSeat(orders.map(|text| {
        Some(match text {
            "" => Reply::Fault(Fault::Late),
            text => {
                G::read(text).map_or_else(|error| Reply::Fault(Fault::Malformed(error)), Reply::Act)
            }
        })
    }));
    let (mut trail, mut events) = (G::Trail::default(), Vec::new());
    game.remember(&mut trail);
    game.advance(&replies, chance, &mut events);
    G::follow(&mut trail, &events);
    let names = PerSeat(["Anna", "Bert"].map(str::to_owned));
    let drawn = |eye| {
        let (names, trail, replies) = (&names, &trail, &replies);
        game.drawn(&Viewing { eye, names, trail, replies, last: &events })
    };
    (drawn(Eye::All), PerSeat::from_fn(|seat| drawn(Eye::Seat(seat))))
}

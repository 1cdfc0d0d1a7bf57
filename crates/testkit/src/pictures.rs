//! What must hold of every scene, and what tests ask of one.

use quintain_core::scene::{Form, Point, Scene, Shape, Stage};

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

/// Checks that every point of a picture lies inside the part of the world that is shown.
///
/// # Panics
/// If one does not; the message has its shape.
pub fn check_inside(stage: &Stage, scene: &Scene) {
    let world = stage.world;
    for shape in stage.background.iter().chain(&scene.shapes) {
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
        Form::Text { at, .. } => vec![*at],
    }
}

/// What can be clicked, as the text that a click sends.
pub fn clicks(scene: &Scene) -> Vec<String> {
    scene.shapes.iter().filter_map(|shape| shape.sends.clone()).collect()
}

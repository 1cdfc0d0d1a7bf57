//! What a person may command, by what the car has and where it is.

use quintain_core::scene::Form;
use quintain_core::{Arrow, Suggestion};

use crate::{Action, Place, Powerup, View};

/// Begins what sends a truck somewhere.
const TWEET: &str = "USE_TWEET ";

/// So many blocks beyond the place that the other car reaches next are offered for a truck.
const BLOCKS_AHEAD: u16 = 3;

pub(crate) fn suggest(view: &View, typed: &str) -> Vec<Suggestion> {
    if typed.to_ascii_uppercase().starts_with(TWEET) { trucks(view) } else { commands(view) }
}

fn commands(view: &View) -> Vec<Suggestion> {
    let (lane, lanes) = (usize::from(view.own.place.lane), view.window.lanes().count());
    let suggest = |action: Action, note: String| Suggestion::new(action.to_string(), note);
    let mut found = vec![
        suggest(Action::Accelerate, String::new()).on_arrow(Arrow::Right),
        suggest(Action::Nothing, format!("speed {}", view.own.speed)),
        suggest(Action::Decelerate, String::new()).on_arrow(Arrow::Left),
    ];
    // Pictures show the road from its side: lane 1 is at the top.
    if lane > 1 {
        let turn = suggest(Action::TurnLeft, format!("to lane {}", lane - 1));
        found.push(turn.on_arrow(Arrow::Up));
    }
    if lane < lanes {
        let turn = suggest(Action::TurnRight, format!("to lane {}", lane + 1));
        found.push(turn.on_arrow(Arrow::Down));
    }
    for action in [Action::UseBoost, Action::UseOil, Action::UseLizard, Action::UseEmp] {
        if let Some(left) = left(view, action.powerup()) {
            found.push(suggest(action, left));
        }
    }
    if let Some(left) = left(view, Some(Powerup::Tweet)) {
        found.push(Suggestion::new(TWEET, format!("{left}: lane block")));
    }
    found.push(suggest(Action::Fix, format!("damage {}", view.own.damage)));
    found
}

/// How many of a powerup there are, if there are any.
fn left(view: &View, powerup: Option<Powerup>) -> Option<String> {
    let count = view.own.powerups.count(powerup?);
    (count > 0).then(|| format!("{count} left"))
}

/// Places in the way of the other car.
fn trucks(view: &View) -> Vec<Suggestion> {
    let Place { lane, block } = view.opponent.place;
    let lanes = 1..=view.window.lanes().count() as u8;
    let reached = block + u16::from(view.opponent.speed);
    let mut places: Vec<Place> = lanes
        .flat_map(|lane| (1..=BLOCKS_AHEAD).map(move |ahead| Place::new(lane, reached + ahead)))
        .collect();
    places.sort_by_key(|place| place.lane.abs_diff(lane));
    let note = |place: &Place| if place.lane == lane { "in its lane" } else { "" };
    let suggest = |place: &Place| {
        let (x, y) = (f64::from(place.block), f64::from(place.lane));
        let aim = Form::rectangle(x - 0.5, y - 0.5, 1.0, 1.0);
        Suggestion::new(Action::tweet(*place).to_string(), note(place)).aimed_at(aim)
    };
    places.iter().map(suggest).collect()
}

//! A film as text for the player: one line for what stays, then one line of JSON for each frame, which
//! says only what changed. Shapes are the objects that they serialise to; the player puts the lines
//! together again (`web/film.js`).
//!
//! A frame's line is an object. `set` has shapes: whole ones that are new, and of others their id and the
//! fields that changed, where `null` takes a field away. `gone` has ids. `order` has, by layer, the ids of
//! layers in which the order of shapes is another one than that of before with the new ones behind. Every
//! other key is a field of the scene that changed.

use std::collections::{BTreeMap, HashMap};

use quintain_core::PerSeat;
use quintain_core::scene::{Eye, Film, Frame, Mark, Scene, Shape, Stage};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The first line.
#[derive(Serialize)]
struct Head<'a> {
    title: &'static str,
    turn_name: &'static str,
    names: &'a PerSeat<String>,
    ending: &'a str,
    turn_ms: u32,
    eye: &'static str,
    stage: Value,
    /// Turns completed in each frame.
    turns: Vec<u32>,
    /// What the seek bar is a picture of, per frame.
    curve: Vec<PerSeat<Value>>,
    /// By the number of the frame.
    marks: Vec<(usize, &'a Mark)>,
    /// The names of what can be switched off, such as layers of what bots drew.
    groups: Vec<&'a str>,
}

/// A viewer has no room for more switches.
const GROUPS_MAX: usize = 24;

/// The film's lines, each with its end.
pub(crate) fn film_text(mut film: Film, eye: Eye) -> Vec<u8> {
    let mut out = Vec::new();
    push_line(&mut out, &head(&film, eye));
    let mut before = Shown::default();
    for frame in &mut film.frames {
        push_line(&mut out, &Value::Object(before.difference(&mut frame.scene)));
    }
    out
}

fn push_line(out: &mut Vec<u8>, line: &impl Serialize) {
    serde_json::to_writer(&mut *out, line).expect("scenes have keys of text and finite numbers");
    out.push(b'\n');
}

fn head(film: &Film, eye: Eye) -> impl Serialize + '_ {
    let frames = &film.frames;
    let marks = frames.iter().enumerate().flat_map(|(number, frame)| {
        let may_be_seen = move |mark: &&Mark| match eye {
            Eye::All => true,
            Eye::Seat(seat) => mark.seat == Some(seat),
        };
        frame.marks.iter().filter(may_be_seen).map(move |mark| (number, mark))
    });
    Head {
        title: film.title,
        turn_name: film.turn_name,
        names: &film.names,
        ending: &film.ending,
        turn_ms: film.turn_ms,
        eye: eye_name(eye),
        stage: stage_value(&film.stage),
        turns: frames.iter().map(|frame| frame.turn).collect(),
        curve: frames.iter().map(curve_of).collect(),
        marks: marks.collect(),
        groups: groups_of(frames),
    }
}

fn groups_of(frames: &[Frame]) -> Vec<&str> {
    let shapes = frames.iter().flat_map(|frame| &frame.scene.shapes);
    let mut groups: Vec<&str> = Vec::new();
    for group in shapes.filter_map(|shape| shape.group.as_deref()) {
        if groups.len() < GROUPS_MAX && !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups
}

fn curve_of(frame: &Frame) -> PerSeat<Value> {
    frame.scene.curve.map(|_, value| short_number(value))
}

/// As addresses and the player name it.
pub(crate) fn eye_name(eye: Eye) -> &'static str {
    match eye {
        Eye::All => "all",
        Eye::Seat(seat) => seat.name(),
    }
}

fn stage_value(stage: &Stage) -> Value {
    compact(value_of(stage))
}

fn value_of(part: &impl Serialize) -> Value {
    serde_json::to_value(part).expect("scenes have keys of text and finite numbers")
}

/// What the player shows after the frames that were written.
#[derive(Default)]
struct Shown {
    shapes: HashMap<u32, Shape>,
    layers: BTreeMap<u8, Vec<u32>>,
    fields: Map<String, Value>,
}

impl Shown {
    /// What has to be said so that the player shows this scene. Its shapes are taken.
    fn difference(&mut self, scene: &mut Scene) -> Map<String, Value> {
        let shapes = std::mem::take(&mut scene.shapes);
        let mut line = self.changed_fields(scene);
        let layers = layers_of(&shapes);
        let (set, gone) = self.changed_shapes(shapes);
        let order = self.changed_order(layers);
        for (key, list) in [("set", set), ("gone", gone)] {
            if !list.is_empty() {
                line.insert(key.to_owned(), list.into());
            }
        }
        if !order.is_empty() {
            line.insert("order".to_owned(), order.into());
        }
        line
    }

    fn changed_fields(&mut self, scene: &Scene) -> Map<String, Value> {
        let Value::Object(mut fields) = value_of(scene) else {
            unreachable!("a scene is an object");
        };
        for elsewhere in ["shapes", "curve"] {
            fields.remove(elsewhere);
        }
        let fields: Map<String, Value> =
            fields.into_iter().map(|(key, value)| (key, compact(value))).collect();
        let changed = differences(&self.fields, &fields);
        self.fields = fields;
        changed
    }

    fn changed_shapes(&mut self, shapes: Vec<Shape>) -> (Vec<Value>, Vec<Value>) {
        let mut before = std::mem::take(&mut self.shapes);
        let mut set = Vec::new();
        for shape in shapes {
            match before.remove(&shape.id) {
                Some(old) if old == shape => {}
                Some(old) => set.push(changed_shape(&old, &shape)),
                None => set.push(compact(value_of(&shape))),
            }
            self.shapes.insert(shape.id, shape);
        }
        let mut gone: Vec<u32> = before.into_keys().collect();
        gone.sort_unstable();
        (set, gone.into_iter().map(Value::from).collect())
    }

    fn changed_order(&mut self, layers: BTreeMap<u8, Vec<u32>>) -> Map<String, Value> {
        let mut order = Map::new();
        for (layer, ids) in &layers {
            let old = self.layers.get(layer).map_or(&[][..], Vec::as_slice);
            if implied_order(old, ids) != *ids {
                order.insert(layer.to_string(), json!(ids));
            }
        }
        self.layers = layers;
        order
    }
}

/// The order that the player takes for granted: who was there stays, who is new stands behind.
fn implied_order(old: &[u32], new: &[u32]) -> Vec<u32> {
    let (is_old, is_new): (std::collections::HashSet<u32>, std::collections::HashSet<u32>) =
        (old.iter().copied().collect(), new.iter().copied().collect());
    let stay = old.iter().filter(|id| is_new.contains(id));
    let come = new.iter().filter(|id| !is_old.contains(id));
    stay.chain(come).copied().collect()
}

fn layers_of(shapes: &[Shape]) -> BTreeMap<u8, Vec<u32>> {
    let mut layers: BTreeMap<u8, Vec<u32>> = BTreeMap::new();
    for shape in shapes {
        layers.entry(shape.layer).or_default().push(shape.id);
    }
    layers
}

fn changed_shape(old: &Shape, new: &Shape) -> Value {
    let (Value::Object(old), Value::Object(new)) = (compact(value_of(old)), compact(value_of(new)))
    else {
        unreachable!("a shape is an object");
    };
    let mut changed = differences(&old, &new);
    changed.insert("id".to_owned(), new["id"].clone());
    Value::Object(changed)
}

/// The fields of `new` that differ, and `null` for those that are no more.
fn differences(old: &Map<String, Value>, new: &Map<String, Value>) -> Map<String, Value> {
    let changed = new.iter().filter(|(key, value)| old.get(*key) != Some(*value));
    let lost = old.keys().filter(|key| !new.contains_key(*key));
    let changed = changed.map(|(key, value)| (key.clone(), value.clone()));
    changed.chain(lost.map(|key| (key.clone(), Value::Null))).collect()
}

/// The same with no more decimals than anyone can see, and without what the player takes for granted.
fn compact(value: Value) -> Value {
    match value {
        Value::Number(number) => {
            number.as_f64().filter(|_| number.is_f64()).map_or(Value::Number(number), short_number)
        }
        Value::Array(items) => items.into_iter().map(compact).collect(),
        Value::Object(fields) => {
            let kept =
                fields.into_iter().filter(|(key, value)| !(key == "motion" && value == "glide"));
            kept.map(|(key, value)| (key, compact(value))).collect()
        }
        other => other,
    }
}

/// To a thousandth, and whole numbers without a point.
fn short_number(number: f64) -> Value {
    let short = (number * 1000.0).round() / 1000.0;
    if short.fract() == 0.0 && short.abs() < 1e15 { json!(short as i64) } else { json!(short) }
}

#[cfg(test)]
mod tests {
    use quintain_core::scene::{Form, Ink, Style};

    use super::*;

    fn dot(id: u32, layer: u8, x: f64) -> Shape {
        Shape::new(id, layer, Form::circle((x, 0.5), 1.0), Style::fill(Ink::First))
    }

    fn scene(shapes: Vec<Shape>) -> Scene {
        Scene { shapes, caption: "caption".to_owned(), ..Scene::default() }
    }

    fn said(shown: &mut Shown, shapes: Vec<Shape>) -> Value {
        Value::Object(shown.difference(&mut scene(shapes)))
    }

    #[test]
    fn a_frame_says_only_what_changed() {
        let mut shown = Shown::default();
        let first = said(&mut shown, vec![dot(1, 0, 0.0), dot(2, 1, 0.25)]);
        assert_eq!(first["set"].as_array().map(Vec::len), Some(2));
        assert_eq!(first["set"][1]["form"]["circle"]["centre"], json!([0.25, 0.5]));
        assert_eq!(first["caption"], "caption");
        let nothing = said(&mut shown, vec![dot(1, 0, 0.0), dot(2, 1, 0.25)]);
        assert_eq!(nothing, json!({}));
        let moved = said(&mut shown, vec![dot(2, 1, 0.123_456)]);
        let form = json!({ "circle": { "centre": [0.123, 0.5], "radius": 1 } });
        assert_eq!(moved, json!({ "set": [{ "id": 2, "form": form }], "gone": [1] }));
        let labelled = said(&mut shown, vec![dot(2, 1, 0.123_456).labelled("two")]);
        assert_eq!(labelled, json!({ "set": [{ "id": 2, "label": "two" }] }));
        let plain = said(&mut shown, vec![dot(2, 1, 0.123_456)]);
        assert_eq!(plain, json!({ "set": [{ "id": 2, "label": null }] }));
    }

    #[test]
    fn an_order_is_sent_where_it_is_not_what_one_would_think() {
        let mut shown = Shown::default();
        said(&mut shown, vec![dot(1, 0, 0.0), dot(2, 0, 0.0), dot(3, 5, 0.0)]);
        let behind = said(&mut shown, vec![dot(2, 0, 0.0), dot(4, 0, 0.0), dot(3, 5, 0.0)]);
        assert_eq!(behind["order"], Value::Null);
        let before = said(&mut shown, vec![dot(4, 0, 0.0), dot(2, 0, 0.0), dot(3, 5, 0.0)]);
        assert_eq!(before["order"], json!({ "0": [4, 2] }));
    }
}

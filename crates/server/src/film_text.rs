//! A film as text for the player: one line for what stays, then one line of JSON for each frame, which
//! says only what changed. Shapes are the objects that they serialise to; the player puts the lines
//! together again (`web/film.js`).
//!
//! A frame's line is an object. `looks` has what shapes have in common beside their form, such as style and
//! layer: all frames before have told theirs, and a shape says its look by the number in that one list. `gone`
//! has ids. `moved` has lists of a way, right and down, and the ids of shapes whose places are that much
//! further. `set` has shapes: whole ones that are new, and of others their id and what else changed, part
//! by part of a part, where `null` takes a part away and lists of objects are told by numbers. `order` has, by
//! layer, the ids of layers in which the order of shapes is another one than that of before with the new ones
//! behind. `whole` stands in a frame that can be shown without those before it: it tells all looks and all shapes
//! anew. Every other key is a field of the scene that changed.

use std::collections::{BTreeMap, HashMap};

use quintain_core::PerSeat;
use quintain_core::scene::{Eye, Film, Frame, Mark, Scene, Shape, Stage};
use quintain_registry::FilmHead;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::expected::by_frame;
use crate::limits::LOOKS_MAX;

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
    /// What the first seat could expect in each frame, from -1 to 1; nothing if nobody has judged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    expected: Vec<Value>,
    /// By the number of the frame.
    marks: Vec<(usize, &'a Mark)>,
    /// The names of what can be switched off, such as layers of what bots drew.
    groups: Vec<&'a str>,
}

/// A viewer has no room for more switches.
const GROUPS_MAX: usize = 24;

/// The film's lines, each with its end. `expected` is what the first seat could expect before each step and after
/// the last one, if somebody has judged.
pub(crate) fn film_text(mut film: Film, eye: Eye, expected: &[f64]) -> Vec<u8> {
    let mut out = Vec::new();
    push_line(&mut out, &head(&film, eye, expected));
    let mut before = Shown::default();
    for frame in &mut film.frames {
        push_line(&mut out, &Value::Object(before.difference(&mut frame.scene)));
    }
    out
}

/// A film whose frames come one by one, while its match is played.
#[derive(Default)]
pub(crate) struct GrowingFilm {
    shown: Shown,
}

impl GrowingFilm {
    /// The first line. What it says of frames is empty: each brings its own.
    pub(crate) fn head_line(head: &FilmHead, eye: Eye) -> String {
        line_of(&Head {
            title: head.title,
            turn_name: head.turn_name,
            names: &head.names,
            ending: "",
            turn_ms: head.turn_ms,
            eye: eye_name(eye),
            stage: stage_value(&head.stage),
            turns: Vec::new(),
            curve: Vec::new(),
            expected: Vec::new(),
            marks: Vec::new(),
            groups: Vec::new(),
        })
    }

    /// The line of the next frame. The list of looks begins anew when it has become too long.
    pub(crate) fn line(&mut self, mut scene: Scene) -> String {
        let begins_anew = self.shown.looks.known.len() > LOOKS_MAX;
        if begins_anew {
            self.shown = Shown::default();
        }
        let mut line = self.shown.difference(&mut scene);
        if begins_anew {
            line.insert("whole".to_owned(), true.into());
        }
        line_of(&line)
    }

    /// The last frame as a line for whoever has not seen those before it.
    pub(crate) fn whole_line(&mut self) -> String {
        line_of(&self.shown.whole())
    }
}

/// What a frame says beside its line, where no head says it for all.
#[derive(Serialize)]
pub(crate) struct FrameNews<'a> {
    turn: u32,
    curve: PerSeat<Value>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    marks: &'a [Mark],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notes: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    groups: Vec<&'a str>,
}

impl<'a> FrameNews<'a> {
    pub(crate) fn of(turn: u32, scene: &'a Scene, marks: &'a [Mark], notes: &'a [String]) -> Self {
        let curve = scene.curve.map(|_, value| short_number(value));
        FrameNews { turn, curve, marks, notes, groups: groups_of([scene]) }
    }

    pub(crate) fn line(&self) -> String {
        line_of(self)
    }
}

fn line_of(part: &impl Serialize) -> String {
    serde_json::to_string(part).expect("scenes have keys of text and finite numbers")
}

fn push_line(out: &mut Vec<u8>, line: &impl Serialize) {
    serde_json::to_writer(&mut *out, line).expect("scenes have keys of text and finite numbers");
    out.push(b'\n');
}

fn head<'a>(film: &'a Film, eye: Eye, expected: &[f64]) -> impl Serialize + use<'a> {
    let frames = &film.frames;
    let marks = frames
        .iter()
        .enumerate()
        .flat_map(|(number, frame)| marks_seen_by(eye, frame).map(move |mark| (number, mark)));
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
        expected: by_frame(film, expected).into_iter().map(short_number).collect(),
        marks: marks.collect(),
        groups: groups_of(frames.iter().map(|frame| &frame.scene)),
    }
}

/// The marks of a frame that whoever looks may know of.
pub(crate) fn marks_seen_by(eye: Eye, frame: &Frame) -> impl Iterator<Item = &Mark> {
    let may_be_seen = move |mark: &&Mark| match eye {
        Eye::All => true,
        Eye::Seat(seat) => mark.seat == Some(seat),
    };
    frame.marks.iter().filter(may_be_seen)
}

fn groups_of<'a>(scenes: impl IntoIterator<Item = &'a Scene>) -> Vec<&'a str> {
    let shapes = scenes.into_iter().flat_map(|scene| &scene.shapes);
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
    looks: Looks,
}

/// What shapes have beside id, form and label, by numbers.
#[derive(Default)]
struct Looks {
    numbers: HashMap<String, usize>,
    known: Vec<Value>,
    /// How many of them the player has been told.
    told: usize,
}

impl Looks {
    /// Takes the look out of a shape and gives its number.
    fn take(&mut self, shape: &mut Map<String, Value>) -> usize {
        let parts = std::mem::take(shape);
        let is_own = |(key, _): &(String, Value)| ["id", "form", "label"].contains(&key.as_str());
        let (own, look): (Map<_, _>, Map<_, _>) = parts.into_iter().partition(is_own);
        *shape = own;
        let (look, next) = (Value::Object(look), self.numbers.len());
        *self.numbers.entry(look.to_string()).or_insert_with(|| {
            self.known.push(look);
            next
        })
    }

    /// A shape as one that is new is told.
    fn told_of(&mut self, shape: &Shape) -> Value {
        let mut parts = parts_of(shape);
        let look = self.take(&mut parts);
        parts.insert("look".to_owned(), look.into());
        parts.into()
    }

    /// Those that the player has not been told until now.
    fn untold(&mut self) -> Vec<Value> {
        let untold = self.known[self.told..].to_vec();
        self.told = self.known.len();
        untold
    }
}

impl Shown {
    /// What has to be said so that the player shows this scene. Its shapes are taken.
    fn difference(&mut self, scene: &mut Scene) -> Map<String, Value> {
        let shapes = std::mem::take(&mut scene.shapes);
        let mut line = self.changed_fields(scene);
        let layers = layers_of(&shapes);
        let Changes { gone, moved, set } = self.changed_shapes(shapes);
        let order = self.changed_order(layers);
        let moved = moved.into_iter().map(|((right, down), ids)| {
            let way = [right, down].map(|way| short_number(way as f64 / 1000.0));
            Value::from_iter(way.into_iter().chain(ids.into_iter().map(Value::from)))
        });
        let looks = self.looks.untold();
        let lists = [("looks", looks), ("set", set), ("moved", moved.collect()), ("gone", gone)];
        for (key, list) in lists {
            if !list.is_empty() {
                line.insert(key.to_owned(), list.into());
            }
        }
        if !order.is_empty() {
            line.insert("order".to_owned(), order.into());
        }
        line
    }

    /// What has to be said so that a player which shows nothing yet, or something else, shows this.
    fn whole(&mut self) -> Map<String, Value> {
        let mut line = self.fields.clone();
        let ids = self.layers.values().flatten();
        let shapes = ids.filter_map(|id| self.shapes.get(id));
        let set: Vec<Value> = shapes.map(|shape| self.looks.told_of(shape)).collect();
        line.insert("whole".to_owned(), true.into());
        line.insert("looks".to_owned(), self.looks.known.clone().into());
        line.insert("set".to_owned(), set.into());
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

    fn changed_shapes(&mut self, shapes: Vec<Shape>) -> Changes {
        let mut before = std::mem::take(&mut self.shapes);
        let mut changes = Changes::default();
        for shape in shapes {
            match before.remove(&shape.id) {
                Some(old) if old == shape => {}
                Some(old) => changes.add(&old, &shape, &mut self.looks),
                None => changes.set.push(self.looks.told_of(&shape)),
            }
            self.shapes.insert(shape.id, shape);
        }
        let mut gone: Vec<u32> = before.into_keys().collect();
        gone.sort_unstable();
        changes.gone = gone.into_iter().map(Value::from).collect();
        changes
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

/// What happened to the shapes of a frame.
#[derive(Default)]
struct Changes {
    gone: Vec<Value>,
    /// By how much, in thousandths, and who.
    moved: BTreeMap<(i64, i64), Vec<u32>>,
    set: Vec<Value>,
}

impl Changes {
    /// A shape is not what it was.
    fn add(&mut self, old: &Shape, new: &Shape, looks: &mut Looks) {
        let (mut before, mut after) = (parts_of(old), parts_of(new));
        let (old_look, look) = (looks.take(&mut before), looks.take(&mut after));
        if let Some(way) = way_between(&before["form"], &after["form"]) {
            self.moved.entry(way).or_default().push(new.id);
            before["form"] = after["form"].clone();
        }
        let mut changed = differences(&before, &after);
        if look != old_look {
            changed.insert("look".to_owned(), look.into());
        }
        if !changed.is_empty() {
            changed.insert("id".to_owned(), after["id"].clone());
            self.set.push(changed.into());
        }
    }
}

fn parts_of(shape: &Shape) -> Map<String, Value> {
    match compact(value_of(shape)) {
        Value::Object(parts) => parts,
        _ => unreachable!("a shape is an object"),
    }
}

/// By how many thousandths a form only moved.
fn way_between(old: &Value, new: &Value) -> Option<(i64, i64)> {
    let (from, to) = (first_place(old)?, first_place(new)?);
    let way = (to.0 - from.0, to.1 - from.1);
    (way != (0, 0) && moved(old, way) == *new).then_some(way)
}

/// The keys of a form that have places.
const PLACES: [&str; 3] = ["at", "centre", "points"];

/// In thousandths.
fn first_place(form: &Value) -> Option<(i64, i64)> {
    let parts = form.as_object()?.values().next()?.as_object()?;
    let mut place = PLACES.iter().find_map(|key| parts.get(*key))?;
    if place[0].is_array() {
        place = &place[0];
    }
    Some((thousandths(&place[0]), thousandths(&place[1])))
}

fn thousandths(number: &Value) -> i64 {
    (number.as_f64().unwrap_or_default() * 1000.0).round() as i64
}

/// A form with all of its places so many thousandths further.
fn moved(form: &Value, way: (i64, i64)) -> Value {
    let mut form = form.clone();
    let mut parts = form.as_object_mut().and_then(|form| form.values_mut().next());
    for key in PLACES {
        match parts
            .as_deref_mut()
            .and_then(|parts| parts.get_mut(key))
            .and_then(Value::as_array_mut)
        {
            Some(points) if points.iter().all(Value::is_array) => {
                points.iter_mut().filter_map(Value::as_array_mut).for_each(|at| shift(at, way));
            }
            Some(at) => shift(at, way),
            None => {}
        }
    }
    form
}

fn shift(place: &mut [Value], way: (i64, i64)) {
    for (number, way) in place.iter_mut().zip([way.0, way.1]) {
        *number = short_number((thousandths(number) + way) as f64 / 1000.0);
    }
}

/// The fields of `new` that differ, and `null` for those that are no more.
fn differences(old: &Map<String, Value>, new: &Map<String, Value>) -> Map<String, Value> {
    let changed = new.iter().filter(|(key, value)| old.get(*key) != Some(*value));
    let changed = changed.map(|(key, value)| (key.clone(), difference(old.get(key), value)));
    let lost = old.keys().filter(|key| !new.contains_key(*key));
    changed.chain(lost.map(|key| (key.clone(), Value::Null))).collect()
}

/// Of objects the fields that differ, of as many objects as before those that do, of everything else all.
fn difference(old: Option<&Value>, new: &Value) -> Value {
    match (old, new) {
        (Some(Value::Object(old)), Value::Object(new)) => differences(old, new).into(),
        (Some(Value::Array(old)), Value::Array(new))
            if old.len() == new.len() && old.iter().chain(new).all(Value::is_object) =>
        {
            let pairs = old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new);
            let changed =
                pairs.map(|(at, (old, new))| (at.to_string(), difference(Some(old), new)));
            Value::Object(changed.collect())
        }
        _ => new.clone(),
    }
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
    use quintain_core::scene::{Colour, Form, Ink, Style};

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
        assert_eq!(moved, json!({ "moved": [[-0.127, 0, 2]], "gone": [1] }));
        let labelled = said(&mut shown, vec![dot(2, 1, 0.123_456).labelled("two")]);
        assert_eq!(labelled, json!({ "set": [{ "id": 2, "label": "two" }] }));
        let plain = said(&mut shown, vec![dot(2, 1, 0.123_456)]);
        assert_eq!(plain, json!({ "set": [{ "id": 2, "label": null }] }));
    }

    #[test]
    fn a_look_is_told_once() {
        let mut shown = Shown::default();
        let first = said(&mut shown, vec![dot(1, 0, 0.0), dot(2, 1, 0.0), dot(3, 0, 0.0)]);
        let looks = [0, 1].map(|layer| json!({ "layer": layer, "style": { "fill": "first" } }));
        assert_eq!(first["looks"], json!(looks));
        let numbers = first["set"].as_array().into_iter().flatten().map(|shape| &shape["look"]);
        assert_eq!(numbers.collect::<Vec<_>>(), [0, 1, 0]);
        let other = said(&mut shown, vec![dot(1, 0, 0.0), dot(2, 0, 0.0), dot(3, 2, 0.0)]);
        let look = json!({ "layer": 2, "style": { "fill": "first" } });
        assert_eq!(other["looks"], json!([look]));
        assert_eq!(other["set"], json!([{ "id": 2, "look": 0 }, { "id": 3, "look": 2 }]));
    }

    #[test]
    fn a_whole_frame_goes_on_with_the_looks_that_were_told() {
        let mut film = GrowingFilm::default();
        film.line(scene(vec![dot(1, 0, 0.0), dot(2, 1, 0.25)]));
        film.line(scene(vec![dot(2, 1, 0.25), dot(3, 0, 1.0)]));
        let whole: Value = serde_json::from_str(&film.whole_line()).expect("an object");
        let ids: Vec<&Value> =
            whole["set"].as_array().into_iter().flatten().map(|shape| &shape["id"]).collect();
        assert_eq!((ids, &whole["whole"]), (vec![&json!(3), &json!(2)], &json!(true)));
        assert_eq!(whole["looks"].as_array().map(Vec::len), Some(2));
        assert_eq!(whole["caption"], "caption");
        let next = film.line(scene(vec![dot(2, 1, 0.25), dot(3, 1, 1.0)]));
        assert_eq!(next, r#"{"set":[{"id":3,"look":1}]}"#);
    }

    #[test]
    fn a_list_of_looks_that_is_too_long_begins_anew() {
        let mut film = GrowingFilm::default();
        let many = |from: u32| {
            let shapes = (0..2000).map(|id| {
                let (red, green, blue) = ((id % 250) as u8, (id / 250) as u8, from as u8);
                let ink = Ink::Exact(Colour { red, green, blue, alpha: 255 });
                Shape::new(id, 0, Form::circle((0.0, 0.5), 1.0), Style::fill(ink))
            });
            scene(shapes.collect())
        };
        let lines: Vec<String> = (0..20).map(|turn| film.line(many(turn))).collect();
        assert!(film.shown.looks.known.len() <= LOOKS_MAX + 2000);
        assert!(lines.iter().any(|line| line.contains(r#""whole":true"#)));
    }

    #[test]
    fn of_a_list_of_objects_those_that_changed_are_said() {
        let (old, new) = (json!([{ "a": 1, "b": 2 }, { "a": 3 }]), json!([{ "a": 1 }, { "a": 3 }]));
        assert_eq!(difference(Some(&old), &new), json!({ "0": { "b": null } }));
        let longer = json!([{ "a": 1 }]);
        assert_eq!(difference(Some(&longer), &new), new);
        assert_eq!(difference(Some(&json!([1, 2])), &json!([1, 3])), json!([1, 3]));
    }

    #[test]
    fn of_a_form_only_the_parts_that_changed_are_said() {
        let mut shown = Shown::default();
        let with = |form: Form| vec![Shape::new(7, 0, form, Style::fill(Ink::First))];
        said(&mut shown, with(Form::circle((1.0, 2.0), 3.0)));
        let larger = said(&mut shown, with(Form::circle((1.0, 2.0), 4.0)));
        let form = json!({ "circle": { "radius": 4 } });
        assert_eq!(larger, json!({ "set": [{ "id": 7, "form": form }] }));
        let other = said(&mut shown, with(Form::line((0.0, 0.0), (1.0, 1.0))));
        let form = json!({ "circle": null, "line": { "points": [[0, 0], [1, 1]] } });
        assert_eq!(other, json!({ "set": [{ "id": 7, "form": form }] }));
        let further = said(&mut shown, with(Form::line((0.1, 0.2), (1.1, 1.2))));
        assert_eq!(further, json!({ "moved": [[0.1, 0.2, 7]] }));
        let longer = said(&mut shown, with(Form::line((0.1, 0.2), (1.1, 1.3))));
        let form = json!({ "line": { "points": [[0.1, 0.2], [1.1, 1.3]] } });
        assert_eq!(longer, json!({ "set": [{ "id": 7, "form": form }] }));
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

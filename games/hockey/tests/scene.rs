//! What spectators see: shapes that keep their identity, inside the picture.

use quintain_core::scene::{Eye, Form, Ink, Presence, Scene, Shape, Size, Viewing};
use quintain_core::{
    Fault, Game, NoChance, Notation, PerSeat, Replies, Reply, Sample, Seat, Spectate, SplitMix64,
};
use quintain_hockey::{Config, Direction, Event, Hockey, Setup, Trail};
use quintain_testkit::{check_ids_are_unique, check_inside};

fn names() -> PerSeat<String> {
    PerSeat(["Bob".to_owned(), "Malory".to_owned()])
}

fn drawn(game: &Hockey, trail: &Trail, last: &[Event], eye: Eye) -> Scene {
    game.drawn(&Viewing { eye, names: &names(), trail, replies: &Replies::default(), last })
}

/// Draws every position of a random game.
fn film(seed: u64) -> (Hockey, Vec<Scene>) {
    let mut game = Hockey::new(&Config::default(), Setup::default()).expect("playable");
    let (mut trail, mut chance) = (Trail::default(), SplitMix64::new(seed));
    let mut scenes = vec![drawn(&game, &trail, &[], Eye::All)];
    while let Some(seat) = game.to_act().iter().next() {
        let replies = Replies::only(seat, game.sample(seat, &mut chance));
        let mut events = Vec::new();
        game.advance(&replies, &mut NoChance, &mut events);
        Hockey::follow(&mut trail, &events);
        scenes.push(drawn(&game, &trail, &events, Eye::All));
    }
    (game, scenes)
}

#[test]
fn ids_are_unique_and_every_throw_keeps_its_line() {
    let (game, scenes) = film(3);
    let stage = game.stage();
    for pair in scenes.windows(2) {
        let [before, after] = pair else { panic!("windows of two") };
        check_ids_are_unique(&stage, after);
        assert_eq!(lines(after).len(), lines(before).len() + 1, "one line for each throw");
        for shape in lines(before) {
            let kept = after.shapes.iter().find(|other| other.id == shape.id);
            let kept = kept.expect("lines stay");
            assert_eq!(kept.form, shape.form);
            assert_eq!(kept.style.stroke, shape.style.stroke);
        }
    }
}

/// The lines of throws, without what makes them pleasant.
fn lines(scene: &Scene) -> Vec<Shape> {
    let is_throw = |shape: &&Shape| {
        matches!(shape.form, Form::Line { .. }) && shape.presence == Presence::Always
    };
    scene.shapes.iter().filter(is_throw).cloned().collect()
}

#[test]
fn everything_lies_inside_the_picture() {
    let (game, scenes) = film(4);
    let stage = game.stage();
    for scene in &scenes {
        check_inside(&stage, scene);
    }
}

#[test]
fn a_line_has_its_throwers_colour_and_the_latest_is_broader() {
    let (_, scenes) = film(5);
    let lines = lines(&scenes[2]);
    assert_eq!(lines[0].style.stroke, Some(Ink::First));
    assert_eq!(lines[1].style.stroke, Some(Ink::Second));
    assert!(lines[1].style.stroke_width > lines[0].style.stroke_width);
}

#[test]
fn the_throws_of_a_turn_are_numbered_from_one() {
    let (_, scenes) = film(5);
    let numbers = |scene: &Scene| -> Vec<String> {
        let text = |shape: &Shape| match &shape.form {
            Form::Text(label) if label.size == Size::World(0.27) => Some(label.text.clone()),
            _ => None,
        };
        scene.shapes.iter().filter_map(text).collect()
    };
    let longest = scenes.iter().map(numbers).max_by_key(Vec::len).expect("there are throws");
    assert!(longest.len() > 1, "somebody bounces");
    let expected: Vec<String> = (1..=longest.len()).map(|number| number.to_string()).collect();
    assert_eq!(longest, expected);
}

#[test]
fn free_lines_are_shown_with_an_arc_where_the_puck_would_bounce() {
    let setup = Setup::after(&[Direction::North, Direction::East]).expect("possible throws");
    let game = Hockey::new(&Config::default(), setup).expect("playable");
    let scene = drawn(&game, &Trail::default(), &[], Eye::All);
    let rings = scene.shapes.iter().filter(|shape| matches!(shape.form, Form::Circle { .. }));
    assert_eq!(rings.count(), 7, "seven of eight lines are free");
    let arcs = scene.shapes.iter().filter(|shape| matches!(shape.form, Form::Path { .. }));
    assert_eq!(arcs.count(), 1, "the start has been visited");
}

#[test]
fn the_curve_goes_up_towards_the_net_in_which_the_first_player_scores() {
    let setup = Setup::after(&[Direction::North]).expect("a possible throw");
    let game = Hockey::new(&Config::default(), setup).expect("playable");
    let scene = drawn(&game, &Trail::default(), &[], Eye::All);
    assert_eq!(scene.curve, PerSeat([1.0, 0.0]));
}

#[test]
fn captions_name_the_players() {
    let (game, scenes) = film(6);
    assert_eq!(scenes[0].caption, "Bob to throw");
    let outcome = game.outcome().expect("the game is over");
    let winner = &names()[outcome.winner().expect("hockey has no draw")];
    let last = scenes.last().expect("a scene");
    assert_eq!(last.caption, format!("{winner} wins: {}", outcome.reason));
}

#[test]
fn captions_and_deeds_tell_the_latest_turn_of_both() {
    let mut game = Hockey::new(&Config::default(), Setup::default()).expect("playable");
    let mut trail = Trail::default();
    let names = names();
    let mut thrown = |direction: Option<Direction>| {
        let seat = game.to_act().single().expect("one is to throw");
        let reply = direction.map_or(Reply::Fault(Fault::Late), Reply::Act);
        let mut replies = Replies::default();
        replies[seat] = Some(reply);
        let mut events = Vec::new();
        game.advance(&replies, &mut NoChance, &mut events);
        Hockey::follow(&mut trail, &events);
        let (eye, names) = (Eye::Seat(seat.other()), &names);
        let watch = Viewing { eye, names, trail: &trail, replies: &replies, last: &events };
        let scene = game.drawn(&watch);
        (scene.deeds.0, scene.caption)
    };
    let (deeds, caption) = thrown(Some(Direction::North));
    assert_eq!(deeds, [vec!["north"], vec![]]);
    assert_eq!(caption, "Bob: north; Malory to throw");
    thrown(Some(Direction::West));
    thrown(Some(Direction::South));
    let (deeds, caption) = thrown(Some(Direction::NorthEast));
    assert_eq!(deeds, [vec!["south"], vec!["north east"]]);
    assert_eq!(caption, "Bob: south; Malory: north east; Malory to throw");
    let (deeds, caption) = thrown(Some(Direction::East));
    assert_eq!(deeds[1], ["north east, east", "bounced once"]);
    assert_eq!(caption, "Bob: south; Malory: north east, east; Bob to throw");
    let (deeds, caption) = thrown(Some(Direction::West));
    assert_eq!(deeds[0], ["south", "refused west: the line has been used"]);
    assert_eq!(caption, "Bob: south; Malory: north east, east; Bob to throw");
    let (deeds, caption) = thrown(None);
    assert_eq!(deeds[0], ["no answer", "did not answer in time", "timeout"]);
    assert_eq!(caption, "Malory wins: timeout");
}

#[test]
fn a_person_to_throw_can_point_at_the_end_of_every_free_line() {
    let game = Hockey::new(&Config::default(), Setup::default()).expect("playable");
    let aims = game.suggest(Seat::First, "").into_iter().map(|throw| match throw.aim {
        Some(Form::Circle { centre, .. }) => (throw.text, centre.x, centre.y),
        aim => panic!("{} is aimed at {aim:?}", throw.text),
    });
    let node = |text: &str, x: f64, y: f64| (text.to_owned(), x, y);
    let expected = [
        node("north", 5.0, 4.0),
        node("north east", 6.0, 4.0),
        node("east", 6.0, 5.0),
        node("south east", 6.0, 6.0),
        node("south", 5.0, 6.0),
        node("south west", 4.0, 6.0),
        node("west", 4.0, 5.0),
        node("north west", 4.0, 4.0),
    ];
    assert_eq!(aims.collect::<Vec<_>>(), expected);
}

#[test]
fn lines_used_before_the_match_are_drawn_once_each() {
    let setup = Setup::after(&[Direction::North, Direction::East]).expect("possible throws");
    let game = Hockey::new(&Config::default(), setup).expect("playable");
    let scene = drawn(&game, &Trail::default(), &[], Eye::All);
    let old = scene.shapes.iter().filter(|shape| shape.style.stroke == Some(Ink::Text));
    let old = old.filter(|shape| matches!(shape.form, Form::Line { .. }));
    assert_eq!(old.count(), 2);
}

#[test]
fn long_names_are_cut() {
    let game = Hockey::new(&Config::default(), Setup::default()).expect("playable");
    let names = PerSeat(["x".repeat(9000), String::new()]);
    let trail = Trail::default();
    let scene = game.drawn(&Viewing {
        eye: Eye::All,
        names: &names,
        trail: &trail,
        replies: &Replies::default(),
        last: &[],
    });
    assert!(scene.caption.chars().count() < 40, "{}", scene.caption);
}

//! What stays: squared paper, the ice with its lines and circles, both nets, the boards.

use quintain_core::scene::{
    Area, Curve, CurveKind, Form, Ink, Label, Legend, Paint, Part, Point, Scene, Shape, Stage,
    Style, Symbol, id_of,
};
use quintain_core::{PerSeat, Seat};

use crate::{Board, Node};

/// Ids of what stays, below those of what comes and goes.
mod id {
    pub(super) const PAPER: u32 = 0;
    pub(super) const SQUARES: u32 = 1;
    pub(super) const ICE: u32 = 2;
    pub(super) const RED_LINES: u32 = 3;
    pub(super) const BLUE_LINES: u32 = 4;
    pub(super) const SPOTS: u32 = 5;
    pub(super) const CREASE: u32 = 6;
    pub(super) const BOARDS: u32 = 8;
    pub(super) const NET: u32 = 10;
    pub(super) const MESH: u32 = 12;
    pub(super) const POSTS: u32 = 14;
    pub(super) const HOLLOW: u32 = 16;
    pub(super) const NET_NAME: u32 = 18;
    /// Plus the line's number.
    pub(super) const ROW: u32 = 20;
    pub(super) const COLUMN: u32 = 40;
    /// Plus the node's number.
    pub(super) const DOT: u32 = 100;
}

mod layer {
    pub(super) const PAPER: u8 = 0;
    pub(super) const ICE: u8 = 1;
    pub(super) const MARKS: u8 = 2;
    pub(super) const NET: u8 = 3;
    pub(super) const BOARDS: u8 = 4;
    pub(super) const WORDS: u8 = 20;
}

/// The colours of this game.
pub(super) mod ink {
    use super::Ink;

    pub(super) const PAPER: Ink = Ink::Own(0);
    pub(super) const SQUARES: Ink = Ink::Own(1);
    pub(super) const ICE: Ink = Ink::Own(2);
    pub(super) const RED: Ink = Ink::Own(3);
    pub(super) const BLUE: Ink = Ink::Own(4);
    pub(super) const PUCK: Ink = Ink::Own(5);
    /// What the inside of a double line shows, and the middle of a node that was visited.
    pub(in crate::scene) const HOLLOW: Ink = Ink::Own(6);
}

const PALETTE: [Paint; 7] = [
    Paint::flat(0xFDFCF7, 0x141B2B),
    Paint::flat(0xBFD6E8, 0x263757),
    Paint::down([0xF7FBFE, 0xECF5FB], [0x1A263E, 0x162035]),
    Paint::flat(0xE3A1A9, 0x7A3748),
    Paint::flat(0xA9C4EC, 0x2F528F),
    Paint::out([0x4A5264, 0x141821], [0x4A5264, 0x0A0D13]),
    Paint::flat(0xFFFFFF, 0x18233A),
];

/// The symbols of this game, by their place in the list.
pub(super) mod symbol {
    pub(in crate::scene) const PUCK: u8 = 0;
}

const DISC: &str = "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0Z";
const SHEEN: &str = "M-.55 -.3A.62 .62 0 0 1 -.1 -.58";

/// The rim with both nets, clockwise from the north-west corner.
const OUTLINE: [(f64, f64); 12] = [
    (0.0, 0.0),
    (4.0, 0.0),
    (4.0, -1.0),
    (6.0, -1.0),
    (6.0, 0.0),
    (10.0, 0.0),
    (10.0, 10.0),
    (6.0, 10.0),
    (6.0, 11.0),
    (4.0, 11.0),
    (4.0, 10.0),
    (0.0, 10.0),
];

/// Of each net the corner next to the goal line, round its back, to the other one.
const POSTS: PerSeat<[(f64, f64); 4]> = PerSeat([
    [(4.0, 0.0), (4.0, -1.0), (6.0, -1.0), (6.0, 0.0)],
    [(4.0, 10.0), (4.0, 11.0), (6.0, 11.0), (6.0, 10.0)],
]);

const WORLD: Area = Area::new(-1.0, -1.75, 12.0, 13.5);

pub(super) fn stage() -> Stage {
    let mut background = paper();
    background.extend(marks());
    for seat in Seat::BOTH {
        background.extend(net(seat));
    }
    for node in Node::all().filter(|&node| Board::START.is_fresh(node)) {
        let form = Form::circle(node, 0.05);
        let id = id::DOT + super::throws::number(node);
        background.push(Shape::new(id, layer::MARKS, form, Style::fill(Ink::Faint)));
    }
    background.extend(coordinates());
    Stage {
        background,
        palette: PALETTE.to_vec(),
        symbols: vec![Symbol::new(
            "puck",
            '●',
            vec![
                Part::fill(ink::PUCK, DISC).outlined(Ink::Tint, 0.3),
                Part::stroke(Ink::Muted, 0.14, SHEEN),
            ],
        )],
        legend: legend(),
        curve: Some(Curve { name: "the puck: up is north", kind: CurveKind::Difference, max: 6.0 }),
        ..Stage::of_world(WORLD)
    }
}

fn paper() -> Vec<Shape> {
    let Area { x, y, width, height } = WORLD;
    let squares = (0..=24).map(|column| format!("M{} {y}v{height}", x + f64::from(column) * 0.5));
    let rows = (0..=27).map(|row| format!("M{x} {}h{width}", y + f64::from(row) * 0.5));
    let squares: String = squares.chain(rows).collect();
    let mut boards = OUTLINE.map(Point::from).to_vec();
    boards.push(boards[0]);
    vec![
        Shape::new(id::PAPER, layer::PAPER, Form::rectangle(x, y, width, height), PAPER)
            .ornamental(),
        Shape::new(id::SQUARES, layer::PAPER, Form::path(squares), SQUARES).ornamental(),
        Shape::new(id::ICE, layer::ICE, Form::polygon(OUTLINE), ICE).ornamental(),
        Shape::new(id::BOARDS, layer::BOARDS, Form::Line { points: boards }, BOARDS),
    ]
}

const PAPER: Style = Style::fill(ink::PAPER);
const SQUARES: Style = Style::stroke(ink::SQUARES, 0.015).faded(0.7);
const ICE: Style = Style::fill(ink::ICE);
const BOARDS: Style = Style::stroke(Ink::Wall, 0.13);

/// The lines, circles and spots of a rink, which mean nothing in this game.
fn marks() -> Vec<Shape> {
    let spots = [(2.0, 1.75), (8.0, 1.75), (2.0, 8.25), (8.0, 8.25)];
    let circle = |x: f64, y: f64, r: f64| {
        format!("M{} {y}a{r} {r} 0 1 1 {} 0a{r} {r} 0 1 1 -{} 0z", x - r, 2.0 * r, 2.0 * r)
    };
    let circles: String = spots.iter().map(|&(x, y)| circle(x, y, 0.95)).collect();
    let dots: String = spots.iter().map(|&(x, y)| circle(x, y, 0.08)).collect();
    let red = format!("M0 5h10{circles}");
    let blue = format!("M0 3.5h10M0 6.5h10{}", circle(5.0, 5.0, 1.25));
    let line = |id, path: String, ink, width| {
        Shape::new(id, layer::MARKS, Form::path(path), Style::stroke(ink, width)).ornamental()
    };
    let spots = Shape::new(id::SPOTS, layer::MARKS, Form::path(dots), Style::fill(ink::RED));
    let mut marks = vec![
        line(id::RED_LINES, red, ink::RED, 0.05),
        line(id::BLUE_LINES, blue, ink::BLUE, 0.06),
        spots.ornamental(),
    ];
    for seat in Seat::BOTH {
        let crease = match seat {
            Seat::First => "M4 0a1 1 0 0 0 2 0z",
            Seat::Second => "M4 10a1 1 0 0 1 2 0z",
        };
        let style = Style::fill(ink::BLUE).faded(0.35).outlined(ink::RED, 0.05);
        let id = id_of(id::CREASE, seat);
        marks.push(Shape::new(id, layer::MARKS, Form::path(crease), style).ornamental());
    }
    marks
}

/// A net in the colour of who scores in it: with full posts the first player's, with hollow ones the
/// second's.
fn net(seat: Seat) -> Vec<Shape> {
    let corners = POSTS[seat];
    let (top, bottom) = match seat {
        Seat::First => (-1.0, 0.0),
        Seat::Second => (10.0, 11.0),
    };
    let mesh: String = (0..=9)
        .map(|step| {
            let x = 4.0 + f64::from(step) * 0.25 - 0.5;
            let (left, right) = (x.max(4.0), (x + 1.0).min(6.0));
            let (down, up) = (top + (left - x), bottom - (x + 1.0 - right));
            let (falling, rising) = (top + bottom - down, top + bottom - up);
            format!("M{left} {down}L{right} {up}M{left} {falling}L{right} {rising}")
        })
        .collect();
    let ink = Ink::of(seat);
    let shape = |id, layer, form, style| Shape::new(id_of(id, seat), layer, form, style);
    let mut shapes = vec![
        shape(id::NET, layer::NET, Form::polygon(corners), Style::fill(ink).faded(0.25)),
        shape(id::MESH, layer::NET, Form::path(mesh), Style::stroke(ink, 0.02).faded(0.6))
            .ornamental(),
        shape(id::POSTS, layer::BOARDS, Form::chain(corners), Style::stroke(ink, 0.17)),
    ];
    if seat == Seat::Second {
        let style = Style::stroke(ink::HOLLOW, 0.06);
        shapes.push(shape(id::HOLLOW, layer::BOARDS, Form::chain(corners), style).ornamental());
    }
    shapes
}

/// The numbers of columns and rows.
fn coordinates() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for number in 0..=10_u32 {
        let at = f64::from(number);
        let mut add = |id, place: (f64, f64)| {
            let label = Label::new(place, 12.0, number.to_string());
            let style = Style::fill(Ink::Muted).with_halo(ink::PAPER);
            shapes.push(Shape::new(id + number, layer::WORDS, label.into(), style).roomy());
        };
        add(id::ROW, (-0.3, at));
        // The net stands in the way of the others.
        if !(4..=6).contains(&number) {
            add(id::COLUMN, (at, -0.3));
        }
    }
    shapes
}

pub(super) fn draw_net_names(names: &PerSeat<String>, scene: &mut Scene) {
    for (seat, name) in names.iter() {
        let y = match seat {
            Seat::First => -1.38,
            Seat::Second => 11.38,
        };
        let label = Label::new((5.0, y), 16.0, format!("{name} scores here")).bold();
        let style = Style::fill(Ink::of(seat)).with_halo(ink::PAPER);
        scene.shapes.push(Shape::new(id_of(id::NET_NAME, seat), layer::WORDS, label.into(), style));
    }
}

fn legend() -> Vec<Legend> {
    let bar = || Form::line((-0.9, 0.0), (0.9, 0.0));
    let [first, second] = [Ink::First, Ink::Second].map(|ink| (bar(), Style::stroke(ink, 0.36)));
    let hollow = (bar(), Style::stroke(ink::HOLLOW, 0.12));
    let free = (Form::line((-0.9, 0.1), (0.3, 0.1)), Style::stroke(Ink::Text, 0.1).dashed(0.2));
    let ring = (Form::circle((0.6, 0.1), 0.26), Style::stroke(Ink::Text, 0.12));
    let arc = (Form::path("M.1 -.1A.55 .55 0 0 1 1.1 -.1"), Style::stroke(Ink::Text, 0.12));
    let visited = Style::fill(ink::HOLLOW).outlined(Ink::Text, 0.14);
    let entry = |looks: &[(Form, Style)], text| Legend { looks: looks.to_vec(), text };
    vec![
        entry(&[first], "a line of the first player"),
        entry(&[second, hollow], "a line of the second player"),
        entry(&[(Form::circle((0.0, 0.0), 0.35), visited)], "visited: the puck bounces"),
        entry(&[free.clone(), ring.clone()], "free line, the turn passes"),
        entry(&[free, ring, arc], "free line, the puck bounces"),
    ]
}

//! Films made by hand, so that drawing is tested without any game.

use quintain_core::scene::{
    Area, Film, Form, Frame, Ink, Mark, Panel, Point, Scene, Shape, Stage, Style, TextScene,
};
use quintain_core::{PerSeat, Seat};
use quintain_draw::Sheet;

/// A light sheet of a fixed size.
pub(crate) fn sized(width: u32, height: u32) -> Sheet {
    Sheet { width, height: Some(height), ..Sheet::default() }
}

/// Nodes of the rink along one side.
const SIDE: i32 = 11;

/// A puck that two players shoot across a rink, `throws` times in turn.
pub(crate) fn rink(names: [&str; 2], throws: usize) -> Film {
    let mut frames = Vec::new();
    let path = path(throws);
    for turn in 0..=throws {
        frames.push(frame(&path[..=turn], turn, throws));
    }
    Film {
        title: "Paper Hockey",
        turn_name: "throw",
        names: PerSeat(names.map(str::to_owned)),
        stage: stage(),
        frames,
        left_out: 0,
        ending: format!("{} wins: the puck is in the north net", names[0]),
        turn_ms: 400,
    }
}

/// The same film with figures at the sides and above the board.
pub(crate) fn rink_with_panels(throws: usize) -> Film {
    let mut film = rink(["Left", "Right"], throws);
    for frame in &mut film.frames {
        let turn = frame.turn;
        frame.scene.panels = vec![
            panel(Some(Seat::First), "Energy", format!("{}", 20 - turn)),
            panel(Some(Seat::First), "Score", "3".to_owned()),
            panel(Some(Seat::First), "Command of this turn", "BUILD 3 BARRACKS-ARCHER".to_owned()),
            panel(Some(Seat::Second), "Energy", format!("{}", 12 + turn)),
            panel(Some(Seat::Second), "Score", "1".to_owned()),
            panel(None, "Round", format!("{turn}")),
            panel(None, "Distance", "4".to_owned()),
        ];
    }
    film
}

fn panel(seat: Option<Seat>, name: &'static str, value: String) -> Panel {
    Panel::new(seat, name, value)
}

/// A zigzag that stays on the rink and visits many nodes.
fn path(throws: usize) -> Vec<Point> {
    const STEPS: [(i32, i32); 8] =
        [(1, -1), (1, 1), (0, -1), (-1, 1), (1, 1), (-1, -1), (-1, 0), (0, 1)];
    let (mut x, mut y) = (5, 5);
    let mut path = vec![Point::new(5.0, 5.0)];
    let mut choice = 0;
    for throw in 0..throws {
        loop {
            let (dx, dy) = STEPS[(choice + throw * throw / 3) % STEPS.len()];
            choice += 1;
            if (0..SIDE).contains(&(x + dx)) && (0..SIDE).contains(&(y + dy)) {
                (x, y) = (x + dx, y + dy);
                break;
            }
        }
        path.push(Point::new(f64::from(x), f64::from(y)));
    }
    path
}

fn stage() -> Stage {
    let last = f64::from(SIDE - 1);
    let mut background = Vec::new();
    let mut add = |form, style| {
        let id = 10_000 + background.len() as u32;
        background.push(Shape::new(id, 0, form, style));
    };
    add(
        polygon(&[(-0.5, -0.5), (last + 0.5, -0.5), (last + 0.5, last + 0.5), (-0.5, last + 0.5)]),
        Style::fill(Ink::Field),
    );
    for line in 0..SIDE {
        let at = f64::from(line);
        add(chain(&[(at, 0.0), (at, last)]), Style::stroke(Ink::Faint, 0.03));
        add(chain(&[(0.0, at), (last, at)]), Style::stroke(Ink::Faint, 0.03));
    }
    for (y, out) in [(0.0, -1.0), (last, last + 1.0)] {
        add(polygon(&[(4.0, y), (5.0, out), (6.0, y)]), Style::fill(Ink::Faint));
        for (from, to) in [(0.0, 4.0), (6.0, last)] {
            add(chain(&[(from, y), (to, y)]), Style::stroke(Ink::Wall, 0.12));
        }
        add(chain(&[(4.0, y), (5.0, out), (6.0, y)]), Style::stroke(Ink::Wall, 0.12));
    }
    for x in [0.0, last] {
        add(chain(&[(x, 0.0), (x, last)]), Style::stroke(Ink::Wall, 0.12));
    }
    for (x, y, text) in [(0.0, 0.0, "NW"), (last, 0.0, "NE"), (0.0, last, "SW"), (last, last, "SE")]
    {
        let away = |at: f64| if at == 0.0 { -0.8 } else { at + 0.8 };
        let form = Form::text((away(x), y), 0.5, text);
        add(form, Style::fill(Ink::Text).faded(0.6));
    }
    Stage { background, ..Stage::of_world(Area::new(-1.5, -1.5, last + 3.0, last + 3.0)) }
}

fn frame(path: &[Point], turn: usize, throws: usize) -> Frame {
    let mut shapes = Vec::new();
    for (index, pair) in path.windows(2).enumerate() {
        let ink = [Ink::First, Ink::Second][index % 2];
        let style = Style::stroke(ink, if index + 2 == path.len() { 0.16 } else { 0.09 });
        let line = Form::Line { points: pair.to_vec() };
        shapes.push(Shape::new(index as u32, 1, line, style).labelled(format!("throw {index}")));
    }
    for (index, &centre) in path.iter().enumerate() {
        let form = Form::Circle { centre, radius: 0.08 };
        shapes.push(Shape::new(1000 + index as u32, 2, form, Style::fill(Ink::Text)));
    }
    let centre = path[path.len() - 1];
    let rim = Style { stroke: Some(Ink::Field), stroke_width: 0.06, ..Style::fill(Ink::Accent) };
    shapes.push(Shape::new(2000, 3, Form::Circle { centre, radius: 0.24 }, rim));
    let who = ["Green", "Red"][turn % 2];
    Frame {
        turn: turn as u32,
        scene: Scene { shapes, caption: format!("{who} is to throw"), ..Scene::default() },
        text: TextScene::default(),
        notes: vec![format!("throw {turn}")],
        marks: (turn == throws).then_some(Mark::common("goal")).into_iter().collect(),
    }
}

fn polygon(points: &[(f64, f64)]) -> Form {
    Form::Polygon { points: points.iter().map(|&(x, y)| Point::new(x, y)).collect() }
}

fn chain(points: &[(f64, f64)]) -> Form {
    Form::Line { points: points.iter().map(|&(x, y)| Point::new(x, y)).collect() }
}

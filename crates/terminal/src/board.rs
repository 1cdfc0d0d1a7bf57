//! A scene drawn in braille dots: eight to a character, and square on most terminals.

use quintain_core::printable;
use quintain_core::scene::{
    Anchor, Area, Form, Ink, Paint as OwnPaint, Point, Presence, Scene, Shape, Size, Stage, Style,
    Window,
};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use ratatui::symbols::Marker;
use ratatui::text::Span;
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{self, Canvas, Context, Painter};

use crate::inks::{self, BALL, RING};
use crate::rows::shortened;

/// Dots of one character.
const DOTS_ACROSS: f64 = 2.0;
const DOTS_DOWN: f64 = 4.0;

/// What is fainter is not drawn at all: dots are there or not.
const OPACITY_MIN: f64 = 0.15;
/// What is fainter is drawn as an outline, so that it does not hide what it lies on.
const OPACITY_FILLED_MIN: f64 = 0.5;
/// Letters lower than this many dots would be many times larger than meant, and are left out. Those in the
/// colour of the paper stand on something that they name, and are shown longer.
const LETTER_DOTS_MIN: f64 = 1.6;
const NAMING_DOTS_MIN: f64 = 1.0;
/// A filled circle of a radius between these, in dots, is shown as a character, which is easier to
/// find; what is smaller is a dot, what is larger is made of dots.
const BALL_DOTS_MIN: f64 = 1.2;
const BALL_DOTS_MAX: f64 = 2.5;
/// The least radius in dots of a filled circle that gets a rim.
const RIM_DOTS_MIN: f64 = 6.0;

/// Draws a position as large as the place allows: the world, or what the scene's windows show of it.
pub(crate) fn draw_board(stage: &Stage, scene: Option<&Scene>, area: Rect, buffer: &mut Buffer) {
    for (view, place) in views(stage, scene, area) {
        if let Some(grid) = Grid::fitted(view, place) {
            draw_view(stage, scene, &grid, buffer);
        }
    }
}

/// Writes the number of each answer that is aimed at a place of the board there.
pub(crate) fn draw_aims<'a>(
    stage: &Stage,
    scene: Option<&Scene>,
    aims: impl Iterator<Item = (usize, &'a Form)> + Clone,
    area: Rect,
    buffer: &mut Buffer,
) {
    for (view, place) in views(stage, scene, area) {
        let Some(grid) = Grid::fitted(view, place) else { continue };
        for (number, aim) in aims.clone() {
            if let Form::Circle { centre, .. } = aim {
                let number = Span::styled(number.to_string(), Modifier::BOLD);
                write_text(buffer, &grid, *centre, Anchor::Middle, number, &[]);
            }
        }
    }
}

/// What is shown of the world, and where. Boards beside the world are left out, since their figures stand
/// beside the picture, and so are lenses; the windows that are left share the place.
fn views(stage: &Stage, scene: Option<&Scene>, area: Rect) -> Vec<(Area, Rect)> {
    let windows = scene.map_or(&[][..], |scene| &scene.windows.wide);
    let of_world = || windows.iter().filter(|window| window.plane == 0 && !window.is_round);
    let starts = of_world().map(|window| Point::new(window.place.x, window.place.y));
    let ends = of_world()
        .map(|Window { place, .. }| Point::new(place.x + place.width, place.y + place.height));
    let Some(from) = starts.reduce(|a, b| Point::new(a.x.min(b.x), a.y.min(b.y))) else {
        return vec![(stage.world, area)];
    };
    let to = ends.fold(from, |a, b| Point::new(a.x.max(b.x), a.y.max(b.y)));
    let share = |at: f64, from: f64, to: f64, cells: u16| {
        let share = if to > from { (at - from) / (to - from) } else { 0.0 };
        (share.clamp(0.0, 1.0) * f64::from(cells)).round() as u16
    };
    let rect = |place: Area| {
        let [left, right] =
            [place.x, place.x + place.width].map(|x| share(x, from.x, to.x, area.width));
        let [top, bottom] =
            [place.y, place.y + place.height].map(|y| share(y, from.y, to.y, area.height));
        Rect { x: area.x + left, y: area.y + top, width: right - left, height: bottom - top }
    };
    of_world().map(|window| (window.view, rect(window.place))).collect()
}

fn draw_view(stage: &Stage, scene: Option<&Scene>, grid: &Grid, buffer: &mut Buffer) {
    let mut shapes = ordered(&stage.background, scene);
    shapes.retain(|shape| shape.plane == 0 && shape.presence == Presence::Always);
    let names = named_points(&shapes);
    let is_help = |shape: &&Shape| shape.style.stroke.or(shape.style.fill) == Some(Ink::Faint);
    let (helps, things): (Vec<&Shape>, Vec<&Shape>) = shapes.into_iter().partition(is_help);
    Canvas::default()
        .marker(Marker::Braille)
        .x_bounds(grid.x_bounds)
        .y_bounds(grid.y_bounds)
        .paint(|context| {
            // A character has one colour for all of its dots: what comes in a new layer takes the
            // whole of it, so that grid lines do not blur what is drawn over them.
            for shapes in [&helps, &things] {
                for shape in shapes.iter().filter(|shape| !is_ball(shape, grid, &names)) {
                    draw_shape(context, shape, grid, &stage.palette);
                }
                context.layer();
            }
        })
        .render(grid.area, buffer);
    let all = || helps.iter().chain(&things).copied();
    for ball in all().filter(|shape| is_ball(shape, grid, &names)) {
        write_ball(buffer, ball, grid, &stage.palette);
    }
    // Two texts in one place could not be read: what says what a thing is stays.
    let signs = all().filter_map(|shape| match shape.form {
        Form::Symbol { at, .. } => Some(at),
        _ => None,
    });
    let taken: Vec<(i32, i32)> =
        names.iter().copied().chain(signs).map(|at| grid.cell(at)).collect();
    // What is a player's stands over what lies on it, as ice on a worm.
    let is_of_player = |shape: &&Shape| matches!(shape.style.fill, Some(Ink::First | Ink::Second));
    let (of_players, others): (Vec<&Shape>, Vec<&Shape>) = all().partition(is_of_player);
    let mut of_rulers = Vec::new();
    for shape in others.into_iter().chain(of_players) {
        let is_plain_text = matches!(shape.form, Form::Text(_)) && !is_name(shape);
        let is_of_ruler = stage.background.iter().any(|fixed| std::ptr::eq(fixed, shape));
        if is_plain_text && is_of_ruler {
            // Numbers of a ruler that touch each other would be read as one.
            let taken = [&taken[..], &of_rulers].concat();
            of_rulers.extend(write_words(buffer, shape, grid, stage, &taken));
        } else {
            write_words(buffer, shape, grid, stage, if is_plain_text { &taken } else { &[] });
        }
    }
}

/// Whether a shape is a text in the colour of the paper: it is written on something, and says what that is.
fn is_name(shape: &Shape) -> bool {
    shape.style.fill == Some(Ink::Ground) && matches!(shape.form, Form::Text(_))
}

/// Where something has its name or its number written on it.
fn named_points(shapes: &[&Shape]) -> Vec<Point> {
    let point = |shape: &&Shape| match &shape.form {
        Form::Text(label) if is_name(shape) => Some(label.at),
        _ => None,
    };
    shapes.iter().filter_map(point).collect()
}

/// The background, then the scene from its lowest layer to its highest.
fn ordered<'a>(background: &'a [Shape], scene: Option<&'a Scene>) -> Vec<&'a Shape> {
    let by_layer = |shapes: &'a [Shape]| {
        let mut ordered: Vec<_> = shapes.iter().collect();
        ordered.sort_by_key(|shape| shape.layer);
        ordered
    };
    let mut shapes = by_layer(background);
    shapes.extend(by_layer(scene.map_or(&[], |scene| &scene.shapes)));
    shapes
}

/// The part of the terminal that shows the world, and how.
#[derive(Clone, Debug, PartialEq)]
struct Grid {
    area: Rect,
    /// Dots to a unit of the world.
    scale: f64,
    x_bounds: [f64; 2],
    /// Upwards, as the canvas wants it: the world's y with the other sign.
    y_bounds: [f64; 2],
}

impl Grid {
    /// The largest grid in the place, centred; `None` if there is no place or no world.
    fn fitted(world: Area, area: Rect) -> Option<Grid> {
        let has_world = world.width > 0.0 && world.height > 0.0;
        if area.is_empty() || !has_world {
            return None;
        }
        let dots = |cells: u16, each: f64| f64::from(cells) * each - 1.0;
        let across = dots(area.width, DOTS_ACROSS) / world.width;
        let down = dots(area.height, DOTS_DOWN) / world.height;
        let exact = across.min(down);
        // Whole dots to a unit keep boards of squares even.
        let scale = if exact >= 2.0 { exact.floor() } else { exact };
        let cells = |length: f64, each: f64, most: u16| {
            (((length * scale + 1.0) / each).ceil() as u16).clamp(1, most)
        };
        let width = cells(world.width, DOTS_ACROSS, area.width);
        let height = cells(world.height, DOTS_DOWN, area.height);
        let x = area.x + (area.width - width) / 2;
        let y = area.y + (area.height - height) / 2;
        let right = world.x + dots(width, DOTS_ACROSS) / scale;
        let bottom = world.y + dots(height, DOTS_DOWN) / scale;
        Some(Grid {
            area: Rect { x, y, width, height },
            scale,
            x_bounds: [world.x, right],
            y_bounds: [-bottom, -world.y],
        })
    }

    /// The column and the row, counted within the grid, of the character at a point.
    fn cell(&self, point: Point) -> (i32, i32) {
        let cell = |length: f64, each: f64| ((length * self.scale).round() / each).floor() as i32;
        let across = cell(point.x - self.x_bounds[0], DOTS_ACROSS);
        (across, cell(point.y + self.y_bounds[1], DOTS_DOWN))
    }
}

fn draw_shape(context: &mut Context<'_>, shape: &Shape, grid: &Grid, own: &[OwnPaint]) {
    let style = &shape.style;
    if style.opacity < OPACITY_MIN {
        return;
    }
    let paint = Paint::of(style, own);
    match &shape.form {
        Form::Circle { centre, radius } => draw_circle(context, *centre, *radius, paint, grid),
        Form::Line { points } => {
            if let Some(colour) = paint.outline {
                draw_chain(context, points, colour);
            }
        }
        Form::Polygon { points } => {
            if let Some(colour) = paint.inside {
                context.draw(&Filled { points, step: 1.0 / grid.scale, colour });
            }
            if let (Some(colour), Some(&first)) = (paint.outline, points.first()) {
                draw_chain(context, points, colour);
                draw_chain(context, &[points[points.len() - 1], first], colour);
            }
        }
        // What needs curves is drawn where there are pixels; a symbol is written as its sign.
        Form::Path { .. } | Form::Symbol { .. } | Form::Text(_) => {}
    }
}

/// Writes a text that is not too small, or the sign of a symbol. Returns the places that it takes, with one on
/// either side.
fn write_words(
    buffer: &mut Buffer,
    shape: &Shape,
    grid: &Grid,
    stage: &Stage,
    taken: &[(i32, i32)],
) -> Vec<(i32, i32)> {
    if shape.style.opacity < OPACITY_MIN {
        return Vec::new();
    }
    let paint = Paint::of(&shape.style, &stage.palette);
    let colour = paint.inside.or(paint.outline).unwrap_or_default();
    match &shape.form {
        Form::Text(label) if is_legible(label.size, is_name(shape), grid) => {
            let text = Span::styled(printable(&label.text), colour);
            write_text(buffer, grid, label.at, label.anchor, text, taken)
        }
        Form::Symbol { symbol, at, .. } => match stage.symbols.get(usize::from(*symbol)) {
            Some(symbol) => {
                let sign = Span::styled(symbol.sign.to_string(), colour);
                write_text(buffer, grid, *at, Anchor::Middle, sign, taken)
            }
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Letters that are sized for the screen always are.
fn is_legible(size: Size, is_name: bool, grid: &Grid) -> bool {
    let dots_min = if is_name { NAMING_DOTS_MIN } else { LETTER_DOTS_MIN };
    match size {
        Size::World(units) => units * grid.scale >= dots_min,
        Size::Screen(_) => true,
    }
}

/// Writes the character of a circle that is too small for dots.
fn write_ball(buffer: &mut Buffer, shape: &Shape, grid: &Grid, own: &[OwnPaint]) {
    let Form::Circle { centre, .. } = shape.form else { return };
    let colour = Paint::of(&shape.style, own).inside.unwrap_or_default();
    let ball = if shape.style.fill == Some(Ink::Second) { RING } else { BALL };
    write_text(buffer, grid, centre, Anchor::Start, Span::styled(ball, colour), &[]);
}

/// Whether a shape is a circle that is shown as a character: it is filled and small, though no mere dot.
/// What the eye should find first, or what has a name on it, is never a mere dot.
fn is_ball(shape: &Shape, grid: &Grid, names: &[Point]) -> bool {
    let Form::Circle { centre, radius } = shape.form else { return false };
    let is_named =
        || names.iter().any(|name| (name.x - centre.x).hypot(name.y - centre.y) < radius);
    let is_striking = shape.style.fill == Some(Ink::Accent) || is_named();
    let dots_min = if is_striking { 0.0 } else { BALL_DOTS_MIN };
    let is_filled = Paint::of(&shape.style, &[]).inside.is_some();
    is_filled
        && shape.style.opacity >= OPACITY_MIN
        && (dots_min..BALL_DOTS_MAX).contains(&(radius * grid.scale))
}

/// What of a shape is drawn, in which colour.
#[derive(Clone, Copy)]
struct Paint {
    inside: Option<Color>,
    outline: Option<Color>,
}

impl Paint {
    fn of(style: &Style, own: &[OwnPaint]) -> Paint {
        let fill = style.fill.and_then(|ink| inks::colour(ink, own));
        let stroke = style.stroke.and_then(|ink| inks::colour(ink, own));
        if style.opacity < OPACITY_FILLED_MIN {
            Paint { inside: None, outline: stroke.or(fill) }
        } else {
            Paint { inside: fill, outline: stroke }
        }
    }
}

fn draw_circle(context: &mut Context<'_>, centre: Point, radius: f64, paint: Paint, grid: &Grid) {
    if let Some(colour) = paint.inside {
        context.draw(&Disc { centre, radius, step: 1.0 / grid.scale, colour });
    }
    // A rim of one dot would swallow what is inside of a small circle.
    let has_rim = paint.inside.is_none() || radius * grid.scale >= RIM_DOTS_MIN;
    if let Some(color) = paint.outline.filter(|_| has_rim) {
        context.draw(&canvas::Circle { x: centre.x, y: -centre.y, radius, color });
    }
}

fn draw_chain(context: &mut Context<'_>, points: &[Point], color: Color) {
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        context.draw(&canvas::Line { x1: from.x, y1: -from.y, x2: to.x, y2: -to.y, color });
    }
}

/// Writes a text at its point, as far as the grid reaches, unless a place that it needs is taken. Returns the
/// places that it takes, with one on either side.
fn write_text(
    buffer: &mut Buffer,
    grid: &Grid,
    at: Point,
    anchor: Anchor,
    text: Span<'_>,
    taken: &[(i32, i32)],
) -> Vec<(i32, i32)> {
    let width = i32::try_from(text.width()).unwrap_or(i32::MAX);
    let (column, row) = grid.cell(at);
    let first = match anchor {
        Anchor::Start => column,
        Anchor::Middle => column - (width - 1) / 2,
        Anchor::End => column - (width - 1),
    };
    // A text that would reach beyond an edge of the grid is moved until it fits.
    let is_inside = (0..i32::from(grid.area.width)).contains(&column);
    let last = i32::from(grid.area.width) - width;
    let first = if is_inside { first.min(last).max(0) } else { first };
    if taken.iter().any(|&(x, y)| y == row && (first..first + width).contains(&x)) {
        return Vec::new();
    }
    let place = |cell: i32, size: u16| u16::try_from(cell).ok().filter(|&cell| cell < size);
    if let (Some(x), Some(y)) = (place(first, grid.area.width), place(row, grid.area.height)) {
        let (x, y, room) = (grid.area.x + x, grid.area.y + y, grid.area.width - x);
        let under = |buffer: &Buffer, x| {
            let is_ball = |symbol: &str| [BALL, RING].contains(&symbol);
            let cell = buffer.cell((x, y)).filter(|cell| is_ball(cell.symbol()));
            let cell = cell.filter(|_| !is_ball(&text.content));
            cell.map(|cell| (x, cell.fg))
        };
        let letters = (text.width() as u16).min(room);
        let balls: Vec<(u16, Color)> = (x..x + letters).filter_map(|x| under(buffer, x)).collect();
        buffer.set_string(x, y, shortened(&text.content, usize::from(room)), text.style);
        for (x, colour) in balls {
            // A letter takes the place of the ball; the colour stays under it and says whose it is.
            buffer[(x, y)].set_fg(Color::Black).set_bg(colour);
        }
    }
    (first - 1..=first + width).map(|column| (column, row)).collect()
}

/// All dots of a polygon.
struct Filled<'a> {
    points: &'a [Point],
    step: f64,
    colour: Color,
}

impl canvas::Shape for Filled<'_> {
    fn draw(&self, painter: &mut Painter<'_, '_>) {
        let low = |a: Point, b: &Point| Point::new(a.x.min(b.x), a.y.min(b.y));
        let high = |a: Point, b: &Point| Point::new(a.x.max(b.x), a.y.max(b.y));
        let Some(&first) = self.points.first() else {
            return;
        };
        let from = self.points.iter().fold(first, low);
        let to = self.points.iter().fold(first, high);
        paint_dots(painter, from, to, self.step, self.colour, |dot| contains(self.points, dot));
    }
}

/// All dots of a circle.
struct Disc {
    centre: Point,
    radius: f64,
    step: f64,
    colour: Color,
}

impl canvas::Shape for Disc {
    fn draw(&self, painter: &mut Painter<'_, '_>) {
        let Disc { centre, radius, step, colour } = *self;
        if radius < step {
            if let Some((x, y)) = painter.get_point(centre.x, -centre.y) {
                painter.paint(x, y, colour);
            }
            return;
        }
        let from = Point::new(centre.x - radius, centre.y - radius);
        let to = Point::new(centre.x + radius, centre.y + radius);
        paint_dots(painter, from, to, step, colour, |dot| {
            (dot.x - centre.x).hypot(dot.y - centre.y) <= radius
        });
    }
}

/// Paints the dots of a rectangle that are wanted, as far as the canvas reaches.
fn paint_dots(
    painter: &mut Painter<'_, '_>,
    from: Point,
    to: Point,
    step: f64,
    colour: Color,
    is_wanted: impl Fn(Point) -> bool,
) {
    let (&[left, right], &[bottom, top]) = painter.bounds();
    // The dots lie at whole steps from the corner; the others would be rounded unevenly.
    let dots = |origin: f64, first: f64, last: f64| {
        let number = |at: f64| (at - origin) / step;
        let range = number(first).max(0.0).ceil() as u32..=number(last).max(0.0).floor() as u32;
        range.map(move |dot| origin + f64::from(dot) * step)
    };
    for y in dots(-top, from.y, to.y.min(-bottom)) {
        for x in dots(left, from.x, to.x.min(right)) {
            if is_wanted(Point::new(x, y))
                && let Some((across, down)) = painter.get_point(x, -y)
            {
                painter.paint(across, down, colour);
            }
        }
    }
}

/// Whether a point lies within a polygon: a ray from it crosses an odd number of sides.
fn contains(polygon: &[Point], point: Point) -> bool {
    let mut is_inside = false;
    let mut previous = polygon[polygon.len() - 1];
    for &corner in polygon {
        if (corner.y > point.y) != (previous.y > point.y) {
            let share = (point.y - corner.y) / (previous.y - corner.y);
            is_inside ^= point.x < corner.x + share * (previous.x - corner.x);
        }
        previous = corner;
    }
    is_inside
}

#[cfg(test)]
mod tests {
    use quintain_core::scene::Symbol;

    use super::*;

    #[test]
    fn a_board_of_squares_gets_whole_dots_to_a_square_and_stays_in_its_place() {
        let world = Area { x: -1.5, y: -1.5, width: 13.0, height: 13.0 };
        for (width, height) in [(52, 20), (80, 36), (20, 40), (15, 8)] {
            let place = Rect { x: 3, y: 2, width, height };
            let grid = Grid::fitted(world, place).expect("there is place");
            assert_eq!(grid.area.intersection(place), grid.area);
            assert_eq!(grid.scale.fract(), 0.0);
            assert!(grid.x_bounds[1] >= 11.5 && grid.y_bounds[0] <= -11.5, "{grid:?}");
        }
    }

    #[test]
    fn a_letter_on_a_ball_stands_on_its_colour() {
        let world = Area { x: 0.0, y: 0.0, width: 10.0, height: 10.0 };
        let centre = Point::new(5.0, 5.0);
        let filled = |id, form, ink| Shape::new(id, 0, form, Style::fill(ink));
        let ball = filled(1, Form::circle(centre, 0.5), Ink::First);
        let number = filled(2, Form::text(centre, 0.8, "3"), Ink::Ground);
        let stage = Stage { background: vec![ball, number], ..Stage::of_world(world) };
        let area = Rect::new(0, 0, 20, 10);
        let mut buffer = Buffer::empty(area);
        draw_board(&stage, None, area, &mut buffer);
        let letter = buffer.content().iter().find(|cell| cell.symbol() == "3");
        let letter = letter.expect("the number is written");
        assert_eq!((Some(letter.bg), letter.fg), (inks::colour(Ink::First, &[]), Color::Black));
        assert!(buffer.content().iter().all(|cell| cell.symbol() != BALL));
    }

    #[test]
    fn windows_of_the_world_share_the_place_and_boards_are_left_out() {
        let whole = Area::new(0.0, 0.0, 100.0, 30.0);
        let stage = Stage::of_world(whole);
        let area = Rect::new(2, 3, 40, 20);
        assert_eq!(views(&stage, None, area), [(whole, area)]);
        let view = Area::new(10.0, 0.0, 20.0, 10.0);
        let window =
            |plane, y, height| Window::whole(plane, view).placed(0, Area::new(0.0, y, 1.0, height));
        let mut scene = Scene::default();
        scene.windows.wide = vec![window(1, 0.0, 0.2), window(0, 0.2, 0.4), window(0, 0.6, 0.4)];
        let expected = [(view, Rect::new(2, 3, 40, 10)), (view, Rect::new(2, 13, 40, 10))];
        assert_eq!(views(&stage, Some(&scene), area), expected);
    }

    #[test]
    fn a_sign_of_a_player_stays_under_ice_and_plates() {
        let at = Point::new(5.0, 5.0);
        let symbol =
            |id, symbol, ink| Shape::new(id, 0, Form::symbol(symbol, at, 0.5), Style::fill(ink));
        let plate = Shape::new(3, 0, Form::text(at, 9.0, "150"), Style::fill(Ink::Text));
        let stage = Stage {
            background: vec![symbol(1, 0, Ink::First), symbol(2, 1, Ink::Accent), plate],
            symbols: vec![
                Symbol::new("worm", '3', Vec::new()),
                Symbol::new("ice", '*', Vec::new()),
            ],
            ..Stage::of_size(10.0, 10.0)
        };
        let area = Rect::new(0, 0, 20, 10);
        let mut buffer = Buffer::empty(area);
        draw_board(&stage, None, area, &mut buffer);
        let letters: String = buffer.content().iter().map(|cell| cell.symbol()).collect();
        assert_eq!(letters.trim(), "3");
    }

    #[test]
    fn numbers_of_a_ruler_never_touch_each_other() {
        let number = |(id, text): (u32, &str)| {
            let at = Point::new(f64::from(id) * 1.5, 0.5);
            Shape::new(id, 0, Form::text(at, 9.0, text), Style::fill(Ink::Text))
        };
        let background = (1..).zip(["140", "160", "180", "200"]).map(number).collect();
        let stage = Stage { background, ..Stage::of_size(8.0, 2.0) };
        let area = Rect::new(0, 0, 18, 3);
        let mut buffer = Buffer::empty(area);
        draw_board(&stage, None, area, &mut buffer);
        let letters: String = buffer.content().iter().map(|cell| cell.symbol()).collect();
        let numbers: Vec<&str> = letters.split_whitespace().collect();
        assert_eq!(numbers, ["140", "180"], "{letters:?}");
    }

    #[test]
    fn no_place_or_no_world_is_no_grid() {
        let world = Area { x: 0.0, y: 0.0, width: 1.0, height: 1.0 };
        assert_eq!(Grid::fitted(world, Rect::new(0, 0, 0, 5)), None);
        assert_eq!(Grid::fitted(Area { width: 0.0, ..world }, Rect::new(0, 0, 5, 5)), None);
    }

    #[test]
    fn a_polygon_contains_its_inside_only() {
        let corner = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 1.0), (0.0, 4.0)];
        let polygon = corner.map(|(x, y)| Point::new(x, y));
        for (x, y, expected) in
            [(2.0, 0.5, true), (2.0, 2.0, false), (0.5, 2.0, true), (5.0, 1.0, false)]
        {
            assert_eq!(contains(&polygon, Point::new(x, y)), expected, "{x},{y}");
        }
    }
}

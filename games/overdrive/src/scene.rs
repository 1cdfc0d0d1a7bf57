//! What is drawn: for each car the lanes around it, and above them how far the race has come.
//!
//! One unit is a tenth of a block. A car stays at its place in its strip and the track moves by, so
//! that both are always in the picture however far apart they are. A person at play sees the own strip
//! only, as far as a bot would be told.

use quintain_core::scene::{
    Area, Colour, Eye, Form, Ink, Point, Scene, Shape, Stage, Style, TextScene, Viewing, ending,
    id_of,
};
use quintain_core::{Game, PerSeat, Seat, Spectate};

use crate::text::race_text;
use crate::{Action, Cell, Event, Obstacle, Overdrive, Place, Powerup, Powerups, Surface};

/// Ids of shapes. A strip's own follow each other by seat; those of blocks have room for every block.
mod id {
    pub(super) const BAR: u32 = 0;
    pub(super) const STRIP: u32 = 2;
    /// Plus the lane.
    pub(super) const LANE_LINE: u32 = 10;
    pub(super) const LANE_LINES_PER_STRIP: u32 = 10;
    pub(super) const PROGRESS: u32 = 40;
    pub(super) const BLOCK_NUMBER: u32 = 50;
    /// Plus the strip twice and the car's seat.
    pub(super) const CAR: u32 = 60;
    pub(super) const CAR_NUMBER: u32 = 70;
    /// Plus the command's number.
    pub(super) const BUTTON: u32 = 100;
    pub(super) const BUTTON_TEXT: u32 = 120;
    pub(super) const SURFACE: u32 = 1_000;
    pub(super) const SIGN: u32 = 1_000_000;
    pub(super) const TRUCK: u32 = 2_000_000;
    pub(super) const BLOCKS_PER_STRIP: u32 = 400_000;
}

mod layer {
    pub(super) const FIELD: u8 = 0;
    pub(super) const LINE: u8 = 1;
    pub(super) const SURFACE: u8 = 2;
    pub(super) const SIGN: u8 = 3;
    pub(super) const CAR: u8 = 4;
    pub(super) const TEXT: u8 = 5;
}

/// The colours of the stage's palette.
mod own {
    use quintain_core::scene::Ink;

    pub(super) const MUD: Ink = Ink::Own(0);
    pub(super) const OIL: Ink = Ink::Own(1);
    pub(super) const POWERUP: Ink = Ink::Own(2);
    pub(super) const TRUCK: Ink = Ink::Own(3);
}

const PALETTE: [Colour; 4] = [
    Colour { red: 132, green: 94, blue: 60 },
    Colour { red: 86, green: 62, blue: 122 },
    Colour { red: 52, green: 112, blue: 196 },
    Colour { red: 150, green: 156, blue: 166 },
];

/// Longer names would make the caption too long.
const NAME_LETTERS_MAX: usize = 16;
/// The side of a block.
const SIDE: f64 = 10.0;
/// Blocks shown behind and before a car: the document's visibility.
const BEHIND: i32 = 5;
const AHEAD: i32 = 20;
const WIDTH: f64 = (BEHIND + AHEAD + 1) as f64 * SIDE;
const STRIPS_TOP: f64 = 26.0;
const STRIP_GAP: f64 = 18.0;
const BUTTON_HEIGHT: f64 = 9.0;
const BUTTON_COLUMNS: usize = 5;

const BUTTONS: [Action; 10] = [
    Action::Accelerate,
    Action::Decelerate,
    Action::TurnLeft,
    Action::TurnRight,
    Action::Nothing,
    Action::UseBoost,
    Action::UseOil,
    Action::UseLizard,
    Action::UseEmp,
    Action::Fix,
];

impl Spectate for Overdrive {
    type Trail = ();

    fn stage(&self) -> Stage {
        let lanes = self.track().lanes();
        let bar =
            Shape::new(id::BAR, layer::FIELD, Form::rectangle(0.0, 4.0, WIDTH, 6.0), FIELD_STYLE);
        let mut background = vec![bar];
        for seat in Seat::BOTH {
            let top = strip_top(seat, lanes);
            let form = Form::rectangle(0.0, top, WIDTH, f64::from(lanes) * SIDE);
            background.push(Shape::new(id_of(id::STRIP, seat), layer::FIELD, form, FIELD_STYLE));
            for lane in 1..lanes {
                let y = top + f64::from(lane) * SIDE;
                let number = id::LANE_LINES_PER_STRIP * seat.index() as u32 + u32::from(lane);
                let style = Style::stroke(Ink::Faint, 0.6);
                let form = Form::line((0.0, y), (WIDTH, y));
                background.push(Shape::new(id::LANE_LINE + number, layer::LINE, form, style));
            }
        }
        let height = strip_top(Seat::Second, lanes) + f64::from(lanes) * SIDE + 34.0;
        let world = Area { x: -6.0, y: -4.0, width: WIDTH + 12.0, height };
        Stage { world, background, palette: PALETTE.to_vec() }
    }

    fn draw(&self, watch: &Viewing<'_, Self>, scene: &mut Scene) {
        let names = watch.short_names(NAME_LETTERS_MAX);
        for seat in Seat::BOTH {
            self.draw_progress(seat, scene);
            if watch.eye == Eye::All || watch.eye == Eye::Seat(seat) {
                self.draw_strip(seat, scene);
            }
            self.add_panels(seat, watch.eye, scene);
        }
        if let Eye::Seat(seat) = watch.eye
            && self.to_act().contains(seat)
        {
            self.draw_buttons(seat, scene);
        }
        scene.caption = self.caption(&names);
    }

    fn text(&self, eye: Eye, out: &mut TextScene) {
        race_text(self, eye, out);
    }

    fn describe(event: &Event, names: &PerSeat<String>) -> String {
        match *event {
            Event::Commanded { seat, action } => match action {
                Action::Unreadable(_) => String::new(),
                action => format!("{}: {action}", names[seat]),
            },
            Event::Invalid { seat, why } => format!("{}: invalid, {why}", names[seat]),
            Event::BoostEnded { seat } => format!("{}'s boost ends", names[seat]),
            Event::Oiled { seat, place } => format!("{} drops oil at {}", names[seat], at(place)),
            Event::Hit { seat, what } => format!("{} hits {}", names[seat], obstacle(what)),
            Event::HitTruck { seat, place } => {
                format!("{} hits the truck at {}", names[seat], at(place))
            }
            Event::HitEmp { seat } => format!("{} is stopped by an EMP", names[seat]),
            Event::PickedUp { seat, powerup } => {
                format!("{} picks up {}", names[seat], powerup.name())
            }
            Event::RearEnded { seat } => {
                format!("{} is stuck behind {}", names[seat], names[seat.other()])
            }
            Event::SideCollision => "the cars collide side by side".to_owned(),
            Event::PutBack { seat } => format!("{} is put back a block", names[seat]),
            Event::TruckPlaced { seat, place } => {
                format!("{}'s truck stands at {}", names[seat], at(place))
            }
            Event::TweetRefunded { seat, place } => {
                format!("{}'s tweet is refunded: {} is taken", names[seat], at(place))
            }
            Event::Finished { seat } => format!("{} has finished", names[seat]),
            Event::Disqualified { seat } => format!("{} is disqualified", names[seat]),
            Event::Ended { ending } => format!("the match is over: {}", ending.reason()),
        }
    }

    fn mark(event: &Event) -> Option<&'static str> {
        match event {
            Event::HitTruck { .. } => Some("truck"),
            Event::HitEmp { .. } => Some("EMP"),
            Event::Hit { what: Obstacle::Wall, .. } => Some("wall"),
            Event::RearEnded { .. } | Event::SideCollision | Event::PutBack { .. } => {
                Some("collision")
            }
            Event::Disqualified { .. } => Some("disqualified"),
            Event::Finished { .. } => Some("finished"),
            _ => None,
        }
    }
}

const FIELD_STYLE: Style = Style::fill(Ink::Field);

impl Overdrive {
    fn caption(&self, names: &PerSeat<String>) -> String {
        match self.outcome() {
            Some(outcome) => ending(&outcome, names, "nobody wins"),
            None => {
                let [first, second] = self.cars().0.each_ref().map(|car| car.place.block);
                let PerSeat([left, right]) = names;
                format!("{left} at block {first}, {right} at block {second}")
            }
        }
    }

    /// How far a car has come, on the bar above both strips.
    fn draw_progress(&self, seat: Seat, scene: &mut Scene) {
        let block = self.cars()[seat].place.block;
        let x = f64::from(block) / f64::from(self.track().length()) * WIDTH;
        let y = match seat {
            Seat::First => 5.5,
            Seat::Second => 8.5,
        };
        let form = Form::circle((x, y), 2.0);
        let style = Style::fill(Ink::of(seat));
        let shape = Shape::new(id_of(id::PROGRESS, seat), layer::CAR, form, style);
        scene.shapes.push(shape.labelled(format!("block {block} of {}", self.track().length())));
    }

    /// The lanes around a car, no further than its driver sees.
    fn draw_strip(&self, seat: Seat, scene: &mut Scene) {
        let centre = i32::from(self.cars()[seat].place.block);
        let figures = &self.config().figures;
        let first = centre - BEHIND.min(figures.backward_visibility);
        let last = centre + AHEAD.min(figures.forward_visibility);
        let blocks = first.max(1)..=last.min(i32::from(self.track().length()));
        for lane in 1..=self.track().lanes() {
            for block in blocks.clone() {
                let place = Place::new(lane, block as u16);
                let corner = Point::new(
                    f64::from(block - centre + BEHIND) * SIDE,
                    strip_top(seat, self.track().lanes()) + f64::from(lane - 1) * SIDE,
                );
                self.draw_block(seat, place, corner, scene);
            }
        }
        let below = strip_top(seat, self.track().lanes()) + f64::from(self.track().lanes()) * SIDE;
        let x = (f64::from(BEHIND) + 0.5) * SIDE;
        let form = Form::text((x, below + 4.0), 5.0, format!("block {centre}"));
        let style = Style::fill(Ink::Text);
        scene.shapes.push(Shape::new(id_of(id::BLOCK_NUMBER, seat), layer::TEXT, form, style));
    }

    fn draw_block(&self, strip: Seat, place: Place, corner: Point, scene: &mut Scene) {
        let cell = self.block(place);
        let number = u32::from(place.lane - 1) * u32::from(self.track().length())
            + u32::from(place.block)
            + strip.index() as u32 * id::BLOCKS_PER_STRIP;
        if let Some(shape) = surface_shape(cell, number, corner) {
            scene.shapes.push(shape.labelled(format!("{} at {}", name(cell.surface()), at(place))));
        }
        let middle = Point::new(corner.x + SIDE / 2.0, corner.y + SIDE / 2.0);
        if let Some(powerup) = cell.surface().powerup() {
            let form = Form::text(middle, 5.5, sign(powerup));
            let style = Style::fill(Ink::Ground);
            scene.shapes.push(Shape::new(id::SIGN + number, layer::SIGN, form, style));
        }
        if cell.has_truck() {
            let form = Form::rectangle(corner.x + 0.5, corner.y + 1.0, SIDE - 1.0, SIDE - 2.0);
            let style = Style::fill(own::TRUCK).outlined(Ink::Text, 0.8);
            let truck = Shape::new(id::TRUCK + number, layer::SIGN, form, style);
            scene.shapes.push(truck.labelled(format!("truck at {}", at(place))));
        }
        if let Some(seat) = cell.car() {
            draw_car(strip, seat, corner, scene);
        }
    }

    fn add_panels(&self, seat: Seat, eye: Eye, scene: &mut Scene) {
        let car = &self.cars()[seat];
        scene.add_panel(seat, "block", car.place.block);
        scene.add_panel(seat, "speed", car.speed);
        if eye == Eye::Seat(seat.other()) {
            return;
        }
        scene.add_panel(seat, "damage", car.damage);
        scene.add_panel(seat, "score", car.score);
        scene.add_panel(seat, "powerups", powerup_signs(&car.powerups));
    }

    /// What can be clicked. A tweet must be typed, since it needs a place.
    fn draw_buttons(&self, seat: Seat, scene: &mut Scene) {
        let lanes = self.track().lanes();
        let top = strip_top(Seat::Second, lanes) + f64::from(lanes) * SIDE + 8.0;
        let width = WIDTH / BUTTON_COLUMNS as f64;
        for (number, action) in BUTTONS.into_iter().enumerate() {
            let held = |powerup| self.cars()[seat].powerups.has(powerup);
            if !action.powerup().is_none_or(held) {
                continue;
            }
            let (column, row) = (number % BUTTON_COLUMNS, number / BUTTON_COLUMNS);
            let (x, y) = (column as f64 * width, top + row as f64 * (BUTTON_HEIGHT + 2.0));
            let style = Style::fill(Ink::Accent).faded(0.35).outlined(Ink::Accent, 0.6);
            let form = Form::rectangle(x + 1.0, y, width - 2.0, BUTTON_HEIGHT);
            let id = number as u32;
            let button = Shape::new(id::BUTTON + id, layer::LINE, form, style);
            scene.shapes.push(button.labelled(action.to_string()).sending(action.to_string()));
            let middle = (x + width / 2.0, y + BUTTON_HEIGHT / 2.0);
            let form = Form::text(middle, 5.0, action.to_string());
            let style = Style::fill(Ink::Text);
            scene.shapes.push(Shape::new(id::BUTTON_TEXT + id, layer::TEXT, form, style));
        }
    }
}

fn surface_shape(cell: Cell, number: u32, corner: Point) -> Option<Shape> {
    let centre = Point::new(corner.x + SIDE / 2.0, corner.y + SIDE / 2.0);
    let whole = Form::rectangle(corner.x, corner.y, SIDE, SIDE);
    let (form, ink) = match cell.surface() {
        Surface::Empty => return None,
        Surface::Mud => (whole, own::MUD),
        Surface::Wall => (whole, Ink::Wall),
        Surface::FinishLine => (whole, Ink::Accent),
        Surface::OilSpill => (Form::circle(centre, 4.4), own::OIL),
        Surface::OilItem | Surface::Boost | Surface::Lizard | Surface::Tweet | Surface::Emp => {
            (Form::circle(centre, 3.8), own::POWERUP)
        }
    };
    Some(Shape::new(id::SURFACE + number, layer::SURFACE, form, Style::fill(ink)))
}

/// A wedge that points ahead, with the player's number.
fn draw_car(strip: Seat, seat: Seat, corner: Point, scene: &mut Scene) {
    let outline = [(0.5, 1.5), (6.5, 1.5), (9.8, 5.0), (6.5, 8.5), (0.5, 8.5)];
    let form = Form::polygon(outline.map(|(x, y)| (corner.x + x, corner.y + y)));
    let style = Style::fill(Ink::of(seat)).outlined(Ink::Ground, 0.6);
    let number = strip.index() as u32 * 2 + seat.index() as u32;
    scene.shapes.push(Shape::new(id::CAR + number, layer::CAR, form, style));
    let middle = (corner.x + 4.0, corner.y + 5.0);
    let form = Form::text(middle, 5.5, (seat.index() + 1).to_string());
    let style = Style::fill(Ink::Ground);
    scene.shapes.push(Shape::new(id::CAR_NUMBER + number, layer::TEXT, form, style));
}

/// As short as a panel needs it: the signs of the track with their counts.
fn powerup_signs(powerups: &Powerups) -> String {
    let held = Powerup::ALL.into_iter().filter(|&powerup| powerups.has(powerup));
    let counted = held.map(|powerup| format!("{}{}", sign(powerup), powerups.count(powerup)));
    let list: Vec<String> = counted.collect();
    if list.is_empty() { "none".to_owned() } else { list.join(" ") }
}

/// Kinds with their counts, in words.
pub(crate) fn powerup_list(powerups: &Powerups) -> String {
    let held = Powerup::ALL.into_iter().filter(|&powerup| powerups.has(powerup));
    let counted = held.map(|powerup| format!("{} {}", powerups.count(powerup), powerup.name()));
    let list: Vec<String> = counted.collect();
    if list.is_empty() { "none".to_owned() } else { list.join(", ") }
}

fn obstacle(what: Obstacle) -> &'static str {
    match what {
        Obstacle::Mud => "mud",
        Obstacle::Oil => "oil",
        Obstacle::Wall => "a wall",
    }
}

fn name(surface: Surface) -> &'static str {
    match surface {
        Surface::Empty => "nothing",
        Surface::Mud => "mud",
        Surface::OilSpill => "oil spill",
        Surface::OilItem => "oil",
        Surface::FinishLine => "finish line",
        Surface::Boost => "boost",
        Surface::Wall => "wall",
        Surface::Lizard => "lizard",
        Surface::Tweet => "tweet",
        Surface::Emp => "EMP",
    }
}

fn sign(powerup: Powerup) -> &'static str {
    match powerup {
        Powerup::Oil => "O",
        Powerup::Boost => "B",
        Powerup::Lizard => "L",
        Powerup::Tweet => "T",
        Powerup::Emp => "E",
    }
}

fn at(place: Place) -> String {
    format!("lane {}, block {}", place.lane, place.block)
}

fn strip_top(seat: Seat, lanes: u8) -> f64 {
    STRIPS_TOP + seat.index() as f64 * (f64::from(lanes) * SIDE + STRIP_GAP)
}

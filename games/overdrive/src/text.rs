//! The race as lines of coloured text: how far it has come, then the lanes around each car in the
//! letters of the text map.

use quintain_core::Seat;
use quintain_core::scene::{Eye, Focus, Ink, Span, TextScene, join};

use crate::render::letter;
use crate::scene::powerup_list;
use crate::view::Window;
use crate::{Cell, Overdrive, Surface};

/// Letters of the bar that shows how far the race has come.
const BAR: usize = 60;

pub(crate) fn race_text(game: &Overdrive, eye: Eye, out: &mut TextScene) {
    out.lines.push(progress(game));
    for seat in Seat::BOTH {
        if eye == Eye::All || eye == Eye::Seat(seat) {
            out.lines.push(Vec::new());
            out.lines.push(headline(game, seat));
            let window = game.window(game.cars()[seat].place.block);
            if eye == Eye::All {
                out.lines.extend(window.lanes().map(lane));
            } else {
                numbered(&window, out);
            }
        }
    }
}

/// Who plays has to name places: the lanes with their numbers, the blocks above them, and what the signs
/// mean.
fn numbered(window: &Window, out: &mut TextScene) {
    const STEP: usize = 5;
    let first = usize::from(window.first_block);
    let block = |column| format!("{:<STEP$}", first + column);
    let blocks: String = (0..window.width).step_by(STEP).map(block).collect();
    out.lines.push(vec![Span::new(format!("   {blocks}"), Ink::Faint)]);
    for (number, cells) in window.lanes().enumerate() {
        let mut line = vec![Span::new(format!("{} ", number + 1), Ink::Faint)];
        line.extend(lane(cells));
        out.lines.push(line);
    }
    out.lines.push(Vec::new());
    out.lines.extend(LEGEND.map(|row| vec![Span::new(row, Ink::Faint)]));
    out.focus = Some(Focus::default());
}

const LEGEND: [&str; 3] = [
    "1 2 cars  C truck  ░ free  ║ finish",
    "▓ mud  █ oil spill  # wall",
    "» boost  Φ oil  ∱ lizard  T tweet  * EMP",
];

fn progress(game: &Overdrive) -> Vec<Span> {
    let column = |seat: Seat| {
        let block = usize::from(game.cars()[seat].place.block);
        (block * (BAR - 1) / usize::from(game.track().length())).min(BAR - 1)
    };
    let mut letters = [('-', Some(Ink::Faint)); BAR];
    for (seat, digit) in Seat::BOTH.into_iter().zip(['1', '2']) {
        letters[column(seat)] = (digit, Some(Ink::of(seat)));
    }
    // Level cars share a column.
    if column(Seat::First) == column(Seat::Second) {
        letters[column(Seat::First)] = ('=', Some(Ink::Accent));
    }
    let mut spans = vec![Span::new("|", None)];
    spans.extend(letters.map(|(letter, ink)| Span::new(letter, ink)));
    spans.push(Span::new("|", None));
    spans
}

fn headline(game: &Overdrive, seat: Seat) -> Vec<Span> {
    let car = &game.cars()[seat];
    let state = car.states.latest_name();
    vec![
        Span::new(format!("car {}", seat.index() + 1), Some(Ink::of(seat))),
        Span::new(
            format!(
                "  block {}  speed {}  damage {}  score {}  {state}  powerups: {}",
                car.place.block,
                car.speed,
                car.damage,
                car.score,
                powerup_list(&car.powerups),
            ),
            None,
        ),
    ]
}

fn lane(cells: &[Cell]) -> Vec<Span> {
    let mut line = vec![Span::new("[", None)];
    for &cell in cells {
        join(&mut line, letter(cell), ink(cell));
    }
    join(&mut line, "]", None);
    line
}

fn ink(cell: Cell) -> Option<Ink> {
    if let Some(seat) = cell.car() {
        return Some(Ink::of(seat));
    }
    if cell.has_truck() {
        return Some(Ink::Accent);
    }
    match cell.surface() {
        Surface::Empty => Some(Ink::Faint),
        Surface::Mud | Surface::Wall => Some(Ink::Wall),
        Surface::OilSpill => Some(Ink::Text),
        Surface::FinishLine => Some(Ink::Accent),
        Surface::OilItem | Surface::Boost | Surface::Lizard | Surface::Tweet | Surface::Emp => None,
    }
}

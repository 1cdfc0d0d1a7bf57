//! The race as lines of coloured text: how far it has come, then the lanes around each car in the
//! letters of the text map.

use quintain_core::Seat;
use quintain_core::scene::{Eye, Ink, Span, TextScene, join};

use crate::render::letter;
use crate::scene::powerup_list;
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
            out.lines.extend(window.lanes().map(lane));
        }
    }
}

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

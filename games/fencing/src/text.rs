//! The piste as plain text: one row per fencer for its figures, then the piste, ten steps a column.

use quintain_core::scene::{Ink, Span, TextScene};
use quintain_core::{PerSeat, Seat};

use crate::Fencer;
use crate::fencer::PISTE_END;

/// Steps of the piste per letter.
const STEPS_PER_COLUMN: i16 = 10;
const COLUMNS: usize = (PISTE_END / STEPS_PER_COLUMN) as usize + 1;

/// Adds the rows to a text.
pub(crate) fn piste_text(fencers: &PerSeat<Fencer>, out: &mut TextScene) {
    for (seat, fencer) in fencers.iter() {
        out.lines.push(figures(seat, fencer));
    }
    out.lines.push(Vec::new());
    out.lines.push(figures_on_piste(fencers));
    let floor = "═".repeat(COLUMNS);
    out.lines.push(vec![
        Span::new("╚", Ink::Wall),
        Span::new(floor, Ink::Field),
        Span::new("╝", Ink::Wall),
    ]);
}

/// `first   3 points  ████████░░░░  8/12  2 drugs`
fn figures(seat: Seat, fencer: &Fencer) -> Vec<Span> {
    let name = match seat {
        Seat::First => "first ",
        Seat::Second => "second",
    };
    let full = usize::try_from(fencer.energy).unwrap_or(0);
    let size = usize::try_from(fencer.energy_max()).unwrap_or(0);
    let empty = size.saturating_sub(full);
    let mut spans = vec![
        Span::new(name, Ink::of(seat)),
        Span::new(format!(" {:>3} points  ", fencer.points), Ink::Text),
        Span::new("█".repeat(full), Ink::of(seat)),
        Span::new("░".repeat(empty), Ink::Faint),
        Span::new(format!(" {}/{size}", fencer.energy), Ink::Text),
    ];
    if fencer.drugs > 0 {
        spans.push(Span::new(format!("  {} drugs", fencer.drugs), Ink::Accent));
    }
    spans
}

/// A letter and its colour.
type Cell = (char, Ink);

/// Each fencer is a figure and its blade before it. Where both share a column, an X.
fn figures_on_piste(fencers: &PerSeat<Fencer>) -> Vec<Span> {
    let mut cells: [Cell; COLUMNS + 2] = [(' ', Ink::Faint); COLUMNS + 2];
    (cells[0], cells[COLUMNS + 1]) = (('║', Ink::Wall), ('║', Ink::Wall));
    let columns = fencers.as_ref().map(|_, fencer| column(fencer.position));
    for (seat, &column) in columns.iter() {
        let (blade, letter) = match seat {
            Seat::First => (column + 1, '╱'),
            Seat::Second => (column - 1, '╲'),
        };
        if cells[blade].0 == ' ' {
            cells[blade] = (letter, Ink::Text);
        }
    }
    for (seat, &column) in columns.iter() {
        cells[column] = (['1', '2'][seat.index()], Ink::of(seat));
    }
    if columns[Seat::First] == columns[Seat::Second] {
        cells[columns[Seat::First]] = ('X', Ink::Accent);
    }
    cells.iter().map(|&(letter, ink)| Span::new(letter, ink)).collect()
}

/// Counted from 1, after the wall.
fn column(position: i16) -> usize {
    let steps = position.clamp(0, PISTE_END) / STEPS_PER_COLUMN;
    steps as usize + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(positions: [i16; 2]) -> String {
        let mut scene = TextScene::default();
        piste_text(&PerSeat(positions.map(Fencer::new)), &mut scene);
        scene.plain()
    }

    #[test]
    fn the_piste_shows_both_fencers_where_they_stand() {
        let text = plain([200, 300]);
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows[0], "first    0 points  ████████████████████ 20/20");
        let piste: Vec<char> = rows[3].chars().collect();
        assert_eq!((piste[21], piste[22]), ('1', '╱'));
        assert_eq!((piste[31], piste[30]), ('2', '╲'));
        assert_eq!(piste.len(), COLUMNS + 2);
    }

    #[test]
    fn fencers_on_one_spot_and_at_the_ends_are_shown() {
        for positions in [[0, 500], [500, 500], [0, 0], [500, 0], [204, 209]] {
            let text = plain(positions);
            let is_shared = positions[0] / 10 == positions[1] / 10;
            assert_eq!(text.contains('X'), is_shared, "{text}");
            assert_eq!(text.lines().count(), 5);
        }
    }
}

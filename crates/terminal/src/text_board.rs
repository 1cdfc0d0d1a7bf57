//! A position as text in a place that may be smaller.

use quintain_core::printable;
use quintain_core::scene::{Paint, Span as TextSpan, TextScene};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;
use ratatui::widgets::Widget as _;

use crate::inks;

/// Draws the part of a text around its focus, moved by `scroll` columns and rows. Arrows at the edges say
/// that there is more.
pub(crate) fn draw_text(
    scene: &TextScene,
    own: &[Paint],
    scroll: (i32, i32),
    area: Rect,
    buffer: &mut Buffer,
) {
    let focus = scene.focus.unwrap_or_default();
    let rows = scene.lines.len();
    let (board, legend) = scene.lines.split_at(focus.legend.unwrap_or(rows).min(rows));
    let [width, legend_width] = [board, legend].map(widest);
    let across = Window::new(width, area.width, focus.frozen_columns, focus.column, scroll.0);
    let legend_across = Window::new(legend_width, area.width, 0, 0, scroll.0);
    let down = Window::new(rows, area.height, focus.frozen_rows, focus.row, scroll.1);
    for row in 0..area.height {
        let Some(source) = down.source(row) else { continue };
        let across = if source < board.len() { &across } else { &legend_across };
        let cells = cells(&scene.lines[source]);
        for column in 0..area.width {
            let cell = across.source(column).and_then(|source| cells.get(source));
            if let Some((letter, ink)) = cell {
                let colour = ink.and_then(|ink| inks::colour(ink, own)).unwrap_or_default();
                let at = Rect { x: area.x + column, y: area.y + row, width: 1, height: 1 };
                Span::styled(letter.to_string(), colour).render(at, buffer);
            }
        }
    }
    let seen = if down.last() < board.len() { &[&across][..] } else { &[&across, &legend_across] };
    draw_edges(seen, &down, area, buffer);
}

/// Each character with its colour; wide ones do not occur on boards.
fn cells(line: &[TextSpan]) -> Vec<(char, Option<quintain_core::scene::Ink>)> {
    let letters = |span: &TextSpan| {
        let ink = span.ink;
        printable(&span.text).chars().map(move |letter| (letter, ink)).collect::<Vec<_>>()
    };
    line.iter().flat_map(letters).collect()
}

fn widest(lines: &[Vec<TextSpan>]) -> usize {
    let width = |line: &Vec<TextSpan>| line.iter().map(|span| span.text.chars().count()).sum();
    lines.iter().map(width).max().unwrap_or(0)
}

fn draw_edges(across: &[&Window], down: &Window, area: Rect, buffer: &mut Buffer) {
    let (right, bottom) = (area.right().saturating_sub(1), area.bottom().saturating_sub(1));
    let row = |y| (area.x..area.right()).map(move |x| (x, y)).collect::<Vec<_>>();
    let column = |x| (area.y..area.bottom()).map(move |y| (x, y)).collect::<Vec<_>>();
    let signs = [
        (down.is_cut_before(), "▲", row(area.y)),
        (down.is_cut_after(), "▼", row(bottom)),
        (across.iter().any(|window| window.is_cut_before()), "◀", column(area.x)),
        (across.iter().any(|window| window.is_cut_after()), "▶", column(right)),
    ];
    for (_, sign, edge) in signs.into_iter().filter(|(is_cut, ..)| *is_cut) {
        if let Some((x, y)) = sign_place(&edge, buffer) {
            Span::styled(sign, inks::MUTED).render(Rect { x, y, width: 1, height: 1 }, buffer);
        }
    }
}

/// The blank of an edge that is nearest to its middle, so that a sign hides no letter, and touches none if that is
/// possible; the middle if there is no blank.
fn sign_place(edge: &[(u16, u16)], buffer: &Buffer) -> Option<(u16, u16)> {
    let middle = edge.len() / 2;
    let is_blank = |index: usize| {
        edge.get(index)
            .and_then(|place| buffer.cell(*place))
            .is_none_or(|cell| cell.symbol() == " ")
    };
    let touches = |index: usize| !is_blank(index + 1) || index > 0 && !is_blank(index - 1);
    let blanks = (0..edge.len()).filter(|index| is_blank(*index));
    let nearest = blanks.min_by_key(|index| (touches(*index), index.abs_diff(middle)));
    edge.get(nearest.unwrap_or(middle)).copied()
}

/// Which rows or columns of a text are in sight: the frozen ones, and a stretch around the focus.
struct Window {
    length: usize,
    room: usize,
    frozen: usize,
    first: usize,
}

impl Window {
    fn new(length: usize, room: u16, frozen: usize, focus: usize, scroll: i32) -> Window {
        let room = usize::from(room);
        let frozen = frozen.min(room);
        let stretch = room - frozen;
        let centred = focus.saturating_sub(frozen + stretch / 2);
        let last = length.saturating_sub(frozen + stretch);
        let first = centred.min(last).saturating_add_signed(scroll as isize).min(last);
        Window { length, room, frozen, first }
    }

    fn source(&self, place: u16) -> Option<usize> {
        let place = usize::from(place);
        let source = if place < self.frozen { place } else { place + self.first };
        (source < self.length).then_some(source)
    }

    /// What is seen in the last place.
    fn last(&self) -> usize {
        (self.first + self.room).min(self.length).saturating_sub(1)
    }

    fn is_cut_before(&self) -> bool {
        self.first > 0
    }

    fn is_cut_after(&self) -> bool {
        self.first + self.room < self.length
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::scene::Focus;

    use super::*;

    /// What is seen of a text in so many columns and rows.
    fn seen(lines: &[&str], focus: Focus, scroll: i32, size: (u16, u16)) -> Vec<String> {
        let lines = lines.iter().map(|line| vec![TextSpan::new(*line, None)]).collect();
        let area = Rect::new(0, 0, size.0, size.1);
        let mut buffer = Buffer::empty(area);
        let scene = TextScene { lines, focus: Some(focus) };
        draw_text(&scene, &[], (scroll, 0), area, &mut buffer);
        let cells: Vec<&str> = buffer.content().iter().map(|cell| cell.symbol()).collect();
        cells.chunks(usize::from(size.0)).map(<[&str]>::concat).collect()
    }

    #[test]
    fn a_legend_is_not_moved_with_the_board() {
        let text = ["0123456789", "abc efghij", "legend"];
        let focus = Focus { column: 9, legend: Some(2), ..Focus::default() };
        assert_eq!(seen(&text, focus, 0, (6, 3)), ["456789", "◀fghij", "legend"]);
        let focus = Focus { legend: None, ..focus };
        assert_eq!(seen(&text, focus, 0, (6, 3)), ["456789", "◀fghij", "nd    "]);
    }

    #[test]
    fn a_legend_is_moved_as_far_as_it_is_asked_for() {
        let text = ["abc", "a long legend"];
        let focus = Focus { legend: Some(1), ..Focus::default() };
        assert_eq!(seen(&text, focus, 0, (6, 2)), ["abc  ▶", "a long"]);
        assert_eq!(seen(&text, focus, 2, (6, 2)), ["abc  ▶", "◀ong l"]);
        // What is not in sight is not cut.
        assert_eq!(seen(&text, focus, 0, (6, 1)), ["abc ▼ "]);
    }

    #[test]
    fn signs_stand_on_blanks_where_there_are_some() {
        let text = ["abcdef", "ghijkl", "mno qr"];
        let all = Focus::default();
        assert_eq!(seen(&text, all, 0, (6, 2)), ["abcdef", "ghi▼kl"]);
        assert_eq!(seen(&text, Focus { row: 2, ..all }, 0, (6, 2)), ["ghi▲kl", "mno qr"]);
        assert_eq!(seen(&["ab cde", "x"], all, 0, (6, 1)), ["ab▼cde"]);
        assert_eq!(seen(&["ab cde", "x"], all, 0, (8, 1)), ["ab cde ▼"]);
    }
}

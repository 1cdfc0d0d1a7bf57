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
    let width = scene.lines.iter().map(|line| line_width(line)).max().unwrap_or(0);
    let across = Window::new(width, area.width, focus.frozen_columns, focus.column, scroll.0);
    let down = Window::new(scene.lines.len(), area.height, focus.frozen_rows, focus.row, scroll.1);
    for row in 0..area.height {
        let Some(line) = down.source(row).and_then(|source| scene.lines.get(source)) else {
            continue;
        };
        let cells = cells(line);
        for column in 0..area.width {
            let cell = across.source(column).and_then(|source| cells.get(source));
            if let Some((letter, ink)) = cell {
                let colour = ink.and_then(|ink| inks::colour(ink, own)).unwrap_or_default();
                let at = Rect { x: area.x + column, y: area.y + row, width: 1, height: 1 };
                Span::styled(letter.to_string(), colour).render(at, buffer);
            }
        }
    }
    draw_edges(&across, &down, area, buffer);
}

/// Each character with its colour; wide ones do not occur on boards.
fn cells(line: &[TextSpan]) -> Vec<(char, Option<quintain_core::scene::Ink>)> {
    let letters = |span: &TextSpan| {
        let ink = span.ink;
        printable(&span.text).chars().map(move |letter| (letter, ink)).collect::<Vec<_>>()
    };
    line.iter().flat_map(letters).collect()
}

fn line_width(line: &[TextSpan]) -> usize {
    line.iter().map(|span| span.text.chars().count()).sum()
}

fn draw_edges(across: &Window, down: &Window, area: Rect, buffer: &mut Buffer) {
    let (right, bottom) = (area.right().saturating_sub(1), area.bottom().saturating_sub(1));
    let (middle_x, middle_y) = (area.x + area.width / 2, area.y + area.height / 2);
    let signs = [
        (down.is_cut_before(), "▲", middle_x, area.y),
        (down.is_cut_after(), "▼", middle_x, bottom),
        (across.is_cut_before(), "◀", area.x, middle_y),
        (across.is_cut_after(), "▶", right, middle_y),
    ];
    for (_, sign, x, y) in signs.into_iter().filter(|(is_cut, ..)| *is_cut) {
        Span::styled(sign, inks::MUTED).render(Rect { x, y, width: 1, height: 1 }, buffer);
    }
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

    fn is_cut_before(&self) -> bool {
        self.first > 0
    }

    fn is_cut_after(&self) -> bool {
        self.first + self.room < self.length
    }
}

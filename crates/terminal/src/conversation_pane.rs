//! What both bots were sent and answered, side by side in a place that may be smaller.

use quintain_core::{PerSeat, Seat};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Widget};

use crate::conversation::Said;
use crate::inks;
use crate::picture::named;
use crate::rows::wrapped;

/// Draws what was said from the row `scroll` on. Returns the last row from which on there is more than one
/// sees.
pub(crate) fn draw_conversation(
    names: &PerSeat<String>,
    said: &PerSeat<Vec<Said>>,
    scroll: usize,
    area: Rect,
    buffer: &mut Buffer,
) -> usize {
    let halves = [Constraint::Fill(1), Constraint::Length(1), Constraint::Fill(1)];
    let [left, _, right] = Layout::horizontal(halves).areas(area);
    let mut last = 0;
    for (seat, place) in Seat::BOTH.into_iter().zip([left, right]) {
        let [head, rest] =
            Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(place);
        named(seat, &names[seat], usize::from(head.width)).render(head, buffer);
        let rows: Vec<Line<'static>> =
            said[seat].iter().flat_map(|line| rows_of(line, usize::from(rest.width))).collect();
        last = last.max(rows.len().saturating_sub(usize::from(rest.height)));
        Paragraph::new(window(rows, scroll, usize::from(rest.height))).render(rest, buffer);
    }
    last
}

fn rows_of(said: &Said, width: usize) -> Vec<Line<'static>> {
    match said {
        Said::Heading(text) => wrapped(text, width, Modifier::BOLD.into()),
        Said::Line(text) => wrapped(text, width, Style::new()),
        Said::Remark(text) => wrapped(text, width, inks::MUTED.into()),
    }
}

/// The rows from `scroll` on, or the last ones, with a sign at either end where there are more.
fn window(rows: Vec<Line<'static>>, scroll: usize, room: usize) -> Vec<Line<'static>> {
    let first = scroll.min(rows.len().saturating_sub(room));
    let below = rows.len().saturating_sub(first + room);
    let mut shown: Vec<_> = rows.into_iter().skip(first).take(room).collect();
    let sign = |text: String| Line::styled(text, inks::MUTED);
    if let Some(row) = shown.first_mut().filter(|_| first > 0) {
        *row = sign(format!("▲ {} more rows", first + 1));
    }
    if let Some(row) = shown.last_mut().filter(|_| below > 0) {
        *row = sign(format!("▼ {} more rows", below + 1));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_says_how_much_there_is_beyond_it() {
        let rows = || (1..=9).map(|row: u8| Line::raw(row.to_string())).collect();
        let texts = |scroll, room| -> Vec<String> {
            window(rows(), scroll, room).iter().map(ToString::to_string).collect()
        };
        assert_eq!(texts(0, 4), ["1", "2", "3", "▼ 6 more rows"]);
        assert_eq!(texts(2, 4), ["▲ 3 more rows", "4", "5", "▼ 4 more rows"]);
        assert_eq!(texts(99, 4), ["▲ 6 more rows", "7", "8", "9"]);
        assert_eq!(texts(0, 9).len(), 9);
        assert_eq!(texts(3, 0), [""; 0]);
    }
}

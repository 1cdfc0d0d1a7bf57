//! One frame on a terminal: the board, and beside it who plays, the figures and what happened.

use quintain_core::scene::{Frame, Panel, Stage};
use quintain_core::{PerSeat, Seat, printable};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use super::board::draw_board;
use super::inks;

/// Narrower places show the board alone, with the names above it.
const WIDTH_WITH_SIDE_MIN: u16 = 60;
const SIDE_WIDTH_MIN: u16 = 24;
const SIDE_WIDTH_MAX: u16 = 38;

/// What is shown.
pub(super) struct Picture<'a> {
    pub(super) title: &'a str,
    pub(super) turn_name: &'a str,
    pub(super) names: &'a PerSeat<String>,
    pub(super) stage: &'a Stage,
    /// `None` before the first position is known.
    pub(super) frame: Option<&'a Frame>,
    /// How the match ended, once it is seen.
    pub(super) ending: Option<&'a str>,
}

impl Picture<'_> {
    pub(super) fn draw(&self, area: Rect, buffer: &mut Buffer) {
        let [top, rest] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
        self.draw_top(top, buffer);
        let scene = self.frame.map(|frame| &frame.scene);
        if area.width < WIDTH_WITH_SIDE_MIN {
            draw_board(self.stage, scene, rest, buffer);
            return;
        }
        let side_width = (area.width * 3 / 10).clamp(SIDE_WIDTH_MIN, SIDE_WIDTH_MAX);
        let widths = [Constraint::Min(0), Constraint::Length(1), Constraint::Length(side_width)];
        let [board, _, side] = Layout::horizontal(widths).areas(rest);
        draw_board(self.stage, scene, board, buffer);
        let lines = self.side(usize::from(side.width));
        Paragraph::new(lines).wrap(Wrap { trim: false }).render(side, buffer);
    }

    /// The game and the turn; in a narrow place the names instead of the game.
    pub(super) fn draw_top(&self, area: Rect, buffer: &mut Buffer) {
        let left = if area.width < WIDTH_WITH_SIDE_MIN {
            let room = usize::from(area.width / 3);
            let [first, second] = Seat::BOTH.map(|seat| self.name(seat, room));
            Line::from(vec![first, Span::raw(" : "), second])
        } else {
            Line::styled(self.title.to_owned(), Modifier::BOLD)
        };
        left.render(area, buffer);
        let turn = self.frame.map_or(0, |frame| frame.turn);
        let turn = format!("{} {turn}", self.turn_name);
        Line::styled(turn, inks::MUTED).right_aligned().render(area, buffer);
    }

    fn side(&self, width: usize) -> Vec<Line<'static>> {
        let mut lines = self.figures(width);
        lines.push(Line::default());
        if let Some(frame) = self.frame {
            lines.push(Line::raw(printable(&frame.scene.caption).into_owned()));
        }
        if let Some(ending) = self.ending {
            lines.push(Line::styled(printable(ending).into_owned(), Modifier::BOLD));
        }
        lines.push(Line::default());
        let notes = self.frame.map_or(&[][..], |frame| &frame.notes);
        let muted = Style::new().fg(inks::MUTED);
        lines.extend(notes.iter().map(|note| Line::styled(printable(note).into_owned(), muted)));
        lines
    }

    /// Who plays, with their figures and those of the match.
    pub(super) fn figures(&self, width: usize) -> Vec<Line<'static>> {
        let panels = self.frame.map_or(&[][..], |frame| &frame.scene.panels);
        let mut lines = Vec::new();
        for seat in Seat::BOTH {
            let ball = Span::styled(format!("{} ", inks::sign(seat)), inks::of_seat(seat));
            lines.push(Line::from(vec![ball, self.name(seat, width.saturating_sub(2))]));
            lines.extend(panel_lines(panels, Some(seat)));
        }
        let of_match = panel_lines(panels, None);
        if !of_match.is_empty() {
            lines.push(Line::default());
            lines.extend(of_match);
        }
        lines
    }

    fn name(&self, seat: Seat, width: usize) -> Span<'static> {
        let style = Style::new().fg(inks::of_seat(seat)).add_modifier(Modifier::BOLD);
        Span::styled(shortened(&printable(&self.names[seat]), width), style)
    }
}

fn panel_lines(panels: &[Panel], seat: Option<Seat>) -> Vec<Line<'static>> {
    let of_seat = panels.iter().filter(|panel| panel.seat == seat);
    let line = |panel: &Panel| {
        let name = Span::styled(format!("  {} ", panel.name), inks::MUTED);
        Line::from(vec![name, Span::raw(printable(&panel.value).into_owned())])
    };
    of_seat.map(line).collect()
}

/// The text, or its beginning and an ellipsis, in at most `width` columns.
pub(super) fn shortened(text: &str, width: usize) -> String {
    let columns = |text: &str| Span::raw(text.to_owned()).width();
    // A letter may have no width, but a name of very many of those need not be shown whole.
    let mut short: String = text.chars().take(4 * width).collect();
    if short.len() == text.len() && columns(text) <= width {
        return short;
    }
    while !short.is_empty() && columns(&short) + 1 > width {
        short.pop();
    }
    short.push('…');
    short
}

//! One frame on a terminal: the board, and beside it who plays, the figures and what happened.

use quintain_core::scene::{CAPTION_LETTERS_MAX, Frame, Panel, Stage, deeds_line};
use quintain_core::{PerSeat, Seat, printable};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::board::draw_board;
use crate::inks;
use crate::rows::{first_rows, shortened, wrapped};

/// Narrower places show the board alone, with the names above it.
const WIDTH_WITH_SIDE_MIN: u16 = 60;
const SIDE_WIDTH_MIN: u16 = 24;
const SIDE_WIDTH_MAX: u16 = 38;

/// Before a value that stands below its name.
const VALUE_INDENT: &str = "    ";

/// What is shown.
pub(crate) struct Picture<'a> {
    pub(crate) title: &'a str,
    pub(crate) turn_name: &'a str,
    pub(crate) names: &'a PerSeat<String>,
    pub(crate) stage: &'a Stage,
    /// `None` before the first position is known.
    pub(crate) frame: Option<&'a Frame>,
    /// How the match ended, once it is seen.
    pub(crate) ending: Option<&'a str>,
}

impl Picture<'_> {
    pub(crate) fn draw(&self, area: Rect, buffer: &mut Buffer) {
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
        let rows = first_rows(self.side(usize::from(side.width)), usize::from(side.height));
        Paragraph::new(rows).render(side, buffer);
    }

    /// The game and the turn; in a narrow place the names instead of the game.
    pub(crate) fn draw_top(&self, area: Rect, buffer: &mut Buffer) {
        let left = if area.width < WIDTH_WITH_SIDE_MIN {
            let room = usize::from(area.width / 3);
            let [first, second] = Seat::BOTH.map(|seat| name(seat, &self.names[seat], room));
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
        let mut rows = self.figures(width);
        rows.push(Line::default());
        if let Some(ending) = self.ending {
            rows.extend(wrapped(ending, width, Modifier::BOLD.into()));
        }
        rows.extend(wrapped(&self.caption(), width, Style::new()));
        rows.push(Line::default());
        let notes = self.frame.map_or(&[][..], |frame| &frame.notes);
        rows.extend(notes.iter().flat_map(|note| wrapped(note, width, inks::MUTED.into())));
        rows
    }

    /// What both did. That of the last position says how it ended, which is said already.
    fn caption(&self) -> String {
        match (self.frame, self.ending) {
            (Some(frame), None) => frame.scene.caption.clone(),
            (Some(frame), Some(_)) => {
                deeds_line(&frame.scene.deeds, self.names, CAPTION_LETTERS_MAX)
            }
            (None, _) => String::new(),
        }
    }

    /// Who plays, with their figures and those of the match.
    pub(crate) fn figures(&self, width: usize) -> Vec<Line<'static>> {
        let panels = self.frame.map_or(&[][..], |frame| &frame.scene.panels);
        let mut lines = Vec::new();
        for seat in Seat::BOTH {
            lines.push(named(seat, &self.names[seat], width));
            lines.extend(panel_rows(panels, Some(seat), width));
        }
        let of_match = panel_rows(panels, None, width);
        if !of_match.is_empty() {
            lines.push(Line::default());
            lines.extend(of_match);
        }
        lines
    }
}

/// The sign and the name of a seat.
pub(crate) fn named(seat: Seat, called: &str, width: usize) -> Line<'static> {
    let sign = Span::styled(format!("{} ", inks::sign(seat)), inks::of_seat(seat));
    Line::from(vec![sign, name(seat, called, width.saturating_sub(2))])
}

fn name(seat: Seat, called: &str, width: usize) -> Span<'static> {
    let style = Style::new().fg(inks::of_seat(seat)).add_modifier(Modifier::BOLD);
    Span::styled(shortened(&printable(called), width), style)
}

/// Figures of a seat or of the match. Short ones share a row, so that there is room for what happened.
fn panel_rows(panels: &[Panel], seat: Option<Seat>, width: usize) -> Vec<Line<'static>> {
    let mut rows: Vec<Line<'static>> = Vec::new();
    let mut has_room = false;
    for panel in panels.iter().filter(|panel| panel.seat == seat) {
        let mut own = rows_of(panel, width);
        let is_short = own.len() == 1;
        match (rows.last_mut(), own.as_mut_slice()) {
            (Some(last), [one]) if has_room && last.width() + one.width() <= width => {
                last.spans.append(&mut one.spans);
            }
            _ => rows.append(&mut own),
        }
        has_room = is_short;
    }
    rows
}

/// The name and the value behind it; below it where a word of the value would be broken.
fn rows_of(panel: &Panel, width: usize) -> Vec<Line<'static>> {
    let name = format!("  {} ", panel.name);
    let columns = |text: &str| Span::raw(text.to_owned()).width();
    let room = width.saturating_sub(columns(&name)).max(1);
    let longest = panel.value.split_whitespace().map(columns).max().unwrap_or(0);
    if longest > room {
        let below = width.saturating_sub(VALUE_INDENT.len()).max(1);
        let mut rows = wrapped(name.trim_end(), width, inks::MUTED.into());
        rows.extend(indented(wrapped(&panel.value, below, Style::new()), VALUE_INDENT));
        return rows;
    }
    let mut rows = wrapped(&panel.value, room, Style::new());
    let indent = " ".repeat(width - room.min(width));
    for (index, row) in rows.iter_mut().enumerate() {
        let before = if index == 0 { name.clone() } else { indent.clone() };
        row.spans.insert(0, Span::styled(before, inks::MUTED));
    }
    rows
}

fn indented(mut rows: Vec<Line<'static>>, indent: &'static str) -> Vec<Line<'static>> {
    rows.iter_mut().for_each(|row| row.spans.insert(0, Span::raw(indent)));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_without_room_beside_its_name_stands_whole_below_it() {
        let panels = [
            Panel::new(Seat::First, "double retreat skill", "+10"),
            Panel::new(Seat::First, "score", "8"),
        ];
        let rows = |width| -> Vec<String> {
            let rows = panel_rows(&panels, Some(Seat::First), width);
            rows.iter().map(ToString::to_string).collect()
        };
        assert_eq!(rows(26), ["  double retreat skill +10", "  score 8"]);
        assert_eq!(rows(24), ["  double retreat skill", "    +10", "  score 8"]);
    }
}

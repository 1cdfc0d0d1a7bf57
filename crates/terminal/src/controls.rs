//! The player's own rows below the picture: a bar to see where the film is, its state, its help.

use quintain_core::PerSeat;
use quintain_core::scene::{Film, Ink};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph, Widget, Wrap};

use crate::conversation::Said;
use crate::conversation_pane::draw_conversation;
use crate::inks;
use crate::keys::HELP;
use crate::picture::Picture;
use crate::player::Player;
use crate::rows::{first_rows, shortened};

/// Below this the player only says that it needs more.
const WIDTH_MIN: u16 = 40;
const HEIGHT_MIN: u16 = 12;

/// From this height on there is room for the board and what was said.
const HEIGHT_FOR_BOTH: u16 = 36;

const KEYS_SHORT: &str = "space play  ←→ step  s said  ? help  q quit ";

/// Draws the whole screen of the player, with what was `said` in the step that is shown if that is wanted.
/// Returns how far that can be scrolled.
pub(crate) fn draw_player(
    film: &Film,
    player: &Player,
    said: Option<&PerSeat<Vec<Said>>>,
    area: Rect,
    buffer: &mut Buffer,
) -> usize {
    if !is_large_enough(area, buffer) {
        return 0;
    }
    let rows =
        [Constraint::Min(0), Constraint::Length(1), Constraint::Length(1), Constraint::Length(1)];
    let [shown, marks, bar, status] = Layout::vertical(rows).areas(area);
    let is_last = player.position() == player.last();
    let picture = Picture {
        title: film.title,
        turn_name: film.turn_name,
        names: &film.names,
        stage: &film.stage,
        frame: film.frames.get(player.position()),
        ending: is_last.then_some(film.ending.as_str()),
    };
    let scroll_last = match said {
        None => {
            picture.draw(shown, buffer);
            0
        }
        Some(said) => {
            let of_picture = if area.height < HEIGHT_FOR_BOTH { 1 } else { shown.height / 2 };
            let parts = [Constraint::Length(of_picture), Constraint::Min(0)];
            let [top, rest] = Layout::vertical(parts).areas(shown);
            match of_picture {
                1 => picture.draw_top(top, buffer),
                _ => picture.draw(top, buffer),
            }
            draw_conversation(&film.names, said, player.scroll(), rest, buffer)
        }
    };
    draw_marks(film, marks, buffer);
    draw_bar(player, bar, buffer);
    draw_status(film, player, status, buffer);
    if player.shows_help() {
        draw_help(&HELP, area, buffer);
    }
    scroll_last
}

/// Whether there is room for a screen. Otherwise it only says that it needs more.
pub(crate) fn is_large_enough(area: Rect, buffer: &mut Buffer) -> bool {
    let Rect { width, height, .. } = area;
    let is_enough = width >= WIDTH_MIN && height >= HEIGHT_MIN;
    if !is_enough {
        let plea = format!(
            "This window is too small: {width} by {height}, and at least {WIDTH_MIN} by \
             {HEIGHT_MIN} are needed."
        );
        Paragraph::new(plea).wrap(Wrap { trim: true }).render(area, buffer);
    }
    is_enough
}

/// The column of a frame on a bar of the given width.
fn column(frame: usize, last: usize, width: u16) -> u16 {
    let end = usize::from(width.saturating_sub(1));
    u16::try_from(frame * end / last.max(1)).unwrap_or(0)
}

/// A tick above the bar for each frame that deserves one.
fn draw_marks(film: &Film, area: Rect, buffer: &mut Buffer) {
    let accent = inks::colour(Ink::Accent, &[]).unwrap_or_default();
    let last = film.frames.len().saturating_sub(1);
    let marked = film.frames.iter().enumerate().filter(|(_, frame)| !frame.marks.is_empty());
    for (index, _) in marked {
        let x = area.x + column(index, last, area.width);
        Span::styled("▾", accent).render(Rect { x, width: 1, ..area }, buffer);
    }
}

fn draw_bar(player: &Player, area: Rect, buffer: &mut Buffer) {
    let at = usize::from(column(player.position(), player.last(), area.width));
    let rest = usize::from(area.width).saturating_sub(at + 1);
    let bar = Line::from(vec![
        Span::raw("━".repeat(at)),
        Span::styled("●", Modifier::BOLD),
        Span::styled("─".repeat(rest), inks::MUTED),
    ]);
    bar.render(area, buffer);
}

/// What the player does at the left, and the most needed keys at the right if there is room.
fn draw_status(film: &Film, player: &Player, area: Rect, buffer: &mut Buffer) {
    let frame = &film.frames[player.position()];
    if let Some(digits) = player.jump() {
        let question = format!(" Jump to {} {digits}▏  enter goes, esc stays", film.turn_name);
        Line::styled(question, Modifier::BOLD).render(area, buffer);
        return;
    }
    let sign = if player.is_playing() { "▶" } else { "‖" };
    let (turn, last) = (frame.turn, player.turn_last());
    let mut state = format!(" {sign} {} {turn} of {last}  {}x", film.turn_name, player.speed());
    if let Some(mark) = frame.marks.first() {
        state.push_str("  ");
        state.push_str(&mark.text);
    }
    let state = Line::styled(state, Modifier::BOLD);
    let keys = Line::styled(KEYS_SHORT, inks::MUTED).right_aligned();
    if state.width() + 2 + keys.width() <= usize::from(area.width) {
        keys.render(area, buffer);
    }
    state.render(area, buffer);
}

pub(crate) fn draw_help(help: &[(&'static str, &'static str)], area: Rect, buffer: &mut Buffer) {
    let key_width = help.iter().map(|(key, _)| Span::raw(*key).width()).max().unwrap_or(0);
    let bold = Style::new().add_modifier(Modifier::BOLD);
    // Two borders, and a blank beside each.
    let room = usize::from(area.width).saturating_sub(key_width + 2 + 4);
    let line = |&(key, meaning): &(&'static str, &'static str)| {
        let gap = " ".repeat(key_width - Span::raw(key).width() + 2);
        let meaning = Span::raw(shortened(meaning, room));
        Line::from(vec![Span::styled(key, bold), Span::raw(gap), meaning])
    };
    let lines: Vec<_> = help.iter().map(line).collect();
    let width = lines.iter().map(Line::width).max().unwrap_or(0) as u16 + 4;
    let height = lines.len() as u16 + 2;
    let place = area.centered(Constraint::Length(width), Constraint::Length(height));
    let place = place.intersection(area);
    Clear.render(place, buffer);
    let frame = Block::bordered().border_type(BorderType::Rounded).title(" Keys ");
    let text = frame.inner(place);
    frame.render(place, buffer);
    let text = Rect { x: text.x + 1, width: text.width.saturating_sub(1), ..text };
    Paragraph::new(first_rows(lines, usize::from(text.height))).render(text, buffer);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_is_whole_on_80_columns() {
        let area = Rect::new(0, 0, 80, 24);
        for help in [&HELP[..], &crate::human::HELP[..]] {
            let mut buffer = Buffer::empty(area);
            draw_help(help, area, &mut buffer);
            let text: String = buffer.content.iter().map(|cell| cell.symbol()).collect();
            for (key, meaning) in help {
                assert!(text.contains(key) && text.contains(meaning), "{key}: {meaning}");
            }
        }
    }
}

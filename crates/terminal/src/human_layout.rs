//! The screen of a person at play: the board, who plays, what happened, what can be answered.

use quintain_core::scene::Form;
use quintain_core::{Suggestion, printable};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::board::{draw_aims, draw_board};
use crate::controls::{draw_help, is_large_enough};
use crate::human::{HELP, Human, Stage};
use crate::inks;
use crate::picture::Picture;
use crate::rows::{end_of, first_rows, last_rows, shortened, wrapped};
use crate::text_board::draw_text;

const SIDE_WIDTH_MIN: u16 = 32;
const SIDE_WIDTH_MAX: u16 = 50;
/// Rows that the list of answers has in any case, if there are so many, and those of what happened.
const OFFERED_ROWS_MIN: usize = 8;
const NOTE_ROWS_MIN: usize = 2;
/// Rows that are given to what was wrong with an answer.
const COMPLAINT_ROWS_MAX: usize = 4;
/// Answers that are played by a digit.
const DIGITS: usize = 9;
/// Between the three parts.
const GAPS: usize = 2;

pub(crate) fn draw_human(human: &Human, area: Rect, buffer: &mut Buffer) {
    if !is_large_enough(area, buffer) {
        return;
    }
    let remarks = remark_rows(human, usize::from(area.width));
    let remark_height = remarks.len().max(1) as u16;
    let rows = [Constraint::Min(0), Constraint::Length(remark_height), Constraint::Length(1)];
    let [body, remark, prompt] = Layout::vertical(rows).areas(area);
    match &human.head {
        None => draw_lobby(human, body, buffer),
        Some(_) => draw_match(human, body, buffer),
    }
    Paragraph::new(remarks).render(remark, buffer);
    draw_prompt(human, prompt, buffer);
    if human.shows_help {
        draw_help(&HELP, area, buffer);
    }
}

/// What was said so far.
fn draw_lobby(human: &Human, area: Rect, buffer: &mut Buffer) {
    let width = usize::from(area.width);
    let mut rows = vec![Line::styled("Before the match", Modifier::BOLD), Line::default()];
    rows.extend(human.heard.iter().flat_map(|line| wrapped(line, width, Style::new())));
    Paragraph::new(last_rows(rows, usize::from(area.height))).render(area, buffer);
}

fn draw_match(human: &Human, area: Rect, buffer: &mut Buffer) {
    let Some(head) = &human.head else { return };
    let picture = Picture {
        title: head.title,
        turn_name: head.turn_name,
        names: &head.names,
        stage: &head.stage,
        frame: human.frame.as_ref(),
        ending: None,
    };
    let [top, rest] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    picture.draw_top(top, buffer);
    let side_width = (area.width * 2 / 5).clamp(SIDE_WIDTH_MIN.min(area.width / 2), SIDE_WIDTH_MAX);
    let widths = [Constraint::Min(0), Constraint::Length(1), Constraint::Length(side_width)];
    let [board, _, side] = Layout::horizontal(widths).areas(rest);
    match &human.frame {
        Some(frame) if human.shows_text() => {
            draw_text(&frame.text, &head.stage.palette, human.scroll, board, buffer);
        }
        frame => {
            let scene = frame.as_ref().map(|frame| &frame.scene);
            draw_board(&head.stage, scene, board, buffer);
            draw_aims(&head.stage, scene, numbered_aims(human), board, buffer);
        }
    }
    draw_side(human, &picture, side, buffer);
}

/// What the answers that a digit plays are aimed at.
fn numbered_aims(human: &Human) -> impl Iterator<Item = (usize, &Form)> + Clone {
    let digits = if human.picks_by_digit() { DIGITS } else { 0 };
    let numbered = (1..=digits).zip(&human.offered);
    numbered.filter_map(|(number, offer)| Some((number, offer.aim.as_ref()?)))
}

/// Who plays and their figures, what happened, and what can be answered at the bottom.
fn draw_side(human: &Human, picture: &Picture<'_>, area: Rect, buffer: &mut Buffer) {
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    let mut figures = picture.figures(width);
    let offered = offered_lines(human, width);
    let beside = GAPS + human.notes.len().min(NOTE_ROWS_MIN);
    let room = height.saturating_sub(figures.len() + beside);
    let offered_rows = room.max(OFFERED_ROWS_MIN + 1).min(offered.len()).min(height);
    let figure_rows = figures.len().min(height.saturating_sub(offered_rows + beside));
    figures = first_rows(figures, figure_rows);
    let rows = [
        Constraint::Length(figure_rows as u16),
        Constraint::Length(1),
        Constraint::Min(0),
        Constraint::Length(1),
        Constraint::Length(offered_rows as u16),
    ];
    let [at_figures, _, at_notes, _, at_offered] = Layout::vertical(rows).areas(area);
    Paragraph::new(figures).render(at_figures, buffer);
    draw_notes(human, at_notes, buffer);
    draw_offered(human, offered, at_offered, buffer);
}

/// The newest at the bottom, as many as there is room for.
fn draw_notes(human: &Human, area: Rect, buffer: &mut Buffer) {
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    // Of the older ones it is only said that there are some: a row of them is enough.
    let newest = &human.notes[human.notes.len().saturating_sub(height + 1)..];
    let rows = newest.iter().flat_map(|note| wrapped(note, width, inks::MUTED.into())).collect();
    Paragraph::new(last_rows(rows, height)).render(area, buffer);
}

/// A headline, then each answer with its note.
fn offered_lines(human: &Human, width: usize) -> Vec<Line<'static>> {
    if let Stage::Over { ending } = &human.stage {
        return wrapped(ending, width, Style::new().add_modifier(Modifier::BOLD));
    }
    if human.offered.is_empty() {
        let hint = "Nothing that is offered begins so. Enter tries it, esc begins anew.";
        let is_typing = human.is_asked() && human.head.is_some();
        return if is_typing { wrapped(hint, width, Style::from(inks::MUTED)) } else { Vec::new() };
    }
    let mut lines = vec![Line::styled("Your answer:", Modifier::BOLD)];
    let shown = |offer: &Suggestion| {
        let sign = if offer.is_beginning() { " …" } else { "" };
        format!("{}{sign}", last_line(&offer.text))
    };
    let texts: Vec<String> = human.offered.iter().map(shown).collect();
    let text_width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let text_width = text_width.min(width / 2);
    let digits = if human.picks_by_digit() { DIGITS } else { 0 };
    for (index, (offer, text)) in human.offered.iter().zip(texts).enumerate() {
        let digit = if index < digits { format!("{} ", index + 1) } else { "  ".to_owned() };
        let row = format!("{digit}{text:text_width$}  {}", offer.note);
        let style = match index == human.chosen {
            true => Style::new().add_modifier(Modifier::REVERSED),
            false => Style::new(),
        };
        lines.push(Line::from(Span::styled(shortened(row.trim_end(), width), style)));
    }
    lines
}

/// The part of the list around what is chosen, with a sign where something is left out.
fn draw_offered(human: &Human, mut lines: Vec<Line<'static>>, area: Rect, buffer: &mut Buffer) {
    let rows = usize::from(area.height);
    if lines.len() > rows && rows > 2 {
        let room = rows - 2;
        let answers = lines.len() - 1;
        let first = human.chosen.saturating_sub(room / 2).min(answers - room);
        let left = answers - room;
        let more = Line::styled(format!("  … {left} more: ↑ ↓ or type"), inks::MUTED);
        lines = std::iter::once(lines[0].clone())
            .chain(lines[1 + first..1 + first + room].iter().cloned())
            .chain([more])
            .collect();
    }
    Paragraph::new(lines).render(area, buffer);
}

/// What was wrong with the last answer, whole, or what is said of the one that is chosen.
fn remark_rows(human: &Human, width: usize) -> Vec<Line<'static>> {
    let chosen = human.offered.get(human.chosen).filter(|offer| !offer.note.is_empty());
    match (&human.complaint, chosen) {
        (Some(complaint), _) => {
            let rows =
                wrapped(&format!("Not possible: {complaint}"), width - 1, Modifier::BOLD.into());
            let indented = |row: Line<'static>| Line::styled(format!(" {row}"), row.style);
            first_rows(rows.into_iter().map(indented).collect(), COMPLAINT_ROWS_MAX)
        }
        (None, Some(offer)) => {
            let text = format!(" {}: {}", last_line(&offer.text), offer.note);
            vec![Line::styled(shortened(&text, width), inks::MUTED)]
        }
        (None, None) => Vec::new(),
    }
}

/// The line of an answer that is asked for now.
fn last_line(text: &str) -> &str {
    text.trim_end().rsplit('\n').next().unwrap_or_default()
}

fn draw_prompt(human: &Human, area: Rect, buffer: &mut Buffer) {
    let width = usize::from(area.width);
    let prompt = match &human.stage {
        _ if human.is_leaving => {
            " Leave the match and lose it? y leaves, any other key stays".to_owned()
        }
        Stage::Over { .. } => " The match is over. q leaves.".to_owned(),
        Stage::Lobby if human.heard.is_empty() => " Waiting …".to_owned(),
        Stage::Lobby if human.typed.is_empty() => {
            format!(" Answer: ▏ (enter alone: {})", printable(&human.name))
        }
        Stage::Lobby => format!(" Answer: {}▏", human.typed),
        _ if human.is_asked() => format!(" > {}▏", human.typed.replace('\n', " ; ")),
        _ => " Waiting for the other …".to_owned(),
    };
    let prompt = Line::styled(end_of(&prompt, width), Modifier::BOLD);
    let keys = match human.time_left() {
        Some(left) => format!("{:.1} s left  ? help ", left.as_secs_f64()),
        None if human.offered.is_empty() => "? help  esc leave ".to_owned(),
        None => "↑↓ choose  enter play  ? help  esc leave ".to_owned(),
    };
    let keys = Line::styled(keys, inks::MUTED).right_aligned();
    let is_final = human.is_leaving || human.is_over();
    if !is_final && prompt.width() + 2 + keys.width() <= width {
        keys.render(area, buffer);
    }
    prompt.render(area, buffer);
}

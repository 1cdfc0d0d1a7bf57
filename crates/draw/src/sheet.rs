//! A whole sheet as SVG: names, title, board, figures, caption.
//!
//! The sheet has two parts, so that a film can paint the first of them once: what is the same in
//! all frames, and what belongs to one.

use quintain_core::Seat;
use quintain_core::scene::{Anchor, Area, Film, Frame, Ink, Panel};

use crate::fonts::{FAMILY, HALF_CAPITAL, Weight};
use crate::layout::{Layout, Sheet};
use crate::shades::{MUTED, hex, shade};
use crate::shapes::{anchor_name, number, push, write_shapes};
use crate::text::{escaped, shortened, width};

const MARGIN: f64 = 24.0;
const NAME_SIZE: f64 = 22.0;
const TITLE_SIZE: f64 = 17.0;
const TURN_SIZE: f64 = 14.0;
const CAPTION_SIZE: f64 = 15.0;
const CAPTION_SIZE_MIN: f64 = 11.5;
const BAND_HEIGHT: f64 = 4.0;
const CARD_HEIGHT_MAX: f64 = 62.0;

/// One frame of a film as an SVG document. A frame beyond the last is the last; a film without
/// frames is its empty stage.
pub fn svg(film: &Film, frame: usize, sheet: Sheet) -> String {
    let layout = Layout::of(film, sheet);
    let mut body = constant_part(film, &layout);
    body.push_str(&frame_part(film, frame, &layout));
    document(&layout, &body)
}

/// An SVG document around elements.
pub(crate) fn document(layout: &Layout, body: &str) -> String {
    let (width, height) = (number(layout.width), number(layout.height));
    let clip = rectangle(layout.board, "", 0.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"{FAMILY}, sans-serif\" \
         stroke-linecap=\"round\" stroke-linejoin=\"round\">\n\
         <clipPath id=\"world\">{clip}</clipPath>\n{body}</svg>\n"
    )
}

/// What all frames of a film have in common: the ground, the names, the stage.
pub(crate) fn constant_part(film: &Film, layout: &Layout) -> String {
    let mut out = String::new();
    let ground = fill(Ink::Ground);
    let whole = Area { x: 0.0, y: 0.0, width: layout.width, height: layout.height };
    push(&mut out, format_args!("{}\n", rectangle(whole, &ground, 0.0)));
    write_header(&mut out, film, layout);
    write_clipped(&mut out, |out| {
        write_shapes(out, &film.stage.background, layout.view, &film.stage.palette);
    });
    out
}

/// What belongs to one frame: the turn, the scene, the figures, the caption.
pub(crate) fn frame_part(film: &Film, frame: usize, layout: &Layout) -> String {
    let mut out = String::new();
    let Some(index) = crate::clamped(film, frame) else {
        return out;
    };
    let frame = &film.frames[index];
    write_turn(&mut out, film, frame, layout);
    write_clipped(&mut out, |out| {
        write_shapes(out, &frame.scene.shapes, layout.view, &film.stage.palette);
    });
    write_panels(&mut out, &frame.scene.panels, layout);
    write_footer(&mut out, film, index, layout);
    out
}

fn write_clipped(out: &mut String, content: impl FnOnce(&mut String)) {
    out.push_str("<g clip-path=\"url(#world)\">\n");
    content(out);
    out.push_str("</g>\n");
}

fn write_header(out: &mut String, film: &Film, layout: &Layout) {
    let unit = layout.unit;
    let band = layout.header.height - BAND_HEIGHT * unit;
    let middle = layout.width / 2.0;
    let field = Area { height: band, ..layout.header };
    push(out, format_args!("{}\n", rectangle(field, &fill(Ink::Field), 0.0)));
    let title_width = width(film.title, TITLE_SIZE * unit, Weight::Bold).max(150.0 * unit);
    let name_room = middle - title_width / 2.0 - 2.0 * MARGIN * unit;
    for seat in Seat::BOTH {
        let (x, anchor, left) = match seat {
            Seat::First => (MARGIN * unit, Anchor::Start, 0.0),
            Seat::Second => (layout.width - MARGIN * unit, Anchor::End, middle),
        };
        let ink = Ink::of(seat);
        let half = Area { x: left, y: band, width: middle, height: BAND_HEIGHT * unit };
        push(out, format_args!("{}\n", rectangle(half, &fill(ink), 0.0)));
        let name = Text {
            size: NAME_SIZE * unit,
            weight: Weight::Bold,
            colour: hex(shade(ink, &[])),
            anchor,
        };
        name.write(out, x, band / 2.0, &film.names[seat], name_room);
    }
    let title = Text {
        size: TITLE_SIZE * unit,
        weight: Weight::Bold,
        colour: hex(shade(Ink::Text, &[])),
        anchor: Anchor::Middle,
    };
    title.write(out, middle, band * 0.34, film.title, layout.width);
}

fn write_turn(out: &mut String, film: &Film, frame: &Frame, layout: &Layout) {
    let last = film.frames.last().map_or(frame.turn, |last| last.turn);
    let text = match frame.turn {
        0 => "Start".to_owned(),
        turn => format!("{} {turn} of {last}", capitalised(film.turn_name)),
    };
    let band = layout.header.height - BAND_HEIGHT * layout.unit;
    let turn = Text {
        size: TURN_SIZE * layout.unit,
        weight: Weight::Regular,
        colour: hex(MUTED),
        anchor: Anchor::Middle,
    };
    turn.write(out, layout.width / 2.0, band * 0.72, &text, layout.width);
}

/// The caption, or the ending below the last frame, and how far the match has come.
fn write_footer(out: &mut String, film: &Film, index: usize, layout: &Layout) {
    let unit = layout.unit;
    let is_last = index + 1 == film.frames.len();
    let (text, weight) = if is_last && !film.ending.is_empty() {
        (film.ending.as_str(), Weight::Bold)
    } else {
        (film.frames[index].scene.caption.as_str(), Weight::Regular)
    };
    let room = layout.width - 2.0 * MARGIN * unit;
    let caption = Text {
        size: fitting(text, weight, room, CAPTION_SIZE * unit, CAPTION_SIZE_MIN * unit),
        weight,
        colour: hex(shade(Ink::Text, &[])),
        anchor: Anchor::Middle,
    };
    let bar_height = BAND_HEIGHT * unit;
    let middle = layout.footer.y + (layout.footer.height - bar_height) / 2.0;
    caption.write(out, layout.width / 2.0, middle, text, room);

    let bar = Area { y: layout.height - bar_height, height: bar_height, ..layout.footer };
    push(out, format_args!("{}\n", rectangle(bar, &fill(Ink::Faint), 0.0)));
    let steps = film.frames.len().saturating_sub(1).max(1);
    let done = Area { width: bar.width * index as f64 / steps as f64, ..bar };
    push(out, format_args!("{}\n", rectangle(done, &fill(Ink::Wall), 0.0)));
}

fn write_panels(out: &mut String, panels: &[Panel], layout: &Layout) {
    for seat in Seat::BOTH {
        if let Some(column) = layout.columns[seat] {
            let own: Vec<_> = panels.iter().filter(|panel| panel.seat == Some(seat)).collect();
            write_cards(out, &own, seat, column, layout.unit);
        }
    }
    if let Some(strip) = layout.strip {
        let shown: Vec<_> = panels
            .iter()
            .filter(|panel| panel.seat.is_none())
            .map(|panel| format!("{} {}", panel.name, panel.value))
            .collect();
        let text = Text {
            size: TURN_SIZE * layout.unit,
            weight: Weight::Regular,
            colour: hex(shade(Ink::Text, &[])),
            anchor: Anchor::Middle,
        };
        let middle = strip.y + strip.height * 0.6;
        text.write(out, layout.width / 2.0, middle, &shown.join("   ·   "), strip.width);
    }
}

/// A seat's figures, one card below the other, as high as the column allows.
fn write_cards(out: &mut String, panels: &[&Panel], seat: Seat, column: Area, unit: f64) {
    let gap = 8.0 * unit;
    let top = column.y + 12.0 * unit;
    let room = column.height - 24.0 * unit;
    let step = (room / panels.len().max(1) as f64).min(CARD_HEIGHT_MAX * unit);
    let (height, inner) = (step - gap, 12.0 * unit);
    // Cards touch the rim of the sheet on the side of their seat's name.
    let (x, stripe_x) = match seat {
        Seat::First => (column.x + 14.0 * unit, column.x + 14.0 * unit),
        Seat::Second => (column.x, column.x + column.width - 17.0 * unit),
    };
    let card_width = column.width - 14.0 * unit;
    for (index, panel) in panels.iter().enumerate() {
        let y = top + step * index as f64;
        let card = Area { x, y, width: card_width, height };
        push(out, format_args!("{}\n", rectangle(card, &fill(Ink::Field), 4.0 * unit)));
        let stripe = Area { x: stripe_x, width: 3.0 * unit, ..card };
        push(out, format_args!("{}\n", rectangle(stripe, &fill(Ink::of(seat)), 0.0)));
        let name = Text {
            size: height * 0.24,
            weight: Weight::Regular,
            colour: hex(MUTED),
            anchor: Anchor::Start,
        };
        let text_room = card_width - 2.0 * inner;
        name.write(out, x + inner, y + height * 0.26, panel.name, text_room);
        write_value(out, &panel.value, x + inner, y, height, text_room);
    }
}

/// A figure below its name: in one line if that is legible, in two otherwise.
fn write_value(out: &mut String, value: &str, x: f64, y: f64, height: f64, room: f64) {
    let (usual, least) = (height * 0.38, height * 0.22);
    let lines = if width(value, least, Weight::Bold) > room { halves(value) } else { [value, ""] };
    let text = |size| Text {
        size,
        weight: Weight::Bold,
        colour: hex(shade(Ink::Text, &[])),
        anchor: Anchor::Start,
    };
    match lines {
        [line, ""] => {
            let size = fitting(line, Weight::Bold, room, usual, least);
            text(size).write(out, x, y + height * 0.68, line, room);
        }
        [first, second] => {
            text(least).write(out, x, y + height * 0.56, first, room);
            text(least).write(out, x, y + height * 0.82, second, room);
        }
    }
}

/// A text divided at the blank next to its middle, if it has one.
fn halves(text: &str) -> [&str; 2] {
    let blanks = text.match_indices(' ').map(|(at, _)| at);
    let middle = blanks.min_by_key(|at| at.abs_diff(text.len() / 2));
    middle.map_or([text, ""], |at| [&text[..at], &text[at + 1..]])
}

/// How a line of text of the sheet itself looks.
struct Text {
    size: f64,
    weight: Weight,
    colour: String,
    anchor: Anchor,
}

impl Text {
    /// Writes a text whose letters have their middle at the height `y`, shortened if need be.
    fn write(&self, out: &mut String, x: f64, y: f64, text: &str, room: f64) {
        let Text { size, weight, colour, anchor } = self;
        let text = escaped(&shortened(text, *size, *weight, room));
        if text.is_empty() {
            return;
        }
        let bold = if *weight == Weight::Bold { r#" font-weight="bold""# } else { "" };
        let (x, y) = (number(x), number(y + HALF_CAPITAL * size));
        let (size, anchor) = (number(*size), anchor_name(*anchor));
        push(
            out,
            format_args!(
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{bold} text-anchor=\"{anchor}\" \
                 fill=\"{colour}\">{text}</text>\n"
            ),
        );
    }
}

/// The size at which a text fits into its room, between the usual one and the least legible.
fn fitting(text: &str, weight: Weight, room: f64, usual: f64, least: f64) -> f64 {
    (usual * room / width(text, usual, weight)).clamp(least, usual)
}

fn rectangle(area: Area, paint: &str, radius: f64) -> String {
    let (x, y) = (number(area.x), number(area.y));
    let (width, height) = (number(area.width.max(0.0)), number(area.height.max(0.0)));
    let corners = if radius > 0.0 { format!(r#" rx="{}""#, number(radius)) } else { String::new() };
    format!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}"{corners}{paint}/>"#)
}

fn fill(ink: Ink) -> String {
    format!(r#" fill="{}""#, hex(shade(ink, &[])))
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_figure_is_divided_at_the_blank_next_to_its_middle() {
        assert_eq!(halves("O10 B5 L2 T19 E4"), ["O10 B5 L2", "T19 E4"]);
        assert_eq!(halves("a bcdefgh"), ["a", "bcdefgh"]);
        assert_eq!(halves("undivided"), ["undivided", ""]);
    }
}

//! Shapes of a scene as SVG elements, in the sheet's own coordinates.

use std::fmt::Write;

use quintain_core::scene::{Anchor, Colour, Form, Point, Shape, Style};

use crate::fonts::HALF_CAPITAL;
use crate::layout::View;
use crate::shades::{hex, shade};
use crate::text::escaped;

/// Thinner lines would all but vanish in a picture.
const STROKE_WIDTH_MIN: f64 = 0.7;

/// Writes the shapes, lower layers first.
pub(crate) fn write_shapes(out: &mut String, shapes: &[Shape], view: View, own: &[Colour]) {
    let mut ordered: Vec<&Shape> = shapes.iter().collect();
    ordered.sort_by_key(|shape| shape.layer);
    for shape in ordered {
        write_shape(out, shape, view, own);
    }
}

/// A number with at most two decimals, as short as it can be written. What is no number becomes 0.
pub(crate) fn number(value: f64) -> String {
    let rounded = if value.is_finite() { (value * 100.0).round() / 100.0 } else { 0.0 };
    // Adding zero turns a negative zero into the usual one.
    format!("{}", rounded + 0.0)
}

fn write_shape(out: &mut String, shape: &Shape, view: View, own: &[Colour]) {
    let Some((name, geometry)) = element(&shape.form, view) else {
        return;
    };
    let paint = match shape.form {
        Form::Text { .. } => text_paint(&shape.style, view, own),
        Form::Line { .. } => paint(&Style { fill: None, ..shape.style }, view, own),
        Form::Circle { .. } | Form::Polygon { .. } => paint(&shape.style, view, own),
    };
    let label = shape.label.as_ref().map(|label| format!("<title>{}</title>", escaped(label)));
    let text = match &shape.form {
        Form::Text { text, .. } => escaped(text),
        _ => String::new(),
    };
    let content = label.unwrap_or_default() + &text;
    if content.is_empty() {
        push(out, format_args!("<{name}{geometry}{paint}/>\n"));
    } else {
        push(out, format_args!("<{name}{geometry}{paint}>{content}</{name}>\n"));
    }
}

/// The element's name and where it is; `None` if there is nothing to draw.
fn element(form: &Form, view: View) -> Option<(&'static str, String)> {
    match form {
        Form::Circle { centre, radius } => {
            let at = view.place(*centre);
            let (x, y, r) = (number(at.x), number(at.y), number(radius * view.scale));
            Some(("circle", format!(r#" cx="{x}" cy="{y}" r="{r}""#)))
        }
        Form::Line { points } if points.len() >= 2 => {
            Some(("polyline", format!(r#" points="{}""#, chain(points, view))))
        }
        Form::Polygon { points } if points.len() >= 3 => {
            Some(("polygon", format!(r#" points="{}""#, chain(points, view))))
        }
        Form::Line { .. } | Form::Polygon { .. } => None,
        Form::Text { at, size, anchor, .. } => {
            let place = view.place(*at);
            let size = size * view.scale;
            let (x, y) = (number(place.x), number(place.y + HALF_CAPITAL * size));
            let anchor = anchor_name(*anchor);
            let size = number(size);
            Some(("text", format!(r#" x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}""#)))
        }
    }
}

pub(crate) fn anchor_name(anchor: Anchor) -> &'static str {
    match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    }
}

fn chain(points: &[Point], view: View) -> String {
    let mut chain = String::with_capacity(points.len() * 12);
    for point in points {
        let at = view.place(*point);
        let gap = if chain.is_empty() { "" } else { " " };
        push(&mut chain, format_args!("{gap}{},{}", number(at.x), number(at.y)));
    }
    chain
}

fn paint(style: &Style, view: View, own: &[Colour]) -> String {
    let mut paint = match style.fill {
        Some(ink) => format!(r#" fill="{}""#, hex(shade(ink, own))),
        None => r#" fill="none""#.to_owned(),
    };
    if let Some(ink) = style.stroke {
        let width = number((style.stroke_width * view.scale).max(STROKE_WIDTH_MIN));
        let colour = hex(shade(ink, own));
        push(&mut paint, format_args!(r#" stroke="{colour}" stroke-width="{width}""#));
    }
    paint + &opacity(style)
}

/// Letters are filled; with two inks the stroke is a rim around them.
fn text_paint(style: &Style, view: View, own: &[Colour]) -> String {
    match (style.fill, style.stroke) {
        (Some(_), Some(_)) => paint(style, view, own) + r#" paint-order="stroke""#,
        (fill, stroke) => {
            let style = Style { fill: fill.or(stroke), stroke: None, ..*style };
            paint(&style, view, own)
        }
    }
}

/// One paint can be faded by itself, which is much quicker to draw than a faded group.
fn opacity(style: &Style) -> String {
    if style.opacity >= 1.0 {
        return String::new();
    }
    let value = number(style.opacity.max(0.0));
    match (style.fill, style.stroke) {
        (Some(_), Some(_)) => format!(r#" opacity="{value}""#),
        (None, _) => format!(r#" stroke-opacity="{value}""#),
        (Some(_), None) => format!(r#" fill-opacity="{value}""#),
    }
}

pub(crate) fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string takes any text");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_always_valid() {
        for (value, expected) in
            [(1.0, "1"), (-0.001, "0"), (2.345_67, "2.35"), (f64::NAN, "0"), (f64::INFINITY, "0")]
        {
            assert_eq!(number(value), expected);
        }
    }
}

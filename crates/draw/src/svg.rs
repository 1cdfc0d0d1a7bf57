//! A picture as an SVG document.

use std::fmt::Write;

use quintain_core::scene::{Anchor, Area, Colour, Tone};

use crate::fonts::{FAMILY, Weight};
use crate::outline::{Outline, written};
use crate::picture::{Clip, Filling, HALO, Item, Letters, Piece, Stroke};
use crate::text::escaped;

/// The items of a sheet as a document.
pub(crate) fn document(items: &[Item], width: f64, height: f64) -> String {
    let mut writer = Writer::default();
    for item in items {
        writer.item(item);
    }
    writer.clip(None);
    let Writer { definitions, body, .. } = writer;
    let (width, height) = (number(width), number(height));
    let definitions: String = definitions.into_iter().map(|(_, element)| element).collect();
    let definitions = if definitions.is_empty() {
        definitions
    } else {
        format!("<defs>\n{definitions}</defs>\n")
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"{FAMILY}, sans-serif\" \
         font-kerning=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n\
         {definitions}{body}</svg>\n"
    )
}

/// A number with at most two decimals, as short as it can be written. What is no number becomes 0.
fn number(value: f64) -> String {
    let rounded = if value.is_finite() { (value * 100.0).round() / 100.0 } else { 0.0 };
    // Adding zero turns a negative zero into the usual one.
    format!("{}", rounded + 0.0)
}

#[derive(Default)]
struct Writer {
    /// Gradients and clips: without their names, to find equal ones, and with them.
    definitions: Vec<(String, String)>,
    body: String,
    open_clip: Option<Clip>,
}

impl Writer {
    fn item(&mut self, item: &Item) {
        self.clip(item.clip);
        let is_group = item.pieces.len() > 1;
        let tip = item.tip.as_ref().map(|tip| format!("<title>{}</title>", escaped(tip)));
        let tip = tip.unwrap_or_default();
        let opacity = match item.opacity {
            whole if whole >= 1.0 => String::new(),
            part => format!(r#" opacity="{}""#, number(part)),
        };
        if is_group {
            push(&mut self.body, format_args!("<g{opacity}>{tip}\n"));
        }
        let (opacity, tip) = if is_group { ("", "") } else { (opacity.as_str(), tip.as_str()) };
        for piece in &item.pieces {
            match piece {
                Piece::Shape { outline, fill, stroke } => {
                    let paint = self.paint(fill.as_ref(), stroke.as_ref());
                    let (name, geometry) = element(outline);
                    let end =
                        if tip.is_empty() { "/>".to_owned() } else { format!(">{tip}</{name}>") };
                    push(&mut self.body, format_args!("<{name}{geometry}{paint}{opacity}{end}\n"));
                }
                Piece::Letters(letters) => self.letters(letters, opacity, tip),
            }
        }
        if is_group {
            self.body.push_str("</g>\n");
        }
    }

    /// Ends the group of one clip and begins that of another.
    fn clip(&mut self, clip: Option<Clip>) {
        if self.open_clip == clip {
            return;
        }
        if self.open_clip.is_some() {
            self.body.push_str("</g>\n");
        }
        if let Some(clip) = clip {
            let outline = if clip.is_round {
                clip.circle()
            } else {
                Outline::Rectangle { area: clip.area, radius: 0.0 }
            };
            let (name, geometry) = element(&outline);
            let inside = format!("<{name}{geometry}/>");
            let id = self.define("clipPath", "", &inside);
            push(&mut self.body, format_args!("<g clip-path=\"url(#{id})\">\n"));
        }
        self.open_clip = clip;
    }

    /// The name of a definition, which is made if there is no equal one.
    fn define(&mut self, name: &str, attributes: &str, inside: &str) -> String {
        let content = format!("{name}{attributes}{inside}");
        let known = self.definitions.iter().position(|(known, _)| *known == content);
        let index = known.unwrap_or_else(|| {
            let id = self.definitions.len();
            let element = format!("<{name} id=\"d{id}\"{attributes}>{inside}</{name}>\n");
            self.definitions.push((content, element));
            id
        });
        format!("d{index}")
    }

    fn paint(&mut self, fill: Option<&Filling>, stroke: Option<&Stroke>) -> String {
        let mut paint = match fill {
            Some(filling) => self.filling("fill", filling),
            None => r#" fill="none""#.to_owned(),
        };
        if let Some(stroke) = stroke {
            paint += &self.filling("stroke", &stroke.filling);
            push(&mut paint, format_args!(r#" stroke-width="{}""#, number(stroke.width)));
            if let Some(dash) = stroke.dash.filter(|&dash| dash > 0.0) {
                let dash = number(dash.max(0.01));
                push(
                    &mut paint,
                    format_args!(r#" stroke-dasharray="{dash}" stroke-linecap="butt""#),
                );
            }
        }
        paint
    }

    fn filling(&mut self, what: &str, filling: &Filling) -> String {
        let (name, line, from, to) = match filling.tone {
            Tone::Flat(colour) => return flat(what, what, colour),
            Tone::Down(from, to) => {
                ("linearGradient", r#" x1="0" y1="-1" x2="0" y2="1""#, from, to)
            }
            Tone::Out(from, to) => ("radialGradient", r#" cx="0" cy="0" r="1""#, from, to),
        };
        let numbers = filling.reach.numbers().map(|value| format!("{:.4}", value + 0.0));
        let matrix = numbers.join(" ");
        let attributes = format!(
            r#" gradientUnits="userSpaceOnUse" gradientTransform="matrix({matrix})"{line}"#
        );
        let stop = |offset: u8, colour| {
            format!(r#"<stop offset="{offset}"{}/>"#, flat("stop-color", "stop", colour))
        };
        let id = self.define(name, &attributes, &(stop(0, from) + &stop(1, to)));
        format!(" {what}=\"url(#{id})\"")
    }

    fn letters(&mut self, letters: &Letters, opacity: &str, tip: &str) {
        let text = escaped(&letters.text);
        let bold = if letters.weight == Weight::Bold { r#" font-weight="bold""# } else { "" };
        let (x, y) = (number(letters.at.x), number(letters.base_line()));
        let anchor = match letters.anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let size = number(letters.size);
        let fill = self.filling("fill", &letters.filling);
        let halo = letters.halo.map(|colour| {
            let width = number(letters.size * HALO);
            format!(
                r#"{} stroke-width="{width}" paint-order="stroke""#,
                flat("stroke", "stroke", colour)
            )
        });
        let halo = halo.unwrap_or_default();
        push(
            &mut self.body,
            format_args!(
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{bold}{anchor}{fill}{halo}{opacity}>\
                 {tip}{text}</text>\n"
            ),
        );
    }
}

/// One colour as an attribute, and its opacity as one of `what`.
fn flat(attribute: &str, what: &str, colour: Colour) -> String {
    let opaque = colour.with_alpha(255);
    match colour.alpha {
        255 => format!(r#" {attribute}="{opaque}""#),
        alpha => {
            let alpha = number(f64::from(alpha) / 255.0);
            format!(r#" {attribute}="{opaque}" {what}-opacity="{alpha}""#)
        }
    }
}

/// The element's name and where it is.
fn element(outline: &Outline) -> (&'static str, String) {
    match outline {
        Outline::Circle { centre, radius } => {
            let (x, y, r) = (number(centre.x), number(centre.y), number(*radius));
            ("circle", format!(r#" cx="{x}" cy="{y}" r="{r}""#))
        }
        Outline::Chain { points, is_closed } => {
            let points: Vec<String> = points
                .iter()
                .map(|point| format!("{},{}", number(point.x), number(point.y)))
                .collect();
            let name = if *is_closed { "polygon" } else { "polyline" };
            (name, format!(r#" points="{}""#, points.join(" ")))
        }
        Outline::Rectangle { area, radius } => {
            let Area { x, y, width, height } = *area;
            let (x, y) = (number(x), number(y));
            let round = radius.min(width / 2.0).min(height / 2.0);
            let corners =
                if round > 0.0 { format!(r#" rx="{}""#, number(round)) } else { String::new() };
            let (width, height) = (number(width.max(0.0)), number(height.max(0.0)));
            ("rect", format!(r#" x="{x}" y="{y}" width="{width}" height="{height}"{corners}"#))
        }
        Outline::Path { .. } => {
            let path = outline.path().map(|path| written(&path, number)).unwrap_or_default();
            ("path", format!(r#" d="{path}""#))
        }
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
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

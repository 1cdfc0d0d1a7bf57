//! Plain plots as SVG: ratings with their intervals, and curves.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};
use quintain_core::printable;
use quintain_tournament::{ELO_MAX, Rating};

/// For light rooms and dark ones, as whoever looks has it.
const STYLE: &str = "\
text{font:13px system-ui,sans-serif;fill:#222}\
.grid{stroke:#8886}.line{stroke:#1565c0;stroke-width:2;fill:none}.dot{fill:#1565c0}\
.own .line{stroke:#c62828}.own .dot{fill:#c62828}\
@media(prefers-color-scheme:dark){text{fill:#ddd}.line{stroke:#64b5f6}.dot{fill:#64b5f6}\
.own .line{stroke:#ef9a9a}.own .dot{fill:#ef9a9a}}";

const WIDTH: f64 = 640.0;
/// Where names stand.
const LEFT: f64 = 150.0;
const RIGHT: f64 = 24.0;
const ROW: f64 = 26.0;
const TOP: f64 = 34.0;

/// A row of a plot of ratings.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedRow {
    pub name: String,
    pub rating: Rating,
    /// Whether it is set apart from the others.
    pub is_own: bool,
}

/// Ratings with their 95% intervals, one below the other. An open end reaches to the edge.
pub fn ratings(title: &str, rows: &[RatedRow]) -> String {
    let axis = Axis::of(rows.iter().flat_map(|row| ends(&row.rating)), LEFT..WIDTH - RIGHT);
    let height = TOP + ROW * rows.len() as f64 + 30.0;
    let body = html! {
        @for tick in axis.ticks() {
            line.grid x1=(n(axis.at(tick))) x2=(n(axis.at(tick))) y1=(n(TOP)) y2=(n(height - 26.0)) {}
            text x=(n(axis.at(tick))) y=(n(height - 10.0)) text-anchor="middle" { (n(tick)) }
        }
        @for (index, row) in rows.iter().enumerate() {
            @let y = TOP + ROW * (index as f64 + 0.5);
            @let [low, high] = [row.rating.low, row.rating.high].map(|end| axis.within(end));
            g class=[row.is_own.then_some("own")] {
                text x=(n(LEFT - 12.0)) y=(n(y + 4.5)) text-anchor="end" { (printable(&row.name)) }
                line.line x1=(n(low)) x2=(n(high)) y1=(n(y)) y2=(n(y)) {}
                circle.dot cx=(n(axis.at(row.rating.value))) cy=(n(y)) r="5" {}
            }
        }
    };
    drawing(title, height, &body)
}

/// A curve of a plot, within the range that its values may have.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pub name: String,
    pub range: [f64; 2],
    /// One value after the other.
    pub values: Vec<f64>,
}

/// Curves in frames of their own, one below the other.
pub fn curves(title: &str, curves: &[Curve]) -> String {
    const FRAME: f64 = 110.0;
    const GAP: f64 = 30.0;
    let height = TOP + (FRAME + GAP) * curves.len() as f64;
    let body = html! {
        @for (index, curve) in curves.iter().enumerate() {
            @let top = TOP + (FRAME + GAP) * index as f64;
            @let [least, most] = curve.range;
            text x=(n(LEFT - 12.0)) y=(n(top + FRAME / 2.0)) text-anchor="end" { (printable(&curve.name)) }
            text x=(n(LEFT - 12.0)) y=(n(top + 12.0)) text-anchor="end" { (most) }
            text x=(n(LEFT - 12.0)) y=(n(top + FRAME)) text-anchor="end" { (least) }
            rect.grid x=(n(LEFT)) y=(n(top)) width=(n(WIDTH - RIGHT - LEFT)) height=(n(FRAME)) fill="none" {}
            polyline.line points=(points(curve, [LEFT, WIDTH - RIGHT], [top + FRAME, top])) {}
        }
    };
    drawing(title, height, &body)
}

/// The points of a curve between two ends of each axis.
fn points(curve: &Curve, [left, right]: [f64; 2], [bottom, top]: [f64; 2]) -> String {
    let [least, most] = curve.range;
    let steps = curve.values.len().saturating_sub(1).max(1) as f64;
    let mut text = String::new();
    for (index, value) in curve.values.iter().enumerate() {
        let share = if most > least { (value - least) / (most - least) } else { 0.5 };
        let share = share.clamp(0.0, 1.0);
        let x = left + (right - left) * index as f64 / steps;
        let y = bottom + (top - bottom) * share;
        let _ = write!(text, "{},{} ", n(x), n(y));
    }
    text.trim_end().to_owned()
}

fn drawing(title: &str, height: f64, body: &Markup) -> String {
    let (title, size) = (printable(title), format!("0 0 {WIDTH} {}", n(height)));
    let drawing = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(size) width=(WIDTH) height=(n(height)) role="img" {
            title { (title) }
            style { (PreEscaped(STYLE)) }
            text x="12" y="20" { (title) }
            (body)
        }
    };
    format!("{}\n", drawing.into_string())
}

/// A number as it is written: a tenth of a pixel is exact enough.
pub(crate) fn n(number: f64) -> String {
    format!("{}", (number * 10.0).round() / 10.0)
}

/// The ends of an interval that are known, and what is between them.
pub(crate) fn ends(rating: &Rating) -> impl Iterator<Item = f64> + use<> {
    let Rating { value, low, high } = *rating;
    let is_bounded = move |end: &f64| (end - value).abs() < ELO_MAX - 1e-3;
    [low, value, high].into_iter().filter(is_bounded)
}

/// Numbers along an edge of the drawing.
#[derive(Clone, Debug)]
pub struct Axis {
    least: f64,
    most: f64,
    step: f64,
    pixels: std::ops::Range<f64>,
}

impl Axis {
    /// From a round number to a round number, with all values between them.
    pub(crate) fn of(values: impl Iterator<Item = f64>, pixels: std::ops::Range<f64>) -> Axis {
        let (least, most) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| {
                (least.min(value), most.max(value))
            });
        let (least, most) = if least > most { (0.0, 1.0) } else { (least, most) };
        let steps = [1.0, 50.0, 100.0, 200.0, 500.0, 1_000.0];
        let fits = |step: &f64| (most - least) / step <= 8.0;
        let step = steps.into_iter().find(fits).unwrap_or(2_000.0);
        let least = (least / step).floor() * step;
        Axis { least, most: ((most / step).ceil() * step).max(least + step), step, pixels }
    }

    /// From a number to a number, with about so many round ones between them.
    pub(crate) fn round(least: f64, most: f64, pixels: std::ops::Range<f64>, ticks: f64) -> Axis {
        let rough = ((most - least) / ticks).max(1e-9);
        let power = 10.0_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
        let step = step.into_iter().find(|step| *step >= rough).unwrap_or(10.0 * power);
        Axis { least, most, step, pixels }
    }

    pub(crate) fn at(&self, value: f64) -> f64 {
        let share = (value - self.least) / (self.most - self.least);
        self.pixels.start + share * (self.pixels.end - self.pixels.start)
    }

    pub(crate) fn within(&self, value: f64) -> f64 {
        self.at(value).clamp(self.pixels.start, self.pixels.end)
    }

    /// The round numbers on it.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        let first = (self.least / self.step).ceil();
        let last = (self.most / self.step).floor();
        let count = (last - first).clamp(0.0, 100.0) as u32;
        (0..=count).map(|tick| (first + f64::from(tick)) * self.step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_place_in_a_drawing() {
        let name = "<script>alert(1)</script>".to_owned();
        let rating = Rating { value: 1_000.0, low: 950.0, high: 1_060.0 };
        let drawn =
            ratings("a \"title\"", &[RatedRow { name: name.clone(), rating, is_own: true }]);
        assert!(!drawn.contains("<script>") && drawn.contains("&lt;script&gt;"), "{drawn}");
        let drawn = curves("curves", &[Curve { name, range: [0.0, 1.0], values: vec![0.5] }]);
        assert!(!drawn.contains("<script>"), "{drawn}");
    }

    #[test]
    fn an_open_end_reaches_to_the_edge() {
        let rating = Rating { value: 1_200.0, low: 1_100.0, high: 1_200.0 + ELO_MAX };
        let row = RatedRow { name: "champion".to_owned(), rating, is_own: false };
        let drawn = ratings("ratings", &[row]);
        assert!(drawn.contains(&format!("x2=\"{}\"", n(WIDTH - RIGHT))), "{drawn}");
    }

    #[test]
    fn nothing_to_draw_is_drawn_too() {
        assert!(ratings("nothing", &[]).contains("</svg>"));
        let flat = Curve { name: "flat".to_owned(), range: [1.0, 1.0], values: vec![1.0, 1.0] };
        assert!(!curves("flat", &[flat]).contains("NaN"));
    }
}

//! Charts of pages, as SVG whose colours are those of the page around it: they have classes and no style of their
//! own. Numbers that a chart shows stand in a table beside it; a chart by itself is a picture with a sentence.

use std::fmt::Write as _;

use maud::{Markup, html};
use quintain_arena::results::EvidencePoint;
use quintain_core::printable;
use quintain_tournament::{ELO_MAX, Estimate, Rating, grouped};

use crate::plot::{Axis, n};

/// For how much room a chart is made: what is shrunk to a telephone cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    Wide,
    Narrow,
}

impl Room {
    fn width(self) -> f64 {
        match self {
            Room::Wide => 860.0,
            Room::Narrow => 360.0,
        }
    }

    fn class(self) -> &'static str {
        match self {
            Room::Wide => "chart wide",
            Room::Narrow => "chart narrow",
        }
    }
}

/// How the evidence of a test went: upwards what speaks for the first answer, downwards what speaks for the
/// second, between the bounds at which the test stops; dashed what speaks for neither of two.
pub struct EvidenceChart<'a> {
    pub points: &'a [EvidencePoint],
    /// How much is needed for each answer.
    pub needed: &'a [f64],
    /// What is said of each answer.
    pub answers: &'a [String],
    /// The whole in a sentence, for whoever does not see it.
    pub sentence: &'a str,
}

const EVIDENCE_HEIGHT: f64 = 300.0;
/// The bounds within the chart, and the middle between them.
const UPPER: f64 = 46.0;
const LOWER: f64 = 236.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 16.0;
/// What the number of a run takes, with some air.
const LABEL_WIDTH: f64 = 26.0;

impl EvidenceChart<'_> {
    pub fn svg(&self, room: Room) -> String {
        let width = room.width();
        let (left, right) = (LEFT, width - RIGHT);
        let games = self.points.last().map_or(1, |point| point.games.max(1));
        let axis =
            Axis::round(0.0, games as f64, left..right, if width > 500.0 { 6.0 } else { 3.0 });
        let middle = f64::midpoint(UPPER, LOWER);
        let body = html! {
            rect.up x=(n(left)) y=(n(UPPER - 22.0)) width=(n(right - left)) height="22" {}
            rect.down x=(n(left)) y=(n(LOWER)) width=(n(right - left)) height="22" {}
            line.grid x1=(n(left)) x2=(n(right)) y1=(n(middle)) y2=(n(middle)) {}
            line.bound.up x1=(n(left)) x2=(n(right)) y1=(n(UPPER)) y2=(n(UPPER)) {}
            line.bound.down x1=(n(left)) x2=(n(right)) y1=(n(LOWER)) y2=(n(LOWER)) {}
            text.up x=(n(left + 8.0)) y=(n(UPPER - 6.0)) { (self.answer(0)) }
            text.down x=(n(left + 8.0)) y=(n(LOWER + 16.0)) { (self.answer(1)) }
            @for (y, value) in [(UPPER, self.bound(0)), (middle, 0.0), (LOWER, -self.bound(1))] {
                text x=(n(left - 6.0)) y=(n(y + 4.5)) text-anchor="end" { (signed(value)) }
            }
            @for tick in axis.ticks() {
                text x=(n(axis.at(tick))) y=(n(LOWER + 42.0)) text-anchor="middle" { (grouped(tick as u64)) }
            }
            text x=(n(right)) y=(n(LOWER + 60.0)) text-anchor="end" { "games" }
            @if self.needed.len() > 2 { polyline.other points=(self.line(&axis, |at| self.share(at, 2))) {} }
            polyline.line points=(self.line(&axis, |at| self.share(at, 0) - self.share(at, 1))) {}
            @if let Some(last) = self.points.len().checked_sub(1) {
                @let y = height_of(self.share(last, 0) - self.share(last, 1));
                circle.now cx=(n(axis.at(games as f64))) cy=(n(y)) r="6" {}
            }
        };
        drawing(room.class(), self.sentence, [width, EVIDENCE_HEIGHT], &body)
    }

    fn answer(&self, answer: usize) -> String {
        let text = self.answers.get(answer).map_or("", String::as_str);
        printable(text).into_owned()
    }

    fn bound(&self, answer: usize) -> f64 {
        self.needed.get(answer).copied().unwrap_or(1.0)
    }

    /// What there is for an answer at a point, as a share of what is needed. Less than nothing is nothing.
    fn share(&self, point: usize, answer: usize) -> f64 {
        let evidence = self.points.get(point).and_then(|point| point.evidence.get(answer));
        (evidence.copied().unwrap_or_default() / self.bound(answer)).clamp(0.0, 1.1)
    }

    fn line(&self, axis: &Axis, share: impl Fn(usize) -> f64) -> String {
        let start = (axis.at(0.0), height_of(0.0));
        let point = |(index, point): (usize, &EvidencePoint)| {
            (axis.at(point.games as f64), height_of(share(index)))
        };
        polyline([start].into_iter().chain(self.points.iter().enumerate().map(point)))
    }
}

/// Where a share of what is needed stands between the bounds.
fn height_of(share: f64) -> f64 {
    let middle = f64::midpoint(UPPER, LOWER);
    middle - share * (middle - UPPER)
}

/// Pairs of games by the half points that one bot made in them, as bars with their numbers.
pub fn pairs(bot: &str, counts: [u64; 5]) -> String {
    const WORDS: [&str; 5] = ["lost both", "½ of 2", "1 of 2", "1½ of 2", "won both"];
    const CLASSES: [&str; 5] = ["second", "second half", "level", "first half", "first"];
    const BASE: f64 = 160.0;
    let most = counts.iter().copied().max().unwrap_or_default().max(1) as f64;
    let total = counts.iter().sum::<u64>().max(1) as f64;
    let told: Vec<String> =
        WORDS.iter().zip(counts).map(|(word, count)| format!("{word} {count}")).collect();
    let body = html! {
        line.axis x1="6" x2="414" y1=(n(BASE)) y2=(n(BASE)) {}
        @for (index, count) in counts.into_iter().enumerate() {
            @let (x, height) = (12.0 + 80.0 * index as f64, 124.0 * count as f64 / most);
            @let middle = n(x + 38.0);
            rect class=(CLASSES[index]) x=(n(x)) y=(n(BASE - height)) width="76" height=(n(height)) {}
            text.strong x=(middle) y=(n(BASE - height - 8.0)) text-anchor="middle" { (grouped(count)) }
            text x=(middle) y=(n(BASE + 20.0)) text-anchor="middle" { (WORDS[index]) }
            text x=(middle) y=(n(BASE + 38.0)) text-anchor="middle" { (format!("{:.0} %", 100.0 * count as f64 / total)) }
        }
    };
    let sentence =
        format!("Pairs of games by what {} made of them: {}", printable(bot), told.join(", "));
    drawing("chart bars", &sentence, [420.0, 206.0], &body)
}

/// A difference in strength with its interval, beside no difference.
pub fn strength(estimate: &Estimate) -> String {
    let Estimate { elo, low, high, .. } = *estimate;
    let is_known = |end: &f64| end.abs() < ELO_MAX - 1e-3;
    let ends: Vec<f64> = [0.0, elo, low, high].into_iter().filter(is_known).collect();
    let (least, most) =
        ends.iter().fold((0.0_f64, 0.0_f64), |(least, most), &end| (least.min(end), most.max(end)));
    let room = ((most - least) * 0.1).max(1.0);
    let axis = Axis::round(least - room, most + room, 20.0..400.0, 5.0);
    let [left, right] = [low, high].map(|end| axis.within(end));
    let body = html! {
        line.zero x1=(n(axis.at(0.0))) x2=(n(axis.at(0.0))) y1="6" y2="62" {}
        line.axis x1="20" x2="400" y1="62" y2="62" {}
        @for tick in axis.ticks() {
            line.axis x1=(n(axis.at(tick))) x2=(n(axis.at(tick))) y1="62" y2="68" {}
            text x=(n(axis.at(tick))) y="86" text-anchor="middle" { (signed(tick)) }
        }
        rect.range x=(n(left)) y="24" width=(n((right - left).max(1.0))) height="20" {}
        line.line x1=(n(left)) x2=(n(right)) y1="34" y2="34" {}
        circle.dot cx=(n(axis.within(elo))) cy="34" r="8" {}
    };
    let sentence = format!("{elo:+.0} Elo, 95% interval from {low:+.0} to {high:+.0}");
    drawing("chart", &sentence, [420.0, 94.0], &body)
}

/// The axis that the bars of a table of ratings share.
pub fn rating_axis<'a>(ratings: impl IntoIterator<Item = &'a Rating>) -> Axis {
    Axis::of(ratings.into_iter().flat_map(crate::plot::ends), 4.0..236.0)
}

/// A rating with its interval, as a bar in a row of a table.
pub fn rating_bar(axis: &Axis, rating: &Rating) -> String {
    let [left, right] = [rating.low, rating.high].map(|end| axis.within(end));
    let at = axis.within(rating.value);
    let body = html! {
        line.grid x1="4" x2="236" y1="12" y2="12" {}
        @for tick in axis.ticks() {
            line.grid x1=(n(axis.at(tick))) x2=(n(axis.at(tick))) y1="5" y2="19" {}
        }
        rect.range x=(n(left)) y="5" width=(n((right - left).max(1.0))) height="14" {}
        line.mark x1=(n(at)) x2=(n(at)) y1="2" y2="22" {}
    };
    drawing("chart bar", &format!("rating {:.0}", rating.value), [240.0, 24.0], &body)
}

/// A value with its interval for each of several runs, from left to right.
pub fn course(sentence: &str, values: &[Rating], room: Room) -> String {
    const HEIGHT: f64 = 190.0;
    let (width, left) = (room.width(), 56.0);
    let ends = values.iter().flat_map(crate::plot::ends);
    let axis = Axis::of(ends, HEIGHT - 24.0..12.0);
    let step = (width - RIGHT - left) / values.len().max(1) as f64;
    let x = |index: usize| left + step * (index as f64 + 0.5);
    // Numbers that would touch each other are left out.
    let numbered = (LABEL_WIDTH / step).ceil().max(1.0) as usize;
    let line = polyline(values.iter().enumerate().map(|(i, value)| (x(i), axis.at(value.value))));
    let body = html! {
        @for tick in axis.ticks() {
            line.grid x1=(n(left)) x2=(n(width - RIGHT)) y1=(n(axis.at(tick))) y2=(n(axis.at(tick))) {}
            text x=(n(left - 6.0)) y=(n(axis.at(tick) + 4.5)) text-anchor="end" { (n(tick)) }
        }
        polyline.way points=(line) {}
        @for (index, value) in values.iter().enumerate() {
            @let [low, high] = [value.low, value.high].map(|end| axis.at(end).clamp(12.0, HEIGHT - 24.0));
            line.line x1=(n(x(index))) x2=(n(x(index))) y1=(n(low)) y2=(n(high)) {}
            circle.dot cx=(n(x(index))) cy=(n(axis.at(value.value))) r="6" {}
            @if index.is_multiple_of(numbered) {
                text x=(n(x(index))) y=(n(HEIGHT - 4.0)) text-anchor="middle" { (index + 1) }
            }
        }
    };
    drawing(room.class(), sentence, [width, HEIGHT], &body)
}

/// How many values fall into each of equal parts of a range.
pub fn histogram(sentence: &str, [least, most]: [f64; 2], counts: &[u64]) -> String {
    const BASE: f64 = 110.0;
    // What is always the same has one bar, in the middle.
    let is_one = least >= most;
    let sum = [counts.iter().sum()];
    let (counts, step, left) = match is_one {
        true => (&sum[..], 32.0, 154.0),
        false => (counts, 320.0 / counts.len().max(1) as f64, 10.0),
    };
    let highest = counts.iter().copied().max().unwrap_or_default().max(1) as f64;
    let body = html! {
        @for (index, &count) in counts.iter().enumerate() {
            @let height = 96.0 * count as f64 / highest;
            rect.level x=(n(left + step * index as f64)) y=(n(BASE - height)) width=(n((step - 2.0).max(1.0))) height=(n(height)) {}
        }
        line.axis x1="10" x2="330" y1=(n(BASE)) y2=(n(BASE)) {}
        @if is_one {
            text x="170" y=(n(BASE + 18.0)) text-anchor="middle" { (shortest(most)) }
        } @else {
            text x="10" y=(n(BASE + 18.0)) { (shortest(least)) }
            text x="330" y=(n(BASE + 18.0)) text-anchor="end" { (shortest(most)) }
        }
    };
    drawing("chart bars", sentence, [340.0, 134.0], &body)
}

/// How much of a whole is done, from 0 to 1.
pub fn progress(sentence: &str, share: f64) -> String {
    let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
    let width = n(1_000.0 * share);
    let body = html! {
        rect.sunk x="0" y="0" width="1000" height="10" {}
        rect.done x="0" y="0" width=(width) height="10" {}
    };
    let svg = html! {
        svg.progress viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label=(printable(sentence)) { (body) }
    };
    svg.into_string()
}

/// A number without digits that say nothing.
pub fn shortest(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn signed(value: f64) -> String {
    let text = shortest((value * 100.0).round() / 100.0);
    match text.strip_prefix('-') {
        Some("0") => "0".to_owned(),
        Some(digits) => format!("−{digits}"),
        None if text == "0" => text,
        None => format!("+{text}"),
    }
}

fn polyline(points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut text = String::new();
    for (x, y) in points {
        let _ = write!(text, "{},{} ", n(x), n(y));
    }
    text.trim_end().to_owned()
}

fn drawing(class: &str, sentence: &str, [width, height]: [f64; 2], body: &Markup) -> String {
    let size = format!("0 0 {} {}", n(width), n(height));
    let svg = html! {
        svg class=(class) viewBox=(size) role="img" aria-label=(printable(sentence)) { (body) }
    };
    svg.into_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart<'a>(points: &'a [EvidencePoint], answers: &'a [String]) -> EvidenceChart<'a> {
        EvidenceChart { points, needed: &[3.0, 3.0, 3.0], answers, sentence: "a \"test\"" }
    }

    #[test]
    fn what_bots_are_called_stays_text() {
        let answers = ["<script>1</script>".to_owned(), "\u{202e}".to_owned()];
        let drawn = chart(&[], &answers).svg(Room::Narrow);
        assert!(!drawn.contains("<script>") && !drawn.contains('\u{202e}'), "{drawn}");
        assert!(!drawn.contains("style"), "{drawn}");
        assert!(!pairs("<b>", [0; 5]).contains("<b>"));
    }

    #[test]
    fn a_test_that_is_decided_ends_at_its_bound() {
        let points = [
            EvidencePoint { games: 2, evidence: vec![-0.5, 0.3, 0.0] },
            EvidencePoint { games: 80, evidence: vec![3.0, -2.0, 0.1] },
        ];
        let drawn = chart(&points, &[]).svg(Room::Wide);
        assert!(drawn.contains(&format!("cy=\"{}\"", n(UPPER))), "{drawn}");
    }

    #[test]
    fn nothing_to_draw_is_drawn_too() {
        let nothing = Estimate { games: 0, score: 0.5, elo: 0.0, low: -ELO_MAX, high: ELO_MAX };
        let drawn = [
            strength(&nothing),
            pairs("a", [0; 5]),
            course("nothing", &[], Room::Wide),
            histogram("nothing", [0.0, 0.0], &[]),
            progress("nothing", f64::NAN),
        ];
        for svg in drawn {
            assert!(svg.ends_with("</svg>") && !svg.contains("NaN"), "{svg}");
        }
    }

    #[test]
    fn a_value_that_never_changes_is_one_bar_with_one_number() {
        let drawn = histogram("always 6", [6.0, 6.0], &[0, 0, 0, 9]);
        assert_eq!((drawn.matches("<rect").count(), drawn.matches("<text").count()), (1, 1));
    }

    #[test]
    fn numbers_of_many_runs_do_not_touch_each_other() {
        let rating = Rating { value: 1500.0, low: 1400.0, high: 1600.0 };
        let drawn = course("many", &[rating; 60], Room::Narrow);
        let numbers = drawn.matches("text-anchor=\"middle\"").count();
        assert!((5..=12).contains(&numbers), "{numbers} numbers in {drawn}");
    }

    #[test]
    fn numbers_are_short_and_have_their_sign() {
        let told = [2.996, -2.996, 0.0, 10.0, -0.001].map(signed);
        assert_eq!(told, ["+3", "−3", "0", "+10", "0"]);
        assert_eq!((shortest(7.5), shortest(1_000.0)), ("7.5".to_owned(), "1000".to_owned()));
    }
}

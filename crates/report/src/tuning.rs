//! What a tuning found, and how it came there.

use comfy_table::Table;
use quintain_arena::results::{TuneNow, TuneReport, TunedParameter};
use quintain_core::printable;
use serde_json::{Value, json};

use crate::plot::{Curve, curves};
use crate::table::ruled_rows;
use crate::words::{Line, counted};

/// How many letters a curve takes.
const CURVE_LETTERS: usize = 40;
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

pub fn json(report: &TuneReport) -> Value {
    let mut object = json!(report);
    object["proof"] = report.proof.as_ref().map_or(Value::Null, crate::comparison::json);
    object
}

/// How far it came.
pub fn heading(report: &TuneReport) -> Line {
    let games: u64 = report.iterations.iter().map(|iteration| iteration.games).sum();
    Line::heading(format!(
        "{} of {}: {} of {} iterations, {}",
        printable(&report.bot),
        report.game,
        report.iterations.len(),
        report.iterations_planned,
        counted(games, "game")
    ))
}

/// Each parameter with its curve.
pub fn table(report: &TuneReport) -> Table {
    let row = |parameter: &TunedParameter| {
        [
            parameter.name.clone(),
            parameter.start.to_string(),
            parameter.tuned.to_string(),
            format!("{} to {}", parameter.min, parameter.max),
            curve_in_letters(parameter),
        ]
    };
    ruled_rows(["parameter", "start", "tuned", "range", "curve"], report.parameters.iter().map(row))
}

/// The way of a parameter from its least to its greatest value, in blocks.
fn curve_in_letters(parameter: &TunedParameter) -> String {
    let path = &parameter.path;
    let letters = CURVE_LETTERS.min(path.len());
    let letter = |index: usize| {
        let value = path[index * (path.len() - 1) / letters.saturating_sub(1).max(1)];
        let share = (value - parameter.min) / (parameter.max - parameter.min);
        BLOCKS[(share.clamp(0.0, 1.0) * 7.0).round() as usize]
    };
    (0..letters).map(letter).collect()
}

/// How far a tuning is, in parts of a line: the most important first.
pub fn progress(now: &TuneNow<'_>) -> Vec<String> {
    let mut parts = vec![format!("iteration {} of {}", now.latest.iteration, now.planned)];
    let values = now.names.iter().zip(&now.latest.values);
    parts.extend(values.map(|(name, value)| format!("{} {value:.3}", printable(name))));
    parts
}

/// The curve of every parameter.
pub fn plot(report: &TuneReport) -> String {
    let curve = |parameter: &TunedParameter| Curve {
        name: parameter.name.clone(),
        range: [parameter.min, parameter.max],
        values: parameter.path.clone(),
    };
    let list: Vec<Curve> = report.parameters.iter().map(curve).collect();
    let title = format!(
        "{} of {}: parameters by iteration ({})",
        report.bot,
        report.game,
        report.iterations.len()
    );
    curves(&title, &list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_goes_from_its_first_value_to_its_last() {
        let path = (0..=200).map(|at| f64::from(at) / 100.0).collect();
        let (name, start, min, max, tuned) = ("a".to_owned(), 0.0, 0.0, 2.0, 2.0);
        let mut parameter = TunedParameter { name, start, min, max, tuned, path };
        let drawn = curve_in_letters(&parameter);
        assert_eq!(drawn.chars().count(), CURVE_LETTERS);
        assert!(drawn.starts_with('▁') && drawn.ends_with('█'), "{drawn}");
        parameter.path = vec![1.0];
        assert_eq!(curve_in_letters(&parameter), "▅");
    }
}

//! What a bot was told in a turn and what it answered, as checks and comparisons with a recorded match show it.

use quintain_arena::check::{Answered, Exchange};
use quintain_arena::results::milliseconds;
use quintain_core::{Fault, Item};
use serde_json::{Value, json};

use crate::words::shortened;

/// How many of the lines of a turn are shown.
const SHOWN_LINES: usize = 40;

/// What a bot was sent. `elsewhere` says where the lines are that are left out.
pub fn told(told: &[Item], elsewhere: &str) -> Vec<String> {
    let in_words = |item: &Item| match item {
        Item::Line(line) => shortened(line),
        Item::File { path, bytes } => format!("file {path} ({} bytes)", bytes.len()),
    };
    let lines = summed_up(told.iter().map(in_words), elsewhere).into_iter();
    lines.map(|line| format!("  > {line}")).collect()
}

/// The lines, with those that come again and again as one, and without the middle of very many.
fn summed_up(lines: impl Iterator<Item = String>, elsewhere: &str) -> Vec<String> {
    let mut runs: Vec<(String, usize)> = Vec::new();
    for line in lines {
        match runs.last_mut() {
            Some((last, times)) if *last == line => *times += 1,
            _ => runs.push((line, 1)),
        }
    }
    let left_out = runs.len().saturating_sub(SHOWN_LINES);
    if left_out > 0 {
        let dots = format!("... {left_out} more lines, {elsewhere} ...");
        runs.splice(SHOWN_LINES / 2..SHOWN_LINES / 2 + left_out, [(dots, 1)]);
    }
    let in_words = |(line, times): (String, usize)| match times {
        1 => line,
        _ => format!("{line} ({times} times)"),
    };
    runs.into_iter().map(in_words).collect()
}

/// What a bot wrote to its error output.
pub fn stderr(text: &str) -> Vec<String> {
    text.lines().map(|line| format!("  stderr: {}", shortened(line))).collect()
}

/// What was said, in one line.
pub fn answer(said: &Answered, elsewhere: &str) -> String {
    let lines = summed_up(said.lines.iter().map(|line| shortened(line)), elsewhere).join(" | ");
    match &said.fault {
        None => lines,
        Some(fault) if lines.is_empty() => format!("nothing: it {fault}"),
        Some(fault @ Fault::Malformed(_)) => format!("{lines} ({fault})"),
        Some(fault) => format!("{lines} (it {fault})"),
    }
}

pub fn json(exchange: &Exchange) -> Value {
    let told = exchange.told.iter().map(|item| match item {
        Item::Line(line) => json!({ "line": line }),
        Item::File { path, bytes } => json!({ "file": path, "bytes": bytes.len() }),
    });
    json!({
        "turn": exchange.turn,
        "told": told.collect::<Value>(),
        "limit_ms": milliseconds(exchange.limit),
        "recorded": said_json(&exchange.recorded),
        "given": exchange.given.as_ref().map(said_json),
        "same": exchange.is_same,
    })
}

fn said_json(said: &Answered) -> Value {
    json!({
        "lines": said.lines,
        "ignored": said.ignored,
        "early": said.early,
        "fault": said.fault.map(|fault| fault.code()),
        "fault_text": said.fault.map(|fault| fault.to_string()),
        "wall_ms": said.wall.map(milliseconds),
        "stderr": said.stderr,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_lines_are_summed_up() {
        let lines = |texts: &[&str]| summed_up(texts.iter().map(|text| (*text).to_owned()), "");
        assert_eq!(lines(&["a", "b", "b", "b", "a"]), ["a", "b (3 times)", "a"]);
        let many: Vec<String> = (0..100).map(|number| number.to_string()).collect();
        let shown = summed_up(many.into_iter(), "which a file has");
        assert_eq!(shown.len(), SHOWN_LINES + 1);
        assert_eq!(
            (shown[19].as_str(), shown[21].as_str(), shown[40].as_str()),
            ("19", "80", "99")
        );
        assert_eq!(shown[20], "... 60 more lines, which a file has ...");
    }
}

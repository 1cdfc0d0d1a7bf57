//! The table of editions in a game's README, which must say what the code does.

use serde::Serialize;
use serde_json::Value;

/// The table's heading.
const HEADING: &str = "## Editions";

/// The rows of the table: the switch, and its value in the document and in the original. Each stands in
/// code in one of the first three columns.
///
/// # Panics
/// If the README has no such section.
pub fn edition_rows(readme: &str) -> Vec<[String; 3]> {
    let section = readme.split(HEADING).nth(1).expect("a section on the editions");
    let cells = |line: &str| -> Vec<String> {
        // Before the first bar stands nothing.
        let cells = line.split('|').take(4).filter_map(|cell| cell.split('`').nth(1));
        cells.map(str::to_owned).collect()
    };
    let rows = section.lines().take_while(|line| !line.starts_with("## ")).map(cells);
    rows.filter_map(|cells| cells.try_into().ok()).collect()
}

/// Checks that the README lists every switch, with the values that it has in both editions.
///
/// # Panics
/// If a row is missing, wrong or too many.
pub fn check_editions<S: Serialize>(readme: &str, document: &S, original: &S) {
    let spelled = |switches: &S| serde_json::to_value(switches).expect("plain data");
    let (document, original) = (spelled(document), spelled(original));
    let switches = document.as_object().expect("a struct");
    let expected =
        switches.iter().map(|(name, value)| [name.clone(), word(value), word(&original[name])]);
    let mut expected: Vec<[String; 3]> = expected.collect();
    let mut rows = edition_rows(readme);
    rows.sort();
    expected.sort();
    assert_eq!(rows, expected);
}

/// A value without the signs that only JSON needs.
fn word(value: &Value) -> String {
    match value.as_str() {
        Some(text) => text.to_owned(),
        None => value.to_string().replace(['{', '}', '"'], ""),
    }
}

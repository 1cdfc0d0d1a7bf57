//! The marks of an evaluation as a page.

use super::report::{Evaluation, PAIRING_HEADER};
use crate::commands::page::{self, escaped, list, row, table};

pub(super) fn page(evaluation: &Evaluation) -> String {
    let mut body = String::new();
    if let Some(unfinished) = evaluation.unfinished() {
        body += &format!("<p><strong>{}</strong></p>\n", escaped(&unfinished));
    }
    let rows: String = evaluation.team_rows().into_iter().map(|cells| row("td", cells)).collect();
    body += &table("Marks", "", &row("th", evaluation.team_header()), &rows);
    let pairings = evaluation.pairing_rows();
    let rows: String = pairings.into_iter().map(|cells| row("td", cells)).collect();
    body += &table("Pairings", "cross", &row("th", PAIRING_HEADER.map(str::to_owned)), &rows);
    body += &list("Notes", evaluation.notes().into_iter());
    body += &list("Failures", evaluation.failures().into_iter());
    body += &page::void(evaluation.void());
    body += &page::disturbed(evaluation.disturbed());
    page::page(&format!("Evaluation of {}", evaluation.game), &body)
}

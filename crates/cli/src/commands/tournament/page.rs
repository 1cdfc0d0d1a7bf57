//! The standings of a tournament as a page.

use super::report::{Report, SWISS_COLUMNS, SWISS_TITLE, score};
use super::rounds::{ROUNDS_COLUMNS, ROUNDS_TITLE, RoundReport};
use crate::commands::page::{self, escaped, list, row, table};

pub(super) fn page(report: &Report) -> String {
    let mut body = format!("<p>{}</p>\n", escaped(&report.subtitle()));
    if let Some(doubt) = &report.doubt {
        body += &format!("<p>{}</p>\n", escaped(doubt));
    }
    body += &standings(report);
    body += &cross_table(report);
    body += &rounds(report);
    body += &swiss(report);
    body += &list("Copies", report.copies_in_words().into_iter());
    body += &list("Lost by both", report.both_lost().into_iter());
    body += &list("Errors", report.errors().into_iter());
    body += &page::void(report.void.iter());
    body += &page::disturbed(report.disturbed.iter());
    page::page(&report.name, &body)
}

fn standings(report: &Report) -> String {
    let rows = report.lines.iter().map(|line| row("td", line.cells()));
    table(
        "Standings",
        "",
        &row("th", report.columns().map(str::to_owned)),
        &rows.collect::<String>(),
    )
}

fn cross_table(report: &Report) -> String {
    let (names, columns) = report.cross_labels();
    let header = row("th", [String::new()].into_iter().chain(columns));
    let rows = names.into_iter().zip(&report.cross).map(|(name, fields)| {
        let fields = fields.iter().map(|field| score(field.as_ref()));
        row("td", [name].into_iter().chain(fields))
    });
    let rows: String = rows.collect();
    table("Won, drawn, lost against each other", "cross", &header, &rows)
}

fn rounds(report: &Report) -> String {
    if report.rounds.is_empty() {
        return String::new();
    }
    let rows = report.rounds.iter().flat_map(RoundReport::rows);
    let rows: String = rows.map(|cells| row("td", cells)).collect();
    table(ROUNDS_TITLE, "rounds", &row("th", ROUNDS_COLUMNS.map(str::to_owned)), &rows)
}

fn swiss(report: &Report) -> String {
    let rows: String = report.swiss_rows().into_iter().map(|cells| row("td", cells)).collect();
    if rows.is_empty() {
        return rows;
    }
    table(SWISS_TITLE, "", &row("th", SWISS_COLUMNS.map(str::to_owned)), &rows)
}

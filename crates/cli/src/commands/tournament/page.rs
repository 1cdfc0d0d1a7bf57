//! The standings of a tournament as a page.

use super::report::{Report, score};
use crate::commands::many::errors_in_words;
use crate::commands::page::{self, escaped, list, row, table};

pub(super) fn page(report: &Report) -> String {
    let mut body = format!("<p>{}</p>\n", escaped(&report.subtitle()));
    body += &standings(report);
    body += &cross_table(report);
    body += &list(
        "Errors",
        report.lines.iter().filter_map(|line| {
            let errors = errors_in_words(&line.row.tally.errors);
            (!errors.is_empty()).then(|| format!("{}: {errors}", line.name))
        }),
    );
    body += &page::void(report.void.iter());
    body += &page::disturbed(report.disturbed.iter());
    page::page(&report.name, &body)
}

fn standings(report: &Report) -> String {
    let header = ["", "bot", "games", "won", "drawn", "lost", "points", "rating", "95%", "errors"];
    let rows = report.lines.iter().map(|line| row("td", line.cells()));
    table("Standings", "", &row("th", header.map(str::to_owned)), &rows.collect::<String>())
}

fn cross_table(report: &Report) -> String {
    let (names, columns) = report.cross_labels();
    let header = row("th", [String::new()].into_iter().chain(columns));
    let rows = names.into_iter().zip(&report.cross).map(|(name, fields)| {
        let fields = fields.iter().map(|field| field.as_ref().map_or(String::new(), score));
        row("td", [name].into_iter().chain(fields))
    });
    let rows: String = rows.collect();
    table("Won, drawn, lost against each other", "cross", &header, &rows)
}

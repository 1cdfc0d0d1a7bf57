//! The standings of a tournament as a page.

use super::report::{DISTURBED_TITLE, Report, score};
use crate::commands::disturbed::DISTURBED_COLUMNS;
use crate::commands::many::errors_in_words;
use crate::commands::page::{self, escaped, list, row, table};

pub(super) fn page(report: &Report) -> String {
    let title = escaped(&report.title());
    let rating = escaped(report.rating);
    let mut body = format!("<p>{title}; ratings by {rating} with 95% intervals</p>\n");
    body += &standings(report);
    body += &cross_table(report);
    body += &list(
        "Errors",
        report.lines.iter().filter_map(|line| {
            let errors = errors_in_words(&line.row.tally.errors);
            (!errors.is_empty()).then(|| format!("{}: {errors}", line.name))
        }),
    );
    let void = report.void.iter().map(ToString::to_string);
    body += &list("Void games, which count for nothing", void);
    body += &disturbed(report);
    page::page(&report.name, &body)
}

fn standings(report: &Report) -> String {
    let header = ["", "bot", "games", "won", "drawn", "lost", "points", "rating", "95%", "errors"];
    let rows = report.lines.iter().map(|line| row("td", line.cells()));
    table("Standings", "", &row("th", header.map(str::to_owned)), &rows.collect::<String>())
}

fn cross_table(report: &Report) -> String {
    let names = report.lines.iter().map(|line| line.name.clone());
    let header = row("th", [String::new()].into_iter().chain(names));
    let rows = report.lines.iter().zip(&report.cross).map(|(line, fields)| {
        let fields = fields.iter().map(|field| field.as_ref().map_or(String::new(), score));
        row("td", [line.name.clone()].into_iter().chain(fields))
    });
    let rows: String = rows.collect();
    table("Won, drawn, lost against each other", "cross", &header, &rows)
}

fn disturbed(report: &Report) -> String {
    if report.disturbed.is_empty() {
        return String::new();
    }
    let rows: String = report.disturbed.iter().map(|answer| row("td", answer.cells())).collect();
    let header = row("th", DISTURBED_COLUMNS.map(str::to_owned));
    table(DISTURBED_TITLE, "", &header, &rows)
}

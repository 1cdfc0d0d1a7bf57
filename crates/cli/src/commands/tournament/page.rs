//! The standings as one page that needs nothing else: it can be sent, printed and kept.

use super::report::{DISTURBED_TITLE, Report, score};
use crate::commands::disturbed::DISTURBED_COLUMNS;
use crate::commands::many::errors_in_words;

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}\
.wide{overflow-x:auto}\
table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
th,td{padding:.3rem .7rem;border-bottom:1px solid #8884;text-align:right;white-space:nowrap}\
th:nth-child(2),td:nth-child(2){text-align:left}\
.cross th:first-child,.cross td:first-child{text-align:left}\
.cross th:nth-child(2),.cross td:nth-child(2){text-align:right}\
tbody tr:hover{background:#8881}";

pub(super) fn page(report: &Report) -> String {
    let subtitle = escaped(&report.subtitle());
    let name = escaped(&report.name);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{name}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n\
         <p>{subtitle}</p>\n"
    );
    page += &standings(report);
    page += &cross_table(report);
    page += &list(
        "Errors",
        report.lines.iter().filter_map(|line| {
            let errors = errors_in_words(&line.row.tally.errors);
            (!errors.is_empty()).then(|| format!("{}: {errors}", line.name))
        }),
    );
    page +=
        &list("Void games, which count for nothing", report.void.iter().map(ToString::to_string));
    page += &disturbed(report);
    page += "</body>\n</html>\n";
    page
}

fn standings(report: &Report) -> String {
    let header = ["", "bot", "games", "won", "drawn", "lost", "points", "rating", "95%", "errors"];
    let rows = report.lines.iter().map(|line| row("td", line.cells()));
    format!(
        "<h2>Standings</h2>\n<div class=\"wide\"><table>\n<thead>{}</thead>\n<tbody>\n{}</tbody>\n\
         </table></div>\n",
        row("th", header.map(str::to_owned)),
        rows.collect::<String>()
    )
}

fn cross_table(report: &Report) -> String {
    let (names, columns) = report.cross_labels();
    let header = row("th", [String::new()].into_iter().chain(columns));
    let rows = names.into_iter().zip(&report.cross).map(|(name, fields)| {
        let fields = fields.iter().map(|field| field.as_ref().map_or(String::new(), score));
        row("td", [name].into_iter().chain(fields))
    });
    format!(
        "<h2>Won, drawn, lost against each other</h2>\n<div class=\"wide\"><table class=\"cross\">\n\
         <thead>{header}</thead>\n<tbody>\n{}</tbody>\n</table></div>\n",
        rows.collect::<String>()
    )
}

fn disturbed(report: &Report) -> String {
    if report.disturbed.is_empty() {
        return String::new();
    }
    let rows = report.disturbed.iter().map(|answer| row("td", answer.cells()));
    format!(
        "<h2>{DISTURBED_TITLE}</h2>\n<div class=\"wide\"><table>\n<thead>{}</thead>\n<tbody>\n{}\
         </tbody>\n</table></div>\n",
        row("th", DISTURBED_COLUMNS.map(str::to_owned)),
        rows.collect::<String>()
    )
}

fn row(tag: &str, cells: impl IntoIterator<Item = String>) -> String {
    let cells = cells.into_iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(&cell)));
    format!("<tr>{}</tr>\n", cells.collect::<String>())
}

fn list(title: &str, lines: impl Iterator<Item = String>) -> String {
    let items: String = lines.map(|line| format!("<li>{}</li>\n", escaped(&line))).collect();
    if items.is_empty() {
        return String::new();
    }
    format!("<h2>{title}</h2>\n<ul>\n{items}</ul>\n")
}

/// Names are the organiser's, and may hold anything.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_be_markup() {
        assert_eq!(escaped("<b a=\"1\">&"), "&lt;b a=&quot;1&quot;&gt;&amp;");
        assert_eq!(row("td", ["<".to_owned()]), "<tr><td>&lt;</td></tr>\n");
        assert_eq!(list("Errors", std::iter::empty()), "");
    }
}

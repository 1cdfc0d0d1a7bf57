//! Pages that need nothing else: they can be sent, printed and kept.

use quintain_arena::results::{DisturbedAnswer, VoidMatch, disturbed_bots};
use quintain_report::disturbed::{COLUMNS, TITLE, bots_in_words, cells, void_in_words};

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
.rounds th:nth-child(n+3),.rounds td:nth-child(n+3){text-align:left}\
tbody tr:hover{background:#8881}";

/// A page around what is written on it, which is HTML already.
pub(super) fn page(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         {body}</body>\n</html>\n"
    )
}

/// A table under a heading. `class` is one of the style's, or empty.
pub(super) fn table(heading: &str, class: &str, header: &str, rows: &str) -> String {
    format!(
        "<h2>{}</h2>\n<div class=\"wide\"><table class=\"{class}\">\n<thead>{header}</thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n",
        escaped(heading)
    )
}

/// A row of cells, `th` or `td`.
pub(super) fn row(tag: &str, cells: impl IntoIterator<Item = String>) -> String {
    let cells = cells.into_iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(&cell)));
    format!("<tr>{}</tr>\n", cells.collect::<String>())
}

/// A list under a heading; nothing if it is empty.
pub(super) fn list(title: &str, lines: impl Iterator<Item = String>) -> String {
    let items: String = lines.map(|line| format!("<li>{}</li>\n", escaped(&line))).collect();
    if items.is_empty() {
        return String::new();
    }
    format!("<h2>{title}</h2>\n<ul>\n{items}</ul>\n")
}

/// The games that count for nothing.
pub(super) fn void<'a>(games: impl Iterator<Item = &'a VoidMatch>) -> String {
    list("Void games, which count for nothing", games.map(void_in_words))
}

/// The answers that were late because the machine was busy; nothing if there are none.
pub(super) fn disturbed<'a>(answers: impl Iterator<Item = &'a DisturbedAnswer>) -> String {
    let answers: Vec<&DisturbedAnswer> = answers.collect();
    let rows: String = answers.iter().map(|answer| row("td", cells(answer))).collect();
    if rows.is_empty() {
        return String::new();
    }
    let header = row("th", COLUMNS.map(str::to_owned));
    let bots = bots_in_words(&disturbed_bots(answers)).into_iter();
    table(TITLE, "", &header, &rows) + &list("Bots that were kept waiting", bots)
}

/// Names are the organiser's, and may hold anything.
pub(super) fn escaped(text: &str) -> String {
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

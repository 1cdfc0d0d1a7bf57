//! Pages that need nothing else: they can be sent, printed and kept.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use quintain_arena::results::{DisturbedAnswer, DisturbedBot, VoidMatch};
use quintain_core::printable;

use crate::disturbed::{COLUMNS, TITLE, bots_in_words, cells, void_in_words};

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

// What is shown is printable first: letters that turn the direction of others would reach beyond their cell.

/// A page with what stands below its title.
pub(crate) fn page(title: &str, body: &Markup) -> String {
    let title = printable(title);
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" { "\n"
            head { "\n"
                meta charset="utf-8"; "\n"
                meta name="viewport" content="width=device-width, initial-scale=1"; "\n"
                title { (title) } "\n"
                style { (PreEscaped(STYLE)) } "\n"
            } "\n"
            body { "\n"
                h1 { (title) } "\n"
                (body)
            } "\n"
        } "\n"
    };
    page.into_string()
}

/// A table under a heading. `class` is one of the style's, or empty.
pub(crate) fn table<R: IntoIterator<Item = String>>(
    heading: &str,
    class: &str,
    header: impl IntoIterator<Item = impl AsRef<str>>,
    rows: impl IntoIterator<Item = R>,
) -> Markup {
    html! {
        h2 { (heading) } "\n"
        div.wide {
            table class=(class) { "\n"
                thead { tr { @for cell in header { th { (printable(cell.as_ref())) } } } "\n" } "\n"
                tbody { "\n"
                    @for row in rows { tr { @for cell in row { td { (printable(&cell)) } } } "\n" }
                } "\n"
            }
        } "\n"
    }
}

/// A list under a heading; nothing if it is empty.
pub(crate) fn list(heading: &str, lines: impl IntoIterator<Item = String>) -> Markup {
    let mut lines = lines.into_iter().peekable();
    html! {
        @if lines.peek().is_some() {
            h2 { (heading) } "\n"
            ul { "\n" @for line in lines { li { (printable(&line)) } "\n" } } "\n"
        }
    }
}

/// The games that count for nothing.
pub(crate) fn void(games: &[VoidMatch]) -> Markup {
    list("Void games, which count for nothing", games.iter().map(void_in_words))
}

/// The answers that were late because the machine was busy; nothing if there are none.
pub(crate) fn disturbed(answers: &[DisturbedAnswer], bots: &[DisturbedBot]) -> Markup {
    html! {
        @if !answers.is_empty() { (table(TITLE, "", COLUMNS, answers.iter().map(cells))) }
        (list("Bots that were kept waiting", bots_in_words(bots)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_be_markup() {
        let name = || "<b a=\"1\">&".to_owned();
        let escaped = "&lt;b a=&quot;1&quot;&gt;&amp;";
        assert_eq!(
            list(&name(), [name()]).into_string(),
            format!("<h2>{escaped}</h2>\n<ul>\n<li>{escaped}</li>\n</ul>\n")
        );
        let table = table("", "", [name()], [[name()]]).into_string();
        assert!(table.contains(&format!("<tr><td>{escaped}</td></tr>\n")), "{table}");
        assert_eq!(list("Errors", []).into_string(), "");
    }
}

//! The README of a game as parts of a page. It is our own text; what it holds beside text is left out all the same:
//! pictures, links and markup would lead out of the page.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// A section with its heading, as markup.
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) html: String,
}

/// What is for players; the rest is for who works on the game.
const SHOWN: [&str; 6] = [
    "The rules as we play them",
    "In figures",
    "The lines",
    "The conversation",
    "Editions",
    "Sample bots",
];

/// The paragraph below the title, and the sections that are for players.
pub(crate) fn sections(manual: &str) -> (String, Vec<Section>) {
    let parts = manual.split("\n## ").skip(1);
    let section = |part: &str| {
        let (title, text) = part.split_once('\n')?;
        let is_shown = SHOWN.contains(&title.trim());
        is_shown.then(|| Section { title: title.trim().to_owned(), html: rendered(text) })
    };
    (rendered(lead(manual)), parts.filter_map(section).collect())
}

/// The first sentence below the title, without markup.
pub(crate) fn first_sentence(manual: &str) -> String {
    let words = Parser::new(lead(manual)).filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(text),
        Event::SoftBreak => Some(CowStr::Borrowed(" ")),
        _ => None,
    });
    let text: String = words.map(CowStr::into_string).collect();
    text.split_once(". ").map_or(text.clone(), |(sentence, _)| format!("{sentence}."))
}

/// The paragraph below the title; what follows it is for who works on the game.
fn lead(manual: &str) -> &str {
    let head = manual.split("\n## ").next().unwrap_or_default();
    let below = head.split_once('\n').map_or("", |(_, below)| below.trim_start());
    below.split("\n\n").next().unwrap_or_default()
}

fn rendered(text: &str) -> String {
    let mut depth_of_picture = 0_u32;
    let events =
        Parser::new_ext(text, Options::ENABLE_TABLES).filter_map(move |event| match event {
            Event::Start(Tag::Image { .. }) => {
                depth_of_picture += 1;
                None
            }
            Event::End(TagEnd::Image) => {
                depth_of_picture = depth_of_picture.saturating_sub(1);
                None
            }
            _ if depth_of_picture > 0 => None,
            Event::Start(Tag::Link { .. }) | Event::End(TagEnd::Link) => None,
            Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
            other => Some(other),
        });
    let mut markup = String::new();
    html::push_html(&mut markup, events.map(within_a_section));
    markup
}

/// Headings of a section stand below that of the section.
fn within_a_section(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Start(Tag::Heading { .. }) => Event::Html(CowStr::Borrowed("<h3>")),
        Event::End(TagEnd::Heading(_)) => Event::Html(CowStr::Borrowed("</h3>\n")),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_for_players_are_text_without_ways_out() {
        let manual = "# Game\n\nA [game](http://x).\n\nFor developers.\n\n## The rules as we play them\n\n\
            ![p](x.svg) *Win* <b>now</b>.\n\n### More\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n## Credits\n\nMe.\n";
        let (lead, sections) = sections(manual);
        assert_eq!(lead, "<p>A game.</p>\n");
        assert_eq!(first_sentence(manual), "A game.");
        assert_eq!(sections.len(), 1);
        let html = &sections[0].html;
        assert!(html.contains("<em>Win</em> &lt;b&gt;now&lt;/b&gt;"), "{html}");
        assert!(html.contains("<h3>More</h3>") && html.contains("<td>1</td>"), "{html}");
        assert!(!html.contains("svg") && !html.contains("href"), "{html}");
    }
}

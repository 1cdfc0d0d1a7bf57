//! A match: the player, what both bots said, what to do with it.

use askama::Template;
use quintain_core::PerSeat;

use crate::limits::STEPS_OF_CHUNK;
use crate::page::{CachePolicy, Page};
use crate::served_replays::{Glance, ServedReplays};
use crate::url::of_replay;

#[derive(Template)]
#[template(path = "match.html")]
pub(crate) struct MatchPage {
    names: PerSeat<String>,
    /// What is told of the match in one line.
    line: String,
    description: String,
    film: String,
    explanations: String,
    steps_of_chunk: usize,
    /// As commands take it.
    path: String,
    replay: String,
    mail: String,
    embed: String,
    fork: Option<String>,
    /// For those who show links with a picture, with the name of this server.
    picture: String,
    address: String,
}

impl MatchPage {
    pub(crate) fn new(replays: &ServedReplays, glance: &Glance, site: &str) -> MatchPage {
        let at = |prefix: &str| of_replay(prefix, &glance.id);
        let header = &glance.header;
        let line = format!(
            "{}, {} edition, seed {} · {}",
            glance.title,
            header.edition.name(),
            header.seed,
            glance.ending
        );
        let fork = header.from.is_some() && replays.origin_of(glance).is_some();
        MatchPage {
            names: glance.names.clone(),
            description: format!("{}. {}.", glance.title, glance.ending),
            line,
            film: at("/film/"),
            explanations: at(""),
            steps_of_chunk: STEPS_OF_CHUNK,
            path: replays.path_of(&glance.id),
            replay: at("/replay/"),
            mail: at("/page/"),
            embed: at("/embed/"),
            fork: fork.then(|| at("/fork/")),
            picture: format!("{site}{}", at("/picture/")),
            address: format!("{site}{}", at("/match/")),
        }
    }
}

impl Page for MatchPage {
    const CACHE: CachePolicy = CachePolicy::Fresh;
}

//! A match in the page of somebody else. Its whole state is in its address.

use askama::Template;
use quintain_core::PerSeat;

use crate::page::{CachePolicy, Page};
use crate::served_replays::Glance;
use crate::url::of_replay;

#[derive(Template)]
#[template(path = "embed.html")]
pub(crate) struct EmbedPage {
    names: PerSeat<String>,
    film: String,
    address: String,
    frame_ancestors: String,
}

impl EmbedPage {
    pub(crate) fn new(glance: &Glance, embedders: &[String]) -> EmbedPage {
        let known = embedders.iter().map(String::as_str);
        let frame_ancestors: Vec<&str> = ["'self'"].into_iter().chain(known).collect();
        EmbedPage {
            names: glance.names.clone(),
            film: of_replay("/film/", &glance.id),
            address: of_replay("/match/", &glance.id),
            frame_ancestors: frame_ancestors.join(" "),
        }
    }
}

impl Page for EmbedPage {
    const CACHE: CachePolicy = CachePolicy::Fresh;

    fn frame_ancestors(&self) -> String {
        self.frame_ancestors.clone()
    }
}

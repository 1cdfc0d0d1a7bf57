//! What is played now.

use std::sync::Arc;

use askama::Template;
use quintain_core::PerSeat;

use crate::live::LiveMatch;
use crate::page::{CachePolicy, Page};

#[derive(Template)]
#[template(path = "live.html")]
pub(crate) struct LivePage {
    names: PerSeat<String>,
    title: &'static str,
    seed: i64,
    /// How it ended, if it did.
    ending: Option<String>,
    events: String,
}

impl LivePage {
    pub(crate) fn new(live: &LiveMatch) -> LivePage {
        let about = &live.about;
        LivePage {
            names: about.names.clone(),
            title: about.title,
            seed: about.seed,
            ending: live.end().map(|end| end.ending),
            events: format!("{}/events", crate::live_address(about.number)),
        }
    }
}

impl Page for LivePage {
    const CACHE: CachePolicy = CachePolicy::Fresh;
}

#[derive(Template)]
#[template(path = "live_list.html")]
pub(crate) struct LiveListPage {
    matches: Vec<Listed>,
}

struct Listed {
    names: PerSeat<String>,
    title: &'static str,
    seed: i64,
    /// How it ended, or that it did not.
    state: String,
    page: String,
}

impl LiveListPage {
    pub(crate) fn new(matches: &[Arc<LiveMatch>]) -> LiveListPage {
        let listed = |live: &Arc<LiveMatch>| {
            let about = &live.about;
            let end = live.end();
            let state = end.as_ref().map_or("played now".to_owned(), |end| end.ending.clone());
            let page = end.and_then(|end| end.page);
            Listed {
                names: about.names.clone(),
                title: about.title,
                seed: about.seed,
                state,
                page: page.unwrap_or_else(|| crate::live_address(about.number)),
            }
        };
        LiveListPage { matches: matches.iter().map(listed).collect() }
    }
}

impl Page for LiveListPage {
    const CACHE: CachePolicy = CachePolicy::Fresh;
}

/// Before a match begins: its bots come to their seats. The page asks again by itself.
#[derive(Template)]
#[template(path = "waiting.html")]
pub(crate) struct WaitingPage;

impl Page for WaitingPage {
    const CACHE: CachePolicy = CachePolicy::Fresh;
}

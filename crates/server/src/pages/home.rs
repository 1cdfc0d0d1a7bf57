//! The first page: the games, and the matches of the folder.

use std::collections::HashMap;

use askama::Template;
use quintain_core::{PerSeat, Seat, Verdict};
use quintain_registry::GAMES;

use crate::error::Refusal;
use crate::limits::LISTED_MAX;
use crate::manual::first_sentence;
use crate::page::{CachePolicy, Page};
use crate::served_replays::{Glance, ServedReplays};
use crate::url::of_replay;

#[derive(Template)]
#[template(path = "home.html")]
pub(crate) struct HomePage {
    games: Vec<GameCard>,
    matches: Vec<Row>,
    /// How many there are in all.
    count: usize,
    number: usize,
    pages: usize,
    folder: String,
}

struct GameCard {
    id: &'static str,
    title: &'static str,
    origin: &'static str,
    /// The game in a sentence.
    about: String,
    /// The strongest bot of the house that answers at once.
    opponent: &'static str,
    /// The latest match of it on this page.
    latest: Option<String>,
}

struct Row {
    address: String,
    /// The page that shows it beside its origin, if it goes on from another match.
    fork: Option<String>,
    title: &'static str,
    names: PerSeat<String>,
    won: PerSeat<bool>,
    /// How it ended, or why the file cannot be shown.
    ending: String,
    is_broken: bool,
    id: String,
}

/// One page of the list of replays, by their ids.
pub(crate) struct ListPage {
    pub(crate) ids: Vec<String>,
    /// How many there are in all.
    pub(crate) count: usize,
    pub(crate) number: usize,
    pub(crate) pages: usize,
}

impl ListPage {
    /// The page that an address asks for.
    pub(crate) fn read(
        replays: &ServedReplays,
        wishes: &HashMap<String, String>,
    ) -> Result<ListPage, Refusal> {
        let ids = replays.list();
        let count = ids.len();
        let pages = count.div_ceil(LISTED_MAX).max(1);
        let number = wishes.get("page").map_or(Ok(1), |number| number.parse());
        let number = number.ok().filter(|number| (1..=pages).contains(number));
        let number = number.ok_or_else(|| {
            Refusal::BadRequest(format!("page: expected a number from 1 to {pages}"))
        })?;
        let listed = ids.into_iter().skip((number - 1) * LISTED_MAX).take(LISTED_MAX);
        Ok(ListPage { ids: listed.collect(), count, number, pages })
    }
}

impl HomePage {
    pub(crate) fn new(
        replays: &ServedReplays,
        wishes: &HashMap<String, String>,
    ) -> Result<HomePage, Refusal> {
        let ListPage { ids, count, number, pages } = ListPage::read(replays, wishes)?;
        let matches: Vec<Row> = ids.iter().map(|id| Row::new(replays, id)).collect();
        let games = GAMES.iter().map(|game| {
            let facts = game.facts();
            let latest = matches.iter().find(|row| row.title == facts.title && !row.is_broken);
            GameCard {
                id: facts.id,
                title: facts.title,
                origin: facts.origin,
                about: first_sentence(facts.abilities.manual.unwrap_or_default()),
                opponent: facts.quick_house_bot(),
                latest: latest.map(|row| row.id.clone()),
            }
        });
        let games = games.collect();
        let folder = replays.path_of("");
        Ok(HomePage { games, matches, count, number, pages, folder })
    }
}

impl GameCard {
    fn picture(&self, theme: &str) -> Option<String> {
        self.latest.as_ref().map(|id| format!("{}?theme={theme}", of_replay("/card/", id)))
    }

    fn address(&self) -> Option<String> {
        self.latest.as_ref().map(|id| of_replay("/match/", id))
    }
}

impl Row {
    fn new(replays: &ServedReplays, id: &str) -> Row {
        match replays.glance(id) {
            Ok((_, glance)) => Row::of(&glance),
            Err(refusal) => Row {
                address: of_replay("/match/", id),
                fork: None,
                title: "",
                names: PerSeat::default(),
                won: PerSeat::default(),
                ending: refusal.to_string(),
                is_broken: true,
                id: id.to_owned(),
            },
        }
    }

    fn of(glance: &Glance) -> Row {
        let won =
            |seat: Seat| glance.end.as_ref().is_some_and(|end| end.verdicts[seat] == Verdict::Win);
        let fork = glance.header.from.as_ref().map(|_| of_replay("/fork/", &glance.id));
        Row {
            address: of_replay("/match/", &glance.id),
            fork,
            title: glance.title,
            names: glance.names.clone(),
            won: PerSeat::from_fn(won),
            ending: glance.ending.clone(),
            is_broken: false,
            id: glance.id.clone(),
        }
    }
}

impl Page for HomePage {
    const CACHE: CachePolicy = CachePolicy::Fresh;
}

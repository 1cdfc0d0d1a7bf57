//! Two matches side by side, in step.

use askama::Template;
use quintain_core::PerSeat;

use crate::page::{CachePolicy, Page};
use crate::served_replays::Glance;
use crate::url::of_replay;

#[derive(Template)]
#[template(path = "pair.html")]
pub(crate) struct PairPage {
    heading: String,
    about: String,
    /// The left one and the right one.
    sides: [Side; 2],
    /// The first turn that both do not share, if one goes on from the other.
    parts_at: Option<u32>,
}

struct Side {
    names: PerSeat<String>,
    ending: String,
    film: String,
    address: String,
}

impl Side {
    fn of(glance: &Glance) -> Side {
        Side {
            names: glance.names.clone(),
            ending: glance.ending.clone(),
            film: of_replay("/film/", &glance.id),
            address: of_replay("/match/", &glance.id),
        }
    }
}

impl PairPage {
    /// A match beside the one that it goes on from, at the turn `parts_at`.
    pub(crate) fn fork(origin: &Glance, branch: &Glance, parts_at: u32) -> PairPage {
        PairPage {
            heading: format!("{} from turn {parts_at} on", branch.title),
            about: format!("What was played beside what was tried from turn {parts_at} on."),
            sides: [Side::of(origin), Side::of(branch)],
            parts_at: Some(parts_at),
        }
    }

    pub(crate) fn compare(left: &Glance, right: &Glance) -> PairPage {
        PairPage {
            heading: format!("{}, side by side", left.title),
            about: "Two matches in step, turn by turn.".to_owned(),
            sides: [Side::of(left), Side::of(right)],
            parts_at: None,
        }
    }
}

impl Page for PairPage {
    const CACHE: CachePolicy = CachePolicy::Fresh;
}

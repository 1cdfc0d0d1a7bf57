//! Answers as text, and what a player knows as data.

use quintain_core::{Game as _, Notation, ParseError, Seat, Suggestion};
use serde::Serialize;

use crate::protocol::{SiteNumbers, owner_number, read_answer, say_answer, unit_number};
use crate::suggest::suggest;
use crate::{Action, CodeRoyale, SiteView, UnitView, View};

impl Notation for CodeRoyale {
    fn write(action: &Action) -> String {
        say_answer(action).join("\n")
    }

    fn read(text: &str) -> Result<Action, ParseError> {
        match text.split('\n').collect::<Vec<_>>()[..] {
            [queen, train] => Ok(read_answer(queen, train)),
            _ => Err(ParseError::new("two lines: one for the queen, one for training", text)),
        }
    }

    fn data(view: &View) -> impl Serialize {
        let site = |(id, site): (usize, &SiteView)| Site {
            site_id: id,
            x: site.x,
            y: site.y,
            radius: site.radius,
            numbers: SiteNumbers::new(view.seat, site),
        };
        let unit = |unit: &UnitView| Unit {
            x: unit.x,
            y: unit.y,
            owner: owner_number(view.seat, unit.owner),
            unit_type: unit_number(unit),
            health: unit.hp,
        };
        Data {
            gold: view.gold,
            touched_site: view.touched.map_or(-1, |id| id as i32),
            sites: view.sites.iter().enumerate().map(site).collect(),
            units: view.units.iter().map(unit).collect(),
        }
    }

    fn suggest(&self, seat: Seat, typed: &str) -> Vec<Suggestion> {
        suggest(&self.view(seat), self.league(), typed)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data {
    gold: i32,
    touched_site: i32,
    sites: Vec<Site>,
    units: Vec<Unit>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Site {
    site_id: usize,
    x: i32,
    y: i32,
    radius: i32,
    #[serde(flatten)]
    numbers: SiteNumbers,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Unit {
    x: i32,
    y: i32,
    owner: i32,
    unit_type: i32,
    health: i32,
}

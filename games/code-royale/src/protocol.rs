//! Every line that crosses the wire, in both directions.
//!
//! The layout is that of the original, on which real bots rely: single spaces, no space at the end,
//! `gold` and `touchedSite` together on the first line of every turn, sites by their ids.

use quintain_core::codingame::{self, Answers};
use quintain_core::decimal::number_line;
use quintain_core::{Framing, Intake, Opening, Outbox, PerSeat, Protocol, Seat, Spoken, java_int};

use serde::Serialize;

use crate::{
    Action, Blueprint, CodeRoyale, Command, CreepKind, QueenOrder, SiteView, StructureView,
    TrainOrder, UnitView, View,
};

/// The protocol of one match: two lines make an answer, nothing is said after a turn.
#[derive(Clone, Debug, Default)]
pub struct Wire {
    answers: Answers<2>,
    /// Each site as a seat was told it last, with the line: most of them stay as they are.
    sites: PerSeat<Vec<(SiteView, String)>>,
}

impl Spoken for CodeRoyale {
    type Protocol = Wire;
}

impl Protocol<CodeRoyale> for Wire {
    const FRAMING: Framing = codingame::FRAMING;
    const LONG_QUESTIONS: bool = true;
    const ANSWERS: &'static str = "two lines: WAIT, MOVE x y or BUILD site KIND for the queen, then \
                                   TRAIN with the numbers of sites, or TRAIN alone";

    fn new(_opening: &Opening) -> Self {
        Wire::default()
    }

    fn start(&mut self, views: &PerSeat<View>, out: &mut Outbox) {
        for (seat, view) in views.iter() {
            for line in start_lines(view) {
                out.line(seat, line);
            }
        }
    }

    /// `gold touchedSite`, the sites, the number of units, the units.
    fn prompt(&mut self, seat: Seat, view: &View, out: &mut Outbox) {
        self.see_sites(seat, view);
        out.line(seat, number_line([view.gold, or_unknown(view.touched.map(|id| id as i32))]));
        for (_, line) in &self.sites[seat] {
            out.copy_of_line(seat, line);
        }
        out.line(seat, view.units.len().to_string());
        for unit in &view.units {
            out.line(seat, unit_line(view.seat, unit));
        }
    }

    fn hear(&mut self, seat: Seat, asked: bool, line: &str, _out: &mut Outbox) -> Intake<Action> {
        self.answers
            .hear(seat, asked, line, |[queen, train]| Intake::Action(read_answer(queen, train)))
    }

    fn say(&self, _view: &View, action: &Action) -> Vec<String> {
        say_answer(action).into()
    }
}

impl Wire {
    /// Writes the lines of those sites anew that are not as they were.
    fn see_sites(&mut self, seat: Seat, view: &View) {
        let known = &mut self.sites[seat];
        known.truncate(view.sites.len());
        for (id, site) in view.sites.iter().enumerate() {
            match known.get_mut(id) {
                Some((last, _)) if last == site => {}
                Some(last) => *last = (*site, site_line(view.seat, id, site)),
                None => known.push((*site, site_line(view.seat, id, site))),
            }
        }
    }
}

/// Number of sites, then `id x y radius` of each.
pub(crate) fn start_lines(view: &View) -> Vec<String> {
    let mut lines = vec![view.sites.len().to_string()];
    for (id, site) in view.sites.iter().enumerate() {
        lines.push(number_line([id as i32, site.x, site.y, site.radius]));
    }
    lines
}

/// What a seat knows of a site, by the document's names; -1 stands for what it does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SiteNumbers {
    gold: i32,
    max_mine_size: i32,
    structure_type: i32,
    owner: i32,
    param1: i32,
    param2: i32,
}

impl SiteNumbers {
    pub(crate) fn new(seat: Seat, site: &SiteView) -> SiteNumbers {
        let (structure_type, param1, param2) = match site.structure {
            None => (-1, -1, -1),
            Some(StructureView::Mine { rate, .. }) => (0, or_unknown(rate), -1),
            Some(StructureView::Tower { hp, range, .. }) => (1, hp, range),
            Some(StructureView::Barracks { creep, turns_left, .. }) => {
                (2, i32::from(turns_left), creep as i32)
            }
        };
        let owner = site.structure.map_or(-1, |structure| owner_number(seat, structure.owner()));
        let (gold, max_mine_size) = (or_unknown(site.gold), or_unknown(site.rate_max));
        SiteNumbers { gold, max_mine_size, structure_type, owner, param1, param2 }
    }
}

fn site_line(seat: Seat, id: usize, site: &SiteView) -> String {
    let SiteNumbers { gold, max_mine_size, structure_type, owner, param1, param2 } =
        SiteNumbers::new(seat, site);
    number_line([id as i32, gold, max_mine_size, structure_type, owner, param1, param2])
}

fn unit_line(seat: Seat, unit: &UnitView) -> String {
    number_line([unit.x, unit.y, owner_number(seat, unit.owner), unit_number(unit), unit.hp])
}

/// The number of a unit's kind, -1 for a queen.
pub(crate) fn unit_number(unit: &UnitView) -> i32 {
    unit.kind.map_or(-1, |kind| kind as i32)
}

/// 0 for the one who is told, 1 for the other.
pub(crate) fn owner_number(seat: Seat, owner: Seat) -> i32 {
    i32::from(owner != seat)
}

fn or_unknown<T: Into<i32>>(value: Option<T>) -> i32 {
    value.map_or(-1, Into::into)
}

pub(crate) fn read_answer(queen: &str, train: &str) -> Action {
    Action { queen: read_queen(queen), train: read_train(train) }
}

/// The inverse of [`read_answer`].
pub(crate) fn say_answer(action: &Action) -> [String; 2] {
    [say_queen(&action.queen), say_train(&action.train)]
}

/// The first line. What is around it is trimmed, as the original does; words stand one space apart.
pub(crate) fn read_queen(line: &str) -> QueenOrder {
    let mut words = line.trim_matches(is_blank).split(' ');
    let command = match words.next().unwrap_or("") {
        "WAIT" => Command::Wait,
        "MOVE" => match (read_integer(words.next()), read_integer(words.next())) {
            (Some(x), Some(y)) => Command::Move { x, y },
            _ => Command::MoveUnreadable,
        },
        "BUILD" => match read_integer(words.next()) {
            Some(site) => Command::Build { site, blueprint: words.next().map(read_blueprint) },
            None => Command::BuildUnreadable,
        },
        word => Command::Unknown(word.into()),
    };
    let is_read = matches!(command, Command::Wait | Command::Move { .. } | Command::Build { .. });
    QueenOrder { has_surplus: is_read && words.next().is_some(), command }
}

/// Parts stand one dash apart; those that are not needed are not looked at.
fn read_blueprint(word: &str) -> Blueprint {
    let mut parts = word.split('-');
    match parts.next().unwrap_or("") {
        "MINE" => Blueprint::Mine,
        "TOWER" => Blueprint::Tower,
        "BARRACKS" => match parts.next() {
            None => Blueprint::BarracksOfNothing,
            Some(part) => match CreepKind::from_word(part) {
                Some(kind) => Blueprint::Barracks(kind),
                None => Blueprint::BarracksOfUnknown(part.into()),
            },
        },
        part => Blueprint::Unknown(part.into()),
    }
}

/// The second line. Nothing is trimmed here: a space at the end is a site without a number.
pub(crate) fn read_train(line: &str) -> TrainOrder {
    let mut words = line.split(' ');
    if words.next() != Some("TRAIN") {
        return TrainOrder::Missing;
    }
    let mut sites = Vec::new();
    for word in words {
        match read_integer(Some(word)) {
            Some(site) => sites.push(site),
            None => return TrainOrder::Unreadable(word.into()),
        }
    }
    TrainOrder::Sites(sites)
}

/// An integer of 32 bits, a sign before it allowed, in digits of any script as for the original.
fn read_integer(word: Option<&str>) -> Option<i32> {
    java_int(word?)
}

/// What the original's language takes for white space.
fn is_blank(letter: char) -> bool {
    let is_separator = ('\u{1c}'..='\u{1f}').contains(&letter);
    is_separator || letter.is_whitespace() && letter != '\u{85}'
}

fn say_queen(order: &QueenOrder) -> String {
    let mut line = match &order.command {
        Command::Wait => "WAIT".to_owned(),
        Command::Move { x, y } => format!("MOVE {x} {y}"),
        Command::MoveUnreadable => "MOVE".to_owned(),
        Command::Build { site, blueprint: Some(blueprint) } => {
            format!("BUILD {site} {}", say_blueprint(blueprint))
        }
        Command::Build { site, blueprint: None } => format!("BUILD {site}"),
        Command::BuildUnreadable => "BUILD".to_owned(),
        // White space at the end of the line would be trimmed; words after the first are not read.
        Command::Unknown(word) if word.ends_with(is_blank) => format!("{word} surplus"),
        Command::Unknown(word) => word.to_string(),
    };
    if order.has_surplus {
        line.push_str(" surplus");
    }
    line
}

pub(crate) fn say_blueprint(blueprint: &Blueprint) -> String {
    match blueprint {
        Blueprint::Mine => "MINE".to_owned(),
        Blueprint::Tower => "TOWER".to_owned(),
        Blueprint::Barracks(kind) => format!("BARRACKS-{}", kind.word()),
        Blueprint::BarracksOfNothing => "BARRACKS".to_owned(),
        Blueprint::BarracksOfUnknown(part) => format!("BARRACKS-{}", say_part(part)),
        Blueprint::Unknown(part) => say_part(part),
    }
}

/// A part of a word that means nothing. Nothing at all before a dash is a part too, and white space
/// at the end of the line would be trimmed: both need the dash.
fn say_part(part: &str) -> String {
    let needs_dash = part.is_empty() || part.ends_with(is_blank);
    format!("{part}{}", if needs_dash { "-" } else { "" })
}

fn say_train(order: &TrainOrder) -> String {
    match order {
        TrainOrder::Sites(sites) => {
            let mut line = "TRAIN".to_owned();
            for site in sites {
                line.push(' ');
                line.push_str(&site.to_string());
            }
            line
        }
        TrainOrder::Unreadable(word) => format!("TRAIN {word}"),
        TrainOrder::Missing => String::new(),
    }
}

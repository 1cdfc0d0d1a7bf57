//! What happened, in a few words: the lines of a transcript, and what each player did in a turn.

use quintain_core::scene::{Deeds, Eye, Viewing, order_of};
use quintain_core::{PerSeat, Seat};

use crate::protocol::say_answer;
use crate::{Action, CodeRoyale, CreepKind, Event, Out, Remover, TrainOrder, Works};

/// Empty for what a picture tells better.
pub(crate) fn describe(event: &Event, names: &PerSeat<String>) -> String {
    match event {
        Event::Warned { seat, warning } => format!("{} is warned: {warning}", names[*seat]),
        Event::Killed { seat, kill } => format!("{} is out: {kill}", names[*seat]),
        Event::Walks { seat, to: (x, y) } => {
            format!("{}'s queen walks towards {x} {y}", names[*seat])
        }
        Event::Approaches { seat, site } => {
            format!("{}'s queen walks towards site {site}", names[*seat])
        }
        Event::Trains { seat, site, kind } => {
            format!("{} trains {}s at site {site}", names[*seat], creep_name(*kind))
        }
        Event::Built { seat, site, works } => {
            format!("{} has {} at site {site}", names[*seat], built(works))
        }
        Event::Contested { seat, site } => {
            format!("{} comes second at site {site}", names[*seat])
        }
        Event::Removed { site, structure, by } => {
            let how = match by {
                Remover::Queen(_) => "torn down by a queen",
                Remover::Creep(_) => "torn down by a creep",
                Remover::Exhaustion => "exhausted",
                Remover::Decay => "in ruins",
            };
            let (owner, what) = (&names[structure.owner], works_name(&structure.works));
            format!("{owner}'s {what} at site {site} is {how}")
        }
        // Somebody shoots nearly every turn: the picture tells it.
        Event::Shot { .. }
        | Event::Hit { .. }
        | Event::Beaten { .. }
        | Event::Fell { .. }
        | Event::Died { .. }
        | Event::Ended => String::new(),
        Event::Struck { seat, damage } => {
            format!("{}'s queen is struck for {damage}", names[*seat])
        }
        Event::Spawned { seat, site, kind } => {
            format!("{}'s {}s come out of site {site}", names[*seat], creep_name(*kind))
        }
        Event::QueenDied { seat } => format!("{}: {}", names[*seat], Out::DEAD_QUEEN),
    }
}

/// What each player did in the latest turn. Nobody at play is told what the other ordered.
pub(crate) fn deeds(watch: &Viewing<'_, CodeRoyale>) -> Deeds {
    PerSeat::from_fn(|seat| {
        if watch.eye == Eye::Seat(seat.other()) {
            return Vec::new();
        }
        let mut lines = order_of(watch.replies[seat].as_ref(), orders);
        lines.extend(watch.last.iter().filter_map(|event| became(event, seat)));
        lines
    })
}

/// Both lines of an answer on one; the second only if it says something.
fn orders(action: &Action) -> String {
    let [queen, train] = say_answer(action);
    match &action.train {
        TrainOrder::Sites(sites) if sites.is_empty() => queen,
        _ => format!("{queen}, {train}"),
    }
}

/// What an event was for a seat.
fn became(event: &Event, seat: Seat) -> Option<String> {
    Some(match event {
        Event::Warned { seat: who, warning } if *who == seat => format!("warned: {warning}"),
        Event::Killed { seat: who, kill } if *who == seat => format!("out: {kill}"),
        Event::Approaches { seat: who, site } if *who == seat => format!("walks to site {site}"),
        Event::Trains { seat: who, site, kind } if *who == seat => {
            format!("{}s in training at site {site}", creep_name(*kind))
        }
        Event::Built { seat: who, site, works } if *who == seat => {
            format!("{} at site {site}", built(works))
        }
        Event::Contested { seat: who, site } if *who == seat => {
            format!("comes second at site {site}")
        }
        Event::Removed { site, structure, by } => {
            let what = format!("{} at site {site}", works_name(&structure.works));
            match by {
                Remover::Queen(who) if *who == seat => format!("tears down the {what}"),
                Remover::Creep(who) if *who == seat => format!("its creep tears down the {what}"),
                _ if structure.owner == seat => format!("loses its {what}"),
                _ => return None,
            }
        }
        Event::Struck { seat: who, damage } if *who == seat => {
            format!("struck for {damage} by knights")
        }
        Event::Spawned { seat: who, site, kind } if *who == seat => {
            format!("{}s come out of site {site}", creep_name(*kind))
        }
        Event::Died { seat: who, count: 1 } if *who == seat => "loses a creep".to_owned(),
        Event::Died { seat: who, count } if *who == seat => format!("loses {count} creeps"),
        Event::QueenDied { seat: who } if *who == seat => Out::DEAD_QUEEN.to_owned(),
        _ => return None,
    })
}

fn built(works: &Works) -> String {
    match works {
        Works::Mine { rate } => format!("a mine of rate {rate}"),
        Works::Tower { hp, .. } => format!("a tower of {hp} HP"),
        Works::Barracks { creep, .. } => format!("{} barracks", creep_name(*creep)),
    }
}

fn works_name(works: &Works) -> &'static str {
    match works {
        Works::Mine { .. } => "mine",
        Works::Tower { .. } => "tower",
        Works::Barracks { .. } => "barracks",
    }
}

pub(crate) fn creep_name(kind: CreepKind) -> &'static str {
    match kind {
        CreepKind::Knight => "knight",
        CreepKind::Archer => "archer",
        CreepKind::Giant => "giant",
    }
}

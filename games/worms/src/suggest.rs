//! What a person may command, most useful first.

use quintain_core::Suggestion;
use quintain_core::scene::{Form, Point};

use crate::action::{Direction, Order};
use crate::cell::{Cell, Terrain};
use crate::command::echo;
use crate::house::{can_dig, can_step, dig, move_to};
use crate::sight::{Fighter, Sight, Throw};
use crate::view::View;

/// Begins what chooses a worm.
const SELECT: &str = "select ";
const BANANA: &str = "banana ";
const SNOWBALL: &str = "snowball ";

pub(crate) fn suggest(view: &View, typed: &str) -> Vec<Suggestion> {
    let sight = Sight::of_view(view);
    let (chosen, rest) = match typed.rsplit_once(';') {
        Some((select, rest)) => (selected(&sight, select), rest),
        None => (Some(sight.active), typed),
    };
    let Some(worm) = chosen.map(|index| &sight.own[index]) else {
        return Vec::new();
    };
    let mut found = if rest.starts_with(BANANA) {
        targets(&sight, worm, worm.bananas, BANANA)
    } else if rest.starts_with(SNOWBALL) {
        targets(&sight, worm, worm.snowballs, SNOWBALL)
    } else {
        commands(&sight, worm)
    };
    let before = &typed[..typed.len() - rest.len()];
    if before.is_empty() {
        found.extend(selects(&sight));
    }
    for suggestion in &mut found {
        suggestion.text.insert_str(0, before);
    }
    found
}

/// The worm that a text chooses.
fn selected(sight: &Sight, select: &str) -> Option<usize> {
    let number: usize = select.strip_prefix(SELECT)?.trim().parse().ok()?;
    number.checked_sub(1).filter(|index| *index < sight.own.len())
}

fn commands(sight: &Sight, worm: &Fighter) -> Vec<Suggestion> {
    let shots = || Direction::ALL.map(|direction| (direction, victim(sight, worm, direction)));
    let shot = |(direction, victim): (Direction, Option<(Cell, String)>)| {
        let beside = sight.beside(worm.at, direction.step());
        let (aim, note) = victim.map_or((beside, String::new()), |(cell, who)| (Some(cell), who));
        Suggestion { aim: aim.map(square), ..Suggestion::new(echo(&Order::Shoot(direction)), note) }
    };
    let mut found: Vec<Suggestion> =
        shots().into_iter().filter(|(_, victim)| victim.is_some()).map(shot).collect();
    found.extend(throws(worm.bananas, BANANA));
    found.extend(throws(worm.snowballs, SNOWBALL));
    let steps = || {
        let beside =
            |direction: Direction| Some((direction, sight.beside(worm.at, direction.step())?));
        Direction::ALL.into_iter().filter_map(beside)
    };
    for (direction, cell) in steps().filter(|(_, cell)| can_step(sight, worm, *cell)) {
        let note = step_note(sight, direction, cell);
        found.push(Suggestion::new(echo(&move_to(cell)), note).aimed_at(square(cell)));
    }
    for (direction, cell) in steps().filter(|(_, cell)| can_dig(sight, worm, *cell)) {
        let suggestion = Suggestion::new(echo(&dig(cell)), direction.name());
        found.push(suggestion.aimed_at(square(cell)));
    }
    found.extend(shots().into_iter().filter(|(_, victim)| victim.is_none()).map(shot));
    found.push(Suggestion::new(echo(&Order::Nothing), ""));
    found
}

/// What a person points at who means a cell.
fn square(cell: Cell) -> Form {
    let Point { x, y } = cell.into();
    Form::rectangle(x - 0.5, y - 0.5, 1.0, 1.0)
}

fn step_note(sight: &Sight, direction: Direction, cell: Cell) -> String {
    let what = match sight.ground.at(cell) {
        _ if sight.packs.iter().any(|pack| pack.at == cell) => ", health pack",
        Terrain::Lava => ", lava",
        _ => "",
    };
    format!("{direction}{what}")
}

/// Whom a shot would hit if nobody moved, and where.
fn victim(sight: &Sight, worm: &Fighter, direction: Direction) -> Option<(Cell, String)> {
    let range = worm.shot?.range;
    let mut at = worm.at;
    loop {
        at = sight.beside(at, direction.step())?;
        if !worm.at.is_in_range(at, range) || !sight.ground.at(at).is_open() {
            return None;
        }
        if let Some(whose) = whose(sight, at) {
            return Some((at, format!("hits {whose}")));
        }
    }
}

fn throws(throw: Option<Throw>, word: &str) -> Option<Suggestion> {
    let Throw { count, range, .. } = throw.filter(|throw| throw.count > 0)?;
    Some(Suggestion::new(word, format!("{count} left, within {range}: x y")))
}

/// Every cell that a throw reaches, those of enemies first.
fn targets(sight: &Sight, worm: &Fighter, throw: Option<Throw>, word: &str) -> Vec<Suggestion> {
    let Some(throw) = throw.filter(|throw| throw.count > 0) else {
        return Vec::new();
    };
    let is_reached = |cell: &Cell| {
        worm.at.is_in_range(*cell, throw.range) && sight.ground.at(*cell) != Terrain::DeepSpace
    };
    let is_enemys =
        |cell: Cell| sight.enemies.iter().any(|worm| worm.is_alive() && worm.at == cell);
    let mut cells: Vec<Cell> = sight.ground.cells().filter(is_reached).collect();
    cells.sort_by_key(|&cell| !is_enemys(cell));
    let suggest = |cell: Cell| {
        let note = whose(sight, cell).unwrap_or_default();
        Suggestion::new(format!("{word}{} {}", cell.x, cell.y), note).aimed_at(square(cell))
    };
    cells.into_iter().map(suggest).collect()
}

/// The worm that stands in a cell.
fn whose(sight: &Sight, cell: Cell) -> Option<String> {
    let standing = |worms: &[Fighter]| {
        worms.iter().position(|worm| worm.is_alive() && worm.at == cell).map(|index| index + 1)
    };
    let enemy = standing(&sight.enemies).map(|id| format!("enemy worm {id}"));
    enemy.or_else(|| standing(&sight.own).map(|id| format!("your worm {id}")))
}

fn selects(sight: &Sight) -> Vec<Suggestion> {
    let others = (0..sight.own.len()).filter(|&index| index != sight.active);
    let able = others.filter(|&index| sight.tokens > 0 && sight.own[index].is_alive());
    let note = format!("its turn instead; {} left", sight.tokens);
    let select = |index: usize| {
        let suggestion = Suggestion::new(format!("{SELECT}{};", index + 1), note.clone());
        suggestion.aimed_at(square(sight.own[index].at))
    };
    able.map(select).collect()
}

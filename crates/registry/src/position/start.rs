//! Where positions come from: the start of a match, or a replay.

use std::ops::ControlFlow;

use quintain_core::{FieldError, PerSeat, Seat, SetupError};
use quintain_replay::{Divergence, Recording as _, Replay, RerunError, open_table, rerun, unix_ms};
use serde::Deserialize as _;
use serde_json::Value;

use super::played::{Position, Positioned};
use super::{AnyPosition as _, LoadError};
use crate::roots::Roots;
use crate::{Entry, MatchError, ReadyConfig};

/// The usual start of a match.
pub(crate) fn usual<G: Positioned>(
    entry: &'static Entry<G>,
    config: &ReadyConfig,
    seed: i64,
) -> Result<Position<G>, MatchError> {
    Ok(begun(entry, Roots::usual(config, seed)?))
}

/// A start that somebody chose.
pub(crate) fn chosen<G: Positioned>(
    entry: &'static Entry<G>,
    config: &ReadyConfig,
    setup: &Value,
    seed: i64,
) -> Result<Position<G>, MatchError> {
    G::check_seed(seed)?;
    let setup = G::Setup::deserialize(setup)
        .map_err(|error| SetupError::new(&format!("a setup of {}", G::ID), error))?;
    Ok(begun(entry, Roots::begin(config, seed, setup, true)?))
}

fn begun<G: Positioned>(entry: &'static Entry<G>, (game, roots): (G, Roots)) -> Position<G> {
    let names = PerSeat::from_fn(|seat: Seat| seat.name().to_owned());
    Position::new(entry, roots, unix_ms(), names, game)
}

/// The position of a replay after so many turns, or its last one. The whole replay is verified first.
pub(crate) fn loaded<G: Positioned>(
    entry: &'static Entry<G>,
    replay: &Replay,
    turn: Option<u32>,
) -> Result<Position<G>, LoadError> {
    let last = rerun::<G>(&mut replay.playback(), &mut ())?.turn;
    if let Some(found) = turn.filter(|turn| *turn > last) {
        let expected = format!("a turn from 0 to {last}");
        return Err(LoadError::NoTurn(FieldError::new("turn", expected, found)));
    }
    let wanted = |position: &Position<G>| turn.is_some_and(|turn| position.turn() >= turn);
    let position = walk(entry, replay, &mut |position| match wanted(position) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    })?;
    Ok(position)
}

/// Goes through a replay from position to position, as long as `take` says, and gives the last one.
pub(crate) fn walk<G: Positioned>(
    entry: &'static Entry<G>,
    replay: &Replay,
    take: &mut dyn FnMut(&Position<G>) -> ControlFlow<()>,
) -> Result<Position<G>, RerunError> {
    let header = &replay.header;
    let mut table = open_table::<G>(header, &header.opening()).map_err(RerunError::Header)?;
    let (roots, names) = (Roots::of(header), header.shown_names());
    let mut position = Position::new(entry, roots, header.started_ms, names, table.game.clone());
    table.start();
    let mut playback = replay.playback();
    let mut index = 0;
    while take(&position).is_continue()
        && let Some(step) = playback.next_step().map_err(RerunError::Read)?
    {
        position
            .follow(&mut table, &step)
            .map_err(|mismatch| Divergence::in_step(mismatch, &step.record, index))?;
        index += 1;
    }
    Ok(position)
}

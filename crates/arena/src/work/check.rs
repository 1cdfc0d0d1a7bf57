//! Whether a game that another machine reports was played as it was ordered, and came out as it says. Nothing of it is
//! believed: the replay is played again, and everything that follows from it is compared.

use std::collections::BTreeSet;

use quintain_core::{ErrorKind, PerSeat, Seat};
use quintain_record::{BotId, Disturbance, Ending, SeatError, VoidReason};
use quintain_registry::{Retold, find};
use quintain_replay::{Header, Reader, Recording as _, SetupOrigin};

use super::wire::ReportedGame;
use super::{JobGame, Order, OrderedMind};
use crate::one_match::REPEATS_MAX;

/// The largest replay that is looked at.
const REPLAY_BYTES_MAX: usize = 16 * 1024 * 1024;

/// # Errors
/// The first thing that is not as it should be, in words.
pub fn check_game(
    order: &Order,
    expected: &JobGame,
    reported: &ReportedGame,
) -> Result<(), String> {
    let head = &reported.record.head;
    compare("game", expected.id, head.id)?;
    compare("seed", expected.seed, head.seed)?;
    compare("bots", expected.bots.0, head.bots.0)?;
    if head.replay.is_some() {
        return Err("replay: expected its bytes, found the name of a file".to_owned());
    }
    if head.ending == Ending::Void(VoidReason::Aborted) {
        // Nothing could prove it. Whoever else plays it may find no bug.
        return Err("expected a game that was played, found one that was broken off".to_owned());
    }
    if reported.replay.len() > REPLAY_BYTES_MAX {
        let found = reported.replay.len();
        return Err(format!("replay: expected at most {REPLAY_BYTES_MAX} bytes, found {found}"));
    }
    check_replay(order, expected, reported)
}

/// A game is void if the machine disturbed it each time that it was played, the last one included: that its replay
/// must show.
fn check_void(order: &Order, reported: &ReportedGame, retold: &Retold) -> Result<(), String> {
    let record = &reported.record;
    if !record.errors.is_empty() || !record.tags.is_empty() || record.head.content.is_some() {
        return Err("expected nothing of bots in a void game, found something".to_owned());
    }
    if !order.is_timed() {
        return Err("expected no void game where nobody is timed, found one".to_owned());
    }
    check_attempts(&record.disturbances, REPEATS_MAX + 1)?;
    let mut last = record.disturbances.iter().filter(|late| late.attempt == REPEATS_MAX + 1);
    match last.find(|late| !retold.disturbed.contains(&(late.seat, late.turn))) {
        Some(Disturbance { turn, .. }) => {
            Err(format!("expected a disturbed answer after turn {turn} of the replay, found none"))
        }
        None => Ok(()),
    }
}

/// Every attempt up to this one was disturbed.
fn check_attempts(disturbances: &[Disturbance], last: u32) -> Result<(), String> {
    let found: BTreeSet<u32> = disturbances.iter().map(|late| late.attempt).collect();
    compare("disturbed attempts", (1..=last).collect(), found)
}

/// A game that counts was disturbed at most as often as games are played again.
fn check_repeats(order: &Order, disturbances: &[Disturbance]) -> Result<(), String> {
    let attempts = disturbances.iter().map(|late| late.attempt).max().unwrap_or(0);
    if attempts > REPEATS_MAX || (attempts > 0 && !order.is_timed()) {
        return Err(format!("expected no {attempts} disturbed attempts at this game"));
    }
    check_attempts(disturbances, attempts)
}

fn check_replay(order: &Order, expected: &JobGame, reported: &ReportedGame) -> Result<(), String> {
    let words = |error: &dyn std::fmt::Display| format!("the replay does not verify: {error}");
    let mut replay = Reader::new(reported.replay.as_slice()).map_err(|error| words(&error))?;
    check_header(order, expected, replay.header())?;
    let game = find(&order.game).ok_or_else(|| format!("there is no game `{}`", order.game))?;
    let retold = game.retell(&mut replay).map_err(|error| words(&error))?;
    let tail = replay.tail();
    if let Some(wrong) = tail.cut.as_ref().or(tail.damage.as_ref()) {
        return Err(words(wrong));
    }
    if retold.reached.setup != SetupOrigin::Seed {
        return Err("setup: expected the one of the seed, found another one".to_owned());
    }
    let head = &reported.record.head;
    let outcome = retold.reached.outcome.ok_or_else(|| words(&"the match has no end"))?;
    compare("turns", retold.reached.turn, head.turns)?;
    compare("sandbox", replay.header().sandbox.as_ref(), head.sandbox.as_ref())?;
    compare("digest of the replay", tail.content.as_ref(), head.replay_digest.as_ref())?;
    let Ending::Scored(scored) = &head.ending else { return check_void(order, reported, &retold) };
    compare("verdicts", outcome.verdicts.0, scored.verdicts.0)?;
    compare("scores", outcome.scores.0, scored.scores.0)?;
    compare("reason", outcome.reason, scored.reason.as_str())?;
    compare("content", retold.content, head.content)?;
    compare("errors", kinds(&retold.errors), kinds(&reported.record.errors))?;
    check_repeats(order, &reported.record.disturbances)
}

/// Whether the match was the one that was ordered, with everything that results depend on.
fn check_header(order: &Order, expected: &JobGame, header: &Header) -> Result<(), String> {
    compare("game", order.game.as_str(), header.game.as_str())?;
    compare("edition", order.edition, header.edition)?;
    compare("config", &order.config, &header.config)?;
    compare("seed", expected.seed, header.seed)?;
    compare("ask", order.ask.as_str(), header.ask.as_str())?;
    compare("time scale", order.time_scale, header.time_scale)?;
    compare("machine scale", order.machine_scale, header.machine_scale)?;
    compare("clock", [order.clock; 2], header.clock.0)?;
    if header.from.is_some() {
        return Err(
            "expected a match from its start, found one that goes on from another".to_owned()
        );
    }
    for seat in Seat::BOTH {
        check_player(order, expected.bots, header, seat)?;
    }
    Ok(())
}

fn check_player(
    order: &Order,
    bots: PerSeat<BotId>,
    header: &Header,
    seat: Seat,
) -> Result<(), String> {
    let bot = order.bots.get(bots[seat].index());
    let bot = bot.ok_or_else(|| format!("the order has no bot {}", bots[seat].0))?;
    compare("bot", bot.name.as_str(), header.bots[seat].as_str())?;
    let house = match &bot.mind {
        OrderedMind::House { bot } => Some(bot.as_str()),
        OrderedMind::Archive { .. } => None,
    };
    compare("house bot", house, header.players[seat].house.as_deref())?;
    compare("files of the bot", &bot.files, &header.players[seat].files)
}

/// Who did what wrong, and how often. In which words is nobody's business.
fn kinds(errors: &[SeatError]) -> BTreeSet<(usize, &'static str, u32)> {
    let kind = |kind: ErrorKind| kind.code();
    errors.iter().map(|error| (error.seat.index(), kind(error.kind), error.times)).collect()
}

fn compare<T: PartialEq + std::fmt::Debug>(
    what: &str,
    expected: T,
    found: T,
) -> Result<(), String> {
    match expected == found {
        true => Ok(()),
        false => Err(format!("{what}: expected {expected:?}, found {found:?}")),
    }
}

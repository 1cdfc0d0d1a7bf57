//! A match from setup to replay, with all types known.

use quintain_core::{Fault, House, HouseBot, PerSeat, Protocol, Seat, Spoken};
use quintain_referee::{Ask, MatchEnd, Meeting, Player, Table, World, meet, play};
use quintain_replay::{Header, RerunError, Writer, open_table, unix_ms};

use crate::entry::{ListActions, OpenLog};
use crate::followers::{End, MatchFollowers};
use crate::question::Asking;
use crate::roots::Roots;
use crate::{Branch, Decided, MatchError, MatchReport, MatchSpec, Spectator};

pub(crate) fn play_match<G>(
    spec: &MatchSpec,
    mut branch: Option<&mut Branch<'_>>,
    world: &mut dyn World,
    spectator: &mut dyn Spectator,
    open_log: Option<OpenLog<G>>,
    actions: Option<ListActions<G>>,
) -> Result<MatchReport, MatchError>
where
    G: Asking + House,
{
    let (game, roots) = match &branch {
        None => Roots::usual::<G>(&spec.config, spec.seed)?,
        Some(branch) => start_of::<G>(branch)?,
    };
    let mut players = seat_players::<G>(spec)?;
    let Some(mut meeting) = hold_meeting::<G>(spec, world) else {
        world.finish();
        return Err(MatchError::Stopped { turns: 0 });
    };
    let recorded = branch.as_ref().and_then(|branch| Ask::from_name(&branch.header().ask));
    let ask = recorded.unwrap_or(spec.ask);
    let header = Header {
        bots: spec.labels(),
        players: PerSeat::from_fn(|seat| spec.player(seat)),
        ask: ask.name().to_owned(),
        time_scale: spec.rules.time_scale,
        machine_scale: spec.rules.machine_scale,
        clock: spec.rules.clock,
        from: branch.as_ref().map(|branch| branch.origin()),
        seed: spec.seed,
        sandbox: spec.sandbox.clone(),
        ..roots.header::<G>(&meeting.opening, unix_ms())
    };
    let shown_names = header.shown_names();
    // First, since where it finds no room it leaves nothing behind.
    let writer = match &spec.replay {
        Some(path) => Some(Writer::create(path, header.clone(), spec.signer.clone())?),
        None => None,
    };
    let log = match open_log {
        Some(open) => Some(open(&header, spec.match_log.as_deref(), &game)?),
        None => None,
    };
    let opening = meeting.opening.clone();
    let introduction = std::mem::take(&mut meeting.introduction);
    let is_catching_up = branch.is_some();
    let mut followers =
        MatchFollowers::<G>::new(writer, log, spectator, shown_names, is_catching_up, actions);
    let mut table = Table::new(game, G::Protocol::new(&opening), ask);
    let mut chance = G::chance(spec.seed);
    let chance = &mut *chance;
    if let Some(branch) = &mut branch {
        let caught_up =
            branch.catch_up(spec, &mut table, &meeting, world, chance, &mut followers)?;
        meeting.early.extend(caught_up.early);
        followers.has_caught_up(caught_up.behind);
    }
    let end = play(&mut table, &mut players, meeting, world, &spec.rules, chance, &mut followers);
    let MatchEnd::Over(outcome) = end else {
        followers.break_off();
        world.finish();
        return Err(MatchError::Stopped { turns: table.game.turn() });
    };
    let (turns, next_message_id) = (table.game.turn(), table.protocol.next_message_id());
    let standing = table.game.standing();
    followers.decided(&Decided { outcome, standing, turns, next_message_id });
    let end = End {
        outcome,
        standing,
        turns,
        messages: table.messages_fingerprint(),
        left: world.finish(),
        wire_names: opening.names,
        introduction,
        plays_on: G::Protocol::PLAYS_ON,
    };
    Ok(followers.report(spec, end))
}

fn start_of<G: Spoken>(branch: &Branch<'_>) -> Result<(G, Roots), MatchError> {
    let header = branch.header();
    let table = open_table::<G>(header, &header.opening()).map_err(RerunError::Header)?;
    Ok((table.game, Roots::of(header)))
}

fn seat_players<G: House>(spec: &MatchSpec) -> Result<PerSeat<Player<G>>, MatchError> {
    let seat_player = |seat: Seat| -> Result<Player<G>, MatchError> {
        let Some(name) = spec.seats[seat].house_bot() else { return Ok(Player::Outside) };
        // The same bot on both seats must not play the same luck.
        let seed = spec.seed.wrapping_mul(2).wrapping_add(seat.index() as i64);
        let bot = G::bot(name, seed).ok_or_else(|| MatchError::House {
            game: G::ID,
            name: name.to_owned(),
            known: HouseBot::list(G::BOTS),
        })?;
        Ok(Player::Inside(bot))
    };
    Ok(PerSeat([seat_player(Seat::First)?, seat_player(Seat::Second)?]))
}

fn hold_meeting<G: Spoken>(spec: &MatchSpec, world: &mut dyn World) -> Option<Meeting> {
    let (labels, outside) = (spec.labels(), spec.outside());
    match (&spec.opening, G::Protocol::lobby(None)) {
        (Some(opening), _) => Some(Meeting::opened(opening.clone())),
        (None, Some(mut lobby)) => meet(&mut *lobby, &labels, outside, world, spec.start_limit),
        (None, None) => {
            let mut meeting = Meeting::by_label(&labels);
            if G::Protocol::HAS_FILES {
                meeting.opening.manners = spec.seats.as_ref().map(|_, seat| seat.manner());
            }
            let absence = |seat| world.absence(seat).map(Fault::NotStarted);
            meeting.absent = PerSeat::from_fn(absence);
            Some(meeting)
        }
    }
}

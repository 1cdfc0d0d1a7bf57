//! What a fencer can tell from one view to the next: which turn it is, and what the opponent did. Nobody
//! says either, but who has seen every turn so far can count, and energies give most actions away.

use crate::duel::{After, Bout, Duel};
use crate::setup::SPAWN;
use crate::{Action, Collision, TURNS_MAX, View};

/// Follows a match by what one fencer is shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Referee {
    /// Turns played before what was shown last, respawns included.
    played: usize,
    last: Option<(View, Action)>,
}

/// What happened between two views.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) before: View,
    /// The opponent's actions that explain it, a bit for each.
    pub(super) answers: u16,
    is_respawn: bool,
}

impl Referee {
    /// How many turns are left, the one that is asked for included, and what happened since the last.
    pub(super) fn see(&mut self, view: &View) -> (usize, Option<Seen>) {
        let seen = self.last.map(|(before, action)| explain(&before, action, view));
        if let Some(Seen { before, is_respawn, .. }) = seen {
            self.played += 1 + usize::from(is_respawn);
            let is_new_match = view.own.points < before.own.points
                || view.opponent.points < before.opponent.points
                || view.own.drugs < before.own.drugs;
            if is_new_match {
                self.played = 0;
            }
        }
        ((TURNS_MAX as usize).saturating_sub(self.played).max(1), seen)
    }

    /// What was answered to the view.
    pub(super) fn answered(&mut self, view: &View, action: Action) {
        self.last = Some((*view, action));
    }
}

/// The opponent's actions that lead from one view to the next. Where bouts went on, they explain more than
/// a respawn to the very places.
fn explain(before: &View, action: Action, after: &View) -> Seen {
    let duel = Duel::new([&before.own, &before.opponent], before.league, Collision::Passed);
    let (bout, now) = (bout_of(before), bout_of(after));
    let change =
        (after.own.points - before.own.points) - (after.opponent.points - before.opponent.points);
    let (mut going_on, mut respawned) = (0, 0);
    for answer in (0..duel.actions()).filter(|&answer| duel.can_pay(bout.energies[1], answer)) {
        match duel.after(&bout, [action as usize, answer]) {
            After::Bout(next) if next == now => going_on |= 1 << answer,
            After::Respawn { gained, energies } => {
                let is_same = i16::from(gained) == change && energies == now.energies;
                respawned |= u16::from(is_same && now.positions == SPAWN.0) << answer;
            }
            _ => {}
        }
    }
    let has_scored =
        after.own.points != before.own.points || after.opponent.points != before.opponent.points;
    let is_respawn = has_scored || (going_on == 0 && now.positions == SPAWN.0);
    Seen { before: *before, answers: if is_respawn { respawned } else { going_on }, is_respawn }
}

/// Both fencers as the one sees them who is shown the view.
pub(super) fn bout_of(view: &View) -> Bout {
    let fencers = [&view.own, &view.opponent];
    Bout {
        positions: fencers.map(|fencer| fencer.position),
        energies: fencers.map(|fencer| fencer.energy),
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::{Game, House, NoChance, Replies, Seat};

    use super::*;
    use crate::{Config, Fencing, Setup};

    #[test]
    fn a_fencer_who_was_there_from_the_start_knows_the_turn_and_what_the_other_did() {
        for league in [1, 2, 3] {
            let config = Config { league, ..Config::default() };
            for seed in 0..20 {
                let mut game = Fencing::new(&config, Setup::default()).expect("playable");
                let mut bots =
                    [0, 1].map(|place| Fencing::bot("random", seed * 2 + place).expect("a bot"));
                let mut referees = [Referee::default(), Referee::default()];
                let mut played = [Action::Break; 2];
                while game.outcome().is_none() {
                    let before = played;
                    let replies = Replies::of(game.to_act(), |seat: Seat| {
                        let view = game.view(seat);
                        let (left, seen) = referees[seat.index()].see(&view);
                        assert_eq!(left, (TURNS_MAX - game.turn()) as usize, "seed {seed}");
                        let other = before[seat.other().index()];
                        assert!(seen.is_none_or(|seen| seen.answers >> other as u16 & 1 == 1));
                        let action = bots[seat.index()].act_unhurried(&view);
                        referees[seat.index()].answered(&view, action);
                        played[seat.index()] = action;
                        action
                    });
                    game.advance(&replies, &mut NoChance, &mut ());
                }
            }
        }
    }
}

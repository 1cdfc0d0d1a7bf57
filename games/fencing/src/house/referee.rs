//! Which turn it is. Nobody tells a fencer, but who has seen every turn so far can count.

use crate::duel::{After, Bout, Duel};
use crate::setup::SPAWN;
use crate::{Action, Collision, TURNS_MAX, View};

/// Counts the turns of a match, respawns included, by what one fencer is shown.
#[derive(Clone, Debug, Default)]
pub(super) struct TurnCount {
    /// Played before what was shown last.
    played: usize,
    last: Option<(View, Action)>,
}

impl TurnCount {
    /// How many turns are left, the one that is asked for included.
    pub(super) fn see(&mut self, view: &View) -> usize {
        if let Some((before, action)) = self.last {
            self.played += 1 + usize::from(was_respawn(&before, action, view));
            let is_new_match = view.own.points < before.own.points
                || view.opponent.points < before.opponent.points
                || view.own.drugs < before.own.drugs;
            if is_new_match {
                self.played = 0;
            }
        }
        (TURNS_MAX as usize).saturating_sub(self.played).max(1)
    }

    /// What was answered to the view.
    pub(super) fn answered(&mut self, view: &View, action: Action) {
        self.last = Some((*view, action));
    }
}

/// Whether both were put back to their places between two views.
fn was_respawn(before: &View, action: Action, after: &View) -> bool {
    let points = |view: &View| [view.own.points, view.opponent.points];
    if points(before) != points(after) {
        return true;
    }
    let bout = bout_of(before);
    let now = bout_of(after);
    if now.positions != SPAWN.0 {
        return false;
    }
    let duel = Duel::new([&before.own, &before.opponent], before.league, Collision::Passed);
    let is_explained = |answer| {
        matches!(
            duel.after(&bout, [action as usize, answer]),
            After::Bout(next) if next.positions == now.positions
        )
    };
    !(0..duel.actions()).any(is_explained)
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
    fn a_fencer_who_was_there_from_the_start_knows_the_turn() {
        for league in [1, 2, 3] {
            let config = Config { league, ..Config::default() };
            for seed in 0..20 {
                let mut game = Fencing::new(&config, Setup::default()).expect("playable");
                let mut bots =
                    [0, 1].map(|place| Fencing::bot("random", seed * 2 + place).expect("a bot"));
                let mut counts = [TurnCount::default(), TurnCount::default()];
                while game.outcome().is_none() {
                    let replies = Replies::of(game.to_act(), |seat: Seat| {
                        let view = game.view(seat);
                        let left = counts[seat.index()].see(&view);
                        assert_eq!(left, (TURNS_MAX - game.turn()) as usize, "seed {seed}");
                        let action = bots[seat.index()].act_unhurried(&view);
                        counts[seat.index()].answered(&view, action);
                        action
                    });
                    game.advance(&replies, &mut NoChance, &mut ());
                }
            }
        }
    }
}

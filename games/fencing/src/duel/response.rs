//! What an opponent who knows a strategy can win against it.

use super::matrix::ACTIONS_MAX;
use super::solve::respawned;
use super::{After, Bout, Duel, Piste, STAKE};

/// How far ahead the best opponent comes on average in a match of so many turns against the first fencer,
/// who plays by `mixtures`: asked for those of all bouts with 1, 2 and so on turns left, or `None` for the
/// same as with one turn less.
pub fn exploitability(
    duel: &Duel,
    piste: Piste,
    turns: usize,
    mut mixtures: impl FnMut(usize) -> Option<Vec<[f32; ACTIONS_MAX]>>,
) -> f32 {
    let bouts: Vec<Bout> = piste.all().collect();
    let mut worths = vec![0.0; bouts.len()];
    let mut before = worths.clone();
    let mut shares = Vec::new();
    for left in 1..=turns {
        let mut next = vec![0.0; bouts.len()];
        shares = mixtures(left).unwrap_or(shares);
        for (index, bout) in bouts.iter().enumerate() {
            let worth = |bout: &Bout, is_later: bool| {
                if is_later { before[piste.index(bout)] } else { worths[piste.index(bout)] }
            };
            next[index] = best_answer(duel, bout, &shares[index], worth);
        }
        before = std::mem::replace(&mut worths, next);
    }
    worths[piste.index(&respawned([crate::ENERGY_START; 2]))]
}

/// What the best action of the second is worth to it.
fn best_answer(
    duel: &Duel,
    bout: &Bout,
    shares: &[f32; ACTIONS_MAX],
    worth: impl Fn(&Bout, bool) -> f32,
) -> f32 {
    let answers = (0..duel.actions()).filter(|&answer| duel.can_pay(bout.energies[1], answer));
    let worth_of = |answer: usize| -> f32 {
        let played = shares.iter().enumerate().filter(|&(_, &share)| share > 0.0);
        let after = played.map(|(action, &share)| {
            share
                * match duel.after(bout, [action, answer]) {
                    After::Bout(next) => worth(&next, false),
                    After::Respawn { gained, energies } => {
                        worth(&respawned(energies), true) - f32::from(gained)
                    }
                    After::Forfeit { loser: 0 } => STAKE,
                    After::Forfeit { .. } => -STAKE,
                }
        });
        after.sum()
    };
    answers.map(worth_of).fold(f32::NEG_INFINITY, f32::max)
}

#[cfg(test)]
mod tests {
    use super::super::{Gains, Piste, solve};
    use super::*;
    use crate::Collision;

    const TURNS: usize = 4;

    /// Worths of so many turns, and of one less where a respawn takes a turn.
    #[test]
    fn who_plays_by_exact_worths_cannot_be_exploited_and_who_plays_anything_can() {
        let (duel, piste) = (Duel::plain(1, Collision::Passed), Piste::of_league(1));
        let mut layers = vec![vec![0.0; piste.bouts()]];
        solve(&duel, piste, TURNS, |_, worths, _| layers.push(worths.to_vec()));
        let exact = exploitability(&duel, piste, TURNS, |left| {
            let worth = |bout: &Bout, is_later: bool| {
                layers[left.saturating_sub(1 + usize::from(is_later))][piste.index(bout)]
            };
            let mixture =
                |bout| Gains::of(&duel, &bout, worth).solve().first.map(|share| share as f32);
            Some(piste.all().map(mixture).collect())
        });
        assert!(exact.abs() < 1e-4, "{exact}");
        let any = |bout: Bout| {
            let can_pay = |action: usize| duel.can_pay(bout.energies[0], action);
            let count = (0..duel.actions()).filter(|&action| can_pay(action)).count();
            std::array::from_fn(|action| {
                let is_played = action < duel.actions() && can_pay(action);
                if is_played { 1.0 / count as f32 } else { 0.0 }
            })
        };
        let careless = exploitability(&duel, piste, TURNS, |left| {
            (left == 1).then(|| piste.all().map(any).collect())
        });
        assert!(careless > 0.3, "{careless}");
    }
}

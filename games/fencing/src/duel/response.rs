//! What an opponent who knows a strategy can win against it.

use super::matrix::ACTIONS_MAX;
use super::solve::respawned;
use super::{After, Bout, Duel, Piste, STAKE};

/// The shares of a strategy's actions.
pub(crate) type Mixture = [f32; ACTIONS_MAX];

/// How far ahead the best opponent comes on average in a match of so many turns against the first fencer,
/// who plays by `mixture`: told the bout and the turns left, this one included.
pub fn exploitability(
    duel: &Duel,
    piste: Piste,
    turns: usize,
    mut mixture: impl FnMut(&Bout, usize) -> [f32; ACTIONS_MAX],
) -> f32 {
    let bouts: Vec<Bout> = piste.all().collect();
    let mut worths = vec![0.0; bouts.len()];
    let mut before = worths.clone();
    for left in 1..=turns {
        let mut next = vec![0.0; bouts.len()];
        for (index, bout) in bouts.iter().enumerate() {
            let shares = mixture(bout, left);
            let worth = |bout: &Bout, is_later: bool| {
                if is_later { before[piste.index(bout)] } else { worths[piste.index(bout)] }
            };
            next[index] = best_answer(duel, bout, &shares, worth);
        }
        before = std::mem::replace(&mut worths, next);
    }
    worths[piste.index(&respawned([crate::ENERGY_START; 2]))]
}

/// What the best action of the second is worth to it.
fn best_answer(
    duel: &Duel,
    bout: &Bout,
    shares: &Mixture,
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

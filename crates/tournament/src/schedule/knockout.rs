//! Knock-out: who loses is out.

use std::collections::BTreeMap;

use quintain_record::BotId;

use super::round::{Pairing, Round};
use super::settings::TieBreak;
use super::{Place, placed};

/// The next round. In the first one the best of the list meet the last, and have a bye where bots are
/// missing; later neighbours in the bracket meet. Pairings have no games yet; see [`plan_more`].
pub(super) fn draw(bots: u32, rounds: &BTreeMap<u32, Round>, third_place: bool) -> Round {
    let Some((_, last)) = rounds.last_key_value() else { return first_round(bots) };
    let winners = winners(last);
    let mut pairings: Vec<[BotId; 2]> =
        winners.chunks_exact(2).map(|pair| better_first([pair[0], pair[1]])).collect();
    if third_place && winners.len() == 2 {
        let losers: Vec<BotId> = last.pairings().iter().filter_map(loser).collect();
        // With three bots one of the two had a bye, and the other is third without a game.
        if let [one, other] = losers[..] {
            pairings.push(better_first([one, other]));
            return Round::new(pairings, 0).with_third_place();
        }
    }
    Round::new(pairings, 0)
}

/// Who goes on, in the order of the bracket, if the round is over.
pub(super) fn winners(round: &Round) -> Vec<BotId> {
    let going_on = match round.third_place() {
        Some(_) => &round.pairings()[..1],
        None => round.pairings(),
    };
    let mut winners: Vec<BotId> = round.byes().to_vec();
    winners.extend(going_on.iter().filter_map(winner));
    if !round.byes().is_empty() {
        // Only the first round has byes, and there the place in the bracket is that of the list.
        let places = bracket((round.byes().len() + 2 * round.pairings().len()) as u32);
        winners.sort_by_key(|bot| places.iter().position(|pair| pair.contains(&bot.0)));
    }
    winners
}

/// Who won a pairing that is over. If it is level even so, the better of the list, who is named first.
pub(super) fn winner(pairing: &Pairing) -> Option<BotId> {
    let [better, other] = pairing.bots();
    let lead: i64 = pairing.pair_leads().sum();
    pairing.is_over().then_some(if lead >= 0 { better } else { other })
}

fn loser(pairing: &Pairing) -> Option<BotId> {
    let winner = winner(pairing)?;
    pairing.bots().into_iter().find(|&bot| bot != winner)
}

fn better_first([one, other]: [BotId; 2]) -> [BotId; 2] {
    [one.min(other), one.max(other)]
}

/// Plans as many games of a pairing as will be played in any case, however they end.
///
/// So games that turn out not to be needed are never begun, and which games there are does not
/// depend on how many run at a time.
pub(super) fn plan_more(round: &mut Round, pairing: u32, pairs: u32, tie_break: TieBreak) {
    let Some(state) = round.pairing(pairing) else { return };
    let leads: Vec<i64> = state.pair_leads().collect();
    let planned = state.games_planned() / 2;
    let pairs = pairs as usize;
    let wanted = if planned <= pairs && leads.len() < pairs {
        // A pair won is a lead of four half points. Won by whoever leads now, this many more decide.
        let lead = leads.iter().sum::<i64>().unsigned_abs() as usize;
        let rest = 4 * (pairs - leads.len());
        match rest.checked_sub(lead) {
            None => planned,
            Some(gap) => leads.len() + (gap / 8 + 1).min(pairs - leads.len()),
        }
    } else {
        let TieBreak::ExtraPairs { at_most } = tie_break else { return };
        let is_level = leads.len() == planned && leads.iter().sum::<i64>() == 0;
        planned + usize::from(is_level && planned < pairs + at_most as usize)
    };
    round.plan(pairing, 2 * wanted);
}

/// Places by the rounds that a bot survived; the match for the third place parts the losers of the
/// semi-finals.
pub(super) fn ranking(bots: u32, rounds: &BTreeMap<u32, Round>) -> Vec<Place> {
    let mut won = vec![0_u32; bots as usize];
    let mut is_third = vec![false; bots as usize];
    for round in rounds.values() {
        for &bot in round.byes() {
            won[bot.index()] += 1;
        }
        let going_on = round.pairings().len() - usize::from(round.third_place().is_some());
        for winner in round.pairings()[..going_on].iter().filter_map(winner) {
            won[winner.index()] += 1;
        }
        if let Some(winner) = round.third_place().and_then(winner) {
            is_third[winner.index()] = true;
        }
    }
    let place = |bot: BotId| {
        let won = won[bot.index()];
        let place = Place { place: 0, bot, points: f64::from(won), tie_break: 0.0 };
        ((won, is_third[bot.index()]), place)
    };
    placed(BotId::all(bots).map(place).collect())
}

fn first_round(bots: u32) -> Round {
    let (mut pairings, mut byes) = (Vec::new(), Vec::new());
    for [one, other] in bracket(bots) {
        if other < bots {
            pairings.push([BotId(one), BotId(other)]);
        } else {
            byes.push(BotId(one));
        }
    }
    Round::with_byes(pairings, byes, 0)
}

/// The first round's pairs of places in the list, such that the best meet as late as possible: the
/// first two in the final, the first four in the semi-finals.
fn bracket(bots: u32) -> Vec<[u32; 2]> {
    let mut order = vec![0];
    while (order.len() as u32) < bots.next_power_of_two() {
        let size = 2 * order.len() as u32;
        order = order.iter().flat_map(|&place| [place, size - 1 - place]).collect();
    }
    order.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_meet_as_late_as_possible_and_have_the_byes() {
        assert_eq!(bracket(2), [[0, 1]]);
        assert_eq!(bracket(8), [[0, 7], [3, 4], [1, 6], [2, 5]]);
        let round = first_round(6);
        assert_eq!(round.byes(), [BotId(0), BotId(1)]);
        let met: Vec<_> = round.pairings().iter().map(|pairing| pairing.bots()).collect();
        assert_eq!(met, [[BotId(3), BotId(4)], [BotId(2), BotId(5)]]);
        for bots in 2..40 {
            let round = first_round(bots);
            let all = round.byes().len() + 2 * round.pairings().len();
            assert_eq!(all as u32, bots);
            assert_eq!((all - round.pairings().len()).count_ones(), 1, "{bots} bots");
        }
    }
}

//! What a house thinks of a position.

use crate::{Chance as _, Effort, House, Replies, Sample, Seat, SplitMix64};

/// A game whose house can say what it thinks of a position.
pub trait Opine: House + Sample {
    /// What the first seat may expect of a position that goes on, from -1 (it loses) to 1 (it wins). Whoever
    /// judges is told everything, also what a player does not see, and looks at about so many positions, so
    /// that it says the same on every machine.
    ///
    /// A house whose champion searches asks that; here its quickest bots play on.
    fn opinion(&self, nodes: u64) -> f64 {
        by_play_outs(self, nodes)
    }
}

/// What may be expected of a lead: the difference to the opponent, in units of what is still won or lost by
/// chance or skill from such a position on.
pub fn expectation(lead: f64) -> f64 {
    lead / (1.0 + lead * lead).sqrt()
}

/// How far a play-out goes.
const STEPS: u64 = 60;
/// One action in so many is a random one: bots without luck would play the same again and again.
const ONE_IN: u32 = 8;

/// The mean of play-outs of so many steps together. Where no end is reached, nothing is known.
fn by_play_outs<G: House + Sample>(game: &G, nodes: u64) -> f64 {
    let mut random = SplitMix64::new(u64::from(game.turn()));
    let (mut played, mut count, mut sum) = (0, 0_u32, 0.0);
    while played < nodes.max(1) {
        let (value, steps) = play_out(game.clone(), &mut random);
        sum += value;
        count += 1;
        played += steps.max(1);
    }
    sum / f64::from(count)
}

/// What it came to for the first seat, and how many steps it took.
fn play_out<G: House + Sample>(mut game: G, random: &mut SplitMix64) -> (f64, u64) {
    let is_quick = |bot: &&crate::HouseBot| bot.effort == Effort::AtOnce;
    let name = G::BOTS.iter().rfind(is_quick).map_or("", |bot| bot.name);
    let mut bots = Seat::BOTH.map(|_| G::bot(name, random.next_u64() as i64));
    let mut steps = 0;
    while steps < STEPS && game.outcome().is_none() {
        let replies = Replies::of(game.to_act(), |seat| match &mut bots[seat.index()] {
            Some(bot) if random.below(ONE_IN) > 0 => bot.act_unhurried(&game.view(seat)),
            _ => game.sample(seat, random),
        });
        game.advance(&replies, random, &mut ());
        steps += 1;
    }
    let winner = game.outcome().and_then(|outcome| outcome.winner());
    (winner.map_or(0.0, |winner| if winner == Seat::First { 1.0 } else { -1.0 }), steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_of_a_lead_is_expected_to_win_more_and_never_all() {
        assert_eq!(expectation(0.0), 0.0);
        assert_eq!(expectation(-2.0), -expectation(2.0));
        assert!(expectation(1.0) < expectation(2.0) && expectation(2.0) < 1.0);
    }
}

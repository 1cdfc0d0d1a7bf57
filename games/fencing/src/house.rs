//! The house bots: one that does anything it can afford, and one that looks a turn ahead.

use quintain_core::{
    Bot, Chance, Dialogue, Effort, Game, House, HouseBot, HouseClient, NoChance, Replies, Seat,
    SplitMix64,
};

use crate::client::Client;
use crate::{Action, Fencer, Fencing, View};

impl House for Fencing {
    const BOTS: &'static [HouseBot] = &[
        HouseBot {
            name: "random",
            about: "does anything that it can afford",
            effort: Effort::AtOnce,
        },
        HouseBot {
            name: "greedy",
            about: "plays what is best on average a turn ahead",
            effort: Effort::AtOnce,
        },
    ];

    fn bot(name: &str, seed: i64) -> Option<Box<dyn Bot<Fencing>>> {
        let mut chance = SplitMix64::new(seed as u64);
        match name {
            "random" => Some(Box::new(move |view: &View| random(view, &mut chance))),
            "greedy" => Some(Box::new(greedy)),
            _ => None,
        }
    }
}

impl HouseClient for Fencing {
    fn dialogue(bot: &str, _: &str, seed: i64, league: Option<u8>) -> Option<Box<dyn Dialogue>> {
        Some(Box::new(Client::new(Fencing::bot(bot, seed)?, league)))
    }
}

/// Any action that cannot lose the match at once, each as likely as the others.
fn random(view: &View, chance: &mut SplitMix64) -> Action {
    let affordable = affordable(&view.own, view.league);
    let count = affordable.clone().count() as u32;
    let drawn = chance.below(count) as usize;
    affordable.clone().nth(drawn).unwrap_or(Action::Break)
}

/// BREAK is always one of them.
fn affordable(fencer: &Fencer, league: u8) -> impl Iterator<Item = Action> + Clone {
    let actions = Action::of_league(league).iter().copied();
    actions.filter(move |&action| fencer.can_afford(action) || action == Action::Break)
}

/// What a position is worth, in hundredths of a point.
const POINT: i32 = 100;
/// Energy up to [`ENERGY_WANTED`], enough to lunge, be parried and walk on.
const ENERGY: i32 = 6;
const ENERGY_WANTED: i16 = 12;
/// Per step of distance beyond a lunge: one must come near to score.
const DISTANCE_PER: i32 = 5;
/// Losing the match at once.
const LOSS: i32 = 10_000;

/// Plays the action that is best on average over all that the opponent can afford. Its answer
/// depends on the view alone.
fn greedy(view: &View) -> Action {
    let answers: Vec<Action> = affordable(&view.opponent, view.league).collect();
    let position = Fencing::between(view.own, view.opponent, view.league);
    let worth = |action: Action| -> i32 {
        let after = answers.iter().map(|&answer| worth(position, [action, answer]));
        after.sum()
    };
    affordable(&view.own, view.league).max_by_key(|&action| worth(action)).unwrap_or(Action::Break)
}

/// What the first seat has from these actions.
fn worth(mut position: Fencing, actions: [Action; 2]) -> i32 {
    let [own, opponent] = actions;
    position.advance(&Replies::both(own, opponent), &mut NoChance, &mut ());
    let [own, opponent] = &position.fencers().0;
    let lead = i32::from(own.points - opponent.points) * POINT;
    let energy = |fencer: &Fencer| i32::from(fencer.energy.min(ENERGY_WANTED)) * ENERGY;
    let apart = i32::from((opponent.position - own.position).abs());
    let lost = i32::from(position.offences()[Seat::First].is_some()) * LOSS;
    lead + energy(own) - energy(opponent) / 2 - apart / DISTANCE_PER - lost
}

#[cfg(test)]
mod tests {
    use quintain_core::PerSeat;
    use quintain_testkit::{check_house_names, greedy_wins, house_bots, house_match};

    use super::*;
    use crate::{Config, Setup};

    /// Plays one match between two house bots.
    fn play(names: [&str; 2], league: u8, seed: i64) -> Fencing {
        let config = Config { league, ..Config::default() };
        let game = Fencing::new(&config, Setup::default()).expect("playable");
        house_match(game, house_bots(names, seed), &mut NoChance).0
    }

    #[test]
    fn greedy_beats_random_from_both_seats_in_every_league() {
        for (league, seeds) in [(1, 10), (2, 10), (3, 50)] {
            let winner = |names: [&str; 2], seed| play(names, league, seed).outcome()?.winner();
            let PerSeat([first, second]) = greedy_wins(0..seeds, winner);
            assert!(
                first + second >= 2 * seeds as usize * 95 / 100,
                "league {league}: greedy won {first} and {second} of {seeds} matches each"
            );
        }
    }

    #[test]
    fn random_breaks_no_rule_by_itself() {
        for seed in 0..50 {
            let end = play(["random", "random"], 3, seed);
            assert_eq!(end.offences().0, [None, None], "seed {seed}");
        }
    }

    #[test]
    fn unknown_bots_are_none() {
        check_house_names::<Fencing>();
    }
}

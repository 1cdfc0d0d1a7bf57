//! The house bots, from one that does anything to one that has solved the leagues without drugs.

mod champion;
mod greedy;
mod lookahead;
mod opinion;
mod referee;
mod rival;

use quintain_core::{
    Bot, Chance, Coin, Dialogue, House, HouseBot, HouseClient, Level, Mixture, SplitMix64,
    half_greedy, half_searching,
};

use self::champion::Champion;
use self::greedy::greedy;
use crate::client::Client;
use crate::{Action, Fencer, Fencing, View};

impl House for Fencing {
    const BOTS: &'static [HouseBot] = &[
        HouseBot::at_once("random", "does anything that it can afford"),
        half_greedy!(20, "turns"),
        half_greedy!(40, "turns"),
        half_greedy!(60, "turns"),
        half_greedy!(72, "turns"),
        half_greedy!(83, "turns"),
        half_greedy!(92, "turns"),
        HouseBot::at_once("greedy", "plays what is best on average a turn ahead"),
        half_searching!(3, "turns"),
        half_searching!(4, "turns"),
        half_searching!(5, "turns"),
        half_searching!(6, "turns"),
        half_searching!(8, "turns"),
        half_searching!(11, "turns"),
        half_searching!(15, "turns"),
        half_searching!(21, "turns"),
        half_searching!(30, "turns"),
        half_searching!(50, "turns"),
        HouseBot::searching(
            "search-1k",
            "knows what every bout without drugs is worth, and tries 1,000 turns on top of that",
            1_000,
        ),
        HouseBot::by_the_clock(
            "champion",
            "knows what every bout without drugs is worth, and searches on top of that for as long as the clock allows",
        ),
    ];

    fn bot(name: &str, seed: i64) -> Option<Box<dyn Bot<Fencing>>> {
        let mut chance = SplitMix64::new(seed as u64);
        let random = move |view: &View| random(view, &mut chance);
        Some(match Fencing::level(name)? {
            Level::Random => Box::new(random),
            Level::Greedy => Box::new(greedy),
            Level::Mixture { percent } => {
                Box::new(Mixture { coin: Coin::new(percent, seed), strong: greedy, weak: random })
            }
            Level::HalfSearch { percent } => {
                let strong = Champion::new(Some(1_000), chance);
                Box::new(Mixture { coin: Coin::new(percent, seed), strong, weak: greedy })
            }
            Level::Search(nodes) => Box::new(Champion::new(nodes, chance)),
        })
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

#[cfg(test)]
mod tests {
    use quintain_core::{Game, NoChance, PerSeat, Seat};
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
    fn no_bot_breaks_a_rule_by_itself() {
        for league in [1, 2, 3] {
            for HouseBot { name, .. } in Fencing::BOTS {
                for names in [[name, "greedy-60"], ["greedy-60", name]] {
                    let end = play(names, league, 5);
                    let own = names.iter().position(|other| other == name).expect("one of both");
                    assert_eq!(end.offences().0[own], None, "{name} in league {league}");
                }
            }
        }
    }

    #[test]
    fn the_champion_beats_greedy_from_both_seats_in_every_league() {
        for league in [1, 2, 3] {
            for seat in Seat::BOTH {
                let mut names = ["greedy"; 2];
                names[seat.index()] = "champion";
                let is_won = |&seed: &i64| {
                    play(names, league, seed)
                        .outcome()
                        .is_some_and(|end| end.winner() == Some(seat))
                };
                let won = (0..3).filter(is_won).count();
                assert_eq!(won, 3, "league {league}, {seat:?}");
            }
        }
    }

    /// A number that changes with any action that leaves a trace.
    fn digest(name: &str, seeds: i64) -> u64 {
        (0..seeds).fold(0, |hash: u64, seed| {
            let league = 1 + (seed % 3) as u8;
            hash.rotate_left(1) ^ play([name, "greedy"], league, seed).fingerprint()
        })
    }

    /// The same on every machine: whoever changes it has changed the strength of a published rung.
    #[test]
    fn bots_limited_by_nodes_play_the_same_matches_everywhere() {
        let found = [("greedy-60", 100), ("search-1k-15", 100), ("search-1k", 100)]
            .map(|(name, matches)| digest(name, matches));
        let expected = [0x6bea_eb21_7ede_dde5, 0x2518_10b2_f139_1055, 0xc601_cc73_cf48_a25b];
        assert_eq!(found, expected, "{found:#x?}");
    }

    #[test]
    fn unknown_bots_are_none() {
        check_house_names::<Fencing>();
    }
}

//! The house bots, from one that does anything to one that has solved the leagues without drugs.

mod champion;
mod greedy;
mod lookahead;
mod outlook;
mod referee;
mod rival;

use quintain_core::{Bot, Chance, Dialogue, Effort, House, HouseBot, HouseClient, SplitMix64};

use self::champion::Champion;
use self::greedy::greedy;
use self::outlook::Outlook;
use crate::client::Client;
use crate::{Action, Fencer, Fencing, View};

impl House for Fencing {
    const BOTS: &'static [HouseBot] = &[
        HouseBot {
            name: "random",
            about: "does anything that it can afford",
            effort: Effort::AtOnce,
        },
        dizzy("dizzy-80", "plays as greedy, but does anything in 80 of 100 turns"),
        dizzy("dizzy-60", "plays as greedy, but does anything in 60 of 100 turns"),
        dizzy("dizzy-40", "plays as greedy, but does anything in 40 of 100 turns"),
        dizzy("dizzy-20", "plays as greedy, but does anything in 20 of 100 turns"),
        HouseBot {
            name: "greedy",
            about: "plays what is best on average a turn ahead",
            effort: Effort::AtOnce,
        },
        searching("search-1k", "mixes actions by what 1,000 turns that it tries lead to", 1_000),
        searching("search-10k", "mixes actions by what 10,000 turns that it tries lead to", 10_000),
        searching(
            "search-100k",
            "mixes actions by what 100,000 turns that it tries lead to",
            100_000,
        ),
        HouseBot {
            name: "champion",
            about: "knows what every bout without drugs is worth, and searches on top of that for as long as the clock allows",
            effort: Effort::Clock,
        },
    ];

    fn bot(name: &str, seed: i64) -> Option<Box<dyn Bot<Fencing>>> {
        let mut chance = SplitMix64::new(seed as u64);
        let effort = Fencing::BOTS.iter().find(|bot| bot.name == name)?.effort;
        Some(match (name, effort) {
            ("random", _) => Box::new(move |view: &View| random(view, &mut chance)),
            (_, Effort::AtOnce) if name.starts_with(DIZZY) => {
                let percent = name[DIZZY.len()..].parse().ok()?;
                Box::new(move |view: &View| {
                    let is_dizzy = chance.below(100) < percent;
                    if is_dizzy { random(view, &mut chance) } else { greedy(view) }
                })
            }
            ("greedy", _) => Box::new(greedy),
            (_, Effort::Nodes(nodes)) => {
                Box::new(Champion::new(Outlook::Guessed, Some(nodes), chance))
            }
            _ => Box::new(Champion::new(Outlook::Known, None, chance)),
        })
    }
}

/// What the names of those begin with that now and then do anything; the number of a hundred turns follows.
const DIZZY: &str = "dizzy-";

const fn dizzy(name: &'static str, about: &'static str) -> HouseBot {
    HouseBot { name, about, effort: Effort::AtOnce }
}

const fn searching(name: &'static str, about: &'static str, nodes: u64) -> HouseBot {
    HouseBot { name, about, effort: Effort::Nodes(nodes) }
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
            for HouseBot { name, .. } in
                Fencing::BOTS.iter().filter(|bot| bot.name != "search-100k")
            {
                for names in [[name, "dizzy-40"], ["dizzy-40", name]] {
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
        let found = [("dizzy-40", 100), ("search-1k", 100), ("search-10k", 3)]
            .map(|(name, matches)| digest(name, matches));
        let expected = [0x7ce6_590b_af38_44b0, 0x465e_3cb1_2d89_8af1, 0x167f_d9c6_3c88_80bb];
        assert_eq!(found, expected, "{found:#x?}");
    }

    #[test]
    fn unknown_bots_are_none() {
        check_house_names::<Fencing>();
    }
}

//! The house bots: one that does anything, one with a plan, some between them, and those that search.

mod beam;
mod budget;
mod greedy;
mod judgement;
mod memory;
mod opinion;
mod random;
mod searcher;
mod waves;

use quintain_core::{
    Bot, Coin, Dialogue, House, HouseBot, HouseClient, Level, Mixture, half_greedy,
};

use self::greedy::Greedy;
use self::random::Random;
use self::searcher::Searcher;
use crate::client::Client;
use crate::{
    Blueprint, CodeRoyale, Command, CreepKind, Point, SITES_MAX, SiteView, StructureView, UnitView,
    View,
};

impl House for CodeRoyale {
    const BOTS: &'static [HouseBot] = &[
        HouseBot::at_once("random", "gives any order that can be carried out"),
        half_greedy!(15, "turns", ", about the level of the site's bosses of the lower leagues"),
        half_greedy!(35, "turns", ", about the level of the site's strongest boss"),
        half_greedy!(55, "turns"),
        half_greedy!(70, "turns"),
        half_greedy!(80, "turns"),
        half_greedy!(88, "turns"),
        half_greedy!(95, "turns"),
        HouseBot::at_once(
            "greedy",
            "builds mines, barracks and towers by a plan and trains what it can pay",
        ),
        HouseBot::searching(
            "search-20",
            "plays on in its head for 20 simulated turns before it answers",
            20,
        ),
        HouseBot::searching(
            "search-60",
            "plays on in its head for 60 simulated turns before it answers",
            60,
        ),
        HouseBot::searching(
            "search-120",
            "plays on in its head for 120 simulated turns before it answers",
            120,
        ),
        HouseBot::searching(
            "search-300",
            "plays on in its head for 300 simulated turns before it answers",
            300,
        ),
        HouseBot::searching(
            "search-1k",
            "plays on in its head for 1,000 simulated turns before it answers",
            1_000,
        ),
        HouseBot::searching(
            "search-3k",
            "plays on in its head for 3,000 simulated turns before it answers",
            3_000,
        ),
        HouseBot::by_the_clock(
            "champion",
            "plays on in its head for as long as the clock allows, with memory of what is hidden",
        ),
    ];

    fn bot(name: &str, seed: i64) -> Option<Box<dyn Bot<CodeRoyale>>> {
        let (greedy, random) = (Greedy::default(), Random::new(seed));
        Some(match CodeRoyale::level(name)? {
            Level::Random => Box::new(random),
            Level::Greedy => Box::new(greedy),
            Level::Mixture { percent } => {
                Box::new(Mixture { coin: Coin::new(percent, seed), strong: greedy, weak: random })
            }
            Level::HalfSearch { percent } => {
                let strong = Searcher::of_nodes(1_000);
                Box::new(Mixture { coin: Coin::new(percent, seed), strong, weak: greedy })
            }
            Level::Search(Some(nodes)) => Box::new(Searcher::of_nodes(nodes)),
            Level::Search(None) => Box::new(Searcher::champion()),
        })
    }
}

impl HouseClient for CodeRoyale {
    fn dialogue(bot: &str, _: &str, seed: i64, _: Option<u8>) -> Option<Box<dyn Dialogue>> {
        Some(Box::new(Client::new(CodeRoyale::bot(bot, seed)?)))
    }
}

/// What a bot has found out about the league, which nobody tells it. To build what the league does
/// not have would lose the match.
#[derive(Clone, Copy, Debug, Default)]
struct Lore {
    /// Mines, and with them towers and giants.
    has_mines: bool,
}

impl Lore {
    /// Leagues with mines have all sites and no fixed income, so that the first turn pays nothing.
    fn learn(&mut self, view: &View) {
        let is_mine = |site: &SiteView| matches!(site.structure, Some(StructureView::Mine { .. }));
        let is_unpaid = view.turn == 1 && view.gold == 100;
        let has_all_sites = view.sites.len() == SITES_MAX;
        self.has_mines |= has_all_sites && (is_unpaid || view.sites.iter().any(is_mine));
    }
}

fn idle_barracks(view: &View) -> impl Iterator<Item = (usize, CreepKind)> {
    let sites = view.sites.iter().enumerate();
    sites.filter_map(|(index, site)| match site.structure {
        Some(StructureView::Barracks { owner, creep, turns_left: 0 }) if owner == view.seat => {
            Some((index, creep))
        }
        _ => None,
    })
}

fn own_sites(
    view: &View,
    is_meant: impl Fn(&StructureView) -> bool,
) -> impl Iterator<Item = usize> {
    let sites = view.sites.iter().enumerate();
    sites.filter_map(move |(index, site)| {
        let structure = site.structure?;
        (structure.owner() == view.seat && is_meant(&structure)).then_some(index)
    })
}

fn nearest_site(view: &View, place: Point, is_fit: impl Fn(&SiteView) -> bool) -> Option<usize> {
    let sites = view.sites.iter().enumerate().filter(|(_, site)| is_fit(site));
    let to_rim = |site: &SiteView| distance(site_place(site), place) - f64::from(site.radius);
    sites
        .min_by(|(_, one), (_, other)| to_rim(one).total_cmp(&to_rim(other)))
        .map(|(index, _)| index)
}

fn build(site: usize, blueprint: Blueprint) -> Command {
    Command::Build { site: site as i32, blueprint: Some(blueprint) }
}

fn walk(goal: Point) -> Command {
    Command::Move { x: goal.x as i32, y: goal.y as i32 }
}

fn distance(one: Point, other: Point) -> f64 {
    one.squared_distance(other).sqrt()
}

fn unit_place(unit: &UnitView) -> Point {
    Point::new(f64::from(unit.x), f64::from(unit.y))
}

fn site_place(site: &SiteView) -> Point {
    Point::new(f64::from(site.x), f64::from(site.y))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use quintain_core::{
        Digest, Edition, Effort, Game, NoChance, PerSeat, Replies, Seat, Thinking,
    };
    use quintain_testkit::{
        check_house_names, digest_of_matches, greedy_wins, house_bots, house_match,
    };

    use super::*;
    use crate::{Config, Event, League};

    /// Plays one match between two house bots and returns who won. Neither may lose by its answers.
    fn play(names: [&str; 2], config: &Config, seed: i64) -> Option<Seat> {
        let setup =
            CodeRoyale::generate(config, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64));
        let game = CodeRoyale::new(config, setup).expect("playable");
        let (game, events) = house_match(game, house_bots(names, seed), &mut NoChance);
        let killed = events.iter().find(|event| matches!(event, Event::Killed { .. }));
        assert_eq!(killed, None, "house bots play legally");
        game.outcome().expect("the match is over").winner()
    }

    fn config(edition: Edition, league: u8) -> Config {
        Config { edition, league: League::new(league).expect("a league"), ..Config::default() }
    }

    #[test]
    fn greedy_beats_random_from_both_seats() {
        let config = config(Edition::Document, 4);
        let PerSeat([first, second]) = greedy_wins(0..50, |names, seed| play(names, &config, seed));
        assert!(first + second >= 95, "greedy won {first} and {second} of 50 matches");
    }

    #[test]
    fn house_bots_play_legally_in_every_league_and_edition() {
        for edition in Edition::ALL {
            for &league in League::ALL {
                for seed in 0..3 {
                    for bot in CodeRoyale::BOTS {
                        if bot.effort == Effort::AtOnce {
                            play([bot.name; 2], &config(edition, league), seed);
                        }
                    }
                }
            }
        }
    }

    /// The bots that search, with few nodes so that whole matches are quick.
    fn searchers(nodes: u64) -> PerSeat<Box<dyn Bot<CodeRoyale>>> {
        PerSeat::from_fn(|_| Box::new(Searcher::of_nodes(nodes)) as Box<dyn Bot<CodeRoyale>>)
    }

    #[test]
    fn whoever_searches_is_refused_nothing_in_any_league_and_edition() {
        for edition in Edition::ALL {
            for &league in League::ALL {
                let config = config(edition, league);
                let setup = CodeRoyale::generate(&config, 0x5eed_5eed << league);
                let game = CodeRoyale::new(&config, setup).expect("playable");
                let (_, events) = house_match(game, searchers(60), &mut NoChance);
                let refused = events.iter().find(|event| CodeRoyale::refused(event).is_some());
                assert_eq!(refused, None, "league {league}");
            }
        }
    }

    /// Positions of a match of other bots, as both seats see them.
    fn views(seed: i64, turns: u32) -> Vec<View> {
        let config = config(Edition::Document, 4);
        let mut game = CodeRoyale::start(&config, seed << 33).expect("playable");
        let mut bots = house_bots::<CodeRoyale>(["greedy", "random"], seed);
        let mut views = Vec::new();
        while game.outcome().is_none() && game.turn() < turns {
            views.extend(Seat::BOTH.map(|seat| game.view(seat)));
            let replies =
                Replies::of(game.to_act(), |seat| bots[seat].act_unhurried(&game.view(seat)));
            game.advance(&replies, &mut NoChance, &mut ());
        }
        views
    }

    /// What a bot of so many nodes answers in fixed positions, as one number.
    fn digest_of_answers(nodes: u64, positions: usize) -> u64 {
        let views: Vec<View> = (1..=10).flat_map(|seed| views(seed, 100)).collect();
        let mut digest = Digest::new();
        for view in views.iter().step_by(views.len() / positions).take(positions) {
            let action = Searcher::of_nodes(nodes).act_unhurried(view);
            digest.text(&format!("{action:?}"));
        }
        digest.finish()
    }

    #[test]
    fn whoever_counts_nodes_answers_the_same_on_every_machine() {
        let digests = [(300, 100), (1_000, 20)]
            .map(|(nodes, positions)| format!("{:016x}", digest_of_answers(nodes, positions)));
        assert_eq!(digests, ["49acdd63b9a0dfc4", "8d6f0d26877519a8"]);
    }

    #[test]
    fn whoever_counts_nodes_plays_the_same_matches_on_every_machine() {
        let digests = ["greedy-55", "search-20"].map(|bot| {
            let config = config(Edition::Document, 4);
            format!("{:016x}", digest_of_matches::<CodeRoyale>(&config, bot, 100))
        });
        assert_eq!(digests, ["679dc2b41402d43e", "0f05a34fe1744452"]);
    }

    #[test]
    fn a_searching_bot_beats_greedy_from_both_seats() {
        let config = config(Edition::Document, 4);
        let names = [["search-300", "greedy"], ["greedy", "search-300"]];
        let wins =
            (1..=3).flat_map(|seed| names.map(|names| (seed, names))).filter(|&(seed, names)| {
                let own = if names[0] == "greedy" { Seat::Second } else { Seat::First };
                play(names, &config, seed) == Some(own)
            });
        let wins = wins.count();
        assert!(wins >= 5, "it won {wins} of 6");
    }

    /// The champion where its time is always over before it has begun to think.
    struct Starved(Searcher);

    impl Bot<CodeRoyale> for Starved {
        fn act(&mut self, view: &View, _: &mut Thinking<'_>) -> crate::Action {
            let mut clock = || Duration::from_secs(1);
            self.0.act(view, &mut Thinking::new(&mut clock, Duration::from_millis(50)))
        }
    }

    #[test]
    fn a_champion_without_time_beats_greedy_with_and_without_mines() {
        for league in [1, 4] {
            let config = config(Edition::Document, league);
            let games = (1..=4).flat_map(|seed| Seat::BOTH.map(|seat| (seed, seat)));
            let wins = games.filter(|&(seed, own)| {
                let game = CodeRoyale::start(&config, seed << 33).expect("playable");
                let bots = PerSeat::from_fn(|seat| -> Box<dyn Bot<CodeRoyale>> {
                    if seat == own {
                        Box::new(Starved(Searcher::champion()))
                    } else {
                        Box::new(Greedy::default())
                    }
                });
                let (game, _) = house_match(game, bots, &mut NoChance);
                game.outcome().expect("the match is over").winner() == Some(own)
            });
            let wins = wins.count();
            assert!(wins >= 7, "it won {wins} of 8 in league {league}");
        }
    }

    /// A queen in the open with a knight to her right.
    fn in_danger(has_tower: bool) -> View {
        let config = config(Edition::Original, 4);
        let mut setup = CodeRoyale::generate(&config, 3);
        for site in &mut setup.sites {
            (site.x, site.y) = (1500.0, 500.0);
        }
        (setup.sites[0].x, setup.sites[0].y) = (300.0, 700.0);
        if has_tower {
            setup.sites[0].structure =
                Some(crate::StructureSetup::Tower { owner: 0, hp: 400, range: 300 });
        }
        setup.players.0[0].queen = (600.0, 300.0);
        setup.players.0[1].creeps =
            vec![crate::CreepSetup { kind: CreepKind::Knight, x: 800.0, y: 300.0, hp: 30 }];
        CodeRoyale::new(&config, setup).expect("playable").view(Seat::First)
    }

    #[test]
    fn greedy_keeps_away_from_knights() {
        let act = |view: &View, has_mines| {
            let lore = Lore { has_mines };
            Greedy { lore }.act_unhurried(view).queen.command
        };
        // Where there are no towers: straight away from the knight.
        assert_eq!(act(&in_danger(false), false), Command::Move { x: 500, y: 300 });
        // To the nearest site, to build one there.
        assert_eq!(act(&in_danger(false), true), build(0, Blueprint::Tower));
        // Or to the far side of one's own.
        let Command::Move { x, y } = act(&in_danger(true), true) else {
            panic!("it walks");
        };
        assert!(x < 300 && y > 700, "{x} {y}");
    }

    #[test]
    fn unknown_bots_are_none() {
        check_house_names::<CodeRoyale>();
    }
}

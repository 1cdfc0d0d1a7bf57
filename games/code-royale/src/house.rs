//! The house bots: one that does anything, one with a plan, and those that search.

mod beam;
mod budget;
mod greedy;
mod judgement;
mod memory;
mod random;
mod searcher;
mod waves;

use quintain_core::{Bot, Dialogue, Effort, House, HouseBot, HouseClient};

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
        HouseBot {
            name: "random",
            about: "gives any order that can be carried out",
            effort: Effort::AtOnce,
        },
        HouseBot {
            name: "greedy",
            about: "builds mines, barracks and towers by a plan and trains what it can pay",
            effort: Effort::AtOnce,
        },
        HouseBot {
            name: "search-300",
            about: "searches for the queen's way on the rules, 300 simulated turns an answer",
            effort: Effort::Nodes(300),
        },
        HouseBot {
            name: "search-1k",
            about: "searches for the queen's way on the rules, 1,000 simulated turns an answer",
            effort: Effort::Nodes(1_000),
        },
        HouseBot {
            name: "champion",
            about: "searches for the queen's way on the rules as long as the clock allows",
            effort: Effort::Clock,
        },
    ];

    fn bot(name: &str, seed: i64) -> Option<Box<dyn Bot<CodeRoyale>>> {
        match name {
            "random" => Some(Box::new(Random::new(seed))),
            "greedy" => Some(Box::new(Greedy::default())),
            "search-300" => Some(Box::new(Searcher::of_nodes(300))),
            "search-1k" => Some(Box::new(Searcher::of_nodes(1_000))),
            "champion" => Some(Box::new(Searcher::champion())),
            _ => None,
        }
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
    use quintain_core::{Edition, Game, NoChance, PerSeat};
    use quintain_testkit::{check_house_names, greedy_wins, house_bots, house_match};

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
                    play(["greedy", "greedy"], &config(edition, league), seed);
                    play(["random", "random"], &config(edition, league), seed);
                }
            }
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

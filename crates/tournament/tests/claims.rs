//! Does every claim of a comparison keep its rate? Thousands of simulated comparisons of each kind, stopped
//! as real ones are. The rates are printed:
//! `cargo test -p quintain-tournament --test claims -- --nocapture`.

mod simulated;

use quintain_tournament::{
    Comparison, Decision, Estimate, Finding, Question, Sprt, elo_of_score, expected_score,
};
use simulated::{
    CORRELATED, DRAWS, Luck, PLAIN, Pairs, SEAT_BIASED, SEAT_DECIDES, SKEWED, Shape, count_max,
    mean, tilted,
};

/// Of each kind.
const COMPARISONS: u64 = 2_000;

/// Where nothing else ends a comparison.
const GAMES_MAX: u32 = 60_000;

/// How often somebody looks who wants to stop in a good moment.
const PAIRS_BETWEEN_LOOKS: u32 = 8;

const SHAPES: [(&str, Shape); 6] = [
    ("no draws", PLAIN),
    ("draws", DRAWS),
    ("the seed decides", CORRELATED),
    ("the seat decides 9 in 10", SEAT_BIASED),
    ("the seat decides 97 in 100", SEAT_DECIDES),
    ("lopsided", SKEWED),
];

/// What ends a comparison.
#[derive(Clone, Copy)]
enum End {
    Test(&'static str),
    TestOrGames(&'static str, u32),
    Games(u32),
    /// Somebody who looks again and again and stops as soon as the interval says who is stronger.
    AsSoonAsItLooksGood(u32),
}

impl End {
    fn question(self) -> Question {
        match self {
            End::Test(test) | End::TestOrGames(test, _) => {
                Question::Test(test.parse().expect("a test"))
            }
            End::Games(games) | End::AsSoonAsItLooksGood(games) => Question::Games(games),
        }
    }

    fn games_max(self) -> u32 {
        match self {
            End::Test(_) => GAMES_MAX,
            End::TestOrGames(_, games) | End::Games(games) | End::AsSoonAsItLooksGood(games) => {
                games
            }
        }
    }

    fn name(self) -> String {
        match self {
            End::Test(test) => format!("test {test}"),
            End::TestOrGames(test, games) => format!("test {test}, at most {games} games"),
            End::Games(games) => format!("{games} games"),
            End::AsSoonAsItLooksGood(games) => format!("{games} games, stopped when it looks good"),
        }
    }
}

/// How often each claim was made.
#[derive(Default)]
struct Counts {
    new: u64,
    old: u64,
    above: u64,
    below: u64,
    uncovered: u64,
    games: u64,
}

fn simulate(end: End, shape: &Shape, luck: Luck) -> Counts {
    let truth = elo_of_score(mean(shape));
    let mut counts = Counts::default();
    for number in 0..COMPARISONS {
        let mut comparison = Comparison::new(end.question());
        let mut pairs = Pairs::new(*shape, luck, number);
        while !comparison.has_ended() && 2 * pairs.played() < end.games_max() {
            for game in pairs.next_pair() {
                comparison.add(&game);
            }
            let is_watched = matches!(end, End::AsSoonAsItLooksGood(_));
            let is_looked_at = is_watched && pairs.played().is_multiple_of(PAIRS_BETWEEN_LOOKS);
            if is_looked_at && comparison.finding() != Finding::NoDifferenceShown {
                break;
            }
        }
        comparison.finish();
        let Estimate { low, high, games, .. } = comparison.estimate();
        counts.new += u64::from(comparison.finding() == Finding::NewIsStronger);
        counts.old += u64::from(comparison.finding() == Finding::OldIsStronger);
        counts.above += u64::from(comparison.decision() == Decision::Above);
        counts.below += u64::from(comparison.decision() == Decision::Below);
        // The mean of a shape is exact to the last bits only.
        counts.uncovered += u64::from(!(low - 1e-9 <= truth && truth <= high + 1e-9));
        counts.games += games;
    }
    counts
}

/// Simulates comparisons of this kind, prints what came out, and holds every claim to its risk.
fn check(name: &str, end: End, shape: &Shape, luck: Luck) {
    let truth = elo_of_score(mean(shape));
    let counts = simulate(end, shape, luck);
    let percent = |count: u64| 100.0 * count as f64 / COMPARISONS as f64;
    let report = format!(
        "{name}; {truth:+.0} Elo; {}: new is stronger {:.1}%, old is stronger {:.1}%, less than asked for \
         {:.1}%, interval covers {:.1}%, {} games",
        end.name(),
        percent(counts.new),
        percent(counts.old),
        percent(counts.below),
        100.0 - percent(counts.uncovered),
        counts.games / COMPARISONS,
    );
    println!("{report}");
    let hold = |claim: &str, count: u64, risk: f64| {
        let most = count_max(COMPARISONS, risk);
        assert!(count <= most, "{claim} {count} times, at most {most} expected\n{report}");
    };
    hold("the interval is wrong", counts.uncovered, 0.05);
    let test = match end.question() {
        Question::Test(test) => test,
        Question::Games(_) => Sprt::default(),
    };
    let near = 1e-6;
    if truth <= near {
        hold("the new version is called stronger", counts.new, test.alpha());
    }
    if truth >= -near {
        hold("the old version is called stronger", counts.old, test.alpha().max(test.beta()));
    }
    if truth.abs() <= near && test.is_mirrored() {
        hold("equal bots are called different", counts.new + counts.old, test.alpha());
    }
    if truth <= test.elo0() + near {
        hold("more than elo0 is found", counts.above, test.alpha());
    }
    if truth >= test.elo1() - near || (test.is_mirrored() && truth <= near - test.elo1()) {
        hold("less than elo1 is found", counts.below, test.beta());
    }
}

fn check_at(name: &str, end: End, shape: &Shape, elo: f64) {
    check(name, end, &tilted(shape, expected_score(elo)), Luck::Fresh);
}

#[test]
fn equal_bots_are_seldom_called_different_by_a_test() {
    for (name, shape) in SHAPES {
        check_at(name, End::Test("0,30"), &shape, 0.0);
    }
    check_at("no draws", End::Test("0,10"), &PLAIN, 0.0);
}

#[test]
fn a_difference_is_seldom_denied_and_its_interval_holds_after_the_test() {
    for (name, shape) in SHAPES {
        check_at(name, End::Test("0,30"), &shape, 30.0);
    }
    check_at("lopsided", End::Test("0,30"), &SKEWED, -30.0);
    check_at("no draws", End::Test("0,10"), &PLAIN, 10.0);
    for elo in [-30.0, 15.0, 60.0] {
        check_at("no draws", End::Test("0,30"), &PLAIN, elo);
    }
}

#[test]
fn a_test_of_very_different_bots_keeps_its_rates() {
    for elo in [-800.0, -300.0, 150.0, 400.0, 1_200.0] {
        for (name, shape) in
            [("no draws", PLAIN), ("draws", DRAWS), ("the seed decides", CORRELATED)]
        {
            check_at(name, End::Test("0,10"), &shape, elo);
        }
    }
}

#[test]
fn a_test_that_the_number_of_games_cuts_off_keeps_its_rates() {
    for games in [20, 100, 600] {
        for elo in [0.0, 20.0, 300.0] {
            check_at("no draws", End::TestOrGames("0,10", games), &PLAIN, elo);
            check_at("draws", End::TestOrGames("0,10", games), &DRAWS, elo);
        }
    }
}

#[test]
fn tests_with_other_risks_and_bounds_keep_them() {
    for elo in [0.0, 40.0] {
        check_at("no draws", End::Test("0,40,0.01,0.1"), &PLAIN, elo);
    }
    for elo in [-30.0, 0.0, 10.0] {
        check_at("draws", End::Test("-30,10,0.1,0.02"), &DRAWS, elo);
        check_at("no draws", End::Test("-30,0"), &PLAIN, elo);
    }
    for elo in [0.0, 20.0, 60.0] {
        check_at("lopsided", End::Test("20,60"), &SKEWED, elo);
    }
}

#[test]
fn the_interval_of_a_number_of_games_holds_for_few_games_and_extreme_scores() {
    for games in [2, 10, 40, 200, 600] {
        for (name, shape) in [("no draws", PLAIN), ("draws", DRAWS), ("lopsided", SKEWED)] {
            check_at(name, End::Games(games), &shape, 0.0);
            check_at(name, End::Games(games), &shape, -150.0);
        }
        check_at("the seat decides 97 in 100", End::Games(games), &SEAT_DECIDES, 0.0);
        check_at("no draws", End::Games(games), &PLAIN, 700.0);
        check_at("draws", End::Games(games), &DRAWS, -1_200.0);
    }
}

#[test]
fn whoever_stops_when_it_looks_good_is_not_misled() {
    for (name, shape) in [("no draws", PLAIN), ("draws", DRAWS), ("the seed decides", CORRELATED)] {
        check_at(name, End::AsSoonAsItLooksGood(400), &shape, 0.0);
        check_at(name, End::AsSoonAsItLooksGood(400), &shape, 50.0);
    }
}

/// What the bots would do in all openings together is as the shape says; they know a few of them only, in
/// which they always play the same.
#[test]
fn copies_of_few_games_mislead_nobody() {
    for openings in [1, 2, 5, 12, 40] {
        for (name, shape) in [("no draws", PLAIN), ("lopsided", SKEWED)] {
            let name = format!("{name}, {openings} openings");
            check(&name, End::Test("0,30"), &shape, Luck::Openings(openings));
            check(&name, End::Games(300), &shape, Luck::Openings(openings));
        }
        let better = tilted(&PLAIN, expected_score(100.0));
        check(&format!("{openings} openings"), End::Games(300), &better, Luck::Openings(openings));
    }
}

/// One game comes more often than all others, which are all different.
#[test]
fn a_game_that_comes_often_counts_as_often_as_it_comes() {
    let level = [0.5, 0.0, 0.0, 0.0, 0.5];
    check("lost pairs are copies", End::Test("0,30"), &level, Luck::LossesAlike);
    check("lost pairs are copies", End::Games(400), &level, Luck::LossesAlike);
}

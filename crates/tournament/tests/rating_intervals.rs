//! Does the 95% interval of a rating hold the truth 95 times in a hundred? Thousands of simulated
//! tournaments of each kind. The rates are printed:
//! `cargo test -p quintain-tournament --test rating_intervals -- --nocapture`.

use quintain_tournament::synthetic::Field;
use quintain_tournament::{
    Book, Comparison, Finding, GlickoLadder, KnownOpponent, MatchResult, Question, Rating,
    RatingSettings, Sprt, TAU, rate, rate_among,
};

/// Of each kind.
const TOURNAMENTS: u64 = 2_000;

/// Enough for the ends of intervals to be as far out as those of a final, on average.
const RESAMPLES: u32 = 250;

/// Bots of equal distance, without draws and an advantage of the seat.
fn ladder(bots: u32, step: f64) -> Field {
    Field { draws: 0.0, seat_advantage: 0.0, ..Field::ladder(bots, step) }
}

fn book(bots: usize, games: impl Iterator<Item = MatchResult>) -> Book {
    let mut book = Book::new(bots as u32);
    book.extend(games);
    book
}

/// The share of intervals that hold what endlessly many games would give. `anchors` are the bots whose
/// ratings have a mean of 0.
fn coverage(
    truth: &[f64],
    anchors: std::ops::Range<usize>,
    rated: impl Fn(u64) -> Vec<Rating>,
) -> f64 {
    let mean = truth[anchors.clone()].iter().sum::<f64>() / anchors.len() as f64;
    let holds =
        |(rating, truth): &(Rating, &f64)| (rating.low..=rating.high).contains(&(**truth - mean));
    let held = |seed| rated(seed).into_iter().zip(truth).filter(holds).count();
    let held: usize = (0..TOURNAMENTS).map(held).sum();
    held as f64 / (TOURNAMENTS as f64 * truth.len() as f64)
}

fn rate_roughly(book: &Book) -> Vec<Rating> {
    rate(book, &RatingSettings { anchor: 0.0, resamples: RESAMPLES, ..Default::default() })
}

/// Prints how many intervals hold, which must be 95% or more, up to luck.
fn check(name: &str, share: f64) {
    println!("{name}: intervals cover {:.1}%", 100.0 * share);
    assert!(share > 0.945, "{name}: {share}");
}

fn check_field(name: &str, field: &Field, pairs: u32) {
    let bots = field.strengths.len();
    let name = format!("{name}, {bots} bots, {pairs} pairs each");
    let rated = |seed| rate_roughly(&book(bots, field.games(pairs, seed)));
    check(&name, coverage(&field.ratings(), 0..bots, rated));
}

#[test]
fn intervals_hold_the_truth_after_few_and_many_games() {
    for pairs in [3, 10, 50] {
        check_field("30 Elo apart", &ladder(6, 30.0), pairs);
    }
    check_field("15 Elo apart", &ladder(10, 15.0), 1);
    check_field("30 Elo apart", &ladder(2, 30.0), 10);
    check_field("100 Elo apart", &ladder(6, 100.0), 10);
    check_field("200 Elo apart", &ladder(4, 200.0), 10);
}

#[test]
fn intervals_hold_the_truth_with_draws_seats_and_seeds_that_decide() {
    let equal = ladder(6, 0.0);
    check_field("equal, many draws", &Field { draws: 0.6, ..equal.clone() }, 10);
    check_field("the seat decides", &Field { seat_advantage: 400.0, ..ladder(6, 30.0) }, 10);
    check_field("some draws", &Field::ladder(6, 60.0), 10);
    for pairs in [10, 50] {
        check_field("the seed decides", &Field { alike: 0.9, ..ladder(6, 30.0) }, pairs);
    }
}

/// What is known of a bot that nobody beats is that it is better than so much; it moves nobody else.
#[test]
fn intervals_hold_the_truth_beside_a_bot_that_nobody_beats() {
    let strengths = vec![0.0, 30.0, 60.0, 90.0, 120.0, 2_000.0];
    let field = Field { strengths, ..ladder(6, 0.0) };
    let rated = |seed| rate_roughly(&book(6, field.games(10, seed)));
    check("one is unbeaten, 6 bots, 10 pairs each", coverage(&field.ratings(), 0..5, rated));
    assert!(rated(1)[5].low > 200.0, "{:?}", rated(1)[5]);
}

/// Every pair is played five times over, with the same two games.
#[test]
fn copies_of_games_do_not_make_intervals_too_narrow() {
    let field = ladder(6, 30.0);
    let rated = |seed| {
        let games: Vec<MatchResult> = field.games(8, seed).collect();
        let copies = (0..5).flat_map(|copy| {
            games.iter().map(move |game| {
                let mut game = *game;
                game.content = Some(u64::from(game.id.round));
                game.id.round += 8 * copy;
                game
            })
        });
        rate_roughly(&book(6, copies))
    };
    check("copies, 6 bots, 8 different pairs each", coverage(&field.ratings(), 0..6, rated));
}

/// The deviation of Glicko-2 is no promise, and is not printed as one: it knows nothing of pairs, and lags
/// behind bots that are far from the others.
#[test]
fn glicko_covers_the_truth_where_games_are_independent() {
    let cover = |name: &str, field: &Field| {
        let bots = field.strengths.len() as u32;
        let rated = |seed| {
            let mut ladder = GlickoLadder::new(bots, TAU);
            field.games(10, seed).for_each(|game| ladder.add(&game));
            let from_zero = |rating: Rating| Rating {
                value: rating.value - 1_500.0,
                low: rating.low - 1_500.0,
                high: rating.high - 1_500.0,
            };
            ladder.rate().into_iter().map(|rated| from_zero(rated.rating)).collect()
        };
        let share = coverage(&field.ratings(), 0..bots as usize, rated);
        println!("Glicko-2, {name}: 1.96 deviations cover {:.1}%", 100.0 * share);
        share
    };
    assert!(cover("30 Elo apart", &ladder(6, 30.0)) > 0.95);
    assert!(cover("100 Elo apart", &ladder(6, 100.0)) > 0.95);
    assert!(cover("the seed decides", &Field { alike: 0.9, ..ladder(6, 30.0) }) < 0.95);
}

/// Where the seat decides most games, single games vary a lot and pairs hardly; intervals by pairs
/// know it.
#[test]
fn pairs_make_intervals_narrow_where_the_seat_decides() {
    let width = |seat_advantage: f64| {
        let field = Field { draws: 0.0, seat_advantage, ..Field::ladder(4, 0.0) };
        let mut book = Book::new(4);
        book.extend(field.games(200, 9));
        let ratings = rate(&book, &RatingSettings::default());
        ratings.iter().map(|rating| rating.high - rating.low).sum::<f64>() / 4.0
    };
    let (fair, biased) = (width(0.0), width(600.0));
    assert!(biased < 0.5 * fair, "{fair} with fair seats, {biased} where the seat decides");
}

#[test]
fn the_same_games_and_seed_give_the_same_intervals_and_another_seed_others() {
    let mut book = Book::new(5);
    book.extend(Field::ladder(5, 20.0).games(30, 1));
    let with_seed = |seed| rate(&book, &RatingSettings { seed, ..Default::default() });
    assert_eq!(with_seed(1), with_seed(1));
    let (one, other) = (with_seed(1), with_seed(2));
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(one.value, other.value);
        assert!(one.low != other.low && (one.low - other.low).abs() < 15.0, "{one:?} {other:?}");
    }
}

/// What a bot is rated that climbs a ladder of known rungs until the test does not say that it is stronger.
fn climbed(strength: f64, rungs: &[f64], seed: u64) -> Rating {
    let test = Sprt::new(0.0, 100.0, 0.05, 0.05).expect("in order");
    let mut met = Vec::new();
    for (place, &rating) in (0_u64..).zip(rungs) {
        let field = Field { strengths: vec![rating, strength], ..ladder(2, 0.0) };
        let mut comparison = Comparison::new(Question::Test(test));
        for game in field.games(u32::MAX, seed * 100 + place) {
            comparison.add(&game);
            if comparison.has_ended() {
                break;
            }
        }
        let different = comparison.different_games();
        met.push(KnownOpponent { rating, results: *comparison.results(), different });
        if comparison.finding() != Finding::NewIsStronger {
            break;
        }
    }
    let settings = RatingSettings { resamples: RESAMPLES, ..Default::default() };
    rate_among(&met, &settings).expect("there are games")
}

/// A climb stops when a test says so, which is where estimates are at their most flattering.
#[test]
fn intervals_hold_the_truth_of_who_climbs_a_ladder() {
    let rungs: Vec<f64> = (0..8).map(|rung| 150.0 * f64::from(rung)).collect();
    for strength in [40.0, 300.0, 375.0, 620.0] {
        let holds = |seed: &u64| {
            let rating = climbed(strength, &rungs, *seed);
            (rating.low..=rating.high).contains(&strength)
        };
        let held = (0..TOURNAMENTS).filter(holds).count();
        check(&format!("a climb to {strength}"), held as f64 / TOURNAMENTS as f64);
    }
}

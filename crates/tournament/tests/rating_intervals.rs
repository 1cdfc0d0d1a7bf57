//! Does the 95% interval of a rating hold the truth 95 times in a hundred?

use quintain_tournament::synthetic::Field;
use quintain_tournament::{Book, Rating, RatingSettings, rate};

const TOURNAMENTS: u64 = 120;

/// The share of intervals that hold the strength which the games were made with.
fn coverage(field: &Field, pairs: u32) -> f64 {
    let bots = field.strengths.len() as u32;
    let mean = field.strengths.iter().sum::<f64>() / f64::from(bots);
    let mut held = 0;
    for seed in 0..TOURNAMENTS {
        let mut book = Book::new(bots);
        book.extend(field.games(pairs, seed));
        let settings = RatingSettings { anchor: mean, resamples: 300, ..Default::default() };
        let holds = |(rating, truth): (&Rating, &f64)| (rating.low..=rating.high).contains(truth);
        held +=
            rate(&book, &settings).iter().zip(&field.strengths).filter(|&pair| holds(pair)).count();
    }
    held as f64 / (TOURNAMENTS as f64 * f64::from(bots))
}

/// Draws and the seat are no part of the model: both pull expected points towards a half. The field
/// here is narrow enough for that to be less than the luck.
#[test]
fn intervals_hold_the_truth() {
    for (bots, step, pairs) in
        [(6, 30.0, 4), (6, 30.0, 20), (6, 30.0, 100), (20, 15.0, 1), (20, 15.0, 2)]
    {
        let field = Field { draws: 0.0, seat_advantage: 0.0, ..Field::ladder(bots, step) };
        let share = coverage(&field, pairs);
        println!("{bots} bots, {pairs} pairs: {share}");
        assert!((0.92..0.98).contains(&share), "{bots} bots, {pairs} pairs: {share}");
    }
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

//! A series of matches between two house bots, for whoever works on one: every seed is played from both
//! seats, as many at a time as there are cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use quintain_core::{Bot, House, PerSeat, Replies, Seat, SplitMix64, Thinking, drawn_seed};

/// What is played.
#[derive(Clone, Debug)]
pub struct Series<'a, C> {
    pub config: &'a C,
    /// The one that results are told of, then its opponent.
    pub bots: [&'a str; 2],
    /// So many seeds, each from both seats.
    pub pairs: i64,
    /// The time for an answer instead of the game's own, for bots that go by the clock.
    pub limit: Option<Duration>,
    pub threads: usize,
}

/// What came of it, from the first bot's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeriesResult {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    /// The longest time that the first bot took for an answer.
    pub slowest: Duration,
}

impl SeriesResult {
    /// Elo by the score, for orientation; nothing is said about its error.
    pub fn elo(&self) -> f64 {
        let games = f64::from(self.won + self.drawn + self.lost);
        let score = (f64::from(self.won) + f64::from(self.drawn) / 2.0) / games;
        let bounded = score.clamp(0.5 / games, 1.0 - 0.5 / games);
        -400.0 * (1.0 / bounded - 1.0).log10()
    }
}

/// Plays a series.
///
/// # Panics
/// If there is no such bot, or a match cannot be set up.
pub fn play_series<G: House>(series: &Series<'_, G::Config>) -> SeriesResult
where
    G::Config: Sync,
{
    let (next, total) = (AtomicI64::new(0), Mutex::new(SeriesResult::default()));
    std::thread::scope(|scope| {
        for _ in 0..series.threads {
            scope.spawn(|| {
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= series.pairs * 2 {
                        return;
                    }
                    let seat = Seat::BOTH[(game % 2) as usize];
                    let (winner, slowest) = play_one::<G>(series, seat, game / 2);
                    let mut total = total.lock().expect("no thread panics with it");
                    match winner {
                        Some(winner) if winner == seat => total.won += 1,
                        Some(_) => total.lost += 1,
                        None => total.drawn += 1,
                    }
                    total.slowest = total.slowest.max(slowest);
                }
            });
        }
    });
    total.into_inner().expect("no thread panicked with it")
}

/// One match with the first bot on a seat: who won, and the first bot's slowest answer.
fn play_one<G: House>(
    series: &Series<'_, G::Config>,
    seat: Seat,
    number: i64,
) -> (Option<Seat>, Duration) {
    let seed = drawn_seed(G::SEED_BITS, SplitMix64::new(number as u64).next_u64());
    let setup = G::generate(series.config, seed);
    let mut game = G::new(series.config, setup).expect("generated setups are playable");
    let mut chance = G::chance(seed);
    let mut bots: PerSeat<Box<dyn Bot<G>>> = PerSeat::from_fn(|place| {
        let name = series.bots[usize::from(place != seat)];
        let own_seed = seed.wrapping_mul(2).wrapping_add(place.index() as i64);
        G::bot(name, own_seed).unwrap_or_else(|| panic!("{} has no house bot `{name}`", G::ID))
    });
    let mut slowest = Duration::ZERO;
    while game.outcome().is_none() {
        let replies = Replies::of(game.to_act(), |place| {
            let limit = series.limit.unwrap_or_else(|| game.time_limit(place));
            let begun = Instant::now();
            let mut elapsed = || begun.elapsed();
            let action =
                bots[place].act(&game.view(place), &mut Thinking::new(&mut elapsed, limit));
            if place == seat {
                slowest = slowest.max(begun.elapsed());
            }
            action
        });
        chance.begin_turn(game.turn());
        game.advance(&replies, &mut *chance, &mut ());
    }
    (game.outcome().and_then(|outcome| outcome.winner()), slowest)
}

/// Plays the series that the command line of an example describes, and prints what came of it:
/// `BOT OPPONENT [PAIRS [LIMIT_MS]]`.
///
/// # Panics
/// If the words cannot be read.
pub fn series_of_arguments<G: House>(config: &G::Config)
where
    G::Config: Sync,
{
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [bot, opponent, numbers @ ..] = words.as_slice() else {
        panic!("expected BOT OPPONENT [PAIRS [LIMIT_MS]], found {words:?}");
    };
    let number = |index: usize| {
        numbers.get(index).map(|word| word.parse().unwrap_or_else(|_| panic!("no number: {word}")))
    };
    let series = Series {
        config,
        bots: [bot, opponent],
        pairs: number(0).unwrap_or(50),
        limit: number(1).map(|milliseconds| Duration::from_millis(milliseconds as u64)),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
    };
    let result = play_series::<G>(&series);
    let SeriesResult { won, drawn, lost, slowest } = result;
    println!(
        "{bot} against {opponent}: {won} won, {drawn} drawn, {lost} lost, {:+.0} Elo, slowest answer {:.1} ms",
        result.elo(),
        slowest.as_secs_f64() * 1e3
    );
}

//! A series of matches between two house bots, for whoever works on one: every seed is played from both
//! seats, as many at a time as there are cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use quintain_core::{Bot, Game, House, PerSeat, Replies, Seat, SplitMix64, Thinking, drawn_seed};

/// Makes a bot of a name and a seed, if there is such a one.
pub type Make<G> = dyn Fn(&str, i64) -> Option<Box<dyn Bot<G>>> + Sync;

/// What is played.
pub struct Series<'a, G: Game> {
    pub config: &'a G::Config,
    /// The one that results are told of, then its opponent.
    pub bots: [&'a str; 2],
    /// Makes a bot of its name and seed.
    pub make: &'a Make<G>,
    /// So many seeds, each from both seats.
    pub pairs: i64,
    /// The time for an answer instead of the game's own, for bots that go by the clock.
    pub limit: Option<Duration>,
    pub threads: usize,
    /// So many threads do nothing but take time from the processors meanwhile.
    pub hogs: usize,
}

/// What came of it, from the first bot's side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeriesResult {
    /// From each of the seats.
    pub won: PerSeat<u32>,
    pub drawn: u32,
    pub lost: u32,
    pub times: AnswerTimes,
}

/// The times of the first bot's answers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AnswerTimes {
    pub answers: u64,
    pub slowest: Duration,
    /// The greatest part of a time limit that an answer took.
    pub share: f64,
    /// Answers that took more than [`SHARE_MAX`] of their limit.
    pub long: u64,
}

/// The part of a time limit that a bot should not exceed, whatever else the machine does.
const SHARE_MAX: f64 = 0.8;

impl AnswerTimes {
    fn add(&mut self, time: Duration, limit: Duration) {
        let share = time.as_secs_f64() / limit.as_secs_f64().max(f64::MIN_POSITIVE);
        self.merge(&AnswerTimes {
            answers: 1,
            slowest: time,
            share,
            long: u64::from(share > SHARE_MAX),
        });
    }

    fn merge(&mut self, other: &AnswerTimes) {
        self.answers += other.answers;
        self.slowest = self.slowest.max(other.slowest);
        self.share = self.share.max(other.share);
        self.long += other.long;
    }
}

impl SeriesResult {
    /// Elo by the score, for orientation; nothing is said about its error.
    pub fn elo(&self) -> f64 {
        let won: u32 = self.won.0.iter().sum();
        let games = f64::from(won + self.drawn + self.lost);
        let score = (f64::from(won) + f64::from(self.drawn) / 2.0) / games;
        let bounded = score.clamp(0.5 / games, 1.0 - 0.5 / games);
        -400.0 * (1.0 / bounded - 1.0).log10()
    }
}

/// Plays a series.
///
/// # Panics
/// If there is no such bot, or a match cannot be set up.
pub fn play_series<G: Game>(series: &Series<'_, G>) -> SeriesResult
where
    G::Config: Sync,
{
    let (next, total) = (AtomicI64::new(0), Mutex::new(SeriesResult::default()));
    let is_over = || next.load(Ordering::Relaxed) >= series.pairs * 2;
    std::thread::scope(|scope| {
        for _ in 0..series.threads {
            scope.spawn(|| play_some::<G>(series, &next, &total));
        }
        for _ in 0..series.hogs {
            scope.spawn(|| while !is_over() {});
        }
    });
    total.into_inner().expect("no thread panicked with it")
}

/// Plays matches until all are taken.
fn play_some<G: Game>(series: &Series<'_, G>, next: &AtomicI64, total: &Mutex<SeriesResult>) {
    loop {
        let game = next.fetch_add(1, Ordering::Relaxed);
        if game >= series.pairs * 2 {
            return;
        }
        let seat = Seat::BOTH[(game % 2) as usize];
        let (winner, times) = play_one::<G>(series, seat, game / 2);
        let mut total = total.lock().expect("no thread panics with it");
        match winner {
            Some(winner) if winner == seat => total.won[seat] += 1,
            Some(_) => total.lost += 1,
            None => total.drawn += 1,
        }
        total.times.merge(&times);
    }
}

/// One match with the first bot on a seat: who won, and how long the first bot's answers took.
fn play_one<G: Game>(
    series: &Series<'_, G>,
    seat: Seat,
    number: i64,
) -> (Option<Seat>, AnswerTimes) {
    let seed = drawn_seed(G::SEED_BITS, SplitMix64::new(number as u64).next_u64());
    let setup = G::generate(series.config, seed);
    let mut game = G::new(series.config, setup).expect("generated setups are playable");
    let mut chance = G::chance(seed);
    let mut bots: PerSeat<Box<dyn Bot<G>>> = PerSeat::from_fn(|place| {
        let name = series.bots[usize::from(place != seat)];
        let own_seed = seed.wrapping_mul(2).wrapping_add(place.index() as i64);
        (series.make)(name, own_seed).unwrap_or_else(|| panic!("{} has no bot `{name}`", G::ID))
    });
    let mut times = AnswerTimes::default();
    while game.outcome().is_none() {
        let replies = Replies::of(game.to_act(), |place| {
            let limit = series.limit.unwrap_or_else(|| game.time_limit(place));
            let begun = Instant::now();
            let mut elapsed = || begun.elapsed();
            let action =
                bots[place].act(&game.view(place), &mut Thinking::new(&mut elapsed, limit));
            if place == seat {
                times.add(begun.elapsed(), limit);
            }
            action
        });
        chance.begin_turn(game.turn());
        game.advance(&replies, &mut *chance, &mut ());
    }
    (game.outcome().and_then(|outcome| outcome.winner()), times)
}

/// Plays the series that the command line of an example describes, and prints what came of it:
/// `BOT OPPONENT [PAIRS [LIMIT_MS]]`, and `hogs=N` for so many threads that take time from the bots.
///
/// # Panics
/// If the words cannot be read.
pub fn series_of_arguments<G: House>(config: &G::Config)
where
    G::Config: Sync,
{
    series_between::<G>(config, &G::bot);
}

/// The same between house bots and the partners of a game, which are called `sparring:NAME`.
///
/// # Panics
/// If the words cannot be read.
pub fn series_with_partners<G: House>(
    config: &G::Config,
    partner: fn(&str) -> Option<Box<dyn Bot<G>>>,
) where
    G::Config: Sync,
{
    series_between::<G>(config, &move |name, seed| match name.strip_prefix("sparring:") {
        Some(name) => partner(name),
        None => G::bot(name, seed),
    });
}

/// The same between any bots.
///
/// # Panics
/// If the words cannot be read.
pub fn series_between<G: Game>(config: &G::Config, make: &Make<G>)
where
    G::Config: Sync,
{
    let hogs = |word: &String| word.strip_prefix("hogs=").and_then(|count| count.parse().ok());
    let (asked, words): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| hogs(word).is_some());
    let [bot, opponent, numbers @ ..] = words.as_slice() else {
        panic!("expected BOT OPPONENT [PAIRS [LIMIT_MS]], found {words:?}");
    };
    let number = |index: usize| {
        numbers.get(index).map(|word| word.parse().unwrap_or_else(|_| panic!("no number: {word}")))
    };
    let series = Series {
        config,
        bots: [bot, opponent],
        make,
        pairs: number(0).unwrap_or(50),
        limit: number(1).map(|milliseconds| Duration::from_millis(milliseconds as u64)),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        hogs: asked.iter().find_map(hogs).unwrap_or(0),
    };
    let result = play_series::<G>(&series);
    let SeriesResult { won: PerSeat([first, second]), drawn, lost, times } = result;
    let won = first + second;
    println!(
        "{bot} against {opponent}: {won} won ({first} as first, {second} as second), {drawn} drawn, {lost} lost, {:+.0} Elo; slowest answer {:.1} ms, {:.0}% of its limit; {} of {} answers took more than {:.0}%",
        result.elo(),
        times.slowest.as_secs_f64() * 1e3,
        times.share * 100.0,
        times.long,
        times.answers,
        SHARE_MAX * 100.0
    );
}

//! A series of matches between a house bot and a bot that plays as contestants of 2018 were seen to play, every
//! seed from both seats: `BOT PARTNER [PAIRS [LEAGUE [FIRST_SEED]]]`. Partners are `corner`, `planner` and
//! `builder`; a house bot can be one too. Nobody has a clock, so that the same call plays the same matches.
//!
//! ```sh
//! cargo run --release -p quintain-code-royale --example sparring -- search-1k corner 50 4
//! ```

mod partner;

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

use quintain_code_royale::{CodeRoyale, Config, League};
use quintain_core::{Bot, Game, House, NoChance, PerSeat, Replies, Seat, SplitMix64, drawn_seed};

use self::partner::Partner;

struct Series {
    bots: [String; 2],
    pairs: i64,
    config: Config,
    first: i64,
}

#[derive(Default)]
struct Total {
    won: PerSeat<u32>,
    drawn: u32,
    lost: u32,
    /// Health at the end, of the bot and of its partner.
    health: [i64; 2],
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [bot, partner, numbers @ ..] = words.as_slice() else {
        panic!("expected BOT PARTNER [PAIRS [LEAGUE [FIRST_SEED]]], found {words:?}");
    };
    let number = |index: usize, usual: i64| {
        let word = numbers.get(index);
        word.map_or(usual, |word| word.parse().unwrap_or_else(|_| panic!("no number: {word}")))
    };
    let league =
        u8::try_from(number(1, 4)).ok().and_then(League::new).expect("a league from 1 to 4");
    let series = Series {
        bots: [bot.clone(), partner.clone()],
        pairs: number(0, 50),
        config: Config { league, ..Config::default() },
        first: number(2, 0),
    };
    let (next, total) = (AtomicI64::new(0), Mutex::new(Total::default()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| play_some(&series, &next, &total));
        }
    });
    print(&series, &total.into_inner().expect("no thread panicked with it"));
}

fn print(series: &Series, total: &Total) {
    let Total { won: PerSeat([first, second]), drawn, lost, health } = total;
    let won = first + second;
    let games = f64::from(won + drawn + lost);
    let [own, other] = health.map(|health| health as f64 / games);
    let [bot, partner] = &series.bots;
    println!(
        "{bot} against {partner}: {won} won ({first} as first, {second} as second), {drawn} drawn, {lost} lost; \
         health at the end {own:.1} to {other:.1}"
    );
}

/// Plays matches until all are taken.
fn play_some(series: &Series, next: &AtomicI64, total: &Mutex<Total>) {
    loop {
        let game = next.fetch_add(1, Ordering::Relaxed);
        if game >= series.pairs * 2 {
            return;
        }
        let seat = Seat::BOTH[(game % 2) as usize];
        let end = play_one(series, seat, series.first + game / 2);
        let mut total = total.lock().expect("no thread panics with it");
        match end.outcome().and_then(|outcome| outcome.winner()) {
            Some(winner) if winner == seat => total.won[seat] += 1,
            Some(_) => total.lost += 1,
            None => total.drawn += 1,
        }
        for (health, seat) in total.health.iter_mut().zip([seat, seat.other()]) {
            *health += i64::from(end.players()[seat].hp);
        }
    }
}

/// One match with the first bot on a seat, as it ended.
fn play_one(series: &Series, seat: Seat, number: i64) -> CodeRoyale {
    let seed = drawn_seed(CodeRoyale::SEED_BITS, SplitMix64::new(number as u64).next_u64());
    let mut game = CodeRoyale::start(&series.config, seed).expect("generated setups are playable");
    let mut bots = PerSeat::from_fn(|place| {
        let name = &series.bots[usize::from(place != seat)];
        bot(name, &series.config, seed.wrapping_mul(2).wrapping_add(place.index() as i64))
    });
    while game.outcome().is_none() {
        let replies =
            Replies::of(game.to_act(), |place| bots[place].act_unhurried(&game.view(place)));
        game.advance(&replies, &mut NoChance, &mut ());
    }
    game
}

fn bot(name: &str, config: &Config, seed: i64) -> Box<dyn Bot<CodeRoyale>> {
    match Partner::new(name, config.league) {
        Some(partner) => Box::new(partner),
        None => CodeRoyale::bot(name, seed).unwrap_or_else(|| panic!("no bot `{name}`")),
    }
}

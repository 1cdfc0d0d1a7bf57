//! What decides a race: how often the car wins that leads, or has more EMPs or boosts, so many blocks before the line.
//! A bot drives against itself.
//!
//! ```sh
//! cargo run --release -p quintain-overdrive --example what_decides -- search-1k 100
//! ```

use quintain_core::{Game, House, NoChance, PerSeat, Replies, Seat};
use quintain_overdrive::{Car, Config, Overdrive, Powerup};

/// Blocks that the front car has before it.
const LEFT: [u16; 6] = [1200, 900, 600, 300, 100, 40];

/// A name, and how much of it a car has.
type Aspect = (&'static str, fn(&Car) -> usize);

/// What one car may have more of than the other.
const ASPECTS: [Aspect; 3] = [
    ("in front", |car| usize::from(car.place.block)),
    ("more EMPs", |car| car.powerups.count(Powerup::Emp)),
    ("more boosts", |car| car.powerups.count(Powerup::Boost)),
];

/// Of the races in which one car had more, how many it won.
#[derive(Clone, Copy, Default)]
struct Share {
    won: u32,
    of: u32,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [bot, races] = words.as_slice() else { panic!("expected BOT RACES, found {words:?}") };
    let races: i64 = races.parse().expect("a number of races");
    let mut shares = [[Share::default(); ASPECTS.len()]; LEFT.len()];
    for seed in 0..races {
        let (moments, winner) = drive(bot, seed);
        for (shares, ahead) in shares.iter_mut().zip(moments) {
            for (share, seat) in shares.iter_mut().zip(ahead) {
                share.of += u32::from(seat.is_some());
                share.won += u32::from(seat.is_some() && seat == winner);
            }
        }
    }
    for (left, shares) in LEFT.iter().zip(shares) {
        let columns = shares.iter().zip(ASPECTS);
        let columns =
            columns.map(|(share, (name, _))| format!("{name} {}/{}", share.won, share.of));
        println!("{left:4} blocks before the line: {}", columns.collect::<Vec<_>>().join(", "));
    }
}

/// Who had more of what when the front car came so near to the line, and who won.
fn drive(bot: &str, seed: i64) -> (Vec<[Option<Seat>; ASPECTS.len()]>, Option<Seat>) {
    let mut game = Overdrive::start(&Config::default(), seed).expect("playable");
    let mut bots = PerSeat::from_fn(|seat| {
        Overdrive::bot(bot, seed * 2 + seat.index() as i64).expect("a house bot")
    });
    let mut moments = Vec::new();
    while game.outcome().is_none() {
        let front = game.cars().0.iter().map(|car| car.place.block).max().unwrap_or(0);
        let left = game.track().length() - front;
        if LEFT.get(moments.len()).is_some_and(|&next| left <= next) {
            moments.push(ASPECTS.map(|(_, much)| {
                let [first, second] = game.cars().0.each_ref().map(much);
                match first.cmp(&second) {
                    std::cmp::Ordering::Greater => Some(Seat::First),
                    std::cmp::Ordering::Less => Some(Seat::Second),
                    std::cmp::Ordering::Equal => None,
                }
            }));
        }
        let replies = Replies::of(game.to_act(), |seat| bots[seat].act_unhurried(&game.view(seat)));
        game.advance(&replies, &mut NoChance, &mut ());
    }
    (moments, game.outcome().and_then(|outcome| outcome.winner()))
}

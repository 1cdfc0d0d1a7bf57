//! A series of matches between two house bots, every seed from both seats: `BOT OPPONENT [PAIRS [LIMIT_MS
//! [LEAGUE]]]`.
//!
//! ```sh
//! cargo run --release -p quintain-code-royale --example house_series -- greedy random 50 50 3
//! ```

use quintain_code_royale::{CodeRoyale, Config, League};
use quintain_testkit::series_of_arguments;

fn main() {
    let league = std::env::args().nth(5).map_or(League::default(), |word| {
        let number = word.parse().ok().and_then(League::new);
        number.unwrap_or_else(|| panic!("expected a league from 1 to 4, found {word}"))
    });
    series_of_arguments::<CodeRoyale>(&Config { league, ..Config::default() });
}

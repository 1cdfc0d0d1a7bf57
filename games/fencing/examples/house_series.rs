//! A series of matches between two house bots, every seed from both seats; the last word is the league.
//!
//! ```sh
//! cargo run --release -p quintain-fencing --example house_series -- champion greedy 50 50 2
//! ```

use quintain_fencing::{Config, Fencing};
use quintain_testkit::series_of_arguments;

/// Behind the bots, the number of pairs and the time limit.
const PLACE_OF_LEAGUE: usize = 5;

fn main() {
    let league = std::env::args().nth(PLACE_OF_LEAGUE).map(|word| word.parse().expect("a league"));
    let config = Config::default();
    series_of_arguments::<Fencing>(&Config { league: league.unwrap_or(config.league), ..config });
}

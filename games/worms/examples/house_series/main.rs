//! A series of matches between two bots, every seed from both seats: house bots, and the partners of
//! [`sparring`], which play as contestants did.
//!
//! ```sh
//! cargo run --release -p quintain-worms --example house_series -- greedy random 50
//! cargo run --release -p quintain-worms --example house_series -- search-10k sparring:rush 20
//! ```

mod sparring;

use quintain_testkit::series_with_partners;
use quintain_worms::{Config, Worms};

fn main() {
    series_with_partners::<Worms>(&Config::default(), sparring::partner);
}

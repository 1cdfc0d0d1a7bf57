//! A series of matches between two house bots, every seed from both seats.
//!
//! ```sh
//! cargo run --release -p quintain-worms --example house_series -- greedy random 50
//! ```

use quintain_testkit::series_of_arguments;
use quintain_worms::{Config, Worms};

fn main() {
    series_of_arguments::<Worms>(&Config::default());
}

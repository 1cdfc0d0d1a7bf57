//! A series of matches between two house bots, every seed from both seats.
//!
//! ```sh
//! cargo run --release -p quintain-overdrive --example house_series -- greedy random 50
//! ```

use quintain_overdrive::{Config, Overdrive};
use quintain_testkit::series_of_arguments;

fn main() {
    series_of_arguments::<Overdrive>(&Config::default());
}

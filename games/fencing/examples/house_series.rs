//! A series of matches between two house bots, every seed from both seats.
//!
//! ```sh
//! cargo run --release -p quintain-fencing --example house_series -- greedy random 50
//! ```

use quintain_fencing::{Config, Fencing};
use quintain_testkit::series_of_arguments;

fn main() {
    series_of_arguments::<Fencing>(&Config::default());
}

//! A series of races between two bots, every seed from both seats: house bots, and the partners of
//! [`sparring`], which drive as contestants did.
//!
//! ```sh
//! cargo run --release -p quintain-overdrive --example house_series -- greedy random 50
//! cargo run --release -p quintain-overdrive --example house_series -- search-1k sparring:ahead 50
//! ```

mod sparring;

use quintain_overdrive::{Config, Overdrive};
use quintain_testkit::series_with_partners;

fn main() {
    series_with_partners::<Overdrive>(&Config::default(), sparring::partner);
}

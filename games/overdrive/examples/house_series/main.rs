//! A series of races between two bots, every seed from both seats: house bots, and the partners of
//! [`sparring`], which drive as contestants did.
//!
//! ```sh
//! cargo run --release -p quintain-overdrive --example house_series -- greedy random 50
//! cargo run --release -p quintain-overdrive --example house_series -- search-1k sparring:ahead 50
//! ```

mod sparring;

use quintain_core::{Bot, House};
use quintain_overdrive::{Config, Overdrive};
use quintain_testkit::series_between;

fn main() {
    series_between::<Overdrive>(&Config::default(), &bot);
}

fn bot(name: &str, seed: i64) -> Option<Box<dyn Bot<Overdrive>>> {
    match name.strip_prefix("sparring:") {
        Some(partner) => sparring::partner(partner),
        None => Overdrive::bot(name, seed),
    }
}

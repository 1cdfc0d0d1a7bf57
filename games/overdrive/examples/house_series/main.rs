//! A series of races between two bots, every seed from both seats: house bots, and the partners of
//! [`sparring`], which drive as contestants did, and searches of so many nodes with other weights than the usual ones.
//!
//! ```sh
//! cargo run --release -p quintain-overdrive --example house_series -- greedy random 50
//! cargo run --release -p quintain-overdrive --example house_series -- search-1k sparring:ahead 50
//! cargo run --release -p quintain-overdrive --example house_series -- search-1k sparring:nodes=1000,STOCK=0 50
//! ```

mod sparring;

use quintain_core::Bot;
use quintain_overdrive::{Config, Overdrive, weighted};
use quintain_testkit::series_with_partners;

fn main() {
    series_with_partners::<Overdrive>(&Config::default(), |name| match name.contains('=') {
        true => searching(name),
        false => sparring::partner(name),
    });
}

/// A search by `nodes=1000,WEIGHT=5`; a weight that is not there is the usual one.
fn searching(words: &str) -> Option<Box<dyn Bot<Overdrive>>> {
    let value = |name: &str| -> Option<i32> {
        let mut pairs = words.split(',').filter_map(|word| word.split_once('='));
        pairs.find(|(key, _)| *key == name).and_then(|(_, value)| value.parse().ok())
    };
    Some(weighted(value("nodes")?.try_into().ok()?, value))
}

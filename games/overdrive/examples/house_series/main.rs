//! A series of races between two bots, every seed from both seats: house bots, and the partners of
//! [`sparring`], which drive as contestants did, and searches of so many nodes with other weights than the usual ones.
//!
//! ```sh
//! cargo run --release -p quintain-overdrive --example house_series -- greedy random 50
//! cargo run --release -p quintain-overdrive --example house_series -- search-1k sparring:ahead 50
//! cargo run --release -p quintain-overdrive --example house_series -- search-1k nodes=1000,STOCK=0 50
//! ```

mod sparring;

use quintain_core::{Bot, House};
use quintain_overdrive::{Config, Overdrive, weighted};
use quintain_testkit::series_between;

fn main() {
    series_between::<Overdrive>(&Config::default(), &bot);
}

fn bot(name: &str, seed: i64) -> Option<Box<dyn Bot<Overdrive>>> {
    if let Some(partner) = name.strip_prefix("sparring:") {
        sparring::partner(partner)
    } else if name.contains('=') {
        searching(name)
    } else {
        Overdrive::bot(name, seed)
    }
}

/// A search by `nodes=1000,WEIGHT=5`; a weight that is not there is the usual one.
fn searching(words: &str) -> Option<Box<dyn Bot<Overdrive>>> {
    let value = |name: &str| -> Option<i32> {
        let mut pairs = words.split(',').filter_map(|word| word.split_once('='));
        pairs.find(|(key, _)| *key == name).and_then(|(_, value)| value.parse().ok())
    };
    Some(weighted(value("nodes")?.try_into().ok()?, value))
}

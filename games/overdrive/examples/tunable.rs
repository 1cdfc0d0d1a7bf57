//! The champion's search by so many nodes, with weights from its environment, so that `quintain tune` can look for
//! better ones:
//!
//! ```sh
//! cargo build --release -p quintain-overdrive --example tunable
//! quintain tune overdrive "target/release/examples/tunable 1000" --state stdin --params games/overdrive/tuning.toml
//! ```

use std::io::{BufRead as _, Write as _};

use quintain_core::no_time;
use quintain_overdrive::tunable;

fn main() {
    let nodes =
        std::env::args().nth(1).map_or(1_000, |word| word.parse().expect("a number of nodes"));
    let mut bot = tunable(nodes, |name| {
        let value: f64 = std::env::var(name).ok()?.parse().expect("a number");
        Some(value.round() as i32)
    });
    let mut answers = Vec::new();
    for line in std::io::stdin().lock().lines() {
        bot.hear(&line.expect("lines of text"), &mut no_time, &mut answers);
        for answer in answers.drain(..) {
            println!("{answer}");
        }
        std::io::stdout().flush().expect("somebody listens");
    }
}

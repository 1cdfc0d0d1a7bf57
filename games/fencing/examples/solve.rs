//! Solves the leagues without drugs and writes what every bout is worth into `data/`, which is part of the
//! crate. On every machine these are the same bytes.
//!
//! ```sh
//! cargo run --release -p quintain-fencing --example solve
//! ```

use std::path::Path;

use quintain_fencing::Collision;
use quintain_fencing::duel::{Duel, LAST_TURNS, Piste, Values, solve};

/// From here on a turn more changes next to nothing.
const TURNS: usize = 120;

fn main() {
    for league in [1, 2] {
        let (duel, piste) = (Duel::plain(league, Collision::Passed), Piste::of_league(league));
        let mut last = Vec::new();
        let worths = solve(&duel, piste, TURNS, |turn, worths, change| {
            if turn <= LAST_TURNS {
                last.push(worths.to_vec());
            }
            if turn % 20 == 0 {
                println!(
                    "league {league}, {turn} turns: the last changes at most {change:.5} points"
                );
            }
        });
        let most = worths.iter().copied().fold(0.0, f32::max);
        let bytes = Values::new(piste, &last, &worths).to_bytes();
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("data/league-{league}.worths"));
        std::fs::write(&file, &bytes).expect("the data folder can be written");
        println!(
            "league {league}: {} bouts, worth at most {most:.3} points, {} bytes",
            worths.len(),
            bytes.len()
        );
    }
}

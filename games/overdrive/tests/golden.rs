//! One match between the house bots as readable text, compared whole: what happened, and how the track
//! looks. `QUINTAIN_UPDATE=1` writes the file anew; read the change before keeping it.

use quintain_core::{Game, PerSeat};
use quintain_overdrive::{Config, Overdrive, Trail};
use quintain_testkit::{Look, Tale, check_golden, house_bots};

const SEED: i64 = 2020;

#[test]
fn a_match_of_the_house_is_what_it_was() {
    let names = PerSeat(["Anna", "Bert"].map(str::to_owned));
    let config = Config::default();
    let game = Overdrive::new(&config, Overdrive::generate(&config, SEED)).expect("playable");
    let bots = house_bots(["greedy", "random"], 1);
    let text = Tale { game, bots, names: &names, show_every: 20 }.tell(
        |game, _| (game.turn() + 1).to_string(),
        |game, replies, last| {
            let look = Look::new(game, &names, &Trail::default(), replies, last);
            format!("\n{}\n{}\n", look.text, look.outline_with_panels())
        },
    );
    check_golden(env!("CARGO_MANIFEST_DIR"), "house", &text);
}

//! What a game must show before anything else is said of it.

use quintain_core::{House, NoChance, Notation, PerSeat, Replies, Sample, Spectate, Spoken};

use crate::{
    Look, battery, check_ids_are_unique, check_inside, greedy_wins, house_bots, house_match,
};

/// Random play keeps every promise, greedy wins nearly always against random from both seats, and every
/// picture of a match is whole. For games in which nothing is left to chance.
///
/// # Panics
/// If something of this does not hold.
pub fn check_game<G>()
where
    G: Sample + Spoken + Notation + House + Spectate<Trail = ()>,
{
    const MATCHES: i64 = 50;
    let config = G::Config::default();
    battery::<G>(&config, 0..MATCHES);
    let start = |seed| G::start(&config, seed).expect("the usual position is playable");
    let winner = |names: [&str; 2], seed| {
        let (end, _) = house_match(start(seed), house_bots(names, seed), &mut NoChance);
        end.outcome()?.winner()
    };
    let wins = greedy_wins(0..MATCHES, winner);
    assert!(wins.0.iter().all(|&wins| wins * 5 > MATCHES as usize * 4), "greedy won {wins:?}");
    check_pictures(start(1));
}

/// Every position of a match is drawn within the stage, each shape with an id of its own.
fn check_pictures<G: House + Spectate<Trail = ()>>(mut game: G) {
    let names = PerSeat(["Anna", "Bert"].map(str::to_owned));
    let (stage, mut bots) = (game.stage(), house_bots(["random"; 2], 1));
    let (mut replies, mut events) = (Replies::default(), Vec::new());
    loop {
        let look = Look::new(&game, &names, &(), &replies, &events);
        check_ids_are_unique(&stage, &look.scene);
        check_inside(&stage, &look.scene);
        assert!(!look.text.is_empty() && !look.scene.caption.is_empty(), "it can be looked at");
        if game.outcome().is_some() {
            return;
        }
        events.clear();
        replies = crate::house::answers(&game, &mut bots);
        game.advance(&replies, &mut NoChance, &mut events);
    }
}

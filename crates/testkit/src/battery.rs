//! Random play with invariants at every state, for any game.

use quintain_core::{
    Edition, Intake, Notation, Opening, Outbox, PerSeat, Protocol, Replies, Sample, Seat,
    SplitMix64, Spoken,
};

/// No match of ours is longer.
pub(crate) const STEPS_MAX: u32 = 100_000;

/// Plays random matches and checks what must hold in every game.
///
/// # Panics
/// If something does not hold; the message names the seed.
pub fn battery<G: Sample + Spoken + Notation>(config: &G::Config, seeds: std::ops::Range<i64>) {
    assert_eq!(G::config(Edition::Document), G::Config::default(), "the document is the default");
    for seed in seeds {
        let mut first = Walk::<G>::new(config, seed);
        let mut second = Walk::<G>::new(config, seed);
        let mut steps = 0;
        while first.game.outcome().is_none() {
            assert!(steps < STEPS_MAX, "seed {seed}: the match does not end");
            first.step(seed);
            second.step(seed);
            let (one, other) = (first.game.fingerprint(), second.game.fingerprint());
            assert_eq!(one, other, "seed {seed}: same inputs, same digest");
            steps += 1;
        }
        assert!(first.game.to_act().is_empty(), "seed {seed}: nobody acts in a finished game");
        assert_eq!(first.game.outcome(), second.game.outcome(), "seed {seed}");
    }
}

struct Walk<G> {
    game: G,
    luck: SplitMix64,
}

impl<G: Sample + Spoken + Notation> Walk<G> {
    fn new(config: &G::Config, seed: i64) -> Self {
        let [setup, again] = [(); 2].map(|()| G::generate(config, seed));
        assert_eq!(setup, again, "seed {seed}: same seed, same setup");
        let game = G::start(config, seed).expect("a generated setup is valid");
        Walk { game, luck: SplitMix64::new(seed as u64) }
    }

    fn step(&mut self, seed: i64) {
        let replies = Replies::of(self.game.to_act(), |seat| {
            let action = self.game.sample(seat, &mut self.luck);
            assert_eq!(heard_again::<G>(&self.game, seat, &action), Some(action.clone()));
            assert_eq!(G::read(&G::write(&action)), Ok(action.clone()));
            action
        });
        let turn = self.game.turn();
        let mut clone = self.game.clone();
        let mut events = Vec::new();
        let mut luck_of_clone = self.luck;
        self.game.advance(&replies, &mut self.luck, &mut ());
        clone.advance(&replies, &mut luck_of_clone, &mut events);
        let (one, other) = (self.game.fingerprint(), clone.fingerprint());
        assert_eq!(one, other, "seed {seed}, turn {turn}: clone then advance equals advance");
        assert!(self.game.turn() > turn, "seed {seed}, turn {turn}: a legal action is a turn");
    }
}

/// What the protocol hears when an action is said.
fn heard_again<G: Sample + Spoken + Notation>(
    game: &G,
    seat: Seat,
    action: &G::Action,
) -> Option<G::Action> {
    let names = PerSeat(["first".to_owned(), "second".to_owned()]);
    let mut protocol = G::Protocol::new(&Opening::new(names));
    let (view, mut out) = (game.view(seat), Outbox::default());
    protocol.prompt(seat, &view, &mut out);
    let lines = protocol.say(&view, action);
    let heard = lines.iter().map(|line| protocol.hear(seat, true, line, &mut out)).last()?;
    match heard {
        Intake::Action(action) => Some(action),
        _ => None,
    }
}

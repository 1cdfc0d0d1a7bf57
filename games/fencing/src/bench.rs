//! The workload by which the original was measured, for measuring: whole matches of league 2, with
//! actions drawn beforehand, in which a player below 8 energy recovers.

use quintain_core::measure::{NamedWorkload, Prepared, Source, StepMeter, Stub, Workload};
use quintain_core::{Chance, Game, NoChance, PerSeat, Replies, Seat, SplitMix64};

use crate::{Action, Batch, Block, Config, Fencing, LANES, Setup};

/// The same matches twice: through [`Game::advance`], and side by side.
pub static WORKLOADS: [NamedWorkload; 2] = [
    NamedWorkload {
        name: "league-2",
        source: Source::Seed(|seed| Prepared::new(LeagueTwo(Draws::new(seed)))),
    },
    NamedWorkload {
        name: "league-2-batched",
        source: Source::Seed(|seed| Prepared::new(LeagueTwoBatched(Draws::new(seed)))),
    },
];

/// Two of them are exhausted after 27 turns.
pub const STUB: Stub = Stub { line: "WALK", lines_heard: 2 };

const LEAGUE: u8 = 2;
/// Below this a player plays BREAK: no action and no parry can then exhaust it.
const ENERGY_MIN: i16 = 8;
/// Pairs of actions in the table, a power of two.
const DRAWS: usize = 1 << 14;
/// How far apart the draws of consecutive turns of a match are in the table; odd, so that a match
/// meets all of it before it meets a draw again.
const DRAWS_PER_TURN: usize = 1021;

/// Whole matches through [`Game::advance`], respawns included.
struct LeagueTwo(Draws);

impl Workload for LeagueTwo {
    fn play(&self, matches: u64, watch: &mut (impl StepMeter + ?Sized)) -> u64 {
        let start = start();
        let mut turns = 0;
        for number in 0..matches {
            turns += u64::from(play(start, &self.0, number as usize, watch).turn());
        }
        turns
    }
}

/// The same matches as [`LeagueTwo`], a block of [`LANES`] at a time; their number is rounded up to
/// whole blocks.
struct LeagueTwoBatched(Draws);

impl Workload for LeagueTwoBatched {
    fn round(&self) -> u64 {
        LANES as u64
    }

    fn play(&self, matches: u64, watch: &mut (impl StepMeter + ?Sized)) -> u64 {
        let mut turns = 0;
        let mut number = 0;
        while number < matches {
            turns += play_block(&self.0, number as usize, watch).turns();
            number += LANES as u64;
        }
        turns
    }
}

/// Plays one block of matches to their end, the first of which has this number.
fn play_block(draws: &Draws, number: usize, watch: &mut (impl StepMeter + ?Sized)) -> Batch {
    let mut batch = Batch::new(start(), LANES);
    let mut place = number;
    while !batch.is_over() {
        watch.before();
        batch.step(|_, block| choose(block, draws, place));
        watch.after();
        place += DRAWS_PER_TURN;
    }
    batch
}

#[inline]
fn choose(block: &Block, draws: &Draws, place: usize) -> PerSeat<[Action; LANES]> {
    PerSeat(Seat::BOTH.map(|seat| {
        let (energy, drawn) = (block.energy(seat), draws.run(seat, place));
        let mut chosen = *drawn;
        for (action, &energy) in chosen.iter_mut().zip(energy) {
            let is_weak = energy < ENERGY_MIN;
            *action = if is_weak { Action::Break } else { *action };
        }
        chosen
    }))
}

fn start() -> Fencing {
    let config = Config { league: LEAGUE, ..Config::default() };
    Fencing::new(&config, Setup::default()).expect("the usual setup is playable")
}

/// Plays the match of this number to its end.
#[inline]
fn play(
    mut game: Fencing,
    draws: &Draws,
    number: usize,
    watch: &mut (impl StepMeter + ?Sized),
) -> Fencing {
    let mut place = number;
    while game.outcome().is_none() {
        let replies = replies(&game, draws.at(place));
        watch.before();
        game.advance(&replies, &mut NoChance, &mut ());
        watch.after();
        place += DRAWS_PER_TURN;
    }
    game
}

#[inline]
fn replies(game: &Fencing, drawn: PerSeat<Action>) -> Replies<Action> {
    if game.to_act().is_empty() {
        return PerSeat([None, None]);
    }
    let act = |seat: Seat| {
        let is_weak = game.fencers()[seat].energy < ENERGY_MIN;
        if is_weak { Action::Break } else { drawn[seat] }
    };
    Replies::both(act(Seat::First), act(Seat::Second))
}

/// Actions of the league, each equally likely, drawn before anything is measured.
struct Draws {
    /// One list per seat. The first [`LANES`] draws are repeated at the end, so that a block of
    /// matches finds its draws side by side.
    actions: PerSeat<Box<[Action; DRAWS + LANES]>>,
}

impl Draws {
    fn new(seed: i64) -> Draws {
        let mut chance = SplitMix64::new(seed as u64);
        let actions = Action::of_league(LEAGUE);
        let mut draw = || actions[chance.below(actions.len() as u32) as usize];
        Draws {
            actions: PerSeat::from_fn(|_| {
                let mut drawn = Box::new([Action::Break; DRAWS + LANES]);
                drawn[..DRAWS].fill_with(&mut draw);
                drawn.copy_within(..LANES, DRAWS);
                drawn
            }),
        }
    }

    /// The draw at this place; the table begins anew after its end.
    #[inline]
    fn at(&self, place: usize) -> PerSeat<Action> {
        PerSeat([0, 1].map(|seat| self.actions.0[seat][place % DRAWS]))
    }

    /// The draws at this place and the ones after it.
    #[inline]
    fn run(&self, seat: Seat, place: usize) -> &[Action; LANES] {
        let run = self.actions[seat][place % DRAWS..].first_chunk();
        run.expect("the table goes on for a block after its end")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_batch_plays_the_same_matches() {
        let draws = Draws::new(7);
        let batch = play_block(&draws, 64, &mut ());
        for lane in 0..LANES {
            let alone = play(start(), &draws, 64 + lane, &mut ());
            assert_eq!(batch.get(lane), Some(alone), "match {lane}");
        }
        let batched = LeagueTwoBatched(Draws::new(7)).play(64, &mut ());
        assert_eq!(LeagueTwo(draws).play(64, &mut ()), batched);
    }

    #[test]
    fn the_workload_is_whole_matches_with_touches_and_respawns() {
        let workload = LeagueTwo(Draws::new(1));
        assert_eq!(workload.play(10, &mut ()), 2000);
        let end = play(start(), &workload.0, 0, &mut ());
        let points: i16 = end.fencers().0.iter().map(|fencer| fencer.points).sum();
        assert!(points > 0, "somebody scores");
    }
}

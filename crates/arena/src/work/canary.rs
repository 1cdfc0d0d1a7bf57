//! Games whose end is known before they are handed out: house bots that think the same number of moves ahead on every
//! machine. Whoever reports another end has another program, or a machine that does not compute; and how long such a
//! game takes with all slots busy says how fast a machine is.

use std::path::PathBuf;
use std::time::Duration;

use quintain_core::{ConfigChoice, Edition, PerSeat};
use quintain_record::{BotId, MatchId};
use quintain_registry::find;
use rustix::time::{ClockId, clock_gettime};

use super::wire::ReportedGame;
use super::{JobGame, Order, OrderError, OrderedBot, OrderedMind, arena_of, play_game};
use crate::arena::{ArenaError, Replays};

/// What is played: long enough to be measured, and no luck is in it but that of its seed, by which the first bot moves
/// at random now and then.
const GAME: &str = "fencing";
const BOTS: [&str; 2] = ["search-1k-50", "search-1k"];

/// A game that was played here, to be played elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Canary {
    pub order: Order,
    pub game: JobGame,
    pub known: KnownGame,
}

/// How it ended here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownGame {
    /// The fingerprint of what was played.
    pub content: u64,
    /// What it took of a processor.
    pub took: Duration,
}

impl Canary {
    /// Plays the game of a seed.
    ///
    /// # Errors
    /// It cannot be set up.
    pub fn play(seed: i64) -> Result<Canary, ArenaError> {
        let order = order();
        let game = JobGame { id: MatchId::default(), bots: PerSeat([BotId(0), BotId(1)]), seed };
        let no_folder = |_: &str| PathBuf::new();
        let mut arena = arena_of(&order, &no_folder, &PathBuf::new(), None)?;
        arena.replays = Replays::None;
        let began = processor_time();
        let played = play_game(&arena, &game)?;
        let took = processor_time().saturating_sub(began);
        let strange = || OrderError::Order("a canary must come to an end".to_owned());
        let content = played.record.head.content.ok_or_else(strange)?;
        Ok(Canary { order, game, known: KnownGame { content, took } })
    }

    /// Whether a report, whose replay was found proven, tells the game that was played here.
    ///
    /// # Errors
    /// Says what differs.
    pub fn compare(&self, reported: &ReportedGame) -> Result<(), String> {
        let expected = self.known.content;
        match reported.record.head.content {
            Some(found) if found == expected => Ok(()),
            found => {
                let found = found.map_or("none".to_owned(), |found| format!("{found:016x}"));
                let seed = self.game.seed;
                Err(format!(
                    "the canary game of seed {seed}: expected the digest {expected:016x}, found {found}"
                ))
            }
        }
    }
}

fn order() -> Order {
    let game = find(GAME).expect("the game of canaries is registered");
    let config = game.configure(&ConfigChoice::default()).expect("a game has its usual config");
    let bot = |(name, bot): (&str, &str)| OrderedBot {
        name: name.to_owned(),
        mind: OrderedMind::House { bot: bot.to_owned() },
        files: Default::default(),
    };
    Order {
        game: GAME.to_owned(),
        edition: Edition::default(),
        config: (*config.value).clone(),
        ask: "in-turn".to_owned(),
        time_scale: 1.0,
        machine_scale: 1.0,
        clock: false,
        start_limit_ms: 5000,
        bots: ["first", "second"].into_iter().zip(BOTS).map(bot).collect(),
    }
}

/// What this thread has used, which others on this machine do not change much.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_canary_is_the_same_each_time_and_another_one_for_another_seed() {
        let content = |seed| Canary::play(seed).expect("it can be played").known.content;
        assert_eq!(content(-7), content(-7));
        assert_ne!(content(-7), content(8));
    }
}

//! Whether a stored game and its replay tell the same.

use quintain_record::{BotId, Ending, MatchHead};
use quintain_replay::{Header, Reached, Tail};
use quintain_store::RunInfo;

/// What a stored game and its replay, which was played again, say differently.
///
/// # Errors
/// The first difference, in words.
pub fn check_against_replay(
    run: &RunInfo,
    stored: &MatchHead,
    header: &Header,
    tail: &Tail,
    reached: &Reached,
) -> Result<(), String> {
    // The digest says of any change that there is one; what follows says which.
    compare("game", &run.plan.game, &header.game)?;
    compare("seed", stored.seed, header.seed)?;
    let name = |bot: BotId| run.plan.bots.get(bot.index()).map_or("nobody", |bot| &bot.name);
    compare(
        "bots",
        stored.bots.map(|_, bot| name(bot)).0,
        header.bots.as_ref().0.map(String::as_str),
    )?;
    compare("turns", stored.turns, reached.turn)?;
    if let (Ending::Scored(scored), Some(outcome)) = (&stored.ending, &reached.outcome) {
        compare("verdicts", scored.verdicts.0, outcome.verdicts.0)?;
        compare("scores", scored.scores.0, outcome.scores.0)?;
        compare("reason", scored.reason.as_str(), outcome.reason)?;
    }
    match (&stored.replay_digest, &tail.content) {
        (Some(stored), Some(found)) => compare("digest of the replay", stored, found),
        _ => Ok(()),
    }
}

fn compare<T: PartialEq + std::fmt::Debug>(what: &str, stored: T, found: T) -> Result<(), String> {
    if stored == found {
        return Ok(());
    }
    Err(format!("{what}: the store says {stored:?}, the replay {found:?}"))
}

//! Replays of matches between house bots, for whatever is made of replays.

use std::path::Path;

use quintain_arena::plan::{MatchPlan, MatchSettings};
use quintain_arena::run::{RunMeans, run_match};
use quintain_referee::Stop;

/// Plays a match of one bot against itself and writes its replay.
pub(crate) fn record(settings: MatchSettings, bot: &str, replay: &Path) -> anyhow::Result<()> {
    let bot = format!("house:{bot}");
    let plan = MatchPlan::new(settings, &[bot.clone(), bot])?;
    let means = RunMeans { replay_file: Some(replay.to_owned()), ..RunMeans::default() };
    let played = run_match(&plan, &means, &mut (), &Stop::default())?;
    let unwritten = played.report.into_iter().find_map(|report| report.replay_error);
    unwritten.map_or(Ok(()), |error| Err(error.into()))
}

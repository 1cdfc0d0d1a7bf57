//! Plays the games of an order on this machine, as every other game here.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use quintain_links::{Sandbox, read_launch};
use quintain_record::{Contestant, Ending, MatchRecord, Mind, Program, ProgramLink, VoidReason};
use quintain_registry::{NoSpectator, find};
use quintain_tournament::PlannedMatch;

use super::{JobGame, Order, OrderError, OrderedBot, OrderedMind};
use crate::Forgiveness;
use crate::arena::{Arena, ArenaError, Replays};
use crate::plan::{GameRules, MatchSettings};
use crate::slots::play_and_keep;

/// A game that was played here for somebody else.
#[derive(Clone, Debug)]
pub struct Played {
    /// Without the name of its replay, which is another one where it is kept.
    pub record: MatchRecord,
    /// The file; whoever has sent it removes it.
    pub replay: Option<PathBuf>,
}

/// How the games of an order are played on this machine. `folder_of` is where the bot of an archive is, and `replays`
/// where replays are put until they are sent.
///
/// # Errors
/// The order is of a game that this program does not know, or of a bot that it cannot start.
pub fn arena_of(
    order: &Order,
    folder_of: &dyn Fn(&str) -> PathBuf,
    replays: &Path,
    sandbox: Option<Arc<Sandbox>>,
) -> Result<Arena, OrderError> {
    let wrong = |error: String| OrderError::Order(error);
    let unknown = || wrong(format!("expected a game of this program, found `{}`", order.game));
    let game = find(&order.game).ok_or_else(unknown)?;
    let config = game.restore_config(order.edition, &order.config);
    let config = config.map_err(|error| wrong(error.to_string()))?;
    let contestant = |bot: &OrderedBot| contestant_of(bot, folder_of);
    let contestants = order.bots.iter().map(contestant).collect::<Result<Vec<_>, _>>()?;
    let rules = GameRules {
        edition: order.edition,
        time_scale: order.time_scale,
        clock: order.clock,
        ..GameRules::default()
    };
    let (ask, start_limit) = (order.ask()?, order.start_limit());
    Ok(Arena {
        game,
        contestants,
        digests: order.bots.iter().map(|bot| bot.files.clone()).collect(),
        settings: MatchSettings { rules, ask, start_limit, ..MatchSettings::of(&order.game) },
        config,
        replays: Replays::All(replays.to_owned()),
        forgiveness: Forgiveness::default(),
        signer: None,
        store_folder: None,
        machine_scale: order.machine_scale,
        sandbox,
    })
}

fn contestant_of(
    bot: &OrderedBot,
    folder_of: &dyn Fn(&str) -> PathBuf,
) -> Result<Contestant, OrderError> {
    let (written, mind) = match &bot.mind {
        OrderedMind::House { bot } => (format!("house:{bot}"), Mind::House { bot: bot.clone() }),
        OrderedMind::Archive { digest, state, args, env } => {
            let written = folder_of(digest).display().to_string();
            let mut launch = read_launch(&written)
                .map_err(|error| OrderError::Order(format!("bot {}: {error}", bot.name)))?;
            launch.args.extend_from_slice(args);
            launch.env.extend_from_slice(env);
            let link = ProgramLink::Pipes { state: *state };
            (written, Mind::Program(Program { launch, link }))
        }
    };
    Ok(Contestant { name: bot.name.clone(), written, mind })
}

/// Plays a game until it counts or is void.
///
/// # Errors
/// It cannot be set up, its replay cannot be written, or a bug of ours ended it.
pub fn play_game(arena: &Arena, game: &JobGame) -> Result<Played, ArenaError> {
    let planned = PlannedMatch::from(game);
    let played = play_and_keep(arena, None, &planned, &mut NoSpectator)?;
    if played.record.head.ending == Ending::Void(VoidReason::Aborted) {
        return Err(ArenaError::Aborted { id: game.id });
    }
    let mut record = played.record;
    record.head.replay = None;
    for attempt in record.disturbances.iter_mut().filter_map(|late| late.replay.take()) {
        // Only the last attempt is sent. A file that stays does no harm.
        if played.replay.as_deref() != Some(Path::new(&attempt)) {
            let _ = std::fs::remove_file(attempt);
        }
    }
    Ok(Played { record, replay: played.replay })
}

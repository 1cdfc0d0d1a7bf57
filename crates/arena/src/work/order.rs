//! How all games of a run are played, to be sent to other machines.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use quintain_core::{Edition, PerSeat};
use quintain_links::read_launch;
use quintain_record::{BotId, Contestant, MatchId, Mind, Program, ProgramLink, State};
use quintain_referee::Ask;
use quintain_tournament::PlannedMatch;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ElsewhereError;
use crate::arena::Arena;

/// Everything that results depend on but the seeds. Two orders that are equal are played alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    pub game: String,
    pub edition: Edition,
    /// As replays keep it.
    pub config: Value,
    /// `in-turn` or `together`.
    pub ask: String,
    pub time_scale: f64,
    /// What of that is for the speed of whoever plays.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub machine_scale: f64,
    pub clock: bool,
    pub start_limit_ms: u64,
    pub bots: Vec<OrderedBot>,
}

fn one() -> f64 {
    1.0
}

fn is_one(scale: &f64) -> bool {
    *scale == 1.0
}

/// What times are multiplied by on a machine of another speed. Rounded, so that it can be said in a few digits.
pub(crate) fn scaled_time(time_scale: f64, machine_scale: f64) -> f64 {
    if machine_scale == 1.0 {
        return time_scale;
    }
    (time_scale * machine_scale * 1e6).round() / 1e6
}

/// A bot of an order, by its place in the run's list of bots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderedBot {
    pub name: String,
    pub mind: OrderedMind,
    /// What it consists of, for replays.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

/// What plays in the name of a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum OrderedMind {
    House {
        bot: String,
    },
    /// A folder that was packed, by the SHA-256 of the archive.
    Archive {
        digest: String,
        state: State,
        /// Behind the arguments that it is started with anyway.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        args: Vec<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        env: Vec<(String, String)>,
    },
}

/// A game of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobGame {
    pub id: MatchId,
    pub bots: PerSeat<BotId>,
    #[serde(with = "seed_as_text")]
    pub seed: i64,
}

/// A string, since many readers of JSON cannot hold 64 bits in a number.
mod seed_as_text {
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(seed: &i64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(seed)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Why games cannot be played elsewhere, or not by an order.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    #[error(
        "bot {name} (`{written}`): expected a house bot or a folder with a bot.json or a run.sh, since only \
         these can be sent to other machines"
    )]
    CannotTravel { name: String, written: String },
    #[error("bot {name}: {error}")]
    Bot { name: String, error: ElsewhereError },
    #[error("expected replays without a signature: other machines do not have the key")]
    Signed,
    #[error("{0}")]
    Order(String),
}

impl From<&PlannedMatch> for JobGame {
    fn from(planned: &PlannedMatch) -> JobGame {
        JobGame { id: planned.id, bots: planned.bots, seed: planned.seed }
    }
}

impl From<&JobGame> for PlannedMatch {
    fn from(game: &JobGame) -> PlannedMatch {
        PlannedMatch { id: game.id, bots: game.bots, seed: game.seed }
    }
}

impl Order {
    /// What an arena plays. `send` takes a bot's folder where workers find it, and says what its archive is called.
    ///
    /// # Errors
    /// Something that this machine has cannot be had on another one.
    pub(crate) fn of(
        arena: &Arena,
        send: &mut dyn FnMut(&Path) -> Result<String, ElsewhereError>,
    ) -> Result<Order, OrderError> {
        if arena.signer.is_some() {
            return Err(OrderError::Signed);
        }
        let mut bots = Vec::new();
        for (bot, files) in arena.contestants.iter().zip(&arena.digests) {
            bots.push(ordered(bot, files, send)?);
        }
        let settings = &arena.settings;
        Ok(Order {
            game: arena.game.facts().id.to_owned(),
            edition: arena.config.edition,
            config: (*arena.config.value).clone(),
            ask: settings.ask.name().to_owned(),
            time_scale: settings.rules.time_scale,
            machine_scale: arena.machine_scale,
            clock: settings.rules.clock,
            start_limit_ms: u64::try_from(settings.start_limit.as_millis()).unwrap_or(u64::MAX),
            bots,
        })
    }

    /// The same for a machine for whose speed times are multiplied by this.
    #[must_use]
    pub fn for_machine(&self, machine_scale: f64) -> Order {
        let time_scale = scaled_time(self.time_scale, machine_scale);
        Order { time_scale, machine_scale, ..self.clone() }
    }

    /// Whether results depend on how fast and how quiet a machine is: house bots take the time that they need.
    pub fn is_timed(&self) -> bool {
        self.clock && self.archives().next().is_some()
    }

    /// How seats are asked.
    ///
    /// # Errors
    /// Names what was expected.
    pub(super) fn ask(&self) -> Result<Ask, OrderError> {
        let expected = || format!("ask: expected in-turn or together, found `{}`", self.ask);
        Ask::from_name(&self.ask).ok_or_else(|| OrderError::Order(expected()))
    }

    pub(super) fn start_limit(&self) -> Duration {
        Duration::from_millis(self.start_limit_ms)
    }

    /// The archives that its bots are in.
    pub fn archives(&self) -> impl Iterator<Item = &str> {
        self.bots.iter().filter_map(|bot| match &bot.mind {
            OrderedMind::House { .. } => None,
            OrderedMind::Archive { digest, .. } => Some(digest.as_str()),
        })
    }
}

fn ordered(
    bot: &Contestant,
    files: &BTreeMap<String, String>,
    send: &mut dyn FnMut(&Path) -> Result<String, ElsewhereError>,
) -> Result<OrderedBot, OrderError> {
    let name = bot.name.clone();
    let cannot = || OrderError::CannotTravel { name: name.clone(), written: bot.written.clone() };
    let mind = match &bot.mind {
        Mind::House { bot } => OrderedMind::House { bot: bot.clone() },
        Mind::Program(Program { launch, link: ProgramLink::Pipes { state } }) => {
            // What the folder says by itself is read again where it is played.
            let usual = read_launch(&bot.written).map_err(|_| cannot())?;
            let args = launch.args.strip_prefix(usual.args.as_slice()).ok_or_else(cannot)?;
            if !Path::new(&bot.written).is_dir() {
                return Err(cannot());
            }
            let digest = send(Path::new(&bot.written))
                .map_err(|error| OrderError::Bot { name: name.clone(), error })?;
            let (args, env) = (args.to_vec(), launch.env.clone());
            OrderedMind::Archive { digest, state: *state, args, env }
        }
        Mind::Program(_) => return Err(cannot()),
    };
    Ok(OrderedBot { name: name.clone(), mind, files: files.clone() })
}

//! Whether replays are what they say, and whether a store and its replays tell the same.

use std::path::{Path, PathBuf};

use quintain_record::{BotId, Ending, MatchHead, MatchRow};
use quintain_replay::{
    Header, PublicKey, Reached, Recording as _, RerunError, SetupOrigin, SignatureError, Tail,
    signer_of,
};
use quintain_store::{Filter, RunInfo, Store, StoreError};
use serde_json::Value;

pub use quintain_store::{Examination, Finding};

use crate::open_replay::{OpenReplayError, open_replay};
use crate::results::replay_path;
use crate::work::scaled_time;

/// What came of looking at a replay.
#[derive(Debug)]
pub enum Audited {
    Verified(Proof),
    /// What is there is right, but the end is missing.
    Incomplete(Proof),
    Failed(AuditError),
}

/// What was found right.
#[derive(Debug)]
pub struct Proof {
    pub header: Header,
    pub tail: Tail,
    pub reached: Reached,
    pub signer: Option<PublicKey>,
}

impl Proof {
    /// Whether its setup is not the one of its seed.
    pub fn has_own_setup(&self) -> bool {
        self.reached.setup == SetupOrigin::Own
    }
}

#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    #[error(transparent)]
    Open(#[from] OpenReplayError),
    #[error(transparent)]
    Rerun(#[from] RerunError),
    #[error("the file is damaged after turn {turn}: {damage}")]
    Damaged { turn: u32, damage: String },
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// The store says something else.
    #[error("{0}")]
    Store(String),
}

/// The replay of a stored game, looked at.
pub struct AuditedGame<'a> {
    pub run: &'a RunInfo,
    /// The game's number in its run.
    pub number: u64,
    pub path: PathBuf,
    pub audited: Audited,
}

/// Plays a replay again, and asks who answers for it.
pub fn audit(file: &Path, signer: Option<PublicKey>) -> Audited {
    match prove(file, signer) {
        Ok(proof) if proof.tail.cut.is_none() => Audited::Verified(proof),
        Ok(proof) => Audited::Incomplete(proof),
        Err(error) => Audited::Failed(error),
    }
}

/// Looks at the replays of all games in a store, and at what it says of them.
pub fn audit_store<E: From<StoreError>>(
    store: &Store,
    signer: Option<PublicKey>,
    tell: &mut dyn FnMut(AuditedGame<'_>) -> Result<(), E>,
) -> Result<(), E> {
    for run in store.runs()? {
        for listed in store.games(run.id, &Filter::default()) {
            let MatchRow { number, head, .. } = listed?;
            let Some(replay) = &head.replay else { continue };
            let path = replay_path(store, replay);
            let audited = match audit(&path, signer) {
                Audited::Verified(proof) => match check_against_replay(&run, &head, &proof) {
                    Ok(()) => Audited::Verified(proof),
                    Err(difference) => Audited::Failed(AuditError::Store(difference)),
                },
                audited => audited,
            };
            tell(AuditedGame { run: &run, number, path, audited })?;
        }
    }
    Ok(())
}

fn prove(file: &Path, expected: Option<PublicKey>) -> Result<Proof, AuditError> {
    let (mut replay, game) = open_replay(file)?;
    let reached = game.verify(&mut replay)?;
    let (header, tail) = (replay.header().clone(), replay.tail().clone());
    if let Some(damage) = &tail.damage {
        return Err(AuditError::Damaged { turn: reached.turn, damage: damage.clone() });
    }
    let mut signer = None;
    if tail.cut.is_none() {
        signer = signer_of(&header, &tail)?;
        check_signer(signer, expected)?;
    }
    Ok(Proof { header, tail, reached, signer })
}

fn check_signer(
    found: Option<PublicKey>,
    expected: Option<PublicKey>,
) -> Result<(), SignatureError> {
    match (found, expected.map(|key| key.to_string())) {
        (_, None) => Ok(()),
        (None, Some(expected)) => Err(SignatureError::Missing(expected)),
        (Some(found), Some(expected)) if found.to_string() != expected => {
            Err(SignatureError::Other { expected, found: found.to_string() })
        }
        _ => Ok(()),
    }
}

/// The first thing that a stored game and its replay say differently, in words.
fn check_against_replay(run: &RunInfo, stored: &MatchHead, proof: &Proof) -> Result<(), String> {
    let Proof { header, tail, reached, .. } = proof;
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
    check_scale(run, header)?;
    compare("sandbox", stored.sandbox.as_ref(), header.sandbox.as_ref())?;
    match (&stored.replay_digest, &tail.content) {
        (Some(stored), Some(found)) => compare("digest of the replay", stored, found),
        _ => Ok(()),
    }
}

/// Times are the run's own, but for what the speed of a machine explains.
fn check_scale(run: &RunInfo, header: &Header) -> Result<(), String> {
    let settings = serde_json::from_str::<Value>(&run.plan.settings).unwrap_or_default();
    match settings.get("time-scale").and_then(Value::as_f64) {
        Some(scale) => {
            compare("time scale", scaled_time(scale, header.machine_scale), header.time_scale)
        }
        None => Ok(()),
    }
}

fn compare<T: PartialEq + std::fmt::Debug>(what: &str, stored: T, found: T) -> Result<(), String> {
    if stored == found {
        return Ok(());
    }
    Err(format!("{what}: the store says {stored:?}, the replay {found:?}"))
}

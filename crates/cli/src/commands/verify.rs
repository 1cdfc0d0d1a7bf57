//! `quintain verify`

use std::io::Write as _;
use std::path::Path;

use quintain_arena::{check_against_replay, replay_path};
use quintain_record::MatchRow;
use quintain_replay::{
    Header, PublicKey, Reached, Recording as _, SetupOrigin, SignatureError, Tail, signer_of,
};
use quintain_store::{Filter, RunInfo, Store};
use serde_json::{Value, json};

use crate::args::VerifyArgs;
use crate::failure::Failure;
use crate::secret;

pub(super) fn run(args: &VerifyArgs) -> Result<(), Failure> {
    let signer = args.signer.as_deref().map(super::key::expected_signer).transpose()?;
    let mut out = std::io::stdout().lock();
    let mut count = Count::default();
    let mut tell = |path: &Path, finding: Finding| {
        count.add(&finding);
        let path = path.display().to_string();
        if args.json {
            writeln!(out, "{}", finding.as_json(&path))
        } else {
            writeln!(out, "{path}: {}", finding.sentence())
        }
    };
    for file in &args.files {
        tell(file, examine(file, signer))?;
    }
    if let Some(place) = &args.store {
        Store::be_wary();
        let store = Store::open_existing(&secret::address(place, None)?)?;
        examine_store(&store, signer, &mut |_, path, finding| Ok(tell(path, finding)?))?;
    }
    if !args.json {
        writeln!(out, "{}", count.sentence())?;
    }
    if count.incomplete + count.failed == 0 { Ok(()) } else { Err(Failure::Told) }
}

/// What came of looking at a file.
pub(super) enum Finding {
    Verified(Proof),
    /// What is there is right, but the end is missing.
    Incomplete(Proof),
    Failed(anyhow::Error),
}

/// What was found right.
pub(super) struct Proof {
    header: Header,
    tail: Tail,
    reached: Reached,
    signer: Option<PublicKey>,
}

fn examine(file: &Path, expected: Option<PublicKey>) -> Finding {
    match prove(file, expected) {
        Ok(proof) if proof.tail.cut.is_none() => Finding::Verified(proof),
        Ok(proof) => Finding::Incomplete(proof),
        Err(error) => Finding::Failed(error),
    }
}

/// A game of a run, by its number.
pub(super) type NumberedGame<'a> = (&'a RunInfo, u64);

/// Looks at the replays of all games in a store, and at what it says of them.
pub(super) fn examine_store(
    store: &Store,
    signer: Option<PublicKey>,
    tell: &mut dyn FnMut(NumberedGame<'_>, &Path, Finding) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for run in store.runs()? {
        for listed in store.games(run.id, &Filter::default()) {
            let MatchRow { number, head, .. } = listed?;
            let Some(replay) = &head.replay else { continue };
            let path = replay_path(store, replay);
            let finding = match examine(&path, signer) {
                Finding::Verified(proof) => {
                    let Proof { header, tail, reached, .. } = &proof;
                    match check_against_replay(&run, &head, header, tail, reached) {
                        Ok(()) => Finding::Verified(proof),
                        Err(difference) => Finding::Failed(anyhow::anyhow!(difference)),
                    }
                }
                finding => finding,
            };
            tell((&run, number), &path, finding)?;
        }
    }
    Ok(())
}

fn prove(file: &Path, expected: Option<PublicKey>) -> anyhow::Result<Proof> {
    let (mut replay, game) = super::open_replay(file)?;
    let reached = game.verify(&mut replay)?;
    let (header, tail) = (replay.header().clone(), replay.tail().clone());
    if let Some(damage) = &tail.damage {
        anyhow::bail!("the file is damaged after turn {}: {damage}", reached.turn);
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

impl Finding {
    fn status(&self) -> &'static str {
        match self {
            Finding::Verified(_) => "verified",
            Finding::Incomplete(_) => "incomplete",
            Finding::Failed(_) => "failed",
        }
    }

    pub(super) fn sentence(&self) -> String {
        let parts = match self {
            Finding::Verified(proof) => [vec![proof.result()], proof.remarks()].concat(),
            Finding::Incomplete(proof) => [vec![proof.break_off()], proof.remarks()].concat(),
            Finding::Failed(error) => vec![format!("{error:#}")],
        };
        format!("{}: {}", self.status(), parts.join("; "))
    }

    fn as_json(&self, file: &str) -> Value {
        let mut object = match self {
            Finding::Verified(proof) | Finding::Incomplete(proof) => proof.as_json(),
            Finding::Failed(error) => json!({ "error": format!("{error:#}") }),
        };
        object["file"] = json!(file);
        object["status"] = json!(self.status());
        object
    }
}

impl Proof {
    fn result(&self) -> String {
        let reason = self.tail.end.as_ref().map_or("", |end| &end.reason);
        format!("{} turns, {reason}", self.reached.turn)
    }

    fn break_off(&self) -> String {
        let (turn, steps) = (self.reached.turn, self.reached.steps);
        let why = self.tail.cut.as_deref().unwrap_or("the match was not finished");
        format!("ends after turn {turn}: {why}; its {steps} steps are right")
    }

    /// What the file proves less, or more, than others.
    fn remarks(&self) -> Vec<String> {
        let Proof { header, reached, .. } = self;
        let mut remarks = Vec::new();
        if reached.setup == SetupOrigin::Own {
            remarks.push(format!("its setup is its own, not that of seed {}", header.seed));
        }
        if let Some(from) = &header.from {
            let (turn, source) = (from.turn, quintain_core::printable(&from.replay));
            remarks.push(format!("its turns before {turn} are those of {source}"));
        }
        if header.format == 1 {
            let said = "of format 1, so that times, names and the lines as a whole are not proved";
            remarks.push(said.to_owned());
        }
        if let Some(signer) = &self.signer {
            remarks.push(format!("signed by {signer}"));
        }
        remarks
    }

    fn as_json(&self) -> Value {
        let Proof { header, tail, reached, signer } = self;
        let end = tail.end.as_ref();
        json!({
            "game": header.game,
            "format": header.format,
            "rules_version": header.rules_version,
            "edition": header.edition,
            "seed": header.seed.to_string(),
            "setup": match reached.setup {
                SetupOrigin::Seed => "seed",
                SetupOrigin::Own => "own",
            },
            "from": header.from,
            "names": header.names,
            "bots": header.bots,
            "players": header.players,
            "turns": reached.turn,
            "steps": reached.steps,
            "verdicts": end.map(|end| &end.verdicts),
            "scores": end.map(|end| &end.scores),
            "reason": end.map(|end| &end.reason),
            "cut": tail.cut,
            "signer": signer.map(|key| key.to_string()),
            "sha256": tail.content,
        })
    }
}

/// How many files there were of each kind.
#[derive(Default)]
struct Count {
    verified: usize,
    incomplete: usize,
    failed: usize,
}

impl Count {
    fn add(&mut self, finding: &Finding) {
        match finding {
            Finding::Verified(_) => self.verified += 1,
            Finding::Incomplete(_) => self.incomplete += 1,
            Finding::Failed(_) => self.failed += 1,
        }
    }

    fn sentence(&self) -> String {
        let Count { verified, incomplete, failed } = self;
        let incomplete = match incomplete {
            0 => String::new(),
            count => format!(", {count} incomplete"),
        };
        format!("{verified} verified{incomplete}, {failed} failed")
    }
}
